"""f2: swizzled power-of-two layouts by linear algebra on bits."""

import random
from dataclasses import replace

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.claim import values
from symlayout.claims import disjoint, equal, injective, within
from symlayout.decide import prove
from symlayout.engines import Fails, Holds, Open
from symlayout.engines.f2 import Space, affine, decide, parities
from symlayout.engines.flat import flat
from symlayout.spread_claim import Spread
from symlayout.verdict import Proved, Refuted

ATOM = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))


def test_affine_maps_are_the_layouts() -> None:
    rng = random.Random(3)
    seen = 0
    for _ in range(3000):
        bits = rng.sample(range(8), rng.randint(1, 5))
        layout = Layout((2,) * len(bits), tuple(1 << b for b in bits))
        b = rng.randint(0, 3)
        composed = ComposedLayout(
            Swizzle(b, rng.randint(0, 2), rng.choice((b, -b, b + 1))), rng.choice((0, 256, 3)), layout
        )
        known = flat(composed)
        assert known is not None
        found = affine(known)
        if found is None:
            assert composed.offset & sum(1 << b for b in bits)
            continue
        seen += 1
        assert [found(i) for i in range(layout.size())] == values(composed)
    assert seen > 1000


def test_sums_that_carry_are_left_alone() -> None:
    for layout in (Layout((2, 2), (1, 1)), Layout((4, 2), (1, 3)), Layout((3, 2), (1, 4)), Layout(4, -1)):
        known = flat(layout)
        assert known is not None
        assert affine(known) is None
        assert isinstance(decide(injective(layout), ()), Open)


def test_one_swizzle_written_in_two_ways() -> None:
    """Sw<2,3,3> on rows whose bit 8 is never set is Sw<3,3,3>."""
    half = Layout((4, 64), (64, 1))
    a, b = ComposedLayout(Swizzle(3, 3, 3), 0, half), ComposedLayout(Swizzle(2, 3, 3), 0, half)
    verdict = prove(equal(a, b), confirm_up_to=0)
    assert isinstance(verdict, Proved)
    assert verdict.engine.startswith("f2, checked by")
    whole = ComposedLayout(Swizzle(2, 3, 3), 0, ATOM.layout)
    refuted = prove(equal(ATOM, whole))
    assert isinstance(refuted, Refuted)
    assert refuted.witness == {"i": 4}
    assert refuted.failures == 256


def test_large_swizzled_layouts() -> None:
    big = ComposedLayout(Swizzle(3, 4, 3), 0, Layout((1 << 20, 1 << 20), (1, 1 << 20)))
    found = decide(injective(big), ())
    assert isinstance(found, Holds)
    verdict = prove(injective(big), engine="f2")
    assert isinstance(verdict, Proved)
    assert isinstance(prove(within(big, 0, 1 << 40), engine="f2"), Proved)
    moved = ComposedLayout(Swizzle(3, 4, 3), 1 << 40, big.layout)
    assert isinstance(prove(disjoint(big, moved), engine="f2"), Proved)


def test_collisions_meetings_and_ranges_as_by_counting() -> None:
    rng = random.Random(9)
    for _ in range(1500):
        sides = []
        for _ in range(2):
            n = rng.randint(1, 4)
            layout = Layout((2,) * n, tuple(rng.choice((0, 1, 2, 4, 8, 16, 6)) for _ in range(n)))
            b = rng.randint(0, 2)
            sides.append(ComposedLayout(Swizzle(b, rng.randint(0, 2), b), rng.choice((0, 32, 64)), layout))
        a, b_ = sides
        x, y = values(a), values(b_)
        found = decide(disjoint(a, b_), ())
        if not isinstance(found, Open):
            meets = [(i, y.index(v)) for i, v in enumerate(x) if v in y]
            if meets:
                assert found == Fails({"i": meets[0][0], "j": meets[0][1]})
            else:
                assert isinstance(found, Holds)
        found = decide(within(a, 2, 70), ())
        if not isinstance(found, Open):
            wrong = [i for i, v in enumerate(x) if not 2 <= v < 70]
            assert found == Fails({"i": wrong[0]}) if wrong else isinstance(found, Holds)
        found = decide(injective(a), ())
        if not isinstance(found, Open):
            again = [j for j, v in enumerate(x) if v == x[0] and j]
            assert found == Fails({"i": 0, "j": again[0]}) if again else isinstance(found, Holds)


def test_spaces() -> None:
    space = Space([0b011, 0b110, 0b101])
    assert space.rank == 2
    assert space.relation == 0b111
    assert Space([1, 2, 4]).relation is None
    assert Space([0b1100, 0b0110]).ends(0b1000) == (0b0010, 0b1110) or Space([0b1100, 0b0110]).ends(
        0b1000
    ) == (min(x ^ 8 for x in (0, 12, 6, 10)), max(x ^ 8 for x in (0, 12, 6, 10)))


def test_a_left_inverse_reads_every_bit() -> None:
    columns = [0b0011, 0b0110, 0b1000]
    masks = parities(columns)
    for x in range(8):
        value = 0
        for k, column in enumerate(columns):
            if x >> k & 1:
                value ^= column
        assert [(value & mask).bit_count() & 1 for mask in masks] == [x >> k & 1 for k in range(3)]


def test_spread_is_counted_by_ranks() -> None:
    """Bank conflicts: what the ranks say of every group is what counting says of the first and the last."""
    rng = random.Random(5)
    seen = set()
    for _ in range(400):
        bits = rng.sample(range(9), 6)
        strides = tuple(1 << b for b in bits)
        layout = Layout(((2, 2, 2), (2, 2, 2)), (strides[:3], strides[3:]))
        swizzled = ComposedLayout(Swizzle(rng.randint(0, 3), rng.randint(0, 2), 3), 0, layout)
        claim = Spread(swizzled, ("g",), rng.choice((1, 2, 4)), 8, 1, 1, rng.random() < 0.2)
        load = {claim.load(claim.units_of(g)) for g in range(8)}
        assert len(load) == 1
        seen |= load
        found = decide(claim, ())
        assert isinstance(found, Holds if load == {1} else Fails)
        (n,) = load
        assert isinstance(decide(replace(claim, low=n, high=n), ()), Holds)
        assert isinstance(decide(replace(claim, low=n + 1, high=n + 1), ()), Fails)
    assert seen >= {1, 2, 4}
    odd = Spread(Layout((4, 2), (3, 1)), ("g",), 1, 8, 1, 1)
    assert isinstance(decide(odd, ()), Open)
