"""A of one SM80 mma, loaded by ldmatrix.x1: eight half values a lane, two at a time.

The mma wants eight values in each lane, one ldmatrix.x1 brings two, so four loads fill the fragment.
retile_D only renumbers the lane's own registers, and what it renumbers them to is what the mma reads.
"""

from symlayout import atoms, composition, make_identity_layout, recast_layout
from symlayout.claims import Claim, all_of, bijective, covers, equal, within
from symlayout.symbolic import Int
from symlayout.theory import theorem
from symlayout.tiled_copy import make_tiled_copy_A
from symlayout.tiled_mma import make_tiled_mma

mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
copy = make_tiled_copy_A(atoms.SM75_U32x1_LDSM_N, mma)

A = make_identity_layout((16, 16))  # (16,16):(1@0,1@1)
tCrA = mma.fragment_A((16, 16))  # ((2,2,2),1,1):((1,2,4),0,0)
tXrA = copy.retile_D(tCrA)  # ((2,4),1,1):((1,2),0,0)

# (lane, value) -> element (m, k) that the mma reads from the lane
read_by_mma = composition(A, mma.layout_A_TV)  # ((4,8),((2,2,2),(1,1))):((2@1,1@0),((1@1,8@0,8@1),(0,0)))
# (lane, (value, load), rest) -> element that the load brings to the lane
loaded = copy.tidfrg_D(A)  # ((4,8),(2,(2,2)),(1,1)):((2@1,1@0),(1@1,(8@0,8@1)),(0,0))
# the same eight values as four 32-bit operands a0 .. a3
operands = recast_layout(16, 32, tCrA)  # ((1,2,2),1,1):((1,1,2),0,0)


@theorem(a=2, b=4)
def retile_groups_pairs(a: Int, b: Int) -> Claim:
    """tXrA(a, b) = tCrA(a + 2b): load b writes the registers 2b and 2b + 1."""
    return equal(tXrA((a, b), 0, 0), tCrA(a + 2 * b, 0, 0))


@theorem(lane=32, a=2, b=2, c=2)
def register_holds(lane: Int, a: Int, b: Int, c: Int) -> Claim:
    """r[a + 2b + 4c] = A(lane/4 + 8b, 2(lane%4) + a + 8c): what the mma reads from each register."""
    return all_of(
        equal(tCrA(a + 2 * b + 4 * c, 0, 0), a + 2 * b + 4 * c),
        equal(read_by_mma(lane, a + 2 * b + 4 * c), (lane // 4 + 8 * b, 2 * (lane % 4) + a + 8 * c)),
    )


@theorem()
def mma_reads_each_element_once() -> Claim:
    """The 32 lanes x 8 values are the 256 elements of A, each exactly once."""
    return bijective(mma.layout_A_TV)


@theorem(lane=32, a=2, b=4)
def load_brings(lane: Int, a: Int, b: Int) -> Claim:
    """Load b brings the pair at row lane/4, columns 2(lane%4), 2(lane%4) + 1 of the block at (8(b%2),
    8(b/2))."""
    return equal(loaded(lane, (a, b), 0), (lane // 4 + 8 * (b % 2), 2 * (lane % 4) + a + 8 * (b // 2)))


@theorem(lane=32, a=2, b=2, c=2)
def loads_stay_in_their_blocks(lane: Int, a: Int, b: Int, c: Int) -> Claim:
    """The loads 0, 1, 2, 3 stay in the 8x8 blocks at (0,0), (8,0), (0,8), (8,8)."""
    return all_of(
        within(loaded(lane, (a, b + 2 * c), 0)[0], 8 * b, 8 * b + 8),
        within(loaded(lane, (a, b + 2 * c), 0)[1], 8 * c, 8 * c + 8),
    )


@theorem()
def loads_fill_a() -> Claim:
    """The four loads bring each of the 256 elements to exactly one register of one lane."""
    return covers(copy.layout_D_TV, 256, times=1)


@theorem(lane=32, a=2, b=4)
def loaded_where_mma_reads(lane: Int, a: Int, b: Int) -> Claim:
    """What load b brings to a lane as value a is what the mma reads from the register tXrA(a, b)."""
    return equal(loaded(lane, (a, b), 0), read_by_mma(lane, tXrA((a, b), 0, 0)))


@theorem()
def retile_is_correct() -> Claim:
    """retile_D puts every element of A where the mma reads it, in every lane, and fills every register
    once."""
    return copy.retile_correct(mma, "A", (16, 16))


@theorem(a=2, q=4)
def register_pairs_make_operands(a: Int, q: Int) -> Claim:
    """r[2q] and r[2q + 1] are the low and the high half of operand a_q: r[0] and r[1] make a0."""
    return all_of(
        equal(tCrA(a + 2 * q, 0, 0) // 2, operands(q, 0, 0)),
        equal(tCrA(a + 2 * q, 0, 0) % 2, a),
    )


@theorem(a=2, b=4)
def load_makes_operand(a: Int, b: Int) -> Claim:
    """The 32 bits of load b are operand a_b: its halves a go to the halves a."""
    return equal((tXrA((a, b), 0, 0) // 2, tXrA((a, b), 0, 0) % 2), (operands(b, 0, 0), a))
