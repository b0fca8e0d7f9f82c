"""Random claims as plain data, their text, and their truth by counting: no import of symlayout, on purpose.

A layout is `Plain(sizes, strides, offset, swizzle)`; a claim is a word and one or two layouts. What is true
of it, and where it fails first, comes from walking its points.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from math import prod

KINDS = ("equal", "injective", "bijective", "disjoint")
SIZES = (1, 2, 2, 3, 4, 4, 5, 6, 8)
STRIDES = (-12, -4, -3, -2, -1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 9, 12, 16, 24, 32, 48, 64)
LARGEST = 96  # elements


@dataclass(frozen=True)
class Plain:
    """`swizzle(offset + sum of strides times digits)`; `swizzle` is (b, m, s)."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    swizzle: tuple[int, int, int] = (0, 0, 0)

    def values(self) -> list[int]:
        """Every value, the first digit fastest."""
        b, m, s = self.swizzle
        mask = ((1 << b) - 1) << (m + max(0, s))
        found = []
        for digits in product(*(range(n) for n in reversed(self.sizes))):
            x = self.offset + sum(c * d for c, d in zip(digits, reversed(self.strides), strict=True))
            found.append(x ^ ((x & mask) >> s if s >= 0 else (x & mask) << -s))
        return found

    def text(self) -> str:
        """As a Python expression over symlayout's names."""
        return layout_text(self.sizes, self.strides, self.offset, self.swizzle)


def layout_text(
    sizes: tuple[object, ...], strides: tuple[object, ...], offset: object, swizzle: tuple[int, int, int]
) -> str:
    inside = f"Layout({sizes}, {strides})" if len(sizes) != 1 else f"Layout({sizes[0]}, {strides[0]})"
    if str(offset) == "0" and swizzle == (0, 0, 0):
        return inside
    return f"ComposedLayout(Swizzle{swizzle}, {offset}, {inside})"


@dataclass(frozen=True)
class MadeUp:
    """A claim: `equal(a, b)`, `disjoint(a, b)`, `injective(a)` or `bijective(a)`."""

    kind: str
    layouts: tuple[Plain, ...]

    def text(self) -> str:
        return f"{self.kind}({', '.join(x.text() for x in self.layouts)})"

    def fails_first(self) -> dict[str, int] | None:
        """The least counterexample, None if the claim is true; `{}` when it is about sizes alone."""
        tables = [x.values() for x in self.layouts]
        if self.kind == "equal":
            a, b = tables
            if len(a) != len(b):
                return {}
            return next(({"i": i} for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y), None)
        if self.kind == "disjoint":
            a, b = tables
            return next(({"i": i, "j": b.index(x)} for i, x in enumerate(a) if x in b), None)
        (a,) = tables
        if self.kind == "bijective":
            outside = next(({"i": i} for i, x in enumerate(a) if not 0 <= x < len(a)), None)
            if outside is not None:
                return outside
        return next(
            (
                {"i": i, "j": j}
                for i, x in enumerate(a)
                if x in (rest := a[i + 1 :]) and (j := i + 1 + rest.index(x))
            ),
            None,
        )


def made_up(seed: int) -> MadeUp:
    """The claim with that number: half of them near the border between true and false."""
    rng = random.Random(seed)
    kind = rng.choice(KINDS)
    a = layout(rng)
    if kind not in ("equal", "disjoint"):
        return MadeUp(kind, (a,))
    b = relative(rng, a) if rng.random() < 0.7 else layout(rng)
    if kind == "disjoint" and rng.random() < 0.7:
        b = Plain(b.sizes, b.strides, b.offset + rng.choice((1, 2, 8, 16, 32, 64, 100, 256)), b.swizzle)
    return MadeUp(kind, (a, b))


def layout(rng: random.Random) -> Plain:
    """Compact in some order, powers of two, or anything; one in four swizzled."""
    way = rng.choice(("compact", "powers", "wild"))
    pool = (1, 2, 2, 4, 8) if way == "powers" else SIZES
    sizes: tuple[int, ...] = ()
    for _ in range(rng.randint(1, 4)):
        s = rng.choice(pool)
        if prod(sizes) * s <= LARGEST:
            sizes += (s,)
    sizes = sizes or (1,)
    if way == "compact":
        order = rng.sample(range(len(sizes)), len(sizes))
        steps, below = [0] * len(sizes), rng.choice((1, 1, 1, 2, 3, -1))
        for k in order:
            steps[k] = below
            below *= sizes[k]
        strides = tuple(steps)
    elif way == "powers":
        strides = tuple(rng.choice((0, 1, 2, 4, 8, 16, 32, 64, 5, 10)) for _ in sizes)
    else:
        strides = tuple(rng.choice(STRIDES) for _ in sizes)
    offset = rng.choice((0, 0, 0, 1, 3, 16, 64, 128, -5))
    swizzle = (0, 0, 0)
    if rng.random() < 0.25:
        b = rng.randint(0, 3)
        shift = b + rng.randint(0, 2)
        swizzle = (b, rng.randint(0, 3), rng.choice((shift, -shift)))
    if rng.random() < 0.5:
        offset = 0
    return Plain(sizes, strides, offset, swizzle)


def relative(rng: random.Random, a: Plain) -> Plain:
    """A layout that is like `a`: regrouped, and perhaps with one number changed."""
    sizes, strides = list(a.sizes), list(a.strides)
    for _ in range(rng.randint(0, 2)):  # split a mode in two
        k = rng.randrange(len(sizes))
        divisors = [d for d in range(2, sizes[k]) if sizes[k] % d == 0]
        if divisors:
            d = rng.choice(divisors)
            sizes[k : k + 1], strides[k : k + 1] = [d, sizes[k] // d], [strides[k], strides[k] * d]
    k = 0
    while k + 1 < len(sizes):  # merge what can be merged
        if sizes[k] * strides[k] == strides[k + 1] and rng.random() < 0.5:
            sizes[k : k + 2], strides[k : k + 2] = [sizes[k] * sizes[k + 1]], [strides[k]]
        else:
            k += 1
    offset, swizzle = a.offset, a.swizzle
    change = rng.choice(("none", "none", "stride", "swap", "offset", "swizzle"))
    if change == "stride":
        strides[rng.randrange(len(strides))] += rng.choice((-1, 1, 8))
    elif change == "swap" and len(strides) > 1:
        i, j = rng.sample(range(len(strides)), 2)
        strides[i], strides[j] = strides[j], strides[i]
    elif change == "offset":
        offset += rng.choice((1, 8, 64))
    elif change == "swizzle":
        swizzle = rng.choice(((0, 0, 0), (1, 0, 3), (2, 1, 2), (3, 3, 3), (2, 0, -2)))
    return Plain(tuple(sizes), tuple(strides), offset, swizzle)
