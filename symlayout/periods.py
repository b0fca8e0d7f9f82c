"""What repeats in a layout: sums of strides counted by their remainders, and where a value lies, unwalked.

A swizzle reads and changes bits below some 2^k alone, so that `S(x + 2^k * y) = S(x) + 2^k * y`: a layout
behind one repeats with the period 2^k, and a plain one with every period. Whatever depends on an offset
modulo the period alone is the same for all groups whose offsets leave one remainder. There are at most as
many remainders as the period is long, however many groups there are:

    kinds((1024, 2048), (2048, 8), 1024)      128 kinds of 2,097,152 sums

Each kind has its least index, so a walk over kinds in that order finds the least group of a sort, and how
many of its groups there are, so that it counts all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import gcd, prod
from typing import Any, NamedTuple

from .errors import UnsupportedError
from .inttuple import flatten_to_tuple
from .layout import Layout
from .swizzle import ComposedLayout, Swizzle

MOST_STEPS = 1 << 22  # of a count: no more than a walk over a tensor of two million elements takes
MOST_DESCENTS = 1 << 14  # digits that are tried for the place of one value


class Kind(NamedTuple):
    """The sums of one remainder: the least index that has it, and how many have."""

    least: int
    times: int


def period_of(layout: Any) -> int:
    """A power of two with which what is behind a layout's swizzles repeats: `f(x + P) = f(x) + P`. 1 for a
    plain layout, 0 where there is an outer map that is not a swizzle: then nothing is known to repeat."""
    if not isinstance(layout, ComposedLayout):
        return 1
    outer, below = layout.swizzle, period_of(layout.layout)
    if not isinstance(outer, Swizzle) or not below:
        return 0
    return max(below, 1 << (outer.m + abs(outer.s) + outer.b) if outer.b else 1)


def innermost(layout: Any) -> Any:
    """The layout behind all swizzles."""
    while isinstance(layout, ComposedLayout):
        layout = layout.layout
    return layout


def kinds(
    sizes: Sequence[int], strides: Sequence[int], period: int, most: int = MOST_STEPS
) -> dict[int, Kind]:
    """All sums `c_0*d_0 + c_1*d_1 + ...`, `0 <= c_k < s_k`, by their remainders modulo the period (by
    themselves for 0); an index counts the coordinates, the first mode the fastest.

    Raises UnsupportedError where there are more than `most` kinds, or it takes too long to tell them apart.
    """
    found = {0: Kind(0, 1)}
    weight = 1
    steps = 0
    for s, d in zip(sizes, strides, strict=True):
        turn = min(s, period // gcd(d, period) if period else s if d else 1)  # from here on they repeat
        steps += len(found) * turn
        if steps > MOST_STEPS:
            raise UnsupportedError(_entangled(sizes, strides, period, most))
        more: dict[int, Kind] = {}
        for c in range(turn):
            again = (s - c + turn - 1) // turn
            for remainder, kind in found.items():
                at = remainder + c * d
                at = at % period if period else at
                least, count = kind.least + c * weight, kind.times * again
                if (old := more.get(at)) is not None:
                    least, count = min(least, old.least), count + old.times
                more[at] = Kind(least, count)
        if len(more) > most:
            raise UnsupportedError(_entangled(sizes, strides, period, most))
        found = more
        weight *= s
    return found


def _entangled(sizes: Sequence[int], strides: Sequence[int], period: int, most: int) -> str:
    repeats = f"hardly repeat modulo {period}" if period else "are not known to repeat"
    return (
        f"{prod(sizes)} places of the strides {', '.join(map(str, strides))} {repeats}: at most {most} that "
        "differ are walked\n  give a smaller tensor: every tile is copied alike"
    )


def first_index(layout: Any, value: int) -> int | None:
    """The least index at which a layout, swizzled or not, has a value; None where there is none, or where the
    strides are so entangled that it would take long to tell.

    By descent from the slowest mode: what the faster ones can still add bounds each digit.
    """
    while isinstance(layout, ComposedLayout):
        if not isinstance(layout.swizzle, Swizzle):
            return None
        value = layout.swizzle(value) - layout.offset  # a swizzle is its own inverse
        layout = layout.layout
    if not isinstance(layout, Layout):
        return None
    sizes, strides = flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride)
    return _Descent(sizes, strides).index(value)


class _Descent:
    def __init__(self, sizes: Sequence[int], strides: Sequence[int]) -> None:
        spans = [(s - 1) * d for s, d in zip(sizes, strides, strict=True)]
        self.sizes, self.strides = sizes, strides
        self.least = list(accumulate((min(0, x) for x in spans), initial=0))
        self.most = list(accumulate((max(0, x) for x in spans), initial=0))
        self.divisor = list(accumulate(strides, gcd, initial=0))
        self.weights = list(accumulate(sizes, lambda a, b: a * b, initial=1))
        self.steps = 0

    def index(self, value: int) -> int | None:
        return self._below(len(self.sizes), value)

    def _below(self, n: int, value: int) -> int | None:
        """The least index, in the first n modes, of a value."""
        if not self.least[n] <= value <= self.most[n]:
            return None
        if n == 0:
            return 0
        if self.divisor[n] and value % self.divisor[n]:
            return None
        d = self.strides[n - 1]
        for c in self._digits(n, value):
            self.steps += 1
            if self.steps > MOST_DESCENTS:
                return None
            rest = self._below(n - 1, value - c * d)
            if rest is not None:
                return rest + c * self.weights[n - 1]
        return None

    def _digits(self, n: int, value: int) -> range:
        """The digits of mode n-1 that leave what the faster modes can make up."""
        s, d = self.sizes[n - 1], self.strides[n - 1]
        if d == 0:
            return range(1)
        low, high = value - self.most[n - 1], value - self.least[n - 1]  # of c*d
        if d < 0:
            low, high, d = -high, -low, -d
        first, last = -(-low // d), high // d
        return range(max(0, first), min(s - 1, last) + 1)
