"""Claims over parameters, for all their values: proved by the calculus, or refuted at the smallest ones.

    prove(lambda a, n, k: equal(R(a, n, k), F(a % 4, n, a // 4 + 2 * k)), a=8, n=N, k=K)

with Dims in the layouts or as bounds. For each part of the claim:

1. `engines.calculus` (for how values spread over classes, `engines.residues`) reduces it to obligations over
   parameters and digits; only z3's `unsat` for each of them makes it Proved. z3 has to find a point at all
   first, so a solver that answers `unsat` to everything is found out.
2. Either way the claim is computed at all points of small instances, those with the smallest parameters
   first (see `instances`). Proved and yet false there is a defect and raises EngineDisagreement.
3. Where the engine is stuck, the first instance that fails refutes; if none does the verdict is Unknown,
   with the fact that would let it go on, if it knows one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from . import polynomial as poly
from .claim import Claim, Failure, Pointwise
from .dim import Dim
from .domain import range_of
from .engines import calculus, residues
from .engines.digit_work import Calculus
from .errors import EngineDisagreement, UnsupportedError
from .explain import describe
from .formula import Obligation
from .inttuple import flatten_to_tuple
from .layout import Layout
from .map_claims import EveryValue
from .polynomial import Param
from .question import Question
from .smtlib import to_smtlib
from .spread_claim import Spread
from .swizzle import ComposedLayout
from .symbolic import OPERATIONS, Expr, Var
from .verdict import Proved, Refuted, Unknown, Vacuous, Verdict, worst

if TYPE_CHECKING:
    from .smt import Answer

EACH = 3  # values of a parameter that are tried
INSTANCES = 81  # choices of parameters that are computed
POINTS = 500  # points that are computed, over all of them, where no proof is found
CONFIRMING = 60  # and where one is
WALKED = 1 << 20  # points of one part at one choice of parameters and digits: no instance is small beyond


def parameters(x: Any) -> tuple[Param, ...]:
    """The parameters in a claim, a layout, an expression or a tuple of them, in the order of their names'
    first use; what a bound needs comes before."""
    found: dict[Param, None] = {}

    def visit(y: Any) -> None:
        if isinstance(y, Dim):
            for v in poly.closure(y.terms):
                found.setdefault(v)
        elif isinstance(y, Layout):
            visit(y.shape)
            visit(y.stride)
        elif isinstance(y, ComposedLayout):
            visit(y.offset)
            visit(y.layout)
        elif isinstance(y, (tuple, list)):
            for z in y:
                visit(z)
        elif isinstance(y, Var):
            if y.param is not None:
                for v in poly.closure({(y.param,): 1}):
                    found.setdefault(v)
            visit(y.bound)
        elif isinstance(y, Expr):
            visit(y.args)
        elif is_dataclass(y) and not isinstance(y, type):
            for f in fields(y):
                visit(getattr(y, f.name))

    visit(x)
    return tuple(found)


def at(x: Any, values: Mapping[str, int]) -> Any:
    """A claim (or layout, expression, tuple) with integers for parameters and digits, by their names."""
    if isinstance(x, Dim):
        return x.evaluate(values)
    if isinstance(x, Layout):
        return Layout._make(at(x.shape, values), at(x.stride, values))
    if isinstance(x, ComposedLayout):
        return ComposedLayout(x.swizzle, at(x.offset, values), at(x.layout, values))
    if isinstance(x, (tuple, list)):
        return tuple([at(y, values) for y in x])
    if isinstance(x, Var):
        if x.name in values:
            return values[x.name]
        return Var(x.name, at(x.bound, values), x.lower)
    if isinstance(x, Expr):
        a, b = (at(y, values) for y in x.args)
        return OPERATIONS[x.op](a, b)
    if is_dataclass(x) and not isinstance(x, type):
        changed = {f.name: at(getattr(x, f.name), values) for f in fields(x) if f.init}
        return replace(x, **changed)
    return x


def is_parametric(question: Question) -> bool:
    return bool(parameters((question.free, question.claim)))


def prove_parametric(question: Question, says: str, time_limit: float, fast: bool = False) -> Verdict:
    """The verdict for all values of the parameters. `fast` leaves z3 out."""
    found = parameters((question.free, question.claim))
    over = f"for all {', '.join(map(range_of, found))}: "
    says = says if says.startswith("for all ") else over + says
    verdicts: list[Verdict] = []
    parts = question.claim.parts()
    answers: dict[str, Answer] = {}
    for k, part in enumerate(parts):
        verdict = _Part(question, part, k, len(parts), found, says, time_limit, fast, answers).verdict()
        if isinstance(verdict, Refuted):
            return verdict
        verdicts.append(verdict)
    if not verdicts:
        return Proved(says, engine="nothing to prove")
    least = worst(verdicts)
    if not isinstance(least, Proved):
        return least
    proved = [v for v in verdicts if isinstance(v, Proved)]
    certificate = tuple(dict.fromkeys(text for v in proved for text in v.certificate))
    points = min(v.instances for v in proved)
    engines = " and ".join(dict.fromkeys(v.engine for v in proved))
    return Proved(says, _who(engines, fast), certificate, (_checked(points),), points)


def _who(engines: str, fast: bool) -> str:
    """Who decided and who judged."""
    if fast:
        return f"{engines} alone, as asked"
    from . import smt

    return f"{engines}, {smt.version()}"


def _checked(points: int) -> str:
    if not points:
        return "no instance is small enough to be computed"
    return f"computed at {points} points of small instances"


class _Part:
    def __init__(
        self,
        question: Question,
        part: Claim,
        k: int,
        parts: int,
        params: tuple[Param, ...],
        says: str,
        time_limit: float,
        fast: bool,
        answers: dict[str, Answer],
    ) -> None:
        self.answers = answers
        self.question = question
        self.part = part
        self.k = k
        self.label = part.label if parts > 1 else ""
        self.params = params
        self.says = says
        self.time_limit = time_limit
        self.fast = fast
        self.points = 0

    def verdict(self) -> Verdict:
        if self.part.premises and not self.fast:
            contradictory = self._contradictory()
            if contradictory:
                return Vacuous(self.says, f"no point meets the premises: {contradictory}")
        name = residues.NAME if isinstance(self.part, Spread) else calculus.NAME
        try:
            found = self._reduced()
            texts = tuple([to_smtlib(o) for o in found or ()])
        except residues.Clash as clash:
            return self._open(str(clash), "", clash.points, clash.holds)
        except calculus.Stuck as stuck:
            return self._open(str(stuck), stuck.fact, _unaligned(self.part, self.params))
        except UnsupportedError as error:
            return self._open(str(error), "")
        if found is None:
            return self._open(f"no engine proves this over parameters: {self.part}", "")
        if not self.fast:
            reason = self._judge(found, texts)
            if reason:
                return self._open(reason, "")
        failed = self._first_failure(CONFIRMING)
        if failed is not None:
            raise EngineDisagreement(f"{name} proves `{self.part}`, but it fails: {self._describe(*failed)}")
        return Proved(self.says, name, texts, (_checked(self.points),), self.points)

    def _reduced(self) -> tuple[Obligation, ...] | None:
        """Obligations that imply the part; None if no engine knows its kind. Raises Stuck."""
        if isinstance(self.part, Spread):
            return residues.obligations(self.part, self.question.free)
        return calculus.obligations(self.part, self.question.free)

    def _contradictory(self) -> str:
        """The premises, where z3 finds that they contradict each other; else empty."""
        from . import smt

        try:
            text = to_smtlib(Calculus(str(self.part), self.question.free).setting(self.part.premises))
        except (calculus.Stuck, UnsupportedError):
            return ""
        met = smt.check(text, (), self.time_limit).status
        return " and ".join(map(str, self.part.premises)) if met == "unsat" else ""

    def _judge(self, found: tuple[Obligation, ...], texts: tuple[str, ...]) -> str:
        """Why z3 does not confirm the obligations; empty when it does."""
        from . import smt

        if found and not self.answers:
            setting = smt.check(to_smtlib(found[-1], goal=False), (), self.time_limit)
            if setting.status != "sat":
                return f"z3 finds no point of the domain: {setting.status} {setting.reason}"
        for obligation, text in zip(found, texts, strict=True):
            asked = text.partition("(set-logic")[2]  # without what the obligation says
            answer = self.answers.get(asked)
            if answer is None:
                answer = self.answers[asked] = smt.check(text, (), self.time_limit)
            if answer.status == "sat":
                raise EngineDisagreement(f"z3 refutes what the calculus found: {obligation.says}")
            if answer.status != "unsat":
                return f"z3 on {obligation.says}: {answer.reason}"
        return ""

    def _open(
        self, reason: str, fact: str, points: Iterable[Mapping[str, int]] = (), holds: str = ""
    ) -> Verdict:
        """Refuted at the first of small instances that fails, or of `points`; else Unknown. `holds` says for
        which parameters the part does not fail."""
        failed = self._first_failure(POINTS, points)
        if failed is None:
            tried = f"it holds at all {self.points} points of small instances"
            return Unknown(self.says, f"{reason}\n{tried}" if self.points else reason, fact)
        point, failure = failed
        return Refuted(
            self.says,
            witness={**point, **failure.witness},
            left=failure.left,
            right=failure.right,
            part=self.label,
            explanation=self._describe(point, failure) + (f"\n  {holds}" if holds else ""),
        )

    def _describe(self, point: dict[str, int], failure: Failure) -> str:
        def instance(layout: Any) -> Any:  # the body may name layouts with parameters that the part has not
            return at(layout, {**{v.name: v.least for v in parameters(layout)}, **point})

        return describe(failure, self.question.body, point, self.k, instance)

    def _first_failure(
        self, most: int, others: Iterable[Mapping[str, int]] = ()
    ) -> tuple[dict[str, int], Failure] | None:
        """The first point at which the part fails: parameters first, then digits, each from its least. Where
        small instances do not fail, other values of some parameters are tried, the rest at their least."""
        for values in instances(self.params):
            found = self._failure(values, most)
            if found is not None:
                return found
            if self.points > most:
                break
        least = {v.name: v.least for v in self.params}
        for other in others:
            values = {**least, **other}
            if admissible(self.params, values):
                found = self._failure(values, most)
                if found is not None:
                    return found
        return None

    def _failure(self, values: dict[str, int], most: int) -> tuple[dict[str, int], Failure] | None:
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


def _unaligned(part: Claim, params: tuple[Param, ...]) -> list[dict[str, int]]:
    """Small values of parameters at which a stride is not the multiple that is claimed."""
    if not isinstance(part, EveryValue) or part.kind != "aligned" or not isinstance(part.layout, Layout):
        return []
    least = {v.name: v.least for v in params}
    points = [{**least, v.name: v.least + n} for v in params for n in range(EACH)]
    strides = flatten_to_tuple(part.layout.stride)
    return [p for p in points if any(at(d, p) % part.bounds[0] for d in strides)]


def instances(params: tuple[Param, ...]) -> Iterator[dict[str, int]]:
    """Values of parameters: all least, then those of which the largest is one more than its least value, and
    so on, lexicographically in between; last the greatest that a parameter with an end can have. Values that
    break a range or a fact are left out."""
    most = min(len(params), 6)
    steps = sorted(product(range(EACH), repeat=most), key=lambda s: (max(s, default=0), s))
    count = 0
    for step in [*steps, *_last_steps(params[:most])]:
        more = (*step, *(0 for _ in params[len(step) :]))
        values = {v.name: v.least + n for v, n in zip(params, more, strict=True)}
        if admissible(params, values):
            yield values
            count += 1
            if count == INSTANCES:
                return


def admissible(params: tuple[Param, ...], values: Mapping[str, int]) -> bool:
    """Whether the values keep every range and fact."""
    ends = ((v, poly.evaluate(v.bound, values)) for v in params if v.bound is not None)
    return all(values[v.name] < end for v, end in ends) and all(
        poly.evaluate(f, values) >= 0 for v in params for f in v.facts
    )


def _last_steps(params: tuple[Param, ...]) -> Iterator[tuple[int, ...]]:
    """One parameter at the end of its range, if that is an integer, the others near their least values."""
    for k, v in enumerate(params):
        end = None if v.bound is None else poly.as_int(v.bound)
        if end is not None and end - 1 - v.least >= EACH:
            for others in product((0, 1), repeat=len(params) - 1):
                yield (*others[:k], end - 1 - v.least, *others[k:])
