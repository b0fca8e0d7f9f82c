"""Questions about shapes, asked of layouts or shapes alike, and the divisions of shapes.

Source: cute/int_tuple.hpp.
"""

from __future__ import annotations

from typing import Any

from .. import inttuple as it
from ..integers import plain
from ..layout import Layout
from .complement import complement
from .modes import shape


def congruent(a: Any, b: Any) -> bool:
    """Same nesting."""
    return it.congruent(shape(a), shape(b))


def weakly_congruent(a: Any, b: Any) -> bool:
    """The nesting of `a` is that of `b` or coarser."""
    return it.weakly_congruent(shape(a), shape(b))


def compatible(a: Any, b: Any) -> bool:
    """Every coordinate into `a` is one into `b`: equal sizes at each leaf of `a`."""
    return it.compatible(shape(a), shape(b))


def evenly_divides(a: Any, tiler: Any) -> bool:
    """Whether `logical_divide(make_layout(shape), tiler)` keeps the size."""
    if isinstance(tiler, Layout):
        return bool(it.product(shape(a)) == tiler.size() * it.product(ceil_div(shape(a), tiler)))
    if isinstance(tiler, tuple) and any(isinstance(t, (Layout, tuple)) for t in tiler):
        modes = it.wrap(shape(a))
        return len(tiler) <= len(modes) and all(
            evenly_divides(s, t) for s, t in zip(modes, tiler, strict=False)
        )
    return it.evenly_divides(shape(a), tiler)


def ceil_div(a: Any, b: Any) -> Any:
    """`(a + b - 1) / b` on ints, by mode on tuples; by a layout, the shape of the rest mode that a divide
    would leave.
    """
    if isinstance(b, Layout):
        return complement(b, shape(a), unchecked=True).shape
    return it.ceil_div(plain(shape(a)), plain(b))


def shape_div(a: Any, b: Any) -> Any:
    """As ceil_div, each division required to come out even one way or the other."""
    return it.shape_div(plain(shape(a)), plain(shape(b)))


def product_each(a: Any) -> tuple[Any, ...]:
    """The size of each top-level mode."""
    return it.product_each(shape(a))
