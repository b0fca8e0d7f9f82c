"""coalesce, filter and nullspace: the same function with fewer modes.

Law of coalesce: `R(i) = L(i)` for `0 <= i < size(L)`, `size(R) = size(L)`, depth at most 1.
Source: cute/layout.hpp, bw_coalesce.
"""

from __future__ import annotations

from typing import Any

from ..errors import LayoutError
from ..inttuple import compact_col_major, flatten_to_tuple, show, unwrap, wrap
from ..layout import Layout
from .modes import inside, rank, zero_shapes

UNIT = Layout._make(1, 0)


def coalesce_flat(
    shapes: tuple[Any, ...], strides: tuple[Any, ...], last: Any
) -> tuple[list[Any], list[Any]]:
    """Merge flat modes from the back, starting with a last mode of size `last`; lists in order, possibly
    one mode of size 1.
    """
    out_s, out_d = [last], [strides[-1]]
    #  front of the result   mode before it
    #        s0:d0                1:d1         skip it
    #        1:d0                 s1:d1        take its place
    #    s0:(s1*d1)               s1:d1        merge to (s0*s1):d1
    #        s0:d0                s1:d1        put it in front
    for k in range(len(shapes) - 2, -1, -1):
        s = shapes[k]
        if s == 1:
            continue
        d = strides[k]
        front = out_s[-1]
        if front == 1 and len(out_s) == 1:
            out_s[-1] = s
            out_d[-1] = d
        elif s * d == out_d[-1]:
            out_s[-1] = s * front
            out_d[-1] = d
        else:
            out_s.append(s)
            out_d.append(d)
    out_s.reverse()
    out_d.reverse()
    return out_s, out_d


def coalesce_modes(shape: Any, stride: Any) -> tuple[list[Any], list[Any]]:
    """The coalesced modes of `shape:stride` as two lists; `([1], [0])` when nothing is left."""
    if not isinstance(shape, tuple):
        return ([shape], [stride]) if shape != 1 else ([1], [0])
    shapes, strides = flatten_to_tuple(shape), flatten_to_tuple(stride)
    if not shapes:
        raise LayoutError("coalesce: the empty layout ():() has no modes")
    out_s, out_d = coalesce_flat(shapes, strides, shapes[-1])
    if len(out_s) == 1 and out_s[0] == 1:
        return [1], [0]
    return out_s, out_d


def from_modes(shapes: list[Any], strides: list[Any]) -> Layout:
    """A flat layout of the modes; a single one stays bare."""
    if len(shapes) == 1:
        return Layout._make(shapes[0], strides[0])
    return Layout._make(tuple(shapes), tuple(strides))


def coalesce_extended(x: Layout) -> tuple[list[Any], list[Any]]:
    """CuTe's coalesce_x: the same function on all integers, not on the domain alone.

    A trailing size-1 mode becomes size 2, so that its stride still says how the function goes on.
    """
    shapes, strides = flatten_to_tuple(x.shape), flatten_to_tuple(x.stride)
    if not shapes:
        raise LayoutError("coalesce: the empty layout ():() has no modes")
    return coalesce_flat(shapes, strides, 2 if shapes[-1] == 1 else shapes[-1])


def detail_coalesce_x(x: Layout) -> Layout:
    """`coalesce_extended` as a layout."""
    return from_modes(*coalesce_extended(x))


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
    if profile is None or not isinstance(profile, tuple):
        return inside(x, _coalesce)
    return inside(x, lambda y: by_profile("coalesce", y, profile, _coalesce))


def _coalesce(x: Layout) -> Layout:
    return from_modes(*coalesce_modes(x.shape, x.stride))


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


def filter_modes(x: Layout) -> tuple[list[Any], list[Any]]:
    """The modes of `filter(x)` as two lists."""
    strides = flatten_to_tuple(x.stride)
    if 0 in strides:
        shapes = flatten_to_tuple(x.shape)
        return coalesce_modes(
            tuple([1 if d == 0 else s for s, d in zip(shapes, strides, strict=True)]), strides
        )
    return coalesce_modes(x.shape, x.stride)


def nullspace(x: Any) -> Layout:
    """The layout of the stride-0 modes: `L(R(i)) = 0`, `size(R) = size(L) / size(filter(L))`."""
    if not isinstance(x, Layout):  # as CuTe: not attempted for composed layouts
        return UNIT
    shapes = flatten_to_tuple(x.shape)
    starts = wrap(compact_col_major(shapes))
    kept = [k for k, d in enumerate(flatten_to_tuple(x.stride)) if isinstance(d, int) and d == 0]
    if not kept:
        return UNIT
    return Layout._make(unwrap(tuple([shapes[k] for k in kept])), unwrap(tuple([starts[k] for k in kept])))
