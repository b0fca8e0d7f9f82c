"""The divides: a layout cut into tiles and the rest.

    logical_divide(A, T) = composition(A, (T, complement(T, shape(coalesce(A)))))     mode 0 the tile, mode
    1 the rest zipped_divide    tile modes and rest modes gathered, ((TileM,TileN,...),(RestM,RestN,...))
    tiled_divide     ((TileM,TileN,...),RestM,RestN,...) flat_divide      (TileM,TileN,...,RestM,RestN,...)

A tuple tiler works mode by mode; `None` (CuTe's `_`) leaves a mode alone. Law, judged in coordinates as
kernels predicate: no coordinate inside A's shape is missed, and none is hit twice when the tiler (without
its stride-0 modes) is injective; and the tile is A after the tiler. Coordinates beyond the shape are
over-cover, CuTe's documented ceil behaviour, and refused only under `strict=True`.

Source: cute/layout.hpp.
"""

from __future__ import annotations

from typing import Any

from ..basis import make_basis_like
from ..dim import is_symbolic, undecided
from ..errors import LayoutError
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .coalesce import coalesce_modes, extend, from_modes, merge
from .complement import complement_modes, gaps
from .composition import compose_exact, compose_layouts
from .kinds import inside
from .laws import check_divide, in_mode
from .memo import keep_answer, remember, table
from .modes import zip2_by
from .plain import compose_modes


def divide_layout(a: Layout, tiler: Layout, unchecked: bool = True, strict: bool = False) -> Layout:
    """CuTe's logical_divide of a layout by a layout."""
    shapes, _ = coalesce_modes(a.shape, a.stride)
    shape = shapes[0] if len(shapes) == 1 else tuple(shapes)
    rest_s, rest_d, even, covered = complement_modes(tiler, shape)
    rest = from_modes(rest_s, rest_d)
    both = Layout._make((tiler.shape, rest.shape), (tiler.stride, rest.stride))
    result, exact = compose_exact(a, both)
    if not unchecked:
        n = 1
        for s in shapes:
            n *= s
        # if (tile, rest) counts through 0 .. covered-1 once and its composition is right, so are coordinates
        if not (exact and even and (covered == n or (covered > n and not strict))):
            if is_symbolic((shape, both.shape, both.stride)):
                raise undecided("divide", f"A = {a}, tiler = {tiler}")
            visited = compose_layouts(Layout._make(shape, make_basis_like(shape)), both)
            check_divide(a, tiler, result, visited, shape, strict)
    return result


def _divided(a: Layout, tiler: Any, unchecked: bool, strict: bool) -> Layout:
    if type(tiler) is Layout:
        return divide_layout(a, tiler, unchecked, strict)
    if tiler is None:
        return a
    if isinstance(tiler, tuple):
        modes = list(a)
        if len(tiler) > len(modes):
            raise LayoutError(
                f"logical_divide: Too many modes in tiler.\n"
                f"  the tiler {show(tiler)} has {len(tiler)}, {a} has {len(modes)}"
            )
        pairs = enumerate(zip(modes, tiler, strict=False))
        done = [in_mode(k, _divided, m, t, unchecked, strict) for k, (m, t) in pairs]
        done += modes[len(tiler) :]
        return Layout._make(tuple([m.shape for m in done]), tuple([m.stride for m in done]))
    return divide_layout(a, Layout(tiler), unchecked, strict)


def _divide_plain(a: Layout, s: Any, d: Any, strict: bool) -> Layout | None:
    """logical_divide by `s:d` where plain integers fulfil every condition of the law: the tile and the rest
    together count through `0 .. n-1`, n at least A's size, and their composition is right. None elsewhere.
    """
    nested = gaps(s, d)
    if nested is None:
        return None
    rest_s, rest_d, span, _ = nested
    shape, stride = a.shape, a.stride
    sizes: list[Any] = []
    strides: list[Any] = []
    if type(shape) is tuple:
        ahead = merge(shape, stride, sizes, strides)
        rest = span
        n = 1
        for size in sizes:  # ceil_div of a shape: what mode k does not use up carries over
            if rest == 1:
                n *= size
            else:
                n *= -(-size // rest)
                rest = -(-rest // size)
        extend(shape, stride, sizes, strides, ahead)
    else:
        n = -(-shape // span)
        sizes.append(shape)
        strides.append(stride)
    if strict and n * span != a.size():
        return None
    if n != 1:
        rest_s.append(n)
        rest_d.append(span)
    if len(rest_s) > 1:
        return compose_modes(sizes, strides, (s, tuple(rest_s)), (d, tuple(rest_d)))
    if rest_s:
        return compose_modes(sizes, strides, (s, rest_s[0]), (d, rest_d[0]))
    return compose_modes(sizes, strides, (s, 1), (d, 0))


_DIVIDED = table()
DIVIDE = "logical_divide"
STRICT = "logical_divide, strict"


def logical_divide(a: Any, tiler: Any, *, unchecked: bool = False, strict: bool = False) -> Any:
    """Each divided mode becomes (tile, rest): `logical_divide(16:1, 4:2) = (4,(2,2)):(2,(1,8))`."""
    if type(a) is Layout:
        operation = STRICT if strict else DIVIDE
        entry = a._answers
        while entry is not None:
            if entry[0] is tiler and entry[1] is operation:
                return entry[2]
            entry = entry[3]
        plain = None
        if type(tiler) is Layout:
            plain = _divide_plain(a, tiler.shape, tiler.stride, strict)
        elif type(tiler) is int:
            if tiler < 1:
                raise LayoutError(f"divide: {a} by tiles of {tiler} elements: there must be 1 or more")
            plain = _divide_plain(a, tiler, 1 if tiler != 1 else 0, strict)
        if plain is not None:
            return keep_answer(a, operation, tiler, plain)
        if type(tiler) is Layout:
            key: Any = (a.shape, a.stride, tiler.shape, tiler.stride, unchecked, strict)
        else:
            tiler = _freeze(tiler)
            key = (a, tiler, unchecked, strict)
        known = _DIVIDED.get(key)
        return remember(_DIVIDED, key, _divided(a, tiler, unchecked, strict)) if known is None else known
    return inside(a, lambda x: logical_divide(x, tiler, unchecked=unchecked, strict=strict))


def zipped_divide(a: Any, tiler: Any, *, unchecked: bool = False, strict: bool = False) -> Any:
    """((tile modes),(rest modes)): `zipped_divide((8,8):(8,1), (2,4)) = ((2,4),(4,2)):((8,1),(16,4))`."""
    tiler = _freeze(tiler)

    def f(x: Layout) -> Layout:
        divided = logical_divide(x, tiler, unchecked=unchecked, strict=strict)
        return Layout._make(zip2_by(divided.shape, tiler), zip2_by(divided.stride, tiler))

    return inside(a, f)


def tiled_divide(a: Any, tiler: Any, *, unchecked: bool = False, strict: bool = False) -> Any:
    """((tile modes),rest,rest,...)."""
    return inside(zipped_divide(a, tiler, unchecked=unchecked, strict=strict), unpack_rest)


def flat_divide(a: Any, tiler: Any, *, unchecked: bool = False, strict: bool = False) -> Any:
    """(tile,tile,...,rest,rest,...)."""
    return inside(zipped_divide(a, tiler, unchecked=unchecked, strict=strict), unpack_both)


def unpack_rest(x: Layout) -> Layout:
    """`((a,b),(c,d))` to `((a,b),c,d)`; a rest of one mode stays a mode, 1-tuple and all."""
    return Layout._make((x.shape[0], *_spread(x.shape[1])), (x.stride[0], *_spread(x.stride[1])))


def unpack_both(x: Layout) -> Layout:
    """`((a,b),(c,d))` to `(a,b,c,d)`."""
    return Layout._make(
        (*_spread(x.shape[0]), *_spread(x.shape[1])), (*_spread(x.stride[0]), *_spread(x.stride[1]))
    )


def _spread(t: Any) -> tuple[Any, ...]:
    # CuTe slices with repeat<R>(_), and repeat<1>(_) is a bare `_`: a mode of rank 1 is kept whole
    return t if isinstance(t, tuple) and len(t) != 1 else (t,)


def _freeze(tiler: Any) -> Any:
    if isinstance(tiler, (list, tuple)):
        return tuple([_freeze(t) for t in tiler])
    if isinstance(tiler, (ComposedLayout, Swizzle)):
        raise LayoutError(
            f"the tiler {tiler} is composed, and CuTe divides and repeats by plain layouts only\n"
            "  take the plain layout as the tiler, and compose the result with the swizzle"
        )
    return tiler
