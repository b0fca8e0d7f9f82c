"""Polynomials with integer coefficients over parameters, and what is surely true of them.

A polynomial is a dict from monomials to coefficients other than 0; a monomial is a sorted tuple of
parameters, `{(K, N): 2, (): 1}` being `2*K*N + 1`. A parameter is a name with its range: `least <= K`, and
`K < bound` where a bound is known, itself a polynomial. Two parameters are the same iff names, ranges and
facts are.

    divide(p, s)    (q, r) with p = s*q + r, taking out of p all that s surely divides
    nonneg(p)       whether p >= 0 follows from the ranges; False says "not shown", never "negative"

Why not sympy.polys.rings: a ring fixes its parameters when it is made, while layouts meet with others every
time; importing sympy takes longer than proving all parametric theorems; and these functions are faster, twice
for sums and products of `16*M*K + 3*N + 1` and `N*K - 2`, 7 times for comparing them, equal for a division
(`python -m tests.bench polynomials`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Any, TypeAlias

Monomial: TypeAlias = "tuple[Param, ...]"
Poly: TypeAlias = "dict[Monomial, int]"

ONE: Monomial = ()


class Param(str):
    """A parameter. The text is what identifies it (it sorts and hashes as fast as text does); `name` is what
    is shown, and no text that somebody writes is equal to a parameter.

    `facts` are polynomials known to be 0 or more, for what no range can say: `8*q - K` for `8*q >= K`;
    `divides` are pairs (n, p) with n a divisor of p. `origin` tells what a parameter that `assume` made
    stands for; `remark` keeps apart parameters of one name and range that come from different facts.
    """

    __slots__ = ("bound", "divides", "facts", "least", "name", "origin")

    name: str
    least: int
    bound: Poly | None
    facts: tuple[Poly, ...]
    divides: tuple[tuple[Poly, Poly], ...]
    origin: Origin | None

    def __new__(cls, name: str, least: int = 1, bound: Poly | None = None, remark: str = "") -> Param:
        end = "" if bound is None else key(bound)
        self = super().__new__(cls, f"{name}\0{least}\0{end}\0{remark}")
        self.name = name
        self.least = least
        self.bound = bound
        self.facts = ()
        self.divides = ()
        self.origin = None
        return self

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __repr__(self) -> str:
        return f"Param({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # the rest as a state: facts and origin lead back to the parameter itself
        state = (self.name, self.least, self.bound, self.facts, self.divides, self.origin)
        return _param, (str.__str__(self),), state

    def respelled(self, text: str) -> Param:
        """The same parameter that prints in another way."""
        other = _param(str.__str__(self))
        other.__setstate__((text, *self.__reduce__()[2][1:]))
        return other

    def __setstate__(self, state: Any) -> None:
        self.name, self.least, self.bound, self.facts, self.divides, self.origin = state


def _param(text: str) -> Param:
    return str.__new__(Param, text)


@dataclass(eq=False)
class Origin:
    """Where parameters come from that `assume` made: `facts` as they were given, each a kind with its
    polynomials over the old parameters, and `values`, the old parameters over the new ones. `others` are of
    the same `assume`, about other parameters: their facts have to be possible too."""

    facts: tuple[tuple[str, tuple[Poly, ...]], ...]
    values: Mapping[Param, Poly]
    others: tuple[Origin, ...] = ()


def key(p: Poly) -> str:
    """A text that two polynomials share iff they are the same."""
    return ";".join(f"{c}*{'*'.join(m)}" for m, c in sorted(p.items()))


def constant(n: int) -> Poly:
    return {ONE: n} if n else {}


def add(p: Poly, q: Poly, factor: int = 1) -> Poly:
    """p + factor*q."""
    result = p.copy()
    for m, c in q.items():
        total = result.get(m, 0) + factor * c
        if total:
            result[m] = total
        else:
            result.pop(m, None)
    return result


def scale(p: Poly, n: int) -> Poly:
    return {m: c * n for m, c in p.items()} if n else {}


def multiply(p: Poly, q: Poly) -> Poly:
    result: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            k = (tuple(sorted(m + n)) if n else m) if m else n
            total = result.get(k, 0) + c * d
            if total:
                result[k] = total
            else:
                del result[k]
    return result


def params(*polynomials: Poly) -> tuple[Param, ...]:
    """The parameters that occur, sorted by their text."""
    return tuple(sorted({v for p in polynomials for m in p for v in m}))


def closure(*polynomials: Poly) -> tuple[Param, ...]:
    """The parameters that occur, or occur in their bounds and facts; what a bound needs comes first."""
    found: dict[Param, None] = {}

    def visit(v: Param) -> None:
        if v in found or v in open_:
            return
        open_.add(v)
        if v.bound is not None:
            for w in params(v.bound):
                visit(w)
        found[v] = None
        for fact in (*v.facts, *(p for pair in v.divides for p in pair)):
            for w in params(fact):
                visit(w)

    open_: set[Param] = set()
    for v in params(*polynomials):
        visit(v)
    return tuple(found)


def as_int(p: Poly) -> int | None:
    """The integer that p is, None if it has parameters."""
    if not p:
        return 0
    return p.get(ONE) if len(p) == 1 else None


def substitute(p: Poly, values: Mapping[Param, Poly]) -> Poly:
    """p with polynomials in place of parameters."""
    if not any(v in values for m in p for v in m):
        return p
    result: Poly = {}
    for m, c in p.items():
        term: Poly = {tuple([v for v in m if v not in values]): c}
        for v in m:
            if v in values:
                term = multiply(term, values[v])
        result = add(result, term)
    return result


def evaluate(p: Poly, values: Mapping[str, int]) -> int:
    """The value at one point, a value for each parameter. Raises KeyError for one without."""
    total = 0
    for m, c in p.items():
        for v in m:
            c *= values[v]
        total += c
    return total


def without(m: Monomial, divisor: Monomial) -> Monomial | None:
    """m / divisor, None if that is not a monomial."""
    if not divisor:
        return m
    rest = list(m)
    for v in divisor:
        if v not in rest:
            return None
        rest.remove(v)
    return tuple(rest)


def _rank(item: tuple[Monomial, int]) -> tuple[int, Monomial]:
    return len(item[0]), item[0]


def divide(p: Poly, s: Poly) -> tuple[Poly, Poly]:
    """(q, r) with `p = s*q + r`, r without multiples of the leading term of s: every coefficient that
    exceeds it is reduced, constants to `0 <= c < s` for a constant s.

    An exact division leaves r empty. s must not be 0.
    """
    lead, least = max(s.items(), key=_rank)
    q: Poly = {}
    rest = p
    for _ in range(1000):
        for m, c in sorted(rest.items(), key=_rank, reverse=True):
            over = without(m, lead)
            if over is None:
                continue
            # floored where nothing but a number is left, so that (4*k - 1) % 4 is 3; else toward zero
            times = c // least if m == lead else abs(c) // abs(least)
            if m != lead and (c < 0) != (least < 0):
                times = -times
            if times:
                break
        else:
            return q, rest
        step = {over: times}
        q = add(q, step)
        rest = add(rest, multiply(s, step), -1)
    raise AssertionError("division takes a term off in every step")


def content(p: Poly) -> int:
    """The greatest common divisor of the coefficients."""
    return gcd(*p.values())


def split(p: Poly, v: Param) -> tuple[Poly, Poly] | None:
    """(p0, p1) with `p = p0 + v*p1` and v in neither; None where v has a power."""
    p0: Poly = {}
    p1: Poly = {}
    for m, c in p.items():
        k = m.count(v)
        if k > 1:
            return None
        if k:
            rest = list(m)
            rest.remove(v)
            p1[tuple(rest)] = c
        else:
            p0[m] = c
    return p0, p1


def nonneg(p: Poly) -> bool:
    """Whether p >= 0 for all values in the ranges: sound, and not complete.

    A parameter with a bound in which p is linear is worst at an end of its range; what is left is written
    in `K - least(K)`, and coefficients that are all 0 or more settle it. Facts are tried one at a time.
    """
    if not p:
        return True
    c = as_int(p)
    if c is not None:
        return c >= 0
    return _nonneg(tuple(sorted(p.items())))


@lru_cache(maxsize=1 << 14)
def _nonneg(items: tuple[tuple[Monomial, int], ...]) -> bool:
    p = dict(items)
    return _at_ends(p, [f for v in closure(p) for f in v.facts])


def _at_ends(p: Poly, facts: list[Poly]) -> bool:
    bounded = [v for v in closure(p) if v.bound is not None]
    for v in reversed(bounded):  # bounds of later ones may hold earlier ones
        parts = split(p, v)
        if parts is None or not parts[1]:
            continue
        p0, p1 = parts
        assert v.bound is not None, "only those are asked"
        low = add(p0, scale(p1, v.least))
        high = add(p0, multiply(p1, add(v.bound, constant(1), -1)))
        if nonneg(p1):
            return _at_ends(low, facts)
        if nonneg(scale(p1, -1)):
            return _at_ends(high, facts)
        return _at_ends(low, facts) and _at_ends(high, facts)
    return _settled(p) or any(
        _settled(add(p, multiply(factor, fact), -1)) for fact in facts for factor in _factors(p, fact)
    )


def _settled(p: Poly) -> bool:
    return all(c >= 0 for c in shifted(p).values())


def _factors(p: Poly, fact: Poly) -> list[Poly]:
    """Monomials to try: with one of them times the fact taken off, a term of p vanishes."""
    seen: dict[tuple[Monomial, int], None] = {}
    for m, c in p.items():
        for n, d in fact.items():
            over = without(m, n)
            if over is not None and c * d > 0 and c % d == 0 and n:
                seen[over, c // d] = None
    return [{m: c} for m, c in seen]


def shifted(p: Poly) -> Poly:
    """p in terms of `K - least(K)` for every parameter K, under the parameters' own names."""
    moved = {v: {(v,): 1, ONE: v.least} for v in params(p) if v.least}
    return substitute(p, moved) if moved else p


def show(p: Poly) -> str:
    """`2*K*N-N+1`: greater degrees first, no blanks, so that it stands in a shape."""
    if not p:
        return "0"
    text = ""
    for m, c in sorted(p.items(), key=lambda item: (-len(item[0]), [v.name for v in item[0]])):
        sign = "-" if c < 0 else "+" if text else ""
        factors = [v.name for v in m]
        if abs(c) != 1 or not m:
            factors.insert(0, str(abs(c)))
        text += sign + "*".join(factors)
    return text
