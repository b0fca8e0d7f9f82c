"""Every mma.sync atom of CuTe against the PTX ISA manual: who holds what, from two sources that never met.

One theorem for each fragment: CuTe's layout of A, B or C of these atoms sends (lane, value) to the element
that the manual's formulas give as element i of that lane. The atoms that share a fragment stand in its
definition; CuTe's tiles are (M,K), (N,K) and (M,N), numbered by columns. Where the two sources differ there
is a refutation instead.

Source: cute/atom/mma_traits_sm{70,75,80,89,90,120}.hpp (CUTLASS 4.2); PTX ISA 9, 9.7.14.5 and 9.7.14.6.2.
"""

from symlayout import atoms
from symlayout.claims import Claim, equal
from symlayout.ptx import mma
from symlayout.ptx.mma_fragments import a_m16n8k256_as_printed
from symlayout.symbolic import Int
from symlayout.theory import refutation, theorem

from ._fragments import number, number_B, shared

# ── accumulators ───────────────────────────────────────────────────────────────────────────────────────────

C_8x8 = shared("C", "SM75_8x8x16_*", "SM80_8x8x*")  # ((4,8),2):((16,1),8)
C_16x8 = shared("C", "SM75_16x8*", "SM80_16x8*", "SM89_*", "SM90_16x8*")  # ((4,8),(2,2)):((32,1),(16,8))


@theorem(lane=32, i=2)
def c_8x8(lane: Int, i: Int) -> Claim:
    """C of every 8x8xK with a whole warp: c_i is in row lane/4, column 2(lane%4) + i."""
    return equal(number(mma("m8n8k16", "s8").C(lane, i), 8), C_8x8(lane, i))


@theorem(lane=32, i=4)
def c_16x8(lane: Int, i: Int) -> Claim:
    """C of every 16x8xK: c0 and c1 are in row lane/4, c2 and c3 eight rows further down."""
    return equal(number(mma("m16n8k16", "f16").C(lane, i), 16), C_16x8(lane, i))


# ── Volta: 8x8x4 of a quad pair; lane 4q + t of pair q is CuTe's logical thread t ──────────────────────────

quad_pair = atoms.SM70_8x8x4_F32F16F16F32_TN.thr_id  # (4,2):(1,16)
A_8x4_T = shared("A", "SM70_*_T[TN]")  # (8,4):(1,8)
A_8x4_N = shared("A", "SM70_*_N[TN]")  # ((4,2),4):((8,4),1)
B_8x4_N = shared("B", "SM70_*_[TN]N")  # (8,4):(1,8)
B_8x4_T = shared("B", "SM70_*_[TN]T")  # ((4,2),4):((8,4),1)
C_8x8_F16 = shared("C", "SM70_*_F16F16F16F16_*")  # (8,8):(1,8)
C_8x8_F32 = shared("C", "SM70_*_F32F16F16F32_*")  # ((2,2,2),(2,2,2)):((1,16,4),(8,2,32))


@theorem(q=4, t=8, i=4)
def a_volta_t(q: Int, t: Int, i: Int) -> Claim:
    """A of SM70_8x8x4_*_TN and _TT is the manual's row-major A, in each of the four quad pairs."""
    return equal(number(mma("m8n8k4", "f16.row.col.f32").A(quad_pair(t) + 4 * q, i), 8), A_8x4_T(t, i))


@theorem(q=4, t=8, i=4)
def a_volta_n(q: Int, t: Int, i: Int) -> Claim:
    """A of SM70_8x8x4_*_NN and _NT is the manual's column-major A."""
    return equal(number(mma("m8n8k4", "f16.col.col.f32").A(quad_pair(t) + 4 * q, i), 8), A_8x4_N(t, i))


@theorem(q=4, t=8, i=4)
def b_volta_n(q: Int, t: Int, i: Int) -> Claim:
    """B of SM70_8x8x4_*_TN and _NN is the manual's column-major B."""
    return equal(number_B(mma("m8n8k4", "f16.row.col.f32").B(quad_pair(t) + 4 * q, i), 8), B_8x4_N(t, i))


@theorem(q=4, t=8, i=4)
def b_volta_t(q: Int, t: Int, i: Int) -> Claim:
    """B of SM70_8x8x4_*_NT and _TT is the manual's row-major B."""
    return equal(number_B(mma("m8n8k4", "f16.row.row.f32").B(quad_pair(t) + 4 * q, i), 8), B_8x4_T(t, i))


@theorem(q=4, t=8, i=8)
def c_volta_f16(q: Int, t: Int, i: Int) -> Claim:
    """C of SM70_8x8x4_F16F16F16F16_*: a thread has a row of eight."""
    return equal(number(mma("m8n8k4", "f16.row.col.f16").C(quad_pair(t) + 4 * q, i), 8), C_8x8_F16(t, i))


@theorem(q=4, t=8, i=8)
def c_volta_f32(q: Int, t: Int, i: Int) -> Claim:
    """C of SM70_8x8x4_F32F16F16F32_*: a thread has pairs in two rows and two halves of the columns."""
    return equal(number(mma("m8n8k4", "f16.row.col.f32").C(quad_pair(t) + 4 * q, i), 8), C_8x8_F32(t, i))


# ── 64- and 32-bit elements ────────────────────────────────────────────────────────────────────────────────

AB_8x4 = shared("A", "SM80_8x8x4_*")  # ((4,8),1):((8,1),0)
B_8x4 = shared("B", "SM80_8x8x4_*", "SM80_16x8x4_*", "SM90_16x8x4_*")  # ((4,8),1):((8,1),0)
A_16x4 = shared("A", "SM80_16x8x4_*", "SM90_16x8x4_*")  # ((4,8),2):((16,1),8)
A_16x8_WIDE = shared("A", "SM80_16x8x8_*TF32*", "SM90_16x8x8_*")  # ((4,8),(2,2)):((16,1),(8,64))
B_8x8_WIDE = shared("B", "SM80_16x8x8_*TF32*", "SM90_16x8x8_*")  # ((4,8),2):((8,1),32)
A_16x16_WIDE = shared("A", "SM90_16x8x16_*")  # ((4,8),(2,4)):((16,1),(8,64))
B_8x16_WIDE = shared("B", "SM90_16x8x16_*")  # ((4,8),4):((8,1),32)


@theorem(lane=32, i=1)
def a_8x8x4(lane: Int, i: Int) -> Claim:
    """A of SM80_8x8x4_F64F64F64F64_TN, and of the complex atoms that are made of it."""
    return equal(number(mma("m8n8k4", "f64").A(lane, i), 8), AB_8x4(lane, i))


@theorem(lane=32, i=1)
def b_k4(lane: Int, i: Int) -> Claim:
    """B of SM80_8x8x4_*, SM80_16x8x4_F32TF32TF32F32_TN and SM90_16x8x4_*: one element a lane."""
    return equal(number_B(mma("m16n8k4", "tf32").B(lane, i), 8), B_8x4(lane, i))


@theorem(lane=32, i=2)
def a_16x8x4(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x4_F32TF32TF32F32_TN and SM90_16x8x4_*: a1 lies eight rows below a0."""
    return equal(number(mma("m16n8k4", "f64").A(lane, i), 16), A_16x4(lane, i))


@theorem(lane=32, i=4)
def a_16x8x8_wide(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x8_F32TF32TF32F32_TN and SM90_16x8x8_*: rows first, then columns four apart."""
    return equal(number(mma("m16n8k8", "tf32").A(lane, i), 16), A_16x8_WIDE(lane, i))


@theorem(lane=32, i=2)
def b_16x8x8_wide(lane: Int, i: Int) -> Claim:
    """B of SM80_16x8x8_F32TF32TF32F32_TN and SM90_16x8x8_*."""
    return equal(number_B(mma("m16n8k8", "f64").B(lane, i), 8), B_8x8_WIDE(lane, i))


@theorem(lane=32, i=8)
def a_16x8x16_wide(lane: Int, i: Int) -> Claim:
    """A of SM90_16x8x16_F64F64F64F64_TN and its complex sister."""
    return equal(number(mma("m16n8k16", "f64").A(lane, i), 16), A_16x16_WIDE(lane, i))


@theorem(lane=32, i=4)
def b_16x8x16_wide(lane: Int, i: Int) -> Claim:
    """B of SM90_16x8x16_F64F64F64F64_TN and its complex sister."""
    return equal(number_B(mma("m16n8k16", "f64").B(lane, i), 8), B_8x16_WIDE(lane, i))


# ── 16-bit elements ────────────────────────────────────────────────────────────────────────────────────────

A_16x8 = shared("A", "SM75_16x8x8_*", "SM80_16x8x8_*F16*")  # ((4,8),(2,2)):((32,1),(16,8))
B_8x8 = shared("B", "SM75_16x8x8_*", "SM80_16x8x8_*F16*")  # ((4,8),2):((16,1),8)
A_16x16 = shared("A", "SM80_16x8x16_*F16*")  # ((4,8),(2,2,2)):((32,1),(16,8,128))
B_8x16 = shared("B", "SM80_16x8x16_*F16*")  # ((4,8),(2,2)):((16,1),(8,64))


@theorem(lane=32, i=4)
def a_16x8x8(lane: Int, i: Int) -> Claim:
    """A of SM75_ and SM80_16x8x8 of f16 and bf16: a0 and a1 in row lane/4, a2 and a3 eight rows below."""
    return equal(number(mma("m16n8k8", "bf16").A(lane, i), 16), A_16x8(lane, i))


@theorem(lane=32, i=2)
def b_16x8x8(lane: Int, i: Int) -> Claim:
    """B of SM75_ and SM80_16x8x8 of f16 and bf16."""
    return equal(number_B(mma("m16n8k8", "bf16").B(lane, i), 8), B_8x8(lane, i))


@theorem(lane=32, i=8)
def a_16x8x16(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x16 of f16 and bf16: a2, a3, a6, a7 lie eight rows down, a4 to a7 eight columns on."""
    return equal(number(mma("m16n8k16", "f16").A(lane, i), 16), A_16x16(lane, i))


@theorem(lane=32, i=4)
def b_16x8x16(lane: Int, i: Int) -> Claim:
    """B of SM80_16x8x16 of f16 and bf16: b2 and b3 lie eight K rows down."""
    return equal(number_B(mma("m16n8k16", "f16").B(lane, i), 8), B_8x16(lane, i))


# ── 8-bit elements ─────────────────────────────────────────────────────────────────────────────────────────

A_8x16_BYTE = shared("A", "SM75_8x8x16_*", "SM80_8x8x16_*")  # ((4,8),4):((32,1),8)
B_8x16_BYTE = shared("B", "SM75_8x8x16_*", "SM80_*x8x16_S32*")  # ((4,8),4):((32,1),8)
A_16x16_BYTE = shared("A", "SM80_16x8x16_S32*")  # ((4,8),(4,2)):((64,1),(16,8))
A_16x32_BYTE = shared("A", "SM80_16x8x32_S32[SU]8*", "SM89_*")  # ((4,8),(4,2,2)):((64,1),(16,8,256))
B_8x32_BYTE = shared("B", "SM80_16x8x32_S32[SU]8*", "SM89_*")  # ((4,8),(4,2)):((32,1),(8,128))


@theorem(lane=32, i=4)
def a_8x8x16(lane: Int, i: Int) -> Claim:
    """A of SM75_ and SM80_8x8x16 of s8 and u8: four neighbours of row lane/4."""
    return equal(number(mma("m8n8k16", "s8").A(lane, i), 8), A_8x16_BYTE(lane, i))


@theorem(lane=32, i=4)
def b_k16_bytes(lane: Int, i: Int) -> Claim:
    """B of the 8x8x16 and 16x8x16 of s8 and u8."""
    return equal(number_B(mma("m16n8k16", "u8").B(lane, i), 8), B_8x16_BYTE(lane, i))


@theorem(lane=32, i=8)
def a_16x8x16_bytes(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x16 of s8 and u8: the second register lies eight rows down."""
    return equal(number(mma("m16n8k16", "s8").A(lane, i), 16), A_16x16_BYTE(lane, i))


@theorem(lane=32, i=16)
def a_16x8x32_bytes(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x32 of s8 and u8, and of all SM89."""
    return equal(number(mma("m16n8k32", "s8").A(lane, i), 16), A_16x32_BYTE(lane, i))


@theorem(lane=32, i=8)
def b_16x8x32_bytes(lane: Int, i: Int) -> Claim:
    """B of SM80_16x8x32 of s8 and u8, and of all SM89."""
    return equal(number_B(mma("m16n8k32", "e4m3").B(lane, i), 8), B_8x32_BYTE(lane, i))


# ── 4-bit elements ─────────────────────────────────────────────────────────────────────────────────────────

A_8x32_NIBBLE = shared("A", "SM80_8x8x32_*")  # ((4,8),(8)):((64,1),(8))
B_8x32_NIBBLE = shared("B", "SM80_8x8x32_*", "SM80_16x8x32_S32[SU]4*")  # ((4,8),(8)):((64,1),(8))
A_16x32_NIBBLE = shared("A", "SM80_16x8x32_S32[SU]4*")  # ((4,8),(8,2)):((128,1),(16,8))
A_16x64_NIBBLE = shared("A", "SM80_16x8x64_*")  # ((4,8),(8,2,2)):((128,1),(16,8,512))
B_8x64_NIBBLE = shared("B", "SM80_16x8x64_*")  # ((4,8),(8,2)):((64,1),(8,256))
# what CUTLASS 4.2 itself gives B of the eight SM80_16x8x32 of s4 and u4
B_8x32_CUTLASS = atoms.mma("SM80_16x8x32_S32S4S4S32_TN_CUTE_4_2").layout_B  # ((4,8),(8)):((32,1),(8))


@theorem(lane=32, i=8)
def a_8x8x32(lane: Int, i: Int) -> Claim:
    """A of SM80_8x8x32 of s4 and u4: eight neighbours of row lane/4."""
    return equal(number(mma("m8n8k32", "s4").A(lane, i), 8), A_8x32_NIBBLE(lane, i))


@theorem(lane=32, i=8)
def b_k32_nibbles(lane: Int, i: Int) -> Claim:
    """B of SM80_8x8x32 and SM80_16x8x32 of s4 and u4: element i of a lane is in K row 8(lane%4) + i."""
    return equal(number_B(mma("m16n8k32", "u4").B(lane, i), 8), B_8x32_NIBBLE(lane, i))


@refutation(witness={"lane": 1, "i": 0}, lane=32, i=8)
def b_16x8x32_of_cutlass(lane: Int, i: Int) -> Claim:
    """CUTLASS 4.2's own B of SM80_16x8x32 of s4 and u4 is the manual's (false: its lane 1 begins in K row 4,
    the instruction's in K row 8)."""
    return equal(number_B(mma("m16n8k32", "u4").B(lane, i), 8), B_8x32_CUTLASS(lane, i))


@theorem(lane=32, i=16)
def a_16x8x32_nibbles(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x32 of s4 and u4."""
    return equal(number(mma("m16n8k32", "s4").A(lane, i), 16), A_16x32_NIBBLE(lane, i))


@theorem(lane=32, i=32)
def a_16x8x64(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x64 of s4 and u4."""
    return equal(number(mma("m16n8k64", "s4").A(lane, i), 16), A_16x64_NIBBLE(lane, i))


@theorem(lane=32, i=16)
def b_16x8x64(lane: Int, i: Int) -> Claim:
    """B of SM80_16x8x64 of s4 and u4."""
    return equal(number_B(mma("m16n8k64", "u4").B(lane, i), 8), B_8x64_NIBBLE(lane, i))


# ── single bits ────────────────────────────────────────────────────────────────────────────────────────────

A_8x128_BIT = shared("A", "SM80_8x8x128_*")  # ((4,8),32):((256,1),8)
B_8x128_BIT = shared("B", "SM80_8x8x128_*", "SM80_16x8x128_*")  # ((4,8),32):((256,1),8)
A_16x128_BIT = shared("A", "SM80_16x8x128_*")  # ((4,8),(32,2)):((512,1),(16,8))
A_16x256_BIT = shared("A", "SM80_16x8x256_*")  # ((4,8),(32,2,2)):((512,1),(16,8,2048))
B_8x256_BIT = shared("B", "SM80_16x8x256_*")  # ((4,8),(32,2)):((256,1),(8,1024))


@theorem(lane=32, i=32)
def a_8x8x128(lane: Int, i: Int) -> Claim:
    """A of SM80_8x8x128: a register of 32 neighbours."""
    return equal(number(mma("m8n8k128", "b1").A(lane, i), 8), A_8x128_BIT(lane, i))


@theorem(lane=32, i=32)
def b_k128(lane: Int, i: Int) -> Claim:
    """B of SM80_8x8x128 and SM80_16x8x128."""
    return equal(number_B(mma("m16n8k128", "b1").B(lane, i), 8), B_8x128_BIT(lane, i))


@theorem(lane=32, i=64)
def a_16x8x128(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x128."""
    return equal(number(mma("m16n8k128", "b1").A(lane, i), 16), A_16x128_BIT(lane, i))


@theorem(lane=32, i=128)
def a_16x8x256(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x256, with the mask that the manual leaves out."""
    return equal(number(mma("m16n8k256", "b1").A(lane, i), 16), A_16x256_BIT(lane, i))


@refutation(witness={"lane": 0, "i": 32}, lane=32, i=128)
def a_16x8x256_as_printed(lane: Int, i: Int) -> Claim:
    """A of SM80_16x8x256 is what the manual prints (false: it puts element 32 of lane 0 into column 32, and
    nothing into column 0 of row 8)."""
    return equal(number(a_m16n8k256_as_printed(lane, i), 16), A_16x256_BIT(lane, i))


@theorem(lane=32, i=64)
def b_16x8x256(lane: Int, i: Int) -> Claim:
    """B of SM80_16x8x256."""
    return equal(number_B(mma("m16n8k256", "b1").B(lane, i), 8), B_8x256_BIT(lane, i))
