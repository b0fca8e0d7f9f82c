"""A warpgroup without silicon: `wgmma.mma_async` computed in numpy from the PTX ISA's formulas.

Tiles are read out of shared memory as the manual describes it, registers are unpacked and packed by the
manual's fragments, the product is in float64. What it says is not an observation.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from symlayout import ptx
from symlayout.atoms.atom import MmaAtom

from ..element import Array, accumulated, element
from .operands import THREADS, M, accumulators, byte_of, values_of_A

LARGEST, POWER = 8, 64  # the probes use numbers up to 8, and 64


class WgmmaEmulator:
    """The numpy machine."""

    name = "emulator (numpy, PTX ISA formulas; not hardware)"
    hardware = False

    def from_memory(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        return self._add(atom, _tile(atom.type_A, a, M), b, d)

    def from_registers(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        row, column = places(ptx.wgmma_a(atom.shape_mnk[2]))
        width = atom.bits_A // 8
        held = _numbers(atom.type_A, a.view(f"<u{width}")).reshape(-1, THREADS, values_of_A(atom))
        tile = np.zeros((held.shape[0], M, atom.shape_mnk[2]))
        tile[:, row, column] = held
        return self._add(atom, tile, b, d)

    def _add(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array:
        row, column = self.held(atom)
        n = atom.shape_mnk[1]
        total = np.zeros((d.shape[0], M, n))
        total[:, row, column] = accumulated(atom.type_C, d)
        total += a @ _tile(atom.type_B, b, n).swapaxes(1, 2)
        return accumulators(atom.type_C, total[:, row, column])

    def held(self, atom: MmaAtom) -> tuple[Array, Array]:
        """Row and column of each accumulator."""
        return places(ptx.wgmma_d(atom.shape_mnk[1]))


def places(fragment: ptx.Fragment) -> tuple[Array, Array]:
    """Rows and columns of a fragment's elements, each [thread, value]."""
    row, column = fragment(np.arange(THREADS)[:, None], np.arange(fragment.values))  # type: ignore[arg-type]
    shape = (THREADS, fragment.values)
    return np.broadcast_to(np.asarray(row), shape), np.broadcast_to(np.asarray(column), shape)


def _tile(kind: str, words: Array, rows: int) -> Array:
    """[block, row, k] of the numbers that shared memory holds."""
    bits = element(kind).bits
    held = _numbers(kind, np.ascontiguousarray(words).view(f"<u{bits // 8}"))
    columns = held.shape[-1] // rows
    at = byte_of(np.arange(rows)[:, None], np.arange(columns), bits) * 8 // bits
    return np.asarray(held[:, at])


def _numbers(kind: str, code: Array) -> Array:
    if element(kind).bits == 32:
        return code.view(np.float32).astype(np.float64)
    return np.asarray(_decoding(kind)[code])


@cache
def _decoding(kind: str) -> Array:
    """The number of each bit pattern that the probes use; NaN for the others."""
    what = element(kind)
    used = np.array([*range(-LARGEST if what.low < 0 else 0, LARGEST + 1), POWER])
    table = np.full(1 << what.bits, np.nan)
    table[what.encode(used)] = used
    return table
