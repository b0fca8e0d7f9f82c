"""Where CuTe compiles a wrong retile_D without a word, and the view that is right.

Two warps, and an N permutation that lays the second and third 8 columns in exchanged order. retile_D
indexes the fragment's steps of N by where they lie in the tile; the fragment has them in permuted order.
Nothing checks that the two orders are one, and half of all registers get another column's element.
"""

from symlayout import Layout, atoms
from symlayout.claims import Claim, equal
from symlayout.symbolic import Int
from symlayout.theory import refutation, theorem
from symlayout.tiled_copy import make_tiled_copy_B
from symlayout.tiled_mma import make_tiled_mma

order_of_n = Layout((8, 2, 2), (1, 16, 8))  # (8,2,2):(1,16,8)
mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (2, 1, 1), (32, order_of_n, 16))
copy = make_tiled_copy_B(atoms.SM75_U32x4_LDSM_N, mma)

sB = Layout((64, 32), (32, 1))  # (64,32):(32,1)
tCrB = mma.fragment_B(sB)  # ((2,2),(2,2,2),2):((1,2),(16,8,32),4)
cute_view = copy.retile_D(tCrB, unchecked=True)  # (((4,2),2),2,2):(((1,8),16),32,4)
right_view = copy.right_view(mma, "B", sB)  # (((4,2),2),2,2):(((1,16),8),32,4)

in_order = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (2, 1, 1), (32, 32, 16))
copy_in_order = make_tiled_copy_B(atoms.SM75_U32x4_LDSM_N, in_order)


@refutation(witness={"thread": 0, "value": 4, "slot": 8})
def cute_view_is_wrong() -> Claim:
    """CuTe's retile_D of B is correct (false: thread 0 gets B(16,0) in register 8, where its mma reads
    B(8,0))."""
    return copy.retile_correct(mma, "B", sB)


@theorem()
def right_view_is_correct() -> Claim:
    """CuTe's view with the strides 8 and 16 exchanged gives every register the element that its mma reads."""
    return copy.retile_correct(mma, "B", sB, view=right_view)


@theorem(a=4, i=2, j=2)
def strides_8_and_16_are_exchanged(a: Int, i: Int, j: Int) -> Claim:
    """The right view at step (i, j) is CuTe's at step (j, i)."""
    return equal(right_view(((a, i), j), 0, 0), cute_view(((a, j), i), 0, 0))


@theorem()
def plain_permutation_is_correct() -> Claim:
    """With N in its own order, permutation (32, 32, 16), CuTe's retile_D of B is correct."""
    return copy_in_order.retile_correct(in_order, "B", sB)
