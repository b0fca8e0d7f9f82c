"""The claim's own words as a question: the same answer as computing every point of a small domain."""

from typing import Any

import pytest
from hypothesis import given, settings

from symlayout import Layout, aligned, disjoint, equal, injective, make_identity_layout, within
from symlayout.claim import Claim
from symlayout.recheck import Worker
from symlayout.recheck.script import read_script
from symlayout.recheck.words import NoWords, question
from symlayout.statement import statement

from ..strategies import layouts

A = [{"name": "a", "from": 0, "below": None}]


def answer(part: Any, domain: list[dict[str, Any]]) -> str:
    text = question(part, domain)
    read_script(text)
    with Worker() as worker:
        return worker.ask("cvc5", text, 10).status


def relations(*hold: str, given: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"kind": "relations", "says": "it\nis so", "given": list(given), "hold": list(hold)}


@pytest.mark.parametrize(
    "part, status",
    [
        (relations("a%4 + 4*(a//4) = a"), "unsat"),
        (relations("a%4 = a"), "sat"),
        (relations("a < 1000000000"), "sat"),
        (relations("0 <= a", "a - a = 0"), "unsat"),
        (relations("a%4 = a", given=("a < 4",)), "unsat"),
        (relations("a != 7", given=("a >= 8",)), "unsat"),
        (relations("-a <= 0"), "unsat"),
        (relations("(-a)//2*2 <= -a"), "unsat"),
    ],
)
def test_relations(part: Any, status: str) -> None:
    assert answer(part, A) == status


def test_a_divisor_may_be_a_parameter_that_is_positive() -> None:
    domain = [{"name": "n", "from": 1, "below": None}, {"name": "a", "from": 0, "below": "n"}]
    assert answer(relations("a//n = 0", "a%(2*n) = a"), domain) == "unsat"
    domain[0]["from"] = 0
    with pytest.raises(NoWords, match="may not be positive"):
        question(relations("a//n = 0"), domain)


@pytest.mark.parametrize(
    "part",
    [
        relations("a ^ 1 = a"),
        relations("b = a"),
        relations("a"),
        {"kind": "injective", "says": "", "given": [], "map": "Sw<1,0,1> o 0 o 4:1"},
        {"kind": "injective", "says": "", "given": [], "map": {"offset": "1", "layout": "4:1"}},
        {"kind": "covers", "says": "", "given": [], "map": "4:1", "n": "4", "times": None},
    ],
)
def test_what_is_not_asked_this_way(part: Any) -> None:
    with pytest.raises(NoWords):
        question(part, A)


K = [{"name": "K", "from": 1, "below": None}, {"name": "p", "from": 0, "below": None}]


@pytest.mark.parametrize(
    "part, status",
    [
        ({"kind": "injective", "map": "(4,K):(K+p,1)"}, "unsat"),
        ({"kind": "injective", "map": "(4,K):(3,1)"}, "sat"),
        ({"kind": "equal maps", "a": "(2,2,K):(1,2,4)", "b": "(4,K):(1,4)"}, "unsat"),
        ({"kind": "equal maps", "a": "(2,2,K):(1,2,4)", "b": "(4,K):(1,5)"}, "sat"),
        ({"kind": "equal maps", "a": "(2,K):(1,2)", "b": "(2,K,p + 1):(1,2,0)"}, "sat"),
        ({"kind": "within", "map": "(4,K):(K,1)", "low": "0", "below": "4*K"}, "unsat"),
        ({"kind": "within", "map": "(4,K):(K,1)", "low": "0", "below": "4*K - 1"}, "sat"),
        ({"kind": "aligned", "map": "(4,K):(8,16)", "by": "8"}, "unsat"),
        ({"kind": "aligned", "map": "(4,K):(4,16)", "by": "8"}, "sat"),
        ({"kind": "disjoint", "a": "K:2", "b": "K:2"}, "sat"),
        ({"kind": "equal maps", "a": "(2,K):(1@0,1@1)", "b": "(2,K):(1@0,1@1)"}, "unsat"),
        ({"kind": "equal maps", "a": "(2,K):(1@0,1@1)", "b": "(2,K):(1@1,1@0)"}, "sat"),
    ],
)
def test_maps_with_parameters(part: Any, status: str) -> None:
    assert answer({"says": "", "given": [], **part}, K) == status


@settings(max_examples=15, deadline=None)
@given(layouts(largest=24), layouts(largest=24))
def test_it_agrees_with_computing(a: Layout, b: Layout) -> None:
    with Worker() as worker:
        for claim in claims(a, b):
            text = question(statement(claim), [])
            expected = "unsat" if claim.failure() is None else "sat"
            assert worker.ask("cvc5", text, 20).status in (expected, "unknown")


def claims(a: Layout, b: Layout) -> tuple[Claim, ...]:
    i = make_identity_layout((2, 3))
    return (equal(a, b), injective(a), disjoint(a, b), within(a, 0, 20), aligned(b, 2), equal(i, i))
