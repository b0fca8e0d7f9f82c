"""enumeration: every point computed, with numpy where there are many.

Exact for any finite claim up to `limit` points, whatever its strides are; collisions and meetings of larger
layouts are sought by meeting in the middle. Counts how many points fail. What holds at every point is true,
but it is the word of this file alone: a proof still takes obligations that a solver answers. Layouts are
walked mode by mode, expressions evaluated as they were written; the walk on plain ints in `decide`, which
calls the body anew at every point, shares neither.
"""

from __future__ import annotations

from math import prod
from typing import Any, TypeAlias

from ..claim import Claim, Pointwise
from ..formula import COMPARE, Relation
from ..map_claims import Covers, Disjoint, EqualMaps, EveryValue, Injective
from ..symbolic import OPERATIONS, Expr, Int, Var
from .canonical import least_point
from .equation import MeetInTheMiddle, TooMany
from .finding import Fails, Finding, Open, Walked
from .flat import Flat, flat
from .nested import least_collision, least_meeting

NAME = "enumeration"
MOST_POINTS = 1 << 22
CHUNK = 1 << 18  # points of an expression at a time
BEYOND = 1 << 62  # what 64 bits hold, with room for one sum

Array: TypeAlias = Any  # a numpy array of 64-bit integers, or of truth values


def decide(part: Claim, free: tuple[Var, ...], limit: int = MOST_POINTS) -> Finding:
    """Every point of the claim, if there are at most `limit`."""
    if isinstance(part, Pointwise):
        return _pointwise(part, free, limit)
    if part.premises or not isinstance(part, (EqualMaps, EveryValue, Injective, Disjoint, Covers)):
        return Open()
    sides = (part.a, part.b) if isinstance(part, (EqualMaps, Disjoint)) else (part.layout,)
    layouts = [flat(x) for x in sides]
    known = [x for x in layouts if x is not None]
    if len(known) < len(layouts):
        return Open()
    if any(not -BEYOND < x.low <= x.high < BEYOND for x in known):
        return Open("values beyond 64 bits")
    points = sum(x.size for x in known) if isinstance(part, Disjoint) else part.instances()
    if points <= limit:
        found = _walked(part, known)
    elif limit > 1 and isinstance(part, (Injective, Disjoint)):
        try:
            found = _met(part, known)
        except TooMany as error:
            return Open(f"{points} points, and meeting in the middle: {error}")
    else:
        return Open(f"{points} points, more than {limit}")
    if found is None:
        return Walked(points)
    witness, failures = found
    return Fails(witness, least_point(free), failures=failures)


Found: TypeAlias = "tuple[dict[str, int], int | None] | None"


def table(layout: Flat) -> Array:
    """Every value of a layout, in the order of its coordinates."""
    import numpy as np

    values = np.full(1, layout.offset, dtype=np.int64)
    for s, d in zip(layout.sizes, layout.strides, strict=True):
        values = (np.arange(s, dtype=np.int64)[:, None] * d + values).ravel()
    return values if layout.plain else layout.swizzle(values)


def _walked(part: Claim, layouts: list[Flat]) -> Found:
    import numpy as np

    tables = [table(x) for x in layouts]
    match part:
        case EqualMaps():
            if tables[0].size != tables[1].size:
                return {}, None
            return _first("i", tables[0] != tables[1])
        case EveryValue():
            if part.kind == "within":
                lo, hi = part.bounds
                return _first("i", (tables[0] < lo) | (tables[0] >= hi))
            return _first("i", tables[0] % part.bounds[0] != 0)
        case Injective():
            _, first, inverse = np.unique(tables[0], return_index=True, return_inverse=True)
            earlier = first[inverse]
            again = np.flatnonzero(earlier != np.arange(earlier.size))
            if not again.size:
                return None
            i = int(earlier[again].min())
            return {"i": i, "j": int(again[earlier[again] == i].min())}, None
        case Disjoint():
            meets = np.flatnonzero(np.isin(tables[0], tables[1]))
            if not meets.size:
                return None
            i = int(meets[0])
            return {"i": i, "j": int(np.flatnonzero(tables[1] == tables[0][i])[0])}, None
        case Covers():
            return _uncovered(part, tables[0][(tables[0] >= 0) & (tables[0] < part.n)])
    raise AssertionError("decide has asked for one of these")


def _uncovered(part: Covers, inside: Array) -> Found:
    """The least of 0 .. n-1 that is hit too rarely or too often, from the values that lie there."""
    import numpy as np

    reached, counts = np.unique(inside, return_counts=True)
    gaps = np.flatnonzero(reached != np.arange(reached.size))
    first = int(gaps[0]) if gaps.size else int(reached.size)
    wrong = reached[counts != part.times] if part.times is not None else reached[:0]
    failures = part.n - int(reached.size) + int(wrong.size)
    return ({"value": min([first, *map(int, wrong[:1])])}, failures) if failures else None


def _first(name: str, fails: Array) -> Found:
    where = fails.nonzero()[0]
    return ({name: int(where[0])}, int(where.size)) if where.size else None


def _met(part: Claim, layouts: list[Flat]) -> Found:
    """Collisions and meetings by meeting in the middle; a swizzle, which is injective, changes nothing."""
    if isinstance(part, Injective):
        collision = least_collision(layouts[0], MeetInTheMiddle)
        return None if collision is None else ({"i": collision[0], "j": collision[1]}, None)
    a, b = layouts
    if a.swizzle != b.swizzle:
        raise TooMany("two different swizzles")
    equation = MeetInTheMiddle(a.strides + tuple(-d for d in b.strides), b.offset - a.offset)
    boxes = [(0, s - 1) for s in a.sizes + b.sizes]
    if not equation.solvable(boxes):
        return None
    i, j = least_meeting(equation, boxes, a, b)
    return {"i": i, "j": j}, None


def _pointwise(part: Pointwise, free: tuple[Var, ...], limit: int) -> Finding:
    bounds = [v.bound for v in free]
    sizes = [v.bound - (v.lower or 0) for v in free if v.bound is not None]
    if len(sizes) < len(bounds) or any(v.lower is None for v in free):
        return Open("a digit without an end")
    points = prod(sizes)
    if points > limit:
        return Open(f"{points} points, more than {limit}")
    relations = (*part.premises, *part.goals)
    if not all(_fits(x) for r in relations for x in (r.left, r.right)):
        return Open("values beyond 64 bits")
    if not free:
        met = all(r.holds({}) for r in part.premises)
        return Fails({}, {}, failures=1) if met and not all(r.holds({}) for r in part.goals) else Walked(1)
    import numpy as np

    failures, least = 0, None
    for start in range(0, points, CHUNK):
        index = np.arange(start, min(start + CHUNK, points), dtype=np.int64)
        values: dict[Int, Array] = {}
        rest = index
        for v, s in zip(reversed(free), reversed(sizes), strict=True):
            values[v] = rest % s + (v.lower or 0)
            rest = rest // s
        fails = np.ones(index.size, dtype=bool)
        for premise in part.premises:
            fails &= _holds(premise, values)
        goals = np.ones(index.size, dtype=bool)
        for goal in part.goals:
            goals &= _holds(goal, values)
        fails &= ~goals
        where = np.flatnonzero(fails)
        failures += int(where.size)
        if least is None and where.size:
            least = {v.name: int(values[v][where[0]]) for v in free}
    return Walked(points) if least is None else Fails({}, least, failures=failures)


def _fits(x: Int) -> bool:
    if isinstance(x, int):
        return -BEYOND < x < BEYOND
    if x.lo is None or x.hi is None or x.lo <= -BEYOND or x.hi >= BEYOND:
        return False
    return isinstance(x, Var) or all(_fits(a) for a in x.args)


def _holds(r: Relation, values: dict[Int, Array]) -> Array:
    return COMPARE[r.op](_evaluate(r.left, values), _evaluate(r.right, values))


def _evaluate(x: Int, values: dict[Int, Array]) -> Array:
    if not isinstance(x, Expr):
        return x
    found = values.get(x)
    if found is None:
        found = values[x] = OPERATIONS[x.op](*(_evaluate(a, values) for a in x.args))
    return found
