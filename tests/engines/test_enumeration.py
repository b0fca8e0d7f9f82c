"""enumeration: with numpy, as with plain ints; and meeting in the middle beyond."""

import random
from typing import Any

import pytest

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.claims import aligned, covers, disjoint, equal, injective, within
from symlayout.decide import prove
from symlayout.engines import Fails, Open, Walked
from symlayout.engines.enumeration import decide
from symlayout.symbolic import Var
from symlayout.verdict import Bounded, Proved, Refuted


def some(rng: random.Random) -> Any:
    n = rng.randint(1, 3)
    layout = Layout(
        tuple(rng.choice((1, 2, 3, 4)) for _ in range(n)), tuple(rng.randint(-6, 12) for _ in range(n))
    )
    if rng.random() < 0.5:
        return layout
    return ComposedLayout(Swizzle(1, rng.randint(0, 1), rng.choice((1, -2))), rng.randint(0, 9), layout)


def test_numpy_says_what_plain_ints_say() -> None:
    rng = random.Random(6)
    failed = 0
    for _ in range(3000):
        a, b = some(rng), some(rng)
        claim = rng.choice(
            (
                equal(a, b),
                injective(a),
                disjoint(a, b),
                within(a, -2, 30),
                aligned(a, 2),
                covers(a, 4),
                covers(a, 6, times=2),
            )
        )
        found, plain = decide(claim, ()), claim.failure()
        if plain is None:
            assert isinstance(found, Walked), claim
        else:
            failed += 1
            assert isinstance(found, Fails)
            assert found.witness == plain.witness, claim
    assert failed > 1000


def test_expressions_with_digits() -> None:
    a, b = Var("a", 300), Var("b", 1000)
    assert decide(equal((a * 1000 + b) // 1000, a), (a, b)) == Walked(300_000)
    found = decide(equal((a * 999 + b) // 1000, 0), (a, b))
    assert isinstance(found, Fails)
    assert (dict(found.point), found.failures) == ({"a": 1, "b": 1}, 999 + 298 * 1000)


def test_a_count_of_failures_beyond_plain_ints() -> None:
    verdict = prove(within(Layout((1 << 10, 1 << 10), (1, 1 << 10)), 0, (1 << 20) - 7))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"i": (1 << 20) - 7}
    counted = prove(lambda i: within(i * 3, 0, 3000), i=1 << 18)
    assert isinstance(counted, Refuted)
    assert (counted.witness, counted.failures) == ({"i": 1000}, (1 << 18) - 1000)


def test_meeting_in_the_middle() -> None:
    sizes = (32,) * 6
    rng = random.Random(8)
    strides = tuple(rng.randrange(1 << 50, 1 << 51) for _ in sizes)
    wild = Layout(sizes, strides)
    assert decide(injective(wild), ()) == Walked(32**6)
    collides = Layout(sizes, (*strides[:5], strides[0] + strides[1] - strides[2]))
    found = decide(injective(collides), ())
    assert isinstance(found, Fails)
    assert collides(found.witness["i"]) == collides(found.witness["j"])
    verdict = prove(injective(collides))
    assert isinstance(verdict, Refuted)
    assert isinstance(prove(injective(wild), engine="fast"), Proved)
    assert isinstance(prove(injective(wild), engine="enumeration"), Bounded)


def test_too_many_points_and_too_large_values() -> None:
    assert isinstance(decide(equal(Layout(1 << 23, 1), Layout(1 << 23, 2)), ()), Open)
    assert decide(injective(Layout((2, 2), (1 << 70, 1))), ()) == Open("values beyond 64 bits")
    x = Var("x", 8)
    assert decide(equal(x * (1 << 70), 0), (x,)) == Open("values beyond 64 bits")
    assert decide(equal(Var("p", None), 0), (Var("p", None),)) == Open("a digit without an end")


@pytest.mark.parametrize("n", [7, 1 << 50])
def test_covers_of_more_than_there_is(n: int) -> None:
    found = decide(covers(Layout(6, 1), n), ())
    assert isinstance(found, Fails)
    assert (found.witness, found.failures) == ({"value": 6}, n - 6)
