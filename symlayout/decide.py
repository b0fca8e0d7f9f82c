"""prove: the one verb. z3 decides a claim for all values; enumeration confirms it where the domain is small.

    prove(lambda a, b: equal(tXrA((a, b), 0, 0), tCrA(a + 2 * b, 0, 0)), a=2, b=4)
    prove(copy.retile_correct(mma, "A", (16, 16)))

How a verdict comes about, for each part of the claim in turn:

1. The body is called once with digits (`0 <= a < 2`), which gives formulas, and once for every point with
   plain ints.
2. Are the premises possible at all? If not: Vacuous.
3. z3 is asked for a counterexample to each obligation. Only `unsat` of all of them makes the part Proved.
4. If the domain has at most `confirm_up_to` points, all are computed on plain ints. A difference between
   the two is a defect of this package and raises EngineDisagreement; z3's word alone is never taken against
   a computed value.
5. A counterexample is reduced to the lexicographically least one and computed anew on plain ints before it
   is reported. If z3 has no answer the verdict is Bounded (every point was computed) or Unknown, never
   Proved.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from .claim import Claim, Failure
from .errors import EngineDisagreement, LayoutError, UnsupportedError
from .explain import describe
from .formula import Obligation
from .smtlib import to_smtlib
from .symbolic import Var
from .verdict import Bounded, Proved, Refuted, Unknown, Vacuous, Verdict, worst

CONFIRM_UP_TO = 1 << 16  # points
TIME_LIMIT = 20.0  # seconds for one obligation


def prove(
    claim: Claim | Callable[..., Claim],
    *,
    says: str = "",
    time_limit: float = TIME_LIMIT,
    confirm_up_to: int = CONFIRM_UP_TO,
    **quantifiers: int,
) -> Verdict:
    """Decide a claim, or a body that returns one for all values of its parameters, each `0 <= name <
    quantifier`.

    `says` is the statement in the author's words. Raises LayoutError when parameters and quantifiers do not
    match or the body returns no claim, EngineDisagreement when z3 and the computed values differ.
    """
    question = _question(claim, quantifiers)
    return _Decision(question, says or _statement(question), time_limit, confirm_up_to).verdict()


@dataclass(frozen=True)
class _Question:
    body: Callable[..., Claim] | None
    free: tuple[Var, ...]
    claim: Claim

    def at(self, point: Mapping[str, int]) -> Claim:
        """The claim at one point, on plain ints."""
        return self.claim if self.body is None else self.body(**point)

    def points(self) -> Iterator[dict[str, int]]:
        names = [v.name for v in self.free]
        for values in product(*(range(v.bound or 0) for v in self.free)):
            yield dict(zip(names, values, strict=True))


def _question(claim: Claim | Callable[..., Claim], quantifiers: Mapping[str, int]) -> _Question:
    for name, bound in quantifiers.items():
        if not isinstance(bound, int) or isinstance(bound, bool) or bound < 1:
            raise LayoutError(f"prove: {name} = {bound!r}: a quantifier is the number of values, 1 or more")
    if isinstance(claim, Claim):
        unbound = [v.name for v in claim.free()]
        if quantifiers or unbound:
            raise LayoutError(
                f"prove: quantify {', '.join([*quantifiers, *unbound])} by a body: "
                "prove(lambda a, b: equal(f(a), g(b)), a=2, b=4)"
            )
        return _Question(None, (), claim)
    wanted = list(inspect.signature(claim).parameters)
    if set(wanted) != set(quantifiers):
        raise LayoutError(
            f"prove: the body takes {', '.join(wanted) or 'nothing'}; "
            f"quantified are {', '.join(quantifiers) or 'none'}"
        )
    free = tuple(Var(name, bound) for name, bound in quantifiers.items())
    stated = claim(**{v.name: v for v in free})
    if not isinstance(stated, Claim):
        raise LayoutError(f"prove: the body returned {stated!r}, no claim; equal(a, b) states one")
    return _Question(claim, free, stated)


def _statement(question: _Question) -> str:
    bounds = ", ".join(f"{v.name} < {v.bound}" for v in question.free)
    return f"for all {bounds}: {question.claim}" if bounds else str(question.claim)


@dataclass(frozen=True)
class _Computed:
    """What walking all points of one part found: how many points, the least that fails, how many fail."""

    points: int
    first: tuple[dict[str, int], Failure] | None = None
    failures: int = 0


class _Decision:
    def __init__(self, question: _Question, says: str, time_limit: float, confirm_up_to: int) -> None:
        self.question = question
        self.says = says
        self.time_limit = time_limit
        self.confirm_up_to = confirm_up_to
        self.parts = question.claim.parts()
        self.free_points = prod(v.bound or 0 for v in question.free)
        self.computed: dict[int, _Computed] = {}
        self.asked = False  # whether z3 has been seen to answer `sat` to a question without goals

    def _points(self, k: int) -> int:
        return self.free_points * self.parts[k].instances()

    def _compute(self, k: int) -> None:
        """Part k on plain ints, if it has few enough points; with a body, all such parts in one walk."""
        body = self.question.body is not None
        wanted = [
            j for j in (range(len(self.parts)) if body else [k]) if self._points(j) <= self.confirm_up_to
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
                    count = old.failures + (failure.count or 1)
                    self.computed[j] = _Computed(old.points, old.first or (point, failure), count)

    def verdict(self) -> Verdict:
        found: list[Verdict] = []
        for k, part in enumerate(self.parts):
            verdict = self._decide(k, part)
            if isinstance(verdict, Refuted):
                return verdict
            found.append(verdict)
        if not found:
            return Proved(self.says, engine="nothing to prove")
        least = worst(found)
        if not isinstance(least, Proved):
            return least
        certificate = tuple(text for v in found if isinstance(v, Proved) for text in v.certificate)
        points = max(self._points(k) for k in range(len(self.parts)))
        checked = f"{len(self.computed)} of {len(self.parts)} parts computed"
        if len(self.computed) == len(self.parts):
            checked = f"all {points} points computed"
        return Proved(self.says, least.engine, certificate, (checked,) if self.computed else (), points)

    def _decide(self, k: int, part: Claim) -> Verdict:
        from . import smt

        self._compute(k)
        texts: list[str] = []
        try:
            obligations = part.obligations(self.question.free)
        except UnsupportedError as error:
            return self._undecided(k, str(error))
        for obligation in obligations:
            names = tuple(v.name for v in obligation.digits)
            try:
                text = to_smtlib(obligation)
                own = part.premises if obligation.may_be_empty else obligation.premises
                setting = to_smtlib(replace(obligation, premises=own), goal=False)
            except UnsupportedError as error:
                return self._undecided(k, str(error))
            if own or (names and not self.asked):
                self.asked = True
                possible = smt.check(setting, (), self.time_limit)
                if possible.status == "unsat":
                    return self._vacuous(k, part)
                if possible.status != "sat":
                    return self._undecided(k, possible.reason)
            answer = smt.check(text, names, self.time_limit)
            if answer.status == "sat" and answer.model is not None:
                return self._refuted(k, part, obligation, answer.model)
            if answer.status != "unsat":
                return self._undecided(k, answer.reason or f"z3 answered {answer.status}")
            texts.append(text)
        computed = self.computed.get(k)
        if computed is not None and computed.first is not None:
            point, failure = computed.first
            raise EngineDisagreement(
                f"z3 proves `{part}`, but it fails:\n{describe(failure, self.question.body, point, k)}"
            )
        return Proved(self.says, smt.version(), tuple(texts), (), self._points(k))

    def _vacuous(self, k: int, part: Claim) -> Verdict:
        if not part.premises:
            raise EngineDisagreement(f"z3 finds no point at all for `{part}`, which has no premises")
        computed = self.computed.get(k)
        if computed is not None and computed.first is not None:
            raise EngineDisagreement(
                f"z3 finds the premises of `{part}` contradictory, but a point meets them"
            )
        premises = " and ".join(map(str, part.premises))
        return Vacuous(self.says, f"no point meets the premises: {premises}")

    def _undecided(self, k: int, reason: str) -> Verdict:
        computed = self.computed.get(k)
        if computed is None:
            return Unknown(self.says, reason)
        if computed.first is not None:
            return self._report(k, *computed.first, minimal=True)
        bounds = ", ".join(f"{v.name} < {v.bound}" for v in self.question.free) or "its own domain"
        return Bounded(self.says, bounds, computed.points, reason)

    def _refuted(self, k: int, part: Claim, obligation: Obligation, model: dict[str, int]) -> Verdict:
        from . import smt

        if obligation.holds(model):
            raise EngineDisagreement(f"z3's counterexample {model} to `{obligation.says}` is none")
        computed = self.computed.get(k)
        if computed is not None and computed.first is not None:
            return self._report(k, *computed.first, minimal=True)
        if not part.enough():
            return self._undecided(k, "the obligations say more than the claim, and z3 refutes them")
        if computed is not None:
            raise EngineDisagreement(f"z3 refutes `{part}` at {model}, but all {computed.points} points hold")
        search = part.search(self.question.free)
        if search != obligation:
            answer = smt.check(to_smtlib(search), tuple(v.name for v in search.digits), self.time_limit)
            if answer.status != "sat" or answer.model is None:
                reason = answer.reason or answer.status
                return Unknown(self.says, f"z3 refutes it at {model}, which has no reading: {reason}")
            model = answer.model
        model, minimal = smt.least_model(search, model, self.time_limit)
        point = {v.name: model[v.name] for v in self.question.free}
        failure = self.question.at(point).parts()[k].failure_at(part.read(model))
        if failure is None:
            raise EngineDisagreement(f"z3 refutes `{part}` at {model}, but it holds there")
        return self._report(k, point, failure, minimal=minimal)

    def _report(self, k: int, point: dict[str, int], failure: Failure, *, minimal: bool) -> Refuted:
        explanation = describe(failure, self.question.body, point, k)
        if failure.repair is not None:
            words, right = failure.repair
            verdict = _Decision(
                _Question(None, (), right), words, self.time_limit, self.confirm_up_to
            ).verdict()
            if isinstance(verdict, Proved):
                explanation += f"\n  {words} (proved)"
        return Refuted(
            self.says,
            witness={**point, **failure.witness},
            left=failure.left,
            right=failure.right,
            part=self.parts[k].label if len(self.parts) > 1 else "",
            minimal=minimal,
            replayed=True,
            explanation=explanation,
            failures=self.computed[k].failures if k in self.computed else None,
            instances=self._points(k),
        )
