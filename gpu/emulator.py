"""A machine without silicon: `ldmatrix` and `mma.sync` computed in numpy from the PTX ISA's formulas.

It knows nothing of CuTe's layouts: rows are named by lanes and spread over lanes as the manual says,
operands are unpacked from registers, multiplied in float64, and packed again. It lets the whole cross-check
run anywhere; what it says is not an observation.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from symlayout import ptx

from .backend import UNTOUCHED, Chain
from .element import Array, accumulated, element
from .plan import LoadPlan
from .store_plan import StorePlan


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
        row, column = move_places("ldmatrix", plan.instruction.trans)
        halves = image.view("<u2").astype(np.uint64)
        words = np.zeros((plan.threads, plan.instruction.matrices), dtype=np.uint64)
        for warp in range(0, plan.threads, 32):
            for m in range(plan.instruction.matrices):
                starts = rows[warp + 8 * m : warp + 8 * m + 8]  # the lanes that name this matrix's rows
                pair = halves[starts[row] // 2 + column]
                words[warp : warp + 32, m] = pair[:, 0] | pair[:, 1] << np.uint64(16)
        return words

    def stored(self, plan: StorePlan, registers: Array, image: Array) -> Array:
        result = image.copy()
        width = plan.element.bits
        for step in range(plan.steps):
            values = registers[:, plan.slot[step]].astype(np.uint64)  # [thread, value]
            if plan.instruction.matrices:
                per_word = 32 // width
                shifts = np.arange(per_word, dtype=np.uint64) * np.uint64(width)
                words = (values.reshape(plan.threads, -1, per_word) << shifts).sum(axis=2)
                self._stmatrix(plan, result, words, plan.address[step] * width // 8)
            else:
                result.view(f"<u{width // 8}")[plan.address[step]] = values
        return result

    def _stmatrix(self, plan: StorePlan, image: Array, words: Array, rows: Array) -> None:
        """Registers [thread, matrix] to the rows at the byte addresses that the threads name."""
        row, column = move_places("stmatrix", plan.instruction.trans)
        halves = image.view("<u2")
        for warp in range(0, plan.threads, 32):
            for m in range(plan.instruction.matrices):
                starts = rows[warp + 8 * m : warp + 8 * m + 8]
                word = words[warp : warp + 32, m]
                halves[starts[row] // 2 + column] = np.stack([word & 0xFFFF, word >> 16], axis=1)

    def _elements(self, image: Array, width: int, at: Array) -> Array:
        if width < 8:
            bits = image[at * width // 8].astype(np.uint64) >> (at * width % 8).astype(np.uint64)
            return np.asarray(bits & np.uint64((1 << width) - 1))
        return np.asarray(image.view(f"<u{width // 8}")[at].astype(np.uint64))

    def accumulators(self, chain: Chain, a: Array, b: Array, c: Array) -> Array:
        atom = chain.mma.atom
        instruction = manual_mma(chain.mnemonic)
        ms, ns, ks = chain.counts
        values = accumulated(atom.type_C, c)
        operands = (
            (a, chain.slots(0), instruction.A, atom.type_A),
            (b, chain.slots(1), instruction.B, atom.type_B),
        )
        for lanes in _groups(instruction, a.shape[0]):
            tiles = []
            for registers, slots, fragment, kind in operands:
                tile = np.zeros((*slots.shape[:2], fragment.rows, fragment.cols))
                held = registers[lanes][:, slots].transpose(1, 2, 0, 3)  # m, k, lane, value
                tile[:, :, *_places(instruction, fragment)] = numbers(kind, held)
                tiles.append(tile)
            row, column = _places(instruction, instruction.C)
            for m in range(ms):
                for n in range(ns):
                    for k in range(ks):
                        met = _product(chain.mnemonic, tiles[0][m, k], tiles[1][n, k])
                        values[lanes, m, n] += met[row, column]
        return _words(atom.type_C, values)


def manual_mma(mnemonic: str) -> ptx.MatrixInstruction:
    """The manual's entry for `mma.sync.aligned.shape.row.col.D.A.B.C`."""
    shape, row, column, d, a = mnemonic.split(".")[3:8]
    return ptx.mma(shape, f"{a}.{row}.{column}.{d}" if (shape, a) == ("m8n8k4", "f16") else a)


def _groups(instruction: ptx.MatrixInstruction, threads: int) -> list[Array]:
    """The threads of each product: a warp, or one of its four quad pairs."""
    lanes = np.array(instruction.lanes)
    shifts = (0,) if len(lanes) == 32 else (0, 4, 8, 12)
    return [warp + shift + lanes for warp in range(0, threads, 32) for shift in shifts]


@cache
def move_places(instruction: str, trans: bool) -> tuple[Array, Array]:
    """Row and column in an 8x8 matrix of the two halves of each lane's register, each [lane, half]."""
    move = ptx.MOVES[f"{instruction}.m8n8{'.trans' if trans else ''}.b16"]
    held = [[move.element(lane, 0, part) for part in range(move.parts)] for lane in range(32)]
    row, column = np.array(held, dtype=np.int64).transpose(2, 0, 1)
    return row, column


@cache
def _places(instruction: ptx.MatrixInstruction, fragment: ptx.Fragment) -> tuple[Array, Array]:
    """Rows and columns of a fragment's elements, each [lane of the product, value]."""
    held = [[fragment(lane, i) for i in range(fragment.values)] for lane in instruction.lanes]
    row, column = np.array(held, dtype=np.int64).transpose(2, 0, 1)
    return row, column


def _product(mnemonic: str, a: Array, b: Array) -> Array:
    if ".xor" in mnemonic:
        return np.asarray((a[:, :, None] != b[None]).sum(axis=1), dtype=np.float64)
    return np.array(a @ b)


def _words(kind: str, values: Array) -> Array:
    """Accumulators [..., value] as registers [..., register] of words."""
    if kind == "double":
        return values.view(np.uint64)
    if kind == "float":
        return values.astype(np.float32).view(np.uint32).astype(np.uint64)
    if kind == "half_t":
        return values.astype(np.float16).view(np.uint32).astype(np.uint64)
    return values.astype(np.int32).view(np.uint32).astype(np.uint64)
