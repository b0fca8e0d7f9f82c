"""Where the results of operations lie: every operation on every pair of small ranges, against the values
themselves; and no more is said of two symbols than their ranges tell."""

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from symlayout.errors import NeedFact
from symlayout.ranges import RANGES, Range
from symlayout.symbolic import OPERATIONS, Int, Var, span

REACH = 40  # how far an open range is walked
LEAST, MOST = -5, 6
CLOSED: list[Range] = [(lo, hi) for lo in range(LEAST, MOST) for hi in range(lo, MOST)]
OPEN: list[Range] = [*((lo, None) for lo in range(-3, 4)), *((None, hi) for hi in range(-3, 4)), (None, None)]
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def inside(r: Range) -> range:
    """The integers of a range; of an open one those within reach."""
    lo, hi = r
    return range(-REACH if lo is None else lo, (REACH if hi is None else hi) + 1)


def ends_of(op: str, a: Range, b: Range) -> tuple[int, int]:
    """The least and the greatest value of an operation on two ranges, by trying all."""
    f = OPERATIONS[op]
    found = [f(x, y) for x in inside(a) for y in inside(b)]
    return min(found), max(found)


def holds(r: Range, ends: tuple[int, int]) -> bool:
    return (r[0] is None or r[0] <= ends[0]) and (r[1] is None or ends[1] <= r[1])


def divisors(op: str, ranges: list[Range]) -> list[Range]:
    return [r for r in ranges if op not in ("//", "%") or (r[0] is not None and r[0] >= 1)]


@pytest.mark.parametrize("op", RANGES)
def test_every_value_lies_in_the_range(op: str) -> None:
    pairs = [*product(CLOSED, divisors(op, CLOSED))]
    pairs += [*product(OPEN, divisors(op, [(1, 1), (3, 3), (-2, 1), (2, 4), *OPEN]))]
    pairs += [*product([(0, 0), (5, 5), (-4, 3), (2, 9)], divisors(op, OPEN))]
    for a, b in pairs:
        found = RANGES[op](a, b)
        assert holds(found, ends_of(op, a, b)), f"{a} {op} {b} in {found}"


@pytest.mark.parametrize("op", ["+", "-", "*"])
def test_ends_of_sums_and_products_are_values(op: str) -> None:
    for a, b in product(CLOSED, CLOSED):
        assert RANGES[op](a, b) == ends_of(op, a, b), f"{a} {op} {b}"


def test_ends_of_quotients_and_remainders_are_values() -> None:
    """By one divisor; a remainder that wraps round has all values."""
    for a in CLOSED:
        for n in range(1, 14):
            assert RANGES["//"](a, (n, n)) == ends_of("//", a, (n, n)), f"{a} // {n}"
            wraps = a[0] // n != a[1] // n  # type: ignore[operator]
            ends = (0, n - 1) if wraps else ends_of("%", a, (n, n))
            assert RANGES["%"](a, (n, n)) == ends, f"{a} % {n}"


def test_open_ends_stay_open_on_their_side() -> None:
    assert RANGES["//"]((5, None), (3, 3)) == (1, None)
    assert RANGES["//"]((None, -1), (3, 3)) == (None, -1)
    assert RANGES["//"]((0, 9), (2, None)) == (0, 4)
    assert RANGES["%"]((5, None), (3, 3)) == (0, 2)
    assert RANGES["%"]((3, 4), (2, None)) == (0, None)
    assert RANGES["%"]((None, None), (2, 5)) == (0, 4)


def between(name: str, r: Range) -> Var:
    lo, hi = r
    assert lo is not None
    assert hi is not None
    return Var(name, hi + 1, lo)


def test_a_comparison_is_answered_only_where_all_values_give_that_answer() -> None:
    """Ranges that touch have a value in common, and values apart."""
    for a, b in product(CLOSED[::2], CLOSED[::3]):
        x, y = between("x", a), between("y", b)
        for op, compare in COMPARISONS.items():
            told = {compare(p, q) for p in inside(a) for q in inside(b)}
            apart = a[1] < b[0] or b[1] < a[0]  # type: ignore[operator]
            if len(told) == 2 or (op in ("==", "!=") and not apart):
                with pytest.raises(NeedFact):
                    compare(x, y)
            else:
                assert {compare(x, y)} == told, f"{a} {op} {b}"


def test_the_sign_of_a_digit_is_told_only_where_all_values_have_it() -> None:
    for r in CLOSED:
        x = between("x", r)
        signs = {(v > 0) - (v < 0) for v in inside(r)}
        if 0 not in signs and len(signs) == 1:
            assert bool(x)
        else:
            with pytest.raises(TypeError):
                bool(x)
        if {1, -1} <= signs:
            with pytest.raises(TypeError):
                abs(x)
        else:
            size: Int = abs(x)
            lo, hi = span(size)
            assert {abs(v) for v in inside(r)} <= set(inside((lo, hi)))
