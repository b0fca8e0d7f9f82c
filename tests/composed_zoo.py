"""Composed layouts of every kind that the package makes or takes: nested, with offsets, of any maps."""

from __future__ import annotations

from typing import Any

from symlayout import ArithTuple, ComposedLayout, Layout, Swizzle, dims, make_identity_layout

S, T, NEGATIVE, NONE = Swizzle(2, 0, 3), Swizzle(1, 2, 2), Swizzle(2, 0, -3), Swizzle(0, 4, 3)
ROWS, COLUMNS, GAPS = Layout((8, 8), (8, 1)), Layout((8, 8), (1, 8)), Layout((4, 2), (1, 16))
K = dims("K")

ZOO: list[Any] = [
    S,
    NEGATIVE,
    NONE,
    Swizzle(3, 4, 3),
    ComposedLayout(S, 0, ROWS),
    ComposedLayout(S, 8, COLUMNS),
    ComposedLayout(S, -8, COLUMNS),
    ComposedLayout(S, 5, Layout(64, 1)),
    ComposedLayout(NEGATIVE, 0, ROWS),
    ComposedLayout(Swizzle(2, 2, -3), 8, Layout((8, 4), (64, -2))),
    ComposedLayout(NONE, 0, ROWS),
    ComposedLayout(NONE, 3, ROWS),
    ComposedLayout(S, 0, Layout((3, 5), (5, 1))),
    ComposedLayout(S, 0, Layout(((2, 4), 8), ((8, 16), 1))),
    ComposedLayout(S, 0, Layout((8, 8), (0, 1))),
    ComposedLayout(S, 0, Layout((8,), (1,))),
    ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64), (64, 1))),
    ComposedLayout(S, 0, ComposedLayout(T, 0, COLUMNS)),
    ComposedLayout(S, 4, ComposedLayout(T, -8, ROWS)),
    ComposedLayout(S, 0, ComposedLayout(T, 1, ComposedLayout(NEGATIVE, 2, COLUMNS))),
    ComposedLayout(ComposedLayout(S, 4, Layout(64, 1)), -4, ROWS),
    ComposedLayout(Layout(64, 1), -8, S),
    ComposedLayout(COLUMNS, 0, S),
    ComposedLayout(S, 4, ComposedLayout(Layout(64, 1), -8, T)),
    ComposedLayout(S, 3, T),
    ComposedLayout(ROWS, 0, COLUMNS),
    ComposedLayout(ROWS, 3, Layout((2, 2), (1, 16))),
    ComposedLayout(GAPS, 0, ComposedLayout(S, 0, ROWS)),
    ComposedLayout(Layout(8, 0), 0, ROWS),
    ComposedLayout(Layout((4, 8), (8, 1)), ArithTuple((1, 2)), make_identity_layout((2, 4))),
    ComposedLayout(Layout((4, 8), (8, 1)), ArithTuple((0, 0)), make_identity_layout((4, 8))),
    ComposedLayout(make_identity_layout((8, 8)), 0, COLUMNS),
    ComposedLayout(S, 8 * K, Layout((8, K), (1, 8))),
]
