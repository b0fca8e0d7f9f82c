"""Bodies, run on plain integers as well: what `prove` is told about symbols has to be so for integers.

A body is called once on symbols, and its claim is what is proved. Python code can tell a symbol from an
integer in ways that no symbol can refuse (`isinstance`, `type(a) is int`, a caught exception), and then
states one thing about symbols and another about integers. So every body is run again on plain integers,
whatever the size of its domain: at the ends of its digits, near the integers that its code names, and at
random points; its parameters, wherever it finds them, are integers then too (`twin`). At each point the claim
has to be the symbolic claim at that point. Any difference is an error that names the point and both claims.
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import islice, product
from math import prod
from random import Random
from time import perf_counter
from types import CodeType
from typing import Any

from .assumed import connected, instances, meets, worked_back
from .claim import Claim, Pointwise, is_map, show_side
from .dim import Dim
from .domain import origins
from .errors import LayoutError
from .formula import Relation
from .layout import Layout
from .over_parameters import at, parameters
from .polynomial import ONE, Param
from .question import Question
from .symbol import as_whole, plain_parameters
from .symbolic import Expr, Var, evaluate, variables
from .twin import Twin, within_reach

POINTS = 120  # at which a body is run
CHOICES = 24  # of parameters, of those points
BRANCHES = 48  # integers that the code names
AT_LEAST = 16  # points, however slow the body is
SECONDS = 0.3  # after which a slow body is run no more
WALKED = 1 << 12  # points of a claim of hardware that are computed to compare two of them
MOST_VALUES = 64  # indices at which two maps are compared where their forms do not tell

Point = dict[str, int]


def check_body(question: Question) -> None:
    """Run the body on plain integers. Raises LayoutError where it states another claim, or fails."""
    if question.body is None:
        return
    _refuse_identity(question.body)
    near = _integers_named(question.body)
    symbolic: dict[int, bool] = {}
    start, count = perf_counter(), 0
    for values, points in _runs(question, near):
        twin = Twin(values, symbolic).of(question.body)
        for point in points:
            _check_at(question, twin, values, point)
            count += 1
            if count >= AT_LEAST and perf_counter() - start > SECONDS:
                return


def check_at(question: Question, point: Mapping[str, int]) -> None:
    """The same at one point of a body without parameters: where a computed value contradicts an engine, it
    may be the body that answers in two ways."""
    if question.body is not None:
        _check_at(question, question.body, {}, dict(point))


def _check_at(question: Question, twin: Any, values: Mapping[str, int], point: Point) -> None:
    where = {**values, **point}
    with plain_parameters(_given_to_dims(values, point)):
        try:
            plain = twin(**point)
        except (Exception, SystemExit) as error:  # the author's code, which may raise anything
            raise LayoutError(
                f"prove: the body states a claim about symbols and fails on plain integers\n"
                f"  {_at(where)}: {type(error).__name__}: {error}\n"
                f"  on symbols: {question.claim}"
            ) from error
    stated: Any = question.claim
    if isinstance(plain, Claim):
        pair = _difference(stated, plain, where)
        if pair is None:
            return
        stated, plain = pair
    stated, plain = at((stated, plain), where)
    raise LayoutError(
        f"prove: the body states one claim about symbols and another about plain integers\n"
        f"  {_at(where)}\n"
        f"  on symbols:        {_said(stated)}\n"
        f"  on plain integers: {_said(plain)}\n"
        "  Python code took one branch for all values (type, isinstance, a caught exception, `is`): state a "
        "claim\n  for each case, equal(a, b).given(...), or quantify the cases apart"
    )


def _at(where: Mapping[str, int]) -> str:
    return "at " + (", ".join(f"{name} = {x}" for name, x in where.items()) or "its one point")


def _said(x: Any) -> str:
    return str(replace(x, label="")) if isinstance(x, Claim) else show_side(x)


def _given_to_dims(values: Mapping[str, int], point: Point) -> Any:
    """What `dims` gives a body: the parameter's value; where the claim has none, one that changes from point
    to point."""

    def value(v: Param) -> int:
        if v in values:
            return values[v]
        return max(v.least, 1 + sum(point.values()) % 7)

    return value


# --- where ---


def _runs(question: Question, near: list[int]) -> Iterator[tuple[dict[str, int], Iterator[Point]]]:
    """Values of the parameters, each with points of the digits."""
    random = Random(0)
    reached = [x for y in within_reach(question.body) for x in parameters(y)]
    params = _new(dict.fromkeys([*parameters((question.free, question.claim)), *reached]))
    if not params:
        bounds = {str(v.name): int(v.bound) for v in question.free}
        yield {}, _points(bounds, near, random, POINTS)
        return
    for k, values in enumerate(islice(_choices(params, near, random), CHOICES)):
        bounds = {str(v.name): at(v.bound, values) for v in question.free}
        if all(type(n) is int and n > 0 for n in bounds.values()):
            some = near[k::CHOICES]  # to each choice its share
            yield values, _points(bounds, some, random, POINTS // CHOICES)


def _new(params: Iterable[Param]) -> tuple[Param, ...]:
    """Without those that facts give in terms of others."""
    old = {v for o in origins(params) for v, p in o.values.items() if p != {(v,): 1}}
    return tuple([v for v in params if v not in old])


def _points(bounds: Mapping[str, int], near: list[int], random: Random, most: int) -> Iterator[Point]:
    """Points of a box: all of a small one; of others the ends, those near given integers, and random ones."""
    if prod(bounds.values()) <= most:
        for xs in product(*map(range, bounds.values())):
            yield dict(zip(bounds, xs, strict=True))
        return
    yield {name: n - 1 for name, n in bounds.items()}
    yield dict.fromkeys(bounds, 0)
    for name, n in bounds.items():
        for x in (n - 1, *near):
            if 0 <= x < n:
                yield {**dict.fromkeys(bounds, 0), name: x}
    for _ in range(most):
        yield {name: _some(n, near, random) for name, n in bounds.items()}


def _some(n: int, near: list[int], random: Random) -> int:
    """A number below n: anywhere, small, or one that the code names."""
    kind = random.randrange(4)
    if kind == 0 and near:
        return min(max(random.choice(near), 0), n - 1)
    if kind == 1:
        return random.randrange(min(n, 1 << random.randrange(1, 12)))
    return random.randrange(n)


def _choices(params: tuple[Param, ...], near: list[int], random: Random) -> Iterator[dict[str, int]]:
    """Values of parameters that meet all facts, and those of the parameters that the facts were given
    about."""
    tied = connected(params)
    least: dict[str, int] = {v: v.least for v in tied}
    for values in (*islice(instances(tied), CHOICES // 4), *_near(tied, least, near), *_far(tied, random)):
        if meets({**least, **values}):
            known = worked_back({**least, **values})
            if known is not None:
                yield known


def _near(tied: tuple[Param, ...], least: dict[str, int], near: list[int]) -> Iterator[dict[str, int]]:
    """One parameter, new or old, at an integer that the code names."""
    old = [(v, p) for o in origins(tied) for v, p in o.values.items()]
    for x in near[: CHOICES // 2]:
        for v in tied:
            yield {**least, v: x}
        for _, p in old:
            for v in tied:
                slope, rest = p.get((v,), 0), p.get(ONE, 0)
                if slope > 1 and (x - rest) % slope == 0:
                    yield {**least, v: (x - rest) // slope}


def _far(tied: tuple[Param, ...], random: Random) -> Iterator[dict[str, int]]:
    for k in range(CHOICES):
        yield {v: v.least + random.randrange(1 << (2 + k % 9)) for v in tied}


def _refuse_identity(body: Any) -> None:
    """Raises LayoutError for `x is 3` in the code of a body, which no symbol ever is and some integers are;
    perhaps nowhere near a point at which the body is run."""
    for code in within_reach(body):
        if isinstance(code, CodeType) and dis.opmap["IS_OP"] in code.co_code[::2]:
            steps = [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]
            for k, step in enumerate(steps):
                sides = (k - 1, _before_operand(steps, k)) if step.opname == "IS_OP" else ()
                loaded = [steps[j] for j in sides if j >= 0 and steps[j].opname == "LOAD_CONST"]
                named = [i.argval for i in loaded if type(i.argval) is int]
                if named:
                    raise LayoutError(
                        f"prove: the body asks whether something `is {named[-1]}`\n"
                        "  that compares objects, not numbers, and no symbol is one of Python's integers: "
                        "state a claim for\n  each case, equal(a, b).given(...)"
                    )


def _before_operand(steps: list[dis.Instruction], k: int) -> int:
    """The last step of the left operand of step k: before those that leave the right one on the stack."""
    missing = 1
    while missing > 0 and k > 0:
        k -= 1
        missing -= dis.stack_effect(steps[k].opcode, steps[k].arg, jump=False)
    return k - 1


def _integers_named(body: Any) -> list[int]:
    """The integers in a body's code, and in what it can get at, each with its neighbours: where it may
    branch."""
    found: dict[int, None] = {}
    for x in within_reach(body):
        for y in _integers(x):
            found.setdefault(y)
        if len(found) >= BRANCHES:
            break
    return list(dict.fromkeys(y for x in found for y in (x, x - 1, x + 1)))


def _integers(x: Any) -> list[int]:
    if type(x) is int:
        return [x]
    if isinstance(x, CodeType):
        return [y for y in x.co_consts if type(y) is int]
    if isinstance(x, Mapping):
        return [y for y in x if type(y) is int]
    if isinstance(x, Dim):
        return [c for c in x.terms.values() if c > 1]
    return []


# --- whether two claims are one ---


def _difference(a: Claim, b: Claim, where: Mapping[str, int]) -> tuple[Claim, Claim] | None:
    """The first parts in which two claims differ at values of all symbols; None where they say the same."""
    parts, others = a.parts(), b.parts()
    if any(map(_of_hardware, (*parts, *others))):
        return None if _as_true(at(a, where), at(b, where)) else (a, b)
    if len(parts) != len(others):
        return a, b
    return next(((x, y) for x, y in zip(parts, others, strict=True) if not _same_part(x, y, where)), None)


def _of_hardware(part: Claim) -> bool:
    """Whether a part speaks of threads, registers or banks: the package states such claims in one way over
    parameters and in another on integers."""
    return type(part).__module__.rpartition(".")[2] not in _OF_INTEGERS


_OF_INTEGERS = ("claim", "map_claims", "quantified", "spread_claim")


def _as_true(a: Claim, b: Claim) -> bool:
    """Whether two claims without symbols both hold, or both fail; True also where that takes long to say."""
    if max(a.instances(), b.instances()) > WALKED:
        return True
    fails, other = (any(p.failure() is not None for p in x.parts()) for x in (a, b))
    return fails == other


def _same_part(a: Claim, b: Claim, where: Mapping[str, int]) -> bool:
    if not (isinstance(a, Pointwise) and isinstance(b, Pointwise)):
        return _same(at(a, where), at(b, where))
    sides = (a.premises, b.premises), (a.goals, b.goals)
    return type(a) is type(b) and all(
        len(xs) == len(ys) and all(_same_relation(x, y, where) for x, y in zip(xs, ys, strict=True))
        for xs, ys in sides
    )


def _same_relation(a: Relation, b: Relation, where: Mapping[str, int]) -> bool:
    return a.op == b.op and all(
        x is y or evaluate(x, where) == evaluate(y, where) for x, y in ((a.left, b.left), (a.right, b.right))
    )


def _same(a: Any, b: Any) -> bool:
    """Whether two values say the same; maps are compared as functions, labels not at all."""
    if a is b:
        return True
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if is_map(a) and is_map(b):
        return _same_map(a, b)
    if is_dataclass(a) and not isinstance(a, type):
        names = [f.name for f in fields(a) if f.init and f.name not in ("label", "form", "sides")]
        return type(a) is type(b) and all(_same(getattr(a, n), getattr(b, n)) for n in names)
    if isinstance(a, Expr) or isinstance(b, Expr):
        return _same_expression(a, b)
    x, y = as_whole(a), as_whole(b)
    known = isinstance(x, (int, str)) or isinstance(y, (int, str)) or _compares(type(a))
    return bool(x == y) if known else type(a) is type(b)


def _same_expression(a: Any, b: Any) -> bool:
    """Expressions over digits that a claim quantifies itself, computed at some of their values."""
    if isinstance(a, Var) and isinstance(b, Var):
        return (a.name, a.bound, a.lower) == (b.name, b.bound, b.lower)
    digits = variables(a, b)
    random = Random(0)
    for k in range(16):
        ends = {v: v.bound if isinstance(v.bound, int) else (v.lower or 0) + 100 for v in digits}
        values = {
            v.name: random.randrange(v.lower or 0, end) if k else v.lower or 0 for v, end in ends.items()
        }
        if evaluate(a, values) != evaluate(b, values):
            return False
    return True


def _compares(kind: type) -> bool:
    """Whether things of a type are equal by what they are, not each to itself alone."""
    return any("__eq__" in vars(k) for k in kind.__mro__[:-1])


def _same_map(a: Any, b: Any) -> bool:
    n = a.size()
    if n != b.size():
        return False
    if isinstance(a, Layout) and isinstance(b, Layout):
        return a.canonical() == b.canonical()
    most = min(n, MOST_VALUES)
    return all(a(i) == b(i) for k in range(most) for i in (k, n - 1 - k, k * n // most))
