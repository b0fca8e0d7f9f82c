"""prove: the one verb. Engines find the reasons, z3 judges them, computing confirms where points are few.

    prove(lambda a, b: equal(tXrA((a, b), 0, 0), tCrA(a + 2 * b, 0, 0)), a=2, b=4)
    prove(copy.retile_correct(mma, "A", (16, 16)))
    prove(injective(layout), engine="nested")

How a verdict comes about, for each part of the claim in turn:

1. The body is called once with digits (`0 <= a < 2`), which gives formulas, and once for every point with
   plain ints, if there are at most `confirm_up_to`.
2. Are the premises possible at all? If not: Vacuous.
3. The engines are asked in the order of `engines.NAMES`. One that says the claim holds names obligations,
   and only z3's `unsat` for each makes the part Proved. One that says it fails names a point, which is
   computed anew on plain ints before it is reported, and z3 has to agree that it is a counterexample.
4. A difference between an engine, z3 and a computed value is a defect of this package and raises
   EngineDisagreement; nobody's word is taken against a computed value.
5. If no engine has an answer the verdict is Bounded (every point was computed, or those that it names) or
   Unknown, never Proved.

`engine="fast"` leaves z3 out, for large sweeps: what the other engines say is then the verdict, which says
so. Any other name asks that engine alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from math import prod
from typing import TYPE_CHECKING, Any

from .bodies import check_at, check_body
from .claim import Claim, Failure
from .engines import NAMES, Fails, Finding, Holds, Open, Tried, Walked
from .errors import EngineDisagreement, LayoutError, UnsupportedError
from .explain import describe
from .formula import Obligation, Relation
from .names import together
from .parametric import is_parametric, prove_parametric
from .question import Question, pins, read_question, statement
from .smtlib import symbols, to_smtlib
from .symbolic import Var
from .verdict import Bounded, Proved, Refuted, Unknown, Vacuous, Verdict, worst

if TYPE_CHECKING:
    from .smt import Answer

CONFIRM_UP_TO = 1 << 16  # points
FASTER = 1 << 6  # how many points numpy computes in the time of one
TIME_LIMIT = 20.0  # seconds for one obligation
SECOND_LIMIT = 2.0  # seconds for z3's word on a counterexample that was computed already
MODULES = {"z3": "solver"}  # of engines/, where the name is not the file's


def prove(
    claim: Claim | Callable[..., Claim],
    *,
    says: str = "",
    time_limit: float = TIME_LIMIT,
    confirm_up_to: int = CONFIRM_UP_TO,
    engine: str = "",
    **quantifiers: Any,
) -> Verdict:
    """Decide a claim, or a body that returns one for all values of its parameters, each `0 <= name <
    quantifier`.

    `says` is the statement in the author's words; `engine` picks one of `engines.NAMES`, or "fast". Raises
    LayoutError when parameters and quantifiers do not match, the body returns no claim or there is no such
    engine, EngineDisagreement when two engines, or one and the computed values, differ.
    """
    if engine not in ("", "fast", *NAMES):
        raise LayoutError(f"prove: no engine is called {engine!r}; there are fast, {', '.join(NAMES)}")
    question = read_question(claim, quantifiers)
    check_body(question)
    if is_parametric(question):
        return prove_parametric(question, says, time_limit, confirm_up_to, engine)
    return _Decision(question, says or statement(question), time_limit, confirm_up_to, engine).verdict()


@dataclass(frozen=True)
class _Computed:
    """What walking all points of one part found: how many points, the least that fails, and how many fail
    (None: of a kind that is not counted, as collisions are)."""

    points: int
    first: tuple[dict[str, int], Failure] | None = None
    failures: int | None = 0


class _Decision:
    def __init__(
        self,
        question: Question,
        says: str,
        time_limit: float,
        confirm_up_to: int,
        engine: str,
        mends: bool = True,
    ) -> None:
        self.question = question
        self.says = says
        self.time_limit = time_limit
        self.confirm_up_to = confirm_up_to
        self.engine = engine
        self.mends = mends  # whether a refutation says what would be right
        self.judged = engine != "fast"  # whether z3 has the last word
        self.names = [n for n in NAMES if engine in ("", n) or (engine == "fast" and n != "z3")]
        self.parts = question.claim.parts()
        self.free_points = prod(v.bound or 0 for v in question.free)
        self.computed: dict[int, _Computed] = {}
        self.answers: dict[str, Answer] = {}
        self.asked = False  # whether z3 has been seen to answer `sat` to a question without goals

    def _points(self, k: int) -> int:
        return int(self.free_points * self.parts[k].instances())

    def _walked(self, k: int) -> int:
        """How many of them are computed one by one."""
        return int(self.free_points * self.parts[k].walked())

    def _compute(self, k: int) -> None:
        """Part k on plain ints, if it has few enough points; with a body, all such parts in one walk."""
        body = self.question.body is not None
        wanted = [
            j for j in (range(len(self.parts)) if body else [k]) if self._walked(j) <= self.confirm_up_to
        ]
        if k in self.computed or k not in wanted:
            return
        for j in wanted:
            self.computed[j] = _Computed(self._points(j))
        for point in self.question.points():
            parts = self.question.at(point).parts()
            for j in wanted:
                failure = parts[j].failure()
                if failure is not None:
                    old = self.computed[j]
                    count = 1 if parts[j].instances() == 1 else failure.count
                    total = None if count is None or old.failures is None else old.failures + count
                    self.computed[j] = _Computed(old.points, old.first or (point, failure), total)

    def verdict(self) -> Verdict:
        found: list[Verdict] = []
        for k, part in enumerate(self.parts):
            verdict = self._decide(k, part)
            if isinstance(verdict, Refuted):
                open_before = any(not isinstance(v, (Proved, Vacuous)) for v in found)
                return replace(verdict, minimal=False) if open_before else verdict
            found.append(verdict)
        least = worst(found)
        if not isinstance(least, Proved):
            return least
        certificate = tuple(text for v in found if isinstance(v, Proved) for text in v.certificate)
        points = max(self._points(k) for k in range(len(self.parts)))
        checked = f"{len(self.computed)} of {len(self.parts)} parts computed"
        if len(self.computed) == len(self.parts):
            checked = f"all {points} points computed"
        who = self._who(v.engine for v in found if isinstance(v, Proved))
        return Proved(self.says, who, certificate, (checked,) if self.computed else (), points)

    def _who(self, engines: Iterator[str]) -> str:
        """Who decided and who judged."""
        names = list(dict.fromkeys(engines))
        if not self.judged:
            return f"{' and '.join(names)}, not checked by a solver"
        from . import smt

        return smt.version() if names == ["z3"] else f"{' and '.join(names)}, checked by {smt.version()}"

    def _decide(self, k: int, part: Claim) -> Verdict:
        """The verdict on one part; of a Proved one, `engine` is the bare name."""
        self._compute(k)
        reasons: list[str] = []
        tried: Tried | None = None
        for name in self.names:
            finding = self._ask(name, k, part)
            match finding:
                case Open():
                    if finding.reason:
                        reasons.append(finding.reason if name == "z3" else f"{name}: {finding.reason}")
                case Fails():
                    return self._failed(name, k, part, finding)
                case Tried():
                    tried = finding
                case Walked():
                    if self.confirm_up_to:
                        self.computed.setdefault(k, _Computed(finding.points))
                    if not self.judged and not part.premises:  # which perhaps no point has met
                        return self._proved(name, k, part, ())
                case Holds():
                    verdict = self._judge(name, k, part, finding.obligations)
                    if isinstance(verdict, Verdict):
                        return verdict
                    reasons.append(verdict)
        if self.engine not in ("", "fast") and not reasons:
            reasons = [f"the engine {self.engine} has no answer to a claim of this kind"]
        return self._undecided(k, "; ".join(dict.fromkeys(reasons)), tried)

    def _ask(self, name: str, k: int, part: Claim) -> Finding:
        """What one engine says."""
        free = self.question.free
        if name == "enumeration":
            computed = self.computed.get(k)
            if computed is not None:
                if computed.first is None:
                    return Walked(computed.points)
                point, failure = computed.first
                return Fails(failure.witness, point, failures=computed.failures)
            if not self.confirm_up_to and self._points(k) > 1:
                return Open()
        if name == "bounded" and not self.confirm_up_to:
            return Open()
        module = import_module(f".engines.{MODULES.get(name, name)}", __package__)
        try:
            if name == "enumeration":
                return module.decide(part, free, self.confirm_up_to * FASTER or 1)  # type: ignore[no-any-return]
            if name == "bounded":
                at = lambda point: self.question.at(point).parts()[k]  # noqa: E731  the part at a point
                return module.decide(part, free, at)  # type: ignore[no-any-return]
            return module.decide(part, free)  # type: ignore[no-any-return]
        except UnsupportedError as error:
            return Open(str(error))

    def _check(self, text: str, names: tuple[str, ...], time_limit: float | None = None) -> Answer:
        """z3's answer, asked once for each script."""
        from . import smt

        known = self.answers.get(text)
        if known is None:
            known = self.answers[text] = smt.check(text, names, time_limit or self.time_limit)
        return known

    def _judge(self, name: str, k: int, part: Claim, obligations: tuple[Obligation, ...]) -> Verdict | str:
        """Proved if z3 finds no counterexample to any obligation; the reason if it cannot say."""
        if not self.judged:
            return self._proved(name, k, part, ())
        if part.premises:
            possible = self._check(_setting(str(part), self.question.free, part.premises), ())
            if possible.status != "sat":
                return self._empty(k, part) if possible.status == "unsat" else possible.reason
        texts: list[str] = []
        for obligation in obligations:
            names = symbols(obligation.digits)
            try:
                text = to_smtlib(obligation)
                own = part.premises if obligation.may_be_empty else obligation.premises
                setting = _setting(obligation.says, obligation.digits, own)
            except UnsupportedError as error:
                return str(error)
            met = not own or name != "z3" or _met_at_least_point(obligation.digits, own)
            if not met or (names and not self.asked):
                self.asked = True
                possible = self._check(setting, ())
                if possible.status == "unsat":
                    return self._empty(k, part)
                if possible.status != "sat":
                    return possible.reason
            answer = self._check(text, tuple(names.values()))
            if answer.status == "sat" and answer.model is not None:
                model = {v: answer.model[text] for v, text in names.items()}
                return self._denied(name, k, part, obligation, model)
            if answer.status != "unsat":
                return answer.reason or f"z3 answered {answer.status}"
            texts.append(text)
        return self._proved(name, k, part, tuple(texts))

    def _proved(self, name: str, k: int, part: Claim, texts: tuple[str, ...]) -> Proved:
        computed = self.computed.get(k)
        if computed is not None and computed.first is not None:
            point, failure = computed.first
            check_at(self.question, point)
            raise EngineDisagreement(
                f"{name} proves `{part}`, but it fails:\n{describe(failure, self.question.body, point, k)}"
            )
        return Proved(self.says, name, texts, (), self._points(k))

    def _empty(self, k: int, part: Claim) -> Vacuous:
        if not part.premises:
            raise EngineDisagreement(f"z3 finds no point at all for `{part}`, which has no premises")
        computed = self.computed.get(k)
        if computed is not None and computed.first is not None:
            raise EngineDisagreement(
                f"z3 finds the premises of `{part}` contradictory, but a point meets them"
            )
        premises = " and ".join(map(str, part.premises))
        return Vacuous(self.says, f"no point meets the premises: {premises}")

    def _undecided(self, k: int, reason: str, tried: Tried | None) -> Verdict:
        computed = self.computed.get(k)
        if computed is not None and computed.first is None:
            bounds = ", ".join(f"{v.name} < {v.bound}" for v in self.question.free) or "its own domain"
            return Bounded(self.says, bounds, computed.points, reason)
        if tried is not None:
            return Bounded(self.says, tried.bound, tried.points, reason)
        return Unknown(self.says, reason)

    def _denied(
        self, name: str, k: int, part: Claim, obligation: Obligation, model: dict[str, int]
    ) -> Verdict | str:
        """What follows from z3's counterexample to an obligation."""
        if obligation.holds(model):
            raise EngineDisagreement(f"z3's counterexample {model} to `{obligation.says}` is not one")
        if name != "z3":
            raise EngineDisagreement(f"{name} says that `{obligation.says}` holds, z3 refutes it at {model}")
        computed = self.computed.get(k)
        if computed is not None and computed.first is not None:
            return self._report(k, *computed.first, minimal=True)
        if not part.enough():
            return "the obligations say more than the claim, and z3 refutes them"
        if computed is not None:
            check_at(self.question, {v.name: model[v.name] for v in self.question.free})
            raise EngineDisagreement(f"z3 refutes `{part}` at {model}, but all {computed.points} points hold")
        from .engines.solver import counterexample

        found = counterexample(part, self.question.free, obligation, model, self.time_limit)
        return self._failed(name, k, part, found) if isinstance(found, Fails) else found.reason

    def _failed(self, name: str, k: int, part: Claim, finding: Fails) -> Refuted:
        """The engine's counterexample, computed anew; where every point was computed, the least of those."""
        point = dict(finding.point)
        failure = self.question.at(point).parts()[k].failure_at(finding.witness)
        computed = self.computed.get(k)
        if failure is None or (computed is not None and computed.first is None):
            where = together(point, finding.witness)
            check_at(self.question, point)
            raise EngineDisagreement(f"{name} refutes `{part}` at {where}, but it holds there")
        if computed is not None and computed.first is not None:
            point, failure = computed.first
        elif finding.failures is not None:
            self.computed[k] = _Computed(self._points(k), (point, failure), finding.failures)
        if self.judged and name != "z3":
            self._second(k, part, point, failure)
        return self._report(k, point, failure, minimal=finding.minimal or computed is not None)

    def _second(self, k: int, part: Claim, point: dict[str, int], failure: Failure) -> None:
        """z3 is asked about that very point. It may not know, but must not find the claim true there."""
        if not part.enough():
            return
        try:
            search = part.search(self.question.free)
            at = pins(search, point, failure.witness)
            text = to_smtlib(replace(search, premises=search.premises + at))
        except UnsupportedError:
            return
        if self._check(text, (), min(self.time_limit, SECOND_LIMIT)).status == "unsat":
            raise EngineDisagreement(
                f"z3 proves `{part}`, but it fails:\n{describe(failure, self.question.body, point, k)}"
            )

    def _report(self, k: int, point: dict[str, int], failure: Failure, *, minimal: bool) -> Refuted:
        explanation = describe(failure, self.question.body, point, k)
        repair = self.question.at(point).parts()[k].repair() if self.mends else None
        if repair is not None:
            words, right = repair
            limits = (self.time_limit, self.confirm_up_to, self.engine)
            # a repair that is not one needs no repair: two claims can be each other's
            if isinstance(
                _Decision(Question(None, (), right), words, *limits, mends=False).verdict(), Proved
            ):
                explanation += f"\n  {words} (proved)"
        return Refuted(
            self.says,
            witness=together(point, failure.witness),
            left=failure.left,
            right=failure.right,
            part=self.parts[k].label if len(self.parts) > 1 else "",
            minimal=minimal,
            replayed=True,
            explanation=explanation,
            failures=self.computed[k].failures if k in self.computed else None,
            instances=self._points(k),
        )


def _setting(says: str, digits: tuple[Var, ...], premises: tuple[Relation, ...]) -> str:
    """The script that asks whether any values of the digits meet the premises."""
    return to_smtlib(Obligation(says, digits, premises, ()), goal=False)


def _met_at_least_point(digits: tuple[Var, ...], premises: tuple[Relation, ...]) -> bool:
    """Whether the least values of the digits meet the premises, which then are possible."""
    point = {v.name: v.lo if v.lo is not None else 0 for v in digits}
    return all(p.holds(point) for p in premises)
