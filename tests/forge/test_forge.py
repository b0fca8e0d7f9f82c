"""Forged certificates are not confirmed, unless they are true all the same; `make forge` makes more."""

from __future__ import annotations

import random

import pytest

from symlayout.certificate import Certificate
from symlayout.recheck import Worker, solvers

from .forging import CHANGES, forged
from .judge import complaint, forge, hurried, judged, untouched
from .pool import Named, claims_made_up, of_theorems
from .truth import true

COUNT = 500


@pytest.fixture(scope="module")
def pool() -> list[Named]:
    return [*of_theorems(every=9), *claims_made_up(20)]


def test_certificates_are_confirmed_as_they_are(pool: list[Named]) -> None:
    assert not untouched(pool)
    assert all(true(content) for _, content in pool)


def test_what_is_forged_is_not_confirmed(pool: list[Named]) -> None:
    counts, complaints = forge(range(COUNT), pool)
    assert not complaints, "\n".join(complaints)
    assert counts.total() == COUNT
    assert counts["confirmed"] > COUNT // 20, "forgeries that are still true are confirmed"
    assert counts["undecided"] + counts["false"] + counts["disagreement"] + counts["bad input"] > COUNT // 3


def test_every_change_is_made(pool: list[Named]) -> None:
    made = set()
    for n in range(COUNT):
        rng = random.Random(n)
        made |= set(forged(rng, rng.choice(pool)[1], rng.choice(pool)[1])[1].split(", "))
    assert made >= {change.__name__ for change in CHANGES}


def test_a_checker_that_believes_everything_is_found_out(pool: list[Named]) -> None:
    found = 0
    for n in range(200):
        rng = random.Random(n)
        content, _ = forged(rng, rng.choice(pool)[1], rng.choice(pool)[1])
        try:
            says = Certificate(content).sentence
            found += bool(complaint(content, "confirmed", says))
        except (KeyError, TypeError, AttributeError, SyntaxError, ValueError):  # not of the language
            continue
    assert found > 50


def test_a_forgery_is_the_same_every_time(pool: list[Named]) -> None:
    again = [forged(random.Random(7), pool[0][1], pool[1][1]) for _ in range(2)]
    assert again[0] == again[1]
    with Worker() as worker:
        assert judged(pool[0][1], hurried(solvers(worker)))[0] == "confirmed"
