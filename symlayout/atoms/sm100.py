"""Blackwell: ldmatrix and stmatrix of 8-bit elements, and 256-bit loads.

ldmatrix that widens 4- or 6-bit elements to bytes moves the bits of the plain ldmatrix; transposed bytes
come in matrices of 16x16 (ldmatrix) or 16x8 (stmatrix).

Source: cute/atom/copy_traits_sm100.hpp.
"""

from __future__ import annotations

from ..layout import Layout
from .atom import CopyAtom, MmaAtom
from .sm75 import ROWS, WARP, WORDS

_HEADER = "copy_traits_sm100.hpp"

# register side of transposed bytes: lane 4i+j holds column i: two bytes of rows 2j, 2j+1, then column i+8
BYTES = {
    1: Layout(((4, 8), (8, 2, 2)), ((256, 8), (1, 128, 64))),
    2: Layout(((4, 8), (8, 2, 2, 2)), ((256, 8), (1, 128, 64, 1024))),
    4: Layout(((4, 8), (8, 2, 2, 4)), ((256, 8), (1, 128, 64, 1024))),
}
# memory side of ldmatrix.m16n16: lane l names row l of 16; one matrix or two
ROWS_OF_16 = {
    2: Layout(((2, 2, 4, 2), 128), ((128, 1024, 256, 0), 1)),
    4: Layout(((2, 2, 4, 2), 128), ((128, 1024, 256, 2048), 1)),
}
_WIDE = Layout((1, 256))
_ONE = Layout(1)


def _ldmatrix_bytes(registers: int) -> CopyAtom:
    bits = BYTES[registers]
    return CopyAtom(
        f"SM100_U8x{4 * registers}_LDSM_T",
        *(WARP, ROWS_OF_16[registers], bits, bits),
        *(("uint128_t", 1), ("uint32_t", registers)),
        _HEADER,
        ptx=f"ldmatrix.sync.aligned.m16n16.x{registers // 2}.trans.shared.b8",
    )


def _ldmatrix_widening(bits: int, n: int) -> CopyAtom:
    form = {4: "b4x16_p64", 6: "b6x16_p32"}[bits]
    return CopyAtom(
        f"SM100_SU{bits}_DU8x16_x{n}_LDSM_N",
        *(WARP, ROWS[n], WORDS[n], WORDS[n]),
        *(("uint128_t", 1), ("uint32_t", n)),
        _HEADER,
        ptx=f"ldmatrix.sync.aligned.m8n16.x{n}.shared.b8x16.{form}",
    )


def _stmatrix_bytes(n: int) -> CopyAtom:
    return CopyAtom(
        f"SM100_U8x{4 * n}_STSM_T",
        *(WARP, BYTES[n], ROWS[n], BYTES[n]),
        *(("uint32_t", n), ("uint128_t", 1)),
        _HEADER,
        ptx=f"stmatrix.sync.aligned.m16n8.x{n}.trans.shared.b8",
    )


def _wide(name: str, load: bool) -> CopyAtom:
    memory, registers = ("uint256_t", 1), ("uint32_t", 8)
    sides = (memory, registers) if load else (registers, memory)
    ptx = f"{'ld' if load else 'st'}.global.L1::no_allocate.v8.f32"
    return CopyAtom(name, _ONE, _WIDE, _WIDE, _WIDE, *sides, _HEADER, ptx=ptx)


MMA: tuple[MmaAtom, ...] = ()  # tcgen05.mma takes types and sizes: see sm100_umma
COPY: tuple[CopyAtom, ...] = (
    _wide("SM100_LOAD_256bit_CACHE_NOALLOCATION", True),
    _wide("SM100_STORE_256bit_CACHE_NOALLOCATION", False),
    *(_ldmatrix_bytes(n) for n in (2, 4)),
    *(_ldmatrix_widening(bits, n) for n in (1, 2, 4) for bits in (4, 6)),
    *(_stmatrix_bytes(n) for n in (1, 2, 4)),
)
