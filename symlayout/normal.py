"""An exact normal form of the expressions of `symbolic`: polynomials over digits and irreducible quotients.

    simplify((a + 2 * b) % 2)  = a              for a < 2
    simplify((a + 2 * b) // 4) = b // 2         for a < 2
    simplify(5 * x // 5)       = x

Laws: `simplify(x)` has the value of `x` at every point of the digits' ranges; `identical(x, y)` implies
that x and y have equal values everywhere (the converse does not hold: it is a fast yes, never a no).

How division is decided, with `low` the terms that the divisor does not divide: if `0 <= low < n` then
`(n*q + low) // n = q` and `% n` leaves `low`; else the same with a divisor g of n that splits `low` into
`rest + g*high`, `0 <= rest < g`, since then `(rest + g*high) // n = high // (n/g)`.
"""

from __future__ import annotations

from math import gcd
from typing import TypeAlias

from .ranges import RANGES, Range
from .symbolic import OPERATIONS, Expr, Int, Var, span

Monomial: TypeAlias = tuple[Expr, ...]
Poly: TypeAlias = dict[Monomial, int]


def simplify(x: Int) -> Int:
    """The normal form as an expression, an int if it is one."""
    return x if isinstance(x, int) else _as_expr(_poly(x))


def identical(x: Int, y: Int) -> bool:
    """Whether x - y is the zero polynomial once remainders are written as `x - n*(x//n)`."""
    return not _without_remainders(_sum(_poly(x), _poly(y), -1))


def constant(x: Int) -> int | None:
    """The integer that x always is, if the normal form shows it."""
    normal = simplify(x)
    return normal if isinstance(normal, int) else None


def _poly(x: Int) -> Poly:
    if isinstance(x, int):
        return {(): x} if x else {}
    if x._normal is None:
        x._normal = _compute(x)
    return x._normal  # type: ignore[no-any-return]  # a slot of Expr, filled here alone


def _compute(x: Expr) -> Poly:
    if isinstance(x, Var):
        return {(x,): 1} if x.lo is None or x.lo != x.hi else _poly(x.lo)
    a, b = x.args
    if x.op == "+":
        return _sum(_poly(a), _poly(b))
    if x.op == "-":
        return _sum(_poly(a), _poly(b), -1)
    if x.op == "*":
        return _product(_poly(a), _poly(b))
    if x.op == "//":
        return _divide(_poly(a), b)[0]
    if x.op == "%":
        return _divide(_poly(a), b)[1]
    left, right = simplify(a), simplify(b)
    if isinstance(left, int) and isinstance(right, int):
        return _poly(OPERATIONS[x.op](left, right))
    return _atom(x.op, left, right)


def _atom(op: str, a: Int, b: Int) -> Poly:
    atom = Expr(op, (a, b), RANGES[op](span(a), span(b)))
    return {(atom,): 1}


def _sum(p: Poly, q: Poly, sign: int = 1) -> Poly:
    result = dict(p)
    for m, c in q.items():
        c = result.get(m, 0) + sign * c
        if c:
            result[m] = c
        else:
            del result[m]
    return result


def _scaled(p: Poly, factor: int) -> Poly:
    return {m: c * factor for m, c in p.items()} if factor else {}


def _product(p: Poly, q: Poly) -> Poly:
    result: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            key = tuple(sorted(m + n, key=str))
            result[key] = result.get(key, 0) + c * d
    return {m: c for m, c in result.items() if c}


def _span(p: Poly) -> Range:
    total: Range = (0, 0)
    for m, c in p.items():
        term: Range = (c, c)
        for atom in m:
            term = RANGES["*"](term, span(atom))
        total = RANGES["+"](total, term)
    return total


def _fits(p: Poly, n: int) -> bool:
    lo, hi = _span(p)
    return lo is not None and hi is not None and 0 <= lo and hi < n


def _split(p: Poly, n: int) -> tuple[Poly, Poly]:
    """`p = n*high + low`: terms that n divides, and the others; the constant goes to both, floored."""
    high: Poly = {}
    low: Poly = {}
    for m, c in p.items():
        if m == ():
            q, r = divmod(c, n)
            if q:
                high[m] = q
            if r:
                low[m] = r
        elif c % n == 0:
            high[m] = c // n
        else:
            low[m] = c
    return high, low


def _divide(p: Poly, n: int) -> tuple[Poly, Poly]:
    """Quotient and remainder of p by the positive int n."""
    high, low = _split(p, n)
    if _fits(low, n):
        return high, low
    # with low's constant moved by multiples of n the range may fit: x - 1 + n
    lo, hi = _span(low)
    if lo is not None and hi is not None and lo // n == hi // n:
        return _sum(high, _poly(lo // n)), _sum(low, _poly(n * (lo // n)), -1)
    for g in sorted({gcd(n, c) for c in low.values()} - {1, n}, reverse=True):
        upper, rest = _split(low, g)
        if _fits(rest, g) and upper:
            q, r = _divide(upper, n // g)
            return _sum(high, q), _sum(rest, _scaled(r, g))
    return _sum(high, _quotient(low, n)), _remainder(low, n)


def _single(p: Poly, op: str) -> Expr | None:
    """The atom of p if p is one atom made by `op`."""
    if len(p) == 1:
        ((m, c),) = p.items()
        if c == 1 and len(m) == 1 and m[0].op == op:
            return m[0]
    return None


def _quotient(p: Poly, n: int) -> Poly:
    inner = _single(p, "//")
    if inner is not None:  # (x // m) // n = x // (m*n)
        return _divide(_poly(inner.args[0]), inner.args[1] * n)[0]
    inner = _single(p, "%")
    if inner is not None and inner.args[1] % n == 0:  # (x % (k*n)) // n = (x // n) % k
        return _divide(_divide(_poly(inner.args[0]), n)[0], inner.args[1] // n)[1]
    return _atom("//", _as_expr(p), n)


def _remainder(p: Poly, n: int) -> Poly:
    inner = _single(p, "%")
    if inner is not None and inner.args[1] % n == 0:  # (x % (k*n)) % n = x % n
        return _divide(_poly(inner.args[0]), n)[1]
    return _atom("%", _as_expr(p), n)


def _without_remainders(p: Poly) -> Poly:
    result: Poly = {}
    for m, c in p.items():
        term: Poly = {(): c}
        for atom in m:
            if atom.op == "%":
                x, n = atom.args
                whole = _sum(_poly(x), _scaled(_divide(_poly(x), n)[0], n), -1)
                term = _product(term, _without_remainders(whole))
            else:
                term = _product(term, {(atom,): 1})
        result = _sum(result, term)
    return result


def _as_expr(p: Poly) -> Int:
    total: Int = 0
    for m, c in sorted(p.items(), key=lambda item: (item[0] == (), len(item[0]), str(item[0]))):
        term: Int = c if not m else 1
        for atom in m:
            term = term * atom
        if m and abs(c) != 1:
            term = term * abs(c)
        if not m:
            total = total + c if isinstance(total, int) or c > 0 else total - -c
        elif c < 0:
            total = total - term
        else:
            total = total + term
    return total
