"""assume: facts about parameters, worked into the parameters themselves.

    K, ld = dims("K ld")
    d = assume(K % 16 == 0, ld >= K, ld % 8 == 0)
    print(d)                        K = 16*k, ld = 16*k+8*p, for all k >= 1, p >= 0
    K, ld = d                       the new Dims, in the order in which the facts name the old ones
    d(Layout((M, K), (ld, 1)))      (M,16*k):(16*k+8*p,1)

A multiple of n becomes n times a new parameter, a least value becomes the parameter's own, `ld >= K` becomes
`ld = K + p`, an upper end becomes a bound. Then every decision sees the facts without looking for them. What
fits no parameter is a side condition, listed in `side`: an inequality stays with the parameters that it names
and is tried when a sign is in question; both it and a divisibility of a sum or product are premises of
whatever z3 is asked about these parameters, and every witness meets them.

The facts are a set: in whatever order they are given, the same becomes of them. They may be about parameters
that an earlier `assume` made; then what is known of those is kept.

Facts may be given as text: `assume("M % 32 == 0, 16 | K, N <= 8, L == 2*N")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import polynomial as poly
from .dim import Dim, Fact, make
from .errors import LayoutError
from .fact import Contradiction, Statement
from .fact_solver import solve
from .fact_text import read_facts
from .layout import Layout
from .names import spelled
from .over_parameters import parameters
from .polynomial import ONE, Origin, Param, Poly
from .swizzle import ComposedLayout

__all__ = ["Contradiction", "Domain", "assume", "read_facts", "substitute"]


class Domain:
    """What `assume` found: `values` gives each parameter named in a fact as a Dim over the new ones; `side`
    are facts about the new ones that fit no parameter."""

    def __init__(
        self, statements: Sequence[Statement], taken: Iterable[str], also: Iterable[Param] = ()
    ) -> None:
        self._statements = statements
        self._taken = tuple(taken)
        solved = solve([*statements, *_links(statements)], taken, also)
        named = {v for s in statements for v in poly.params(*s.polys)}
        order = sorted(named, key=lambda v: (_place(v, statements), v))
        self._values = {v: solved.values[v] for v in order} | solved.values
        self._named = len(order)  # how many of them the facts name; the others are tied to those
        self.origins = solved.origins
        self.side = tuple([Fact(s.kind, s.polys, shown_statement(s)) for s in solved.aside])
        self.facts = tuple([s.text for s in statements])

    @property
    def values(self) -> dict[str, Any]:
        """The old parameters by name, those that the facts name before others."""
        texts = spelled(self._values)
        return {texts[v]: make(p) for v, p in self._values.items()}

    def __iter__(self) -> Iterator[Any]:
        return iter([make(p) for p in self._values.values()][: self._named])

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __call__(self, x: Any) -> Any:
        """x (an int, a Dim, a nested tuple of them, a layout) over the new parameters."""
        changed = {v for v, p in self._values.items() if p != {(v,): 1}}
        tied = [v for v in parameters(x) if v not in self._values and changed & set(poly.closure({(v,): 1}))]
        if tied:  # by an end or a fact of an earlier `assume` to what this one changes
            return Domain(self._statements, self._taken, tied)(x)
        return substitute(x, self._values)

    def original(self, fact: str) -> str:
        """A fact about one new parameter as one about the old: with `N = 16*n`, `4 | n` is `64 | N`. Empty
        for other facts."""
        (stated,) = read_facts(fact)
        found = poly.params(*stated.polys) if isinstance(stated, Fact) else ()
        if len(found) != 1:
            return ""
        for old, p in self._values.items():
            inside = poly.params(p)
            if [v.name for v in inside] == [found[0].name] and not set(p) - {ONE, inside}:
                return _about(old.name, p[inside[0],], p.get(ONE, 0), stated, found[0])
        return ""

    def before(self, values: Mapping[str, int]) -> dict[str, int]:
        """The old parameters at values of the new ones, each by itself."""
        return {v: poly.evaluate(p, values) for v, p in self._values.items()}

    def params(self) -> tuple[Param, ...]:
        """The new parameters."""
        return poly.closure(*self._values.values())

    def __str__(self) -> str:
        pairs = [(v.name, poly.show(p)) for v, p in self._values.items()]
        changed = [f"{name} = {text}" for name, text in pairs if name != text]
        ranges = ", ".join(map(range_of, self.params()))
        side = "".join(f", given {f}" for f in self.side)
        return (
            f"{', '.join(changed)}{', ' if changed else ''}for all {ranges}{side}"
            if ranges
            else ", ".join(changed)
        )

    def __repr__(self) -> str:
        return f"Domain({self})"


def _about(name: str, a: int, b: int, fact: Fact, v: Param) -> str:
    """A fact about v as one about `name = a*v + b`."""
    shown = name if b == 0 else f"{name}{-b:+d}"
    if fact.kind == "divides":
        n, p = fact.polys
        known = poly.as_int(n)
        return f"{a * known} | {shown}" if known is not None and p == {(v,): 1} and a > 0 else ""
    (p,) = fact.polys
    if a < 1 or set(p) - {ONE, (v,)}:
        return ""
    c, k = p[v,], p.get(ONE, 0)
    return f"{name} >= {b - a * (k // c)}" if c > 0 else f"{name} <= {b + a * (k // -c)}"


def range_of(v: Param) -> str:
    """`K >= 1`, `1 <= N < 9`."""
    return f"{v} >= {v.least}" if v.bound is None else f"{v.least} <= {v} < {poly.show(v.bound)}"


def domain_text(params: Iterable[Param]) -> str:
    """The ranges of parameters, and the facts that no range says: `K >= 1, M >= 1, given 8*K-M*M>=0`."""
    params = tuple(params)
    known = {poly.key(p): p for v in params for p in v.facts}
    facts = []
    for p in known.values():
        negative = poly.key(poly.scale(p, -1))
        if negative not in known:
            facts.append(f"{poly.show(p)}>=0")
        elif list(known).index(negative) > list(known).index(poly.key(p)):
            facts.append(f"{poly.show(p)}=0")
    pairs = [f"{_factor(n)} | {_factor(p)}" for v in params for n, p in v.divides]
    return "".join(
        [", ".join(map(range_of, params)), *(f", given {text}" for text in dict.fromkeys(facts + pairs))]
    )


def shown_statement(s: Statement) -> str:
    """`8*q-K>=0`, `4 | A*B`, `M*N-64=0`."""
    texts = [poly.show(p) for p in s.polys]
    return (
        f"{texts[0]}=0"
        if s.kind == "zero"
        else f"{texts[0]}>=0"
        if s.kind == "nonneg"
        else " | ".join([_factor(p) for p in s.polys])
    )


def _factor(p: Poly) -> str:
    return f"({poly.show(p)})" if len(p) > 1 else poly.show(p)


def substitute(x: Any, values: Mapping[Param, Poly]) -> Any:
    """x with polynomials in place of parameters; x is an int, a Dim, a nested tuple of them, or a layout."""
    if isinstance(x, Dim):
        return make(poly.substitute(x.terms, values))
    if isinstance(x, (tuple, list)):
        return tuple([substitute(y, values) for y in x])
    if isinstance(x, Layout):
        return Layout._make(substitute(x.shape, values), substitute(x.stride, values))
    if isinstance(x, ComposedLayout):
        parts = (substitute(y, values) for y in (x.swizzle, x.offset, x.layout))
        return ComposedLayout(*parts)
    if hasattr(x, "modes") and hasattr(x, "value"):  # a scaled basis
        return type(x)(substitute(x.value, values), x.modes)
    return x


def assume(*facts: Any, taken: Iterable[str] = ()) -> Domain:
    """The domain of these facts, each a `Fact` or a text. True adds nothing.

    The facts are a set: their order changes nothing but the order in which `values` has the parameters. Facts
    about parameters that `assume` made add to what is known of those. New parameters print like none of
    `taken`.

    Raises Contradiction when they cannot hold together, as far as that shows; NotationError for a text that
    states nothing; LayoutError for the denial of a divisibility.
    """
    statements: list[Statement] = []
    for fact in facts:
        for stated in read_facts(fact) if isinstance(fact, str) else [fact]:
            if isinstance(stated, Fact):
                if not stated.holds:
                    raise LayoutError(f"assume: {stated} does not say what the remainder is")
                statements.append(Statement(stated.kind, stated.polys, str(stated)))
            elif isinstance(stated, Statement):
                statements.append(stated)
            elif stated is False:
                raise Contradiction(f"assume: {fact if isinstance(fact, str) else 'a fact'} never holds")
            elif stated is not True:
                raise LayoutError(f"assume: {stated!r} is not a fact; write K % 16 == 0, ld >= K or a text")
    return Domain(statements, tuple(taken))


def _place(v: Param, statements: Iterable[Statement]) -> int:
    """Where the facts name a parameter first."""
    found = re.search(rf"\b{re.escape(v.name)}\b", " ".join(s.text for s in statements))
    return -1 if found is None else found.start()


def _links(statements: Iterable[Statement]) -> list[Statement]:
    """That an old parameter and what an earlier `assume` made of it are one number, where facts name both,
    or two things that were made of it."""
    found: dict[Param, Poly] = {v: {(v,): 1} for s in statements for v in poly.params(*s.polys)}
    links = []
    for origin in origins(tuple(found)):
        for old, p in origin.values.items():
            if found.setdefault(old, p) != p:
                text = f"{old} == {poly.show(p)}"
                links.append(Statement("zero", (poly.add(found[old], p, -1),), text))
    return links


def origins(params: Iterable[Param]) -> list[Origin]:
    """Where parameters come from, and those that they come from, and so on."""
    found: dict[int, Origin] = {}
    rest = list(params)
    while rest:
        v = rest.pop()
        if v.origin is not None and id(v.origin) not in found:
            found[id(v.origin)] = v.origin
            rest += [*v.origin.values, *poly.params(*v.origin.values.values())]
    return list(found.values())
