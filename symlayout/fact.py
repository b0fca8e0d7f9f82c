"""One statement about parameters: what it says, in lowest terms, and which statements belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import NamedTuple

from . import polynomial as poly
from .dim import Remainder, divide, terms_of
from .errors import LayoutError
from .polynomial import ONE, Param, Poly

MOST_SCANNED = 4096  # values at which a polynomial in one parameter is looked at


class Contradiction(LayoutError):
    """Facts that cannot hold together."""


class Statement(NamedTuple):
    """`kind` is `divides` (polynomials n, p: n divides p), `nonneg` (p >= 0) or `zero` (p = 0)."""

    kind: str
    polys: tuple[Poly, ...]
    text: str = ""

    @property
    def key(self) -> str:
        """A text that is the same for what says the same in the same words."""
        return f"{self.kind} {' | '.join(map(poly.key, self.polys))}"

    def over(self, values: Mapping[Param, Poly]) -> Statement:
        """The same with polynomials in place of parameters."""
        return Statement(self.kind, tuple([poly.substitute(q, values) for q in self.polys]), self.text)


def holds(kind: str, values: Iterable[int]) -> bool:
    """Whether a statement whose polynomials have these values is true."""
    *divisor, x = values
    if kind == "divides":
        return divisor[0] != 0 and x % divisor[0] == 0
    return x >= 0 if kind == "nonneg" else x == 0


def at_least(p: Poly, least: int) -> bool:
    return poly.nonneg(poly.add(p, poly.constant(-least)))


def contradiction(s: Statement) -> Contradiction:
    return Contradiction(f"assume: {s.text or s.key} contradicts the other facts")


def simplified(s: Statement) -> Statement | None:
    """The statement in lowest terms, None for one that is true. Raises Contradiction."""
    if s.kind == "divides":
        return _lowest(s)
    (p,) = s.polys
    negative = at_least(poly.scale(p, -1), 1)
    if s.kind == "nonneg":
        if poly.nonneg(p):
            return None
        if negative:
            raise contradiction(s)
        g = _common(p)
        slopes = {m: c // g for m, c in p.items() if m != ONE}
        return Statement(s.kind, ({**slopes, **poly.constant(p.get(ONE, 0) // g)},), s.text)
    if not p:
        return None
    g = _common(p)
    if negative or at_least(p, 1) or g == 0 or p.get(ONE, 0) % g:
        raise contradiction(s)
    g *= -1 if max(p.items(), key=lambda item: (len(item[0]), item[0]))[1] < 0 else 1
    return Statement(s.kind, ({m: c // g for m, c in p.items()},), s.text)


def _common(p: Poly) -> int:
    """The greatest common divisor of the coefficients but the constant."""
    return gcd(*(c for m, c in p.items() if m != ONE))


def _lowest(s: Statement) -> Statement | None:
    n, p = s.polys
    known = poly.as_int(n)
    if known is not None:
        n = poly.constant(abs(known))
        g = gcd(known, _common(p))
        if g == 0 or p.get(ONE, 0) % g:
            raise contradiction(s)
        found = params_of([s])
        classes = remainders(p, found[0], abs(known)) if len(found) == 1 else None
        if classes is not None and classes[0] == 1:  # of all values, or of none
            if not classes[1]:
                raise contradiction(s)
            return None
    if not at_least(n, 1):
        return None if not p else s
    rest = divide(p, n)[1]
    if isinstance(rest, Remainder):
        return Statement(s.kind, rest.divides().polys, s.text)
    terms = terms_of(rest)  # which lies in 0 .. n - 1, and 0 it has to be
    assert terms is not None, "a remainder is an int, a Dim or a Remainder"
    return simplified(Statement("zero", (terms,), s.text))


def interval(p: Poly, v: Param) -> tuple[int, int | None] | None:
    """The least and the greatest value of v, the one parameter of p, with p >= 0, if all between are; high is
    None where there is no greatest one, and below low where there is none at all."""
    powers = {len(m): c for m, c in p.items()}
    top = max(powers)
    if top == 1:
        c, k = powers[1], powers.get(0, 0)
        return (-(k // c), None) if c > 0 else (v.least, k // -c)
    # no root is greater, by Cauchy's bound
    end = max(v.least, 2 + max(map(abs, powers.values())) // abs(powers[top]))
    if end - v.least > MOST_SCANNED:
        return None
    good = [x for x in range(v.least, end + 1) if sum(c * x**k for k, c in powers.items()) >= 0]
    if powers[top] > 0:
        return (good[0], None) if good[-1] - good[0] == len(good) - 1 else None
    if not good:
        return v.least, v.least - 1
    return (good[0], good[-1]) if good[-1] - good[0] == len(good) - 1 else None


def remainders(p: Poly, v: Param, n: int) -> tuple[int, list[int]] | None:
    """(m, the remainders modulo m of the v for which n divides p), m as small as it can be; p has no other
    parameter. None where there are too many to look at."""
    powers = {len(m): c % n for m, c in p.items()}
    if max(powers) == 1:  # at once, by the inverse
        a, c = powers[1], powers.get(0, 0)
        g = gcd(a, n)
        m = n // g
        return m, ([-(c // g) * pow(a // g, -1, m) % m if m > 1 else 0] if c % g == 0 else [])
    if n > MOST_SCANNED:
        return None
    found = [r for r in range(n) if sum(c * pow(r, k, n) for k, c in powers.items()) % n == 0]
    m = n
    for q in range(2, n + 1):
        while m % q == 0 and {(r + m // q) % m for r in found} == {r % m for r in found}:
            m //= q
            found = sorted({r % m for r in found})
    return m, found


def roots(p: Poly, v: Param) -> list[int] | None:
    """The values of v from its least on at which p, which has no other parameter, is 0; None where there are
    too many to look at."""
    powers = {len(m): c for m, c in p.items()}
    end = 2 + max(map(abs, powers.values())) // abs(powers[max(powers)])  # by Cauchy's bound
    if end - v.least > MOST_SCANNED:
        return None
    return [x for x in range(v.least, end + 1) if sum(c * x**k for k, c in powers.items()) == 0]


# --- what belongs together ---


def known_of(v: Param) -> list[Statement]:
    """What the range of a parameter says besides its least value, and its facts."""
    end = [] if v.bound is None else [poly.add(poly.add(v.bound, poly.constant(-1)), {(v,): 1}, -1)]
    return [
        *(Statement("nonneg", (p,)) for p in (*end, *v.facts)),
        *(Statement("divides", pair) for pair in v.divides),
    ]


def related(params: Iterable[Param]) -> list[Param]:
    """The parameters, those of their ends, and those that were made together with them."""
    seen: dict[Param, None] = {}
    rest = list(params)
    while rest:
        v = rest.pop()
        if v not in seen:
            seen[v] = None
            rest += poly.closure({(v,): 1})
            if v.origin is not None:
                rest += poly.params(*v.origin.values.values())
    return sorted(seen)


def params_of(statements: Iterable[Statement]) -> tuple[Param, ...]:
    return poly.params(*(p for s in statements for p in s.polys))


def components(statements: Iterable[Statement]) -> list[list[Statement]]:
    """The statements, those together that have parameters in common."""
    parts: list[tuple[set[Param], list[Statement]]] = []
    for s in statements:
        names, together = set(poly.params(*s.polys)), [s]
        apart = []
        for part in parts:
            if names & part[0]:
                names |= part[0]
                together = part[1] + together
            else:
                apart.append(part)
        parts = [*apart, (names, together)]
    return [part for _, part in parts]
