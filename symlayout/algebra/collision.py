"""The least index at which a layout repeats a value: injectivity decided exactly, without enumerating the
domain.

`L(p) = L(q)` with `p > q` is `sum(u_t * d_t) = 0` for the digit differences `u_t = p_t - q_t`, each in an
interval. Such an equation is searched from the largest stride down; what the lesser strides can still
reach, and the greatest common divisor of them, bounds the next u_t from both sides and fixes it modulo a
period, so that the last two strides need no search at all. The least p is found digit by digit, the
greatest first, by binary search over the intervals.
"""

from __future__ import annotations

from math import gcd

from ..inttuple import flatten_to_tuple
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


def _least(sizes: list[int], strides: list[int], u: list[Interval]) -> tuple[int, int]:
    p = [0] * len(strides)
    for t in reversed(range(len(strides))):
        m = sizes[t] - 1
        lowest, low, high = u[t][0], max(u[t][0], 0), m
        while low < high:  # p_t <= middle means u_t <= middle
            middle = (low + high) // 2
            u[t] = (lowest, middle)
            if _solve(strides, u, 0) is None:
                low = middle + 1
            else:
                high = middle
        p[t] = low
        # the top digit of the least p is the least possible difference, so q has 0 there
        u[t] = (low, low) if lowest > 0 else (low - m, low)
    differences = _solve(strides, u, 0)
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
