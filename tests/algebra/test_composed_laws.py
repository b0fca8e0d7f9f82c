"""The laws of operations on composed layouts, recomputed by counting with code of its own.

`Plain` evaluates the printed text of a map: what is judged is what a reader sees.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from math import prod
from operator import mul
from pathlib import Path
from typing import Any

import pytest

import symlayout as s
from symlayout import (
    ComposedLayout,
    Inadmissible,
    Layout,
    LayoutError,
    Swizzle,
    UnsupportedError,
    composition,
    left_inverse,
    max_common_layout,
    max_common_vector,
    right_inverse,
)
from tests.oracle.composed import Maker

GOLDEN = Path(__file__).parent.parent / "golden"


def truncated(a: int, b: int) -> tuple[int, int]:
    """Quotient and remainder of C++."""
    q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return q, a - q * b


class Plain:
    """The map that a text stands for: `Sw<2,0,3> o 8 o (8,8):(1,8)`, maps and offsets in turn."""

    def __init__(self, x: Any) -> None:
        self.parts = str(x).split(" o ")
        self.size = 1
        if ":" in self.parts[-1]:
            for n in self.leaves(self.parts[-1].partition(":")[0]):
                self.size *= n

    @staticmethod
    def leaves(text: str) -> list[int]:
        return [int(number) for number in text.replace("(", " ").replace(")", " ").replace(",", " ").split()]

    def __call__(self, i: int) -> int:
        for k in reversed(range(len(self.parts))):
            i = self.through(self.parts[k], i) if k % 2 == 0 else i + int(self.parts[k])
        return i

    def through(self, text: str, i: int) -> int:
        if text.startswith("Sw"):
            b, m, shift = ast.literal_eval(f"({text[3:-1]})")
            for k in range(b):
                read, changed = m + k + max(shift, 0), m + k + max(-shift, 0)
                i ^= ((i >> read) & 1) << changed
            return i
        sizes, steps = (self.leaves(half) for half in text.split(":"))
        total = 0
        for n, d in zip(sizes[:-1], steps[:-1], strict=True):
            i, digit = truncated(i, n)
            total += digit * d
        return total + i * steps[-1]


def test_the_judge_reads_what_is_printed() -> None:
    x = ComposedLayout(Swizzle(2, 0, 3), 5, Layout(((2, 4), 8), ((8, 16), 1)))
    assert [Plain(x)(i) for i in range(64)] == [x(i) for i in range(64)]
    assert (Plain(x).size, Plain(Layout(4, -1))(3), truncated(-7, 4)) == (64, -3, (-1, -3))


def judged(operation: Callable[..., Any], arguments: tuple[Any, ...], broken: Callable[[Any], Any]) -> str:
    """Whether the safe answer keeps the law, or what is refused for it breaks it; says which."""
    try:
        result = operation(*arguments)
    except Inadmissible:
        raw = operation(*arguments, unchecked=True)
        right = has_domain(raw) and broken(raw) is None and all(n > 0 for n in sizes_in(raw))
        assert not right, ("refused", [str(a) for a in arguments], str(raw))
        return "refused"
    except (LayoutError, UnsupportedError):
        return "no answer"
    assert broken(result) is None, ("answered", [str(a) for a in arguments], str(result), broken(result))
    return "answered"


def sizes_in(x: Any) -> list[int]:
    layouts = [part.partition(":")[0] for part in str(x).split(" o ") if ":" in part]
    return [int(n) for text in layouts for n in re.findall(r"-?\d+", text)]


def first(n: int, wrong: Callable[[int], bool]) -> int | None:
    return next((i for i in range(n) if wrong(i)), None)


def has_domain(x: Any) -> bool:
    return ":" in str(x).rpartition(" o ")[2]


def law_of(name: str, x: Any, y: Any, times: int = 2) -> tuple[tuple[Any, ...], Callable[[Any], Any]] | None:
    """Arguments, and where an answer breaks the operation's law."""
    a, b = Plain(x), Plain(y)
    if name == "composition":
        return (x, y), lambda r: first(b.size, lambda i: Plain(r)(i) != a(b(i)))
    if name == "right_inverse":
        if not has_domain(x):
            return (x,), lambda r: first(Plain(r).size, lambda i: a(Plain(r)(i)) != i)
        return (
            (x,),
            lambda r: (
                first(Plain(r).size, lambda i: a(Plain(r)(i)) != i)
                if has_domain(r)
                else first(a.size, lambda i: a(Plain(r)(a(i))) != a(i) if within(x, r) else False)
            ),
        )
    if name == "left_inverse":
        return (x,), lambda r: first(a.size, lambda i: a(Plain(r)(a(i))) != a(i))
    if name == "max_common_layout":
        return (x, y), lambda r: first(Plain(r).size, lambda i: a(Plain(r)(i)) != i or b(Plain(r)(i)) != i)
    if name == "tile_to_shape":
        return (
            x,
            (16, 16),
        ), lambda r: None if repeats(a) or not repeats(Plain(r)) else "two elements share an offset"
    if name in ("upcast", "downcast"):
        up, down = (times, 1) if name == "upcast" else (1, times)

        def apart(r: Any) -> Any:
            wanted = {(a(i) * down + k) // up for i in range(a.size) for k in range(down)}
            return next(iter(wanted ^ {Plain(r)(j) for j in range(Plain(r).size)}), None)

        return (times, x), apart
    return None


def within(x: Any, r: Any) -> bool:
    """Whether the inverse without shape speaks of all values of x: 0 .. size-1 under the swizzle."""
    inverse = Plain(str(r).partition(" o ")[0])
    return inverse.size == Plain(x).size


def repeats(x: Plain) -> bool:
    return len({x(i) for i in range(x.size)}) < x.size


CASES = {
    "composition": 200,
    "right_inverse": 200,
    "left_inverse": 200,
    "max_common_layout": 200,
    "tile_to_shape": 60,
    "upcast": 100,
    "downcast": 100,
}


@pytest.mark.parametrize("name", CASES)
def test_laws_by_counting(name: str) -> None:
    maker, seen = Maker(3), Counter[str]()
    for _ in range(CASES[name]):
        x = maker.composed()
        y = maker.one_of(maker.layout(), maker.layout(), maker.composed())
        if name == "composition" and maker.random.random() < 0.3:
            x, y = y, x
        if not has_domain(y) or (
            name in ("left_inverse", "upcast", "downcast", "tile_to_shape") and not has_domain(x)
        ):
            continue
        law = law_of(name, x, y)
        assert law is not None
        seen[judged(getattr(s, name), *law)] += 1
    assert seen["answered"] > 9, seen


RECORDS = [json.loads(line) for line in (GOLDEN / "composed.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", CASES)
def test_laws_of_what_compiled_headers_answered(name: str) -> None:
    """Safe answers are those of the headers where these keep the law, and are refused where they do not."""
    seen = Counter[str]()
    for record in RECORDS:
        if record["op"] != name or "error" in record:
            continue
        values = [s.parse(text) for text in record["args"]]
        maps = [x for x in values if isinstance(x, (Layout, ComposedLayout, Swizzle))]
        law = law_of(name, maps[0], maps[-1], values[0] if isinstance(values[0], int) else 2)
        assert law is not None
        if has_domain(maps[-1]) and (name == "right_inverse" or has_domain(maps[0])):
            seen[judged(getattr(s, name), tuple(values), law[1])] += 1
    assert seen["answered"] + seen["refused"] > 0, seen


def test_slices_have_the_values_of_what_is_sliced() -> None:
    """CuTe's own are right but where a record is marked as text; those of this package always."""
    seen = Counter[str]()
    for record in RECORDS:
        if record["op"] != "slice_table":
            continue
        x, crd = (s.parse(text) for text in record["args"])
        sizes = [Plain(Layout(n)).size for n in (x.shape if isinstance(x.shape, tuple) else (x.shape,))]
        fixed = (None,) * len(sizes) if crd is None else crd
        runs = [range(n) if c is None else (c,) for n, c in zip(sizes, fixed, strict=True)]
        steps = [prod(sizes[:k]) for k in range(len(sizes))]
        points = [sum(map(mul, reversed(point), steps)) for point in product(*reversed(runs))]
        wanted = [Plain(x)(i) for i in points]
        ours = s.slice_(crd, x)
        assert [Plain(ours)(i) for i in range(Plain(ours).size)] == wanted, record
        told = record.get("result", "").split()
        assert (told == [str(v) for v in wanted]) == record.get("callable", True), record
        seen["right" if record.get("callable", True) else "text"] += 1
    assert seen["right"] > 30, seen
    assert seen["text"] == 12, seen


def test_cute_has_a_composition_of_two_swizzled_layouts() -> None:
    """test/unit/cute/core/composition.cpp, line 506."""
    a = ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1)))
    b = ComposedLayout(Swizzle(2, 0, -3), 0, Layout((8, 8), (8, 1)))
    r = composition(a, b)
    assert str(r) == "Sw<2,0,3> o 0 o Sw<2,0,3> o 0 o (8,8):(1,8)"
    assert r == composition(a, b, unchecked=True)
    assert [r(i) for i in range(64)] == [a(b(i)) for i in range(64)]


def test_swizzles_merge_only_where_one_swizzle_does_as_both() -> None:
    merged = 0
    swizzles = [Swizzle(b, m, k) for b in range(3) for m in range(3) for k in range(-3, 4) if abs(k) >= b]
    for a, b in product(swizzles, swizzles):
        with suppress(LayoutError):
            both = Plain(composition(a, b))
            merged += 1
            assert all(both(i) == Plain(a)(Plain(b)(i)) for i in range(0, 1 << 8, 5)), (a, b)
    assert merged > 100


def test_nesting_on_either_side_is_one_thing() -> None:
    a, b, c = Swizzle(2, 0, 3), Layout(64, 1), Layout((8, 8), (1, 8))
    left = ComposedLayout(ComposedLayout(a, 4, b), -8, c)
    right = ComposedLayout(a, 4, ComposedLayout(b, -8, c))
    assert left == right
    assert hash(left) == hash(right)
    assert str(left) == "Sw<2,0,3> o 4 o 64:1 o -8 o (8,8):(1,8)"
    assert s.parse(str(left)) == s.parse("(Sw<2,0,3> o 4 o 64:1) o -8 o (8,8):(1,8)") == left


def test_max_common_layout_obeys_its_definition() -> None:
    a = ComposedLayout(Swizzle(2, 0, 2), 0, Layout((4, 4), (1, 4)))
    assert str(max_common_layout(a, a)) == "4:1"
    assert str(max_common_layout(a, a, unchecked=True)) == "4:1"  # CuTe has nothing here
    b = ComposedLayout(Swizzle(2, 2, 3), 4, Layout(64, 1))
    with pytest.raises(Inadmissible, match=r"A\(R\(0\)\) = 4, not 0"):
        max_common_layout(b, Layout(64, 1))
    assert str(max_common_layout(b, Layout(64, 1), unchecked=True)) == "4:1"
    assert max_common_vector(b, Layout(64, 1)) == 4
    with pytest.raises(Inadmissible, match="are not a run"):
        max_common_vector(ComposedLayout(Swizzle(2, 2, 3), 34, Layout(64, 1)), Layout(64, 1))


def test_inverses_with_offsets_and_negative_strides() -> None:
    x = ComposedLayout(Swizzle(2, 2, -3), 8, Layout((8, 4), (64, -2)))
    with pytest.raises(Inadmissible, match="negative stride"):
        left_inverse(x)
    y = ComposedLayout(Swizzle(2, 0, 3), 8, Layout((8, 8), (1, 8)))
    assert str(right_inverse(y)) == str(left_inverse(y)) == "64:1 o -8 o Sw<2,0,3>"
    assert str(right_inverse(right_inverse(y))) == "Sw<2,0,3> o 8 o 64:1"


def test_a_swizzle_that_reads_inside_the_new_element_is_not_upcast() -> None:
    with pytest.raises(Inadmissible, match="reads bit 0, which lies inside the new element"):
        s.upcast(2, Swizzle(1, 0, -2))
    for a, n in product([Swizzle(2, 0, 3), Swizzle(2, 1, -3), Swizzle(1, 3, 1)], (2, 4)):
        with suppress(Inadmissible):
            r = Plain(s.upcast(n, a))
            assert all(Plain(a)(x) // n == r(x // n) for x in range(512)), (a, n)


def test_an_offset_may_be_a_coordinate() -> None:
    x = ComposedLayout(Layout((4, 8), (8, 1)), (1, 2), s.make_identity_layout((2, 4)))
    assert str(x) == "(4,8):(8,1) o (1,2) o (2,4):(1@0,1@1)"
    assert x(1, 3) == 2 * 8 + 5
    assert str(x(1, None)) == "(4,8):(8,1) o (2,2) o (4):(1@1)"
    assert [composition(x, Layout(4, 1))(i) for i in range(4)] == [x(i) for i in range(4)]
    with pytest.raises(LayoutError, match="swizzles integers"):
        ComposedLayout(Swizzle(1, 0, 1), (1, 2), s.make_identity_layout((2, 4)))(0)


def test_parts_of_other_kinds_are_refused() -> None:
    good: tuple[Any, Any, Any] = (Swizzle(1, 0, 1), 0, Layout(4, 1))
    for k, wrong in product(range(3), (None, "4:1", 1.5, [1], True)):
        parts = [*good[:k], wrong, *good[k + 1 :]]
        with pytest.raises(LayoutError):
            ComposedLayout(parts[0], parts[1], parts[2])


@pytest.mark.parametrize("swizzle", [Swizzle(2, 0, 3), Swizzle(2, 1, -3), Swizzle(3, 4, 3)], ids=str)
def test_offsets_below_0_are_in_twos_complement(swizzle: Swizzle) -> None:
    """As C++ has them in an int32: the same bits, read as a signed number."""
    for x in range(-300, 300):
        bits = x & 0xFFFFFFFF
        flipped = Plain(swizzle)(bits)
        assert swizzle(x) == (flipped - (1 << 32) if flipped >> 31 else flipped)


def test_a_law_that_holds_of_the_whole_is_not_refused_for_a_part() -> None:
    part = ComposedLayout(Layout((1,), (-3,)), 2, Layout((2, 1), (4, 4)))
    with pytest.raises(Inadmissible):
        right_inverse(part)  # it gives 6 where 0 is asked for
    whole = ComposedLayout(Layout(2, 0), 0, part)  # always gives 0
    r = right_inverse(whole)
    assert str(r) == "1:0 o -2 o 1:0 o 0 o 1:0"
    assert [Plain(whole)(Plain(r)(i)) for i in range(r.size())] == [0]
    with pytest.raises(Inadmissible):  # without a shape of its own the part's law is that of the whole
        right_inverse(ComposedLayout(Swizzle(1, 0, 1), 1, part))
