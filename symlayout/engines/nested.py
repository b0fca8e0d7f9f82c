"""nested: injectivity and disjointness as one linear equation in bounded digits.

Two coordinates of a layout have one value iff the differences of their digits, `|e_k| < s_k`, solve `sum d_k
* e_k = 0`; two layouts meet iff digits of both solve `sum d_k * i_k - sum d'_k * j_k = offset' - offset`.
Such an equation is decided by descent from the greatest stride: what the smaller ones can still make up
for, and their common divisor, leave few values for each digit. Where strides nest, as in every layout that a
kernel uses, there are one or two; where they do not, the descent is given up after `MOST_STEPS` steps.

What is left to z3:

- the equation itself, as the claim says it.
- injectivity of more than `FEW_MODES` modes, where every stride exceeds what all smaller ones make together:
  one obligation for each mode, that the equation over this and the smaller modes leaves the digit no
  difference but 0. By hand: from the greatest mode down, every difference is 0.
- around a swizzle, that it undoes itself on the layout's range. By hand: a map that has an inverse is
  injective, and so is the swizzled layout iff the layout inside is.

The least witness is found by bisection, digit by digit from the slowest.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from ..claim import Claim
from ..formula import Obligation, Relation
from ..inttuple import flatten_to_tuple
from ..layout import Layout
from ..map_claims import Covers, Disjoint, Injective
from ..names import Inner
from ..swizzle import ComposedLayout
from ..symbolic import Int, Var
from .canonical import least_point
from .equation import Equation, Range, TooMany
from .finding import Fails, Finding, Holds, Open
from .flat import IDENTITY, Flat, flat, inner

NAME = "nested"
FEW_MODES = 12  # z3 takes up to 10 ms for them at once, and about 2 ms for each by itself


def decide(part: Claim, free: tuple[Var, ...]) -> Finding:
    """Injectivity, covering and disjointness of layouts with integer strides."""
    if part.premises or not isinstance(part, (Injective, Disjoint, Covers)):
        return Open()
    try:
        match part:
            case Disjoint():
                return _disjoint(part, free)
            case Covers():
                return _covers(part, free)
            case _:
                return _injective(part, free)
    except TooMany as error:
        return Open(f"the strides do not nest, and {error}")


def _injective(part: Injective, free: tuple[Var, ...]) -> Finding:
    layout = flat(part.layout)
    if layout is None:
        return Open()
    obligations = nesting(part, layout, free)
    if obligations is None:
        pair = least_collision(layout)
        if pair is not None:
            return Fails({"i": pair[0], "j": pair[1]}, least_point(free))
    if obligations is None or len(layout.sizes) <= FEW_MODES:
        obligations = replace(part, layout=inner(part.layout)).obligations(free)
    return Holds(obligations + _undoes_itself(part, layout, free))


def _covers(part: Covers, free: tuple[Var, ...]) -> Finding:
    """The counts and the range as the claim has them, and injectivity mode by mode."""
    if not isinstance(part.layout, Layout) or flat(part.layout) is None:
        return Open()
    pairs = list(zip(flatten_to_tuple(part.layout.shape), flatten_to_tuple(part.layout.stride), strict=True))
    kept = [(s, d) for s, d in pairs if d != 0]
    once = Flat(tuple(s for s, _ in kept), tuple(d for _, d in kept))
    times = prod(s for s, d in pairs if d == 0)
    if once.size != part.n or once.low < 0 or once.high >= part.n or part.times not in (None, times):
        return Open("its modes make no exact cover by themselves")
    staged = nesting(part, once, free)
    if staged is None:
        return Open("the strides do not nest")
    *others, alone = part.obligations(free)
    return Holds((*others, *staged) if len(once.sizes) > FEW_MODES else (*others, alone))


def nesting(part: Claim, layout: Flat, free: tuple[Var, ...]) -> tuple[Obligation, ...] | None:
    """One obligation for each mode where strides nest, None where they do not."""
    modes = sorted(
        (abs(d), k) for k, (s, d) in enumerate(zip(layout.sizes, layout.strides, strict=True)) if s > 1
    )
    reach = 0
    for d, k in modes:
        if d <= reach:
            return None
        reach += d * (layout.sizes[k] - 1)
    found: list[Obligation] = []
    digits: list[Var] = []
    total: Int = 0
    for _, k in modes:
        digit = Var(Inner(f"i-j.{k}"), layout.sizes[k], 1 - layout.sizes[k])
        digits.append(digit)
        total = total + digit * layout.strides[k]
        says = f"{part}: equal values have equal digits in the mode {layout.sizes[k]}:{layout.strides[k]}"
        premise, goal = Relation("=", total, 0), Relation("=", digit, 0)
        found.append(Obligation(says, free + tuple(digits[::-1]), (premise,), (goal,)))
    return tuple(found) or (Obligation(f"{part}: one coordinate", free, (), (Relation("=", 0, 0),)),)


def _undoes_itself(part: Claim, layout: Flat, free: tuple[Var, ...]) -> tuple[Obligation, ...]:
    if layout.plain:
        return ()
    x = Var(Inner("x"), layout.high + 1, layout.low)
    says = f"{part}: {layout.swizzle} undoes itself"
    return (Obligation(says, (*free, x), (), (Relation("=", layout.swizzle(layout.swizzle(x)), x),)),)


def _disjoint(part: Disjoint, free: tuple[Var, ...]) -> Finding:
    a, b = flat(part.a), flat(part.b)
    if a is None or b is None or a.swizzle != b.swizzle:
        return Open()  # with one swizzle around both, which is injective, they meet iff the insides do
    equation = Equation(a.strides + tuple(-d for d in b.strides), b.offset - a.offset)
    boxes = [(0, s - 1) for s in a.sizes + b.sizes]
    if not equation.solvable(boxes):
        inside = replace(part, a=_unswizzled(part.a, a), b=_unswizzled(part.b, b))
        undone = _undoes_itself(part, a, free) + _undoes_itself(part, b, free)
        return Holds(inside.obligations(free) + undone)
    i, j = least_meeting(equation, boxes, a, b)
    return Fails({"i": i, "j": j}, least_point(free))


def _unswizzled(layout: Any, seen: Flat) -> ComposedLayout:
    return ComposedLayout(IDENTITY, seen.offset, inner(layout))


def least_meeting(equation: Equation, boxes: list[Range], a: Flat, b: Flat) -> tuple[int, int]:
    """The least coordinates of a and b with one value, a's first; there is a pair."""
    n = len(a.sizes)
    for k in (*reversed(range(n)), *reversed(range(n, len(boxes)))):
        boxes = _least(equation, boxes, k)
    i = sum(w * lo for w, (lo, _) in zip(a.weights, boxes[:n], strict=True))
    j = sum(w * lo for w, (lo, _) in zip(b.weights, boxes[n:], strict=True))
    return i, j


def least_collision(layout: Flat, way: type[Equation] = Equation) -> tuple[int, int] | None:
    """The least pair `i < j` of coordinates with one value, least i first; None if there is none.

    The slowest digit in which i and j differ is tried in turn. Above it both have 0; in it i has 0 and j
    the difference; below it the difference e gives i the digit `max(0, -e)`, so the least digit of i is a
    bound on e, found by bisection, and then the least digit of j is another.
    """
    equation = way(layout.strides)
    best: tuple[int, int] | None = None
    for top, size in enumerate(layout.sizes):
        if size == 1:
            continue
        boxes = [(1 - s, s - 1) if k < top else (0, 0) for k, s in enumerate(layout.sizes)]
        boxes[top] = (1, size - 1)
        if not equation.solvable(boxes):
            continue
        i = 0
        for k in reversed(range(top)):
            low = _raise_low(equation, boxes, k)
            boxes[k] = (low, layout.sizes[k] - 1 + low)
            i -= low * layout.weights[k]
        for k in reversed(range(top + 1)):
            boxes = _least(equation, boxes, k)
        j = i + sum(w * lo for w, (lo, _) in zip(layout.weights, boxes, strict=True))
        best = min(best or (i, j), (i, j))
    return best


def _raise_low(equation: Equation, boxes: list[Range], k: int) -> int:
    """The greatest lower bound `-m <= 0` of digit difference k that leaves the equation solvable."""
    lo, hi = boxes[k]
    good, bad = -lo, -1  # m = good is solvable
    while good - bad > 1:
        middle = (good + bad) // 2
        if equation.solvable([*boxes[:k], (-middle, hi), *boxes[k + 1 :]]):
            good = middle
        else:
            bad = middle
    return -good


def _least(equation: Equation, boxes: list[Range], k: int) -> list[Range]:
    """The boxes with entry k at its least value that leaves the equation solvable."""
    lo, hi = boxes[k]
    while lo < hi:
        middle = (lo + hi) // 2
        if equation.solvable([*boxes[:k], (lo, middle), *boxes[k + 1 :]]):
            hi = middle
        else:
            lo = middle + 1
    return [*boxes[:k], (lo, lo), *boxes[k + 1 :]]
