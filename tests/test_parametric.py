"""Claims over parameters: what is proved holds, by z3 and at instances; what cannot be said is left open."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symlayout import Layout, Swizzle, assume, composition, dims, prove, zipped_divide
from symlayout.claim import Claim
from symlayout.claims import aligned, bijective, covers, equal, injective, within
from symlayout.engines import calculus
from symlayout.errors import EngineDisagreement
from symlayout.parametric import at, instances, parameters
from symlayout.polynomial import Param
from symlayout.smtlib import to_smtlib
from symlayout.symbolic import Expr, Int, Var
from symlayout.verdict import Proved, Refuted, Unknown, Vacuous

M, N, K, V, G = dims("M N K V G")
view = Layout((8, N, K), (1, 8 * K, 8))
fragment = Layout((4, N, 2 * K), (1, 8 * K, 4))

DIGITS = {"i": 4 * N, "j": K, "k": 6}


@st.composite
def terms(draw: st.DrawFn) -> Any:
    """Sums, products, quotients and remainders of digits and sizes."""
    leaf = st.sampled_from([Var("i", 4 * N), Var("j", K), Var("k", 6), N, K, 2, 3, 4])
    x = draw(leaf)
    for _ in range(draw(st.integers(1, 4))):
        op = draw(st.sampled_from(("+", "*", "//", "%")))
        if op == "+":
            x = x + draw(st.sampled_from((1, 2, 4, N))) * draw(leaf)
        elif op == "*":
            x = x * draw(st.sampled_from((2, 3, N)))
        elif isinstance(x, Expr):
            n = draw(st.sampled_from((2, 4, N, 2 * N, K)))
            x = x // n if op == "//" else x % n
    return x


@settings(max_examples=150, deadline=None)
@given(terms(), terms())
def test_what_it_proves_holds_at_instances(a: Any, b: Any) -> None:
    claim = equal(a, b)
    free = tuple(Var(name, bound) for name, bound in DIGITS.items())
    for stated in (claim, equal(a, a), within(a, 0, 10**6)):
        try:
            found = calculus.obligations(stated, free)
        except calculus.Stuck:
            continue
        assert found
        for values in ({"N": 1, "K": 1}, {"N": 2, "K": 3}, {"N": 3, "K": 2}):
            for i in range(4 * values["N"]):
                for j in range(values["K"]):
                    sizes: dict[str, int] = {v: values[v.name] for v in parameters((N, K))}
                    point = {**sizes, "i": i, "j": j, "k": (i + j) % 6}
                    assert at(stated, point).failure() is None, f"{stated} at {point}"


@pytest.mark.parametrize(
    "claim, quantifiers",
    [
        (lambda a, n, k: equal(view(a, n, k), fragment(a % 4, n, a // 4 + 2 * k)), {"a": 8, "n": N, "k": K}),
        (lambda x: equal((x // V) // G, x // (V * G)), {"x": V * G * N}),
        (lambda x: equal(x // V % G * V + x % V, x % (V * G)), {"x": V * G * N}),
        (lambda x, y: within(x + N * y, 0, N * K), {"x": N, "y": K}),
        (bijective(zipped_divide(Layout((32 * M, 16 * K)), (32, 16))), {}),
        (injective(assume("ld >= K")(Layout((M, K), (dims("ld"), 1)))), {}),
        (covers(Layout((4, 8, M), (0, 1, 8)), 8 * M, times=4), {}),
        (aligned(Layout((M, K), (16 * N, 16)), 16), {}),
        (equal(Layout((N, M, K), (1, N, 7)), Layout((N * M, K), (1, 7))), {}),
        (within(Layout((M, K), (K, 1)), 0, M * K), {}),
        (within(assume("M*N <= 64")(Layout((M, N), (1, M))), 0, 64), {}),
        (injective(composition(Swizzle(2, 0, 3), Layout((32, N)))), {}),
        (
            equal(
                composition(Swizzle(2, 0, 3), Layout((32, N))), composition(Swizzle(2, 0, 3), Layout(32 * N))
            ),
            {},
        ),
    ],
)
def test_proved_with_obligations_that_z3_checks(claim: Any, quantifiers: dict[str, Any]) -> None:
    verdict = prove(claim, **quantifiers)
    assert isinstance(verdict, Proved), str(verdict)
    assert verdict.engine.startswith("calculus, z3 ")
    assert verdict.certificate
    assert all("(check-sat)" in text and "(div " not in text for text in verdict.certificate)
    fast = prove(claim, engine="fast", **quantifiers)
    assert isinstance(fast, Proved)
    assert "as asked" in fast.engine


@pytest.mark.parametrize(
    "claim, quantifiers, witness",
    [
        (
            lambda a, n, k: equal(view(a, n, k), fragment(a % 4, n, a // 4 + k)),
            {"a": 8, "n": N, "k": K},
            {"N": 1, "K": 2, "a": 0, "n": 0, "k": 1},
        ),
        (injective(Layout((M, K), (N, 1))), {}, {"M": 2, "K": 2, "N": 1, "i": 1, "j": 2}),
        (aligned(Layout((M, K), (8 * N, 16)), 16), {}, {"M": 2, "K": 1, "N": 1, "i": 1}),
        (bijective(Layout((M, K), (K + 1, 1))), {}, {"K": 1, "M": 2, "i": 1}),
        (injective(assume("K <= 9")(Layout((M, K), (8, 1)))), {}, {"M": 2, "K": 9, "i": 1, "j": 16}),
        (lambda x: equal(x // V, x // (V + 1)), {"x": V * G}, {"G": 2, "V": 1, "x": 1}),
    ],
)
def test_refuted_at_the_smallest_parameters(
    claim: Any, quantifiers: dict[str, Any], witness: dict[str, int]
) -> None:
    verdict = prove(claim, **quantifiers)
    assert isinstance(verdict, Refuted), str(verdict)
    assert verdict.witness == witness


def test_what_is_missing_is_named() -> None:
    verdict = prove(lambda x: equal(x // 4 * 4 + x % 4, x + (x // 4 - x // 4)), x=N)
    assert isinstance(verdict, Unknown)
    assert verdict.missing_fact == "4 | N"
    assert "holds at all" in verdict.reason


def test_a_solver_that_says_unsat_to_everything_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from symlayout import smt

    monkeypatch.setattr(smt, "check", lambda *_: smt.Answer("unsat"))
    assert isinstance(prove(injective(Layout((M, K), (K, 1)))), Unknown)


def test_a_solver_that_refutes_the_calculus_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    from symlayout import smt

    monkeypatch.setattr(smt, "check", lambda *_: smt.Answer("sat", {}))
    with pytest.raises(EngineDisagreement):
        prove(injective(Layout((M, K), (K, 1))))


def test_a_calculus_that_errs_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculus, "obligations", lambda *_: ())
    with pytest.raises(EngineDisagreement):
        prove(injective(Layout((M, K), (1, 1))))


def test_obligations_are_text_without_symbols_of_ours() -> None:
    def body(a: Int, n: Int, k: Int) -> Claim:
        return equal(view(a, n, k), fragment(a % 4, n, a // 4 + 2 * k))

    free = (Var("a", 8), Var("n", N), Var("k", K))
    found = calculus.obligations(body(*free), free)
    assert found is not None
    text = to_smtlib(found[-1])
    assert "(set-logic QF_NIA)" in text
    assert "(declare-const |K| Int)" in text
    assert "(assert (<= 1 |K|))" in text
    assert "(assert (< |n| |N|))" in text


def test_instances_are_smallest_first() -> None:
    found = [tuple(v.values()) for v in instances((Param("N"), Param("K", 0)))]
    assert found[:5] == [(1, 0), (1, 1), (2, 0), (2, 1), (1, 2)]
    assert [v.name for v in parameters((K + 1, Layout((N, 2), (1, N))))] == ["K", "N"]


def test_premises_that_contradict_each_other_make_it_vacuous() -> None:
    claim = injective(Layout((M, K), (K, 1)))
    assert isinstance(prove(claim.given(equal(N + 1, N))), Vacuous)
    assert isinstance(prove(claim.given(equal(N, 2 * K))), Proved)
    assert isinstance(prove(injective(Layout((M, K), (N, 1))).given(equal(N, K))), Unknown)


def test_whether_a_size_is_aligned() -> None:
    refuted = prove(aligned(N, 2))
    assert isinstance(refuted, Refuted)
    assert refuted.witness == {"N": 1}
    assert isinstance(prove(aligned(4 * N, 2)), Proved)
    assert isinstance(prove(lambda a: equal(a % N, a).given(aligned(N, 2)), a=N), Proved)
    assert isinstance(prove(aligned(N, 2), engine="calculus"), Unknown)


def test_a_digit_whose_end_has_an_end_of_its_own_is_split() -> None:
    n = assume("N <= K*K")["N"]
    assert isinstance(prove(lambda a: equal(a % 2 + a // 2 * 2, a), a=2 * n), Proved)
    assert isinstance(prove(lambda a: equal(a % 2, a), a=2 * n), Refuted)
