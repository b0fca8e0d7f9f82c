"""coalesce, filter and nullspace: the same function with fewer modes.

Law of coalesce: `R(i) = L(i)` for `0 <= i < size(L)`, `size(R) = size(L)`, depth at most 1.
Source: cute/layout.hpp, bw_coalesce.
"""

from __future__ import annotations

from typing import Any

from ..errors import LayoutError
from ..inttuple import compact_col_major, flatten_to_tuple, show, unwrap, wrap
from ..layout import Layout, slot
from .kinds import as_layout, inside, plain
from .modes import rank, zero_shapes

UNIT = Layout._make(1, 0)
_keep_coalesced = slot("_coalesced")


def merge(shape: Any, stride: Any, out_s: list[Any], out_d: list[Any], ahead: Any = None) -> Any:
    """Append the leaves of two tuples to flat modes: a size-1 leaf is dropped, a leaf that goes on where
    the last mode ends, `s0:d0, s1:(s0*d0)`, widens it to `(s0*s1):d0`, and any other is a new mode.
    `ahead` is the stride that would go on, `s0*d0`; so is what is returned.
    """
    for s, d in zip(shape, stride):  # noqa: B905  congruent by construction, and this loop is the hottest
        if type(s) is tuple:
            ahead = merge(s, d, out_s, out_d, ahead)
        elif s != 1:
            if d == ahead:
                out_s[-1] *= s
            else:
                out_s.append(s)
                out_d.append(d)
            ahead = s * d
    return ahead


def coalesce_modes(shape: Any, stride: Any) -> tuple[list[Any], list[Any]]:
    """The coalesced modes of `shape:stride` as two lists; `([1], [0])` when nothing is left."""
    if type(shape) is not tuple:
        return ([shape], [stride]) if shape != 1 else ([1], [0])
    out_s: list[Any] = []
    out_d: list[Any] = []
    merge(shape, stride, out_s, out_d)
    if not out_s:
        _not_empty(shape)
        return [1], [0]
    return out_s, out_d


def coalesce_extended(x: Layout) -> tuple[list[Any], list[Any]]:
    """CuTe's coalesce_x: the same function on all integers, not on the domain alone.

    A trailing size-1 mode becomes size 2, so that its stride still says how the function goes on.
    """
    shape, stride = x.shape, x.stride
    if type(shape) is not tuple:
        return ([shape], [stride]) if shape != 1 else ([2], [stride])
    out_s: list[Any] = []
    out_d: list[Any] = []
    ahead = merge(shape, stride, out_s, out_d)
    last: Any = shape
    while last and type(last) is tuple:
        last = last[-1]
    if last == 1 or not last:
        extend(shape, stride, out_s, out_d, ahead)
    return out_s, out_d


def extend(shape: Any, stride: Any, out_s: list[Any], out_d: list[Any], ahead: Any) -> None:
    """Merge the 2 that stands for a trailing size-1 mode of `shape:stride` into its coalesced modes."""
    while type(shape) is tuple:
        _not_empty(shape)
        shape, stride = shape[-1], stride[-1]
    if shape == 1:
        merge((2,), (stride,), out_s, out_d, ahead)


def filter_modes(x: Layout) -> tuple[list[Any], list[Any]]:
    """The modes of `filter(x)` as two lists: stride-0 modes are dropped too."""
    shape, stride = x.shape, x.stride
    if type(shape) is not tuple:
        return ([shape], [stride]) if shape != 1 and stride != 0 else ([1], [0])
    out_s: list[Any] = []
    out_d: list[Any] = []
    merge(shape, stride, out_s, out_d)
    while 0 in out_d:
        k = out_d.index(0)
        del out_s[k], out_d[k]
        if (
            0 < k < len(out_d) and out_s[k - 1] * out_d[k - 1] == out_d[k]
        ):  # what stood on its two sides may meet
            out_s[k - 1] *= out_s.pop(k)
            del out_d[k]
    if not out_s:
        _not_empty(shape)
        return [1], [0]
    return out_s, out_d


def _not_empty(shape: Any) -> None:
    if shape == ():
        raise LayoutError("coalesce: the empty layout ():() has no modes")


def from_modes(shapes: list[Any], strides: list[Any]) -> Layout:
    """A flat layout of the modes; a single one stays bare."""
    if len(shapes) == 1:
        return Layout._make(shapes[0], strides[0])
    return Layout._make(tuple(shapes), tuple(strides))


def detail_coalesce_x(x: Layout) -> Layout:
    """`coalesce_extended` as a layout."""
    return from_modes(*coalesce_extended(plain("detail_coalesce_x", x)))


def by_profile(name: str, x: Layout, profile: Any, f: Any) -> Layout:
    """Apply `f` to the modes of x that stand at the leaves of `profile`; modes beyond it stay as they are."""
    if not isinstance(profile, tuple):
        result: Layout = f(x)
        return result
    modes = list(x)
    if len(profile) > len(modes):
        raise LayoutError(f"{name}: the profile {show(profile)} has more modes than {x} (rank {rank(x)})")
    done = [by_profile(name, m, p, f) for m, p in zip(modes, profile, strict=False)] + modes[len(profile) :]
    return Layout._make(tuple([m.shape for m in done]), tuple([m.stride for m in done]))


def coalesce(x: Any, profile: Any = None) -> Any:
    """Merge what can be merged, drop size-1 modes: `((2,4),8):((1,2),8)` becomes `64:1`; with a profile, at
    its leaves.
    """
    if type(x) is not Layout or type(profile) is tuple:
        return inside(x, lambda y: by_profile("coalesce", y, profile, coalesce))
    known = x._coalesced
    if known is not None:
        return known
    shape = x.shape
    if type(shape) is not tuple:
        return x if shape != 1 else UNIT
    sizes: list[Any] = []
    strides: list[Any] = []
    ahead = None
    for s, d in zip(shape, x.stride):  # noqa: B905  `merge`, without the call
        if type(s) is tuple:
            ahead = merge(s, d, sizes, strides, ahead)
        elif s != 1:
            if d == ahead:
                sizes[-1] *= s
            else:
                sizes.append(s)
                strides.append(d)
            ahead = s * d
    if len(sizes) > 1:
        flat = tuple(sizes)
        result = x if flat == shape else Layout._make(flat, tuple(strides))
    elif sizes:
        result = Layout._make(sizes[0], strides[0])
    else:
        _not_empty(shape)
        result = UNIT
    _keep_coalesced(x, result)
    return result


def filter_zeros(x: Any, profile: Any = None) -> Any:
    """Stride-0 modes (or, with a profile, those whose profile is 0) get size 1; strides stay."""
    return inside(
        x, lambda y: Layout._make(zero_shapes(y.stride if profile is None else profile, y.shape), y.stride)
    )


def filter_layout(x: Any, profile: Any = None) -> Any:
    """Without stride-0 and size-1 modes: what is left says which values occur, not how often."""
    if profile is None or not isinstance(profile, tuple):
        return inside(x, _filter)
    return inside(x, lambda y: by_profile("filter", y, profile, _filter))


def _filter(x: Layout) -> Layout:
    return from_modes(*filter_modes(x))


def nullspace(x: Any) -> Layout:
    """The layout of the stride-0 modes: `L(R(i)) = 0`, `size(R) = size(L) / size(filter(L))`."""
    x = as_layout(x)
    if not isinstance(x, Layout):  # as CuTe: not attempted for composed layouts
        return UNIT
    shapes = flatten_to_tuple(x.shape)
    starts = wrap(compact_col_major(shapes))
    kept = [k for k, d in enumerate(flatten_to_tuple(x.stride)) if isinstance(d, int) and d == 0]
    if not kept:
        return UNIT
    return Layout._make(unwrap(tuple([shapes[k] for k in kept])), unwrap(tuple([starts[k] for k in kept])))
