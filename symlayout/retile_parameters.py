"""The claim that a retile is correct, over a tensor whose sizes are parameters.

As `retile_claim`, but stated through the inverse of the fragment, since a relation "R(x) = F(v) implies" has
no place in polynomial arithmetic:

    F(F'(j)) = j for all registers j, as many as F has values, and
    P(l, F'(R(x))) = D(T(l), x) for all threads l and delivered values x

where F' is the right inverse of the fragment. On integers the failure is that of `retile_claim`.
"""

from __future__ import annotations

from typing import Any

from .algebra import right_inverse
from .claim import Claim, Pointwise
from .claims import equal
from .delivery import Delivery
from .errors import NeedFact
from .formula import Relation
from .inttuple import product
from .layout import Layout
from .map_claims import at_digits, digits, mode_sizes
from .names import Inner
from .quantified import ForAll, ForAllSizes
from .symbolic import Int, Var


def delivered_parts(delivery: Delivery, exact: Claim) -> tuple[Claim, ...]:
    """The two statements of the module's text. `exact` is the
    claim on integers. Raises NeedFact where the fragment has no such inverse."""
    fragment, view = delivery.fragment, delivery.view
    inverse = right_inverse(fragment)
    if inverse.size() != fragment.size():
        raise NeedFact(f"retile: {fragment} is not compact for all sizes, only {inverse} of it is inverted")
    j = Var(Inner("j"), fragment.size())
    back = ForAll((j,), Pointwise((Relation("=", fragment(inverse(j)), j),), (fragment, inverse)))
    lane = digits(mode_sizes(delivery.expected[0][0]), "t")
    moved = digits(mode_sizes(view), "x")
    slot = inverse(at_digits(view, moved))
    goals = tuple(
        Relation(
            "=",
            at_digits(p[0], lane) + p[1](slot),
            d[0](delivery.threads(_index(mode_sizes(p[0]), lane))) + _at(d[1], mode_sizes(view), moved),
        )
        for p, d in zip(delivery.expected, delivery.delivered, strict=True)
    )
    order = lane[::-1] + moved[::-1]
    return (
        equal(product(inverse.shape), product(fragment.shape)).named("the registers are numbered through"),
        back.named("the fragment's inverse finds every register"),
        ForAllSizes(order, Pointwise(goals, (view, fragment)), exact).named(
            "every thread finds in every register what its mma reads there"
        ),
    )


def _index(sizes: tuple[Any, ...], found: tuple[Var, ...]) -> Int:
    index: Int = 0
    weight: Any = 1
    for s, v in zip(sizes, found, strict=True):
        index = index + v * weight
        weight = weight * s
    return index


def _at(layout: Layout, sizes: tuple[Any, ...], found: tuple[Var, ...]) -> Any:
    """The layout's value at the index that the digits make: without a division where its modes are theirs."""
    if mode_sizes(layout) == sizes:
        return at_digits(layout, found)
    return layout(_index(sizes, found))
