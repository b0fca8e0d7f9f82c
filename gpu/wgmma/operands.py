"""The operands of one `wgmma.mma_async`, from numbers to words and back.

A is 64 x K, B is N x K, a row of either is 32 bytes. In shared memory, K-major and without swizzle, a tile
lies in core matrices of 8 rows of 16 bytes, each contiguous. The descriptor says how far the next core matrix
along K is (leading dimension byte offset) and the next one along M or N (stride dimension byte offset). Here
the two core matrices along K follow each other, and then come the next eight rows. In registers the elements
lie one after the other from the low bits of the first register up, and A has four registers for each thread.

Source: PTX ISA 9, "Shared Memory Matrix Layout" and "Matrix Descriptor" of wgmma (9.7.15.5.1.2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symlayout import UnsupportedError, atoms
from symlayout.atoms import sm90_gmma
from symlayout.atoms.atom import MmaAtom

from ..element import Array, element

M = 64
THREADS = 128
LEADING, STRIDE = 128, 256  # bytes
ROW = 32  # bytes of a row of A or B


def names() -> list[str]:
    """CuTe's atoms of dense wgmma with A in registers, one for each instruction."""
    found = (name.split("<")[0] for name in sm90_gmma.instances() if name.startswith(sm90_gmma.DENSE))
    return [name for name in found if "_RS" in name and "_SATURATE" not in name]


def wgmma_atom(name: str) -> MmaAtom:
    """The atom of that name, as in `names`. Raises UnsupportedError for anything else."""
    atom = atoms.get(name)
    if (
        not isinstance(atom, MmaAtom)
        or not atom.ptx.startswith("wgmma.mma_async.sync")
        or atom.storage("A") != "registers"
    ):
        raise UnsupportedError(
            f"{name} is not a dense wgmma with A in registers\n"
            "  known are SM90_64x8x16_F32F16F16_RS and its like; A in shared memory is asked with them"
        )
    return atom


def values_of_A(atom: MmaAtom) -> int:
    """Elements of A that a thread holds."""
    return int(atom.layout_A[1].size())


def byte_of(row: Array, column: Array, bits: int) -> Array:
    """Where in shared memory the element (row, k) of a tile begins, in bytes."""
    byte = column * bits // 8
    within = row % 8 * 16 + byte % 16
    return np.asarray(row // 8 * STRIDE + byte // 16 * LEADING + within)


def memory(kind: str, tile: Array) -> Array:
    """[..., row, k] numbers as shared memory holds them: [..., word]."""
    bits, rows, columns = element(kind).bits, *tile.shape[-2:]
    at = byte_of(np.arange(rows)[:, None], np.arange(columns), bits) * 8 // bits
    image = np.zeros((*tile.shape[:-2], rows * columns), dtype=f"<u{bits // 8}")
    image[..., at] = _bits(kind, tile)
    return image.view("<u4")


def registers(kind: str, values: Array) -> Array:
    """[..., value] numbers as registers hold them: [..., word]."""
    return _bits(kind, values).view("<u4")


def _bits(kind: str, numbers: Array) -> Array:
    width = element(kind).bits
    code = element(kind).encode(numbers) & ((1 << width) - 1)
    return np.ascontiguousarray(code.astype(f"<u{width // 8}"))


def accumulators(kind: str, numbers: Array) -> Array:
    """[..., value] numbers as accumulator registers: [..., word]."""
    as_type: dict[str, Any] = {"float": np.float32, "half_t": np.float16, "int32_t": np.int32}
    return np.ascontiguousarray(numbers.astype(as_type[kind])).view("<u4")
