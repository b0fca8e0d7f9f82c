"""Where do two chains of layouts first give different values? Decided exactly, without enumerating the
domain.

A chain is a tuple of maps, outermost first: `(A, B)` is `i -> A(B(i))`; a map is an integer Layout, a
Swizzle, or a ComposedLayout of these. A sum is a list of `(weight, chain)`. The question: the least i of `0
<= i < n` at which the sum is not 0, with `n` the product of the sizes that unroll i.

Method. A box is a set of indices `base + sum(a_t * step_t)` with `0 <= a_t < n_t`. Feed the index, as an
affine form in the a_t, through a chain: a layout takes `x mod S` and `x div S`, truncated towards zero as in
C++, and where x has one sign on the whole box, and base and steps, reduced mod S, sum up to values inside
0..S-1, both are affine forms again. If every step of every chain stays affine, the sum is an affine form, and
it vanishes on the box iff its base and all its steps are 0. Where a digit overflows, the box is cut at the
overflow (an axis that runs through whole periods of the digit is split into period and rest instead), so
every part is smaller, and in the end the parts are single points: the method always ends and is exact for all
layouts. Before a box is cut the corners at which it overflows are evaluated, since a carry nearly always
shows there.

Cost: one pass for a sum that needs no cut, which is the common case; the cuts that remain follow the number
of places where digits carry, not the size of the domain. The least index takes a binary search over boxes,
digit by digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any

from ..inttuple import flatten_to_tuple
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from ..truncation import split
from .coalesce import coalesce_extended

Form = tuple[int, list[int]]  # base and steps: the value at a is base + sum(a_t * steps_t)
Box = tuple[int, list[int], list[int]]  # base, steps and sizes of a set of indices
Chain = tuple[Any, ...]
Sum = Sequence[tuple[int, Chain]]


class _Carry(Exception):
    """A digit leaves 0..period-1 on the box; `start` and `digits` are its affine form, reduced. With period 0
    it is a number that has both signs there, and not reduced."""

    def __init__(self, period: int, start: int, digits: list[int]) -> None:
        self.period = period
        self.start = start
        self.digits = digits


class Digits:
    """A layout as this module reads it: the modes before the last as (size, stride), and the last stride."""

    __slots__ = ("last", "modes")

    def __init__(self, layout: Layout) -> None:
        sizes: Sequence[int] = flatten_to_tuple(layout.shape)
        strides: Sequence[int] = flatten_to_tuple(layout.stride)
        if min(sizes) > 0:  # as few digits as it can be written with
            sizes, strides = coalesce_extended(layout)
        self.modes = list(zip(sizes[:-1], strides[:-1], strict=True))
        self.last = strides[-1]

    def __call__(self, i: int) -> int:
        total = 0
        for s, d in self.modes:
            i, digit = divmod(i, s) if i >= 0 and s > 0 else split(i, s)
            total += digit * d
        return int(total + i * self.last)


SCANNED = 64  # a witness below this index is made the least by looking at all before it


def value(sum_: Sum, i: int) -> int:
    """The sum at one index."""
    total = 0
    for weight, chain in sum_:
        x = i
        for f in reversed(chain):
            x = f(x)
        total += weight * x
    return total


def least_index(sizes: Sequence[int], sum_: Sum) -> int | None:
    """The least i at which the sum is not 0, or None; i is unrolled by `sizes`, the first fastest."""
    sum_ = [(weight, tuple([in_digits(f) for f in chain])) for weight, chain in sum_]
    steps, n = [], 1
    for s in sizes:
        steps.append(n)
        n *= s
    if n < 1 or (found := _some_index((0, steps, list(sizes)), sum_)) is None:
        return None
    if found < SCANNED:
        return next((i for i in range(found) if value(sum_, i) != 0), found)
    base = 0
    for t in reversed(range(len(sizes))):
        # the least digit t, all greater digits being fixed and all lesser ones free
        low, high = 0, found // steps[t] % sizes[t]
        while low < high:
            middle = (low + high) // 2
            box = (base, steps[: t + 1], [*sizes[:t], middle + 1])
            nearer = _some_index(box, sum_)
            if nearer is None:
                low = middle + 1
            else:
                found = nearer
                high = (found - base) // steps[t]
        base += low * steps[t]
        if t and (found - base) // steps[t] != 0:
            found = _must((base, steps[:t], list(sizes[:t])), sum_)
    return base


def in_digits(f: Any) -> Any:
    """The same map as this module reads it; a chain that is asked about often is read once."""
    if isinstance(f, Layout):
        return Digits(f)
    if isinstance(f, ComposedLayout):
        return ComposedLayout._make(in_digits(f.swizzle), f.offset, in_digits(f.layout))
    return f


def _must(box: Box, sum_: Sum) -> int:
    found = _some_index(box, sum_)
    assert found is not None, "the binary search left a box without a witness"
    return found


def _some_index(box: Box, sum_: Sum) -> int | None:
    """Some index of the box at which the sum is not 0, or None if it vanishes on the box."""
    boxes = [box]
    while boxes:
        base, steps, sizes = boxes.pop()
        steps = [d for d, n in zip(steps, sizes, strict=True) if n > 1]
        sizes = [n for n in sizes if n > 1]
        try:
            start, slopes = _along(sum_, base, steps, sizes)
        except _Carry as carry:
            for i in _corners(carry, base, steps, sizes):
                if value(sum_, i) != 0:
                    return i
            boxes += reversed(_cut(carry, base, steps, sizes))
            continue
        if start != 0:
            return base
        for slope, step in zip(slopes, steps, strict=True):
            if slope != 0:
                return base + step
    return None


def _along(sum_: Sum, base: int, steps: list[int], sizes: list[int]) -> Form:
    """The sum as an affine form on the box. Raises _Carry."""
    start, slopes = 0, [0] * len(steps)
    for weight, chain in sum_:
        x: Form = base, steps
        for f in reversed(chain):
            x = _through(f, x, sizes)
        start += weight * x[0]
        slopes = [a + weight * b for a, b in zip(slopes, x[1], strict=True)]
    return start, slopes


def _through(f: Any, x: Form, sizes: list[int]) -> Form:
    if isinstance(f, Digits):
        return _through_digits(f, x, sizes)
    if isinstance(f, Swizzle):
        return _through_swizzle(f, x, sizes)
    start, slopes = _through(f.layout, x, sizes)
    return _through(f.swizzle, (start + f.offset, slopes), sizes)


def _through_digits(f: Digits, x: Form, sizes: list[int]) -> Form:
    if not f.modes:
        return f.last * x[0], [f.last * b for b in x[1]]
    start, slopes = 0, [0] * len(sizes)
    for s, d in f.modes:
        digit, x = _truncated(x, s, sizes)
        if d:
            start += d * digit[0]
            slopes = [a + d * b for a, b in zip(slopes, digit[1])]  # noqa: B905  hot, and of one length
    return start + f.last * x[0], [a + f.last * b for a, b in zip(slopes, x[1])]  # noqa: B905  so here


def _truncated(x: Form, s: int, sizes: list[int]) -> tuple[Form, Form]:
    """x % s and x / s of C++ as affine forms on the box. Raises _Carry."""
    low = high = x[0]
    for d, n in zip(x[1], sizes):  # noqa: B905  hot, and of one length
        if d > 0:
            high += d * (n - 1)
        else:
            low += d * (n - 1)
    if -abs(s) < low and high < abs(s):
        return x, (0, [0] * len(sizes))
    if low < 0 < high:
        raise _Carry(0, *x)
    digit, rest = _digit(x if low >= 0 else _negated(x), abs(s), sizes)
    return digit if low >= 0 else _negated(digit), rest if (low >= 0) == (s > 0) else _negated(rest)


def _negated(x: Form) -> Form:
    return -x[0], [-d for d in x[1]]


def _digit(x: Form, s: int, sizes: list[int]) -> tuple[Form, Form]:
    """x mod s and x div s, floored as Python does, as affine forms on the box. Raises _Carry.

    A step is reduced to the remainder of least magnitude, so that counting down is not a carry by itself.
    """
    quotient, start = divmod(x[0], s)
    low = high = start
    quotients, digits = [], []
    for d, n in zip(x[1], sizes):  # noqa: B905  hot, and of one length
        if 0 <= d + d <= s:
            q, r = 0, d
        else:
            q, r = divmod(d, s)
            if 2 * r > s:
                q, r = q + 1, r - s
        quotients.append(q)
        digits.append(r)
        if r > 0:
            high += r * (n - 1)
        else:
            low += r * (n - 1)
    if low < 0 or high >= s:
        raise _Carry(s, start, digits)
    return (start, digits), (quotient, quotients)


def _through_swizzle(f: Swizzle, x: Form, sizes: list[int]) -> Form:
    """x with its Z bits flipped by its Y bits: affine where, bit by bit, one of the two is the same on all
    the box.
    """
    if f.b == 0:
        return x
    _, rest = _digit(x, 1 << f.m, sizes)
    low: list[Form] = []
    high: list[Form] = []
    for bits, skipped in ((low, abs(f.s) - f.b), (high, 0)):
        for _ in range(f.b):
            bit, rest = _digit(rest, 2, sizes)
            bits.append(bit)
        if skipped:
            _, rest = _digit(rest, 1 << skipped, sizes)
    ys, zs, at = (high, low, f.m) if f.s > 0 else (low, high, f.m - f.s)
    start, slopes = x
    for k, (y, z) in enumerate(zip(ys, zs, strict=True)):
        weight = 1 << (at + k)
        if any(y[1]) and any(z[1]):
            raise _Carry(1, 0, y[1])  # both vary: cut where y turns
        if any(y[1]):  # y xor z - z is y where z = 0, and -y where z = 1
            sign = weight if z[0] == 0 else -weight
            start += sign * y[0]
            slopes = [a + sign * b for a, b in zip(slopes, y[1], strict=True)]
        elif y[0] == 1:  # (1 - z) - z
            start += weight * (1 - 2 * z[0])
            slopes = [a - 2 * weight * b for a, b in zip(slopes, z[1], strict=True)]
    return start, slopes


def _corners(carry: _Carry, base: int, steps: list[int], sizes: list[int]) -> list[int]:
    """Indices at which the digit overflows most, one way and the other."""
    up = down = base
    for step, n, r in zip(steps, sizes, carry.digits, strict=True):
        if r > 0:
            up += step * (n - 1)
        elif r < 0:
            down += step * (n - 1)
    return [up, down]


def _cut(carry: _Carry, base: int, steps: list[int], sizes: list[int]) -> list[Box]:
    """The box in smaller parts: the axis that moves the digit most is cut where it overflows."""
    s, digits = carry.period, carry.digits
    t = max(range(len(sizes)), key=lambda k: abs(digits[k]) * (sizes[k] - 1))
    step, n, r = steps[t], sizes[t], digits[t]
    period = s // gcd(r, s) if s else 0

    def part(first: int, *axes: tuple[int, int]) -> Box:
        axis_steps = [*steps[:t], *(d for d, _ in axes), *steps[t + 1 :]]
        axis_sizes = [*sizes[:t], *(m for _, m in axes), *sizes[t + 1 :]]
        return base + first * step, axis_steps, axis_sizes

    if 1 < period < n:
        turns = n // period
        parts = [part(0, (step, period), (step * period, turns))]
        if n % period:
            parts.append(part(turns * period, (step, n % period)))
        return parts
    if not s:
        first = _one_sign(carry.start, digits, sizes, t)
    elif r > 0 and carry.start + r * (n - 1) >= s:
        first = max(1, (s - 1 - carry.start) // r + 1)
    elif r < 0 and carry.start + r * (n - 1) < 0:
        first = carry.start // -r + 1
    else:
        first = n // 2
    return [part(0, (step, first)), part(first, (step, n - first))]


def _one_sign(start: int, steps: list[int], sizes: list[int], t: int) -> int:
    """Where to cut axis t, so that on one part a number of both signs has one sign, if that can be."""
    if steps[t] < 0:
        start, steps = -start, [-d for d in steps]
    others = [d * (m - 1) for k, (d, m) in enumerate(zip(steps, sizes, strict=True)) if k != t]
    r, n = steps[t], sizes[t]
    positive = -((start + sum(d for d in others if d < 0)) // r)  # from here on it is never below 0
    negative = -(start + sum(d for d in others if d > 0)) // r + 1  # before here it is never above 0
    return next((k for k in (positive, negative) if 0 < k < n), n // 2)
