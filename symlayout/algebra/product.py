"""The products: a block repeated over a tiler.

    logical_product(A, T) = (A, composition(complement(A, size(A)*cosize(T)), T))
    zipped_product, tiled_product, flat_product: block modes and tiler modes gathered, as in the divides
    blocked_product: ((block,tile),(block,tile),...), each element of the tiler becomes a block
    raked_product:   ((tile,block),(tile,block),...), the blocks interleaved
    tile_to_shape:   blocked_product with the tiler that reaches a given shape

Law: the inner composition obeys the law of composition, and copies at different values of the tiler share no
offset. Source: cute/layout.hpp.
"""

from __future__ import annotations

from typing import Any

from .. import inttuple as it
from ..dim import is_symbolic, undecided
from ..errors import LayoutError
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .chains import check_injective
from .coalesce import from_modes
from .complement import complement_modes
from .composed import is_one_to_one
from .composition import compose_exact
from .divide import _freeze, unpack_both, unpack_rest
from .kinds import as_layout, inner, inside, of_tensor
from .laws import check_product, check_tile_to_shape, in_mode
from .modes import (
    append,
    cosize,
    make_ordered_layout,
    take,
    zero_shapes,
    zip2_by,
    zip_modes,
)


def _at_least(t: Any, least: int) -> bool:
    """Whether all numbers in t are known to be at least so great."""
    if type(t) is int:
        return t >= least
    if type(t) is tuple or type(t) is list:
        for x in t:  # hot, and half the time of all()
            if not _at_least(x, least):
                return False
        return True
    return (t >= least) is True


def _logical_product(a: Layout, tiler: Any, unchecked: bool) -> Layout:
    if isinstance(tiler, Layout):
        wanted = a.size() * cosize(tiler)
        rest_s, rest_d, even, covered = complement_modes(a, wanted)
        rest = from_modes(rest_s, rest_d)
        repeated, exact = compose_exact(rest, tiler)
        if not unchecked and not (
            exact
            and (even or (covered >= wanted) is True)
            and _at_least(rest_s, 1)
            and _at_least(tiler.stride, 0)
        ):
            if is_symbolic((a.shape, a.stride, tiler.shape, tiler.stride)):
                raise undecided("logical_product", f"block = {a}, tiler = {tiler}")
            check_product(a, rest, tiler, repeated)
        return Layout._make((a.shape, repeated.shape), (a.stride, repeated.stride))
    if tiler is None:
        return a
    if isinstance(tiler, tuple):
        modes = list(a)
        if len(tiler) > len(modes):
            raise LayoutError(
                f"logical_product: Too many modes in tiler.\n"
                f"  the tiler {show(tiler)} has {len(tiler)}, {a} has {len(modes)}"
            )
        pairs = enumerate(zip(modes, tiler, strict=False))
        done = [in_mode(k, _logical_product, m, t, unchecked) for k, (m, t) in pairs]
        done += modes[len(tiler) :]
        return Layout._make(tuple([m.shape for m in done]), tuple([m.stride for m in done]))
    return _logical_product(a, Layout(tiler), unchecked)


def logical_product(a: Any, tiler: Any, *, unchecked: bool = False) -> Any:
    """(block, copies): `logical_product((2,2):(4,1), 6:1) = ((2,2),(2,3)):((4,1),(2,8))`."""
    tiler = _freeze(tiler)
    return inside(a, lambda x: _logical_product(x, tiler, unchecked))


def zipped_product(a: Any, tiler: Any, *, unchecked: bool = False) -> Any:
    """((block modes),(tiler modes))."""
    tiler = _freeze(tiler)

    def f(x: Layout) -> Layout:
        p = _logical_product(x, tiler, unchecked)
        return Layout._make(zip2_by(p.shape, tiler), zip2_by(p.stride, tiler))

    return inside(a, f)


def tiled_product(a: Any, tiler: Any, *, unchecked: bool = False) -> Any:
    """((block modes),tile,tile,...)."""
    return inside(zipped_product(a, tiler, unchecked=unchecked), unpack_rest)


def flat_product(a: Any, tiler: Any, *, unchecked: bool = False) -> Any:
    """(block,block,...,tile,tile,...)."""
    return inside(zipped_product(a, tiler, unchecked=unchecked), unpack_both)


def _ranked_product(block: Layout, tiler: Any, unchecked: bool) -> tuple[Layout, Layout]:
    tiler = as_layout(_freeze(tiler))
    r = max(block.rank(), tiler.rank())
    p = _logical_product(append(block, n=r), append(tiler, n=r), unchecked)
    return p[0], p[1]


def blocked_product(block: Any, tiler: Any, *, unchecked: bool = False) -> Any:
    """Every element of the tiler becomes a block: `blocked_product((2,2):(1,2), (3,4):(1,3))` has mode 0
    `(2,3):(1,4)`.
    """

    def f(x: Layout) -> Layout:
        a, b = _ranked_product(x, tiler, unchecked)
        return Layout._make(zip_modes((a.shape, b.shape)), zip_modes((a.stride, b.stride)))

    return inside(block, f)


def raked_product(block: Any, tiler: Any, *, unchecked: bool = False) -> Any:
    """As blocked_product with the blocks interleaved: the tiler's index runs faster than the block's."""

    def f(x: Layout) -> Layout:
        a, b = _ranked_product(x, tiler, unchecked)
        return Layout._make(zip_modes((b.shape, a.shape)), zip_modes((b.stride, a.stride)))

    return inside(block, f)


def tile_to_shape(block: Any, shape: Any, order: Any = "LayoutLeft", *, unchecked: bool = False) -> Any:
    """The block repeated to fill `shape`, modes of smaller `order` first. Law: injective if the block is.

    Raises LayoutError when the block's shape does not divide the target or has more modes.
    """
    block = as_layout(block)
    if isinstance(block, ComposedLayout):
        return _tile_composed(block, shape, order, unchecked)
    shape = shape.shape if isinstance(shape, Layout) else Layout(shape).shape
    r = it.rank(shape)
    if block.rank() > r:
        raise LayoutError(
            f"tile_to_shape: Rank of layout must be <= rank of target shape: {block} and {show(shape)}"
        )
    padded = append(block, n=r)
    block_shape = it.product_each(padded.shape)
    target = it.product_each(shape)
    if not it.evenly_divides(target, block_shape):
        raise LayoutError(
            f"tile_to_shape: block shape does not divide the target shape.\n"
            f"  the block is {show(block_shape)}, the target {show(target)}"
        )
    tiler = make_ordered_layout(it.ceil_div(target, block_shape), order)
    result: Layout = blocked_product(padded, tiler, unchecked=True)  # the law here is another, and weaker
    if not unchecked:
        check_tile_to_shape(block, result)
    return result


def _tile_composed(block: ComposedLayout, shape: Any, order: Any, unchecked: bool) -> Any:
    """The innermost layout repeated. Swizzles keep its law; any other outer map may send two elements to one
    offset, and is then asked.
    """
    result = inside(block, lambda x: tile_to_shape(x, shape, order, unchecked=unchecked))
    if not unchecked and not is_one_to_one(block):
        check_injective("tile_to_shape", block, result)
    return result


def make_fragment_like(x: Any) -> Layout:
    """Registers for a partitioned tensor: compact, mode 0 fastest and column-major (stride-0 modes stay 0),
    the other modes in the order of x's strides. A shape gives its compact layout, a thread's partition the
    registers for it.
    """
    x = of_tensor(x)
    if isinstance(x, (ComposedLayout, Swizzle)):
        x = inner(x)
    if not isinstance(x, Layout):
        return Layout(x)
    r = x.rank()
    if r <= 1:
        return Layout(x.shape)
    s, d = x.shape[0], x.stride[0]
    first = Layout._make(s, it.compact_col_major(zero_shapes(d, s)))
    rest = take(x, 1, r)
    result: Layout = tiled_product(first, make_ordered_layout(rest.shape, rest.stride), unchecked=True)
    return result
