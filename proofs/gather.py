"""One ldmatrix.x4 for two mmas: B of a 8x32 tile, gathered along K. B is (N,K): B(n,k).

The load brings eight values, one mma reads four, so a load serves the two mmas that follow each other along
K. The fragment over a 32x32 tensor is (V,N,K) = (4,4,2): retile_D must take two steps of K, and dividing
the fragment by 8 takes two steps of N instead.
"""

from symlayout import Layout, atoms, make_identity_layout, zipped_divide
from symlayout.claims import Claim, all_of, equal
from symlayout.symbolic import Int
from symlayout.theory import refutation, theorem
from symlayout.tiled_copy import make_tiled_copy_B
from symlayout.tiled_mma import make_tiled_mma

mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (1, 1, 1), (16, 8, 32))
copy = make_tiled_copy_B(atoms.SM75_U32x4_LDSM_N, mma)

sB = Layout((32, 32), (32, 1))  # (32,32):(32,1)
B = make_identity_layout((32, 32))  # (32,32):(1@0,1@1)
tCrB = mma.fragment_B(sB)  # ((2,2),4,2):((1,2),8,4)
tXrB = copy.retile_D(tCrB)  # ((8,1),4,1):((1,0),8,0)

# (lane, (value, load), (n, k)) -> element that the load brings to the lane
loaded = copy.tidfrg_D(B)  # ((4,8),((2,4),1),(4,1)):((2@1,1@0),((1@1,8@1),0),(8@0,0))
by_eight = zipped_divide(tCrB, 8)  # ((4,2),(2,2)):((1,8),(16,4))
by_tiler = zipped_divide(tCrB, (4, 1, 2))  # ((4,1,2),(1,4,1)):((1,0,4),(0,8,0))


@theorem(a=8, n=4)
def load_takes_two_steps_of_k(a: Int, n: Int) -> Claim:
    """tXrB((a, 0), n) = tCrB(a%4, n, a/4) = r[a + 8n]: values 0-3 for the first mma, 4-7 for the next along
    K."""
    return all_of(
        equal(tXrB((a, 0), n, 0), tCrB(a % 4, n, a // 4)),
        equal(tXrB((a, 0), n, 0), a + 8 * n),
    )


@theorem(a=8)
def lane_0_receives(a: Int) -> Claim:
    """Lane 0 receives B(0,0) B(0,1) B(0,8) B(0,9) B(0,16) B(0,17) B(0,24) B(0,25) in r[0] .. r[7]."""
    return all_of(
        equal(loaded(0, (a, 0), 0), (0, a % 2 + 8 * (a // 2))),
        equal(tXrB((a, 0), 0, 0), a),
    )


@theorem()
def retile_is_correct() -> Claim:
    """retile_D puts every element of the 32x32 tensor where an mma reads it, in every lane."""
    return copy.retile_correct(mma, "B", sB)


@refutation(a=8, witness={"a": 4})
def dividing_by_8_is_no_retile(a: Int) -> Claim:
    """zipped_divide(tCrB, 8) has the registers of the first load (false: 0 1 2 3 8 9 10 11, it walks along
    N)."""
    return equal(zipped_divide(tCrB, 8)(a, 0), tXrB((a, 0), 0, 0))


@theorem(a=4, n=2)
def dividing_by_8_walks_along_n(a: Int, n: Int) -> Claim:
    """zipped_divide(tCrB, 8)(a + 4n) = tCrB(a, n, 0): after four values it moves on in N."""
    return equal(by_eight(a + 4 * n, 0), tCrB(a, n, 0))


@theorem(a=8, n=4)
def dividing_by_the_right_tile_is_a_retile(a: Int, n: Int) -> Claim:
    """zipped_divide(tCrB, (4, 1, 2)) agrees with retile_D: one step of N and two of K make a load."""
    return equal(by_tiler(a, n), tXrB((a, 0), n, 0))
