"""What the engines see of a layout: its flat modes, and the swizzle around it.

A digit counts through one mode. The index of a coordinate is `sum(weight_k * digit_k)` with the weights
`1, s_0, s_0*s_1, ...`, and the value is `swizzle(offset + sum(stride_k * digit_k))`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from ..inttuple import flatten_to_tuple
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle

IDENTITY = Swizzle(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Flat:
    """`swizzle(offset + sum of strides times digits)`, with plain integers throughout."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    swizzle: Swizzle = IDENTITY

    @property
    def size(self) -> int:
        return prod(self.sizes)

    @property
    def weights(self) -> tuple[int, ...]:
        return tuple(prod(self.sizes[:k]) for k in range(len(self.sizes)))

    @property
    def low(self) -> int:
        """The least value before the swizzle."""
        return self.offset + sum(min(0, d * (s - 1)) for s, d in zip(self.sizes, self.strides, strict=True))

    @property
    def high(self) -> int:
        """The greatest value before the swizzle."""
        return self.offset + sum(max(0, d * (s - 1)) for s, d in zip(self.sizes, self.strides, strict=True))

    @property
    def plain(self) -> bool:
        """Whether there is no swizzle to speak of."""
        return self.swizzle.b == 0


def flat(layout: Any) -> Flat | None:
    """The flat modes of a layout of plain integers, None for anything else (basis strides, symbols)."""
    offset, swizzle = 0, IDENTITY
    if isinstance(layout, ComposedLayout):
        offset, swizzle, layout = layout.offset, layout.swizzle, layout.layout
        if not isinstance(swizzle, Swizzle) or type(offset) is not int:
            return None
        swizzle = swizzle if swizzle.b else IDENTITY
    if not isinstance(layout, Layout):
        return None
    sizes, strides = flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride)
    if not all(type(x) is int for x in (*sizes, *strides)):
        return None
    return Flat(sizes, strides, offset, swizzle)


def inner(layout: Any) -> Layout:
    """The layout inside a swizzle."""
    found = layout.layout if isinstance(layout, ComposedLayout) else layout
    assert isinstance(found, Layout), "flat has seen to it"
    return found
