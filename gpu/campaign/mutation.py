"""What a mutation is: one thing that a kernel engineer gets wrong between shared memory and the mma.

A kind is a class; an instance is one mistake. It is drawn for a configuration (`draw`, None where it has no
meaning there), changes the tables that a machine is given (`tables`) and says, in words of its own, what a
prover is asked about (`asked`): changed maps, or a claim. None says whether it does harm: an address that no
matrix needs, a swizzle that is the identity on the tile, or warps that share an operand make many of them
harmless.

A choice between numbers is written with whole-number division, so that the same words serve a prover's
digits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from symlayout import Claim

from .base import Base, Maps, Tables

Pick = Callable[[int], int]  # a whole number below

_BEYOND = 1 << 14  # larger than every number that is compared


def at_least(x: Any, bound: int) -> Any:
    """1 where x >= bound, else 0."""
    return 1 + (x - bound) // _BEYOND


def is_(x: Any, n: int) -> Any:
    """1 where x = n, else 0."""
    return at_least(x, n) - at_least(x, n + 1)


def swapped(x: Any, p: int, q: int) -> Any:
    """x with p and q exchanged."""
    return x + (q - p) * is_(x, p) + (p - q) * is_(x, q)


@dataclass(frozen=True)
class Mutation(ABC):
    """Base of all. `title` names the kind in the campaign's table."""

    title: ClassVar[str]

    @classmethod
    @abstractmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        """One such mistake in a configuration, None where it has no meaning there."""

    @abstractmethod
    def tables(self, base: Base) -> Tables:
        """What a machine is given."""

    @abstractmethod
    def asked(self, base: Base) -> Maps | Claim:
        """What a prover is asked about."""

    def __str__(self) -> str:
        fields = ", ".join(f"{name} {value}" for name, value in vars(self).items())
        return f"{self.title}: {fields}" if fields else self.title


def two(n: int, pick: Pick) -> tuple[int, int] | None:
    """Two different numbers below n."""
    if n < 2:
        return None
    p, q = pick(n), pick(n - 1)
    return p, q + (q >= p)


def exchanged(a: Any, p: int, q: int) -> Any:
    """A copy of an array with two entries of its first axis exchanged."""
    result = a.copy()
    result[[p, q]] = a[[q, p]]
    return result
