"""Every pair of small layouts, decided by enumeration: numpy tables, nothing of symlayout.

A layout is a list of flat modes `(size, stride)`. For one B and many A at once: the values A(B(i)) are looked
up in a table, and every way to split B's modes into factors is tried. A layout with given flat sizes is fixed
by its values where its modes begin, so each way either reproduces the values or first fails at some index;
the largest such index over all ways is the least that no layout reaches.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .maps import Pair, flat, size, value

Modes = tuple[tuple[int, int], ...]
Table = NDArray[np.int64]


def layouts(rank: int, sizes: tuple[int, ...], strides: tuple[int, ...]) -> list[Modes]:
    """All layouts of that many flat modes."""
    return [tuple(modes) for modes in product(product(sizes, strides), repeat=rank)]


def values(modes: Modes, indices: Table) -> Table:
    """L(i); the last mode takes what is left, divisions truncate as in C++: L(-i) = -L(i)."""
    sign, indices = np.sign(indices), np.abs(indices)
    total = np.zeros_like(indices)
    for s, d in modes[:-1]:
        total += indices % s * d
        indices = indices // s
    total += indices * modes[-1][1]
    total *= sign
    return total


@cache
def factorings(n: int) -> list[tuple[int, ...]]:
    """All ordered products of factors above 1 that make n; (1,) for 1."""
    if n == 1:
        return [(1,)]
    found: list[tuple[int, ...]] = [(n,)]
    for first in range(2, n):
        if n % first == 0:
            found += [(first, *rest) for rest in factorings(n // first)]
    return found


def reached(rows: Table, sizes: tuple[int, ...]) -> Table:
    """For each row of values the least index that no layout refining `sizes` reaches; the row's length if one
    has them all."""
    n = rows.shape[1]
    best = np.zeros(len(rows), dtype=np.int64)
    for parts in product(*map(factorings, sizes)):
        flat = [s for factors in parts for s in factors]
        digits, begins, step = [], [], 1
        for s in flat:
            if s > 1:
                digits.append(np.arange(n) // step % s)
                begins.append(step)
            step *= s
        forced = rows[:, begins] @ np.array(digits, dtype=np.int64).reshape(len(begins), n)
        wrong = forced != rows
        first = np.where(wrong.any(axis=1), wrong.argmax(axis=1), n)
        best = np.maximum(best, first)
    return best


class Batch(NamedTuple):
    """One B with all A: row k holds the values of A k after B, and how far layouts reach."""

    b: Modes
    rows: Table
    reached: Table


def batches(lefts: list[Modes], rights: list[Modes]) -> Iterator[Batch]:
    spans = [values(b, np.arange(int(np.prod([s for s, _ in b])))) for b in rights]
    low = min(int(x.min()) for x in spans)
    high = max(int(x.max()) for x in spans)
    domain = np.arange(low, high + 1)
    tables = np.stack([values(a, domain) for a in lefts])
    for b, span in zip(rights, spans, strict=True):
        rows = tables[:, span - low]
        yield Batch(b, rows, reached(rows, tuple(s for s, _ in b)))


def decide(a: Pair, b: Pair) -> tuple[list[int], int]:
    """The values A(B(i)) of one pair of nested layouts, and the least index that no layout compatible with B
    reaches (their number if one has them all)."""
    row = [value(a, value(b, i)) for i in range(size(b[0]))]
    return row, int(reached(np.array([row], dtype=np.int64), tuple(flat(b[0])))[0])


def decide_coordinates(points: list[dict[tuple[int, ...], int]], sizes: tuple[int, ...]) -> int:
    """As `reached`, for one row of coordinates: a stride moves along one mode only."""
    n = len(points)
    axes = sorted({axis for point in points for axis in point})
    rows = np.array([[point.get(axis, 0) for point in points] for axis in axes], dtype=np.int64).reshape(
        -1, n
    )
    best = 0
    for parts in product(*map(factorings, sizes)):
        first, step = n, 1
        forced = np.zeros_like(rows)
        for s in [s for factors in parts for s in factors if s > 1]:
            if np.count_nonzero(rows[:, step]) > 1:
                first = min(first, step)
            forced += rows[:, step : step + 1] * (np.arange(n) // step % s)
            step *= s
        wrong = (forced != rows).any(axis=0)
        best = max(best, min(first, int(wrong.argmax()) if wrong.any() else n))
    return best
