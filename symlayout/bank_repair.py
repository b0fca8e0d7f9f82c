"""Tensors that may be better for the banks than one with conflicts: padded rows, and swizzles.

Both are guesses, made for rows that lie one after the other, `(64,64):(64,1)` or its transpose: a swizzle
that exchanges the 16-byte pieces of a row by the bits that count lines of 128 bytes (Sw<3,3,3> on half_t
and rows of 128 bytes or more, as cute/arch/mma_sm90 has it), and rows longer by one piece. Whoever offers
one proves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .inttuple import flatten_to_tuple, unflatten
from .layout import Layout
from .swizzle import ComposedLayout, Swizzle

LINE = 1024  # bits: all banks once
PIECE = 128  # bits: what a swizzle leaves together


def swizzled(tensor: Any, bits: int) -> Iterator[ComposedLayout]:
    """The tensor behind a swizzle (another one, if it has one already), for elements of so many bits."""
    tensor = _plain(tensor)
    row = _row(tensor)
    if row is None or row & (row - 1) or bits & (bits - 1) or bits > PIECE:
        return
    m = (PIECE // bits).bit_length() - 1
    line, pitch = (LINE // bits).bit_length() - 1, row.bit_length() - 1
    b = min(line, pitch) - m
    if b > 0:
        yield ComposedLayout(Swizzle(b, m, max(line, pitch) - m), 0, tensor)


def padded(tensor: Any, unit: int) -> Iterator[Layout]:
    """The tensor with longer rows, by `unit` elements at first, and without a swizzle."""
    tensor = _plain(tensor)
    row = _row(tensor)
    if row is None:
        return
    stride = flatten_to_tuple(tensor.stride)
    for more in (unit, 2 * unit, 4 * unit):
        longer = tuple([d + more if d == row else d for d in stride])
        yield Layout(tensor.shape, unflatten(longer, tensor.shape))


def _plain(tensor: Any) -> Any:
    """What a swizzle without an offset is around."""
    return tensor.layout if isinstance(tensor, ComposedLayout) and tensor.offset == 0 else tensor


def _row(tensor: Any) -> int | None:
    """The stride from row to row of a tensor of two modes, one of them contiguous; None for any other."""
    if not isinstance(tensor, Layout):
        return None
    strides = [
        d
        for s, d in zip(flatten_to_tuple(tensor.shape), flatten_to_tuple(tensor.stride), strict=True)
        if s > 1
    ]
    if len(strides) != 2 or min(strides) != 1 or max(strides) == 1:
        return None
    return int(max(strides))
