"""box: the range of a layout's values, and what divides them all, read off its modes.

A sum of strides times digits is greatest where every digit of a positive stride is greatest and every other
is 0; and n divides all its values iff n divides the offset and every stride that is taken at all.

What is left to z3 is the claim itself, a linear one over a box of digits.

The least index that leaves a range is found digit by digit from the slowest: each digit is as small as the
rest, at its best, allows. The least value that is not a multiple belongs to the first stride that is not one.
"""

from __future__ import annotations

from ..claim import Claim
from ..map_claims import EveryValue
from ..symbolic import Var
from .canonical import least_point
from .finding import Fails, Finding, Holds, Open
from .flat import Flat, flat

NAME = "box"


def decide(part: Claim, free: tuple[Var, ...]) -> Finding:
    """`within` and `aligned` for a layout of integers, without a swizzle."""
    if not isinstance(part, EveryValue) or part.premises or not all(type(b) is int for b in part.bounds):
        return Open()
    layout = flat(part.layout)
    if layout is None or not layout.plain:
        return Open()
    if part.kind == "within":
        lo, hi = part.bounds
        assert isinstance(lo, int), "seen above"
        assert isinstance(hi, int), "seen above"
        i = first_outside(layout, lo, hi)
    else:
        (n,) = part.bounds
        assert isinstance(n, int), "seen above"
        i = first_odd(layout, n)
    if i is None:
        return Holds(part.obligations(free))
    return Fails({"i": i}, least_point(free))


def first_outside(layout: Flat, lo: int, hi: int) -> int | None:
    """The least index with a value below lo, or of hi or more."""
    above = _first_above(layout.sizes, layout.strides, hi - layout.offset)
    below = _first_above(layout.sizes, tuple(-d for d in layout.strides), layout.offset - lo + 1)
    return min((i for i in (above, below) if i is not None), default=None)


def _first_above(sizes: tuple[int, ...], strides: tuple[int, ...], least: int) -> int | None:
    """The least index at which the sum is `least` or more."""
    best = [0]  # what the first k digits make at most
    for s, d in zip(sizes, strides, strict=True):
        best.append(best[-1] + max(0, d * (s - 1)))
    if best[-1] < least:
        return None
    index = 0
    for k in reversed(range(len(sizes))):
        missing = least - best[k]
        digit = 0 if missing <= 0 else -(-missing // strides[k])
        index = index * sizes[k] + digit
        least -= digit * strides[k]
    return index


def first_odd(layout: Flat, n: int) -> int | None:
    """The least index whose value n does not divide."""
    if layout.offset % n:
        return 0
    for s, d, weight in zip(layout.sizes, layout.strides, layout.weights, strict=True):
        if s > 1 and d % n:
            return weight
    return None
