"""How values spread over classes: formulas, counting and certificates agree, on random layouts."""

import random
from collections import Counter
from typing import Any

import pytest

from symlayout import ComposedLayout, EngineDisagreement, Layout, Proved, Refuted, Swizzle, equal, prove
from symlayout.certificate import certify
from symlayout.evaluator import Malformed, at
from symlayout.recheck.computing import compute
from symlayout.spread_claim import Spread, first_clash, fullest, in_units_of
from symlayout.statement import statement
from symlayout.verdict import Vacuous


def layouts(seed: int, count: int) -> list[Any]:
    """(lane, group, row) with powers of two and others among the strides, some behind a swizzle."""
    choice = random.Random(seed)
    found: list[Any] = []
    for _ in range(count):
        shape = ((2,) * choice.randint(1, 3), choice.randint(1, 3), choice.choice((1, 2)))
        lane = tuple(choice.choice((0, 1, 2, 3, 4, 6, 8, 16, 24)) for _ in shape[0])
        layout: Any = Layout(shape, (lane, choice.choice((0, 4, 8, 36)), choice.choice((1, 2, 64))))
        if choice.random() < 0.5:
            layout = ComposedLayout(Swizzle(choice.choice((1, 2)), choice.choice((0, 1, 2)), 2), 0, layout)
        found.append(layout)
    return found


def loads(claim: Spread) -> list[int]:
    """The units of the fullest class, of every group, counted anew."""
    found = []
    for g in range(claim.instances()):
        units = claim.units_of(g)
        counted = units if claim.each_lane else list(set(units))
        found.append(max(Counter(u % claim.classes for u in counted).values()))
    return found


@pytest.mark.parametrize("each_lane", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_proved_iff_it_is_counted(seed: int, each_lane: bool) -> None:
    decided = 0
    for layout in layouts(seed, 12):
        for unit, classes in ((1, 4), (2, 4), (2, 8)):
            found = loads(Spread(layout, ("g", "r"), unit, classes, 1, 1, each_lane))
            for low, high in ((1, 1), (1, 2), (2, 2), (max(found), max(found))):
                claim = Spread(layout, ("g", "r"), unit, classes, low, high, each_lane)
                holds = all(low <= n <= high for n in found)
                for options in ({}, {"confirm_up_to": 0}):
                    verdict = prove(claim, **options)  # type: ignore[arg-type]
                    decided += isinstance(verdict, (Proved, Refuted))
                    if isinstance(verdict, Proved):
                        assert holds, str(verdict)
                    if isinstance(verdict, Refuted):
                        assert not holds, str(verdict)
                        stated = compute(certify(claim, verdict).parts[0], []).failure
                        assert stated == {name: verdict.witness[name] for name in ("g", "r")}
    assert decided > 200


def test_the_least_group_and_lanes() -> None:
    claim = Spread(Layout((4, 3, 2), (8, 1, 100)), ("g", "r"), 1, 8, 1, 1)
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"r": 0, "g": 0, "lane": 0, "other": 1}
    assert (verdict.failures, verdict.instances) == (6, 6)
    late = Spread(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((2, 8), (3, 1))), ("g",), 1, 2, 1, 1)
    for options in ({}, {"confirm_up_to": 0}):
        verdict = prove(late, **options)  # type: ignore[arg-type]
        assert isinstance(verdict, Refuted)
        assert verdict.witness["g"] == next(g for g in range(8) if late.fails(late.units_of(g)))


def test_what_is_claimed_at_least() -> None:
    claim = Spread(Layout((4, 2), (8, 1)), ("g",), 1, 8, 2, 8)
    assert isinstance(prove(claim), Proved)
    assert "2 to 8 different units" in str(claim)
    too_much = Spread(Layout((4, 2), (1, 4)), ("g",), 1, 8, 2, 8)
    verdict = prove(too_much)
    assert isinstance(verdict, Refuted)
    assert "at least 2 is claimed" in verdict.explanation


def test_premises() -> None:
    claim = Spread(Layout((4, 2), (9, 1)), ("g",), 1, 8, 1, 1)
    assert isinstance(prove(claim.given(equal(0, 0))), Proved)
    assert isinstance(prove(claim.given(equal(0, 1))), Vacuous)


def test_large_layouts_are_not_walked() -> None:
    groups = 1 << 40
    assert isinstance(prove(Spread(Layout((8, groups), (1, 8)), ("g",), 1, 8, 1, 1)), Proved)
    swizzled = ComposedLayout(Swizzle(3, 0, 3), 0, Layout((8, groups), (8, 64)))
    assert isinstance(prove(Spread(swizzled, ("g",), 1, 8, 1, 1)), Proved)
    assert isinstance(prove(Spread(swizzled, ("g",), 1, 8, 2, 2)), Refuted)


def test_fullest() -> None:
    assert fullest([0, 8, 1, 8], 8) == [0, 1]
    assert fullest([0, 8, 1, 8], 8, each_lane=True) == [0, 1, 3]
    assert first_clash([3, 1, 9], 8) == (1, 2)
    with pytest.raises(EngineDisagreement):
        first_clash([0, 1], 8)


def test_swizzles_of_whole_units() -> None:
    assert in_units_of(Swizzle(3, 3, 3), 8) == Swizzle(3, 0, 3)
    assert in_units_of(Swizzle(3, 3, 3), 16) is None
    assert in_units_of(Swizzle(3, 3, 3), 6) is None
    for offset in range(0, 1 << 9, 8):
        assert Swizzle(3, 3, 3)(offset) == 8 * Swizzle(3, 0, 3)(offset // 8)


@pytest.mark.parametrize(
    "forged", [{"lanes": "1024"}, {"lanes": "-1"}, {"lanes": "2"}, {"unit": "-1"}, {"classes": "-8"}]
)
def test_a_statement_that_walks_no_group_is_no_statement(forged: dict[str, str]) -> None:
    """All eight lanes are in one class: whoever says fewer, or no, groups must not be believed."""
    part = statement(Spread(Layout((8, 4), (8, 64)), ("g",), 1, 8, 1, 1))
    assert at(part, {})[1] is not None
    with pytest.raises(Malformed, match="not a map of 32 values"):
        at({**part, **forged}, {})
