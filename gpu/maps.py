"""Layouts evaluated on whole arrays of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from symlayout import ComposedLayout, Layout
from symlayout.inttuple import flatten_to_tuple

from .element import Array


def values(layout: Any, index: Any) -> Array:
    """`layout(i)` for every i of an integer array: a Layout, or a ComposedLayout of a swizzle and a
    layout."""
    index = np.asarray(index, dtype=np.int64)
    if isinstance(layout, ComposedLayout):
        return np.asarray(layout.swizzle(layout.offset + values(layout.layout, index)))
    total = np.zeros_like(index)
    modes = list(zip(flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride), strict=True))
    for s, d in modes[:-1]:
        total += index % s * d
        index = index // s
    return np.asarray(total + index * modes[-1][1])


def table(layout: Any) -> Array:
    """All values of a layout, in order."""
    return values(layout, np.arange(int(layout.size())))


def grid(layout: Any) -> Array:
    """[row, column] of a layout with two modes."""
    rows, columns = extent(layout)
    return np.asarray(table(layout).reshape(columns, rows).T)


def extent(layout: Any) -> tuple[int, int]:
    """Rows and columns of a layout with two modes."""
    rows, columns = (int(Layout(s).size()) for s in layout.shape)
    return rows, columns
