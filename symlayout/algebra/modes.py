"""Layouts as tuples of (shape, stride) modes: take, group, append, zip and their kin; constructors; size
and shape.

Every function answers as the one of the same name in cute/layout.hpp; none changes what the layout maps,
only which modes it has. A ComposedLayout, however nested, is changed in its innermost layout; one whose
innermost map is a Swizzle has no modes, and UnsupportedError says so.
"""

from __future__ import annotations

from typing import Any

from .. import inttuple as it
from ..basis import ScaledBasis, as_arith, make_basis_like
from ..errors import LayoutError
from ..inttuple import show
from ..layout import Layout, dice_layout, slice_layout
from ..swizzle import ComposedLayout, Swizzle, has_shape, no_shape
from .kinds import as_layout, inner, inside, no_strides, of_tensor, one_outer_map, plain

MAX_RANK = 1000  # padding stops here, before it eats the memory


def shape(x: Any, *i: int) -> Any:
    """The shape of a layout (or of mode i); a shape is its own shape."""
    if i:
        x = get(x, *i)
    if isinstance(x, Swizzle):
        raise no_shape(x)
    x = of_tensor(x)
    return x.shape if isinstance(x, (Layout, ComposedLayout)) else x


def stride(x: Any, *i: int) -> Any:
    """The stride of a layout (or of mode i)."""
    if isinstance(x, (ComposedLayout, Swizzle)):
        raise no_strides("stride", x)
    if not isinstance(x, Layout):
        raise LayoutError(f"stride: {show(x)} is not a plain layout and has no strides")
    return (get(x, *i) if i else x).stride


def size(x: Any, *i: int) -> Any:
    """The number of elements of a layout or shape (or of its mode i)."""
    return it.product(shape(x, *i))


def rank(x: Any, *i: int) -> int:
    """The number of top-level modes; 1 for a bare int, and for a map without shape."""
    if not i and not has_shape(x):
        return 1
    return it.rank(shape(x, *i))


def depth(x: Any, *i: int) -> int:
    """The depth of nesting; 0 for a bare int and for a map without shape, 1 for a flat tuple."""
    if not i and not has_shape(x):
        return 0
    return it.depth(shape(x, *i))


def coshape(x: Any, *i: int) -> Any:
    """The smallest box that holds every value: for integer strides the cosize, for basis strides a tuple."""
    layout = inner(get(x, *i) if i else x)
    total: Any = 0
    for s, d in zip(it.flatten_to_tuple(layout.shape), it.flatten_to_tuple(layout.stride), strict=True):
        total = total + as_arith(abs(d) * (s - 1))
    return _plus_one(total)


def _plus_one(t: Any) -> Any:
    return tuple([_plus_one(x) for x in t]) if isinstance(t, tuple) else t + 1


def cosize(x: Any, *i: int) -> Any:
    """`1 + sum((s - 1) * |d|)`: one more than the largest value when no stride is negative."""
    return it.product(coshape(x, *i))


def get(x: Any, *i: int) -> Any:
    """Mode i, or the mode that the path i leads to, of a layout or a tuple."""
    if isinstance(x, (Layout, ComposedLayout)):
        return x[i]
    for k in i:
        if not isinstance(x, tuple):
            x = (x,)
        if not (hasattr(k, "__index__") and 0 <= k < len(x)):
            raise LayoutError(f"get: mode {k} of {show(x)}, which has rank {len(x)}")
        x = x[k]
    return x


def make_layout(*args: Any) -> Layout:
    """A layout from a shape; from shape and stride (or the words `LayoutLeft`, `LayoutRight`); or from
    layouts as its modes.
    """
    if not args:
        raise LayoutError("make_layout: give a shape, a shape and a stride, or layouts")
    if all(isinstance(a, Layout) for a in args):
        return Layout._make(tuple([a.shape for a in args]), tuple([a.stride for a in args]))
    composed = next((a for a in args if isinstance(a, (ComposedLayout, Swizzle))), None)
    if composed is not None:
        raise one_outer_map("make_layout", composed)
    if any(isinstance(a, Layout) for a in args) or len(args) > 2:
        raise LayoutError("make_layout: give a shape, a shape and a stride, or layouts only")
    if len(args) == 2 and args[1] == "LayoutRight":
        return Layout(args[0], it.compact_row_major(args[0]))
    return Layout(args[0], None if len(args) == 1 or args[1] == "LayoutLeft" else args[1])


def make_identity_layout(s: Any) -> Layout:
    """The layout that maps each coordinate to itself: basis strides."""
    s = shape(s)
    return Layout(s, make_basis_like(s))


def make_ordered_layout(s: Any, order: Any) -> Layout:
    """Compact strides, modes with smaller `order` values faster; `LayoutLeft` and `LayoutRight` are orders
    too.
    """
    s = shape(s)
    return Layout._make(s, compact_order(s, order))


def compact_order(s: Any, order: Any) -> Any:
    """Compact strides of `s`: each leaf of `order` starts at the product of the sizes whose order is less."""
    if order == "LayoutLeft":
        return it.compact_col_major(s)
    if order == "LayoutRight":
        return it.compact_row_major(s)
    if any(isinstance(o, ScaledBasis) for o in it.flatten_to_tuple(order)):
        raise LayoutError(f"basis strides such as {show(order)} have no order")
    if not it.weakly_congruent(order, s):
        raise LayoutError(
            f"make_ordered_layout: Need equal rank of shape and order: {show(s)} and {show(order)}"
        )
    sizes = it.flatten_to_tuple(it.product_like(s, order))
    keys = it.flatten_to_tuple(order)

    def go(x: Any, o: Any) -> Any:
        if isinstance(o, tuple):
            return tuple([go(xi, oi) for xi, oi in zip(x, o, strict=True)])
        start: Any = 1
        for n, k in zip(sizes, keys, strict=True):
            if k < o:
                start = start * n
        return it.compact_col_major(x, start)

    return go(s, order)


def make_layout_like(x: Layout) -> Layout:
    """Compact, in the order of x's strides; stride-0 modes stay 0."""
    x = inner(x)
    return Layout._make(x.shape, compact_order(zero_shapes(x.stride, x.shape), x.stride))


def zero_shapes(profile: Any, s: Any) -> Any:
    """`s` with every leaf whose `profile` is 0 replaced by 1 (a whole mode, when the 0 stands above it)."""
    if isinstance(profile, tuple):
        if not isinstance(s, tuple) or len(s) != len(profile):
            raise LayoutError(f"filter_zeros: Mismatched ranks: {show(profile)} and {show(s)}")
        return tuple([zero_shapes(p, x) for p, x in zip(profile, s, strict=True)])
    return _ones(s) if isinstance(profile, int) and profile == 0 else s


def _ones(s: Any) -> Any:
    return tuple([_ones(x) for x in s]) if isinstance(s, tuple) else 1


def _both(x: Any, f: Any) -> Any:
    """Apply a tuple function to shape and stride alike (or to a tuple)."""
    if isinstance(x, Swizzle):
        raise no_shape(x)
    if isinstance(x, ComposedLayout):
        return inside(x, lambda y: _both(y, f))
    if isinstance(x, Layout):
        return Layout._make(f(x.shape), f(x.stride))
    return f(x)


def flatten(x: Any) -> Any:
    """All leaves in one level; a bare mode stays bare, and so does a map without modes."""
    if isinstance(x, (Swizzle, ComposedLayout)) and not has_shape(x):
        return x
    return _both(x, it.flatten)


def unflatten(x: Any, profile: Any) -> Any:
    """The flat layout `x` refolded to the nesting of `profile`."""
    return _both(x, lambda t: it.unflatten(t, profile))


def take(x: Any, b: int, e: int) -> Any:
    """Modes b, b+1, ..., e-1."""
    r = rank(x)
    if not 0 <= b < e <= r:
        raise LayoutError(f"take: modes [{b},{e}) of {x}, which has rank {r}: range out of bounds")
    return _both(x, lambda t: it.wrap(t)[b:e])


def select(x: Any, *i: int) -> Any:
    """The named modes, in that order."""
    r = rank(x)
    if any(not 0 <= k < r for k in i):
        raise LayoutError(f"select: modes {show(tuple(i))} of {x}, which has rank {r}")
    return _both(x, lambda t: tuple([it.wrap(t)[k] for k in i]))


def group(x: Any, b: int, e: int) -> Any:
    """Modes [b, e) wrapped into one."""
    r = rank(x)
    if not 0 <= b <= e <= r:
        raise LayoutError(f"group: modes [{b},{e}) of {x}, which has rank {r}: Index out of range")

    def f(t: Any) -> Any:
        t = it.wrap(t)
        return t[:b] + ((t[b:e],) if b < e else ()) + t[e:]

    return _both(x, f)


def replace(x: Any, i: int, new: Any) -> Any:
    """Mode i becomes the layout `new`."""
    r = rank(x)
    if not 0 <= i < r:
        raise LayoutError(f"replace: mode {i} of {x}, which has rank {r}")

    def f(t: Any, y: Any) -> Any:
        return t[:i] + (y,) + t[i + 1 :] if isinstance(t, tuple) else y

    return _combine(x, new, f)


def append(x: Any, new: Any = None, n: int | None = None) -> Any:
    """`new` as the last mode; with `n`, `1:0` (or `new`) repeated until the rank is n. Raises LayoutError for
    fewer modes than there are, as CuTe asserts.
    """
    return _combine(x, new, lambda t, y: _pad(t, y, n, False))


def prepend(x: Any, new: Any = None, n: int | None = None) -> Any:
    """As append, at the front."""
    return _combine(x, new, lambda t, y: _pad(t, y, n, True))


def _pad(t: Any, y: Any, n: int | None, front: bool) -> Any:
    r = it.rank(t)
    if n is not None and n <= r:
        if n == r:
            return t
        where = "prepend" if front else "append"
        raise LayoutError(f"{where}: {show(t)} has {r} modes and cannot be brought to {n}: N is rank or more")
    if n is not None and n > MAX_RANK:
        raise LayoutError(f"a layout of rank {n}: more than the {MAX_RANK} modes that any kernel could name")
    more = (y,) * (1 if n is None else n - r)
    return more + it.wrap(t) if front else it.wrap(t) + more


def _combine(x: Any, new: Any, f: Any) -> Any:
    if isinstance(x, ComposedLayout):
        return inside(x, lambda y: _combine(y, new, f))
    if isinstance(x, Swizzle):
        raise no_shape(x)
    if isinstance(x, Layout):
        y = Layout._make(1, 0) if new is None else new
        if isinstance(y, (ComposedLayout, Swizzle)):
            raise one_outer_map(f"a mode of {x}", y)
        if not isinstance(y, Layout):
            y = Layout(y)
        return Layout._make(f(x.shape, y.shape), f(x.stride, y.stride))
    return f(x, 1 if new is None else new)


def zip_modes(t: Any) -> Any:
    """`((a,b),(c,d))` to `((a,c),(b,d))`, on tuples."""
    if not isinstance(t, tuple):
        return t
    if not isinstance(t[0], tuple):
        return (t,)
    n = len(t[0])
    if any(not isinstance(x, tuple) or len(x) != n for x in t):
        raise LayoutError(
            f"zip: Mismatched Ranks: the modes of {show(t)} cannot be paired\n"
            f"  each must be a tuple of {n}; a bare N:d in place of a 1-tuple (N):(d) is not a tuple"
        )
    return tuple([tuple([x[j] for x in t]) for j in range(n)])


def zip_(x: Any, y: Any = None) -> Any:
    """`((a,b),(c,d))` to `((a,c),(b,d))`; two layouts zip as the modes of one."""
    if y is not None:
        if isinstance(x, tuple) and isinstance(y, tuple):
            return zip_modes((x, y))
        x, y = inner(x), inner(y)
        x = Layout._make((x.shape, y.shape), (x.stride, y.stride))
    return _both(x, zip_modes)


def zip2_by(t: Any, guide: Any) -> Any:
    """`((A,a),((B,b),(C,c)),d)` to `((A,(B,C)),(a,(b,c),d))`, the pairs standing at the leaves of `guide`."""
    if isinstance(guide, tuple):
        if not isinstance(t, tuple) or len(t) < len(guide):
            raise LayoutError(f"Mismatched ranks: the tiler has {len(guide)} modes, the layout {show(t)}")
        split = [zip2_by(t[k], g) for k, g in enumerate(guide)]
        return (tuple([p[0] for p in split]), tuple([p[1] for p in split]) + t[len(guide) :])
    if not isinstance(t, tuple) or len(t) != 2:
        raise LayoutError(
            f"Mismatched ranks: {show(t)} is not a (tile, rest) pair; a `_` in this tiler has no rest"
        )
    return t


def slice_(crd: Any, layout: Any) -> Any:
    """The modes where the coordinate is `None` (CuTe's `_`); both orders of arguments are accepted."""
    if isinstance(crd, (Layout, ComposedLayout)):
        crd, layout = layout, crd
    if isinstance(layout, ComposedLayout):
        return layout(crd)
    return slice_layout(crd, as_layout(layout))


def dice(crd: Any, layout: Any) -> Any:
    """The modes where the coordinate is not `None`; both orders of arguments are accepted."""
    if isinstance(crd, (Layout, ComposedLayout)):
        crd, layout = layout, crd
    return dice_layout(crd, inner(layout))


def _zero_open(crd: Any) -> Any:
    if isinstance(crd, tuple):
        return tuple([_zero_open(c) for c in crd])
    return 0 if crd is None else crd


def crd2idx(crd: Any, x: Any, d: Any = None) -> Any:
    """The value of the layout `x` at `crd`; for a shape, the leftmost-fastest position (or with strides `d`).
    An open mode, `None`, counts as 0: the offset at which the slice begins.
    """
    crd = _zero_open(crd)
    if isinstance(x, (ComposedLayout, Swizzle)):
        return x(crd)
    if isinstance(x, Layout):
        x, d = x.shape, x.stride
    return it.crd2idx(crd, x, d)


def idx2crd(i: Any, x: Any, d: Any = None) -> Any:
    """The coordinate of index i in the shape of `x`; with strides `d`, `(i / d) % shape` in each mode."""
    return it.idx2crd(i, shape(x), d)


def get_hier_coord(i: Any, layout: Layout) -> Any:
    """The nested coordinate that a compact layout maps to i."""
    layout = plain("get_hier_coord", layout)
    return it.idx2crd(i, layout.shape, layout.stride)


def get_1d_coord(i: Any, layout: Layout) -> Any:
    """The one-integer coordinate that a compact layout maps to i."""
    return it.crd2idx(get_hier_coord(i, layout), shape(layout))


def get_flat_coord(i: Any, layout: Layout) -> Any:
    """The coordinate with one integer a top-level mode that a compact layout maps to i."""
    crd = get_hier_coord(i, layout)
    if rank(layout) == 1:
        return it.crd2idx(crd, layout.shape)
    return tuple([it.crd2idx(c, s) for c, s in zip(crd, layout.shape, strict=True)])
