"""prove: verdicts on true and false claims of every kind, small and large, with minimal witnesses in
words."""

from typing import Any

import pytest

from symlayout import Layout, zipped_divide
from symlayout.claims import aligned, all_of, bijective, covers, disjoint, equal, injective, within
from symlayout.decide import prove
from symlayout.errors import LayoutError
from symlayout.swizzle import ComposedLayout, Swizzle
from symlayout.symbolic import Var
from symlayout.verdict import Bounded, Proved, Refuted, Unknown, Vacuous

tCrA = Layout(((2, 2, 2), 1, 1), ((1, 2, 4), 0, 0))
tXrA = Layout(((2, 4), 1, 1), ((1, 2), 0, 0))
tCrB = Layout(((2, 2), 4, 2), ((1, 2), 8, 4))
tXrB = Layout(((8, 1), 4, 1), ((1, 0), 8, 0))


def refuted(verdict: Any) -> Refuted:
    assert isinstance(verdict, Refuted), str(verdict)
    assert verdict.replayed
    assert verdict.minimal
    return verdict


def test_the_article_s_first_claim() -> None:
    verdict = prove(lambda a, b: equal(tXrA((a, b), 0, 0), tCrA(a + 2 * b, 0, 0)), a=2, b=4)
    assert isinstance(verdict, Proved)
    assert verdict.instances == 8
    assert verdict.cross_checked == ("all 8 points computed",)
    assert verdict.certificate
    alone = prove(lambda a, b: equal(tXrA((a, b), 0, 0), tCrA(a + 2 * b, 0, 0)), engine="z3", a=2, b=4)
    assert isinstance(alone, Proved)
    assert len(alone.certificate) == 1


def test_the_article_s_refutation_in_words() -> None:
    verdict = refuted(prove(lambda a: equal(zipped_divide(tCrB, 8)(a, 0), tXrB((a, 0), 0, 0)), a=8))
    assert verdict.witness == {"a": 4}
    assert (verdict.left, verdict.right) == (8, 4)
    assert (verdict.failures, verdict.instances) == (4, 8)
    assert verdict.explanation == (
        "at a = 4\n"
        "  zipped_divide(tCrB, 8)(a, 0) = 8    8 is tCrB(0,1,0): V 0, N 1, K 0, tXrB(0,1,0)\n"
        "  tXrB((a, 0), 0, 0)           = 4    4 is tCrB(0,0,1): V 0, N 0, K 1, tXrB(4,0,0)"
    )
    assert str(verdict).startswith("Refuted: for all a < 8: ")


TRUE: dict[str, Any] = {
    "pointwise": lambda: (lambda a, b: equal((a + 2 * b) % 2, a), {"a": 2, "b": 512}),
    "equal": lambda: (equal(Layout((64, 2, 64), (1, 64, 128)), Layout(8192, 1)), {}),
    "equal without common digits": lambda: (equal(Layout((4, 3), (3, 12)), Layout((6, 2), (3, 18))), {}),
    "within": lambda: (within(Layout((64, 128), (128, 1)), 0, 8192), {}),
    "aligned": lambda: (aligned(Layout((64, 16), (128, 8)), 8), {}),
    "injective": lambda: (injective(Layout((64, 128), (129, 1))), {}),
    "injective, swizzled": lambda: (
        injective(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))),
        {},
    ),
    "bijective": lambda: (bijective(Layout((64, 128), (128, 1))), {}),
    "covers": lambda: (covers(Layout((64, 128), (0, 1)), 128, times=64), {}),
    "disjoint": lambda: (disjoint(Layout(4096, 2), ComposedLayout(Swizzle(0, 0, 0), 1, Layout(4096, 2))), {}),
    "premises": lambda: (lambda a: equal(a % 2, 0).given(aligned(a, 4)), {"a": 4096}),
}


@pytest.mark.parametrize("limit", [1 << 16, 0], ids=["computed too", "z3 alone"])
@pytest.mark.parametrize("name", TRUE)
def test_true_claims(name: str, limit: int) -> None:
    claim, quantifiers = TRUE[name]()
    verdict = prove(claim, confirm_up_to=limit, **quantifiers)
    assert isinstance(verdict, Proved), str(verdict)
    assert bool(verdict.cross_checked) == (limit > 0)


FALSE: dict[str, Any] = {
    "pointwise": lambda: (
        lambda b, a: equal((a + 2 * b) % 4, a + 2 * b),
        {"b": 512, "a": 2},
        {"b": 2, "a": 0},
    ),
    "equal": lambda: (equal(Layout((64, 2, 64), (1, 65, 128)), Layout(8192, 1)), {}, {"i": 64}),
    "sizes": lambda: (equal(Layout(8, 1), Layout(9, 1)), {}, {}),
    "equal without common digits": lambda: (
        equal(Layout((4, 3), (3, 13)), Layout((6, 2), (3, 18))),
        {},
        {"i": 4},
    ),
    "within": lambda: (within(Layout((64, 128), (128, 1)), 0, 8190), {}, {"i": 64 * 126 + 63}),
    "aligned": lambda: (aligned(Layout((64, 16), (128, 4)), 8), {}, {"i": 64}),
    "injective": lambda: (injective(Layout((64, 128), (127, 1))), {}, {"i": 1, "j": 64 * 127}),
    "bijective": lambda: (bijective(Layout((64, 128), (128, 1)), onto=8193), {}, {}),
    "disjoint": lambda: (disjoint(Layout(4096, 2), Layout(4096, 3)), {}, {"i": 0, "j": 0}),
    "premises": lambda: (lambda a: equal(a % 8, 0).given(aligned(a, 4)), {"a": 4096}, {"a": 4}),
    "coordinates": lambda: (lambda a: equal((a, a // 5), (a, 0)), {"a": 4096}, {"a": 5}),
}


@pytest.mark.parametrize("limit", [1 << 16, 0], ids=["computed too", "z3 alone"])
@pytest.mark.parametrize("name", FALSE)
def test_false_claims_have_the_least_witness(name: str, limit: int) -> None:
    claim, quantifiers, witness = FALSE[name]()
    assert refuted(prove(claim, confirm_up_to=limit, **quantifiers)).witness == witness


def test_domains_beyond_any_enumeration() -> None:
    big = 1 << 40
    assert isinstance(prove(lambda i: equal(i // 8 * 8 + i % 8, i), i=big), Proved)
    verdict = refuted(prove(lambda i: within(i // 1000, 0, 1 << 30), i=big))
    assert verdict.witness == {"i": 1000 << 30}
    assert verdict.failures is None
    assert isinstance(prove(injective(Layout((1 << 20, 1 << 20), (1, 1 << 20)))), Proved)


def test_covers_that_repeats_in_other_ways_is_left_to_computing() -> None:
    assert isinstance(prove(covers(Layout((4, 2), (1, 2)), 6)), Proved), "by a table"
    overlapping = covers(Layout((400, 2), (1, 200)), 600)  # too long a table
    verdict = prove(overlapping)
    assert isinstance(verdict, Bounded)
    assert verdict.instances == 800
    assert isinstance(prove(overlapping, confirm_up_to=0), Unknown)
    assert refuted(prove(covers(Layout((4, 2), (1, 2)), 7))).witness == {"value": 6}


def test_contradictory_premises_are_vacuous() -> None:
    verdict = prove(lambda a: equal(a, 7).given(within(a, 9, 12)), a=8)
    assert isinstance(verdict, Vacuous)
    assert verdict.reason == "no point meets the premises: 9 <= a and a < 12"
    assert verdict.exit_code == 3


def test_the_first_failing_part_is_reported() -> None:
    verdict = refuted(prove(lambda a: all_of(equal(a, a), equal(a % 4, a).named("second"), equal(a, 0)), a=8))
    assert verdict.part == "second"
    assert verdict.witness == {"a": 4}
    assert "a % 4 = 0" in verdict.explanation


def test_the_statement_can_be_given() -> None:
    assert prove(lambda a: equal(a, a), a=2, says="a is itself").claim == "a is itself"


def test_a_claim_without_digits_needs_no_quantifier() -> None:
    assert isinstance(prove(equal(3, 3)), Proved)
    assert refuted(prove(equal(3, 4))).witness == {}


@pytest.mark.parametrize(
    "claim, quantifiers, text",
    [
        (lambda a, b: equal(a, b), {"a": 2}, "prove: the body takes a, b; quantified are a"),
        (lambda a: equal(a, a), {"a": 2, "b": 3}, "prove: the body takes a; quantified are a, b"),
        (lambda a: equal(a, a), {"a": 0}, "prove: a = 0: a quantifier is the number of values, 1 or more"),
        (lambda a: a, {"a": 2}, "prove: the body returned Var"),
        (equal(Var("a", 2), 0), {}, "prove: quantify a by a body: "),
        (equal(0, 0), {"a": 2}, "prove: quantify a by a body: "),
    ],
)
def test_refusals(claim: Any, quantifiers: dict[str, Any], text: str) -> None:
    with pytest.raises(LayoutError, match=text):
        prove(claim, **quantifiers)


def test_contradictory_premises_without_digits_are_vacuous_too() -> None:
    assert isinstance(prove(equal(1, 2).given(equal(0, 1))), Vacuous)
    assert isinstance(prove(injective(Layout(4, 1)).given(equal(0, 1))), Vacuous)
    assert isinstance(prove(disjoint(Layout(4, 2), Layout(4, 3)).given(equal(0, 1))), Vacuous)
