"""Who holds which element: tiled MMAs, tiled copies and CuTe's retile, walked thread by thread.

No import of symlayout, on purpose, and no layout algebra: everything is a function on plain integers, written
down from its definition.

    element(l, v, m, k)   what logical thread l of the MMA holds as value v of its step (m, k)
    F(v, m, k)            the register slot of that value
    delivered(h, x)       what the copy moves as value x = (y, m, k) of hardware thread h
    R(x)                  the slot that CuTe's retile names for x

A retile is right when slot R(x) of every thread is F of the very element that `delivered` names.
Of each mode of the tensor, position q of the *permuted* order lies at coordinate P(q % p) + p * (q // p),
where P of size p is the permutation; atoms and then the warps are laid along q.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import Any

Leaves = tuple[tuple[int, int], ...]  # (size, stride), the fastest first
AXES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}


def leaves(shape: Any, stride: Any) -> Leaves:
    if isinstance(shape, tuple):
        return tuple(x for s, d in zip(shape, stride, strict=True) for x in leaves(s, d))
    return ((shape, stride),)


def value_at(modes: Leaves, i: int) -> int:
    """The layout at index i below its size."""
    total = 0
    for size, stride in modes:
        i, digit = divmod(i, size)
        total += digit * stride
    return total


@lru_cache(maxsize=4096)
def read(text: str) -> tuple[Leaves, ...]:
    """The modes of a printed layout; of a bare shape, those of its compact layout."""
    shape, _, stride = text.partition(":")
    sizes, steps = ast.literal_eval(shape), ast.literal_eval(stride or "None")
    if not isinstance(sizes, tuple):
        return (leaves(sizes, 1 if steps is None else steps),)
    if steps is None:
        found, below = [], 1
        for mode in sizes:
            modes = []
            for size, _ in leaves(mode, _zeros(mode)):
                modes.append((size, below))
                below *= size
            found.append(tuple(modes))
        return tuple(found)
    return tuple(leaves(s, d) for s, d in zip(sizes, steps, strict=True))


def flat(text: str) -> Leaves:
    """All leaves of a printed layout in a row."""
    return tuple(x for mode in read(text) for x in mode)


def _zeros(shape: Any) -> Any:
    return tuple(map(_zeros, shape)) if isinstance(shape, tuple) else 0


def size_of(modes: Leaves) -> int:
    return prod(s for s, _ in modes)


def table(modes: Leaves) -> list[int]:
    return [value_at(modes, i) for i in range(size_of(modes))]


def linear_runs(values: Sequence[int]) -> Leaves:
    """The coalesced leaves of a layout that is given by its values."""
    found: list[tuple[int, int]] = []
    while len(values) > 1:
        step = values[1] - values[0]
        run = next((i for i, x in enumerate(values) if x != values[0] + i * step), len(values))
        found.append((run, step))
        values = values[::run]
    return tuple(found)


@dataclass(frozen=True)
class Mma:
    """An atom over warps: `thr_id`, the atom's three layouts as (thread leaves, value leaves), its shape, how
    many atoms in M, N, K with the strides of their numbers, and the permutation (leaves) of each or None."""

    thr_id: Leaves
    layouts: dict[str, tuple[Leaves, Leaves]]
    shape: tuple[int, int, int]
    atoms: tuple[Leaves, Leaves, Leaves]
    permutation: tuple[Leaves | None, Leaves | None, Leaves | None]

    def count(self, i: int) -> int:
        return size_of(self.atoms[i])

    def tile(self, i: int) -> int:
        given = self.permutation[i]
        return self.shape[i] * self.count(i) if given is None else size_of(given)

    @cached_property
    def hardware(self) -> list[int]:
        """Logical thread (V, M, N, K) -> hardware thread. Atom number j sits at the j-th offset at which its
        threads fit between those before: quad pairs at 0, 4, 8, 12, 32, ..."""
        own = table(self.thr_id)
        numbers = [sum(x) for x in product(*(table(self.atoms[i]) for i in (2, 1, 0)))]  # M fastest
        offsets: list[int] = []
        taken: set[int] = set()
        at = 0
        while len(offsets) <= max(numbers):
            if at not in taken:
                offsets.append(at)
                taken |= {x + at for x in own}
            at += 1
        return [x + offsets[j] for j in numbers for x in own]

    @cached_property
    def logical(self) -> list[int]:
        """Hardware thread -> logical thread; threads between those of the atoms repeat them, shifted."""
        found: dict[int, int] = {}
        end = max(self.hardware) + 1
        for at in range(end):
            if at not in found:
                found |= {x + at: i for i, x in enumerate(self.hardware)}
        return [found[h] for h in range(len(found))]

    def coordinates(self, i: int, extent: int) -> list[int]:
        """Position in the permuted order -> coordinate, along M, N or K."""
        inside = table(self.permutation[i] or ((self.tile(i), 1),))
        return [p + base for base in range(0, extent, len(inside)) for p in inside]

    def steps(self, i: int, extent: int) -> int:
        return extent // (self.shape[i] * self.count(i))

    def elements(self, operand: str, extents: tuple[int, int]) -> list[list[tuple[int, int]]]:
        """For each logical thread its elements, in the order v, then m, then k."""
        i, j = AXES[operand]
        (threads, held), (a, b) = self.layouts[operand], (self.shape[i], self.shape[j])
        of_thread, of_value = table(threads), table(held)
        row, column = self.coordinates(i, extents[0]), self.coordinates(j, extents[1])
        steps = [
            (m * self.count(i), k * self.count(j))
            for k in range(self.steps(j, extents[1]))
            for m in range(self.steps(i, extents[0]))
        ]
        found = []
        for at in product(range(self.count(2)), range(self.count(1)), range(self.count(0))):
            mnk = at[::-1]
            for base in of_thread:
                inside = [divmod(base + x, a) for x in of_value]
                found.append(
                    [
                        (row[p + a * (mnk[i] + m)], column[q + b * (mnk[j] + k)])
                        for m, k in steps
                        for q, p in inside
                    ]
                )
        return found

    def slots(self, operand: str, tensor: tuple[Leaves, Leaves]) -> list[int]:
        """F: value index -> slot. C is compact; of A and B mode V comes first, then the smaller stride."""
        i, j = AXES[operand]
        v = size_of(self.layouts[operand][1])
        extents = (size_of(tensor[0]), size_of(tensor[1]))
        total = v * self.steps(i, extents[0]) * self.steps(j, extents[1])
        if operand == "C":
            return list(range(total))
        digits = []  # (stride in the tensor, mode, weight in the mode's index, size)
        for mode, axis in enumerate((i, j)):
            row = self.coordinates(axis, extents[mode])
            first = row[:: self.shape[axis] * self.count(axis)]
            weight = 1
            for size, stride in linear_runs([value_at(tensor[mode], x) for x in first]):
                digits.append((stride, mode, weight, size))
                weight *= size
        places, below = [], v
        for _, mode, weight, size in sorted(digits, key=lambda x: x[0]):
            places.append((mode, weight, size, below))
            below *= size
        counts = (self.steps(i, extents[0]), self.steps(j, extents[1]))
        return [
            x + sum(at[mode] // weight % size * step for mode, weight, size, step in places)
            for k in range(counts[1])
            for m in range(counts[0])
            for at in ((m, k),)
            for x in range(v)
        ]


@dataclass(frozen=True)
class Atom:
    """A copy atom: (thread, value) leaves of source, destination and reference in bits, `bits` to a value."""

    src: tuple[Leaves, Leaves]
    dst: tuple[Leaves, Leaves]
    ref: tuple[Leaves, Leaves]
    bits: int

    def moved(self, side: str) -> list[list[tuple[int, int]]]:
        """For each thread of the atom and value on that side: the reference's (thread, value)."""
        where = {
            x: (t, v // self.bits)
            for t, base in enumerate(table(self.ref[0]))
            for v, step in enumerate(table(self.ref[1]))
            for x in (base + step,)
        }
        threads, held = self.src if side == "S" else self.dst
        return [[where[base + x] for x in table(held)[:: self.bits]] for base in table(threads)]


@dataclass(frozen=True)
class Retile:
    """One MMA, one copy made from it, one operand over one tensor; `side` holds the registers."""

    mma: Mma
    atom: Atom
    operand: str
    tensor: tuple[Leaves, Leaves]
    side: str

    @cached_property
    def tile(self) -> tuple[int, int]:
        i, j = AXES[self.operand]
        return self.mma.tile(i), self.mma.tile(j)

    @cached_property
    def of_tile(self) -> list[list[tuple[int, int]]]:
        """Logical thread -> its elements of one tile, by value of the tiled copy's reference."""
        return self.mma.elements(self.operand, self.tile)

    @cached_property
    def rests(self) -> tuple[int, int]:
        return size_of(self.tensor[0]) // self.tile[0], size_of(self.tensor[1]) // self.tile[1]

    def delivered(self) -> list[list[tuple[int, int]]]:
        """For each hardware thread its elements, in the order (atom's value, rest), then m, then k."""
        moved, logical = self.atom.moved(self.side), self.mma.logical
        lanes, vals = len(moved), max(v for row in moved for _, v in row) + 1
        steps = [
            (m * self.tile[0], k * self.tile[1]) for k in range(self.rests[1]) for m in range(self.rests[0])
        ]
        found = []
        for h in range(len(logical)):
            within = [
                self.of_tile[logical[h - h % lanes + t]][v + base]
                for base in range(0, len(self.of_tile[0]), vals)
                for t, v in moved[h % lanes]
            ]
            found.append([(p + m, q + k) for m, k in steps for p, q in within])
        return found

    def view(self) -> list[int]:
        """R: x -> slot. CuTe takes V values of each block of the tile as the fragment's mode 0, and finds the
        block's step along M and K from where it lies in the tile: its rank among the blocks' coordinates."""
        i = AXES[self.operand][0]
        v = size_of(self.mma.layouts[self.operand][1])
        slots = self.mma.slots(self.operand, self.tensor)
        extents = (size_of(self.tensor[0]), size_of(self.tensor[1]))
        m_all = self.mma.steps(i, extents[0])
        blocks = self.of_tile[0][::v]
        ms, ks = sorted({p for p, _ in blocks}), sorted({q for _, q in blocks})
        return [
            slots[x + v * (ms.index(p) + len(ms) * m + m_all * (ks.index(q) + len(ks) * k))]
            for k in range(self.rests[1])
            for m in range(self.rests[0])
            for p, q in blocks
            for x in range(v)
        ]


@dataclass(frozen=True)
class Answer:
    """How many registers of how many are wrong, the first (thread, value, slot), and the right view."""

    wrong: int
    total: int
    first: tuple[int, int, int] | None
    right: list[int] | None


def answer(asked: Retile) -> Answer:
    tensor = (size_of(asked.tensor[0]), size_of(asked.tensor[1]))
    held = asked.mma.elements(asked.operand, tensor)
    delivered, view = asked.delivered(), asked.view()
    slots = asked.mma.slots(asked.operand, asked.tensor)
    value_in = {slot: v for v, slot in enumerate(slots)}
    wrong, first, rights = 0, None, set()
    for h, logical in sorted((h, i) for i, h in enumerate(asked.mma.hardware)):
        has, given = held[logical], delivered[h]
        place = {e: slots[v] for v, e in enumerate(has)}
        rights.add(tuple(place.get(e, -1) for e in given))
        for x, slot in enumerate(view):
            if has[value_in[slot]] != given[x]:
                wrong += 1
                first = first or (h, x, slot)
    right = list(rights.pop()) if len(rights) == 1 else None
    good = right is not None and sorted(right) == sorted(slots)
    return Answer(wrong, len(view) * len(held), first, right if good else None)
