"""Division as C++ does it: quotients and remainders truncate towards zero.

    split(-5, 4)      = (-1, -1)           -5 = -1*4 + -1; Python's own is (-2, 3)
    split(5, 4)       = (1, 1)             the same as Python's where nothing is negative

CuTe unrolls coordinates with these, at compile time and at run time, so that `L(-i) = -L(i)` for an integer
i. Expressions and polynomials know the floors of Python only: what is surely not negative is divided by them
as it is, what is surely not positive with two changes of sign, and the sign of anything else joins the
expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from . import polynomial as poly
from .dim import Dim, need
from .polynomial import Param, Poly
from .symbolic import Expr, Int, Var, of_poly


def tdiv(a: Any, b: Any) -> Any:
    """The quotient of C++."""
    q = a // b
    return q + 1 if q < 0 and q * b != a else q


def tmod(a: Any, b: Any) -> Any:
    """The remainder of C++, with the sign of a."""
    return a - tdiv(a, b) * b


def split(i: Any, n: Any) -> tuple[Any, Any]:
    """Quotient and remainder of C++: `i = q*n + r`, `|r| < |n|`, and r has the sign of i.

    Raises NeedFact for a polynomial whose sign matters and is open.
    """
    if isinstance(i, Expr):
        return _split_expression(i, n, _negative(i))
    if isinstance(i, Dim) or isinstance(n, Dim):
        return _split_polynomial(i, n)
    try:
        i, n = index(i), index(n)
    except TypeError:  # a coordinate that is not known, or one that answers for itself
        return i // n, i % n
    q = tdiv(i, n)
    return q, i - q * n


def digits(i: Any, sizes: Sequence[Any]) -> list[Any]:
    """The index i unrolled, the first of one or more sizes fastest; the last digit takes what is left."""
    found = []
    negative = _negative(i) if isinstance(i, Expr) else 0  # of all quotients that are not 0
    for n in sizes[:-1]:
        i, digit = _split_expression(i, n, negative) if isinstance(i, Expr) else split(i, n)
        found.append(digit)
    return [*found, i]


def _split_polynomial(i: Any, n: Any) -> tuple[Any, Any]:
    if (i >= 0) is True:
        return i // n, i % n
    if (i <= 0) is True:
        return -(-i // n), -(-i % n)
    remainder = i % n
    if isinstance(remainder, int) and remainder == 0:
        return i // n, 0
    raise need(f"{i}>=0", f"{i} divided by {n} truncates towards zero")


def _split_expression(x: Expr, n: Any, negative: Int) -> tuple[Int, Int]:
    if isinstance(negative, int):
        return (-(-x // n), -(-x % n)) if negative else (x // n, x % n)
    if isinstance(n, Dim):
        n = of_poly(n.terms)
    elif x.lo is not None and x.hi is not None and -n < x.lo and x.hi < n:
        return 0, x
    shift = negative * (n - 1)
    return (x - shift) // n, (x - shift) % n + shift


def _negative(x: Expr) -> Int:
    """0 where x is never negative, -1 where it is never positive, else an expression: -1 at negative x, 0 at
    others."""
    lo, hi = x.lo, x.hi
    if lo is not None and lo >= 0:
        return 0
    terms = _terms(x)
    if terms is not None and poly.nonneg(terms):
        return 0
    if (hi is not None and hi <= 0) or (terms is not None and poly.nonneg(poly.scale(terms, -1))):
        return -1
    # the floor of x over anything that is greater than |x|
    if lo is not None:
        return x // (max(-lo, hi + 1) if hi is not None else x + (1 - 2 * lo))
    if hi is not None:
        return x // (1 + 2 * hi - x)
    return x // (x * x + 1)


def _terms(x: Any) -> Poly | None:
    """The polynomial that an expression is, whatever is none having only a range; None where a digit has no
    least value."""
    if isinstance(x, int):
        return poly.constant(x)
    if isinstance(x, Dim):
        return x.terms
    if isinstance(x, Var) and isinstance(x.name, Param):
        return {(x.name,): 1}
    if isinstance(x, Expr) and x.op in ("+", "-", "*"):
        a, b = map(_terms, x.args)
        if a is None or b is None:
            return None
        return poly.multiply(a, b) if x.op == "*" else poly.add(a, b, 1 if x.op == "+" else -1)
    if not isinstance(x, Expr):
        return None
    if isinstance(x, Var):
        bound = None if x.bound is None else _terms(x.bound)
        return None if x.lower is None else {(Param(x.name, x.lower, bound, "digit"),): 1}
    lo = x.lo
    if x.op == "//" and lo is None:  # a quotient has the sign of its dividend
        dividend = _terms(x.args[0])
        lo = 0 if dividend is not None and poly.nonneg(dividend) else None
    # by its place in the tree: it needs no name that could be another's
    end = None if x.hi is None else poly.constant(x.hi + 1)
    return None if lo is None else {(Param(x.op, lo, end, f"at {id(x)}"),): 1}
