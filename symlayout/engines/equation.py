"""One linear equation in bounded unknowns: `sum(d_k * x_k) = target`, each x_k in a box of its own.

Two ways to tell whether it has a solution, both exact: a descent from the greatest coefficient, quick where
the coefficients nest, and meeting in the middle, which does not care but needs room for half of the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import gcd, prod

from ..errors import SymlayoutError

MOST_STEPS = 20_000  # of a descent
MOST_SUMS = 1 << 20  # of one half

Range = tuple[int, int]  # both ends included
Term = tuple[int, int]  # coefficient above 0, and the greatest value of an unknown that starts at 0


class TooMany(SymlayoutError):
    """The question takes more steps, or more room, than is allowed."""


class Equation:
    """By descent: what the smaller coefficients can still make up for, and their common divisor, leave few
    values for each unknown. Where coefficients nest there are one or two; else it is given up after
    `MOST_STEPS` steps."""

    def __init__(self, coefficients: Sequence[int], target: int = 0) -> None:
        self.coefficients = tuple(coefficients)
        self.target = target
        self.steps = 0

    def solvable(self, boxes: Sequence[Range]) -> bool:
        """Whether there is a solution in the boxes. Raises TooMany when it takes too long to tell."""
        merged: dict[int, int] = {}  # d*x - d*y is one unknown whose range is the sum of both
        target = self.target
        for d, (lo, hi) in zip(self.coefficients, boxes, strict=True):
            if lo > hi:
                return False
            if d == 0:
                continue
            merged[abs(d)] = merged.get(abs(d), 0) + hi - lo
            target -= d * (lo if d > 0 else hi)
        return self.decide(sorted((d, most) for d, most in merged.items() if most), target)

    def decide(self, terms: list[Term], target: int) -> bool:
        """The same for unknowns that start at 0, coefficients ascending and above 0."""
        self.steps = 0
        self._terms = terms
        self._reach = list(accumulate((d * most for d, most in terms), initial=0))
        self._divisor = list(accumulate((d for d, _ in terms), gcd, initial=0))
        return self._descend(len(terms), target)

    def _descend(self, n: int, target: int) -> bool:
        if not 0 <= target <= self._reach[n]:
            return False
        if n == 0:
            return True
        if target % self._divisor[n]:
            return False
        if n == 1:
            return True  # a multiple of the one coefficient, within its reach
        d, most = self._terms[n - 1]
        least, most = max(0, -(-(target - self._reach[n - 1]) // d)), min(most, target // d)
        common = self._divisor[n]
        step = self._divisor[n - 1] // common  # d*x = target modulo the divisor of the rest
        if step > 1:
            least += (target // common * pow(d // common, -1, step) - least) % step
        for x in range(least, most + 1, step):
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise TooMany(f"{MOST_STEPS} steps do not settle it")
            if self._descend(n - 1, target - d * x):
                return True
        return False


class MeetInTheMiddle(Equation):
    """All sums of one half of the unknowns against all of the other half: the root of the number of points,
    whatever the coefficients are."""

    def decide(self, terms: list[Term], target: int) -> bool:
        reach = sum(d * most for d, most in terms)
        if not 0 <= target <= reach:
            return False
        if reach >= 1 << 62:
            raise TooMany("sums beyond 64 bits")
        one, other = halves(terms)
        import numpy as np

        def sums(half: list[Term]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
            total = np.zeros(1, dtype=np.int64)
            for d, most in half:
                total = np.unique((total[:, None] + np.arange(most + 1, dtype=np.int64) * d).ravel())
            return total

        return bool(np.isin(target - sums(one), sums(other), assume_unique=True).any())


def halves(terms: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """The unknowns in two halves of about equally many points. Raises TooMany when one has too many."""
    one: list[Term] = []
    other: list[Term] = []
    for term in sorted(terms, key=lambda t: -t[1]):
        smaller = min((one, other), key=lambda half: prod(most + 1 for _, most in half))
        smaller.append(term)
    largest = max(prod(most + 1 for _, most in half) for half in (one, other))
    if largest > MOST_SUMS:
        raise TooMany(f"{largest} sums in one half, more than {MOST_SUMS}")
    return one, other
