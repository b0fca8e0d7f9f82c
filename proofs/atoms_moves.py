"""ldmatrix, stmatrix and movmatrix of CuTe against the PTX ISA manual.

CuTe says of a lane which row in shared memory its address names, and which elements its registers hold; the
manual says the latter of one matrix. The theorems: element `part` of register r of matrix m, in the manual's
row and column, is the element that CuTe's register side has there, where the row is the one that the lane
named by the manual's table of addresses points at.

Source: cute/atom/copy_traits_sm{75,90,100}.hpp, cute/arch/copy_sm100.hpp (CUTLASS 4.2); PTX ISA 9,
9.7.14.5.15 to 9.7.14.5.17.
"""

from symlayout import atoms
from symlayout.claims import Claim, all_of, equal
from symlayout.ptx import MOVES
from symlayout.ptx.matrix_moves import movmatrix_result, movmatrix_source
from symlayout.symbolic import Int
from symlayout.theory import refutation, theorem

from ._fragments import at, memory, registers

# ── 16-bit elements: (lane, column) -> element that the address names, (lane, value) -> element held ───────

rows_x1 = memory("half_t", "SM75_U32x1_LDSM_N", "SM90_U32x1_STSM_N")  # ((8,4),8):((8,0),1)
rows_x2 = memory("half_t", "SM75_U32x2_LDSM_N", "SM90_U32x2_STSM_N")  # ((16,2),8):((8,0),1)
rows_x4 = memory("half_t", "SM75_U32x4_LDSM_N", "SM90_U32x4_STSM_N")  # (32,8):(8,1)
held_x1 = registers("half_t", "SM75_U32x1_LDSM_N", "SM90_U32x1_STSM_N")  # (32,2):(2,1)
held_x2 = registers("half_t", "SM75_U32x2_LDSM_N", "SM90_U32x2_STSM_N")  # (32,(2,2)):(2,(1,64))
held_x4 = registers("half_t", "SM75_U32x4_LDSM_N", "SM90_U32x4_STSM_N")  # (32,(2,4)):(2,(1,64))
rows_x1_trans = memory("half_t", "SM75_U16x2_LDSM_T", "SM90_U16x2_STSM_T")  # ((8,4),8):((8,0),1)
rows_x2_trans = memory("half_t", "SM75_U16x4_LDSM_T", "SM90_U16x4_STSM_T")  # ((16,2),8):((8,0),1)
rows_x4_trans = memory("half_t", "SM75_U16x8_LDSM_T", "SM90_U16x8_STSM_T")  # (32,8):(8,1)
held_x1_trans = registers("half_t", "SM75_U16x2_LDSM_T", "SM90_U16x2_STSM_T")  # ((4,8),(1,2)):((16,1),(1,8))
held_x2_trans = registers("half_t", "SM75_U16x4_LDSM_T", "SM90_U16x4_STSM_T")
held_x4_trans = registers("half_t", "SM75_U16x8_LDSM_T", "SM90_U16x8_STSM_T")

plain, trans = MOVES["ldmatrix.m8n8.b16"], MOVES["ldmatrix.m8n8.trans.b16"]
stored, stored_trans = MOVES["stmatrix.m8n8.b16"], MOVES["stmatrix.m8n8.trans.b16"]


@theorem(lane=32, m=4, part=2)
def ldmatrix_b16(lane: Int, m: Int, part: Int) -> Claim:
    """SM75_U32x{1,2,4}_LDSM_N are ldmatrix.m8n8.x{1,2,4}: register m holds the lane's pair of matrix m."""
    return all_of(
        equal(at(rows_x1, plain, m % 1, plain.element(lane, 0, part)), held_x1(lane, part)),
        equal(at(rows_x2, plain, m % 2, plain.element(lane, 0, part)), held_x2(lane, part + 2 * (m % 2))),
        equal(at(rows_x4, plain, m, plain.element(lane, 0, part)), held_x4(lane, part + 2 * m)),
    )


@theorem(lane=32, m=4, part=2)
def ldmatrix_trans_b16(lane: Int, m: Int, part: Int) -> Claim:
    """SM75_U16x{2,4,8}_LDSM_T are ldmatrix.m8n8.x{1,2,4}.trans: a pair of a column of matrix m."""
    return all_of(
        equal(at(rows_x1_trans, trans, m % 1, trans.element(lane, 0, part)), held_x1_trans(lane, part)),
        equal(
            at(rows_x2_trans, trans, m % 2, trans.element(lane, 0, part)),
            held_x2_trans(lane, part + 2 * (m % 2)),
        ),
        equal(at(rows_x4_trans, trans, m, trans.element(lane, 0, part)), held_x4_trans(lane, part + 2 * m)),
    )


@theorem(lane=32, m=4, part=2)
def stmatrix_b16(lane: Int, m: Int, part: Int) -> Claim:
    """SM90_U32x4_STSM_N and SM90_U16x8_STSM_T are stmatrix.m8n8.x4, plain and .trans; .x1 and .x2 are as in
    ldmatrix."""
    return all_of(
        equal(at(rows_x4, stored, m, stored.element(lane, 0, part)), held_x4(lane, part + 2 * m)),
        equal(
            at(rows_x4_trans, stored_trans, m, stored_trans.element(lane, 0, part)),
            held_x4_trans(lane, part + 2 * m),
        ),
    )


# ── movmatrix ──────────────────────────────────────────────────────────────────────────────────────────────

movm = atoms.SM75_U32x1_MOVM_T.with_type("half_t")
given = movm.layout_src  # (32,2):(2,1)
result = movm.layout_dst  # (32,2):(2,1)


@theorem(lane=32, part=2)
def movmatrix_reads_rows(lane: Int, part: Int) -> Claim:
    """SM75_U32x1_MOVM_T reads from a lane what movmatrix does: a pair of row lane/4 of an 8x8 matrix."""
    return equal(
        8 * movmatrix_source(lane, 0, part)[0] + movmatrix_source(lane, 0, part)[1], given(lane, part)
    )


@refutation(witness={"lane": 0, "part": 1}, lane=32, part=2)
def movmatrix_writes_rows(lane: Int, part: Int) -> Claim:
    """SM75_U32x1_MOVM_T gives a lane what movmatrix does (false: CUTLASS declares the result as if nothing
    were transposed; the high half of lane 0 is element (1,0), not (0,1))."""
    return equal(
        8 * movmatrix_result(lane, 0, part)[0] + movmatrix_result(lane, 0, part)[1], result(lane, part)
    )


# ── 8-bit elements ─────────────────────────────────────────────────────────────────────────────────────────

rows_16_x1 = memory("uint8_t", "SM100_U8x8_LDSM_T")  # ((2,2,4,2),16):((16,128,32,0),1)
rows_16_x2 = memory("uint8_t", "SM100_U8x16_LDSM_T")  # ((2,2,4,2),16):((16,128,32,256),1)
bytes_16_x1 = registers("uint8_t", "SM100_U8x8_LDSM_T")  # ((4,8),(1,2,2,2)):((32,1),(1,16,8,128))
bytes_16_x2 = registers("uint8_t", "SM100_U8x16_LDSM_T")  # ((4,8),(1,2,2,4)):((32,1),(1,16,8,128))
rows_8_x1 = memory("uint8_t", "SM100_U8x4_STSM_T", "SM100_SU?_DU8x16_x1_LDSM_N")  # ((8,4),16):((16,0),1)
rows_8_x2 = memory("uint8_t", "SM100_U8x8_STSM_T", "SM100_SU?_DU8x16_x2_LDSM_N")  # ((16,2),16):((16,0),1)
rows_8_x4 = memory("uint8_t", "SM100_U8x16_STSM_T", "SM100_SU?_DU8x16_x4_LDSM_N")  # (32,16):(16,1)
widened_x1 = registers("uint8_t", "SM100_SU?_DU8x16_x1_LDSM_N")  # (32,4):(4,1)
widened_x2 = registers("uint8_t", "SM100_SU?_DU8x16_x2_LDSM_N")  # (32,(4,2)):(4,(1,128))
widened_x4 = registers("uint8_t", "SM100_SU?_DU8x16_x4_LDSM_N")  # (32,(4,4)):(4,(1,128))
bytes_x1 = registers("uint8_t", "SM100_U8x4_STSM_T")  # ((4,8),(1,2,2)):((32,1),(1,16,8))
bytes_x2 = registers("uint8_t", "SM100_U8x8_STSM_T")  # ((4,8),(1,2,2,2)):((32,1),(1,16,8,128))
bytes_x4 = registers("uint8_t", "SM100_U8x16_STSM_T")  # ((4,8),(1,2,2,4)):((32,1),(1,16,8,128))

square, wide = MOVES["ldmatrix.m16n16.trans.b8"], MOVES["ldmatrix.m8n16.b8x16.b4x16_p64"]
tall = MOVES["stmatrix.m16n8.trans.b8"]


@theorem(lane=32, m=2, r=2, part=4)
def ldmatrix_trans_b8(lane: Int, m: Int, r: Int, part: Int) -> Claim:
    """SM100_U8x{8,16}_LDSM_T are ldmatrix.m16n16.x{1,2}.trans, after CUTLASS has joined the low halves of a
    matrix's two registers, and the high halves."""
    return all_of(
        equal(
            at(rows_16_x1, square, m % 1, square.element(lane, r, part)),
            bytes_16_x1(lane, part % 2 + 2 * r + 4 * (part // 2)),
        ),
        equal(
            at(rows_16_x2, square, m, square.element(lane, r, part)),
            bytes_16_x2(lane, part % 2 + 2 * r + 4 * (part // 2) + 8 * m),
        ),
    )


@refutation(witness={"lane": 0, "r": 0, "part": 2}, lane=32, r=2, part=4)
def ldmatrix_trans_b8_as_it_comes(lane: Int, r: Int, part: Int) -> Claim:
    """SM100_U8x8_LDSM_T describes the registers as the instruction leaves them (false: byte 2 of register 0
    is (2,0), and CuTe has (0,8) there; SM100_U8x8_LDSM_T::copy exchanges the bytes)."""
    return equal(at(rows_16_x1, square, 0, square.element(lane, r, part)), bytes_16_x1(lane, part + 4 * r))


@theorem(lane=32, m=4, part=4)
def ldmatrix_widening(lane: Int, m: Int, part: Int) -> Claim:
    """SM100_SU{4,6}_DU8x16_x{1,2,4}_LDSM_N are ldmatrix.m8n16: four bytes of a row of 16, from 4 or 6 bits
    each."""
    return all_of(
        equal(at(rows_8_x1, wide, m % 1, wide.element(lane, 0, part)), widened_x1(lane, part)),
        equal(at(rows_8_x2, wide, m % 2, wide.element(lane, 0, part)), widened_x2(lane, part + 4 * (m % 2))),
        equal(at(rows_8_x4, wide, m, wide.element(lane, 0, part)), widened_x4(lane, part + 4 * m)),
    )


@theorem(lane=32, m=4, part=4)
def stmatrix_trans_b8(lane: Int, m: Int, part: Int) -> Claim:
    """SM100_U8x{4,8,16}_STSM_T are stmatrix.m16n8.x{1,2,4}.trans."""
    return all_of(
        equal(at(rows_8_x1, tall, m % 1, tall.element(lane, 0, part)), bytes_x1(lane, part)),
        equal(at(rows_8_x2, tall, m % 2, tall.element(lane, 0, part)), bytes_x2(lane, part + 4 * (m % 2))),
        equal(at(rows_8_x4, tall, m, tall.element(lane, 0, part)), bytes_x4(lane, part + 4 * m)),
    )
