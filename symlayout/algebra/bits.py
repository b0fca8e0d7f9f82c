"""The law of upcast, downcast and recast: the same bits are covered.

Element i of a layout of elements w bits wide lies at the bits `L(i)*w .. L(i)*w + w - 1`, negative offsets
included. A cast recounts these bits in elements of another width, so its answer R has to satisfy

    downcast<N>     { N*L(i) + k : 0 <= k < N }            = { R(j) }       bit for bit
    upcast<N>       { floor(L(i) / N) }                    = { R(j) }       the groups of N that L touches
    recast          { floor((D*L(i) + k) / U) : 0 <= k < D } = { R(j) }     U = new / gcd, D = old / gcd

as sets, i below size(L) and j below size(R). Where a group is touched in part, R covers all of it: there is
no smaller unit to count in.

Decided in one pass over the modes. A stride that is a multiple of U moves by whole new elements and is exact:
call what those modes reach W. What the others, |d| <= U, reach is an interval of new elements in R, and on
the side of L it has the ends

    floor(D*low / U)   and   floor((D*high + D - 1) / U)       low, high: the least and greatest sum of them.

Both sides are W plus that. Adding a finite set keeps the least and the greatest element apart, so the ends
have to agree. If they do, L skips no new element between them: a step of |d| <= U skips none when D = 1, and
when U = 1 the unit steps are contiguous. With both above 1, a hole needs a step g with D*(g - 1) >= U over
what the lesser strides reach; each mode of R that comes from a stride of at least g then overshoots by more
than D/U - 1 new elements, and the greatest element of R lies beyond that of L already.

A swizzle is one-to-one on elements, so under a swizzle the law is that of the layout under it, as long as
`floor(S(x) / N) = S'(floor(x / N))` for the swizzle S' of the answer. That fails only where S reads bits
below the new element and changes bits above (a negative shift, M < log2 N): there both sets are enumerated.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ..errors import Inadmissible, UnsupportedError
from ..inttuple import flatten_to_tuple
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle, has_shape

ENUMERATED = 1 << 20  # elements of a swizzled layout that are looked at one by one


def check_cast(name: str, x: Any, r: Any, up: int, down: int) -> None:
    """R covers the bits of L: `up` old units to a new element, `down` units in an old one.

    Raises Inadmissible: `.index` is the number of a new element that only one side covers, the least if the
    two sides begin with different ones, else the greatest; `.want` and `.got` say 1 or 0, covered or not, by
    L and by R. UnsupportedError for a swizzle that mixes old elements across the new ones' borders over more
    than 2^20 elements.
    """
    if isinstance(x, Swizzle):
        _check_swizzle(name, x, r, up)
        return
    if not has_shape(x):
        raise UnsupportedError(
            f"{name}: {x} takes every integer, and whether {r} covers the same bits is not decided\n"
            "  give it a domain first, composition(X, L); unchecked=True gives CuTe's answer"
        )
    fault = _fault(x, r, up, down)
    if fault is None:
        return
    element, wanted = fault
    _refuse(name, x, r, element, wanted, up, down)


def _check_swizzle(name: str, s: Swizzle, r: Swizzle, up: int) -> None:
    """`floor(S(x) / N) = R(floor(x / N))` for all x. CuTe drops the pairs of bits whose lower bit lies inside
    the new element; a dropped pair must not change a bit above it.
    """
    dropped = s.b - r.b
    if s.s >= 0 or dropped <= 0:
        return
    read, changed = s.m + dropped - 1, s.m + dropped - 1 - s.s
    if changed < up.bit_length() - 1:
        return
    x = 1 << read
    want, got = s(x) // up, r(x // up)
    raise Inadmissible(
        f"{name}: the swizzle reads bit {read}, which lies inside the new element, and changes bit {changed} "
        f"above it\n  S = {s}, R = {r}: S({x}) // {up} = {want}, R({x} // {up}) = {got}\n"
        "  count in elements no larger than 2^M; unchecked=True gives CuTe's answer R",
        x,
        want,
        got,
    )


def _refuse(name: str, x: Any, r: Any, element: int, wanted: bool, up: int, down: int) -> NoReturn:
    first, last = element * up // down, (element * up + up - 1) // down
    old = f"bits of the old element {first}" if first == last else f"the old elements {first}..{last}"
    which = "touched by L and missing in R" if wanted else "in R and not touched by L"
    lines = [
        f"{name}: R covers other bits than L: the new element {element} is {which}",
        f"L = {x}, R = {r}",
        f"the new element {element} holds {old}",
        "exact are: positive strides; those below the new width filling whole new elements; one stride of 1",
        "unchecked=True gives CuTe's answer R",
    ]
    raise Inadmissible("\n  ".join(lines), element, int(wanted), int(not wanted))


def _fault(x: Any, r: Any, up: int, down: int) -> tuple[int, bool] | None:
    """A new element that one side covers and the other does not, and whether L is the side that does."""
    if isinstance(x, ComposedLayout):
        if not isinstance(r, ComposedLayout):
            return _enumerated(x, r, up, down)
        s = x.swizzle
        if r.offset * up != x.offset * down:  # a negative one, which CuTe takes for an unsigned number
            return _enumerated(x, r, up, down)
        if not isinstance(s, Swizzle) or (s.b and s.s < 0 and 1 << s.m < up and not _whole(x.layout, up)):
            return _enumerated(x, r, up, down)
        inner = _fault(x.layout, r.layout, up, down)
        return None if inner is None else (r.swizzle(r.offset + inner[0]), inner[1])
    below = above = 0  # W
    low = high = 0  # in old elements
    least = greatest = 0  # in new elements, on the side of R
    for s, d in zip(flatten_to_tuple(x.shape), flatten_to_tuple(x.stride), strict=True):
        if not isinstance(s, int) or not isinstance(d, int):
            return None  # coordinates have no bits
        if d > up:
            above += (s - 1) * (d // up) * down
        elif d > 0:
            high += (s - 1) * d
            greatest += -(-s // (up // d)) * down - 1
        elif d < -up:
            below += (s - 1) * (d // up) * down
        elif d < 0:
            low += (s - 1) * d
            least -= -(-s // (up // -d)) * down - 1
    begin, end = low * down // up, (high * down + down - 1) // up
    if begin != least:
        return below + min(begin, least), begin < least
    if end != greatest:
        return above + max(end, greatest), end > greatest
    return None


def _whole(x: Any, up: int) -> bool:
    """Whether all values are multiples of `up`: the bits below are 0, and a swizzle reads nothing there."""
    if not isinstance(x, Layout):
        return False
    modes = zip(flatten_to_tuple(x.shape), flatten_to_tuple(x.stride), strict=True)
    return all(s == 1 or d % up == 0 for s, d in modes)


def _enumerated(x: Any, r: Any, up: int, down: int) -> tuple[int, bool] | None:
    if max(x.size(), r.size()) > ENUMERATED:
        raise UnsupportedError(
            f"upcast: whether {x} and {r} cover the same bits is decided up to {ENUMERATED} elements only\n"
            "  the swizzle reads bits below the new element and changes bits above; unchecked=True gives R"
        )
    touched = {(x(i) * down + k) // up for i in range(x.size()) for k in range(down)}
    covered = {r(j) for j in range(r.size())}
    apart = touched ^ covered
    if not apart:
        return None
    if min(touched) != min(covered):
        element = min(apart)
    elif max(touched) != max(covered):
        element = max(apart)
    else:
        element = min(apart)
    return element, element in touched
