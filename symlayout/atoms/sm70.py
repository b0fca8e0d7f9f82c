"""Volta: 8x8x4 on a quad pair, which is lanes 0-3 and 16-19. Source: cute/atom/mma_traits_sm70.hpp.

The letters after the types say how A and B lie: T is K contiguous in a thread, N is M (or N) contiguous.
"""

from __future__ import annotations

from ..layout import Layout
from .atom import CopyAtom, MmaAtom

_QUAD_PAIR = Layout((4, 2), (1, 16))
_ROW = Layout((8, 4), (1, 8))  # a thread holds a row of four
_COL = Layout(((4, 2), 4), ((8, 4), 1))  # a thread holds a column of four
_C16 = Layout((8, 8), (1, 8))
_C32 = Layout(((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32)))


def _mma(accumulator: str, letters: str) -> MmaAtom:
    f32 = accumulator == "F32"
    c_type = "float" if f32 else "half_t"
    c_regs = ("float", 8) if f32 else ("uint32_t", 4)
    ab = ("uint32_t", 2)
    major_a = "row" if letters[0] == "T" else "col"
    major_b = "col" if letters[1] == "N" else "row"
    acc = accumulator.lower()
    return MmaAtom(
        f"SM70_8x8x4_{accumulator}F16F16{accumulator}_{letters}",
        (8, 8, 4),
        _QUAD_PAIR,
        _ROW if letters[0] == "T" else _COL,
        _ROW if letters[1] == "N" else _COL,
        _C32 if f32 else _C16,
        *(c_type, "half_t", "half_t", c_type),
        *(c_regs, ab, ab, c_regs),
        "mma_traits_sm70.hpp",
        ptx=f"mma.sync.aligned.m8n8k4.{major_a}.{major_b}.{acc}.f16.f16.{acc}",
    )


MMA: tuple[MmaAtom, ...] = tuple(_mma(acc, ab) for acc in ("F16", "F32") for ab in ("TN", "NT", "NN", "TT"))
COPY: tuple[CopyAtom, ...] = ()
