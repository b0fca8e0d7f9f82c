"""Every fragment hits its tile once: no element without an owner, none with two; or exactly k owners, and k.

The formulas behind the catalogue stand first, for all sizes; then come the literals of the instructions that
work in a warp, each distinct layout once. Source: symlayout/atoms, which follows cute/atom/*_traits_sm*.hpp.
"""

from symlayout import Layout, atoms, dims
from symlayout.atoms.coverage import distinct_claims
from symlayout.claims import Claim, all_of, bijective, covers
from symlayout.theory import refutation, theorem

N, V = dims("N V")
R, K = dims("R K")

# ── formulas ───────────────────────────────────────────────────────────────────────────────────────────────

rows_of_a_warp = Layout(
    ((4, 8), (V, 2, 2)), ((16 * V, 1), (16, 8, 64 * V))
)  # ((4,8),(V,2,2)):((16*V,1),(16,8,64*V))
rows_of_a_warpgroup = Layout(
    ((4, 8, 4), (V, 2, 2)), ((64 * V, 1, 16), (64, 8, 256 * V))
)  # ((4,8,4),(V,2,2)):((64*V,1,16),(64,8,256*V))
accumulator = Layout(
    ((4, 8, 4), (2, 2, N)), ((128, 1, 16), (64, 8, 512))
)  # ((4,8,4),(2,2,N)):((128,1,16),(64,8,512))
descriptor = Layout((128, (R, K)), (0, (1, R)))  # (128,(R,K)):(0,(1,R))
half_of_a_pair = Layout((2, (R, K)), (R, (1, 2 * R)))  # (2,(R,K)):(R,(1,2*R))


@theorem()
def a_of_mma_sync() -> Claim:
    """A of 16 x 8V, V values to a register (2 halves, 4 bytes): each element has one owner, for every V."""
    return bijective(rows_of_a_warp, 128 * V)


@theorem()
def a_of_wgmma() -> Claim:
    """A of 64 x 8V in registers: the same, for the four warps of wgmma."""
    return bijective(rows_of_a_warpgroup, 512 * V)


@theorem()
def c_of_wgmma() -> Claim:
    """C of 64 x 8N: each element has one owner, for every N."""
    return bijective(accumulator, 512 * N)


@theorem()
def operands_in_shared_memory() -> Claim:
    """A descriptor names the whole tile R x K for each of the 128 threads: every element 128 times."""
    return covers(descriptor, R * K, times=128)


@theorem()
def operands_of_a_pair_of_ctas() -> Claim:
    """Two CTAs have half of the 2R rows each, and no element twice."""
    return bijective(half_of_a_pair, 2 * R * K)


# ── literals ───────────────────────────────────────────────────────────────────────────────────────────────

MMA_SYNC = atoms.find("mma.sync") + atoms.find("SM61_DP?A")
MATRIX_MOVES = atoms.find("ldmatrix") + atoms.find("stmatrix") + atoms.find("movmatrix")


@theorem()
def every_mma_sync() -> Claim:
    """A, B and C of every mma.sync and dp4a atom: each element has one owner."""
    return all_of(*distinct_claims(MMA_SYNC))


@theorem()
def every_ldmatrix_and_stmatrix() -> Claim:
    """Registers of ldmatrix, stmatrix and movmatrix hold each bit once; addresses of x1 and x2 repeat."""
    return all_of(*distinct_claims(MATRIX_MOVES))


@refutation(witness={"i": 1, "j": 128})
def int4_of_cutlass_4_2() -> Claim:
    """B of int4 SM80_16x8x32 in CUTLASS 4.2: each element has one owner (false: lanes 0 and 1 own 32)."""
    return bijective(atoms.mma("SM80_16x8x32_S32S4S4S32_TN_CUTE_4_2").layout_B, 256)
