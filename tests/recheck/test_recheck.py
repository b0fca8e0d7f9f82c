"""Certificates that are true, false, forged, vacuous and unanswerable, and solvers that lie."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from symlayout import Layout, all_of, bijective, equal, injective, prove
from symlayout.certificate import Certificate, certify, hash_of, load
from symlayout.errors import NotationError
from symlayout.recheck import Answer, Report, Worker, recheck, solvers, steps
from symlayout.recheck.process import Ask
from symlayout.recheck.script import Script
from symlayout.sentence import phrase
from symlayout.symbolic import Int

TRUE = "(set-logic QF_LIA)(declare-const a Int)(assert (not (= a a)))(check-sat)"


def stubs(**words: str | None) -> dict[str, Ask]:
    """Solvers that answer the same to everything; None: it is not of their kind."""
    return {name: stub(word) for name, word in words.items()}


def stub(word: str | None) -> Ask:
    def ask(_text: str, _script: Script, _seconds: float) -> Answer | None:
        return None if word is None else Answer(word, "it is a stub")

    return ask


@pytest.fixture(scope="module")
def asked() -> Iterator[Mapping[str, Ask]]:
    with Worker() as worker:
        yield solvers(worker)


def wraps(a: Int) -> Any:
    return equal(a % 4 + 4 * (a // 4), a)


@pytest.fixture(scope="module")
def true() -> Certificate:
    return certify(wraps, prove(wraps, a=8), {"a": 8})


def forged(certificate: Certificate, **changed: Any) -> Certificate:
    """What somebody who titles and hashes anew can make a reader accept."""
    content = {**certificate.content, **changed}
    text = Certificate(content).sentence
    made = Certificate({**content, "claim": {**content["claim"], "text": text}})
    assert load(made.text().encode()) == made
    return made


def obligation(text: str, expected: str = "unsat") -> dict[str, str]:
    return {"smt2": text, "sha256": hash_of(text), "expected": expected}


def claim(*hold: str, given: tuple[str, ...] = ()) -> dict[str, Any]:
    return of({"kind": "relations", "given": list(given), "hold": list(hold), "digits": []})


def of(*items: dict[str, Any]) -> dict[str, Any]:
    """A claim of these items, which are its parts as well."""
    return {
        "text": "",
        "called": "somebody claims it",
        "data": {"kind": "all of", "claims": list(items)},
        "parts": [{"says": phrase(item), **item} for item in items],
    }


def findings(report: Report) -> str:
    return "\n".join(text for _, text in report.findings)


def test_a_true_one_is_confirmed(true: Certificate, asked: Mapping[str, Ask]) -> None:
    ticks: list[None] = []
    report = recheck(true, asked, tick=lambda: ticks.append(None))
    assert (report.exit_code, report.verdict, report.findings) == (0, "confirmed", [])
    assert report.answered["cvc5"] == report.answered["isl"] == len(true.obligations)
    assert (report.points, report.extent) == (8, "all 8 points")
    assert report.answers.startswith(f"{len(true.obligations)} obligation")
    assert len(ticks) == steps(true)


@pytest.mark.parametrize(
    "layout, points",
    [(Layout((4, (2, 8)), (1, (32, 4))), 64), (Layout((8, 4), (4, 1)), 32)],
)
def test_claims_about_layouts(layout: Layout, points: int, asked: Mapping[str, Ask]) -> None:
    stated = all_of(injective(layout), bijective(layout))
    report = recheck(certify(stated, prove(stated)), asked)
    assert report.exit_code == 0
    assert report.points == 3 * points + 1


def test_refutations_are_computed_again(asked: Mapping[str, Ask]) -> None:
    stated = injective(Layout((4, 2), (1, 3)))
    certificate = certify(stated, prove(stated))
    assert recheck(certificate, asked).exit_code == 0
    elsewhere = recheck(forged(certificate, witness={"i": 3, "j": 5}), asked)
    assert elsewhere.exit_code == 1
    assert "is false at i = 3, j = 4, not at i = 3, j = 5" in findings(elsewhere)


def test_a_refutation_of_what_holds_is_false(true: Certificate, asked: Mapping[str, Ask]) -> None:
    report = recheck(forged(true, verdict="refuted", witness={"a": 0}), asked)
    assert report.exit_code == 1
    assert "it is not refuted" in findings(report)


# --- forgeries ----------------------------------------------------------------------------------------------


def test_a_false_claim_over_true_obligations(true: Certificate, asked: Mapping[str, Ask]) -> None:
    report = recheck(forged(true, claim=claim("a%4 = a")), asked)
    assert (report.exit_code, report.verdict) == (4, "disagreement")
    assert "is false at a = 4, although every obligation holds" in findings(report)


def test_a_false_claim_with_its_false_obligation(true: Certificate, asked: Mapping[str, Ask]) -> None:
    text = "; a%4 = a\n(set-logic QF_LIA)(declare-const a Int)(assert (not (< a 4)))(check-sat)"
    report = recheck(forged(true, claim=claim("a%4 = a"), obligations=[obligation(text)]), asked)
    assert (report.exit_code, report.verdict) == (1, "false")
    assert "obligation 0, which its author calls: a%4 = a" in findings(report)
    assert "sat, must be unsat: it has a counterexample" in findings(report)


def test_a_false_claim_without_obligations(true: Certificate, asked: Mapping[str, Ask]) -> None:
    report = recheck(forged(true, claim=claim("a%4 = a"), obligations=[]), asked)
    assert report.exit_code == 4


@pytest.mark.parametrize("below", [None, 10**9])
@pytest.mark.parametrize("hold", ["a < 100", "a != 123456789", "a ^ 64 = a + 64"])
def test_a_false_claim_that_is_true_of_small_numbers(
    true: Certificate, hold: str, below: int | None, asked: Mapping[str, Ask]
) -> None:
    domain = [{"name": "a", "from": 0, "below": below}]
    report = recheck(forged(true, claim=claim(hold), domain=domain), asked)
    assert report.exit_code in (1, 4)


def test_a_claim_without_an_end_that_is_true(true: Certificate, asked: Mapping[str, Ask]) -> None:
    domain = [{"name": "a", "from": 0, "below": None}]
    report = recheck(forged(true, domain=domain), asked)
    assert (report.exit_code, report.worded) == (0, 1)
    assert report.extent.startswith("the first ")


@pytest.mark.parametrize("strict", [False, True])
def test_obligations_do_not_stand_for_the_claim(true: Certificate, strict: bool) -> None:
    domain = [{"name": "a", "from": 0, "below": None}]
    own = {o["smt2"] for o in true.obligations}
    squares = claim("a*a >= 2*a - 1", "a%4 + 4*(a//4) = a")

    def ask(text: str, _script: Script, _seconds: float) -> Answer:
        return Answer("unsat" if text in own else "unknown")

    report = recheck(forged(true, domain=domain, claim=squares), {"cvc5": ask}, strict=strict)
    assert (report.exit_code, report.verdict, report.worded) == (3, "undecided", 0)
    assert report.says == "checked: 0 statements; that they imply the title was not checked"
    assert "is not shown: too many points to compute them all" in findings(report)
    shown = recheck(forged(true, domain=domain, claim=squares), stubs(cvc5="unsat"), strict=strict)
    assert (shown.exit_code, shown.worded) == (0, 1)


def test_digits_of_a_part_are_walked_too(true: Certificate, asked: Mapping[str, Ask]) -> None:
    own = {"name": "j_0", "from": 0, "below": "a + 1"}
    item = {"kind": "relations", "given": [], "hold": ["j_0 <= a"], "digits": [own]}
    stated = of(item)
    report = recheck(forged(true, claim=stated), asked)
    assert (report.exit_code, report.points) == (0, 36)
    endless = [{"name": "a", "from": 0, "below": None}]
    assert recheck(forged(true, claim=stated, domain=endless), asked).worded == 1
    wrong = recheck(forged(true, claim=of({**item, "hold": ["j_0 < a"]})), asked)
    assert "is false at a = 0, j_0 = 0" in findings(wrong)


def test_an_obligation_without_an_answer_is_no_matter_where_all_points_are_computed(
    true: Certificate,
) -> None:
    report = recheck(true, stubs(cvc5="unknown"))
    assert (report.exit_code, report.extent) == (0, "all 8 points")
    assert "no answer" in report.notes[0] or "it is a stub" in report.notes[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"claim": of()},
        {"claim": claim()},
        {"claim": of({"kind": "covers", "given": [], "map": "4:1", "n": "-1", "times": None})},
        {"claim": of({"kind": "covers", "given": [], "map": "4:1", "n": "0", "times": "1"})},
        {"claim": claim("a = a"), "facts": ["a > 100"]},
        {"claim": claim("a = 5", given=("a > 100",))},
        {"domain": [{"name": "a", "from": 8, "below": 8}]},
        {"domain": [{"name": "a", "from": 8, "below": "a - 9"}]},
        {"claim": of({"kind": "unstated", "given": [], "why": "no"})},
        {"obligations": [obligation("(set-logic QF_LIA)(assert false)(check-sat)", "sat")]},
    ],
)
def test_a_claim_that_says_nothing_is_not_confirmed(
    true: Certificate, changed: dict[str, Any], asked: Mapping[str, Ask]
) -> None:
    if "a - 9" in str(changed):
        with pytest.raises(NotationError):
            recheck(forged(true, **changed), asked)
    else:
        assert recheck(forged(true, **changed), asked).exit_code == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"claim": claim("__import__('os').getpid() = 0")},
        {"claim": claim("b = a")},
        {"claim": claim("a//0 = 0")},
        {"obligations": [obligation("(set-logic QF_LIA)(assert false)(check-sat)(reset)")]},
        {"obligations": [obligation("nonsense")]},
    ],
)
def test_words_that_are_of_no_language(
    true: Certificate, changed: dict[str, Any], asked: Mapping[str, Ask]
) -> None:
    with pytest.raises(NotationError):
        recheck(forged(true, **changed), asked)


# --- solvers that lie, or do not know -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, code",
    [
        ({"cvc5": "unsat"}, 0),
        ({"cvc5": "sat"}, 1),
        ({"cvc5": "unknown"}, 0),
        ({"cvc5": "unsat", "isl": "sat"}, 4),
        ({"cvc5": "sat", "isl": "unsat"}, 4),
        ({"cvc5": "unknown", "isl": "unsat"}, 0),
        ({"cvc5": "unknown", "isl": "sat"}, 1),
        ({"cvc5": "unsat", "isl": "unknown"}, 0),
        ({"cvc5": "unsat", "isl": None}, 0),
        ({"cvc5": "sat", "isl": None, "bitwuzla": "sat"}, 1),
    ],
)
def test_what_solvers_say(true: Certificate, words: dict[str, str | None], code: int) -> None:
    assert recheck(true, stubs(**words)).exit_code == code


def test_who_has_no_answer_is_named(true: Certificate) -> None:
    endless = forged(true, domain=[{"name": "a", "from": 0, "below": None}])
    report = recheck(endless, stubs(cvc5="unknown", isl="unknown"))
    assert (report.exit_code, report.worded) == (0, 1)
    assert "cvc5: it is a stub; isl: it is a stub" in report.notes[0]
    strict = recheck(endless, stubs(cvc5="unknown", isl="unknown"), strict=True)
    assert (strict.exit_code, strict.verdict) == (3, "undecided")
    assert "cvc5: it is a stub; isl: it is a stub" in findings(strict)


def test_a_solver_that_says_yes_to_everything_does_not_save_a_false_claim(true: Certificate) -> None:
    report = recheck(forged(true, claim=claim("a%4 = a")), stubs(cvc5="unsat", isl="unsat", bitwuzla="unsat"))
    assert report.exit_code == 4


def test_impossible_premises() -> None:
    def given(a: Int) -> Any:
        return wraps(a).given(equal(a % 2, 0))

    certificate = certify(given, prove(given, a=8), {"a": 8})
    assert certificate.obligations[0]["expected"] == "sat"
    report = recheck(certificate, stubs(cvc5="unsat"))
    assert report.exit_code == 3
    assert "no point meets the premises" in findings(report)
