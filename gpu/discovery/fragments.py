"""The fragments of an mma from what one-hot probes show, and their names from what `ldmatrix` brings.

A one at place p of A and a one at place q of B **meet** iff both stand at the same k; then D has its one at
the place of C that lies in p's row and q's column. Places are lane * values + value, in one product's lanes.

1. `from_few` takes fragments for linear over bits (F2): only place 0 and the places 1, 2, 4, ... are
   asked, and every other row, column or k is the XOR of those.
2. `differing_pairs` holds the guess against all pairs. It confirms or refutes; where it refutes, or there
   was not a guess, `from_all` reads the fragments off all pairs.
3. What an mma **cannot** say: k may be renumbered in A and B together, the rows in A together with C, the
   columns in B together with C. No data tells two such machines apart: they compute the same. So the
   numbers found so far are only names. `anchor` takes the names from outside, from the memory coordinates
   that an observed `ldmatrix` brings to each lane and register, and says where the names and the meetings
   do not fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..element import Array

NOWHERE = 0xFFFF  # of a pair that does not meet


class Pairs(NamedTuple):
    """What a probe saw, [place of A, place of B]: how many accumulators light up, and where."""

    met: Array  # uint8
    where: Array  # uint16, a place of C


@dataclass(frozen=True)
class Fragments:
    """[place, 2] each: (row, k) in A, (column, k) in B, (row, column) in C."""

    A: Array
    B: Array
    C: Array

    def of(self, operand: str) -> Array:
        return {"A": self.A, "B": self.B, "C": self.C}[operand]

    def pairs(self) -> Pairs:
        """What the probe of all pairs would show."""
        grid = np.full((int(self.C[:, 0].max()) + 1, int(self.C[:, 1].max()) + 1), NOWHERE, dtype=np.uint16)
        grid[self.C[:, 0], self.C[:, 1]] = np.arange(len(self.C))
        met = self.A[:, None, 1] == self.B[None, :, 1]
        where = np.where(met, grid[self.A[:, None, 0], self.B[None, :, 0]], np.uint16(NOWHERE))
        return Pairs(met.astype(np.uint8), where)


class Unclear(Exception):
    """The probes do not show fragments of the kind that is looked for."""


def probed(places: int) -> Array:
    """Place 0 and the places of one bit."""
    return np.array([0, *(1 << bit for bit in range((places - 1).bit_length()))])


# ── a few pairs ────────────────────────────────────────────────────────────────────────────────────────────


class _Span:
    """A space of bit vectors, and each vector's coordinates in the first vectors that spanned it."""

    def __init__(self) -> None:
        self.reduced: list[tuple[int, int]] = []  # (vector, its coordinates), distinct leading bits
        self.basis: list[int] = []

    def split(self, vector: int) -> tuple[int, int]:
        """(what is left of the vector outside the span, the coordinates of what is inside)."""
        coordinates = 0
        for known, of in self.reduced:
            if vector ^ known < vector:
                vector, coordinates = vector ^ known, coordinates ^ of
        return vector, coordinates

    def add(self, vector: int) -> None:
        rest, coordinates = self.split(vector)
        if rest:
            self.reduced.append((rest, coordinates | 1 << len(self.basis)))
            self.reduced.sort(reverse=True)
            self.basis.append(vector)


def from_few(few: Pairs, places: int) -> Fragments:
    """The linear fragments that show these pairs; `few` is of `probed` places of A and B, and C has `places`.

    Rows, columns and k are numbered by the bits of places, the lowest first. Raises Unclear where no linear
    fragments show them, with the reason.
    """
    met, where = few.met == 1, few.where.astype(int)
    if few.met.max() > 1 or not met[0, 0]:
        raise Unclear("a one in A and a one in B at place 0 light up other than one accumulator")
    base = int(where[0, 0])
    rows, columns = _Span(), _Span()
    for i in np.flatnonzero(met[1:, 0]) + 1:  # k stays, so that only the row can have changed
        rows.add(int(where[i, 0]) ^ base)
    for j in np.flatnonzero(met[0, 1:]) + 1:
        columns.add(int(where[0, j]) ^ base)
    both = _Span()
    for vector in (*rows.basis, *columns.basis):
        both.add(vector)
    if 1 << len(both.basis) != places or len(rows.basis) + len(columns.basis) != len(both.basis):
        raise Unclear(
            f"{len(rows.basis)} bits of rows and {len(columns.basis)} of columns for {places} accumulators"
        )
    k_a, k_b, seen_at = _steps_of_k(met, where)

    def row_and_column(vector: int) -> tuple[int, int]:
        _, coordinates = both.split(vector ^ base)
        return coordinates & (1 << len(rows.basis)) - 1, coordinates >> len(rows.basis)

    a = [(row_and_column(seen_at[0][i])[0], k_a[i]) for i in range(1, len(k_a))]
    b = [(row_and_column(seen_at[1][j])[1], k_b[j]) for j in range(1, len(k_b))]
    c = np.array([row_and_column(place) for place in range(places)])
    return Fragments(_linear(a), _linear(b), c)


def _steps_of_k(met: Array, where: Array) -> tuple[list[int], list[int], tuple[list[int], list[int]]]:
    """The k of each probed place of A and of B, and a place of C that each was seen to light."""
    k_a, k_b = [0] * met.shape[0], [0] * met.shape[1]
    at_a, at_b = [int(where[0, 0])] * met.shape[0], [int(where[0, 0])] * met.shape[1]
    steps = 0
    for i in range(1, met.shape[0]):
        partners = np.flatnonzero(met[i])
        if not len(partners):
            raise Unclear("a bit of A's place changes k as no bit of B's does")
        known = [k_b[j] for j in partners if k_b[j]]
        if not met[i, 0] and not known:
            steps += 1
        k_a[i] = 0 if met[i, 0] else known[0] if known else 1 << steps - 1
        at_a[i] = int(where[i, partners[0]])
        for j in partners[partners > 0]:
            k_b[j] = k_a[i]
    for j in range(1, met.shape[1]):
        partners = np.flatnonzero(met[:, j])
        if not len(partners):
            raise Unclear("a bit of B's place changes k as no bit of A's does")
        at_b[j] = int(where[partners[0], j])
    return k_a, k_b, (at_a, at_b)


def _linear(bits: list[tuple[int, int]]) -> Array:
    """[place, 2] from what each bit of a place changes."""
    result = np.zeros((1, 2), dtype=np.int64)
    for change in bits:
        result = np.concatenate([result, result ^ np.array(change)])
    return result


# ── all pairs ──────────────────────────────────────────────────────────────────────────────────────────────


def from_all(seen: Pairs, places: int) -> Fragments:
    """The fragments that show these pairs, whatever they are, numbered in the order of places.

    A k is known by the first place of B that meets it, a row and a column by the first place of C in it.
    """
    met = seen.met == 1
    if not met.any(axis=1).all() or not met.any(axis=0).all():
        raise Unclear("a one in A or in B that no one of the other meets")
    first = met.argmax(axis=1)
    k_a = np.unique(first, return_inverse=True)[1]
    k_b = k_a[met.argmax(axis=0)]
    row = np.unique(seen.where.min(axis=1), return_inverse=True)[1]
    column = np.unique(seen.where.min(axis=0), return_inverse=True)[1]
    c = np.full((places, 2), -1, dtype=np.int64)
    p, q = np.nonzero(met)
    at = seen.where[p, q]
    if at.max() >= places:
        raise Unclear("an accumulator beyond the last")
    c[at, 0], c[at, 1] = row[p], column[q]
    if (c < 0).any():
        raise Unclear(f"{int((c[:, 0] < 0).sum())} accumulators that no pair lights up")
    return Fragments(np.stack([row, k_a], axis=1), np.stack([column, k_b], axis=1), c)


def differing_pairs(found: Fragments, seen: Pairs) -> int:
    """Of all pairs, those that the fragments do not predict."""
    says = found.pairs()
    return int(((says.met != seen.met) | (says.where != seen.where)).sum())


# ── names ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Anchored:
    """Fragments with names from outside, and the places whose own name is another than the mma allows."""

    fragments: Fragments
    misfits: tuple[tuple[str, int], ...]  # (operand, place)


def anchor(found: Fragments, a: Array, b: Array) -> Anchored:
    """Rename rows and k of A, columns and k of B by `a` and `b`, [place, 2] as in Fragments; C follows.

    Each row, column and k takes the name that most of its places have; the places that have another are
    misfits. Raises Unclear where two would take one name.
    """
    row = _names([(found.A[:, 0], a[:, 0])], "rows")
    column = _names([(found.B[:, 0], b[:, 0])], "columns")
    k = _names([(found.A[:, 1], a[:, 1]), (found.B[:, 1], b[:, 1])], "k")
    named = Fragments(
        np.stack([row[found.A[:, 0]], k[found.A[:, 1]]], axis=1),
        np.stack([column[found.B[:, 0]], k[found.B[:, 1]]], axis=1),
        np.stack([row[found.C[:, 0]], column[found.C[:, 1]]], axis=1),
    )
    misfits = [
        (operand, int(place))
        for operand, given, has in (("A", a, named.A), ("B", b, named.B))
        for place in np.flatnonzero((given != has).any(axis=1))
    ]
    return Anchored(named, tuple(misfits))


def _names(votes: list[tuple[Array, Array]], what: str) -> Array:
    """For each number the name that most places give it."""
    classes = 1 + max(int(numbers.max()) for numbers, _ in votes)
    names = 1 + max(int(given.max()) for _, given in votes)
    count = np.zeros((classes, names), dtype=np.int64)
    for numbers, given in votes:
        np.add.at(count, (numbers, given), 1)
    chosen = count.argmax(axis=1)
    if (taken := np.bincount(chosen)).max() > 1:
        raise Unclear(f"two {what} of the mma would both be {int(taken.argmax())}")
    return np.asarray(chosen)
