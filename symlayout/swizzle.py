"""Swizzle: an involution on offsets that xors one group of bits into another; ComposedLayout: swizzle after
layout.

    Swizzle(B, M, S), S > 0:   0bxxxYYxxZZxxx  ->  0bxxxYYxxAAxxx,   AA = ZZ xor YY

B bits are taken, the low M bits are left alone, and S is the distance from Z up to Y (negative: Y lies
below Z). Offsets are counted in elements. `Swizzle(3, 3, 3)` on half_t makes the 8x64 tile that ldmatrix
reads without bank conflicts.

Source: cute/swizzle.hpp, cute/swizzle_layout.hpp, cute/layout_composed.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from typing import Any

from .errors import LayoutError
from .integers import counts, is_integer, plain
from .layout import Layout, _has_none, dice_layout, slice_layout


def _whole(x: Any) -> int:
    """An integer of any kind as an int."""
    if not is_integer(x):
        raise LayoutError(f"Swizzle: {x!r} is no integer")
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
        """The swizzled offset; anything with `& ^ >> <<` will do."""
        if type(offset) is not int:
            offset = plain(offset)
        if self.b == 0:
            return offset
        try:
            y = offset & self.yyy_mask
            return offset ^ (y >> self.s if self.s >= 0 else y << -self.s)
        except TypeError:
            raise LayoutError(f"{self}: {offset!r} is not an integer") from None

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
            f"make_swizzle: no Swizzle reads bits {y:#b} and changes bits {z:#b}: they are no runs"
        )
    return result


class ComposedLayout:
    """`swizzle o offset o layout`: the value at c is `swizzle(offset + layout(c))`."""

    __slots__ = ("layout", "offset", "swizzle")

    swizzle: Any
    offset: Any
    layout: Any

    def __init__(self, swizzle: Any, offset: Any, layout: Any) -> None:
        if type(offset) is not int:
            offset = plain(offset)
            if not (counts(offset) or isinstance(offset, tuple)):
                raise LayoutError(f"ComposedLayout: the offset {offset!r} is not an integer")
        if not isinstance(swizzle, _OUTER):
            raise LayoutError(f"ComposedLayout: {swizzle!r} is not a swizzle or a layout")
        if not isinstance(layout, (Layout, ComposedLayout)):
            raise LayoutError(f"ComposedLayout: {layout!r} is not a layout")
        for name, value in (("swizzle", swizzle), ("offset", offset), ("layout", layout)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ComposedLayout does not change; {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return (ComposedLayout, (self.swizzle, self.offset, self.layout))

    @property
    def shape(self) -> Any:
        return self.layout.shape

    def size(self) -> Any:
        return self.layout.size()

    def cosize(self) -> Any:
        return self.layout.cosize()

    def rank(self) -> int:
        return int(self.layout.rank())

    def depth(self) -> int:
        return int(self.layout.depth())

    def __len__(self) -> int:
        return len(self.layout)

    def __getitem__(self, i: int | tuple[int, ...]) -> Any:
        return self.with_layout(self.layout[i])

    def with_layout(self, layout: Any) -> Any:
        """The same swizzle and offset over another layout; plain when the swizzle takes no bits and the
        offset is 0.
        """
        if isinstance(self.swizzle, Swizzle) and self.swizzle.b == 0 and self.offset == 0:
            return layout
        return ComposedLayout(self.swizzle, self.offset, layout)

    def __call__(self, *crd: Any) -> Any:
        """The value at a coordinate; a coordinate with `None` slices, and the offset takes up what was
        fixed.
        """
        c = crd[0] if len(crd) == 1 else crd
        if c is None or (isinstance(c, tuple) and _has_none(c)):
            fixed = dice_layout(c, self.layout)(_fixed(c)) if c is not None and _fixed(c) else 0
            return ComposedLayout(self.swizzle, self.offset + fixed, slice_layout(c, self.layout))
        return self.swizzle(self.offset + self.layout(c))

    def compose(self, *tiler: Any, unchecked: bool = False) -> Any:
        from .algebra import composition

        return composition(self, tiler[0] if len(tiler) == 1 else tiler, unchecked=unchecked)

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
        return f"{self.swizzle} o {self.offset} o {self.layout}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.swizzle!r}, {self.offset!r}, {self.layout!r})"


_OUTER = (Swizzle, Layout, ComposedLayout)


def _fixed(c: Any) -> tuple[Any, ...]:
    """The entries of a coordinate that are not `None`, in one level, as `dice` lines up their modes."""
    if isinstance(c, tuple):
        return tuple([x for ci in c for x in _fixed(ci)])
    return () if c is None else (c,)
