"""sympy at the edge: expressions that come in as Dims, and Dims that go out."""

from __future__ import annotations

from typing import Any

from .dim import Dim, dims
from .errors import LayoutError


def from_sympy(x: Any) -> Any:
    """A sympy expression as a Dim or an int; its symbols are parameters from 1 on. Raises LayoutError for
    what is not a polynomial with integer coefficients."""
    symbols = sorted(x.free_symbols, key=str)
    total: Any = 0
    try:
        coefficients = x.as_poly(*symbols).terms() if symbols else [((), x)]
    except AttributeError:
        raise LayoutError(
            f"{x} is not a polynomial: sizes and strides are polynomials over parameters"
        ) from None
    for powers, c in coefficients:
        if not c.is_integer:
            raise LayoutError(f"{x}: the coefficient {c} is not an integer")
        term: Any = int(c)
        for symbol, power in zip(symbols, powers, strict=True):
            term = term * dims(str(symbol)) ** power
        total = total + term
    return total


def to_sympy(x: Any) -> Any:
    """A Dim, or a nested tuple of Dims and ints, with sympy expressions in place of Dims."""
    if isinstance(x, tuple):
        return tuple([to_sympy(y) for y in x])
    return x._sympy_() if isinstance(x, Dim) else x
