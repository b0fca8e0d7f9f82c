"""ldmatrix: the lanes that give row addresses are not the lanes that receive the rows.

X is one 8x8 matrix of half; its element (row, column) has the index 8*row + column, and matrix m of a .x2
or .x4 adds 64*m. Source: PTX ISA, ldmatrix; cute/atom/copy_traits_sm75.hpp (CUTLASS 4.2).
"""

from symlayout import Layout, atoms
from symlayout.claims import Claim, all_of, bijective, covers, equal
from symlayout.symbolic import Int
from symlayout.theory import theorem

x1 = atoms.SM75_U32x1_LDSM_N.with_type("half_t")
x2 = atoms.SM75_U32x2_LDSM_N.with_type("half_t")
x4 = atoms.SM75_U32x4_LDSM_N.with_type("half_t")
x1_trans = atoms.SM75_U16x2_LDSM_T.with_type("half_t")

# (lane, position in the row) -> element at the address that the lane gives
source = x1.layout_src  # ((8,4),8):((8,0),1)
# (lane, value) -> element that the lane receives
received = x1.layout_dst  # (32,2):(2,1)
source_x2 = x2.layout_src  # ((16,2),8):((8,0),1)
received_x2 = x2.layout_dst  # (32,(2,2)):(2,(1,64))
source_x4 = x4.layout_src  # (32,8):(8,1)
received_x4 = x4.layout_dst  # (32,(2,4)):(2,(1,64))
received_trans = x1_trans.layout_dst  # ((4,8),(1,2)):((16,1),(1,8))


@theorem(lane=8, v=8)
def lanes_0_to_7_give_the_rows(lane: Int, v: Int) -> Claim:
    """x1: the address of lane l, 0 <= l < 8, is that of row l: it names X(l, 0..7)."""
    return equal(source(lane, v), 8 * lane + v)


@theorem()
def lanes_8_to_31_repeat_them() -> Claim:
    """x1: the source's thread mode is (8,4) with stride 0 on the 4: lanes l, l + 8, l + 16, l + 24 name one
    row."""
    return equal(source[0], Layout((8, 4), (8, 0)))


@theorem()
def each_element_is_named_by_four_lanes() -> Claim:
    """x1: 32 lanes x 8 positions name each of the 64 elements exactly 4 times."""
    return covers(source, 64, times=4)


@theorem(i=8, j=4, a=2)
def lane_4i_j_receives(i: Int, j: Int, a: Int) -> Claim:
    """x1: lane 4i + j receives X(i, 2j) in the low half and X(i, 2j + 1) in the high half."""
    return equal(received(4 * i + j, a), 8 * i + 2 * j + a)


@theorem()
def each_element_is_received_once() -> Claim:
    """x1: 32 lanes x 2 halves receive each of the 64 elements exactly once."""
    return bijective(received)


@theorem(i=8, j=4, a=2)
def trans_receives_the_transposed(i: Int, j: Int, a: Int) -> Claim:
    """x1.trans: lane 4i + j receives X(2j, i) in the low half and X(2j + 1, i) in the high half."""
    return equal(received_trans(4 * i + j, a), 8 * (2 * j + a) + i)


@theorem(m=2, lane=8, v=8)
def x2_rows(m: Int, lane: Int, v: Int) -> Claim:
    """x2: lane 8m + l, m < 2, gives row l of matrix m."""
    return equal(source_x2(8 * m + lane, v), 64 * m + 8 * lane + v)


@theorem(m=4, lane=8, v=8)
def x4_rows(m: Int, lane: Int, v: Int) -> Claim:
    """x4: lane 8m + l gives row l of matrix m, so all 32 lanes give addresses."""
    return equal(source_x4(8 * m + lane, v), 64 * m + 8 * lane + v)


@theorem(lane=32, a=2, m=4)
def each_matrix_is_received_alike(lane: Int, a: Int, m: Int) -> Claim:
    """x2, x4: register m of a lane is what x1 of matrix m alone would give it."""
    return all_of(
        equal(received_x2(lane, a + 2 * (m % 2)), received(lane, a) + 64 * (m % 2)),
        equal(received_x4(lane, a + 2 * m), received(lane, a) + 64 * m),
    )
