"""The generated C, run on this machine's processor."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpu.element import Array
from gpu.equality import equality
from gpu.equality.cases import CASES, Case
from gpu.equality.code import Code, generate, is_whole, modes_of, operations, reciprocal, split
from gpu.equality.equality import Seen, by_symlayout, compare, kernel_text, walk
from gpu.maps import values
from gpu.reading import read_tensor
from symlayout import ComposedLayout, Layout, Swizzle, UnsupportedError

COMPILER = shutil.which("g++")
HOST = """
#define __device__
#define __constant__
#define __global__
#define __launch_bounds__(n)
struct Place { unsigned x; };
static Place threadIdx, blockIdx, blockDim, gridDim;
static void atomicAdd(unsigned long long* p, unsigned long long x) { *p += x; }
static void atomicMin(unsigned long long* p, unsigned long long x) { if (x < *p) *p = x; }
"""
RUN = """
extern "C" void run(unsigned blocks, unsigned threads, unsigned long long* found) {
  gridDim.x = blocks; blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) equality(0, found);
}
extern "C" void look(const unsigned long long* coordinate, int count, void* value) {
  blockDim.x = 1; threadIdx.x = 0;
  for (blockIdx.x = 0; blockIdx.x < (unsigned)count; ++blockIdx.x) values(coordinate, count, (Value*)value);
}
"""


class Host:
    """The very kernels, compiled for this machine's processor; the threads run one after the other."""

    name = "host"
    hardware = False

    def __init__(self, folder: Path, change: Callable[[Code], Code] = lambda code: code) -> None:
        self.folder, self.change = folder, change
        self.built: dict[str, tuple[ctypes.CDLL, Code]] = {}

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        library, _ = self._library(a, b)
        found = (ctypes.c_uint64 * 2)(0, 2**64 - 1)
        library.run(3, 160, found)
        return Seen(None if found[1] == 2**64 - 1 else found[1], found[0], (1.0,) * runs)

    def values(self, a: Any, b: Any, coordinates: list[int]) -> Array:
        library, code = self._library(a, b)
        kind = np.dtype(f"i{code.value_bits // 8}")
        result = np.zeros((len(coordinates), 2), dtype=kind)
        sent = (ctypes.c_uint64 * len(coordinates))(*coordinates)
        library.look(sent, len(coordinates), result.ctypes.data_as(ctypes.c_void_p))
        return result.astype(np.int64)

    def _library(self, a: Any, b: Any) -> tuple[ctypes.CDLL, Code]:
        code = self.change(generate(modes_of(a), modes_of(b)))
        key = f"{code.text}{code.strides}"
        if key not in self.built:
            if COMPILER is None:
                pytest.skip("needs g++")
            text, library = (self.folder / f"{len(self.built)}{end}" for end in (".cpp", ".so"))
            text.write_text(HOST + kernel_text(code) + RUN)
            command = [COMPILER, "-O1", "-w", "-shared", "-fPIC", str(text), "-o", str(library)]
            subprocess.run(command, check=True)
            loaded = ctypes.CDLL(str(library))
            held = (ctypes.c_uint64 * max(1, len(code.strides))).in_dll(loaded, "stride")
            held[: len(code.strides)] = list(code.strides)
            self.built[key] = loaded, code
        return self.built[key]


def layouts(a: str, b: str) -> tuple[Any, Any]:
    return read_tensor(a), read_tensor(b)


def random_pair(seed: int) -> tuple[Any, Any]:
    """Two layouts of one size beyond the greatest tile, of the same prime factors in other orders; every
    second pair the same function, cut in other places; some swizzled."""
    rng = random.Random(seed)
    factors = [rng.choice((2, 3, 5, 7, 2, 2, 61, 1)) for _ in range(40)]
    while np.prod(factors, dtype=object) > 300_000:
        factors.pop()

    def cut(primes: list[int]) -> tuple[int, ...]:
        sizes = [1]
        for p in primes:
            if rng.random() < 0.5:
                sizes.append(1)
            sizes[-1] *= p
        return tuple(sizes)

    def strides(sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(rng.choice((0, 1, -1, rng.randrange(-70, 70), rng.randrange(1 << 34))) for _ in sizes)

    shape = cut(factors)
    first = Layout(shape, strides(shape))
    if seed % 2:  # the same function, every mode cut in two where it can be
        pairs = [(p, s // p) for s in shape for p in [next((p for p in (2, 3, 5, 7, 61) if s % p == 0), s)]]
        second = Layout(
            tuple(pairs), tuple((d, d * p) for (p, _), d in zip(pairs, first.stride, strict=True))
        )
    else:
        other = cut(rng.sample(factors, len(factors)))
        second = Layout(other, strides(other))
    if seed % 3 == 0:
        swizzle = Swizzle(2, rng.randrange(5), rng.choice((3, -3)))
        return ComposedLayout(swizzle, 5, first), ComposedLayout(swizzle, 5, second)
    return first, second


@pytest.mark.parametrize("seed", range(12))
def test_the_generated_code_is_the_map_at_every_coordinate(seed: int, tmp_path: Path) -> None:
    a, b = random_pair(seed)
    machine = Host(tmp_path)
    n = int(a.size())
    assert n == b.size()
    every = np.arange(n)
    seen = machine.values(a, b, every.tolist())
    assert (seen[:, 0] == values(a, every)).all()
    assert (seen[:, 1] == values(b, every)).all()
    answer = compare(a, b, machine)
    assert answer.unlike == ()
    assert (answer.seen.first, answer.seen.differing) == walk(a, b, n)
    assert (answer.seen.first is None) == (seed % 2 == 1)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.title)
def test_the_recorded_pairs_have_the_values_of_their_layouts(case: Case, tmp_path: Path) -> None:
    """The pairs near 2^36 cannot be walked here; their code is looked at around the ends of all modes."""
    a, b = case.layouts()
    assert a.size() == b.size() <= 1 << 36
    coordinates = equality.sample(a, b, by_symlayout(a, b).first)
    seen = Host(tmp_path).values(a, b, coordinates)
    assert seen.tolist() == [[a(i), b(i)] for i in coordinates]


def test_the_recorded_pairs_are_of_every_kind() -> None:
    codes = [generate(*(modes_of(f) for f in case.layouts())) for case in CASES]
    assert {code.tiling.whole for code in codes} == {(True, True), (True, False), (False, False)}
    assert {code.value_bits for code in codes} == {32, 64}
    assert sum(case.size >= 1 << 35 for case in CASES) >= 10
    assert max(case.size for case in CASES) == 1 << 36


def test_no_stride_is_a_constant_that_a_compiler_could_fold() -> None:
    """With constants `x % 3 * 1 + x / 3 * 3` is x, and nothing is evaluated."""
    code = generate(*(modes_of(f) for f in layouts("(3,5,7):(123457,1000003,777777)", "105:55555")))
    assert set(code.strides) >= {123457, 1000003, 777777, 55555}
    body = "\n".join(line for line in code.text.splitlines() if not line.startswith("struct"))
    assert not any(d in body for d in ("123457", "1000003", "777777", "55555"))


def test_quotients_by_a_product_and_a_shift_are_exact() -> None:
    x = np.arange(1 << 15, dtype=np.uint64)
    for s in [*range(1, 400), 4099, 16383, 16384, 16385, 32749, 32767, 32768, 40000]:
        for count in (1 << 15, 10395, s + 1):
            here = x[:count]
            found = reciprocal(s, len(here))
            assert found is not None
            m, p = found
            product = here * np.uint64(m)
            assert product.max() < 1 << 32
            assert (product >> np.uint64(p) == here // np.uint64(s)).all()


def test_a_quotient_whose_product_does_not_fit_is_left_to_the_compiler() -> None:
    assert reciprocal(7, 1 << 32) is None


def test_tiles_end_inside_a_mode_or_not() -> None:
    m = modes_of(read_tensor("(6,10,7):(1,6,60)"))
    assert [w for w in range(1, 421) if is_whole(m, w)] == [1, 2, 3, 6, 12, 30, 60, 420]
    assert split(m, 12) == ([(6, 1), (2, 6)], [(5, 12), (7, 60)])


def test_operations_of_a_map_as_written() -> None:
    assert operations(modes_of(read_tensor("8:1"))) == 1
    assert operations(modes_of(read_tensor("(8,1,(4,2)):(1,0,(8,32))"))) == 7
    assert operations(modes_of(read_tensor("Sw<2,0,3> o 4 o (8,8):(1,8)"))) == 8


@pytest.mark.parametrize("text", ["8:4611686018427387904", "Sw<2,50,11> o 0 o 8:1"])
def test_values_beyond_62_bits_are_refused(text: str) -> None:
    with pytest.raises(UnsupportedError, match="values beyond 62 bits"):
        modes_of(read_tensor(text))


@pytest.mark.parametrize(
    "change",
    [
        lambda code: replace(code, strides=(*code.strides[:-1], code.strides[-1] + 1)),
        lambda code: replace(code, text=code.text.replace("u >> 9", "u >> 8")),
        lambda code: replace(code, text=code.text.replace("x = q", "x = q + 1", 1)),
    ],
    ids=["a stride", "a shift", "a carry"],
)
def test_changed_code_is_a_disagreement(change: Callable[[Code], Code], tmp_path: Path) -> None:
    # not compact: there a wrong quotient cancels
    a, b = layouts("(3,5,7,9,11,60):(1,3,20,140,1300,20000)", "((15,7),(9,11),60):((1,20),(140,1300),20000)")
    assert compare(a, b, Host(tmp_path)).unlike == ()
    assert compare(a, b, Host(tmp_path / "..", change)).unlike
