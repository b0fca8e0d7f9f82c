"""The least index at which a layout repeats a value: injectivity decided exactly, without enumerating the
domain.

`L(p) = L(q)` with `p > q` is `sum(u_t * d_t) = 0` for the digit differences `u_t = p_t - q_t`, each in an
interval. Such an equation is searched from the largest stride down; what the lesser strides can still
reach, and the greatest common divisor of them, bounds the next u_t from both sides and fixes it modulo a
period, so that the last two strides need no search at all. The least p is found digit by digit, the
greatest first, by binary search over the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any

from ..inttuple import flatten_to_tuple, unflatten
from ..layout import Layout

Interval = tuple[int, int]


def least_repeat(layout: Layout) -> tuple[int, int] | None:
    """The least i whose value was there before, and an earlier index with that value; None if injective."""
    sizes, strides = [], []
    for s, d in zip(flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride), strict=True):
        if s > 1:
            sizes.append(s)
            strides.append(d)
    if _nested(sizes, strides):
        return None
    last = [s - 1 for s in sizes]
    for top in range(len(sizes)):
        # p and q agree above digit `top`, and p is the greater there
        u = [(-m, m) for m in last[:top]] + [(1, last[top])]
        if _solve(strides[: top + 1], u, 0) is not None:
            return _least(sizes, strides[: top + 1], u)
    return None


def repeats(layout: Layout) -> bool:
    """Whether the layout has some value twice."""
    modes = zip(flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride), strict=True)
    return any(s > 1 and d == 0 for s, d in modes) or least_repeat(layout) is not None


def _nested(sizes: list[int], strides: list[int]) -> bool:
    """Whether every stride steps over all that the lesser ones reach: enough for injectivity, not needed."""
    reach = 0
    for d, s in sorted([(abs(d), s) for d, s in zip(strides, sizes, strict=True)]):
        if d <= reach:
            return False
        reach += d * (s - 1)
    return True


def refined(x: Layout, r: Layout) -> Layout:
    """x with its modes split as those of r, which is compatible with it: the same function."""

    def strides(s: Any, d: Any, parts: Any) -> Any:
        if isinstance(s, tuple):
            return tuple([strides(*three) for three in zip(s, d, parts, strict=True)])
        found = []
        for n in flatten_to_tuple(parts):
            found.append(d)
            d *= n
        return unflatten(tuple(found), parts)

    return Layout._make(r.shape, strides(x.shape, x.stride, r.shape))


def shared_copies(block: Layout, tiler: Layout, copies: Layout) -> tuple[int, int] | None:
    """The least i whose copy of the block, at `copies(i)`, shares an offset with the copy of an earlier j,
    where the tiler has another value at j; None if there is none. `tiler` has the shape of `copies`.

    Two equations, `sum(u_t * copies_t) + sum(v_k * block_k) = 0` and `sum(u_t * tiler_t) = n` with n not 0,
    become one by adding the second times a weight that the first cannot reach.
    """
    sizes = list(flatten_to_tuple(copies.shape))
    steps, values = flatten_to_tuple(copies.stride), flatten_to_tuple(tiler.stride)
    own = [
        (s, d)
        for s, d in zip(flatten_to_tuple(block.shape), flatten_to_tuple(block.stride), strict=True)
        if s > 1 and d != 0
    ]
    weight = block.cosize() + copies.cosize()
    furthest = tiler.cosize()
    strides = [r + weight * t for r, t in zip(steps, values, strict=True)]
    beside = [d for _, d in own] + [-weight]
    found = []
    for ends in ((1, furthest), (-furthest, -1)):
        free = [(1 - s, s - 1) for s, _ in own] + [ends]
        for top in range(len(sizes)):
            u = [(1 - s, s - 1) for s in sizes[:top]] + [(1, sizes[top] - 1)]
            if sizes[top] > 1 and _solve(strides[: top + 1] + beside, u + free, 0) is not None:
                found.append(_least(sizes, strides[: top + 1], u, beside, free))
                break
    return min(found, default=None)


def _least(
    sizes: list[int],
    strides: list[int],
    u: list[Interval],
    beside: Sequence[int] = (),
    free: Sequence[Interval] = (),
) -> tuple[int, int]:
    """The least i, with a j before it, whose digits differ by a solution; `beside` are strides of differences
    that belong to no digit of i, `free` their intervals."""

    def solve() -> list[int] | None:
        return _solve([*strides, *beside], [*u, *free], 0)

    p = [0] * len(strides)
    for t in reversed(range(len(strides))):
        m = sizes[t] - 1
        lowest, low, high = u[t][0], max(u[t][0], 0), m
        while low < high:  # p_t <= middle means u_t <= middle
            middle = (low + high) // 2
            u[t] = (lowest, middle)
            if solve() is None:
                low = middle + 1
            else:
                high = middle
        p[t] = low
        # the top digit of the least p is the least possible difference, so q has 0 there
        u[t] = (low, low) if lowest > 0 else (low - m, low)
    differences = solve()
    assert differences is not None, "the binary search lost its solution"
    i = j = 0
    step = 1
    for t, n in enumerate(sizes[: len(strides)]):
        i += p[t] * step
        j += (p[t] - differences[t]) * step
        step *= n
    return i, j


def _solve(strides: list[int], u: list[Interval], target: int) -> list[int] | None:
    """Some values in the intervals with `sum(u_t * d_t) = target`, or None."""
    order = sorted(range(len(strides)), key=lambda t: -abs(strides[t]))
    # what the strides from position k on can reach, and their common divisor
    low, high, common = [0], [0], [0]
    for t in reversed(order):
        ends = sorted((strides[t] * u[t][0], strides[t] * u[t][1]))
        low.append(low[-1] + ends[0])
        high.append(high[-1] + ends[1])
        common.append(gcd(common[-1], strides[t]))
    low.reverse()
    high.reverse()
    common.reverse()
    found = [0] * len(strides)

    def search(k: int, rest: int) -> bool:
        if k == len(order):
            return rest == 0
        t = order[k]
        d, (first, last) = strides[t], u[t]
        if d == 0:  # and so are all that follow
            for j in order[k:]:
                found[j] = u[j][0]
            return rest == 0
        # rest - x*d must lie in low[k+1]..high[k+1] and be a multiple of common[k+1]
        ends = (rest - high[k + 1], rest - low[k + 1])
        if d < 0:
            ends = (-ends[1], -ends[0])
        size = abs(d)
        first, last = max(first, -(-ends[0] // size)), min(last, ends[1] // size)
        g = common[k + 1]
        step = 1
        if g:
            shared = gcd(d, g)
            if rest % shared:
                return False
            step = g // shared
            x0 = rest // shared * pow(d // shared, -1, step) % step if step > 1 else 0
            first += (x0 - first) % step
        for x in range(first, last + 1, step):
            found[t] = x
            if search(k + 1, rest - x * d):
                return True
        return False

    return found if search(0, target) else None
