"""The fragments of the matrix instructions as the PTX ISA manual gives them: a second source beside CuTe.

    from symlayout import ptx

    A = ptx.mma("m16n8k16", "f16").A
    A(5, 3)                      (9, 3)          row and column of element a3 of lane 5, as the manual counts
    A(Var("lane", 32), 3)                        the same for every lane at once, for a solver

| module | instructions | section of the manual (PTX ISA 9) |
|---|---|---|
| `mma_fragments` | `mma.sync`, and `mma.sp` where CuTe has it | 9.7.14.5.1 to 13, 9.7.14.6.2 |
| `matrix_moves` | `ldmatrix`, `stmatrix`, `movmatrix` | 9.7.14.5.15 to 17 |
| `wgmma_fragments` | registers of `wgmma.mma_async` | 9.7.15.5.1.1 |

Rows and columns are the manual's: A is M x K, B is K x N, the accumulator M x N. Nothing here knows
CuTe's literals or reads one; that both say the same is what `proofs/atoms*.py` prove.
"""

from __future__ import annotations

from .fragment import Fragment, MatrixInstruction
from .matrix_moves import MOVES, MatrixMove
from .mma_fragments import MMA, mma
from .wgmma_fragments import WGMMA, wgmma_a, wgmma_d

__all__ = [
    "MMA",
    "MOVES",
    "WGMMA",
    "Fragment",
    "MatrixInstruction",
    "MatrixMove",
    "mma",
    "wgmma_a",
    "wgmma_d",
]
