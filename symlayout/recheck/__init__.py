"""recheck: is a certificate true? Shown anew from what it is about, not from what its prover says of it.

The claim is the data of the certificate, for all digits of its domain that satisfy its facts. Each item of
the data is shown in one of these ways, none of which knows how a proof was found:

- every point is computed, by `evaluator` for maps and expressions and by `partition` for an mma and a copy;
- or it is shown for all values at once by the short reasons of `rules`;
- or cvc5, bitwuzla or isl find no counterexample to the question that `words` makes of the item.

`confirmed` (exit code 0) means that all items were shown, that they say something, and that the sentence in
the file is the one that the data make. The parts and obligations in the file are what the prover made of the
claim; they are looked at, and nothing rests on them:

- an obligation with another answer than it must have, or a point where the claim fails: the certificate is
  false (1);
- all obligations answered as they must, and still a point where the claim fails: the obligations are not the
  claim's, or solvers and arithmetic disagree (4), as when two solvers do;
- an item that nobody shows, a claim that says nothing, a text that is another one: undecided (3). What was
  checked is then listed in its own words.

A refutation is one point: it has to lie in the domain, satisfy the facts, and make an item false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import evaluator
from ..certificate import Certificate
from ..errors import NotationError
from ..sentence import phrase
from . import partition
from .catalogue import differs
from .computing import FAULTS, Computed, compute, place
from .process import Answer, Ask, Worker, solvers
from .rules import shown
from .script import read_script
from .witness import refutes, within_digits
from .words import NoWords, question

__all__ = ["Answer", "Report", "Worker", "recheck", "solvers"]

TIME_LIMIT = 20.0  # seconds of one solver for one obligation
WORDS_LIMIT = 2.0  # and for an item in its own words, which it may well not know; `strict` takes all the time
AS_STATED, FALSE, UNDECIDED, DISAGREE = 0, 1, 3, 4
GRAVEST_FIRST = (DISAGREE, FALSE, UNDECIDED, AS_STATED)

Tick = Callable[[], None]


@dataclass
class Report:
    """What became of one certificate: findings are (exit code, sentence), all of them fine when none is."""

    certificate: Certificate
    findings: list[tuple[int, str]] = field(default_factory=list)
    answered: dict[str, int] = field(
        default_factory=dict
    )  # solver -> obligations that it answered as they must
    computed: list[Computed] = field(default_factory=list)
    open: list[str] = field(default_factory=list)  # obligations without an answer
    worded: int = 0  # items that were shown for all values at once, by rules or a solver
    shown: list[str] = field(default_factory=list)  # items that were shown, in words
    notes: list[str] = field(default_factory=list)  # what it is good to know all the same
    wrong: bool = False  # whether an item of the claim is false

    @property
    def exit_code(self) -> int:
        codes = {code for code, _ in self.findings}
        return next((code for code in GRAVEST_FIRST if code in codes), AS_STATED)

    @property
    def verdict(self) -> str:
        return {
            AS_STATED: "confirmed",
            FALSE: "false",
            UNDECIDED: "undecided",
            DISAGREE: "disagreement",
        }[self.exit_code]

    @property
    def says(self) -> str:
        """What the verdict is about: the sentence of the data, and for a refutation that it is false, and
        where. Of an undecided certificate, what was checked."""
        if self.exit_code == UNDECIDED:
            n = len(self.shown)
            return (
                f"checked: {n} statement{'s' * (n != 1)}; "
                f"that {'it implies' if n == 1 else 'they imply'} the title was not checked"
            )
        if self.certificate.verdict == "refuted":
            return f"that it fails{place(self.certificate.witness)}: {self.certificate.sentence}"
        if self.exit_code != AS_STATED and not self.wrong:
            return "the certificate, not what it claims"
        return self.certificate.sentence

    def lines(self) -> list[str]:
        """The outcome in words."""
        found = [f"{self.verdict}: {self.says}"]
        if self.exit_code == UNDECIDED:
            found += [f"  {text}" for text in self.shown]
        called = " ".join(self.certificate.called.split())
        if called and called != self.certificate.sentence:
            found.append(f"  called by its author: {called}")
        found += [f"  {text}" for text in (self.answers, self.extent and f"{self.extent} computed") if text]
        for text in (*(text for _, text in self.findings), *self.notes):
            found += [f"  {line}" for line in text.split("\n")]
        return [_printable(line) for line in found]

    @property
    def points(self) -> int:
        """The points that were computed, those of all items together."""
        return sum(c.points for c in self.computed)

    @property
    def answers(self) -> str:
        """`10 obligations: cvc5, isl`; empty when there are none."""
        total = len(self.certificate.obligations)
        whole = [name for name, n in self.answered.items() if n == total]
        some = [f"{n} by {name}" for name, n in self.answered.items() if 0 < n < total]
        worded = f"{self.worded} shown for all values at once" if self.worded else ""
        obligations = f"{total} obligation{'s' * (total != 1)}: {', '.join(whole + some)}" if total else ""
        return ", ".join(filter(None, (obligations, worded)))

    @property
    def extent(self) -> str:
        """`all 256 points`; empty when none was computed."""
        every = "all" if all(c.whole for c in self.computed) else "the first"
        return f"{every} {self.points} point{'s' * (self.points != 1)}" if self.points else ""


def _printable(line: str) -> str:
    """One line, whatever is in it: a certificate cannot begin another, or steer a terminal."""
    return "".join(c for c in re.sub(r"[\n\r\t]", " ", line) if c.isprintable())


def steps(certificate: Certificate) -> int:
    """How often `recheck` will tick."""
    return len(certificate.obligations) + len(certificate.items)


def recheck(
    certificate: Certificate,
    asked: Mapping[str, Ask],
    *,
    time_limit: float = TIME_LIMIT,
    strict: bool = False,
    tick: Tick = lambda: None,
) -> Report:
    """Check one certificate with the solvers of `solvers(worker)`. `strict` gives them all of their time for
    every item too, and wants every obligation answered.

    Raises NotationError for obligations and items that are not in their language.
    """
    report = Report(certificate, answered=dict.fromkeys(asked, 0))
    _its_own_words(report)
    for k, obligation in enumerate(certificate.obligations):
        _obligation(report, k, obligation, asked, time_limit)
        tick()
    if not certificate.items:
        report.findings.append((UNDECIDED, "it claims nothing"))
    if certificate.verdict == "proved":
        if certificate.witness:
            report.findings.append((UNDECIDED, "it is said to be proved, and has a witness"))
        _proved(report, asked, time_limit if strict else min(time_limit, WORDS_LIMIT), tick)
        if strict:
            report.findings += [(UNDECIDED, text) for text in report.open]
        else:
            report.notes += report.open
    else:
        _refuted(report, tick)
    return report


def _its_own_words(report: Report) -> None:
    """The text and the parts are those of the data; the instructions are those of the catalogue."""
    certificate = report.certificate
    if certificate.claim != certificate.sentence:
        report.findings.append(
            (UNDECIDED, f"its text is not what its data say, which is\n  {certificate.sentence}")
        )
    for part in certificate.parts:
        if part["says"] != phrase(part):
            report.findings.append((UNDECIDED, f"a part says what is not in it:\n  {part['says']}"))
    own = [{k: v for k, v in part.items() if k != "says"} for part in certificate.parts]
    stated = [item for item in certificate.items if item["kind"] not in partition.KINDS]
    if [item for item in stated if item not in own] or (
        len(stated) == len(certificate.items) and own != stated
    ):
        report.findings.append((UNDECIDED, "its parts are not those of its data"))
    report.findings += [(UNDECIDED, text) for item in certificate.items for text in differs(item)]


def _obligation(
    report: Report, k: int, obligation: Mapping[str, str], asked: Mapping[str, Ask], time_limit: float
) -> None:
    text, expected = obligation["smt2"], obligation["expected"]
    script = read_script(text)
    found = {name: ask(text, script, time_limit) for name, ask in asked.items()}
    answers = {name: answer for name, answer in found.items() if answer is not None}
    said = {answer.status for answer in answers.values()} - {"unknown"}
    about = f"obligation {k}"
    if text.startswith(";"):
        about += f", which its author calls: {text.splitlines()[0].lstrip('; ')}"
    if len(said) > 1:
        who = ", ".join(f"{name} answers {answer.status}" for name, answer in answers.items())
        report.findings.append((DISAGREE, f"{about}\n  {who}"))
    elif not said:
        who = "; ".join(f"{name}: {answer.reason or 'no answer'}" for name, answer in answers.items())
        report.open.append(f"{about}\n  {who or 'no solver takes it'}")
    elif said != {expected}:
        by = ", ".join(name for name, answer in answers.items() if answer.status in said)
        code, why = (FALSE, "it has a counterexample")
        if expected == "sat":
            code, why = (UNDECIDED, "no point meets the premises, so the claim says nothing")
        report.findings.append((code, f"{about}\n  {by}: {said.pop()}, must be {expected}: {why}"))
    else:
        for name, answer in answers.items():
            report.answered[name] += answer.status == expected


def _proved(report: Report, asked: Mapping[str, Ask], time_limit: float, tick: Tick) -> None:
    for item in report.certificate.items:
        found = compute(item, report.certificate.domain, report.certificate.facts)
        report.computed.append(found)
        tick()
        if found.failure is not None:
            _false(report, found.where(item))
            return
        if not found.spoke and not found.unstated:
            meets = "no point" if found.whole else "no point that was computed"
            report.findings.append((UNDECIDED, f"{phrase(item)}\n  says nothing: {meets} meets its premises"))
            continue
        said = "unsat" if found.whole else _at_once(report, item, asked, time_limit)
        if said == "sat":
            _false(report, f"{phrase(item)}\n  is false, a solver finds")
            return
        if said == "unsat":
            report.shown.append(phrase(item))
            report.worded += not found.whole
        else:
            why = found.unstated or "too many points to compute them all, no rule and no solver shows it"
            report.findings.append((UNDECIDED, f"{phrase(item)}\n  is not shown: {why}"))


def _at_once(report: Report, item: Mapping[str, Any], asked: Mapping[str, Ask], time_limit: float) -> str:
    """`unsat` where an item is shown for all values, by rules or by a solver, `sat` where a solver finds that
    it is false."""
    certificate = report.certificate
    if shown(item, certificate.domain, certificate.facts):
        return "unsat"
    try:
        text = question(item, certificate.domain, certificate.facts)
    except NoWords:
        return "unknown"
    script = read_script(text)
    answers = (ask(text, script, time_limit) for ask in asked.values())
    return next((a.status for a in answers if a is not None and a.status != "unknown"), "unknown")


def _false(report: Report, text: str) -> None:
    """An item of the claim is false."""
    report.wrong = True
    holds = report.exit_code in (AS_STATED, UNDECIDED)
    why = ", although every obligation holds: they are not the claim's" if holds else ""
    report.findings.append((DISAGREE if holds else FALSE, f"{text}{why}"))


def _refuted(report: Report, tick: Tick) -> None:
    """Some item has to fail where the certificate says."""
    certificate = report.certificate
    names = {digit["name"] for digit in certificate.domain}
    point = {name: x for name, x in certificate.witness.items() if name in names}
    where = {name: x for name, x in certificate.witness.items() if name not in names}
    try:
        outside = _outside(certificate, point)
        fails = not outside and any(_fails(report, item, point, where) for item in certificate.items)
        if outside:
            report.findings.append((FALSE, f"its witness is not one{place(certificate.witness)}: {outside}"))
        elif not fails:
            report.findings.append(_elsewhere(report, point))
    except FAULTS as error:
        raise NotationError(f"not a claim: {error}") from None
    for _ in certificate.items:
        tick()


def _outside(certificate: Certificate, point: Mapping[str, Any]) -> str:
    """Why a witness is not a point that the claim speaks of; empty if it is one."""
    if any(type(x) is not int for x in certificate.witness.values()):
        return "its values are not integers"
    if not within_digits(certificate.domain, point):
        return "it does not lie in the domain"
    broken = [fact for fact in certificate.facts if not evaluator.holds(fact, point)]
    return f"{broken[0]} does not hold there" if broken else ""


def _fails(
    report: Report, item: Mapping[str, Any], point: Mapping[str, int], where: Mapping[str, int]
) -> bool:
    """Whether an item is false at the witness."""
    if item["kind"] == "unstated" or not all(evaluator.holds(r, point) for r in item["given"]):
        return False
    try:
        if item["kind"] in partition.KINDS:
            failure, visited = partition.at(item, point)
            report.computed.append(Computed(visited, 1, False))
            return failure == dict(where)
        if refutes(item, point, dict(where)):
            report.computed.append(Computed(1, 1, False))
            return True
    except (partition.Unknown, OverflowError):
        return False
    return False


def _elsewhere(report: Report, point: Mapping[str, int]) -> tuple[int, str]:
    """Where the claim fails at the witness's point of the domain, if not where the witness says; undecided
    where an item cannot be computed there."""
    witness = report.certificate.witness
    for item in report.certificate.items:
        failure = None
        try:
            if item["kind"] in partition.KINDS:
                failure, _ = partition.at(item, point)
            elif item["kind"] == "unstated":
                return UNDECIDED, f"{phrase(item)}\n  cannot be computed at its witness"
            else:
                _, failure = evaluator.at(item, _with_own(item, point, witness))
        except (partition.Unknown, OverflowError) as error:
            return UNDECIDED, f"{phrase(item)}\n  was not computed at its witness: {error}"
        if failure is not None:
            return FALSE, f"{phrase(item)}\n  is false{place({**point, **failure})}, not{place(witness)}"
    return FALSE, "it is not refuted: it holds where its witness says"


def _with_own(
    item: Mapping[str, Any], point: Mapping[str, int], witness: Mapping[str, Any]
) -> dict[str, int]:
    """The point with the digits of an item of its own, from the witness or their least."""
    own = {digit["name"]: witness.get(digit["name"], digit["from"]) for digit in item.get("digits", ())}
    return {**point, **own}
