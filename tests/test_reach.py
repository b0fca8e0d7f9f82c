"""Tables that a layout reaches every value: what they hold, and that the solver confirms them."""

from __future__ import annotations

import random

import pytest

from symlayout import ComposedLayout, Layout, LayoutError, Proved, Refuted, Swizzle, covers, prove
from symlayout.claim import values
from symlayout.formula import Obligation
from symlayout.names import Inner
from symlayout.reach import MOST_ENTRIES, least_indices


@pytest.mark.parametrize(
    "claim",
    [
        covers(Layout(4, -1), 1),
        covers(Layout((4, 5), (3, 1)), 14),
        covers(Layout((2, 2, 2), (1, 1, 0)), 1),
        covers(Layout((4, 2), (0, 1)), 2, times=4),
        covers(Layout((2, 2), (1, -1)), 2),
        covers(Layout((2, 2, 2), (1, 0, 0)), 2, times=4),
        covers(ComposedLayout(Swizzle(2, 0, 2), 0, Layout((4, 5), (1, 4))), 16),
    ],
    ids=str,
)
def test_what_is_enumerated_is_also_proved(claim: object) -> None:
    verdict = prove(claim)  # type: ignore[arg-type]
    assert isinstance(verdict, Proved), verdict
    assert verdict.certificate, "the solver was asked"


def test_random_layouts_are_decided_without_a_rest() -> None:
    rng = random.Random(7)
    for _ in range(60):
        sizes = tuple(rng.choice([1, 2, 3, 4, 5]) for _ in range(rng.randint(1, 3)))
        layout = Layout(sizes, tuple(rng.choice([0, 1, 1, 2, 3, -1]) for _ in sizes))
        hit = set(values(layout))
        reached = next(x for x in range(len(hit) + 1) if x not in hit)
        if reached:
            assert isinstance(prove(covers(layout, reached)), Proved), layout
        assert isinstance(prove(covers(layout, reached + 1)), Refuted), layout


def test_a_wrong_entry_would_be_refused() -> None:
    (obligation,) = covers(Layout((4, 5), (3, 1)), 14).obligations()
    assert isinstance(obligation, Obligation)
    right = {p.left.name: p.right for p in obligation.premises}  # type: ignore[union-attr]
    assert obligation.holds(right)  # type: ignore[arg-type]
    assert all(p.holds(right) for p in obligation.premises)  # type: ignore[arg-type]
    entry = Inner("at.5.0.0")
    moved = {**right, entry: (right[entry] + 1) % 4}
    assert not all(g.holds(moved) for g in obligation.goals)  # type: ignore[arg-type]


def test_when_there_is_a_table() -> None:
    assert least_indices([0, 1, 1], 2, None, 1) == [[0], [1]]
    assert least_indices([0, 1, 1, 0], 2, 2, 1) == [[0, 3], [1, 2]]
    assert least_indices([0, 0, 1, 1], 2, 2, 2) is None, "counting does it"
    assert least_indices([0, 2], 2, None, 1) is None, "1 is missing"
    assert least_indices([0, 1, 1, 5], 2, 2, 1) is None, "the table would not say that 1 is hit no more"
    assert least_indices([*range(MOST_ENTRIES + 1), 0], MOST_ENTRIES + 1, None, 1) is None, "too long"


def test_covering_nothing_is_refused() -> None:
    for n, times in ((0, None), (-2, None), (4, 0)):
        with pytest.raises(LayoutError, match="nothing to reach"):
            covers(Layout(4), n, times)
