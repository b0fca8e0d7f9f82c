"""Products of small whole numbers, exact in every type, through the registers of an MMA.

A tile of C is M x N, with K products each. The operands that no copy brings are filled straight from the
MMA's partition. D must be A*B (+ C, where C is loaded), computed in float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from symlayout import Layout, TiledMMA

from .backend import Backend, Chain
from .element import Array, accumulated, element
from .maps import extent, grid, table
from .partition import of_mma
from .plan import UNWRITTEN, CopyPlan, plain


def random_data(kind: str, rng: np.random.Generator, what: str, rows: int, columns: int) -> Array:
    """Whole numbers that the type holds exactly; "one-hot" has a single 1 in each row."""
    low, high = element(kind).low, element(kind).high
    if what == "one-hot":
        data = np.zeros((rows, columns), dtype=np.int64)
        data[np.arange(rows), (5 * np.arange(rows) + 3) % columns] = 1
        return data
    return rng.integers(low, high + 1, (rows, columns))


@dataclass(frozen=True)
class Product:
    """The data of D = A*B + C around one copied operand, and the registers that hold them."""

    mma: TiledMMA
    tensors: dict[str, Any]  # "A": (M,K), "B": (N,K), "C": (M,N), without swizzles
    data: dict[str, Array]  # the matrices; C is zero unless it is the operand that is loaded

    @cached_property
    def chain(self) -> Chain:
        return Chain(self.mma, tuple(self.mma.fragment(x, self.tensors[x]) for x in "ABC"))

    @cached_property
    def threads(self) -> int:
        return len(self.mma.thread_ids())

    @cached_property
    def right(self) -> Array:
        """A*B + C."""
        a, b = self.data["A"], self.data["B"]
        if ".xor" in self.chain.mnemonic:
            met = np.array((a[:, None, :] != b[None]).sum(axis=2), dtype=np.float64)
        else:
            met = np.array(a.astype(np.float64) @ b.astype(np.float64).T)
        return met + self.data["C"]

    def held(self, operand: str) -> Array:
        """[thread, slot]: an operand's registers as bits, filled by the MMA's partition."""
        return held(self.mma, operand, self.tensors[operand], self.bits(operand), self.threads)

    def bits(self, operand: str) -> Array:
        """An operand's matrix as bits."""
        return element(self.mma.atom.type(operand)).encode(self.data[operand])

    def accumulators(self, machine: Backend, registers: dict[str, Array]) -> Array:
        """[thread, m, n, register] of words that a machine leaves; operands not given are filled as they
        should be."""
        a, b, c = (registers[x] if x in registers else self.held(x) for x in "ABC")
        c = c.copy()
        c[self._groups[1:]] = 0  # C enters a sum once
        return machine.accumulators(self.chain, a, b, self.chain.start(c))

    def totals(self, words: Array) -> Array:
        """Accumulators as numbers, [thread, m, n, value]; warps side by side along K hold parts of one sum,
        which are added here."""
        parts = accumulated(self.mma.atom.type_C, words)
        result = np.empty_like(parts)
        result[self._groups] = parts[self._groups].sum(axis=0)
        return result

    @cached_property
    def _groups(self) -> Array:
        """[place along K, thread of the rest] of threads."""
        layout = self.mma.thr_layout_vmnk
        return table(layout).reshape(int(layout[3].size()), -1)

    def spread(self, d: Array) -> Array:
        """A matrix D as [thread, m, n, value], by the MMA's partition of C."""
        tensor = self.tensors["C"]
        slots = self.chain.slots(2)
        image = np.zeros(int(tensor.cosize()))
        image[grid(tensor)] = d
        result = np.zeros((self.threads, self.chain.fragments[2].cosize()))
        result[:, table(self.chain.fragments[2])] = image[of_mma(self.mma, "C", tensor)]
        return np.asarray(result[:, slots])


def product(plan: CopyPlan, rng: np.random.Generator, kind: str) -> Product:
    """Data for a plan's MMA: `kind` is "random" or "one-hot", and says what A is."""
    mma, operand = plan.mma, plan.operand
    rows, columns = extent(plan.tensor)
    m = rows if operand in "AC" else mma.tile_size(0)
    n = {"A": mma.tile_size(1), "B": rows, "C": columns}[operand]
    k = mma.tile_size(2) if operand == "C" else columns
    sizes = {"A": (m, k), "B": (n, k), "C": (m, n)}
    tensors = {x: Layout(size, (size[1], 1)) for x, size in sizes.items()}
    tensors[operand] = plain(plan.tensor)
    data = {
        "A": random_data(mma.atom.type("A"), rng, kind, m, k),
        "B": random_data(mma.atom.type("B"), rng, "random", n, k),
        "C": np.zeros((m, n), dtype=np.int64),
    }
    return Product(mma, tensors, data)


def with_start(p: Product, rng: np.random.Generator) -> Product:
    """The same with a C that is not zero."""
    m, n = p.data["C"].shape
    return Product(p.mma, p.tensors, {**p.data, "C": random_data(p.mma.atom.type("C"), rng, "random", m, n)})


def held(mma: TiledMMA, operand: str, tensor: Any, bits: Array, threads: int) -> Array:
    """[thread, slot]: the registers of a matrix given as bits, by the MMA's partition of a tensor."""
    image = np.zeros(int(tensor.cosize()), dtype=np.uint64)
    image[grid(tensor)] = bits.astype(np.uint64)
    fragment = mma.fragment(operand, tensor)
    result = np.zeros((threads, fragment.cosize()), dtype=np.uint64)
    result[:, table(fragment)] = image[of_mma(mma, operand, tensor)]
    return result


def taken(image: Array, places: Array) -> Array:
    """The elements at places of shared memory, 0 where nothing was written."""
    return np.where(places == UNWRITTEN, 0, image[np.maximum(places, 0)]).astype(np.uint64)
