"""B of one SM80 mma, loaded by ldmatrix.x1 and by ldmatrix.x2. B is (N,K): B(n,k).

Four half values a lane. With x1 the fragment already has the order of the loads, two pairs; with x2 one
load fills it. The lanes that give addresses are not the lanes that receive: both sides are counted here.
"""

from symlayout import atoms, composition, make_identity_layout
from symlayout.claims import Claim, all_of, bijective, covers, equal
from symlayout.symbolic import Int
from symlayout.theory import theorem
from symlayout.tiled_copy import make_tiled_copy_B
from symlayout.tiled_mma import make_tiled_mma

mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
copy = make_tiled_copy_B(atoms.SM75_U32x1_LDSM_N, mma)
copy_x2 = make_tiled_copy_B(atoms.SM75_U32x2_LDSM_N, mma)

B = make_identity_layout((8, 16))  # (8,16):(1@0,1@1)
tCrB = mma.fragment_B((8, 16))  # ((2,2),1,1):((1,2),0,0)
tXrB = copy.retile_D(tCrB)  # ((2,2),1,1):((1,2),0,0)
tXrB_x2 = copy_x2.retile_D(tCrB)  # ((4,1),1,1):((1,0),0,0)

# (lane, value) -> element (n, k) that the mma reads from the lane
read_by_mma = composition(B, mma.layout_B_TV)  # ((4,8),((2,2),(1,1))):((2@1,1@0),((1@1,8@1),(0,0)))
# (lane, (value, load), rest) -> element that the load brings to the lane
loaded = copy.tidfrg_D(B)  # ((4,8),(2,2),(1,1)):((2@1,1@0),(1@1,8@1),(0,0))
loaded_x2 = copy_x2.tidfrg_D(B)  # ((4,8),((2,2),1),(1,1)):((2@1,1@0),((1@1,8@1),0),(0,0))
# (lane, (position, load), rest) -> element at that position of the row whose address the lane gives
addressed = copy.tidfrg_S(B)  # ((8,4),(8,2),(1,1)):((1@0,0),(1@1,8@1),(0,0))


@theorem(lane=32, a=2, b=2)
def register_holds(lane: Int, a: Int, b: Int) -> Claim:
    """r[a + 2b] = B(lane/4, 2(lane%4) + a + 8b): what the mma reads from each register."""
    return all_of(
        equal(tCrB(a + 2 * b, 0, 0), a + 2 * b),
        equal(read_by_mma(lane, a + 2 * b), (lane // 4, 2 * (lane % 4) + a + 8 * b)),
    )


@theorem()
def mma_reads_each_element_once() -> Claim:
    """The 32 lanes x 4 values are the 128 elements of B, each exactly once."""
    return bijective(mma.layout_B_TV)


@theorem()
def x1_keeps_the_fragment() -> Claim:
    """With x1 the view is the fragment itself: two loads of two values."""
    return equal(tXrB, tCrB)


@theorem(lane=32, a=2, b=2)
def x1_destinations_match(lane: Int, a: Int, b: Int) -> Claim:
    """x1: what load b brings is what the mma reads from register tXrB(a, b); 32 lanes x 4 values = 128
    matches."""
    return equal(loaded(lane, (a, b), 0), read_by_mma(lane, tXrB((a, b), 0, 0)))


@theorem(b=2, lane=32, v=8)
def x1_sources_match(b: Int, lane: Int, v: Int) -> Claim:
    """x1: lane gives the row B(lane%8, 8b .. 8b+7) to load b; 2 loads x 32 lanes x 8 values = 512
    references."""
    return equal(addressed(lane, (v, b), 0), (lane % 8, v + 8 * b))


@theorem()
def x1_destinations_cover_b() -> Claim:
    """x1: each of the 128 elements is received once."""
    return covers(copy.layout_D_TV, 128, times=1)


@theorem()
def x1_sources_cover_b_four_times() -> Claim:
    """x1: each of the 128 elements is named by exactly 4 lanes, l, l + 8, l + 16, l + 24; 512 references."""
    return covers(copy.layout_S_TV, 128, times=4)


@theorem(v=8, a=2)
def lane_1_gives_one_row_and_receives_of_another(v: Int, a: Int) -> Claim:
    """In load 0 lane 1 gives the address of B(1, 0..7), and receives B(0,2) and B(0,3)."""
    return all_of(
        equal(addressed(1, (v, 0), 0), (1, v)),
        equal(loaded(1, (a, 0), 0), (0, 2 + a)),
    )


@theorem(a=4)
def x2_fills_the_fragment_in_one_load(a: Int) -> Claim:
    """x2: tXrB_x2(a, 0) = tCrB(a): one load of four values."""
    return equal(tXrB_x2((a, 0), 0, 0), tCrB(a, 0, 0))


@theorem(lane=32, a=4)
def x2_destinations_match(lane: Int, a: Int) -> Claim:
    """x2: what the load brings is what the mma reads from register tXrB_x2(a, 0); 128 matches."""
    return equal(loaded_x2(lane, (a, 0), 0), read_by_mma(lane, tXrB_x2((a, 0), 0, 0)))


@theorem()
def x2_sources_cover_b_twice() -> Claim:
    """x2: each of the 128 elements is named by exactly 2 lanes, l and l + 16."""
    return covers(copy_x2.layout_S_TV, 128, times=2)


@theorem()
def x1_retile_is_correct() -> Claim:
    """x1: retile_D puts every element of B where the mma reads it, and fills every register once."""
    return copy.retile_correct(mma, "B", (8, 16))


@theorem()
def x2_retile_is_correct() -> Claim:
    """x2: retile_D puts every element of B where the mma reads it, and fills every register once."""
    return copy_x2.retile_correct(mma, "B", (8, 16))
