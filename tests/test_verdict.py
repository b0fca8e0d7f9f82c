"""Verdicts are ordered plain data."""

import json
from itertools import pairwise

import pytest

from symlayout.verdict import Bounded, Proved, Refuted, Unknown, Vacuous, Verdict, worst

ALL: list[Verdict] = [
    Refuted("c", {"a": 4}, 8, (4, 0), explanation="at a = 4\n  left = 8"),
    Unknown("c", "z3: timeout", "8 | ld"),
    Bounded("c", "a < 2", 2, "z3: timeout"),
    Vacuous("c", "no point meets the premises: a > 3"),
    Proved("c", "z3 4.13", ("(check-sat)\n",), ("all 2 points computed",), 2),
]


def test_ordered_from_the_worst() -> None:
    assert sorted(ALL, reverse=True) == ALL[::-1]
    assert all(a < b and a <= b and b > a and b >= a for a, b in pairwise(ALL))
    assert worst(ALL[::-1]) is ALL[0]
    assert [v.exit_code for v in ALL] == [1, 3, 3, 3, 0]


def test_only_proved_is_true() -> None:
    assert [bool(v) for v in ALL] == [False, False, False, False, True]


@pytest.mark.parametrize("verdict", ALL)
def test_json_is_plain(verdict: Verdict) -> None:
    data = verdict.to_json()
    assert json.loads(json.dumps(data)) == data
    assert (data["verdict"], data["exit_code"], data["claim"]) == (verdict.name, verdict.exit_code, "c")


def test_texts() -> None:
    assert [str(v) for v in ALL] == [
        "Refuted: c\n  at a = 4\n    left = 8",
        "Unknown: c\n  z3: timeout\n  it would help to know: 8 | ld",
        "Bounded: c\n  holds at all 2 points for a < 2\n  z3: timeout",
        "Vacuous: c\n  no point meets the premises: a > 3",
        "Proved: c\n  z3 4.13, 1 obligation; all 2 points computed",
    ]
