"""calculus: claims over parameters, by exact arithmetic with polynomials over digits.

A digit has a range whose end may be a polynomial, `0 <= n < N`; a parameter is a digit without an end. A
layout's value is a polynomial in its digits, and so is everything made of it with + - *. What is left is
division:

    p // s = q and p % s = r       if p = s*q + r (an identity of polynomials) and 0 <= r < s (two ranges)

where q takes up every term that s divides. If the rest has no such range because a digit straddles s, the
digit is split: `v < w*u` is `v0 + w*v1` with `v0 < w` and `v1 < u`, one to one.

Two sides are equal iff their polynomials are; a range follows from the ends of the digits' ranges.
Injectivity follows when the modes can be put in an order in which each stride exceeds what the modes before
it reach; of a composed layout when the layout inside and the map around it are both injective, which a
swizzle is. All of this is by hand, in the sentences above; every identity and every range that was used in
them is an obligation, and z3 judges each one anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..claim import Claim, Pointwise
from ..dim import Dim
from ..errors import NeedFact
from ..formula import Obligation
from ..inttuple import flatten_to_tuple
from ..layout import Layout
from ..map_claims import Covers, EqualMaps, EveryValue, Injective
from ..quantified import ForAll
from ..swizzle import ComposedLayout, Swizzle
from ..symbolic import Var
from .digit_work import Calculus, Foreign, Stuck, modes_of
from .finding import Finding, Holds, Open

__all__ = ["NAME", "Stuck", "decide", "obligations"]

NAME = "calculus"


def decide(part: Claim, free: tuple[Var, ...]) -> Finding:
    """Whatever is made of digits by sums, products and divisions, and modes whose strides nest."""
    if part.premises:  # that there is a point which meets them is not the calculus's to say
        return Open()
    try:
        found = obligations(part, free)
    except Foreign:
        return Open()
    except Stuck as stuck:
        return Open(str(stuck), stuck.fact)
    return Open() if found is None else Holds(found)


def obligations(part: Claim, free: tuple[Var, ...]) -> tuple[Obligation, ...] | None:
    """Formulas that together imply the part for all values of `free`; None for a claim of another kind.

    Raises Stuck, with the fact that is missing where one is known.
    """
    try:
        return _obligations(part, free)
    except NeedFact as error:
        raise Stuck(str(error), error.fact) from None


def _obligations(part: Claim, free: tuple[Var, ...]) -> tuple[Obligation, ...] | None:
    part = _inside(part)
    work = Calculus(str(part), free)
    if isinstance(part, Pointwise):
        work.relations(part.goals)
    elif isinstance(part, ForAll):
        work = Calculus(str(part), free + part.digits)
        work.relations(part.claim.goals)
    elif isinstance(part, EqualMaps) and _plain(part.a, part.b):
        work.same(part.a, part.b)
    elif isinstance(part, EveryValue) and _plain(part.layout):
        work.every_value(part.layout, part.kind, part.bounds)
    elif isinstance(part, Injective):
        if not _injective(work, part.layout):
            return None
    elif isinstance(part, Covers) and _plain(part.layout):
        work.covers(part.layout, part.n, part.times)
    else:
        return None
    return work.obligations()


def _inside(part: Claim) -> Claim:
    """The same about the layouts inside, where both have one map and offset around them."""
    if (
        isinstance(part, EqualMaps)
        and isinstance(part.a, ComposedLayout)
        and isinstance(part.b, ComposedLayout)
    ):
        if part.a.swizzle == part.b.swizzle and _same(part.a.offset, part.b.offset):
            return _inside(replace(part, a=part.a.layout, b=part.b.layout))
    return part


def _injective(work: Calculus, x: Any) -> bool:
    """Whether x is of a kind for which it can be said; then what it takes is noted. Raises Stuck.

    A swizzle is one to one on all integers. Any other outer map has to be so on its own domain, and what is
    inside has to stay there: beyond it the map is not looked at.
    """
    if _plain(x):
        work.nested(modes_of(x))
        return True
    if not isinstance(x, ComposedLayout) or not _injective(work, x.layout):
        return False
    if isinstance(x.swizzle, Swizzle):
        return True
    if not _plain(x.layout) or not isinstance(x.offset, (int, Dim)) or not _injective(work, x.swizzle):
        return False
    work.every_value(x.layout, "within", (0 - x.offset, x.swizzle.size() - x.offset))
    return True


def _same(a: Any, b: Any) -> bool:
    return isinstance(a, (int, Dim)) and isinstance(b, (int, Dim)) and a == b


def _plain(*layouts: Any) -> bool:
    return all(
        isinstance(x, Layout) and all(isinstance(d, (int, Dim)) for d in flatten_to_tuple(x.stride))
        for x in layouts
    )
