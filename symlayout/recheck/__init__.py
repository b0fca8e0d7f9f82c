"""recheck: is a certificate true? Asked of other solvers and of plain arithmetic, not of those who wrote it.

Nothing here knows how a proof was found. Every obligation is read as SMT-LIB text and answered by cvc5, and
by bitwuzla and isl where they are installed and apply; every part of the claim is computed at every point of
its domain by `evaluator`. The two are joined by nothing but the certificate:

- an obligation with another answer than it must have, or a point where the claim fails: the certificate is
  false (exit code 1);
- all obligations answered as they must, and still a point where the claim fails: the obligations are not
  the claim's, or solvers and arithmetic disagree (4), as when two solvers do;
- no answer, or a claim that says nothing at any point: undecided (3).

Over a domain without an end a few points prove nothing. There cvc5 is asked about the claim's own words
(words.py). Where it has no answer in time, that the obligations imply the claim rests on the prover's
reasoning alone: a note says so, and `strict` makes it undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..certificate import Certificate
from .computing import Computed, compute
from .process import Answer, Ask, Worker, solvers
from .script import read_script
from .words import NoWords, question

__all__ = ["Answer", "Report", "Worker", "recheck", "solvers"]

TIME_LIMIT = 20.0  # seconds of one solver for one obligation
WORDS_LIMIT = 1.0  # and for a part in its own words, which it may well not know
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
    worded: int = 0  # parts that a solver confirmed in their own words
    resting: list[str] = field(default_factory=list)  # parts that rest on the prover's reasoning
    notes: list[str] = field(default_factory=list)  # what it is good to know all the same

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
    def points(self) -> int:
        """The points that were computed, those of all parts together."""
        return sum(c.points for c in self.computed)

    @property
    def answers(self) -> str:
        """`10 obligations: cvc5, isl`; empty when there are none."""
        total = len(self.certificate.obligations)
        whole = [name for name, n in self.answered.items() if n == total]
        some = [f"{n} by {name}" for name, n in self.answered.items() if 0 < n < total]
        worded = f", {self.worded} in the claim's own words" if self.worded else ""
        if not total:
            return ""
        return f"{total} obligation{'s' * (total != 1)}: {', '.join(whole + some)}{worded}"

    @property
    def extent(self) -> str:
        """`all 256 points`; empty when none was computed."""
        every = "all" if all(c.whole for c in self.computed) else "the first"
        return f"{every} {self.points} point{'s' * (self.points != 1)}" if self.points else ""


def steps(certificate: Certificate) -> int:
    """How often `recheck` will tick."""
    return len(certificate.obligations) + len(certificate.parts)


def recheck(
    certificate: Certificate,
    asked: Mapping[str, Ask],
    *,
    time_limit: float = TIME_LIMIT,
    strict: bool = False,
    tick: Tick = lambda: None,
) -> Report:
    """Check one certificate with the solvers of `solvers(worker)`.

    Raises NotationError for obligations and parts that are not in their language.
    """
    report = Report(certificate, answered=dict.fromkeys(asked, 0))
    for k, obligation in enumerate(certificate.obligations):
        _obligation(report, k, obligation, asked, time_limit)
        tick()
    if not certificate.parts:
        report.findings.append((UNDECIDED, "it claims nothing"))
    if certificate.verdict == "proved":
        _proved(report, asked, min(time_limit, WORDS_LIMIT), tick)
    else:
        _refuted(report, tick)
    if strict:
        report.findings += [(UNDECIDED, text) for text in report.resting]
    else:
        report.notes += report.resting
    return report


def _obligation(
    report: Report, k: int, obligation: Mapping[str, str], asked: Mapping[str, Ask], time_limit: float
) -> None:
    text, expected = obligation["smt2"], obligation["expected"]
    script = read_script(text)
    found = {name: ask(text, script, time_limit) for name, ask in asked.items()}
    answers = {name: answer for name, answer in found.items() if answer is not None}
    said = {answer.status for answer in answers.values()} - {"unknown"}
    about = (
        f"obligation {k}: {text.splitlines()[0].lstrip('; ')}" if text.startswith(";") else f"obligation {k}"
    )
    if len(said) > 1:
        words = ", ".join(f"{name} answers {answer.status}" for name, answer in answers.items())
        report.findings.append((DISAGREE, f"{about}\n  {words}"))
    elif not said:
        words = "; ".join(f"{name}: {answer.reason or 'no answer'}" for name, answer in answers.items())
        report.open.append(f"{about}\n  {words or 'no solver takes it'}")
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
    certificate = report.certificate
    for part in certificate.parts:
        found = compute(part, certificate.domain)
        if found.failure is None and not found.whole and not found.unstated:
            found = _worded(report, part, found, asked, time_limit)
        tick()
        report.computed.append(found)
        if found.unstated:
            report.findings.append((UNDECIDED, f"{part['says']}\n  {found.unstated}"))
        elif found.failure is not None:
            holds = report.exit_code == AS_STATED
            why = ", although every obligation holds: they are not the claim's" if holds else ""
            report.findings.append((DISAGREE if holds else FALSE, f"{found.where(part)}{why}"))
            return
        elif not found.spoke and not found.too_large:
            meets = "no point" if found.whole else "no point that was computed"
            report.findings.append((UNDECIDED, f"{part['says']}\n  {meets} meets its premises"))
    sure = sum(c.whole for c in report.computed) + report.worded == len(certificate.parts)
    if sure:  # each part is confirmed without the obligations
        report.notes += report.open
    else:
        report.findings += [(UNDECIDED, text) for text in report.open]
        if not certificate.obligations:
            report.findings.append((UNDECIDED, "it has no obligations, and not every point can be computed"))


def _worded(
    report: Report, part: Mapping[str, Any], found: Computed, asked: Mapping[str, Ask], time_limit: float
) -> Computed:
    """Ask the first solver about a part in its own words; what was computed, with the failure that it
    found."""
    try:
        text = question(part, report.certificate.domain)
    except NoWords as error:
        report.resting.append(f"{part['says']}\n  rests on the prover's reasoning: {error}")
        return found
    script = read_script(text)
    answers = (ask(text, script, time_limit) for ask in asked.values())
    said = next((a.status for a in answers if a is not None and a.status != "unknown"), "unknown")
    if said == "sat":
        return replace(found, failure={})
    if said == "unsat":
        report.worded += 1
    else:
        report.resting.append(
            f"{part['says']}\n  rests on the prover's reasoning: no solver answers its words"
        )
    return found


def _refuted(report: Report, tick: Tick) -> None:
    """The first part that fails must fail where the certificate says; the parts before it must hold."""
    certificate = report.certificate
    for part in certificate.parts:
        found = compute(part, certificate.domain, at=certificate.witness)
        tick()
        report.computed.append(found)
        if found.unstated:
            report.findings.append((UNDECIDED, f"{part['says']}\n  {found.unstated}"))
            return
        if found.failure is not None:
            stated = certificate.witness
            differ = {k: v for k, v in found.failure.items() if stated.get(k, v) != v}
            if differ:
                report.findings.append((FALSE, f"{found.where(part)}, not at {_show(stated)}"))
            return
    report.findings.append((FALSE, "it is not refuted: it holds at every point that was computed"))


def _show(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} = {v}" for k, v in point.items()) or "its only point"
