"""Public reports about swizzles and hand-written index maps: what the reporter would ask, in one or two
calls, and the right answer. swizzles.jsonl has the reports; each has the test of its name."""

import json
from pathlib import Path
from typing import Any

import pytest

from symlayout import (
    Layout,
    Refuted,
    Swizzle,
    atoms,
    bijective,
    composition,
    equal,
    make_tiled_copy,
    prove,
    tile_to_shape,
    upcast,
    within,
)
from symlayout.symbolic import Int
from symlayout.verdict import Verdict


def refuted(verdict: Verdict) -> Refuted:
    assert isinstance(verdict, Refuted), str(verdict)
    return verdict


def test_every_report_has_its_test() -> None:
    with Path(__file__).with_name("swizzles.jsonl").open(encoding="utf-8") as lines:
        reports = [json.loads(line)["id"] for line in lines]
    tests = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert tests - {"every_report_has_its_test"} == {r.replace("-", "_") for r in reports}


def test_slice_affine_swizzle() -> None:
    """A thread's later steps in a swizzled tile: may they be added to where its first one lies?"""
    tile = tile_to_shape(composition(Swizzle(4, 0, 4), Layout((16, 16), (1, 16))), (64, 16))
    copy = make_tiled_copy(atoms.copy("UniversalCopy<half_t>"), Layout((8, 8), (8, 1)), 1)
    right, plain = copy.tidfrg_S(tile), copy.tidfrg_S(tile.layout)
    assert prove(bijective(tile))
    said = refuted(
        prove(
            lambda thread, m, k: equal(right(thread, 0, (m, k)), right(thread, 0, 0) + plain(0, 0, (m, k))),
            thread=64,
            m=8,
            k=2,
        )
    )
    assert said.witness == {"thread": 0, "m": 0, "k": 1}
    assert (said.left, said.right) == (136, 128)
    assert (said.failures, said.instances) == (512, 1024)


def test_print_vs_layout_offset() -> None:
    """Two meanings of one layout: the offset before the swizzle and after it (CuTe has it in the pointer)."""
    tile = tile_to_shape(composition(Swizzle(1, 3, 3), Layout((8, 16), (16, 1))), (64, 16))
    assert tile.layout(4, 0) == 64
    assert tile(4, 0) == 72


def test_two_swizzles() -> None:
    """S<3,0,3> after S<1,2,1> is a bijection, and no single swizzle."""
    outer, inner = Swizzle(3, 0, 3), Swizzle(1, 2, 1)
    assert outer(inner(8)) == 13
    assert prove(lambda i, j: equal(i, j).given(equal(outer(inner(i)), outer(inner(j)))), i=1024, j=1024)
    for b in range(6):
        for m in range(8):
            for s in range(max(1, b), 8):
                single = Swizzle(b, m, s)
                assert any(single(i) != outer(inner(i)) for i in range(1024))


@pytest.mark.parametrize("d, rows, outside", [(8, 16, 8), (8, 64, 56), (16, 64, 48)])
def test_marlin_xor_precedence(d: int, rows: int, outside: int) -> None:
    """`d*row + (i % d) ^ row` in C++ is `i ^ row`, which is right; what it looks like leaves the buffer."""
    n = d * rows

    def parsed(i: Int) -> Int:
        return i ^ (i // d)

    assert prove(lambda i, j: equal(i, j).given(equal(parsed(i), parsed(j))), i=n, j=n)
    assert prove(lambda i: within(parsed(i), 0, n), i=n)
    said = refuted(prove(lambda i: within(d * (i // d) + ((i % d) ^ (i // d)), 0, n), i=n))
    assert said.failures == outside
    if (d, rows) == (8, 16):
        assert said.witness == {"i": 120}
        assert said.left == 135
    assert prove(lambda i: within(d * (i // d) + ((i % d) ^ (i // d % 8)), 0, n), i=n)


def test_flashinfer_stride4() -> None:
    """The 128-byte swizzle over rows of 64 bytes: two elements meet, four leave the buffer."""

    def wide(i: Int, j: Int) -> Int:
        return i * 4 + (j ^ (i % 8))

    def narrow(i: Int, j: Int) -> Int:
        return i * 4 + (j ^ (i // 2 % 4))

    assert refuted(prove(lambda i, j: within(wide(i, j), 0, 64), i=16, j=4)).failures == 4
    four: dict[str, Any] = {"i": 16, "j": 4, "k": 16, "m": 4}
    said = refuted(
        prove(lambda i, j, k, m: equal((i, j), (k, m)).given(equal(wide(i, j), wide(k, m))), **four)
    )
    assert said.witness == {"i": 7, "j": 0, "k": 8, "m": 3}
    assert prove(lambda i, j, k, m: equal((i, j), (k, m)).given(equal(narrow(i, j), narrow(k, m))), **four)
    assert prove(lambda i, j: within(narrow(i, j), 0, 64), i=16, j=4)


def test_tilelang_swizzle_scan() -> None:
    """64 elements from the swizzled start of a row: row 1 runs into row 2."""
    swizzle = Swizzle(3, 3, 3)
    said = refuted(prove(lambda row, c: equal((swizzle(64 * row) + c) // 64, row), row=16, c=64))
    assert said.witness == {"row": 1, "c": 56}
    assert swizzle(64) == 72
    # rows 0 and 8 start where they did
    assert prove(lambda half, c: equal((swizzle(64 * 8 * half) + c) // 64, 8 * half), half=2, c=64)


def test_tilelang_view_dtype() -> None:
    """A buffer swizzled in 16-bit elements, viewed in 32-bit ones: the swizzle's base loses one bit."""
    halves = Swizzle(3, 3, 3)
    said = refuted(prove(lambda i: equal(halves(i), halves(2 * i) // 2), i=512))
    assert said.witness == {"i": 32}
    assert (said.left, said.right, said.failures) == (32, 36, 384)
    assert str(upcast(2, composition(halves, Layout(1024)))) == "Sw<3,2,3> o 0 o 512:1"
    assert prove(lambda i: equal(Swizzle(3, 2, 3)(i), halves(2 * i) // 2), i=512)
