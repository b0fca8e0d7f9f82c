"""Ada: 8-bit floats. Source: cute/atom/mma_traits_sm89.hpp."""

from __future__ import annotations

from .atom import CopyAtom, MmaAtom
from .sm75 import WARP, C_16x8
from .sm80 import A_16x32_BYTE, B_8x32_BYTE, mnemonic, words


def _mma(acc: str, a: str, b: str) -> MmaAtom:
    c_type = "float" if acc == "F32" else "half_t"
    c_regs = ("float", 4) if acc == "F32" else words(2)
    types = (c_type, f"float_{a.lower()}_t", f"float_{b.lower()}_t", c_type)
    return MmaAtom(
        f"SM89_16x8x32_{acc}{a}{b}{acc}_TN",
        (16, 8, 32),
        *(WARP, A_16x32_BYTE, B_8x32_BYTE, C_16x8),
        *types,
        *(c_regs, words(4), words(2), c_regs),
        "mma_traits_sm89.hpp",
        ptx=mnemonic((16, 8, 32), types),
    )


MMA: tuple[MmaAtom, ...] = tuple(
    _mma(acc, a, b) for acc in ("F32", "F16") for a in ("E4M3", "E5M2") for b in ("E4M3", "E5M2")
)
COPY: tuple[CopyAtom, ...] = ()
