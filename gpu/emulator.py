"""A machine without silicon: `ldmatrix` and `mma.sync` computed in numpy from the PTX ISA's formulas.

It knows nothing of CuTe's layouts: rows are named by lanes and spread over lanes as the manual says,
operands are unpacked from registers, multiplied in float64, and packed again. It lets the whole cross-check
run anywhere; what it says is no observation.
"""

from __future__ import annotations

import numpy as np

from symlayout import ptx

from .backend import UNTOUCHED, Chain
from .element import Array, element
from .plan import LoadPlan


def _decode(name: str) -> Array:
    """The whole number of each bit pattern that this package uses, as a table; NaN for the others."""
    kind = element(name)
    numbers = np.arange(kind.low, kind.high + 1)
    table = np.full(1 << min(kind.bits, 16), np.nan)
    table[kind.encode(numbers)] = numbers
    return table


def numbers(name: str, bits: Array) -> Array:
    """Elements as bits to the numbers that they stand for, float64."""
    if name in ("tfloat32_t", "float"):
        return bits.astype(np.uint32).view(np.float32).astype(np.float64)
    if name == "double":
        return bits.astype(np.uint64).view(np.float64)
    return np.asarray(_decode(name)[bits.astype(np.int64)])


class Emulator:
    """The numpy backend."""

    name = "emulator (numpy, PTX ISA formulas; not hardware)"
    hardware = False

    def registers(self, plan: LoadPlan, image: Array) -> Array:
        result = np.full((plan.threads, plan.slots), UNTOUCHED, dtype=np.uint64)
        width = plan.element.bits
        for step in range(plan.steps):
            if plan.instruction.matrices:
                words = self._ldmatrix(plan, image, plan.address[step] * width // 8)
                per_word = 32 // width
                shifts = np.arange(per_word, dtype=np.uint64) * np.uint64(width)
                mask = np.uint64((1 << width) - 1)
                values = (words[:, :, None] >> shifts & mask).reshape(plan.threads, -1)
            else:
                values = self._elements(image, width, plan.address[step])
            for a in range(plan.values):
                result[:, plan.slot[step, a]] = values[:, a]
        return result

    def _ldmatrix(self, plan: LoadPlan, image: Array, rows: Array) -> Array:
        """[thread, matrix] of 32-bit words; `rows` are the byte addresses that the threads name."""
        move = ptx.MOVES["ldmatrix.m8n8.trans.b16" if plan.instruction.trans else "ldmatrix.m8n8.b16"]
        halves = image.view("<u2").astype(np.uint64)
        row, column = np.array(
            [[move.element(lane, 0, part) for part in range(move.parts)] for lane in range(32)],
            dtype=np.int64,
        ).transpose(2, 0, 1)
        words = np.zeros((plan.threads, plan.instruction.matrices), dtype=np.uint64)
        for warp in range(0, plan.threads, 32):
            for m in range(plan.instruction.matrices):
                starts = rows[warp + 8 * m : warp + 8 * m + 8]  # the lanes that name this matrix's rows
                pair = halves[starts[row] // 2 + column]
                words[warp : warp + 32, m] = pair[:, 0] | pair[:, 1] << np.uint64(16)
        return words

    def _elements(self, image: Array, width: int, at: Array) -> Array:
        if width < 8:
            bits = image[at * width // 8].astype(np.uint64) >> (at * width % 8).astype(np.uint64)
            return np.asarray(bits & np.uint64((1 << width) - 1))
        return np.asarray(image.view(f"<u{width // 8}")[at].astype(np.uint64))

    def accumulators(self, chain: Chain, a: Array, b: Array) -> Array:
        atom = chain.mma.atom
        words = chain.mnemonic.split(".")  # mma.sync.aligned.shape.row.col.D.A.B.C
        instruction = ptx.mma(words[3], words[7])
        ms, ns, ks = chain.counts
        threads = a.shape[0]
        total = np.zeros((threads // 32, ms, ns, instruction.C.rows, instruction.C.cols))
        operands = (
            (a, chain.slots(0), instruction.A, atom.type_A),
            (b, chain.slots(1), instruction.B, atom.type_B),
        )
        for warp in range(threads // 32):
            tiles = []
            for registers, slots, fragment, kind in operands:
                tile = np.zeros((*slots.shape[:2], fragment.rows, fragment.cols))
                held = registers[warp * 32 : warp * 32 + 32][:, slots].transpose(
                    1, 2, 0, 3
                )  # m, k, lane, value
                tile[:, :, *_places(fragment)] = numbers(kind, held)
                tiles.append(tile)
            for m in range(ms):
                for n in range(ns):
                    for k in range(ks):
                        total[warp, m, n] += _product(chain.mnemonic, tiles[0][m, k], tiles[1][n, k])
        return _accumulators(atom.type_C, instruction.C, total, threads)


def _places(fragment: ptx.Fragment) -> tuple[Array, Array]:
    """Rows and columns of a fragment's elements, each [lane, value]."""
    held = [[fragment(lane, i) for i in range(fragment.values)] for lane in range(32)]
    row, column = np.array(held, dtype=np.int64).transpose(2, 0, 1)
    return row, column


def _product(mnemonic: str, a: Array, b: Array) -> Array:
    if ".xor" in mnemonic:
        return np.asarray((a[:, :, None] != b[None]).sum(axis=1), dtype=np.float64)
    return np.array(a @ b)


def _accumulators(kind: str, fragment: ptx.Fragment, total: Array, threads: int) -> Array:
    """The result tiles as accumulator registers [thread, m, n, register]."""
    row, column = _places(fragment)
    values = np.ascontiguousarray(
        total[:, :, :, row, column].transpose(0, 3, 1, 2, 4)
    )  # warp, lane, m, n, value
    values = values.reshape(threads, *total.shape[1:3], fragment.values)
    if kind == "double":
        return values.view(np.uint64)
    if kind == "float":
        return values.astype(np.float32).view(np.uint32).astype(np.uint64)
    if kind == "half_t":
        return values.astype(np.float16).view(np.uint32).astype(np.uint64)
    return values.astype(np.int32).view(np.uint32).astype(np.uint64)
