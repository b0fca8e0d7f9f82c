"""Claims over parameters, for all their values: proved by an engine, or refuted at the smallest ones.

    prove(lambda a, n, k: equal(R(a, n, k), F(a % 4, n, a // 4 + 2 * k)), a=8, n=N, k=K)

with Dims in the layouts or as bounds. For each part of the claim:

1. The facts that `assume` was given have to be possible: a small point meets them all, or z3 finds one.
   Where z3 says that there is none the verdict is Vacuous.
2. The engines of `ENGINES` are asked in turn, as `decide` asks its own. One that says the part holds names
   obligations over parameters and digits; only z3's `unsat` for each makes it Proved. z3 has to find a point
   of the domain first, so a solver that answers `unsat` to everything is found out.
3. The claim is computed at points of small instances, those with the smallest parameters first (see
   `admissible.instances`). Proved and yet false there is a defect and raises EngineDisagreement.
4. Where no engine proves it, `bounded` refutes it by the first instance that fails; if none does the verdict
   is Unknown, with the fact that would let an engine go on, if one knows it.

Every point that is computed meets all the facts as they were given: what an engine set aside can keep it from
a proof, and never makes a refutation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import accumulate, islice
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

from .assumed import EACH, domain_of, instances
from .claim import Claim, Failure, Pointwise
from .domain import domain_text
from .engines import Finding, Holds, Open
from .engines.digit_work import Calculus, Stuck
from .errors import EngineDisagreement, UnsupportedError
from .explain import describe
from .formula import Obligation
from .inttuple import flatten_to_tuple
from .layout import Layout
from .map_claims import Covers, EqualMaps, EveryValue, Injective
from .names import together
from .over_parameters import at, distinct, layouts_in, parameters
from .polynomial import Param
from .possible import Possible
from .question import Question, statement
from .smtlib import to_smtlib
from .symbolic import Var
from .verdict import Proved, Refuted, Unknown, Vacuous, Verdict, worst

if TYPE_CHECKING:
    from .smt import Answer

__all__ = ["at", "instances", "is_parametric", "parameters", "prove_parametric"]

ENGINES = ("calculus", "residues", "bounded")  # that know parameters; the others have no answer
MOST_ENDS = 8
END_POINTS = 1 << 12  # of an instance that is computed because it is at an end of something
POINTS = 500  # points that are computed, over all of them, where no proof is found
CONFIRMING = 60  # and where one is
WALKED = 1 << 20  # points of one part at one choice of parameters and digits: no instance is small beyond


def is_parametric(question: Question) -> bool:
    return bool(parameters((question.free, question.claim)))


@dataclass(frozen=True)
class Asked:
    """How a question is to be answered: `engine` and `confirm_up_to` as in `prove`."""

    says: str
    time_limit: float
    confirm_up_to: int
    engine: str = ""

    @property
    def judged(self) -> bool:
        """Whether z3 has the last word."""
        return self.engine != "fast"

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that are asked."""
        return ENGINES if self.engine in ("", "fast") else (self.engine,)


def prove_parametric(
    question: Question, says: str, time_limit: float, confirm_up_to: int = CONFIRMING, engine: str = ""
) -> Verdict:
    """The verdict for all values of the parameters. `engine="fast"` leaves z3 out."""
    free, claim = distinct((question.free, question.claim))
    question = replace(question, free=free, claim=claim)
    found = parameters((free, claim))
    over = f"for all {domain_text(found)}"
    if not says and question.free:  # the digits after the parameters that they depend on
        stated = f"{over}, {statement(question).removeprefix('for all ')}"
    else:
        stated = f"{over}: {says or statement(question)}"
    asked = Asked(stated, time_limit, confirm_up_to, engine)
    domain = Possible(found, time_limit if asked.judged else 0.0)
    if domain.status == "unsat":
        return Vacuous(stated, f"no values meet the facts: {domain.facts}")
    if domain.status != "sat":
        reason = f"whether any values meet the facts {domain.facts} is not known: {domain.reason}"
        return Unknown(stated, reason)
    verdicts: list[Verdict] = []
    parts = question.claim.parts()
    answers: dict[str, Answer] = {}
    for k, part in enumerate(parts):
        verdict = _Part(question, part, k, len(parts), domain, asked, answers).verdict()
        if isinstance(verdict, Refuted):
            return verdict
        verdicts.append(verdict)
    least = worst(verdicts)
    if not isinstance(least, Proved):
        return least
    proved = [v for v in verdicts if isinstance(v, Proved)]
    certificate = tuple(dict.fromkeys(text for v in proved for text in v.certificate))
    points = min(v.instances for v in proved)
    engines = " and ".join(dict.fromkeys(v.engine for v in proved))
    checked = (_checked(points),) if points else ()
    return Proved(stated, _who(engines, asked), certificate, checked, points)


def _who(engines: str, asked: Asked) -> str:
    """Who decided and who judged."""
    if not asked.judged:
        return f"{engines} alone, as asked"
    from . import smt

    return f"{engines}, {smt.version()}"


def _checked(points: int) -> str:
    if not points:
        return "no instance is small enough to be computed"
    return f"computed at {points} points of small instances"


Failed: TypeAlias = tuple[
    dict[str, int], Failure
]  # a point of the parameters and digits, and what fails there


class _Part:
    """One part of a claim over parameters."""

    def __init__(
        self,
        question: Question,
        part: Claim,
        k: int,
        parts: int,
        domain: Possible,
        asked: Asked,
        answers: dict[str, Answer],
    ) -> None:
        self.answers = answers
        self.question = question
        self.part = part
        self.k = k
        self.label = part.label if parts > 1 else ""
        self.domain = domain
        self.params = domain.params
        self.asked = asked
        self.says = asked.says
        self.points = 0
        self.holds = ""  # for which parameters the part does not fail, in words

    def verdict(self) -> Verdict:
        if self.part.premises and self.asked.judged:
            contradictory = self._contradictory()
            if contradictory:
                return Vacuous(self.says, f"no point meets the premises: {contradictory}")
        reasons: list[Open] = []
        for name in self.asked.engines:
            asked = self._ask(name)
            found = self._judged(name, asked) if isinstance(asked, Holds) else asked
            if isinstance(found, Proved):
                return found
            if not isinstance(found, Open):
                return self._refuted(*found)
            reasons.append(found)
        return self._open([r for r in reasons if r.reason])

    def _ask(self, name: str) -> Holds | Open | Failed:
        """What one engine says. What holds without the premises holds with them, if any point meets them."""
        if name == "bounded":
            return self._tried(POINTS)
        if name not in ENGINES:
            return Open()
        if self.part.premises and not self.asked.judged:
            return Open("whether any point meets the premises is not known without z3")
        engine = import_module(f".engines.{name}", __package__)
        try:
            part = replace(self.part, premises=()) if self.part.premises else self.part
            found: Finding = engine.decide(part, self.question.free)
            assert isinstance(found, (Holds, Open)), "of claims over parameters nothing else is known"
        except UnsupportedError as error:
            return Open(str(error))
        if isinstance(found, Open) and found.points:
            return self._tried(POINTS, found)
        return found

    def _judged(self, name: str, found: Holds) -> Proved | Open:
        """Proved, where z3 confirms every obligation and no computed point fails."""
        try:
            texts = tuple([to_smtlib(o) for o in found.obligations])
        except UnsupportedError as error:
            return Open(str(error))
        if self.asked.judged:
            reason = self._judge(found.obligations, texts)
            if reason:
                return Open(reason)
        failed = self._first_failure(min(CONFIRMING, self.asked.confirm_up_to))
        if failed is not None:
            raise EngineDisagreement(f"{name} proves `{self.part}`, but it fails: {self._describe(*failed)}")
        checked = (_checked(self.points),) if self.points else ()
        return Proved(self.says, name, texts, checked, self.points)

    def _contradictory(self) -> str:
        """The premises, where z3 finds that they contradict each other; else empty."""
        from . import smt

        try:
            text = to_smtlib(Calculus(str(self.part), self.question.free).setting(self.part.premises))
        except (Stuck, UnsupportedError):
            return ""
        met = smt.check(text, (), self.asked.time_limit).status
        return " and ".join(map(str, self.part.premises)) if met == "unsat" else ""

    def _judge(self, found: tuple[Obligation, ...], texts: tuple[str, ...]) -> str:
        """Why z3 does not confirm the obligations; empty when it does."""
        from . import smt

        if found and not self.answers:
            setting = Obligation("the domain of the parameters", *domain_of(self.params), ())
            met = smt.check(to_smtlib(setting, goal=False), (), self.asked.time_limit)
            if met.status != "sat":
                return f"z3 finds no point of the domain: {met.status} {met.reason}"
        for obligation, text in zip(found, texts, strict=True):
            asked = text.partition("(set-logic")[2]  # without what the obligation says
            answer = self.answers.get(asked)
            if answer is None:
                answer = self.answers[asked] = smt.check(text, (), self.asked.time_limit)
            if answer.status == "sat":
                raise EngineDisagreement(f"z3 refutes what the calculus found: {obligation.says}")
            if answer.status != "unsat":
                return f"z3 on {obligation.says}: {answer.reason}"
        return ""

    # --- computing ---

    def _tried(self, most: int, found: Open | None = None) -> Open | Failed:
        """The part at small instances, or at the values that an engine names."""
        near = (*_unaligned(self.part, self.params), *_ends(self.part, self.params))
        points = near if found is None else found.points
        failed = self._first_failure(most, points)
        if failed is not None:
            self.holds = "" if found is None else found.holds
            return failed
        return found or Open()

    def _open(self, reasons: list[Open]) -> Verdict:
        """Why no engine has an answer, and the fact that would help."""
        engine = self.asked.engine
        if engine not in ("", "fast") and not reasons and engine != "bounded":
            reasons = [Open(f"the engine {engine} has no answer to a claim of this kind over parameters")]
        text = "; ".join(dict.fromkeys(r.reason for r in reasons))
        text = text or f"no engine proves this over parameters: {self.part}"
        tried = f"\nit holds at all {self.points} points of small instances" if self.points else ""
        return Unknown(self.says, text + tried, next((r.fact for r in reasons if r.fact), ""))

    def _refuted(self, point: dict[str, int], failure: Failure) -> Refuted:
        """The failure at a point that meets all facts, on plain integers."""
        return Refuted(
            self.says,
            witness=together(point, failure.witness),
            left=failure.left,
            right=failure.right,
            part=self.label,
            explanation=self._describe(point, failure) + (f"\n  {self.holds}" if self.holds else ""),
        )

    def _describe(self, point: dict[str, int], failure: Failure) -> str:
        def instance(layout: Any) -> Any:  # the body may name layouts with parameters that the part has not
            least: dict[str, int] = {v: v.least for v in parameters(layout)}
            return at(layout, {**least, **point})

        return describe(failure, self.question.body, point, self.k, instance)

    def _first_failure(self, most: int, others: Iterable[Mapping[str, int]] = ()) -> Failed | None:
        """The first point at which the part fails: parameters first, then digits, each from its least. Where
        small instances do not fail, other values of some parameters are tried, the rest at their least."""
        if most <= 0:
            return None
        for values in instances(self.params):
            found = self._failure(values, most)
            if found is not None:
                return found
            if self.points > most:
                break
        least: dict[str, int] = {v: v.least for v in self.params}
        for other in (*others, *self.domain.other):
            values = {**least, **other}
            if self.domain.admits(values):
                found = self._failure(values, most)
                if found is not None:
                    return found
        return None

    def _failure(self, values: dict[str, int], most: int) -> Failed | None:
        """The first point at which the part fails for these parameters; after `most` points it gives up."""
        part = at(self.part, values)
        free = [Var(v.name, at(v.bound, values)) for v in self.question.free]
        for digits in islice(_grid([v.bound for v in free]), WALKED):
            point = {**values, **{v.name: x for v, x in zip(free, digits, strict=True)}}
            if isinstance(part, Pointwise) and all(r.holds(point) for r in part.goals):
                self.points += 1
                continue
            claim = at(part, point)
            if claim.walked() > WALKED:
                return None
            self.points += claim.instances()
            failure = claim.failure()
            if failure is not None:
                return point, failure
            if self.points > most:
                return None
        return None


def _grid(bounds: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Digits below bounds, the last the fastest: `itertools.product` would list every range first."""
    if not bounds:
        yield ()
        return
    for x in range(bounds[0]):
        for rest in _grid(bounds[1:]):
            yield (x, *rest)


def _ends(part: Claim, params: tuple[Param, ...]) -> Iterator[dict[str, int]]:
    """Values of parameters next to the ends that the layouts of a claim have, where it may begin to fail:
    their sizes, and bounds."""
    if type(part) not in (Injective, EveryValue, EqualMaps, Covers):
        return
    numbers = [x for x in getattr(part, "bounds", ()) if type(x) is int]
    for layout in layouts_in(part):
        numbers += accumulate([x for x in flatten_to_tuple(layout.shape) if type(x) is int], mul)
    least: dict[str, int] = {v: v.least for v in params}
    for n in sorted({n + k for n in numbers for k in (0, 1)})[:MOST_ENDS]:
        for v in params:
            point = {**least, v: n}
            if n > v.least + EACH and at(part, point).instances() <= END_POINTS:
                yield point


def _unaligned(part: Claim, params: tuple[Param, ...]) -> tuple[dict[str, int], ...]:
    """Small values of parameters at which a stride is not the multiple that is claimed."""
    if not isinstance(part, EveryValue) or part.kind != "aligned" or not isinstance(part.layout, Layout):
        return ()
    least: dict[str, int] = {v: v.least for v in params}
    points: list[dict[str, int]] = [{**least, v: v.least + n} for v in params for n in range(EACH)]
    strides = flatten_to_tuple(part.layout.stride)
    return tuple([p for p in points if any(at(d, p) % part.bounds[0] for d in strides)])
