"""wgmma's registers, and sparse A, in CuTe and in the PTX ISA manual.

The accumulator of wgmma is proved for all N at once, multiples of 8. CuTe counts all columns of a sparse A,
twice as many as are stored: its values of a register are the columns, first to last, that the manual gives
for the elements of that register.

Source: cute/atom/mma_traits_sm90_gmma*.hpp, mma_traits_sm120*.hpp (CUTLASS 4.2); PTX ISA 9, 9.7.15.5.1.1 and
9.7.14.6.2.
"""

from symlayout import dims
from symlayout.atoms.sm90_gmma import accumulator
from symlayout.claims import Claim, equal
from symlayout.ptx import wgmma_a, wgmma_d
from symlayout.ptx.wgmma_fragments import sparse_a_of_warps
from symlayout.symbolic import Int
from symlayout.theory import theorem

from ._fragments import number, place, shared

# ── wgmma ──────────────────────────────────────────────────────────────────────────────────────────────────

N8 = dims("N8")  # N = 8 * N8
C_64xN = accumulator(8 * N8)  # ((4,8,4),(2,2,N8)):((128,1,16),(64,8,512))
A_64x8 = shared("A", "SM90_64x*x8_*_RS*")  # ((4,8,4),(2,2)):((64,1,16),(8,256))
A_64x16 = shared("A", "SM90_64x*x16_*_RS*")  # ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
A_64x32 = shared("A", "SM90_64x*x32_*_RS*")  # ((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))

d, a_tf32, a_f16, a_bytes = wgmma_d(256), wgmma_a(8), wgmma_a(16), wgmma_a(32)  # the manual's; d for all N


@theorem(thread=128, a=2, b=2, c=N8)
def wgmma_accumulator(thread: Int, a: Int, b: Int, c: Int) -> Claim:
    """C of every wgmma, for all N: warp w holds rows 16w to 16w + 15, in each a lane holds what it holds of
    16x8."""
    return equal(number(d(thread, a + 2 * b + 4 * c), 64), C_64xN(thread, (a, b, c)))


@theorem(thread=128, i=4)
def wgmma_a_tf32(thread: Int, i: Int) -> Claim:
    """A in registers of tf32, K = 8."""
    return equal(number(a_tf32(thread, i), 64), A_64x8(thread, i))


@theorem(thread=128, i=8)
def wgmma_a_f16(thread: Int, i: Int) -> Claim:
    """A in registers of f16 and bf16, K = 16."""
    return equal(number(a_f16(thread, i), 64), A_64x16(thread, i))


@theorem(thread=128, i=16)
def wgmma_a_bytes(thread: Int, i: Int) -> Claim:
    """A in registers of s8, u8, e4m3 and e5m2, K = 32."""
    return equal(number(a_bytes(thread, i), 64), A_64x32(thread, i))


# ── sparse wgmma ───────────────────────────────────────────────────────────────────────────────────────────

A_64x16_SPARSE = shared("A", "SM90::GMMA::*64x*x16_*_RS*")  # ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
A_64x32_SPARSE = shared("A", "SM90::GMMA::*64x*x32_*_RS*")  # ((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))
A_64x64_SPARSE = shared("A", "SM90::GMMA::*64x*x64_*_RS*")  # ((4,8,4),(8,2,2)):((512,1,16),(64,8,2048))


@theorem(thread=128, c=2, r=4)
def wgmma_sparse_a_tf32(thread: Int, c: Int, r: Int) -> Claim:
    """A in registers of sparse tf32, K = 16: a register's element is one of two columns."""
    return equal(
        number(place(c, sparse_a_of_warps(16, thread, r)), 64), A_64x16_SPARSE(thread, (c, r % 2, r // 2))
    )


@theorem(thread=128, c=4, r=4)
def wgmma_sparse_a_f16(thread: Int, c: Int, r: Int) -> Claim:
    """A in registers of sparse f16 and bf16, K = 32: a register's two elements are of four columns."""
    return equal(
        number(place(c, sparse_a_of_warps(32, thread, 2 * r)), 64), A_64x32_SPARSE(thread, (c, r % 2, r // 2))
    )


@theorem(thread=128, c=8, r=4)
def wgmma_sparse_a_bytes(thread: Int, c: Int, r: Int) -> Claim:
    """A in registers of sparse bytes, K = 64: a register's four elements are of eight columns."""
    return equal(
        number(place(c, sparse_a_of_warps(64, thread, 4 * r)), 64), A_64x64_SPARSE(thread, (c, r % 2, r // 2))
    )
