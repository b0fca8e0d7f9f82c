"""Each side of each theorem is proved equal to itself: a test of the encoding where nothing else can fail."""

from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from symlayout.claim import AllOf, Claim, Pointwise
from symlayout.claims import all_of, equal
from symlayout.decide import prove
from symlayout.formula import Relation
from symlayout.map_claims import Disjoint, EqualMaps
from symlayout.memory_claim import Aligned
from symlayout.quantified import ForAll
from symlayout.retile_claim import Delivered
from symlayout.theory import Theorem, load, theorems
from symlayout.verdict import Proved

ALL = {
    f"{module.__name__.rpartition('.')[2]}.{stated.name}": stated
    for module in load(Path(__file__).parent.parent.parent / "proofs")
    for stated in theorems(module)
}


def all_goals_itself(claim: Pointwise) -> Pointwise:
    sides = [x for goal in claim.goals for x in (goal.left, goal.right)]
    return replace(claim, goals=tuple(Relation("=", x, x) for x in sides))


def itself(part: Claim) -> Claim:
    """The claim that each side of one part is equal to itself."""
    if isinstance(part, Pointwise):
        sides: list[Any] = [x for goal in part.goals for x in (goal.left, goal.right)]
    elif isinstance(part, (EqualMaps, Disjoint)):
        sides = [part.a, part.b]
    elif isinstance(part, ForAll):
        return replace(part, claim=all_goals_itself(part.claim))
    elif isinstance(part, Delivered):
        d = part.delivery
        sides = [d.view, d.fragment, d.threads]
    elif isinstance(part, Aligned):
        sides = [part.offsets]
    else:
        sides = [part.layout]  # type: ignore[attr-defined]  # the other claims are about one layout
    return all_of(*(equal(x, x) for x in sides))


@pytest.mark.parametrize("name", ALL)
def test_each_side_is_itself(name: str) -> None:
    stated: Theorem = ALL[name]

    @wraps(stated.body)
    def body(**digits: Any) -> Claim:
        return AllOf(tuple(itself(part) for part in stated.body(**digits).parts()))

    # without digits the claim itself: claims of hardware have other parts on integers than over parameters
    asked = body if stated.quantifiers else body()
    verdict = prove(asked, confirm_up_to=0, **dict[str, Any](stated.quantifiers))
    assert isinstance(verdict, Proved), str(verdict)
