"""Notes: what may surprise about an answer that keeps its law."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..basis import ScaledBasis, make_basis_like
from ..dim import is_symbolic
from ..inttuple import flatten_to_tuple, product, show
from ..layout import Layout
from ..swizzle import ComposedLayout, has_shape
from .coalesce import coalesce, filter_layout
from .collision import least_repeat
from .complement import complement
from .divide import divide_layout
from .laws import outside
from .modes import crd2idx

DIVIDES = ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide")


def notes(name: str, arguments: Sequence[Any]) -> list[str]:
    """The notes on one call of an operation of the algebra, by its name and positional arguments."""
    if name in ("slice_", "slice") and len(arguments) == 2:
        return slice_notes(*arguments)
    if not arguments:
        return []
    x = arguments[0]
    if isinstance(x, ComposedLayout) and has_shape(x):
        x = x.domain
    if not isinstance(x, Layout) or is_symbolic((x.shape, x.stride)):
        return []  # over parameters nothing is counted
    if name in DIVIDES and len(arguments) > 1:
        return list(_divide_notes(x, arguments[1], ""))
    if name == "complement":
        return list(_complement_notes(x, arguments[1] if len(arguments) > 1 else None))
    if name == "left_inverse" and not any(isinstance(d, ScaledBasis) for d in flatten_to_tuple(x.stride)):
        repeat = least_repeat(x)
        if repeat is not None:
            i, j = repeat
            return [f"L is not injective: L({j}) = L({i}) = {x(i)}; R gives one of the indices of a value"]
    return []


def slice_notes(crd: Any, layout: Any) -> list[str]:
    """Where a slice begins, which the layout that is left does not say. A swizzled one keeps its offset."""
    if isinstance(crd, (Layout, ComposedLayout)):
        crd, layout = layout, crd
    if isinstance(layout, ComposedLayout) or None not in flatten_to_tuple(crd):
        return []
    begin = crd2idx(crd, layout)
    if isinstance(begin, int) and begin == 0:
        return []
    return [f"the slice begins at offset {show(begin)}, which no layout holds: CuTe adds it to the pointer"]


def _divide_notes(a: Layout, tiler: Any, where: str) -> Iterator[str]:
    if tiler is None:
        return
    if isinstance(tiler, (tuple, list)):
        for k, (mode, t) in enumerate(zip(a, tiler, strict=False)):
            yield from _divide_notes(mode, t, f"{where}mode {k}: ")
        return
    tiler = tiler if isinstance(tiler, Layout) else Layout(tiler)
    shape = coalesce(a).shape
    visited = divide_layout(Layout._make(shape, make_basis_like(shape)), tiler)
    beyond = outside(visited, flatten_to_tuple(shape))
    if beyond > 0:
        total = beyond + product(shape)
        yield f"{where}over-cover: {beyond} of {total} coordinates lie outside {show(shape)}; predicate them"
    pairs = zip(flatten_to_tuple(tiler.shape), flatten_to_tuple(tiler.stride), strict=True)
    times = product(tuple([s for s, d in pairs if d == 0]))
    if times > 1:
        yield f"{where}each element {times} times: the tiler has modes of stride 0"


def _complement_notes(a: Layout, cotarget: Any) -> Iterator[str]:
    kept, c = filter_layout(a), complement(a, cotarget, unchecked=True)
    reached = kept.size() * c.size()
    span = kept.cosize() + c.cosize() - 1
    if reached < span:
        yield f"a gap: {span - reached} of the offsets below {span} are reached by no copy"
    if isinstance(cotarget, tuple) and reached < product(cotarget):
        yield f"A and its complement reach {reached} of {product(cotarget)} elements: shapes divide by mode"
