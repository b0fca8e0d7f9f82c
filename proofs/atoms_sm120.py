"""Blackwell's mma.sync of 8-, 6- and 4-bit floats in CuTe and in the PTX ISA manual, dense and sparse.

As in `atoms`, of the templates SM120_16x8x32_TN, SM120_16x8x64_TN_VS and their sparse sisters, all of them.
CuTe counts all columns of a sparse A, twice as many as are stored: its values of a register are the columns,
first to last, that the manual gives for the elements of that register.

Source: cute/atom/mma_traits_sm120.hpp, mma_traits_sm120_sparse.hpp (CUTLASS 4.2); PTX ISA 9, 9.7.14.5.10,
9.7.14.5.11, 9.7.14.6.2.6 and 9.7.14.6.2.8.
"""

from symlayout.claims import Claim, equal
from symlayout.ptx import mma
from symlayout.ptx.mma_fragments import b_sparse_k64, b_sparse_k128, sparse_a
from symlayout.symbolic import Int
from symlayout.theory import theorem

from ._fragments import number, number_B, place, shared

C_16x8 = shared("C", "SM120*")  # ((4,8),(2,2)):((32,1),(16,8))
A_16x32 = shared("A", "SM120*SM120_16x8x32_*", "SM120_16x8x32_*")  # ((4,8),(4,2,2)):((64,1),(16,8,256))
B_8x32 = shared("B", "SM120*SM120_16x8x32_*", "SM120_16x8x32_*")  # ((4,8),(4,2)):((32,1),(8,128))
A_16x64 = shared("A", "SM120*SM120_16x8x64_*")  # ((4,8),(8,2,2)):((128,1),(16,8,512))
B_8x64 = shared("B", "SM120*SM120_16x8x64_*")  # ((4,8),(8,2)):((64,1),(8,256))
A_16x64_SPARSE = shared("A", "SM120*SM120_SPARSE_16x8x64_*")  # ((4,8),(8,2,2)):((128,1),(16,8,512))
B_8x64_SPARSE = shared("B", "SM120*SM120_SPARSE_16x8x64_*")  # ((4,8),(4,4)):((32,1),(8,128))
A_16x128_SPARSE = shared("A", "SM120*SM120_SPARSE_16x8x128_*")  # ((4,8),(16,2,2)):((256,1),(16,8,1024))
B_8x128_SPARSE = shared("B", "SM120*SM120_SPARSE_16x8x128_*")  # ((4,8),(8,4)):((64,1),(8,256))


@theorem(lane=32, i=4)
def c_16x8(lane: Int, i: Int) -> Claim:
    """C of all of them."""
    return equal(number(mma("m16n8k32", "e2m1").C(lane, i), 16), C_16x8(lane, i))


@theorem(lane=32, i=16)
def a_16x8x32(lane: Int, i: Int) -> Claim:
    """A of K = 32: a byte for each element, however narrow."""
    return equal(number(mma("m16n8k32", "e2m1").A(lane, i), 16), A_16x32(lane, i))


@theorem(lane=32, i=8)
def b_16x8x32(lane: Int, i: Int) -> Claim:
    """B of K = 32."""
    return equal(number_B(mma("m16n8k32", "e3m2").B(lane, i), 8), B_8x32(lane, i))


@theorem(lane=32, i=32)
def a_16x8x64(lane: Int, i: Int) -> Claim:
    """A of K = 64: e2m1, eight in a register."""
    return equal(number(mma("m16n8k64", "e2m1").A(lane, i), 16), A_16x64(lane, i))


@theorem(lane=32, i=16)
def b_16x8x64(lane: Int, i: Int) -> Claim:
    """B of K = 64."""
    return equal(number_B(mma("m16n8k64", "e2m1").B(lane, i), 8), B_8x64(lane, i))


@theorem(lane=32, c=8, r=4)
def sparse_a_16x8x64(lane: Int, c: Int, r: Int) -> Claim:
    """A of sparse K = 64: a register's four elements are of eight columns."""
    return equal(number(place(c, sparse_a(64, lane, 4 * r)), 16), A_16x64_SPARSE(lane, (c, r % 2, r // 2)))


@theorem(lane=32, i=16)
def sparse_b_16x8x64(lane: Int, i: Int) -> Claim:
    """B of sparse K = 64."""
    return equal(number_B(b_sparse_k64(lane, i), 8), B_8x64_SPARSE(lane, i))


@theorem(lane=32, c=16, r=4)
def sparse_a_16x8x128(lane: Int, c: Int, r: Int) -> Claim:
    """A of sparse K = 128: a register's eight elements are of sixteen columns."""
    return equal(number(place(c, sparse_a(128, lane, 8 * r)), 16), A_16x128_SPARSE(lane, (c, r % 2, r // 2)))


@theorem(lane=32, i=32)
def sparse_b_16x8x128(lane: Int, i: Int) -> Claim:
    """B of sparse K = 128."""
    return equal(number_B(b_sparse_k128(lane, i), 8), B_8x128_SPARSE(lane, i))
