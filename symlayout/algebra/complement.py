"""complement: the layout of what another layout leaves out.

Law, for `C = complement(A, M)` and `A' = filter(A)`: C is strictly increasing, the sums `A'(j) + C(i)` are
all distinct when A' is injective, and for an integer M `size(C) * size(A') >= M`. A gap that neither
reaches is allowed and noted.

Source: cute/layout.hpp, detail::complement.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..errors import LayoutError
from ..inttuple import ceil_div, compact_col_major, product, tdiv
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .coalesce import coalesce_modes, filter_modes, from_modes


def complement_modes(x: Layout, cotarget: Any) -> tuple[list[Any], list[Any]]:
    """CuTe's complement of a layout under an int or tuple cotarget (`None`: the cosize of the filtered
    layout).
    """
    shapes, strides = filter_modes(x)
    for d in strides:
        if not isinstance(d, int):
            raise LayoutError(f"complement: {x} has basis strides")
    if cotarget is None:
        cotarget = 1 + sum([(s - 1) * abs(d) for s, d in zip(shapes, strides, strict=True)])
    if strides == [0]:
        return [product(cotarget)], [0 if product(cotarget) == 1 else 1]
    out_s: list[Any] = []
    out_d: list[Any] = []
    last = 1
    while shapes:
        d = min(strides)
        k = strides.index(d)
        s = shapes.pop(k)
        strides.pop(k)
        gap = tdiv(d, last)
        if gap == 0:
            raise LayoutError(
                f"complement: Non-injective Layout detected in complement.\n"
                f"  {x}: the stride {d} lies inside the {last} elements that the faster modes span\n"
                f"  its modes overlap, or interleave in a way that CuTe cannot complement"
            )
        out_s.append(gap)
        out_d.append(last)
        last = d * s
    rest = ceil_div(cotarget, last)
    rest = product(rest)
    out_s.append(rest)
    out_d.append(compact_col_major(rest, last))
    return coalesce_modes(tuple(out_s), tuple(out_d))


@lru_cache(maxsize=1 << 16)
def _complement(x: Layout, cotarget: Any, unchecked: bool) -> Layout:
    return from_modes(*complement_modes(x, cotarget))


def complement(x: Any, cotarget: Any = None, *, unchecked: bool = False) -> Layout:
    """The ordered layout of the offsets at which copies of x fill `cotarget` elements without meeting: the
    complement of `4:2` in 24 is `(2,3):(1,8)`. The cotarget is an int, a shape (divided mode by mode with
    carry), or `cosize(filter(x))`.

    Raises LayoutError where CuTe does, Inadmissible where its answer breaks the law.
    """
    if isinstance(x, ComposedLayout):
        x = x.layout
    if isinstance(x, Swizzle):
        raise LayoutError(f"complement: {x} is a swizzle; it leaves nothing out")
    if isinstance(cotarget, (Layout, ComposedLayout)):
        cotarget = cotarget.shape
    return _complement(x, cotarget, unchecked)
