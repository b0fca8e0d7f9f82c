"""Swizzle: an involution on offsets that xors one group of bits into another; ComposedLayout: one map after
another.

    Swizzle(B, M, S), S > 0:   0bxxxYYxxZZxxx  ->  0bxxxYYxxAAxxx,   AA = ZZ xor YY

B bits are taken, the low M bits are left alone, and S is the distance from Z up to Y (negative: Y lies
below Z). Offsets are counted in elements. `Swizzle(3, 3, 3)` on half_t makes the 8x64 tile that ldmatrix
reads without bank conflicts.

An offset below 0 counts as in two's complement, with as many ones above as are asked for: `x & mask` and
`x ^ y` of C++'s `int` and `int64_t` give the same as long as no bit of the masks is the sign. The headers
make the masks in `int`, which holds B + M + |S| <= 31; here they reach up to the 64 bits of the widest
offset.

Source: cute/swizzle.hpp, cute/swizzle_layout.hpp, cute/layout_composed.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from operator import index
from typing import Any

from .basis import ArithTuple, as_arith
from .errors import LayoutError, UnsupportedError
from .integers import is_integer, plain
from .inttuple import show
from .layout import Layout, _has_none, dice_layout, slice_layout


def _whole(x: Any) -> int:
    """An integer of any kind as an int."""
    if not is_integer(x):
        raise LayoutError(f"Swizzle: {x!r} is not an integer")
    return int(x)


WIDEST = 64  # bits of an offset: B + M + |S| may not reach beyond


class Swizzle:
    """A value: `Swizzle(b, m, s)` maps an offset to an offset. Raises LayoutError for b < 0, m < 0, |s| < b,
    and for bits beyond the 64 of an offset, b + m + |s| > 64.
    """

    __slots__ = ("b", "m", "s")

    b: int
    m: int
    s: int

    def __init__(self, b: int, m: int, s: int) -> None:
        if type(b) is not int or type(m) is not int or type(s) is not int:
            b, m, s = _whole(b), _whole(m), _whole(s)
        if b + m + abs(s) > WIDEST:
            raise LayoutError(
                f"Swizzle<{b},{m},{s}>: the bits do not fit\n  B + M + |S| = {b + m + abs(s)}, and an offset "
                f"has {WIDEST} bits"
            )
        if b < 0 or m < 0 or abs(s) < b:
            raise LayoutError(
                f"Swizzle<{b},{m},{s}>: the bits do not fit\n  B = {b} and M = {m} must not be negative, and "
                f"|S| = {abs(s)} must be at least B"
            )
        for name, value in (("b", b), ("m", m), ("s", s)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Swizzle does not change; {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Swizzle, (self.b, self.m, self.s))

    @property
    def yyy_mask(self) -> int:
        """The bits that are read."""
        return ((1 << self.b) - 1) << (self.m + max(0, self.s))

    @property
    def zzz_mask(self) -> int:
        """The bits that are changed."""
        return ((1 << self.b) - 1) << (self.m - min(0, self.s))

    def __call__(self, offset: Any) -> Any:
        """The swizzled offset; anything with `& ^ >> <<` will do. Raises LayoutError for what has no bits."""
        if type(offset) is not int:
            offset = plain(offset)
        if self.b == 0 and not isinstance(offset, tuple):
            return offset
        try:
            y = offset & self.yyy_mask
            return offset ^ (y >> self.s if self.s >= 0 else y << -self.s)
        except TypeError:
            raise LayoutError(f"{self} swizzles integers, and {show(offset)} is not one") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Swizzle) and (self.b, self.m, self.s) == (other.b, other.m, other.s)

    def __hash__(self) -> int:
        return hash((Swizzle, self.b, self.m, self.s))

    def __str__(self) -> str:
        return f"Sw<{self.b},{self.m},{self.s}>"

    def __repr__(self) -> str:
        return f"Swizzle({self.b}, {self.m}, {self.s})"


def make_swizzle(y: int, z: int) -> Swizzle:
    """The swizzle that reads the bits of mask `y` and changes those of mask `z`.

    Raises LayoutError when the masks are not one run of bits each, of equal length (cute/swizzle.hpp,
    make_swizzle).
    """
    y, z = y & 0xFFFFFFFF, z & 0xFFFFFFFF
    bits = y.bit_count()
    low_y = (y & -y).bit_length() - 1 if y else 32
    low_z = (z & -z).bit_length() - 1 if z else 32
    base, shift = min(low_y, low_z) % 32, low_y - low_z
    if bits != z.bit_count() or abs(shift) < bits:
        raise LayoutError(f"make_swizzle: no Swizzle reads bits {y:#b} and changes bits {z:#b}")
    result = Swizzle(bits, base, shift)
    if (y | z) != (result.yyy_mask | result.zzz_mask) & 0xFFFFFFFF:
        raise LayoutError(
            f"make_swizzle: no Swizzle reads bits {y:#b} and changes bits {z:#b}: they are not runs"
        )
    return result


class ComposedLayout:
    """`outer o offset o layout`: the value at c is `outer(offset + layout(c))`.

    Outer and layout are each a Layout, a Swizzle or a ComposedLayout; the offset is an integer or, where the
    layout gives coordinates, a coordinate. The domain is that of the innermost map: that of `64:1 o -8 o
    Sw<2,0,3>` is all integers, and there is no shape. Composition is associative, so `(A o x o B) o y o C` is
    kept as `A o x o (B o y o C)`, which is how the text, the same for both, is read. Raises LayoutError for
    other parts.
    """

    __slots__ = ("layout", "offset", "swizzle")

    swizzle: Any  # the outer map; most often a Swizzle
    offset: Any
    layout: Any

    def __init__(self, swizzle: Any, offset: Any, layout: Any) -> None:
        for part in (swizzle, layout):
            if not isinstance(part, (Layout, Swizzle, ComposedLayout)):
                raise LayoutError(
                    f"ComposedLayout: {show(part)} is not a map\n"
                    "  `A o offset o B` takes a Layout, a Swizzle or a ComposedLayout as A and as B"
                )
        offset = as_offset(offset)
        if isinstance(swizzle, ComposedLayout):
            layout = ComposedLayout(swizzle.layout, offset, layout)
            swizzle, offset = swizzle.swizzle, swizzle.offset
        self._set(swizzle, offset, layout)

    def _set(self, swizzle: Any, offset: Any, layout: Any) -> None:
        for name, value in (("swizzle", swizzle), ("offset", offset), ("layout", layout)):
            object.__setattr__(self, name, value)

    @classmethod
    def _make(cls, swizzle: Any, offset: Any, layout: Any) -> ComposedLayout:
        """The same of any maps, without a check: for the algebra, which reads layouts in forms of its own."""
        self = object.__new__(cls)
        self._set(swizzle, offset, layout)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ComposedLayout does not change; {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return (ComposedLayout, (self.swizzle, self.offset, self.layout))

    @property
    def domain(self) -> Layout:
        """The innermost layout, whose coordinates are those of the whole. Raises UnsupportedError where the
        innermost map is a swizzle.
        """
        found = self.layout
        while isinstance(found, ComposedLayout):
            found = found.layout
        if isinstance(found, Swizzle):
            raise no_shape(self)
        inner: Layout = found
        return inner

    @property
    def shape(self) -> Any:
        return self.domain.shape

    def size(self) -> Any:
        return self.domain.size()

    def cosize(self) -> Any:
        """That of the innermost layout, as CuTe's; of a swizzled layout it need not be one more than the
        largest value.
        """
        return self.domain.cosize()

    def rank(self) -> int:
        return self.domain.rank()

    def depth(self) -> int:
        return self.domain.depth()

    def __len__(self) -> int:
        return len(self.domain)

    def __iter__(self) -> Iterator[Any]:
        return iter([self[k] for k in range(len(self))])

    def __getitem__(self, i: int | tuple[int, ...]) -> Any:
        return self.with_domain(self.domain[i])

    def with_layout(self, layout: Any) -> Any:
        """The same outer map and offset over another layout; plain when the swizzle takes no bits and the
        offset is 0.
        """
        return after(self.swizzle, self.offset, layout)

    def with_domain(self, layout: Any) -> Any:
        """The same outer maps and offsets, however many, over another innermost layout."""
        nested = isinstance(self.layout, ComposedLayout)
        return self.with_layout(self.layout.with_domain(layout) if nested else layout)

    def __call__(self, *crd: Any) -> Any:
        """The value at a coordinate; a coordinate with `None` slices, and the innermost offset takes up what
        was fixed.
        """
        c = crd[0] if len(crd) == 1 else crd
        if c is None or (isinstance(c, tuple) and _has_none(c)):
            return self._slice(c)
        return self.swizzle(self.offset + self.layout(c))

    def _slice(self, c: Any) -> ComposedLayout:
        if isinstance(self.layout, Swizzle):
            raise no_shape(self)
        if isinstance(self.layout, ComposedLayout):
            return ComposedLayout(self.swizzle, self.offset, self.layout(c))
        fixed = dice_layout(c, self.layout)(_fixed(c)) if c is not None and _fixed(c) else 0
        return ComposedLayout(self.swizzle, self.offset + fixed, slice_layout(c, self.layout))

    def compose(self, *tiler: Any, unchecked: bool = False) -> Any:
        from .algebra import composition

        return composition(self, tiler[0] if len(tiler) == 1 else tiler, unchecked=unchecked)

    def with_shape(self, *shape: Any, unchecked: bool = False) -> Any:
        """`with_shape(self, shape)`."""
        from .algebra import with_shape

        return with_shape(self, shape[0] if len(shape) == 1 else shape, unchecked=unchecked)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ComposedLayout)
            and self.swizzle == other.swizzle
            and self.offset == other.offset
            and self.layout == other.layout
        )

    def __hash__(self) -> int:
        return hash((self.swizzle, self.offset, self.layout))

    def __str__(self) -> str:
        return f"{self.swizzle} o {show(self.offset)} o {self.layout}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.swizzle!r}, {self.offset!r}, {self.layout!r})"


def after(outer: Any, offset: Any, layout: Any) -> Any:
    """`outer o offset o layout`, CuTe's composition of three: the layout itself where the outer map is a
    swizzle of no bits and the offset is 0.
    """
    if isinstance(outer, Swizzle) and outer.b == 0 and is_zero(offset) and isinstance(layout, Layout):
        return layout
    return ComposedLayout(outer, offset, layout)


def is_zero(offset: Any) -> bool:
    """Whether the offset is the integer 0; a coordinate is not, nor is a parameter that may be something
    else."""
    return isinstance(offset, int) and offset == 0


def has_shape(x: Any) -> bool:
    """Whether a map has a domain of its own: not where its innermost map is a swizzle."""
    while isinstance(x, ComposedLayout):
        x = x.layout
    return not isinstance(x, Swizzle)


def no_shape(x: Any) -> UnsupportedError:
    """The error for questions about the shape of a map of all integers."""
    return UnsupportedError(
        f"{x} has no shape: its innermost map is a swizzle, which takes every integer\n"
        "  give it a domain first: composition(X, L) is X after the layout L; X(5) evaluates it as it is"
    )


_NOT_OFFSETS = (bool, float, complex, str, bytes, list, type(None))


def as_offset(offset: Any) -> Any:
    """An offset as it is kept: integers of any kind as ints, tuples and basis strides as coordinates."""
    if type(offset) is int:
        return offset
    if isinstance(offset, tuple):
        return ArithTuple(map(as_offset, offset))
    if isinstance(offset, _NOT_OFFSETS) or not hasattr(offset, "__add__"):
        raise LayoutError(f"ComposedLayout: the offset {offset!r} is not an integer or a coordinate")
    return index(offset) if isinstance(offset, Integral) else as_arith(offset)


def _fixed(c: Any) -> tuple[Any, ...]:
    """The entries of a coordinate that are not `None`, in one level, as `dice` lines up their modes."""
    if isinstance(c, tuple):
        return tuple([x for ci in c for x in _fixed(ci)])
    return () if c is None else (c,)
