"""Claims in words: what they say, and what has no words."""

from dataclasses import dataclass
from typing import Any

import pytest

from symlayout import Layout, Swizzle, aligned, covers, disjoint, equal, injective, within
from symlayout.claim import Claim, Pointwise
from symlayout.dim import dims
from symlayout.formula import Obligation, Relation
from symlayout.quantified import ForAll
from symlayout.sentence import phrase
from symlayout.statement import coordinate, integer, statement
from symlayout.swizzle import ComposedLayout
from symlayout.symbolic import Var
from symlayout.view import View

A, B = Var("a", 8), Var("b.0", 4)
ROW = Layout((4, 2), (2, 1))


@pytest.mark.parametrize(
    "claim, words",
    [
        (equal(A % 4, 3), {"kind": "relations", "hold": ["a%4 = 3"], "digits": []}),
        (equal(ROW, Layout(8)), {"kind": "equal maps", "a": "(4,2):(2,1)", "b": "8:1"}),
        (within(ROW, 0, 8), {"kind": "within", "map": "(4,2):(2,1)", "low": "0", "below": "8"}),
        (aligned(ROW, 2), {"kind": "aligned", "map": "(4,2):(2,1)", "by": "2"}),
        (injective(ROW), {"kind": "injective", "map": "(4,2):(2,1)"}),
        (disjoint(ROW, View(8, ROW)), {"kind": "disjoint", "b": {"offset": "8", "layout": "(4,2):(2,1)"}}),
        (covers(ROW, 8), {"kind": "covers", "n": "8", "times": None}),
        (covers(ROW, 8, times=1), {"kind": "covers", "n": "8", "times": "1"}),
        (
            ForAll((B,), Pointwise((Relation("<", B, 4),), (B, 4))),
            {"hold": ["b_0 < 4"], "digits": [{"name": "b_0", "from": 0, "below": 4}]},
        ),
        (
            injective(ComposedLayout(Swizzle(2, 0, 3), 8, ROW)),
            {"kind": "injective", "map": "Sw<2,0,3> o 8 o (4,2):(2,1)"},
        ),
        (equal(A, A).given(within(A, 1, 5)), {"given": ["1 <= a", "a < 5"]}),
    ],
    ids=str,
)
def test_words(claim: Claim, words: dict[str, Any]) -> None:
    found = statement(claim)
    assert found["says"] == phrase(found)
    assert {key: found[key] for key in words} == words


def test_sizes_and_bounds_may_be_parameters() -> None:
    n, k = dims("N K")
    assert statement(injective(Layout((4, n, 2 * k), (1, 8 * k, 4))))["map"] == "(4,N,2*K):(1,8*K,4)"
    assert statement(ForAll((Var("j", n * k),), Pointwise((), (0, 0))))["digits"][0]["below"] == "K*N"


def test_integers_and_coordinates() -> None:
    assert integer(-3) == "-3"
    assert integer(A * 2 + B) == "2*a + b_0"
    assert coordinate((1, (A, 2), (5,))) == "(1,(a,2),(5,))"


def test_an_expression_that_is_too_long() -> None:
    x: Any = A
    for _ in range(16):
        x = x + x
    found = statement(equal(x, 0))
    assert (found["kind"], found["given"]) == ("unstated", [])
    assert "more than 20000 terms" in found["why"]


@dataclass(frozen=True)
class _Own(Claim):
    count: int = 1

    def text(self) -> str:
        return "something of one's own"

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        goal = Relation("<=", A, 7)
        return (Obligation("a <= 7", (*free, A), (Relation("<", 0, A),), (goal,)),) * self.count


def test_a_claim_of_another_kind_is_stated_by_its_obligation() -> None:
    found = statement(_Own())
    assert (found["given"], found["hold"]) == (["0 < a"], ["a <= 7"])
    assert found["digits"] == [{"name": "a", "from": 0, "below": 8}]
    assert statement(_Own(count=2))["why"] == "_Own has no words of its own"


def test_a_map_of_another_kind() -> None:
    class Table:
        shape = 4

        def size(self) -> int:
            return 4

        def __call__(self, i: int) -> int:
            return i

    assert "is not a layout that is written down" in statement(injective(Table()))["why"]
