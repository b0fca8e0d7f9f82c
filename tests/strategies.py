"""Hypothesis strategies: layouts, tilers and swizzles that nobody thought of, small enough to enumerate."""

from typing import Any

from hypothesis import strategies as st

from symlayout import Layout, Swizzle
from symlayout.algebra import make_ordered_layout
from symlayout.basis import ScaledBasis
from symlayout.inttuple import flatten_to_tuple, product, unflatten

SIZES = (1, 2, 2, 3, 4, 4, 5, 6, 8)
POWERS = (1, 2, 4, 8, 16)
STEPS = (0, 1, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 24, 48)
BACKWARD = (-4, -3, -2, -1)


def shapes(sizes: tuple[int, ...] = SIZES, largest: int = 300) -> st.SearchStrategy[Any]:
    """Nested up to three deep, at most *largest* elements."""
    leaf = st.sampled_from(sizes)
    inner = leaf | st.lists(leaf, min_size=1, max_size=3).map(tuple)
    outer = leaf | st.lists(inner, min_size=1, max_size=3).map(tuple)
    return outer.filter(lambda s: product(s) <= largest)


@st.composite
def layouts(draw: st.DrawFn, largest: int = 300, max_stride: int | None = None) -> Layout:
    """Compact, permuted, power-of-two and wild layouts, all four about as often; with *max_stride* the last
    two."""
    kinds = ("powers", "wild") if max_stride is not None else ("compact", "permuted", "powers", "wild")
    kind = draw(st.sampled_from(kinds))
    shape = draw(shapes(POWERS[:4] if kind == "powers" else SIZES, largest))
    leaves = len(flatten_to_tuple(shape))
    if kind == "compact":
        return Layout(shape)
    if kind == "permuted":
        order = tuple(draw(st.permutations(range(leaves))))
        return make_ordered_layout(shape, unflatten(order, shape))
    steps = POWERS if kind == "powers" else STEPS + BACKWARD
    pool = st.sampled_from([d for d in steps if max_stride is None or d <= max_stride])
    strides = tuple(draw(st.lists(pool, min_size=leaves, max_size=leaves)))
    return Layout(shape, unflatten(strides, shape))


@st.composite
def tilers(draw: st.DrawFn, layout: Layout, depth: int = 0) -> Any:
    """An int, a layout, None, or one of those for each of the first modes of *layout*."""
    kinds = ["int", "layout", "layout", "none"] if depth else ["int", "layout", "tuple", "tuple"]
    if depth == 1:
        kinds.append("tuple")
    kind = draw(st.sampled_from(kinds))
    if kind == "int":
        return draw(st.sampled_from((1, 2, 3, 4, 6, 8)))
    if kind == "layout":
        return draw(layouts(largest=24))
    if kind == "none":
        return None
    modes = list(layout)[: draw(st.integers(1, layout.rank()))]
    return tuple([draw(tilers(mode, depth + 1)) for mode in modes])


@st.composite
def swizzles(draw: st.DrawFn) -> Swizzle:
    b = draw(st.integers(0, 3))
    shift = b + draw(st.integers(0, 2))
    return Swizzle(b, draw(st.integers(0, 2)), draw(st.sampled_from((shift, -shift))))


@st.composite
def basis_layouts(draw: st.DrawFn, rank: int) -> Layout:
    """Strides that name the modes of a layout of that rank."""
    shape = draw(shapes(largest=60))
    leaves = len(flatten_to_tuple(shape))
    step = st.builds(
        lambda value, mode: ScaledBasis(value, (mode,)),
        st.sampled_from((1, 1, 2, 3, 4)),
        st.integers(0, rank - 1),
    )
    strides = tuple(draw(st.lists(step, min_size=leaves, max_size=leaves)))
    return Layout(shape, unflatten(strides, shape))


@st.composite
def targets(draw: st.DrawFn, block: Layout) -> Any:
    """A shape that the block's shape divides."""
    modes = [mode.size() for mode in block]
    factors = draw(st.lists(st.integers(1, 4), min_size=len(modes), max_size=len(modes) + 1))
    return tuple([n * f for n, f in zip([*modes, 1], factors, strict=False)])
