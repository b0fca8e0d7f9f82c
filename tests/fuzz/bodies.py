"""Random bodies that do to a symbol what Python can do to an int, and their truth on plain ints.

No import of symlayout, on purpose. A body is text; what is true of it comes from compiling that text against
stand-ins (`equal` is `==`, `Layout` a list of leaves) and running it: at all points of a small domain, of a
large one at its ends, at random, and around every number that stands in the text, where it may branch.
"""

from __future__ import annotations

import math
import operator
import random
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from types import CodeType
from typing import Any

from .case import Case, Error, fault

SMALL = (1, 2, 3, 4, 5, 6, 8)
LARGE = (1 << 20, 1 << 40, 10**12 + 7, 3 * (1 << 31))
EACH = 400  # points of a domain that are run

# {x} is an arithmetic expression, {a} a bare symbol, {c} {d} {e} constants, {e} not 0
CONDITIONS = (
    *(
        "{x} == {c}",
        "{x} != {c}",
        "{c} == {x}",
        "{x} < {c}",
        "{x} >= {c}",
        "{c} < {x} < {d}",
        "not {x} > {c}",
    ),
    *("{x} in ({c}, {d})", "{x} in {{{c}, {d}}}", "{x} in [{c}]", "{x} in range({c})", "{x} not in ({c},)"),
    *("{a} in {{{c}: 1}}", "({x}, 1) == ({c}, 1)", "[{x}] == [{c}]", "({x}, 0) < ({c}, 1)", "{x} is {c}"),
    *("hash({a}) == {c}", 'str({x}) == "{c}"', 'f"{{{a}}}" == "{c}"', 'format({a}, "d") == "{c}"'),
    *('repr({a}) == "{c}"', "len(str({a})) > 1", '"%d" % {a} == "{c}"', '"{{}}".format({a}) == "{c}"'),
    *("bool({x})", "not {x}", "{a} and {x} > {c}", "{a} == {c} or {x} == {d}", "any([{x} == {c}])"),
    *(
        "all([{x} > {c}, {a} > {d}])",
        "isinstance({a}, int)",
        "type({a}) is int",
        'hasattr({a}, "bit_length")',
    ),
    *("{a}.__class__ is int", "callable({a})", "{{{a}, {c}}} == {{{c}}}", "len({{{a}, {c}}}) == 1"),
    *(
        "{x} % {e} == {c}",
        "{x} // {e} == {c}",
        "{x} & {e} == {c}",
        "{c} in ({x}, {d})",
        "max({x}, {c}) == {x}",
    ),
    *("operator.eq({x}, {c})", "({x}).__eq__({c}) is True", "{x} == {c}.0", "{x} > {c} - 0.5"),
    *("Layout(4, 1) == Layout({a}, 1)", "Layout(({c}, 2), (1, {a})) == Layout(({c}, 2), (1, {d}))"),
    *("Layout(4, 1)({x}) == {c}", "Layout((2, {e}), ({d}, 1))({x}) > {c}"),
)
# outside of a body a symbol has text and a type of its own, and nothing is left of what was asked about them
TEXT_OR_TYPE = re.compile(r" is |str\(|format|repr|f\"|%d|hash|type|isinstance|hasattr|__class__|callable")
VALUES = (
    *("min({x}, {c})", "max({x}, {c})", "abs({x} - {c})", "{x} & {e}", "{x} | {c}", "{x} ^ {c}", "~({x})"),
    *(
        "({x}) << 1",
        "({x}) >> 1",
        "1 << min({a}, 3)",
        "({x}) // {e}",
        "({x}) % {e}",
        "-({x}) // {e}",
        "-({x}) % {e}",
    ),
    *("({x}) // -{e}", "({x}) % -{e}", "({x} - {c}) // {e}", "({x} - {c}) % {e}", "divmod({x}, {e})[0]"),
    *(
        "divmod({x}, {e})[1]",
        "({x}) ** 2",
        "pow({a}, 2, {e})",
        "{c} - ({x})",
        "{c} // ({a} + 1)",
        "{c} % ({a} + 1)",
    ),
    *("{{{c}: 5}}.get({a}, 0)", "{{{c}: 5, {d}: 6}}.get({x}, 0)", "len(str({a}))", "hash({a})", "int({x})"),
    *("round({a})", "operator.index({a})", "math.gcd({a}, {e})", "({a}).bit_length()", "({a}).real"),
    *("sum(range(min({a}, 4)))", "len(range({a}))", "[{c}, {d}][{x} > {c}]", "sorted([{x}, {c}])[0]"),
    *("[{c}, {d}, 0].index({c} if {a} == {d} else {d})", "+({x})", "({x}) * ({x})", "sum([{x}, {c}])"),
    *("math.floor({x})", "int(({x}) / 2)", "-(({x}) // {e}) * {e}", "Layout((2, 3), ({e}, 1))({x})"),
    *(
        "Layout({e}, {c})({a})",
        "Layout(({e}, 4), ({c}, -1))({x})",
        "{a} if {x} > {c} else {x}",
        "(lambda q: q + {c})({x})",
    ),
)
STATEMENTS = (
    ("    try:\n        y = {e} if {x} == {c} else 0\n    except Exception:\n        y = {c}\n", "y", "0"),
    ("    try:\n        y = {{{c}: 5}}[{a}]\n    except (KeyError, TypeError):\n        y = 0\n", "y", "0"),
    (
        "    try:\n        if {x} > {c}:\n            y = 1\n        else:\n            y = 0\n"
        "    except BaseException:\n        y = 0\n",
        "y",
        "0",
    ),
    ("    match {a}:\n        case {c}:\n            y = 5\n        case _:\n            y = 0\n", "y", "0"),
    (
        "    match ({a}, 1):\n        case ({c}, 1) | ({d}, 1):\n            y = 5\n"
        "        case _:\n            y = 0\n",
        "y",
        "0",
    ),
    (
        "    match {a}:\n        case int():\n            y = 1\n        case _:\n            y = 0\n",
        "y",
        "0",
    ),
    ("    def f(z):\n        return {e} if z == {c} else z\n", "f({x})", "{x}"),
    ("    y = 0\n    for k in range(4):\n        y += k if k == {x} else 0\n", "y", "{x}"),
    ("    y = {x}\n    while y > {c}:\n        y -= {e}\n", "y", "{x}"),
    ("    y = {x}\n    if not y:\n        y = {c}\n", "y", "{x}"),
    ("    def f(z, w={c}):\n        return min(z, w)\n", "f({x})", "{x} if {x} < {c} else {c}"),
    ("    y = {x}\n    if isinstance(y, int):\n        y = {c}\n", "y", "{c}"),
    ("    seen = set()\n    seen.add({a})\n    y = len(seen | {{{c}}})\n", "y", "2"),
    ("    y = [k for k in range(4) if k != {a}]\n", "len(y)", "4"),
    ("    if {x} % {e}:\n        y = 1\n    else:\n        y = 0\n", "y", "1"),
    ("    y = ({x}) // {e} * {e} + ({x}) % {e}\n", "y", "{x}"),
    ("    assert {x} != {c} or True\n    y = {x}\n", "y", "{x}"),
    ("    if (y := {x}) == {c}:\n        return equal(1, 0)\n", "y", "{x}"),
)


class StandIn:
    """Layout on plain ints, flat modes only."""

    def __init__(self, shape: Any, stride: Any) -> None:
        self.shape, self.stride = shape, stride
        sizes, steps = (shape, stride) if isinstance(shape, tuple) else ((shape,), (stride,))
        self.leaves = tuple(zip(sizes, steps, strict=True))

    def __call__(self, i: int) -> int:
        """The last mode takes what is left, as in CuTe, which divides towards zero."""
        total = 0
        for size, step in self.leaves[:-1]:
            quotient = abs(i) // size * (1 if i >= 0 else -1)
            total, i = total + (i - size * quotient) * step, quotient
        return total + i * int(self.leaves[-1][1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StandIn) and (self.shape, self.stride) == (other.shape, other.stride)

    __hash__ = None  # type: ignore[assignment]


PLAIN: dict[str, Any] = {"equal": operator.eq, "Layout": StandIn, "math": math, "operator": operator}


@lru_cache(maxsize=64)
def _compiled(text: str, mode: str) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # `a is 3` is what somebody may write
        return compile(text, "<body>", mode)


@dataclass(frozen=True)
class Body:
    """`def body(names...)` with its domain; where `parameter` is a name, that symbol is not an argument but a
    Dim of one or more, and the claim is stated without a body, or with one over the other names."""

    text: str  # of the function, or of the expression when there are no arguments
    domain: tuple[tuple[str, int], ...]
    parameter: str = ""

    def at(self, point: Mapping[str, int]) -> bool:
        """Whether it holds there. Raises whatever the text raises."""
        names = dict(PLAIN)
        if self.parameter:
            names[self.parameter] = point[self.parameter]
        if not self.domain:
            return bool(eval(_compiled(self.text, "eval"), names))
        exec(_compiled(self.text, "exec"), names)
        return bool(names["body"](**{name: point[name] for name, _ in self.domain}))

    def points(self) -> Iterator[dict[str, int]]:
        """All, or those at the ends and around the numbers in the text, and some at random."""
        rng = random.Random(self.text)
        numbers = {int(x) + k for x in re.findall(r"\d+", self.text) for k in (-1, 0, 1)}
        ranges = [range(n) for _, n in self.domain] + [range(1, 1 << 20)] * bool(self.parameter)
        few = math.prod(len(r) for r in ranges) <= EACH
        chosen = [
            list(r)
            if few
            else sorted({r[0], r[-1], *(x for x in numbers if x in r), *(rng.choice(r) for _ in range(4))})
            for r in ranges
        ]
        names = [name for name, _ in self.domain] + [self.parameter] * bool(self.parameter)
        for values in islice(product(*chosen), EACH):
            yield dict(zip(names, values, strict=True))


def body(seed: int) -> Case:
    """The body with that number."""
    rng = random.Random(seed)
    parametric = rng.random() < 0.3
    sizes = SMALL if rng.random() < 0.5 or parametric else LARGE
    names = ["a", "b"][: rng.randint(0, 1) if parametric else rng.choice((1, 1, 2))]
    domain = tuple((name, rng.choice(sizes)) for name in names)
    symbols = names + ["K"] * parametric
    statements, left, right = written(rng, symbols, max([n for _, n in domain], default=16), bool(domain))
    claim = f"equal({left}, {right})"
    given = 'K = dims("K")\n' if parametric else ""
    limits = rng.choices((', engine="fast"', ', engine="fast", confirm_up_to=0', ""), (20, 10, 1))[0]
    if not domain:
        found = Body(claim, (), "K")
        return Case("body over K", f"prove({claim}{limits})", _judge(found), given)
    text = f"def body({', '.join(n for n, _ in domain)}):\n{statements}    return {claim}\n"
    found = Body(text, domain, "K" if parametric else "")
    bounds = ", ".join(f"{name}={n}" for name, n in domain)
    kind = "body over K" if parametric else "body" if sizes == SMALL else "body, large"
    return Case(kind, f"prove(body, {bounds}{limits})", _judge(found), given + text)


def written(rng: random.Random, symbols: list[str], top: int, statements: bool) -> tuple[str, str, str]:
    """Statements, if there may be any, and the two sides of the equation."""

    def fill(template: str) -> str:
        constants = (0, 1, 2, 3, rng.randrange(top), top - 1, min(top, 12), rng.randrange(top))
        names = {
            "x": expression(rng, symbols),
            "a": rng.choice(symbols),
            "c": rng.choice(constants),
            "d": rng.choice(constants),
            "e": rng.choice((1, 2, 3, 4, 7, 8)),
        }
        return template.format(**names)

    way = rng.choice(("condition", "condition", "value", "same", *["statement"] * statements))
    if way == "statement":
        before, left, right = fill("\0".join(rng.choice(STATEMENTS))).split("\0")
        return before, left, right
    if way == "condition":
        condition = fill(rng.choice([c for c in CONDITIONS if statements or not TEXT_OR_TYPE.search(c)]))
        return "", *rng.choice(((f"5 if {condition} else 0", "0"), (f"5 if {condition} else 0", "5")))
    if way == "value":
        pool = [v for v in VALUES if statements or not TEXT_OR_TYPE.search(v)]
        left = fill(rng.choice(pool))
        return "", left, rng.choice((fill("{x}"), left, left, fill(rng.choice(pool)), f"({left}) + 0", "0"))
    left, right = fill("{x}\0{x}").split("\0")
    e = rng.choice((2, 3, 4, 8))
    return (
        "",
        left,
        rng.choice((f"({left}) // {e} * {e} + ({left}) % {e}", f"({right}) + ({left}) - ({right})")),
    )


def expression(rng: random.Random, symbols: list[str]) -> str:
    """Sums, products, quotients and remainders, also of what is negative."""
    a, b = rng.choice(symbols), rng.choice(symbols)
    c, e = rng.choice((1, 2, 3, 5)), rng.choice((2, 3, 4, 8))
    forms = (
        a,
        a,
        a,
        a,
        f"{a} + {c}",
        f"{a} - {c}",
        f"{a} + {b}",
        f"{a} * {e}",
        f"{a} - {b}",
        f"{c} * {a} - {b}",
    )
    deep = (
        f"{a} // {e}",
        f"{a} % {e}",
        f"({a} - {b}) // {e}",
        f"-{a} % {e}",
        f"{a} % {e} + {e} * ({a} // {e})",
    )
    return rng.choice((*forms, *deep))


def _judge(found: Body) -> Callable[[Any], str]:
    def judge(got: Any) -> str:
        if isinstance(got, Error):
            return fault(got)
        if got.name == "proved":
            for point in found.points():
                try:
                    if not found.at(point):
                        return f"proved, but it fails at {point}"
                except Exception as error:
                    return f"proved, but at {point} the body raises {error!r}"
        if got.name == "refuted":
            point = {name: got.witness[name] for name, _ in found.domain}
            if found.parameter:
                point[found.parameter] = got.witness.get(found.parameter, 1)
            outside = [name for name, n in found.domain if not 0 <= point[name] < n]
            if outside or point.get(found.parameter, 1) < 1:
                return f"refuted at {point}, which is not in the domain"
            if found.at(point):
                return f"refuted at {point}, but it holds there"
        return ""

    return judge
