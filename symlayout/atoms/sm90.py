"""Hopper: 64-bit mma.sync and stmatrix (wgmma: sm90_gmma). Source: cute/atom/{mma,copy}_traits_sm90.hpp."""

from __future__ import annotations

from ..layout import Layout
from .atom import CopyAtom, MmaAtom
from .sm75 import HALVES, ROWS, WARP, WORDS, C_16x8
from .sm80 import A_16x4_WIDE, A_16x8_WIDE, B_8x4_WIDE, B_8x8_WIDE, mnemonic

_A_16x16_WIDE = Layout(((4, 8), (2, 4)), ((16, 1), (8, 64)))
_B_8x16_WIDE = Layout(((4, 8), 4), ((8, 1), 32))


def _mma(k: int, letters: str, element: str, a: Layout, b: Layout) -> MmaAtom:
    c_regs = (element, 4)
    return MmaAtom(
        f"SM90_16x8x{k}_{letters * 4}_TN",
        (16, 8, k),
        *(WARP, a, b, C_16x8),
        *(element, element, element, element),
        *(c_regs, (element, k // 2), (element, k // 4), c_regs),
        "mma_traits_sm90.hpp",
        ptx=mnemonic((16, 8, k), ("double",) * 4),
    )


def _stmatrix(name: str, matrices: int, registers: Layout) -> CopyAtom:
    regs = ("uint32_t", matrices), ("uint128_t", 1)
    ptx = f"stmatrix.sync.aligned.x{matrices}{'.trans' if name.endswith('_T') else ''}.m8n8.shared.b16"
    return CopyAtom(name, WARP, registers, ROWS[matrices], registers, *regs, "copy_traits_sm90.hpp", ptx=ptx)


MMA: tuple[MmaAtom, ...] = tuple(
    _mma(k, letters, element, a, b)
    for letters, element in (("F64", "double"), ("C64", "complex<double>"))
    for k, a, b in (
        (4, A_16x4_WIDE, B_8x4_WIDE),
        (8, A_16x8_WIDE, B_8x8_WIDE),
        (16, _A_16x16_WIDE, _B_8x16_WIDE),
    )
)
COPY: tuple[CopyAtom, ...] = (
    *(_stmatrix(f"SM90_U32x{n}_STSM_N", n, WORDS[n]) for n in (1, 2, 4)),
    *(_stmatrix(f"SM90_U16x{2 * n}_STSM_T", n, HALVES[n]) for n in (1, 2, 4)),
)
