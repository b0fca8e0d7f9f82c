"""The sentence of a certificate's data: all of it, and nothing else."""

from typing import Any

import pytest

from symlayout.sentence import phrase, sentence

A = {"name": "a", "from": 0, "below": 8}
K = {"name": "K", "from": 1, "below": None}
M = {"name": "M", "from": 2, "below": "8*K"}
SPREAD = {
    **{"kind": "spread", "map": "(8,4):(1,8)", "lanes": "8", "unit": "1", "classes": "8"},
    **{"low": "1", "high": "2", "each_lane": False, "groups": [{"name": "step", "size": "4"}]},
}


@pytest.mark.parametrize(
    "item, says",
    [
        ({"kind": "relations", "hold": ["a = a", "0 <= a"], "digits": []}, "a = a and 0 <= a"),
        ({"kind": "relations", "hold": ["a < b"], "digits": [A, M]}, "a < b for all a < 8, 2 <= M < 8*K"),
        ({"kind": "relations", "hold": [], "digits": []}, "nothing"),
        ({"kind": "equal maps", "a": "4:1", "b": "4:2"}, "4:1 = 4:2 as functions"),
        ({"kind": "within", "map": "4:1", "low": "0", "below": "K"}, "0 <= 4:1 < K"),
        ({"kind": "aligned", "map": "4:8", "by": "8"}, "8 divides every value of 4:8"),
        ({"kind": "injective", "map": {"offset": "3", "layout": "4:1"}}, "3 + 4:1 is injective"),
        ({"kind": "disjoint", "a": "4:1", "b": "4:2"}, "4:1 and 4:2 share no value"),
        ({"kind": "covers", "map": "4:1", "n": "4", "times": None}, "4:1 hits each of 0 .. n-1, n = 4"),
        (
            {"kind": "covers", "map": "4:0", "n": "1", "times": "4"},
            "4:0 hits each of 0 .. n-1 exactly 4 times, n = 1",
        ),
        (
            SPREAD,
            "in every group (step < 4) of 8 lanes of (8,4):(1,8) the fullest of 8 classes has at most 2 "
            "different units, units of 1",
        ),
        ({"kind": "injective", "map": "4:1", "given": ["a < 3"]}, "4:1 is injective, given a < 3"),
    ],
)
def test_phrases(item: dict[str, Any], says: str) -> None:
    assert phrase(item) == says


def test_facts_are_said_once() -> None:
    item = {"kind": "relations", "hold": ["a = a"], "digits": [], "given": ["K >= 3", "a < 2"]}
    data = {"kind": "all of", "claims": [item, item]}
    assert sentence(data, [K, A], ["K >= 3"]) == "for all K >= 1, a < 8, where K >= 3: a = a, given a < 2"
    assert sentence({"kind": "all of", "claims": []}, [], []) == "nothing"


def test_every_field_of_an_item_is_in_its_phrase() -> None:
    for key, value in SPREAD.items():
        if key not in ("kind", "each_lane", "groups"):
            assert phrase({**SPREAD, key: f"{value}7"}) != phrase(SPREAD), key
    assert phrase({**SPREAD, "each_lane": True}) != phrase(SPREAD)
    assert phrase({**SPREAD, "groups": [{"name": "step", "size": "5"}]}) != phrase(SPREAD)
