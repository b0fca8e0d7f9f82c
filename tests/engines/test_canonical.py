"""canonical: equality at any size, and where two layouts differ first."""

import random

import pytest

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.claim import values
from symlayout.claims import equal, injective
from symlayout.decide import prove
from symlayout.engines import Fails, Holds, Open
from symlayout.engines.canonical import decide, differences, first_difference
from symlayout.verdict import Proved, Refuted


def test_misaligned_refinements_of_one_function_at_any_size() -> None:
    """(3, 2^k, 5) and (5, 2^k, 3) have no common digits; both are the identity."""
    for k in (3, 20, 40, 200):
        a = Layout((3, 1 << k, 5), (1, 3, 3 << k))
        b = Layout((5, 1 << k, 3), (1, 5, 5 << k))
        verdict = prove(equal(a, b), confirm_up_to=0)
        assert isinstance(verdict, Proved), str(verdict)
        assert verdict.engine.startswith("canonical, checked by z3 ")
        assert len(verdict.certificate) == 3
        assert not any("quotient" in text for text in verdict.certificate)


def test_the_least_difference_far_out() -> None:
    a = Layout((3, 1 << 40, 5), (1, 3, 3 << 40))
    verdict = prove(equal(a, Layout((5, 1 << 40, 3), (1, 5, (5 << 40) + 1))))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"i": 5 << 40}
    assert verdict.minimal


def test_differences_are_found_and_counted_as_by_counting() -> None:
    rng = random.Random(5)
    seen = 0
    for _ in range(2000):
        shape = tuple(rng.choice((1, 2, 3, 4)) for _ in range(3))
        a, b = (Layout(shape, tuple(rng.choice((0, 1, 2, 4, -1)) for _ in range(3))) for _ in range(2))
        apart = [i for i, (x, y) in enumerate(zip(values(a), values(b), strict=True)) if x != y]
        if not apart:
            assert a.canonical() == b.canonical()
            continue
        seen += 1
        assert first_difference(a, b) == apart[0]
        assert differences(a, b) == len(apart)
    assert seen > 1000


def test_no_difference_is_no_index() -> None:
    with pytest.raises(ValueError, match="are equal as functions"):
        first_difference(Layout((2, 2), (1, 2)), Layout(4, 1))


def test_one_swizzle_around_both_changes_nothing() -> None:
    swizzle = Swizzle(3, 3, 3)
    a = ComposedLayout(swizzle, 8, Layout((4, 64), (64, 1)))
    same = ComposedLayout(swizzle, 8, Layout(((2, 2), 64), ((64, 128), 1)))
    assert isinstance(decide(equal(a, same), ()), Holds)
    assert decide(equal(a, ComposedLayout(swizzle, 9, a.layout)), ()) == Fails({"i": 0})
    assert decide(equal(a, ComposedLayout(Swizzle(2, 3, 3), 8, a.layout)), ()) == Open()


def test_offsets_without_a_swizzle() -> None:
    plain = ComposedLayout(Swizzle(0, 4, 2), 0, Layout((4, 2), (2, 1)))
    assert isinstance(decide(equal(plain, Layout((4, 2), (2, 1))), ()), Holds)


def test_it_knows_its_kind() -> None:
    assert decide(injective(Layout(4, 1)), ()) == Open()
    assert decide(equal(Layout(4, 1), Layout(5, 1)), ()) == Fails({})
