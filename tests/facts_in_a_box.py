"""Random facts and claims over parameters K, N, M as plain data, decided by trying every point of a box.

No import of symlayout, on purpose: facts and layouts are texts for it, and predicates of their own here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

NAMES = ("K", "N", "M")
Point = dict[str, int]


@dataclass(frozen=True)
class BoxFact:
    """A fact as text, and whether a point meets it."""

    text: str
    holds: Callable[[Point], bool]


@dataclass(frozen=True)
class Term:
    """`c * the product of the names`, summed up."""

    parts: tuple[tuple[int, tuple[str, ...]], ...]

    def at(self, point: Point) -> int:
        total = 0
        for c, names in self.parts:
            for name in names:
                c *= point[name]
            total += c
        return total

    def __str__(self) -> str:
        return " + ".join("*".join([str(c), *names]) for c, names in self.parts)


def term(rng: random.Random, degree: int = 2, most: int = 4) -> Term:
    """A small polynomial with at least one name in it."""
    parts: list[tuple[int, tuple[str, ...]]] = [(rng.randint(1, most), (rng.choice(NAMES),))]
    if rng.random() < 0.4:
        names = tuple(sorted(rng.choice(NAMES) for _ in range(rng.randint(1, degree))))
        parts.append((rng.choice((-2, -1, 1, 1, 2)), names))
    if rng.random() < 0.4:
        parts.append((rng.randint(-3, 5), ()))
    return Term(tuple(parts))


def fact(rng: random.Random) -> BoxFact:
    kind = rng.random()
    if kind < 0.25:
        name, n = rng.choice(NAMES), rng.choice((2, 2, 3, 4, 6, 8))
        r = rng.choice((0, 0, rng.randrange(n)))
        return BoxFact(f"{name} % {n} == {r}", lambda p: p[name] % n == r)
    if kind < 0.5:
        name, c = rng.choice(NAMES), rng.randint(1, 9)
        if rng.random() < 0.5:
            return BoxFact(f"{name} <= {c}", lambda p: p[name] <= c)
        return BoxFact(f"{name} >= {c}", lambda p: p[name] >= c)
    a, b = term(rng), term(rng)
    if kind < 0.75:
        if rng.random() < 0.5:
            return BoxFact(f"{a} <= {b}", lambda p: a.at(p) <= b.at(p))
        return BoxFact(f"{a} > {b}", lambda p: a.at(p) > b.at(p))
    if kind < 0.82:
        n = rng.choice((2, 3, 4, 6))
        return BoxFact(f"{n} | {a}", lambda p: a.at(p) % n == 0)
    if kind < 0.9:
        name, other = rng.sample(NAMES, 2)
        return BoxFact(f"{name} % {other} == 0", lambda p: p[name] % p[other] == 0)
    return BoxFact(f"{a} == {b}", lambda p: a.at(p) == b.at(p))


def facts(rng: random.Random, most: int = 5) -> list[BoxFact]:
    return [fact(rng) for _ in range(rng.randint(1, most))]


def points(size: int) -> Iterator[Point]:
    for values in product(range(1, size + 1), repeat=len(NAMES)):
        yield dict(zip(NAMES, values, strict=True))


@dataclass(frozen=True)
class BoxClaim:
    """A claim about `(s, t):(d, e)`, whose numbers are names or integers, and whether it holds at a point."""

    kind: str
    sizes: tuple[int | str, int | str]
    strides: tuple[int | str, int | str]
    bound: int | str

    def at(self, point: Point) -> bool:
        s, t, d, e, n = (
            x if isinstance(x, int) else point[x] for x in (*self.sizes, *self.strides, self.bound)
        )
        values = [i * d + j * e for j in range(t) for i in range(s)]
        if self.kind == "injective":
            return len(set(values)) == len(values)
        if self.kind == "within":
            return all(0 <= x < n for x in values)
        if self.kind == "aligned":
            return all(x % 2 == 0 for x in values)
        return sorted(values) == list(range(s * t))


def claim(rng: random.Random) -> BoxClaim:
    def number(integers: tuple[int, ...]) -> int | str:
        return rng.choice(NAMES) if rng.random() < 0.6 else rng.choice(integers)

    kind = rng.choice(("injective", "injective", "within", "aligned", "bijective"))
    sizes = number((1, 2, 3, 4)), number((1, 2, 3, 4))
    return BoxClaim(kind, sizes, (number((0, 1, 1, 2)), number((1, 2, 4))), number((4, 8, 16)))
