"""Ranges of integers, both ends included, None for an open end; and where the results of operations lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Range: TypeAlias = tuple["int | None", "int | None"]


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _range_add(a: Range, b: Range) -> Range:
    return _plus(a[0], b[0]), _plus(a[1], b[1])


def _range_sub(a: Range, b: Range) -> Range:
    return _range_add(a, (None if b[1] is None else -b[1], None if b[0] is None else -b[0]))


def _range_mul(a: Range, b: Range) -> Range:
    if a[0] is not None and a[1] is not None and b[0] is not None and b[1] is not None:
        corners = [x * y for x in (a[0], a[1]) for y in (b[0], b[1])]
        return min(corners), max(corners)
    if a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] >= 0:
        return a[0] * b[0], None
    return None, None


def _range_div(a: Range, b: Range) -> Range:
    n = b[0]
    assert n is not None, "divisors are positive, `_divisor` sees to it"
    if b[1] != n:
        nonnegative = a[0] is not None and a[0] >= 0
        return (0 if nonnegative else None), (a[1] // n if nonnegative and a[1] is not None else None)
    return (None if a[0] is None else a[0] // n), (None if a[1] is None else a[1] // n)


def _range_mod(a: Range, b: Range) -> Range:
    n = b[0]
    assert n is not None, "divisors are positive, `_divisor` sees to it"
    if b[1] != n:
        return 0, None if b[1] is None else b[1] - 1
    if a[0] is not None and a[1] is not None and a[0] // n == a[1] // n:
        return a[0] % n, a[1] % n
    return 0, n - 1


def _bits(a: Range, b: Range) -> int | None:
    """Bits that hold every value of both ranges, without the sign."""
    ends = (*a, *b)
    if any(e is None for e in ends):
        return None
    return max((e if e >= 0 else ~e).bit_length() for e in ends if e is not None)


def _range_bitwise(a: Range, b: Range) -> Range:
    bits = _bits(a, b)
    nonnegative = a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] >= 0
    if bits is None:
        return (0 if nonnegative else None), None
    return (0 if nonnegative else -(1 << bits)), (1 << bits) - 1


def _range_and(a: Range, b: Range) -> Range:
    lo, hi = _range_bitwise(a, b)
    for x in (a, b):  # x & y lies in 0..x when x is not negative
        if x[0] is not None and x[0] >= 0:
            lo = 0
            if x[1] is not None:
                hi = x[1] if hi is None else min(hi, x[1])
    return lo, hi


RANGES: dict[str, Callable[[Range, Range], Range]] = {
    "+": _range_add,
    "-": _range_sub,
    "*": _range_mul,
    "//": _range_div,
    "%": _range_mod,
    "&": _range_and,
    "|": _range_bitwise,
    "^": _range_bitwise,
}
