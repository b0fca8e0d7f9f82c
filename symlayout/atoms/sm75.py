"""Turing: the first warp-wide atoms, and ldmatrix. Source: cute/atom/{mma,copy}_traits_sm75.hpp."""

from __future__ import annotations

from ..layout import Layout
from .atom import CopyAtom, MmaAtom

WARP = Layout(32)

# (M,N) = (16,8) of 32-bit accumulators: lane 4i+j holds row i, columns 2j and 2j+1, then row i+8
C_16x8 = Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))
C_8x8 = Layout(((4, 8), 2), ((16, 1), 8))
A_16x8 = C_16x8  # operand A of 16-bit elements, K = 8, lies the same way
B_8x8 = C_8x8
AB_8x16 = Layout(((4, 8), 4), ((32, 1), 8))  # 8-bit elements, K = 16

MMA: tuple[MmaAtom, ...] = (
    MmaAtom(
        "SM75_16x8x8_F32F16F16F32_TN",
        (16, 8, 8),
        *(WARP, A_16x8, B_8x8, C_16x8),
        *("float", "half_t", "half_t", "float"),
        *(("float", 4), ("uint32_t", 2), ("uint32_t", 1), ("float", 4)),
        "mma_traits_sm75.hpp",
        ptx="mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
    ),
    MmaAtom(
        "SM75_8x8x16_S32S8S8S32_TN",
        (8, 8, 16),
        *(WARP, AB_8x16, AB_8x16, C_8x8),
        *("int32_t", "int8_t", "int8_t", "int32_t"),
        *(("uint32_t", 2), ("uint32_t", 1), ("uint32_t", 1), ("uint32_t", 2)),
        "mma_traits_sm75.hpp",
        ptx="mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32",
    ),
)

# ldmatrix and stmatrix, memory side, in bits: lane 8m+i names row i of matrix m, 128 bits; lanes beyond the
# last matrix name nothing, which the stride 0 says.
ROWS = {
    1: Layout(((8, 4), 128), ((128, 0), 1)),
    2: Layout(((16, 2), 128), ((128, 0), 1)),
    4: Layout((32, 128), (128, 1)),
}
# Register side: lane 4i+j holds 32 bits of row i of each matrix ...
WORDS = {
    1: Layout((32, 32), (32, 1)),
    2: Layout((32, (32, 2)), (32, (1, 1024))),
    4: Layout((32, (32, 4)), (32, (1, 1024))),
}
# ... and transposed 16 bits of row 2j and 16 of row 2j+1, in column i.
HALVES = {
    1: Layout(((4, 8), (16, 2)), ((256, 16), (1, 128))),
    2: Layout(((4, 8), (16, 2, 2)), ((256, 16), (1, 128, 1024))),
    4: Layout(((4, 8), (16, 2, 4)), ((256, 16), (1, 128, 1024))),
}


def _ldmatrix(name: str, matrices: int, registers: Layout) -> CopyAtom:
    lines = ("uint128_t", 1), ("uint32_t", matrices)
    ptx = f"ldmatrix.sync.aligned.x{matrices}{'.trans' if name.endswith('_T') else ''}.m8n8.shared.b16"
    return CopyAtom(name, WARP, ROWS[matrices], registers, registers, *lines, "copy_traits_sm75.hpp", ptx=ptx)


COPY: tuple[CopyAtom, ...] = (
    *(_ldmatrix(f"SM75_U32x{n}_LDSM_N", n, WORDS[n]) for n in (1, 2, 4)),
    *(_ldmatrix(f"SM75_U16x{2 * n}_LDSM_T", n, HALVES[n]) for n in (1, 2, 4)),
    # CUTLASS declares movmatrix as if it did not transpose: Src = Dst.
    CopyAtom(
        "SM75_U32x1_MOVM_T",
        *(WARP, WORDS[1], WORDS[1], WORDS[1]),
        *(("uint32_t", 1), ("uint32_t", 1)),
        "copy_traits_sm75.hpp",
        ptx="movmatrix.sync.aligned.m8n8.trans.b16",
    ),
)
