"""residues: how values spread over classes for all parameters, against counting at many of them."""

import random
from collections.abc import Iterator

import pytest

from symlayout import ComposedLayout, Layout, Swizzle, assume, dims, prove
from symlayout.engines.digit_work import Stuck
from symlayout.engines.residues import Clash, obligations
from symlayout.parametric import at, parameters
from symlayout.spread_claim import Spread
from symlayout.verdict import Proved, Refuted, Unknown

A, B = dims("A B")


def claims(seed: int) -> Iterator[Spread]:
    choice = random.Random(seed)
    facts = ("A % 2 == 1", "A % 4 == 2", "A % 3 == 1", "A >= 5", "A % 8 == 0, A <= 40", "B >= A")
    for _ in range(30):
        known = assume(choice.choice(facts))
        strides = [1, 2, 4, A, 2 * A, A + 1, 3 * A + 2 * B]
        lane = tuple(choice.choice(strides) for _ in range(choice.choice((1, 2, 3))))
        layout = known(Layout(((2,) * len(lane), 3), (lane, choice.choice((0, 8, A)))))
        if choice.random() < 0.4:
            layout = ComposedLayout(Swizzle(1, 0, choice.choice((1, 2))), 0, layout)
        low, high = choice.choice(((1, 1), (1, 1), (1, 2), (2, 2)))
        yield Spread(layout, ("g",), 1, 4, low, high, choice.random() < 0.2)


@pytest.mark.parametrize("seed", range(4))
def test_no_verdict_is_wrong(seed: int) -> None:
    decided = 0
    for claim in claims(seed):
        params = parameters(claim)
        if not params:
            continue
        verdict = prove(claim)
        choice, failing = random.Random(1), 0
        for _ in range(40):
            values = {v.name: v.least + choice.randrange(40) for v in params}
            if any(v.bound is not None for v in params):
                continue
            failing += at(claim, values).failure() is not None
        if isinstance(verdict, Proved):
            decided += 1
            assert not failing, str(verdict)
        elif isinstance(verdict, Refuted):
            decided += 1
            here = {v.name: verdict.witness[v.name] for v in params}
            assert at(claim, here).failure() is not None
    assert decided >= 15


def test_a_failure_far_from_the_least_value_is_found() -> None:
    """Of the values of A modulo 32 only 31 makes two lanes meet."""
    claim = Spread(Layout((2, 1), (A + 1, 0)), ("g",), 1, 32, 1, 1)
    with pytest.raises(Clash) as error:
        obligations(claim, ())
    assert error.value.points[0] == {A.params()[0]: 31}
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    assert verdict.witness["A"] == 31


def test_for_which_remainders_it_holds() -> None:
    claim = Spread(Layout((2, 1), (A, 0)), ("g",), 1, 8, 1, 1)
    with pytest.raises(Clash, match="it holds where A % 8 is 1 or 2 or 3 or 4 or 5 or 6 or 7"):
        obligations(claim, ())
    four = Spread(Layout((4, 1), (A, 0)), ("g",), 1, 4, 1, 1)
    with pytest.raises(Clash, match="it holds where A % 2 is 1"):
        obligations(four, ())


def test_lanes_that_may_be_equal_are_not_decided_wrongly() -> None:
    """A and B may be equal, and then the two lanes name one unit; else they may clash."""
    claim = Spread(Layout(((2, 2), 1), ((4 * A, 4 * B), 0)), ("g",), 1, 4, 4, 4)
    assert isinstance(prove(claim), (Refuted, Unknown))
    surely = Spread(Layout((4, 1), (4 * A, 0)), ("g",), 1, 4, 4, 4)
    assert isinstance(prove(surely), Proved)


def test_what_is_not_known_is_named() -> None:
    with pytest.raises(Stuck) as error:
        obligations(Spread(Layout((2, 1), (A, 0)), ("g",), 8, 8, 1, 1), ())
    assert error.value.fact == "8 | A"
    swizzled = ComposedLayout(Swizzle(1, 0, 2), 0, Layout((2, 1), (A, 0)))
    with pytest.raises(Stuck, match="only one unit a class"):
        obligations(Spread(swizzled, ("g",), 1, 4, 1, 2), ())
    many = Spread(Layout(((2, 2, 2), 1), ((A, B, dims("C")), 0)), ("g",), 1, 32, 1, 1)
    with pytest.raises(Stuck, match="more than 1024 cases"):
        obligations(many, ())


def test_bits_that_make_no_class_make_no_cases() -> None:
    """Classes are 3 bits: Sw<3,2,4> changes one of them by bit 6, Sw<3,3,7> and Sw<3,0,-4> none."""
    for swizzle, m in ((Swizzle(3, 2, 4), 128), (Swizzle(3, 3, 7), 8), (Swizzle(3, 0, -4), 8)):
        layout = ComposedLayout(swizzle, 0, Layout((2, 3), (2 * A - 1, 1)))
        assert len(obligations(Spread(layout, ("g",), 1, 8, 1, 1), ())) <= 2 * m


def test_behind_swizzles_no_verdict_is_wrong() -> None:
    choice = random.Random(7)
    proved = 0
    for _ in range(40):
        b = choice.choice((1, 2, 3))
        s = choice.choice((1, -1)) * (b + choice.randrange(3))
        known = assume(choice.choice(("A % 8 == 1", "A % 16 == 4", "A % 32 == 8", "A % 64 == 16")))
        layout = known(Layout((choice.choice((2, 4, 8)), 3), (A, choice.choice((0, 1, 8, 16)))))
        swizzled = ComposedLayout(Swizzle(b, choice.randrange(4), s), choice.choice((0, 5)), layout)
        claim = Spread(swizzled, ("g",), 1, 8, 1, 1)
        (q,) = parameters(claim)
        failing = [v for v in range(q.least, q.least + 70) if at(claim, {q.name: v}).failure() is not None]
        verdict = prove(claim)
        proved += isinstance(verdict, Proved)
        assert isinstance(verdict, Refuted if failing else Proved), (str(verdict), failing)
    assert proved >= 3


def test_a_stride_that_is_no_multiple_is_not_called_unknown() -> None:
    with pytest.raises(Stuck, match="the stride 1 is not a multiple of 4"):
        obligations(Spread(Layout((2, 1), (1, A)), ("g",), 4, 8, 1, 1), ())
