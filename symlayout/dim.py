"""Dim: a size or a stride that is a polynomial over parameters.

    M, N, K = dims("M N K")             each 1 or more
    Layout((4, N, 2 * K), (1, 8 * K, 4))    prints (4,N,2*K):(1,8*K,4)
    (8 * K) // 4, (8 * K) % 4           2*K and 0
    N + 1 > N, N * K >= N               True, decided from N >= 1 and K >= 1

What the ranges do not decide is a `Fact`: `N >= 8` is one, and so is `K % 16 == 0`. `assume` takes facts.
Anybody who asks a fact for its truth gets NeedFact, with the fact as text in `.fact`: `N>=8`, `16 | K`.

Rules: `==` and `!=` are decided as the others are, True or False for all values, or NeedFact: `N == 1` is so
for some N. Hence no Dim is a key; this package's own code compares polynomials to the letter (see `symbol`).
`//` and `%` floor and need a divisor that is surely positive. A result without parameters is an int.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd as _gcd
from typing import Any, NoReturn, Union

from . import polynomial as poly
from .errors import LayoutError, NeedFact
from .polynomial import ONE, Param, Poly
from .symbol import Symbol, as_whole, asked_within, note, note_outside, running_plain

Size = Union[int, "Dim"]


class Fact:
    """A statement about parameters that their ranges leave open. `kind`: `divides` (polynomials n, p), or
    `nonneg` (p >= 0); `holds` is False for its denial."""

    __slots__ = ("holds", "kind", "polys", "text")

    def __init__(self, kind: str, polys: tuple[Poly, ...], text: str, holds: bool = True) -> None:
        self.kind = kind
        self.polys = polys
        self.text = text
        self.holds = holds

    def __bool__(self) -> bool:
        note_outside(self.text)
        raise need(self.text)

    def __eq__(self, other: object) -> bool:
        if self is not other and not asked_within():
            raise need(self.text)  # neither True nor False, and no text
        return self is other

    def __hash__(self) -> int:
        if not asked_within():
            raise need(self.text)
        return id(self)

    def __invert__(self) -> Fact:
        if self.kind == "nonneg":
            p = poly.add(poly.constant(-1), self.polys[0], -1)
            return Fact("nonneg", (p,), f"{poly.show(poly.scale(self.polys[0], -1))}>=1")
        return Fact(self.kind, self.polys, self.text, not self.holds)

    def __str__(self) -> str:
        return self.text if self.holds else f"not {self.text}"

    def __repr__(self) -> str:
        return f"Fact({self})"


def need(fact: str, where: str = "") -> NeedFact:
    """The error that says which fact is missing."""
    return NeedFact(f"{where}{': ' if where else ''}this depends on whether {fact}: assume it", fact)


class Remainder:
    """`K % 16` where it depends on K: comparing it with 0 makes a fact, anything else needs one."""

    __slots__ = ("divisor", "value")

    def __init__(self, value: Poly, divisor: Poly) -> None:
        self.value = value
        self.divisor = divisor

    def divides(self) -> Fact:
        n, p = _lowest(self.divisor, self.value)
        return Fact("divides", (n, p), f"{_factor(n)} | {_factor(p)}")

    def __eq__(self, other: object) -> Any:
        if isinstance(other, int) and other == 0:
            return self.divides()
        return self._needs()

    def __ne__(self, other: object) -> Any:
        return ~self.__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # it has no value to be found by

    def __bool__(self) -> bool:
        return bool(self._needs())

    def __str__(self) -> str:
        return f"{_factor(self.value)}%{_factor(self.divisor)}"

    def _needs(self, _other: object = None) -> NoReturn:
        note_outside(self.divides().text)
        raise need(self.divides().text)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __mod__ = _needs
    __lt__ = __le__ = __gt__ = __ge__ = _needs


def _factor(p: Poly) -> str:
    text = poly.show(p)
    return f"({text})" if len(p) > 1 else text


def _lowest(n: Poly, p: Poly) -> tuple[Poly, Poly]:
    """n | p in lowest terms: `16 | 2*K` is `8 | K`, `4*N | 8*K` is `N | 2*K`."""
    g = _gcd(poly.content(n), poly.content(p))
    n, p = ({m: c // g for m, c in x.items()} for x in (n, p))
    known = poly.as_int(n)
    if known is not None:  # only the coefficients' remainders matter, the least in size are shown
        p = {
            m: c % known if 2 * (c % known) <= known else c % known - known for m, c in p.items() if c % known
        }
        if len(p) == 1:  # 16 | 6*K is 8 | K
            ((m, c),) = p.items()
            return poly.constant(known // _gcd(known, c)), {m: 1}
        if next(iter(p.values())) < 0:
            p = poly.scale(p, -1)
        return n, p
    common = next(iter(n)) if len(n) == 1 else ONE
    for v in common:
        if all(v in m for m in p) and all(v in m for m in n):
            n, p = ({poly.without(m, (v,)) or ONE: c for m, c in x.items()} for x in (n, p))
    if next(iter(p.values())) < 0:
        p = poly.scale(p, -1)
    return n, p


class Dim(Symbol):
    """A polynomial over parameters that is not a plain integer. Made by `dims` and by arithmetic."""

    __slots__ = ("_hash", "terms")

    terms: Poly
    _hash: int | None

    def __init__(self, terms: Poly) -> None:
        self.terms = terms
        self._hash = None

    def __hash__(self) -> int:
        """Of the polynomial, for this package's own tables; refused to others, who would look for `2`."""
        if self._hash is None:
            # odd numbers, because hash(-1) = hash(-2), and Dims of one hash are compared
            self._hash = hash(frozenset([(m, 2 * c + 1) for m, c in self.terms.items()]))
        if not asked_within():
            self._may_not_be_hashed()
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Whether the two are equal for all values, or for none; NeedFact where that depends on them. Asked
        by this package, whether they are one polynomial."""
        if self is other or (isinstance(other, Dim) and self.terms == other.terms):
            return True
        if isinstance(other, Symbol) and not isinstance(other, Dim):
            return NotImplemented  # a digit, which answers for itself
        if asked_within():
            return False
        q = terms_of(other if isinstance(other, Dim) else as_whole(other))
        if q is None:
            return NotImplemented
        p = poly.add(self.terms, q, -1)
        if any(poly.nonneg(poly.add({ONE: -1}, x)) for x in (p, poly.scale(p, -1))):
            return False
        note(f"{self._text()} == {make(q)}")
        raise need(f"{self._text()} == {make(q)}")

    def __ne__(self, other: object) -> bool:
        answer = self.__eq__(other)
        return answer if answer is NotImplemented else not answer

    def __add__(self, other: Any) -> Any:
        if type(other) is int:
            return make(poly.add(self.terms, {ONE: other})) if other else self
        return make(poly.add(self.terms, other.terms)) if isinstance(other, Dim) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        q = terms_of(other)
        return NotImplemented if q is None else make(poly.add(self.terms, q, -1))

    def __rsub__(self, other: Any) -> Any:
        q = terms_of(other)
        return NotImplemented if q is None else make(poly.add(q, self.terms, -1))

    def __neg__(self) -> Dim:
        return Dim(poly.scale(self.terms, -1))

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __mul__(self, other: Any) -> Any:
        if type(other) is int:
            return make(poly.scale(self.terms, other))
        return Dim(poly.multiply(self.terms, other.terms)) if isinstance(other, Dim) else NotImplemented

    __rmul__ = __mul__

    def __pow__(self, n: int) -> Any:
        result: Any = 1
        for _ in range(n):
            result = self * result
        return result

    def __divmod__(self, other: Any) -> Any:
        q = terms_of(other)
        return NotImplemented if q is None else _divmod(self.terms, q)

    def __rdivmod__(self, other: Any) -> Any:
        p = terms_of(other)
        return NotImplemented if p is None else _divmod(p, self.terms)

    def __floordiv__(self, other: Any) -> Any:
        q = terms_of(other)
        return NotImplemented if q is None else _quotient(self.terms, q)

    def __rfloordiv__(self, other: Any) -> Any:
        p = terms_of(other)
        return NotImplemented if p is None else _quotient(p, self.terms)

    def __mod__(self, other: Any) -> Any:
        q = terms_of(other)
        return NotImplemented if q is None else divide(self.terms, q)[1]

    def __rmod__(self, other: Any) -> Any:
        p = terms_of(other)
        return NotImplemented if p is None else divide(p, self.terms)[1]

    def __ge__(self, other: Any) -> Any:
        q = terms_of(other)
        return NotImplemented if q is None else compare(poly.add(self.terms, q, -1), self, ">=", other)

    def __gt__(self, other: Any) -> Any:
        q = terms_of(other)
        if q is None:
            return NotImplemented
        return compare(poly.add(poly.add(self.terms, q, -1), {ONE: -1}), self, ">", other)

    def __le__(self, other: Any) -> Any:
        q = terms_of(other)
        return NotImplemented if q is None else compare(poly.add(q, self.terms, -1), self, "<=", other)

    def __lt__(self, other: Any) -> Any:
        q = terms_of(other)
        if q is None:
            return NotImplemented
        return compare(poly.add(poly.add(q, self.terms, -1), {ONE: -1}), self, "<", other)

    def __bool__(self) -> bool:
        """Whether it is surely other than 0. Raises NeedFact where that is open."""
        return bool(self > 0) if not poly.nonneg(poly.scale(self.terms, -1)) else bool(self < 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return Dim, (self.terms,)

    def _text(self) -> str:
        return poly.show(self.terms)

    def params(self) -> tuple[Param, ...]:
        """The parameters that occur."""
        return poly.params(self.terms)

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The value at one point, parameters by themselves or by their names. Raises KeyError for a parameter
        without a value."""
        found: dict[str, int] = {v: values[v] if v in values else values[v.name] for v in self.params()}
        return poly.evaluate(self.terms, found)

    def _sympy_(self) -> Any:
        """What sympy makes of it: positive integer symbols for parameters from 1 on."""
        import sympy

        total = sympy.Integer(0)
        for m, c in self.terms.items():
            term = sympy.Integer(c)
            for v in m:
                kind = {"positive": True} if v.least > 0 else {"nonnegative": True} if v.least == 0 else {}
                term *= sympy.Symbol(v.name, integer=True, **kind)
            total += term
        return total


def terms_of(x: Any) -> Poly | None:
    """The polynomial of an int or a Dim, None for anything else."""
    if type(x) is int:
        return {ONE: x} if x else {}
    return x.terms if isinstance(x, Dim) else None


def make(p: Poly) -> Any:
    """The Dim of a polynomial, an int if it is one."""
    c = poly.as_int(p)
    return Dim(p) if c is None else c


def divide(p: Poly, s: Poly) -> tuple[Any, Any]:
    """Quotient and remainder by a polynomial that is surely positive; undecided, a Remainder with the part of
    the quotient that is known."""
    if not s:
        raise ZeroDivisionError("a Dim divided by 0")
    if not poly.nonneg(poly.add(s, {ONE: -1})):
        if poly.nonneg(poly.scale(s, -1)):
            raise LayoutError(f"{_factor(p)} // {_factor(s)}: only positive divisors occur in layouts")
        raise need(f"{poly.show(s)}>=1")
    q, r = poly.divide(p, s)
    for shift in (0, -1):  # K - 1 under K is itself; -1 under K is K - 1
        low = poly.add(r, s, -shift)
        if poly.nonneg(low) and poly.nonneg(poly.add(poly.add(s, {ONE: -1}), low, -1)):
            return make(poly.add(q, poly.constant(shift))), make(low)
    return make(q), Remainder(r, s)


def _divmod(p: Poly, s: Poly) -> tuple[Any, Any]:
    """Both of them: where the remainder is not known, neither is the quotient."""
    q, r = divide(p, s)
    if isinstance(r, Remainder):
        r._needs()
    return q, r


def _quotient(p: Poly, s: Poly) -> Any:
    return _divmod(p, s)[0]


def compare(p: Poly, left: Any, op: str, right: Any) -> Any:
    """p >= 0, which `left op right` says: decided, or a fact."""
    if poly.nonneg(p):
        return True
    if poly.nonneg(poly.add({ONE: -1}, p, -1)):
        return False
    return Fact("nonneg", (p,), f"{left}{op}{right}")


def at_least(x: Any, y: Any) -> bool:
    """x >= y; False also where x is never the greater and perhaps equal: a digit of size y, walked through in
    steps of x, then has one step where they are equal. Raises NeedFact where nothing is known."""
    return bool(x >= y) if type(x) is type(y) is int or (x <= y) is not True else (x == y)


def undecided(name: str, about: str) -> NeedFact:
    """The error of an operation whose law its closed condition does not show, and which is no integers' to be
    decided otherwise."""
    fact = f"the law of {name} holds for {about}"
    return NeedFact(f"{name}: over parameters this depends on their values\n  {about}\n  prove it", fact)


def ascending(keys: list[Any]) -> list[int]:
    """The indices of the keys in ascending order: `1 <= K` puts 1 in front of K even where K may be 1.

    Raises NeedFact where neither of two keys is surely the lesser.
    """
    order: list[int] = []
    for k, x in enumerate(keys):
        at = len(order)
        while at and _after(keys[order[at - 1]], x):
            at -= 1
        order.insert(at, k)
    return order


def _after(x: Any, y: Any) -> bool:
    """Whether x has to stand behind y."""
    if (x <= y) is True:
        return False
    return (y <= x) is True or bool(x > y)


def dims(names: str) -> Any:
    """Parameters by their names, each 1 or more: `M, N, K = dims("M N K")`, `K = dims("K")`.

    Raises LayoutError for what is not a name.
    """
    found = names.replace(",", " ").split()
    for name in found:
        if not name.isidentifier() or name == "_":
            raise LayoutError(f"dims: {name!r} is not a name")
    plain = None if asked_within() else running_plain()
    made = tuple([plain(Param(name)) if plain else Dim({(Param(name),): 1}) for name in found])
    return made[0] if len(made) == 1 else made


def is_symbolic(x: Any) -> bool:
    """Whether a Dim stands anywhere in a nested tuple."""
    if type(x) is tuple:
        return any(is_symbolic(y) for y in x)
    return isinstance(x, Dim)
