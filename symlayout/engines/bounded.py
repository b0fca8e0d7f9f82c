"""bounded: the claim at its least points, where nothing else gives an answer. Never a proof.

A quantified digit takes its least values, as many for each digit as together make at most `MOST_POINTS`
points; a layout is asked at its first indices. A failure found here is one, but perhaps not the least.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ..claim import Claim, Pointwise
from ..map_claims import EqualMaps, EveryValue
from ..symbolic import Var
from .canonical import least_point
from .finding import Fails, Finding, Open, Tried

NAME = "bounded"
MOST_POINTS = 1 << 12


def decide(part: Claim, free: tuple[Var, ...], at: Callable[[dict[str, int]], Claim]) -> Finding:
    """The claim at some points; `at` is the part at one point of the quantified digits, on plain ints."""
    if isinstance(part, Pointwise):
        return _box(free, at)
    if part.premises or not isinstance(part, (EqualMaps, EveryValue)):
        return Open()
    point = least_point(free)
    layout = at(point)
    n = min(MOST_POINTS, part.instances())
    for i in range(n):
        if layout.failure_at({"i": i}) is not None:
            return Fails({"i": i}, point)
    return Tried(n, f"i < {n}")


def _box(free: tuple[Var, ...], at: Callable[[dict[str, int]], Claim]) -> Finding:
    if not free or any(v.lower is None for v in free):
        return Open()
    each = MOST_POINTS
    while True:
        ranges = [_range(v, each) for v in free]
        points = 1
        for r in ranges:
            points *= len(r)
        if points <= MOST_POINTS or each == 1:
            break
        each //= 2
    for values in product(*ranges):
        point = dict(zip((v.name for v in free), values, strict=True))
        if at(point).failure() is not None:
            return Fails({}, point, minimal=False)
    return Tried(points, ", ".join(f"{v.name} < {r.stop}" for v, r in zip(free, ranges, strict=True)))


def _range(v: Var, each: int) -> range:
    low = v.lower or 0
    return range(low, low + each if v.bound is None else min(v.bound, low + each))
