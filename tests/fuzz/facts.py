"""Random lists of facts about parameters, in every order or one after the other, and a claim under them.

No import of symlayout, on purpose. The truth: the claim is counted at every point of a box that meets all the
facts as they are written, whatever was made of them; and a witness has to meet them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from math import prod
from types import CodeType
from typing import Any

from .case import Case, Error, fault
from .made_up import MadeUp, Plain
from .plain_maps import Map

NAMES = (
    "K",
    "N",
    "M",
    "ld",
    "i",
    "j",
    "t",
    "lane",
    "q",
    "p",
    "k",
    "x",
    "let",
    "mod",
    "div",
    "v",
    "n",
    "thread",
)
GREATEST = {1: 40, 2: 14, 3: 8}  # of a parameter in the box, by how many there are
FURTHER = 130  # up to where a counterexample is looked for
ALONE = 480  # facts about one parameter that no value up to here meets contradict each other
LARGEST = 300  # elements of a layout that is counted
POINTS = 60  # of the box that are counted

# {x} {y} {z} parameters, {n} a modulus, {r} a remainder below it, {c} {d} small numbers, c <= d
FACTS = (
    *("{x} % {n} == 0", "{x} % {n} == {r}", "{x} >= {c}", "{x} <= {d}", "{x} > {c}", "{x} == {d}"),
    *("{x} >= {y}", "{x} <= {n}*{y}", "{x} == {n}*{y}", "{x} % {y} == 0", "{x} >= {y}*{z}", "{x} <= {y}*{y}"),
    *("{x} + {y} <= {d}", "{x} >= {y} + {c}", "{x}*{y} <= 48", "{x} >= {n}*{y}", "{x} < {y} + {c}"),
    *("{x} <= {d}", "{y} <= {c}", "{x} % {n} == 0"),
)
CLAIMS = (
    *("injective(Layout(({n}, {x}), (1, {y})))", "injective(Layout(({x}, {y}), (1, {x})))"),
    *("injective(Layout(({x}, {y}), ({z}, 1)))", "injective(Layout(({x}, {n}), ({n}, 1)))"),
    *("injective(Layout(({n}, 2), (1, {x} - 1)))", "injective(Layout(({x}, {y}), (1, {d})))"),
    *("bijective(Layout(({x}, {y}), ({y}, 1)))", "bijective(Layout(({x}, {n}), (1, {y})))"),
    *("bijective(Layout({n}*{x}, 1))", "bijective(Layout(({x}, {y}), (1, {d})))"),
    *("equal(Layout(({x}, {y}), (1, {x})), Layout({x}*{y}, 1))", "equal(Layout({x}, {y}), Layout({y}, {x}))"),
    *("equal(Layout(({x}, {n}), ({n}, 1)), Layout(({x}, {n}), ({y}, 1)))",),
    *("within(Layout({x}, 1), 0, {d})", "within(Layout(({x}, {y}), (1, {x})), 0, {d})"),
    *("within(Layout({x}, {n}), 0, {n}*{y})", "within(Layout({x}, -1), 1 - {d}, 1)"),
    *("injective(ComposedLayout(Layout(({n}, 8), (1, 0)), 0, Layout({x}, 1)))",),
    *("injective(ComposedLayout(Layout(({n}, {y}), (1, {n})), 0, Layout({x}, 1)))",),
)


@dataclass(frozen=True)
class Facts:
    """Facts and a claim over variables P0, P1, ..., which are called `names`."""

    names: tuple[str, ...]
    facts: tuple[str, ...]
    claim: str

    def meets(self, values: Mapping[str, int], facts: tuple[str, ...] | None = None) -> bool:
        given = {f"P{i}": values[name] for i, name in enumerate(self.names) if name in values}
        return all(eval(_compiled(fact), {}, given) for fact in (self.facts if facts is None else facts))

    def holds(self, values: Mapping[str, int]) -> bool | None:
        """None where there is too much to count, or a size is not positive."""
        plain: dict[str, Any] = {f"P{i}": values[name] for i, name in enumerate(self.names)}
        return (
            bool(found) if (found := eval(_compiled(self.claim), {**COUNTED, **plain})) is not None else None
        )

    def box(self) -> Iterator[dict[str, int]]:
        greatest = GREATEST[len(self.names)]
        for at in product(range(1, greatest + 1), repeat=len(self.names)):
            values = dict(zip(self.names, at, strict=True))
            if self.meets(values):
                yield values

    def contradict(self) -> bool:
        """Whether the facts about one parameter alone already do."""
        for i, name in enumerate(self.names):
            own = tuple(f for f in self.facts if set(re.findall(r"P\d", f)) == {f"P{i}"})
            if not any(self.meets({name: x}, own) for x in range(1, ALONE)):
                return True
        return False

    def text(self, chained: bool) -> str:
        """The function `asked` of the facts in some order: the verdict, and the parameters as they became."""
        variables = ", ".join(f"P{i}" for i in range(len(self.names)))
        unpacked = variables + "," * (len(self.names) == 1)
        claim = f"(lambda {variables}: {self.claim})(*x)"
        if chained:
            assumed = "        for fact in facts:\n            x = assume(fact(*x))(x)\n"
        else:
            assumed = "        x = assume(*facts)(x)\n"
        return (
            f"from itertools import permutations\n{variables} = dims({' '.join(self.names)!r})\n"
            f"def asked(*facts):\n    x = ({unpacked})\n    try:\n{assumed}"
            f"        return prove({claim}, engine='fast'), [str(y) for y in x]\n"
            "    except SymlayoutError as error:\n        return error\n"
        )

    def witness(self, verdict: Any, became: list[str]) -> dict[str, int]:
        """The parameters at a witness, those of them that it decides; none where names are not told apart."""
        if any(len(name) == 1 and name.islower() for name in self.names):
            return {}
        found = {}
        for name, text in zip(self.names, became, strict=True):
            try:
                found[name] = eval(text, {}, {k: x for k, x in verdict.witness.items() if type(x) is int})
            except NameError:
                continue
        return found

    def completed(self, known: Mapping[str, int]) -> Iterator[dict[str, int]]:
        """Points that meet the facts and agree with what is known, also outside of the box."""
        beyond = {k * x + c for x in known.values() for k in range(1, 17) for c in (0, 1)}  # as facts may ask
        near = range(1, FURTHER) if len(self.names) < 3 else (*range(1, 17), 24, 32, 48, 64)
        far = sorted({*near, *beyond})
        axes = [[known[n]] if n in known else far for n in self.names]
        for at in product(*axes):
            values = dict(zip(self.names, at, strict=True))
            if self.meets(values):
                yield values


@lru_cache(maxsize=256)
def _compiled(text: str) -> CodeType:
    return compile(text, "<fact>", "eval")


def counted(kind: str) -> Callable[..., bool | None]:
    def claim(*layouts: Plain | None) -> bool | None:
        found = tuple(x for x in layouts if x is not None)
        return MadeUp(kind, found).fails_first() is None if len(found) == len(layouts) else None

    return claim


def plain(sizes: Any, strides: Any) -> Plain | None:
    sizes, strides = (sizes, strides) if isinstance(sizes, tuple) else ((sizes,), (strides,))
    return Plain(sizes, strides) if all(s > 0 for s in sizes) and prod(sizes) <= LARGEST else None


@dataclass(frozen=True)
class Through:
    """Values of one layout at those of another, which are not negative."""

    outer: Plain
    inside: Plain

    def values(self) -> list[int]:
        at = Map(f"{self.outer.sizes}:{self.outer.strides}")
        return [at(x) for x in self.inside.values()]


def composed(outer: Plain | None, offset: int, inside: Plain | None) -> Any:
    return None if outer is None or inside is None or offset else Through(outer, inside)


def within(layout: Plain | None, low: int, high: int) -> bool | None:
    return None if layout is None else all(low <= x < high for x in layout.values())


COUNTED: dict[str, Any] = {
    **{kind: counted(kind) for kind in ("injective", "bijective", "equal")},
    "Layout": plain,
    "within": within,
    "ComposedLayout": composed,
}


def facts(seed: int) -> Case:
    """The list of facts with that number."""
    rng = random.Random(seed)
    names = tuple(rng.sample(NAMES, rng.choice((1, 2, 2, 3))))
    variables = [f"P{i}" for i in range(len(names))]

    def fill(template: str) -> str:
        x, y, z = (rng.sample(variables, len(variables)) * 3)[:3]
        n, c = rng.choice((2, 3, 4, 4, 8, 8)), rng.choice((1, 2, 3, 5))
        r, d = rng.choice((0, 1, n // 2, n - 1)), c + rng.choice((0, 1, 4, 6))
        return template.format(x=x, y=y, z=z, n=n, r=r, c=c, d=d)

    chained = rng.random() < 0.3
    # between Dims `==` is not a fact but a question, so that facts in Python say it with >= and <=
    pool = [f for f in FACTS if not chained or "%" in f or "==" not in f]
    given = tuple(fill(rng.choice(pool)) for _ in range(rng.choice((1, 2, 2, 3))))
    asked = Facts(names, given, fill(rng.choice(CLAIMS)))
    if chained:
        called = ", ".join(variables)
        order = f"[asked({', '.join(f'lambda {called}: {fact}' for fact in given)})]"
    else:
        spelled = [re.sub(r"P(\d)", lambda m: names[int(m[1])], fact) for fact in given]
        order = f"[asked(*facts) for facts in permutations({spelled!r})]"
    return Case("facts, chained" if chained else "facts", order, _judge(asked), asked.text(chained))


def _judge(asked: Facts) -> Callable[[Any], str]:
    def judge(got: Any) -> str:
        if isinstance(got, Error):
            return fault(got)
        verdicts = [x[0].name if isinstance(x, tuple) else type(x).__name__ for x in got]
        if len(set(verdicts)) > 1:
            return f"the order of the facts changes the verdict: {verdicts}"
        return next((wrong for x in got if (wrong := _one(asked, x))), "")

    return judge


def _one(asked: Facts, got: Any) -> str:
    if not isinstance(got, tuple):
        meets = next(asked.box(), None) if type(got).__name__ == "Contradiction" else None
        return f"{got} but {meets} meets the facts" if meets else ""
    verdict, became = got
    if verdict.name in ("proved", "refuted") and asked.contradict():
        return f"{verdict.name}, but the facts contradict each other"
    if verdict.name == "vacuous" and (meets := next(asked.box(), None)):
        return f"vacuous, but {meets} meets the facts"
    if verdict.name == "proved":
        for at in islice(asked.box(), POINTS):
            if asked.holds(at) is False:
                return f"proved by {verdict.engine}, but it fails at {at}"
    if verdict.name == "refuted":
        return _nowhere(asked, asked.witness(verdict, became))
    return ""


def _nowhere(asked: Facts, known: dict[str, int]) -> str:
    """Whether a refutation has no point at which it could be right, in words."""
    first: dict[str, int] | None = None
    for at in asked.completed(known):
        first = first or at
        if not asked.holds(at):  # or too much to count
            return ""
    if first is None:
        return f"refuted at {known}, which the facts exclude" if known else ""
    if not known and len(asked.names) > 2:
        return ""  # too little was looked at
    return f"refuted, but it holds at {first} and wherever else the facts are met"
