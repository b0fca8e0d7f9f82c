"""nested: injectivity, covering and disjointness as one linear equation."""

import random

import pytest

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.claim import values
from symlayout.claims import bijective, covers, disjoint, injective
from symlayout.decide import prove
from symlayout.engines import Fails, Holds, Open
from symlayout.engines.equation import Equation, MeetInTheMiddle, TooMany
from symlayout.engines.flat import flat
from symlayout.engines.nested import decide, least_collision
from symlayout.verdict import Proved, Refuted


def test_least_collisions_as_by_counting() -> None:
    rng = random.Random(1)
    collided = 0
    for _ in range(3000):
        n = rng.randint(1, 4)
        layout = Layout(
            tuple(rng.choice((1, 2, 3, 4, 5)) for _ in range(n)), tuple(rng.randint(-7, 12) for _ in range(n))
        )
        table = values(layout)
        pairs = [(i, j) for i, x in enumerate(table) for j in range(i + 1, len(table)) if table[j] == x]
        known = flat(layout)
        assert known is not None
        for way in (Equation, MeetInTheMiddle):
            assert least_collision(known, way) == (min(pairs) if pairs else None), layout
        collided += bool(pairs)
    assert 500 < collided < 2800


def test_equations_as_by_counting() -> None:
    rng = random.Random(2)
    for _ in range(2000):
        n = rng.randint(1, 4)
        coefficients = [rng.randint(-9, 9) for _ in range(n)]
        boxes = [(lo, lo + rng.randint(0, 4)) for lo in (rng.randint(-3, 3) for _ in range(n))]
        sums = {0}
        for d, (lo, hi) in zip(coefficients, boxes, strict=True):
            sums = {x + d * c for x in sums for c in range(lo, hi + 1)}
        target = rng.randint(-20, 20)
        for way in (Equation, MeetInTheMiddle):
            assert way(coefficients, target).solvable(boxes) == (target in sums)


def test_two_modes_are_settled_at_any_size() -> None:
    big = 1 << 40
    assert isinstance(decide(injective(Layout((big, 1000), (1000, 1))), ()), Holds)
    verdict = prove(injective(Layout((big, big), (1000003, 999983))))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"i": 999983, "j": 1000003 * big}
    assert verdict.minimal


def test_nesting_gives_many_modes_an_obligation_each() -> None:
    verdict = prove(injective(Layout((8, 16, 32), (16, 1, -128))), confirm_up_to=0)
    assert isinstance(verdict, Proved)
    assert verdict.engine.startswith("nested, checked by")
    assert len(verdict.certificate) == 1
    many = Layout((3,) * 40, tuple((-1) ** k * 3**k for k in range(40)))
    verdict = prove(injective(many), confirm_up_to=0)
    assert isinstance(verdict, Proved)
    assert len(verdict.certificate) == 40


def test_a_swizzle_is_injective_so_it_changes_nothing() -> None:
    swizzled = ComposedLayout(Swizzle(2, 0, -3), 5, Layout((6, 5), (5, 1)))
    verdict = prove(injective(swizzled), confirm_up_to=0)
    assert isinstance(verdict, Proved)
    assert "undoes itself" in verdict.certificate[-1]
    assert isinstance(
        decide(disjoint(swizzled, ComposedLayout(Swizzle(2, 0, -3), 40, Layout(9, 1))), ()), Holds
    )


def test_tiles_of_one_tensor_are_disjoint() -> None:
    tile = Layout((1 << 20, 1 << 20), (1 << 30, 1))
    other = ComposedLayout(Swizzle(0, 0, 0), 1 << 20, tile)
    verdict = prove(disjoint(tile, other))
    assert isinstance(verdict, Proved)
    overlapping = ComposedLayout(Swizzle(0, 0, 0), (1 << 20) - 1, tile)
    refuted = prove(disjoint(tile, overlapping))
    assert isinstance(refuted, Refuted)
    assert refuted.witness == {"i": ((1 << 20) - 1) << 20, "j": 0}


def test_covers_beyond_any_enumeration() -> None:
    layout = Layout((1 << 20, 4, 1 << 20), (1 << 20, 0, 1))
    verdict = prove(covers(layout, 1 << 40, times=4))
    assert isinstance(verdict, Proved)
    assert verdict.engine.startswith("nested, checked by")
    assert isinstance(prove(bijective(Layout((1 << 20, 1 << 20), (1 << 20, 1)))), Proved)


def test_what_takes_too_many_steps_is_given_up() -> None:
    rng = random.Random(4)
    wild = Layout((64,) * 8, tuple(rng.randrange(1 << 60, 1 << 61) for _ in range(8)))
    found = decide(injective(wild), ())
    assert isinstance(found, Open)
    assert "20000 steps do not settle it" in found.reason
    with pytest.raises(TooMany):
        MeetInTheMiddle(tuple(rng.randrange(1 << 40, 1 << 41) for _ in range(8))).solvable([(-63, 63)] * 8)
    assert isinstance(decide(injective(Layout((2, 2), (1, 0))), ()), Fails)
