"""Random claims over parameters N and K as plain data; at values of N and K each is a claim of made_up.py.

No import of symlayout, on purpose: sizes, strides and offsets are polynomials of its own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .made_up import KINDS, MadeUp, Plain, layout_text

Values = dict[str, int]
LARGEST = 400  # elements of a layout that is counted
GREATEST = 6  # value of a parameter at a random instance


@dataclass(frozen=True)
class Poly:
    """The sum of c * N**n * K**k over the terms ((n, k), c), none of which has c = 0."""

    terms: tuple[tuple[tuple[int, int], int], ...]

    @staticmethod
    def of(found: dict[tuple[int, int], int]) -> Poly:
        return Poly(tuple(sorted(((m, c) for m, c in found.items() if c), reverse=True)))

    def __add__(self, other: Poly) -> Poly:
        found = dict(self.terms)
        for m, c in other.terms:
            found[m] = found.get(m, 0) + c
        return Poly.of(found)

    def __mul__(self, other: Poly) -> Poly:
        found: dict[tuple[int, int], int] = {}
        for (n, k), c in self.terms:
            for (p, q), d in other.terms:
                found[n + p, k + q] = found.get((n + p, k + q), 0) + c * d
        return Poly.of(found)

    def at(self, values: Values) -> int:
        return sum(c * values["N"] ** n * values["K"] ** k for (n, k), c in self.terms)

    def __repr__(self) -> str:
        """As Python over N and K."""
        return " + ".join("*".join([str(c), *"N" * n, *"K" * k]) for (n, k), c in self.terms) or "0"


def number(c: int) -> Poly:
    return Poly.of({(0, 0): c})


N, K = Poly((((1, 0), 1),)), Poly((((0, 1), 1),))
ZERO, ONE, TWO, FOUR, MINUS = map(number, (0, 1, 2, 4, -1))
# each size with a way to split it in two
SPLITS = {TWO * N: (TWO, N), FOUR * K: (K, FOUR), N * K: (N, K), FOUR: (TWO, TWO), TWO * K * N: (K, TWO * N)}
SIZES = (ONE, TWO, number(3), FOUR, N, N, K, K, *SPLITS, N + ONE)
STRIDES = (
    *(number(c) for c in (-2, -1, 0, 0, 1, 1, 2, 3, 4, 8)),
    *(N, K, TWO * N, FOUR * K, N * K, N + ONE, TWO * N * K, MINUS * K, MINUS * N, N * N),
)
OFFSETS = (ONE, N, K, N * K, TWO * N * K, FOUR * N * K, MINUS)


@dataclass(frozen=True)
class PlainOver:
    """A layout like `Plain`, of polynomials."""

    sizes: tuple[Poly, ...]
    strides: tuple[Poly, ...]
    offset: Poly = ZERO
    swizzle: tuple[int, int, int] = (0, 0, 0)

    def at(self, values: Values) -> Plain:
        sizes = tuple(s.at(values) for s in self.sizes)
        return Plain(sizes, tuple(d.at(values) for d in self.strides), self.offset.at(values), self.swizzle)

    def size(self) -> Poly:
        total = ONE
        for s in self.sizes:
            total *= s
        return total

    def text(self) -> str:
        return layout_text(self.sizes, self.strides, self.offset, self.swizzle)


@dataclass(frozen=True)
class OverParameters:
    """A claim of the same words as `MadeUp`, for all N >= 1 and K >= 1."""

    kind: str
    layouts: tuple[PlainOver, ...]
    instances: tuple[tuple[int, int], ...]  # values of (N, K) at which a proof is held against the count

    def text(self) -> str:
        return f"{self.kind}({', '.join(x.text() for x in self.layouts)})"

    def at(self, values: Values) -> MadeUp:
        return MadeUp(self.kind, tuple(x.at(values) for x in self.layouts))

    def fails_somewhere(self) -> tuple[Values, dict[str, int]] | None:
        """The first of the instances with a counterexample, and the least there."""
        for n, k in self.instances:
            values = {"N": n, "K": k}
            if any(x.size().at(values) > LARGEST for x in self.layouts):
                continue
            truth = self.at(values).fails_first()
            if truth is not None:
                return values, truth
        return None


def over_parameters(seed: int) -> OverParameters:
    """The claim over parameters with that number."""
    rng = random.Random(seed)
    kind = rng.choice(KINDS)
    a = _layout(rng, tight=kind == "bijective" and rng.random() < 0.5)
    layouts: tuple[PlainOver, ...] = (a,)
    if kind in ("equal", "disjoint"):
        b = _relative(rng, a) if rng.random() < 0.8 else _layout(rng)
        if kind == "disjoint":
            b = PlainOver(b.sizes, b.strides, b.offset + rng.choice(OFFSETS), b.swizzle)
        layouts = (a, b)
    corners = ((1, 1), (1, 2), (2, 1))
    others = tuple((rng.randint(1, GREATEST), rng.randint(1, GREATEST)) for _ in range(5))
    return OverParameters(kind, layouts, (*corners, (1, rng.randint(3, 9)), (rng.randint(3, 9), 1), *others))


def _layout(rng: random.Random, tight: bool = False) -> PlainOver:
    """Compact in some order, perhaps padded, or anything; `tight` has no padding."""
    sizes = tuple(rng.choice(SIZES) for _ in range(rng.randint(1, 3)))
    strides = [rng.choice(STRIDES) for _ in sizes]
    if tight or rng.random() < 0.7:
        step = ONE if tight else rng.choice((ONE, ONE, ONE, TWO, N, MINUS))
        for k in rng.sample(range(len(sizes)), len(sizes)):
            strides[k] = step
            step = step * sizes[k] + (ZERO if tight else rng.choice((*[ZERO] * 5, ONE)))
    offset = rng.choice(OFFSETS) if rng.random() < 0.15 else ZERO
    swizzle = rng.choice(((1, 0, 3), (2, 0, 2), (2, 1, -2))) if rng.random() < 0.1 else (0, 0, 0)
    return PlainOver(sizes, tuple(strides), offset, swizzle)


def _relative(rng: random.Random, a: PlainOver) -> PlainOver:
    """The same layout in other modes, and perhaps with one number changed."""
    sizes, strides = list(a.sizes), list(a.strides)
    k = rng.randrange(len(sizes))
    if sizes[k] in SPLITS:
        low, high = SPLITS[sizes[k]]
        sizes[k : k + 1], strides[k : k + 1] = [low, high], [strides[k], strides[k] * low]
    k = 0
    while k + 1 < len(sizes):
        if sizes[k] * strides[k] == strides[k + 1] and rng.random() < 0.6:
            sizes[k : k + 2], strides[k : k + 2] = [sizes[k] * sizes[k + 1]], [strides[k]]
        else:
            k += 1
    change = rng.choice(("none", "none", "none", "stride", "swap", "size"))
    k = rng.randrange(len(sizes))
    if change == "stride":
        strides[k] += rng.choice((ONE, MINUS, N))
    elif change == "size":
        sizes[k] = rng.choice(SIZES)
    elif change == "swap":
        sizes.reverse()
        strides.reverse()
    return PlainOver(tuple(sizes), tuple(strides), a.offset, a.swizzle)
