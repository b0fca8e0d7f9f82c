"""z3 behind one file: what is asked is what was meant, and nothing but `unsat` proves."""

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from symlayout import smt
from symlayout.claims import equal, injective
from symlayout.decide import prove
from symlayout.errors import EngineDisagreement, UnsupportedError
from symlayout.formula import Obligation, Relation
from symlayout.layout import Layout
from symlayout.smt import Answer
from symlayout.smtlib import to_smtlib
from symlayout.swizzle import Swizzle
from symlayout.symbolic import Int, Var, evaluate, variables
from symlayout.verdict import Bounded, Proved, Unknown
from tests.expressions import expressions, points


def ask(obligation: Obligation) -> Answer:
    return smt.check(to_smtlib(obligation), tuple(v.name for v in obligation.digits))


def least(obligation: Obligation) -> dict[str, int] | None:
    """The least counterexample by trying everything."""
    for point in points(*obligation.digits):
        if not obligation.holds(point):
            return point
    return None


@settings(max_examples=60, deadline=None)
@given(expressions(), expressions())
def test_z3_agrees_with_trying_everything(x: Int, y: Int) -> None:
    for op in ("=", "<=", "!="):
        obligation = Obligation("fuzz", variables(x, y), (), (Relation(op, x, y),))
        answer, expected = ask(obligation), least(obligation)
        assert answer.status == ("unsat" if expected is None else "sat"), to_smtlib(obligation)
        if answer.model is not None and expected is not None:
            assert not obligation.holds(answer.model)
            assert smt.least_model(obligation, answer.model) == (expected, True)


def test_premises_restrict() -> None:
    a = Var("a", 16)
    obligation = Obligation("", (a,), (Relation("=", a % 4, 0),), (Relation("=", a % 2, 0),))
    assert ask(obligation).status == "unsat"
    assert smt.check(to_smtlib(obligation, goal=False)).status == "sat"
    contradiction = Obligation("", (a,), (Relation(">", a, 20),), (Relation("=", a, 0),))
    assert smt.check(to_smtlib(contradiction, goal=False)).status == "unsat"


def test_quotients_are_two_fresh_integers() -> None:
    lane = Var("lane", 32)
    text = to_smtlib(Obligation("split", (lane,), (), (Relation("=", lane // 4 * 4 + lane % 4, lane),)))
    assert text.startswith("; split\n(set-logic QF_LIA)\n")
    assert text.endswith("(check-sat)\n")
    assert not re.search(r"\((div|mod) ", text)
    assert text.count("(declare-const |quotient.") == 1, "one pair serves both // and %"
    assert smt.check(text).status == "unsat"


def test_xor_goes_to_bit_vectors_of_sufficient_width() -> None:
    i = Var("i", 1024)
    swizzle = Swizzle(3, 3, 3)
    obligation = Obligation("involution", (i,), (), (Relation("=", swizzle(swizzle(i)), i),))
    text = to_smtlib(obligation)
    assert "(set-logic QF_BV)" in text
    assert ask(obligation).status == "unsat"
    moved = Obligation("moved", (i,), (), (Relation("=", swizzle(i), i),))
    answer = ask(moved)
    assert answer.model is not None
    assert smt.least_model(moved, answer.model) == ({"i": 64}, True)


def test_negative_values_and_odd_divisors_in_bit_vectors() -> None:
    x, y = Var("x", 9, -7), Var("y", 6)
    for e in ((x * 5 - y) // 3 ^ 1, (x - 40) % 7 ^ y, (x * y) // 4 ^ 2, (y - x * 6) // 12 | 1):
        obligation = Obligation("", (x, y), (), (Relation("<", e, 3),))
        answer, expected = ask(obligation), least(obligation)
        assert answer.status == ("sat" if expected else "unsat")
        if answer.model and expected:
            assert smt.least_model(obligation, answer.model) == (expected, True)


def test_a_term_used_twice_does_not_double() -> None:
    x: Int = Var("i", 1 << 12)
    for _ in range(40):
        x = x ^ ((x >> 3) & 63)
    text = to_smtlib(Obligation("", variables(x), (), (Relation("=", x, x),)))
    assert len(text) < 40_000
    assert smt.check(text).status == "unsat"


def test_bit_operations_need_bounds() -> None:
    p = Var("p", None)
    with pytest.raises(UnsupportedError, match="a range without an end"):
        to_smtlib(Obligation("", (p,), (), (Relation("=", p ^ 3, p),)))


def test_every_digit_of_an_obligation_is_quantified() -> None:
    a, b = Var("a", 2), Var("b", 2)
    with pytest.raises(ValueError, match=r"the digit Var\('b', 2\) in `a = b` is not quantified"):
        Obligation("", (a,), (), (Relation("=", a, b),))
    with pytest.raises(ValueError, match="two digits of one name"):
        Obligation("", (a, Var("a", 3)), (), ())


def test_time_limit_is_no_proof() -> None:
    rng = random.Random(1)
    digits = tuple(Var(f"d{k}", 1 << 20) for k in range(12))
    total: Int = 0
    for d in digits:
        total = total + d * rng.randrange(1 << 30, 1 << 31)
    hard = Obligation("", digits, (Relation(">", total, 0),), (Relation("!=", total % 1000003, 7919),))
    answer = smt.check(to_smtlib(hard), (), time_limit=0.001)
    assert answer.status in ("unknown", "sat")
    assert answer.status != "unknown" or answer.reason.startswith("z3: ")


def test_a_script_that_z3_refuses_is_unknown() -> None:
    assert smt.check("(assert (= 1 x))").status == "unknown"


FALSE_CLAIM = Layout((4, 4), (1, 3))


def lies(status: str, model: dict[str, int] | None = None) -> object:
    return lambda text, names=(), time_limit=0.0: Answer(status, model, "as told")


def test_a_solver_that_always_says_unsat_never_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "check", lies("unsat"))
    for limit in (1 << 16, 0):
        with pytest.raises(EngineDisagreement):
            prove(injective(FALSE_CLAIM), confirm_up_to=limit)
        with pytest.raises(EngineDisagreement):
            prove(lambda a: equal(a % 4, a), a=8, confirm_up_to=limit)


def test_a_solver_that_lies_about_the_goal_is_caught_by_computing(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = smt.check

    def check(text: str, names: tuple[str, ...] = (), time_limit: float = 1.0) -> Answer:
        return Answer("unsat") if "(assert (not " in text else honest(text, names, time_limit)

    monkeypatch.setattr(smt, "check", check)
    with pytest.raises(EngineDisagreement, match=r"z3 proves `a%4 = a`, but it fails:\nat a = 4"):
        prove(lambda a: equal(a % 4, a), a=8)
    with pytest.raises(EngineDisagreement, match="but it fails"):
        prove(injective(FALSE_CLAIM))


def test_a_bogus_counterexample_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "check", lies("sat", {"a": 1}))
    with pytest.raises(EngineDisagreement, match=r"z3's counterexample \{'a': 1\} to `.*` is not one"):
        prove(lambda a: equal(a % 4, a), a=4)
    with pytest.raises(EngineDisagreement, match="is not one"):
        prove(lambda a: equal(a % 4, a), a=4, confirm_up_to=0)


def test_no_answer_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "check", lies("unknown"))
    computed = prove(lambda a: equal(a % 4, a), a=4)
    assert isinstance(computed, Bounded)
    assert (computed.instances, computed.exit_code) == (4, 3)
    nothing = prove(lambda a: equal(a % 4, a), a=4, confirm_up_to=0)
    assert isinstance(nothing, Unknown)
    assert nothing.reason == "as told"
    refuted = prove(lambda a: equal(a % 4, a), a=8)
    assert refuted.name == "refuted", "a computed counterexample needs no solver"


def test_certificates_are_scripts_that_z3_answers_unsat() -> None:
    verdict = prove(lambda a, b: equal((a + 2 * b) // 2, b), a=2, b=4)
    assert isinstance(verdict, Proved)
    assert verdict.engine.endswith(smt.version())
    assert [smt.check(text).status for text in verdict.certificate] == ["unsat"]


# --- the text, given to z3 with the digits pinned: what a mistake in it would hide from a claim ---

FAR, NEAR, OPEN = Var("x", 130, -61), Var("y", 12, -3), Var("x", None, None)
ARITHMETIC: list[Callable[[Int, int], Int]] = [
    lambda x, n: x // n,
    lambda x, n: x % n,
    lambda x, n: x // n % 3,
    lambda x, n: x % n // 2,
    lambda x, n: (x * 3 - n) // n,
    lambda x, n: x // n * n - x % n,
]
WITH_BITS: list[Callable[[Int, int], Int]] = [
    lambda x, n: x & ((1 << n) - 1),
    lambda x, n: x & (6 << (n % 4)),
    lambda x, n: x & 5,
    lambda x, n: (x ^ n) // n,
    lambda x, n: (x | 4) % n,
    lambda x, n: x * NEAR % n,
]


def only_value(e: Int, point: dict[str, int]) -> bool:
    """Whether z3 finds the expression's value at a point, and no other."""
    digits = variables(e)
    at = tuple(Relation("=", v, point[v.name]) for v in digits)
    value = evaluate(e, point)
    no_other = Obligation("", digits, at, (Relation("=", e, value),))
    this = Obligation("", digits, (*at, Relation("=", e, value)), ())
    return (
        smt.check(to_smtlib(no_other)).status == "unsat"
        and smt.check(to_smtlib(this, goal=False)).status == "sat"
    )


@pytest.mark.parametrize(
    "made, digit", [*((f, FAR) for f in ARITHMETIC + WITH_BITS), *((f, OPEN) for f in ARITHMETIC)]
)
def test_a_script_has_the_value_at_a_point_and_no_other(made: Callable[[Int, int], Int], digit: Var) -> None:
    for n in (1, 2, 3, 7, 8, 12):
        e = made(digit, n)
        for x in (-61, -13, -12, -8, -7, -1, 0, 1, 6, 7, 8, 11, 12, 23, 24, 128, 129):
            point = {"x": x, "y": x % 15 - 3}
            assert isinstance(e, int) or only_value(e, point), f"{e} at {point}"


def test_bits_hold_a_multiple_below_the_dividend() -> None:
    """7 * 1 + 6 = 13 is -3 in four bits, which the range of x alone would take: -3 = 7 * -1 + 4 only."""
    x = Var("x", 8, -8)
    for e in (x % 7 | x % 7, x // 7 ^ x // 7 * 2):
        assert all(only_value(e, {"x": k}) for k in range(-8, 8))
