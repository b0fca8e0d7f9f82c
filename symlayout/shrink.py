"""The smallest sizes with the same failure: a false claim about large layouts, made small enough to draw.

    shrink(injective(Layout((64, 128), (127, 1))))      (2,128):(127,1) is injective: fails at i = 1, j = 254

A step makes one mode smaller, or one mode of each side by one factor where both must keep one size; it is
taken when the claim fails as before: refuted, in the same part, by a witness of the same kind. No step is
left at the end. Strides stay as they are, so that what is drawn is a corner of what was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from .claim import Claim
from .decide import prove
from .engines.flat import flat
from .errors import LayoutError
from .layout import Layout
from .map_claims import Covers, Disjoint, EqualMaps, EveryValue, Injective
from .swizzle import ComposedLayout
from .verdict import Refuted

T = TypeVar("T")


def smallest(start: T, simpler: Callable[[T], Iterator[T]], fails: Callable[[T], bool]) -> T:
    """The first simpler one that still fails, taken again and again until none does."""
    found = start
    while (step := next((x for x in simpler(found) if fails(x)), None)) is not None:
        found = step
    return found


def shrink(claim: Claim) -> tuple[Claim, Refuted]:
    """A claim about smaller layouts that fails in the same way, and its refutation.

    Raises LayoutError for a claim that holds, or that is about no layout of integers.
    """
    verdict = prove(claim)
    if not isinstance(verdict, Refuted):
        raise LayoutError(f"shrink: `{claim}` is not refuted, it is {verdict.name}")
    # of a conjunction, the part that fails: each of its layouts can then be made smaller by itself
    failing = next(p for p in claim.parts() if isinstance(prove(p), Refuted))
    if not layouts_of(failing):
        raise LayoutError(f"shrink: `{failing}` is about no layout of integers")
    kind = set(verdict.witness)

    def fails(smaller: Claim) -> bool:
        found = prove(smaller, engine="fast")
        return isinstance(found, Refuted) and set(found.witness) == kind

    found = smallest(failing, simpler, fails)
    refuted = prove(found)
    if not isinstance(refuted, Refuted):
        raise LayoutError(f"shrink: `{found}` is {refuted.name} once a solver is asked")
    return found, refuted


def layouts_of(claim: Claim) -> tuple[Any, ...]:
    """The layouts that a claim is about, if they are of plain integers."""
    found: tuple[Any, ...]
    if isinstance(claim, (EqualMaps, Disjoint)):
        found = (claim.a, claim.b)
    elif isinstance(claim, (Injective, EveryValue, Covers)):
        found = (claim.layout,)
    else:
        return ()
    return found if all(flat(x) is not None for x in found) else ()


def simpler(claim: Claim) -> Iterator[Claim]:
    """The same claim about layouts that are one step smaller, the largest steps first."""
    match claim:
        case EqualMaps():
            for a, b in _pairs(claim.a, claim.b):
                yield replace(claim, a=a, b=b, label="")
        case Disjoint():
            for a in _shorter(claim.a):
                yield replace(claim, a=a, label="")
            for b in _shorter(claim.b):
                yield replace(claim, b=b, label="")
        case Injective() | EveryValue() | Covers():
            for layout in _shorter(claim.layout):
                yield replace(claim, layout=layout, label="")


def _shorter(layout: Any) -> Iterator[Any]:
    """One mode left out, halved, or one shorter."""
    sizes = _sizes(layout)
    for least in (lambda s: 1, lambda s: -(-s // 2), lambda s: s - 1):
        for k, s in enumerate(sizes):
            if s > 1:
                yield _resized(layout, {k: least(s)})


def _pairs(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """One mode of each divided by one number, so that both sizes stay equal; if they are."""
    if a.size() != b.size():
        for x in _shorter(a):
            yield x, b
        for y in _shorter(b):
            yield a, y
        return
    pairs = [(k, s, j, t) for k, s in enumerate(_sizes(a)) for j, t in enumerate(_sizes(b))]
    steps = {(k, j, p) for k, s, j, t in pairs for p in _common_divisors(s, t)}
    for k, j, p in sorted(steps, key=lambda step: (-step[2], step)):
        yield _resized(a, {k: _sizes(a)[k] // p}), _resized(b, {j: _sizes(b)[j] // p})


def _common_divisors(s: int, t: int) -> list[int]:
    """The divisors above 1 that two sizes have in common: the greatest, and the primes."""
    from math import gcd

    g, found, p = gcd(s, t), set[int](), 2
    if g > 1:
        found.add(g)
    while p * p <= g and p < 1 << 16:
        if g % p == 0:
            found.add(p)
            g //= p
        else:
            p += 1
    return sorted(found | ({g} if g > 1 else set()))


def _sizes(layout: Any) -> tuple[int, ...]:
    known = flat(layout)
    assert known is not None, "layouts_of has seen to it"
    return known.sizes


def _resized(layout: Any, new: dict[int, int]) -> Any:
    """The layout with other sizes for some flat modes; modes of size 1 go."""
    known = flat(layout)
    assert known is not None, "layouts_of has seen to it"
    modes = [(new.get(k, s), d) for k, (s, d) in enumerate(zip(known.sizes, known.strides, strict=True))]
    kept = [m for m in modes if m[0] > 1] or [(1, 0)]
    small = Layout(kept[0][0], kept[0][1]) if len(kept) == 1 else Layout(*map(tuple, zip(*kept, strict=True)))
    return replace_inner(layout, small)


def replace_inner(layout: Any, small: Layout) -> Any:
    """The small layout behind the swizzle and offset of the large one."""
    if isinstance(layout, ComposedLayout):
        return ComposedLayout(layout.swizzle, layout.offset, small)
    return small
