"""complement: the layout of what another layout leaves out.

Law, for `C = complement(A, M)` and `A' = filter(A)`: C is strictly increasing, the sums `A'(j) + C(i)` are
all distinct when A' is injective, and for an integer M `size(C) * size(A') >= M`. A gap that neither
reaches is allowed and noted; so is one that is left below cosize(A) where no M is given.

Source: cute/layout.hpp, detail::complement.
"""

from __future__ import annotations

from typing import Any

from ..basis import ScaledBasis
from ..dim import Dim, ascending, is_symbolic, undecided
from ..errors import LayoutError, NeedFact
from ..integers import plain
from ..inttuple import ceil_div, flatten_to_tuple, product, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from ..truncation import tdiv
from .coalesce import UNIT, coalesce_modes, filter_modes, from_modes, merge
from .kinds import inner
from .laws import check_complement
from .memo import keep_answer, remember, table
from .modes import shape


def complement_modes(x: Layout, cotarget: Any) -> tuple[list[Any], list[Any], bool, Any]:
    """CuTe's complement C of a layout under an int or tuple cotarget (`None`: the cosize of the filtered
    layout); whether C and A' = filter(x) together reach every offset below their end, each stride being a
    multiple of what the lesser ones span; and `size(C) * size(A')`.
    """
    shapes, strides = filter_modes(x)
    if type(strides[0]) is ScaledBasis:
        raise LayoutError(f"complement: {x} has basis strides, which have no order")
    if cotarget is None:
        cotarget = 1 + sum([(s - 1) * abs(d) for s, d in zip(shapes, strides, strict=True)])
    if strides[0] == 0:  # nothing was left but 1:0
        n = product(cotarget)
        return [n], [0 if n == 1 else 1], True, n
    if Dim in map(type, strides):
        order = ascending(strides)
        shapes, strides = [shapes[k] for k in order], [strides[k] for k in order]
    elif sorted(strides) != strides:
        order = sorted(range(len(strides)), key=strides.__getitem__)
        shapes, strides = [shapes[k] for k in order], [strides[k] for k in order]
    out_s: list[Any] = []
    out_d: list[Any] = []
    negative = strides[0] < 0
    last = 1  # copies so far fill, or leave out, the offsets below
    count = 1  # how many of them they fill
    for s, d in zip(shapes, strides, strict=False):
        gap = tdiv(d, last) if negative else d // last
        if gap != 1:
            if gap == 0:
                why = (
                    f"the stride {d} lies inside the {last} elements that the faster modes span\n"
                    f"  its modes overlap, or interleave in a way that CuTe cannot complement"
                    if not negative
                    else f"{d} / {last} = 0, where CuTe divides the strides by what the lesser ones span\n"
                    f"  the stride {strides[0]} is negative: start that mode at its other end"
                )
                raise LayoutError(f"complement: Non-injective Layout detected in complement.\n  {x}: {why}")
            out_s.append(gap)
            out_d.append(last)
            count *= gap
        count *= s
        last = d * s
    rest = product(ceil_div(cotarget, last)) if negative or type(cotarget) is tuple else -(-cotarget // last)
    if rest != 1:
        out_s.append(rest)
        out_d.append(last)
    if negative:
        return *coalesce_modes(tuple(out_s), tuple(out_d)), False, count * rest
    if out_s:
        return out_s, out_d, count == last, count * rest
    return [1], [0], count == last, count * rest


def gaps(shape: Any, stride: Any) -> tuple[list[Any], list[Any], Any, Any] | None:
    """The complement of a layout up to the end of its span, as flat modes, when its positive strides nest:
    each a multiple of what the lesser ones span. Then it and the layout reach every offset of the span
    exactly once, and so every law holds. Also the span and the filtered layout's cosize; None for others.
    """
    if type(shape) is tuple:
        sizes: list[Any] = []
        strides: list[Any] = []
        merge(shape, stride, sizes, strides)
        pairs: Any = zip(strides, sizes)  # noqa: B905  two lists made together
        if len(sizes) > 1:
            try:
                pairs = sorted(pairs)
            except (TypeError, NeedFact):  # basis strides have no order, symbols perhaps none
                return None
    else:
        pairs = ((stride, shape),)
    out_s: list[Any] = []
    out_d: list[Any] = []
    span = 1
    cosize = 1
    for d, s in pairs:
        if d != span:
            if d == 0 or s == 1:
                continue
            if type(d) is not int or type(span) is not int or d < span or d % span:
                return None
            out_s.append(d // span)
            out_d.append(span)
        cosize += (s - 1) * d
        span = d * s
    return out_s, out_d, span, cosize


_DECIDED = table()
COMPLEMENT = "complement"


def complement(x: Any, cotarget: Any = None, *, unchecked: bool = False) -> Layout:
    """The ordered layout of the offsets at which copies of x fill `cotarget` elements without meeting: the
    complement of `4:2` in 24 is `(2,3):(1,8)`. The cotarget is an int, a shape (divided mode by mode with
    carry), or `cosize(filter(x))`.

    Raises LayoutError where CuTe does, Inadmissible where its answer breaks the law.
    """
    if type(x) is Layout:
        entry = x._answers
        while entry is not None:
            if entry[0] is cotarget and entry[1] is COMPLEMENT:
                kept: Layout = entry[2]
                return kept
            entry = entry[3]
        if type(cotarget) is int or cotarget is None:
            nested = gaps(x.shape, x.stride)
            if nested is not None:
                out_s, out_d, span, cosize = nested
                rest = -(-(cosize if cotarget is None else cotarget) // span)
                if rest != 1:
                    if cotarget is not None and cotarget < 1:
                        _check_cotarget(x, cotarget)
                    out_s.append(rest)
                    out_d.append(span)
                if len(out_s) > 1:
                    result = Layout._make(tuple(out_s), tuple(out_d))
                elif out_s:
                    result = Layout._make(out_s[0], out_d[0])
                else:
                    result = UNIT
                keep_answer(x, COMPLEMENT, cotarget, result)
                return result
        if type(cotarget) is not Layout and type(cotarget) is not ComposedLayout:
            return _complemented(x, cotarget, unchecked)
    if isinstance(x, Swizzle):
        raise LayoutError(f"complement: {x} is a swizzle; it leaves nothing out")
    return complement(inner(x), shape(cotarget), unchecked=unchecked)


def _check_cotarget(x: Layout, cotarget: Any) -> None:
    for n in flatten_to_tuple(cotarget):
        if isinstance(n, (bool, float)) or not hasattr(n, "__floordiv__") or (isinstance(n, int) and n < 1):
            raise LayoutError(f"complement: {x} in {show(cotarget)}: {n!r} is not a number of elements")


def _complemented(x: Layout, cotarget: Any, unchecked: bool) -> Layout:
    if cotarget is not None:
        _check_cotarget(x, cotarget)
        if type(cotarget) is not int and plain(cotarget) is not cotarget:  # numpy's overflow, and wrap round
            return complement(x, plain(cotarget), unchecked=unchecked)
    shapes, strides, even, covered = complement_modes(x, cotarget)
    result = from_modes(shapes, strides)
    if even or unchecked:
        return result
    key = (x.shape, x.stride, cotarget)
    if key not in _DECIDED:
        if is_symbolic((x.shape, x.stride, cotarget)):
            raise undecided("complement", f"A = {x}, up to {cotarget}")
        check_complement(x, cotarget, result, covered)
        remember(_DECIDED, key, result)
    return result
