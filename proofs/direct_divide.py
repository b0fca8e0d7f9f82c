"""When a plain divide is as good as retile_D: here for A, whose one fragment has the order of the loads.

The article's A and B (x1) need no gathering, so cutting the fragment into pairs gives retile_D's groups.
`gather` has the case where it does not.
"""

from symlayout import Layout, atoms, logical_divide, zipped_divide
from symlayout.claims import Claim, equal
from symlayout.symbolic import Int
from symlayout.theory import theorem
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B
from symlayout.tiled_mma import make_tiled_mma

mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)

tCrA = mma.fragment_A((16, 16))  # ((2,2,2),1,1):((1,2,4),0,0)
tXrA = make_tiled_copy_A(atoms.SM75_U32x1_LDSM_N, mma).retile_D(tCrA)  # ((2,4),1,1):((1,2),0,0)
direct_zip = zipped_divide(tCrA, 2)  # (2,4):(1,2)
direct_mode = logical_divide(tCrA, (Layout(2),))  # ((2,4),1,1):((1,2),0,0)

tCrB = mma.fragment_B((8, 16))  # ((2,2),1,1):((1,2),0,0)
tXrB = make_tiled_copy_B(atoms.SM75_U32x1_LDSM_N, mma).retile_D(tCrB)  # ((2,2),1,1):((1,2),0,0)
direct_zip_b = zipped_divide(tCrB, 2)  # (2,2):(1,2)
direct_mode_b = logical_divide(tCrB, (Layout(2),))  # ((2,2),1,1):((1,2),0,0)


@theorem(a=2, b=4)
def zipped_divide_agrees(a: Int, b: Int) -> Claim:
    """zipped_divide(tCrA, 2)(a, b) = tXrA((a, b), 0, 0): the same registers, in two modes instead of
    three."""
    return equal(direct_zip(a, b), tXrA((a, b), 0, 0))


@theorem()
def logical_divide_agrees() -> Claim:
    """logical_divide(tCrA, <2>) is retile_D's view, with all three modes."""
    return equal(direct_mode, tXrA)


@theorem(a=2, b=2)
def zipped_divide_agrees_for_b(a: Int, b: Int) -> Claim:
    """zipped_divide(tCrB, 2)(a, b) = tXrB((a, b), 0, 0)."""
    return equal(direct_zip_b(a, b), tXrB((a, b), 0, 0))


@theorem()
def logical_divide_agrees_for_b() -> Claim:
    """logical_divide(tCrB, <2>) is retile_D's view."""
    return equal(direct_mode_b, tXrB)
