"""The article's warning, checked: when the configuration changes, what retile takes for granted may stop to
hold.

Whole instructions (TiledNumThr % AtomNumThr, TiledNumVal % AtomNumVal), registers on the reference side
(Dst = Ref), and the first V values of the copy in the order of the mma's. Each has a configuration that
keeps it and one that breaks it.
"""

from symlayout import Layout, atoms
from symlayout.checklist import checklist
from symlayout.claims import Claim, all_of
from symlayout.copy_tiling import TiledCopy
from symlayout.theory import refutation, theorem
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from symlayout.tiled_mma import make_tiled_mma

mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
# K in another order: a lane's neighbours in K lie four apart
permuted = make_tiled_mma(
    atoms.SM80_16x8x16_F32F16F16F32_TN, (1, 1, 1), (16, 8, Layout((2, 4, 2), (1, 4, 2)))
)

ldmatrix_x1 = make_tiled_copy_A(atoms.SM75_U32x1_LDSM_N, mma)
stmatrix = make_tiled_copy_C(atoms.SM90_U32x1_STSM_N.with_type("half_t"), mma)
for_permuted = make_tiled_copy_B(atoms.SM75_U32x1_LDSM_N, permuted)
# make_tiled_copy_B refuses these two, so they are put together by hand
x4 = atoms.SM75_U32x4_LDSM_N.with_type("half_t")
too_few_values = TiledCopy(x4, mma.layout_B_TV, (8, 16), mma, "B")
too_few_threads = TiledCopy(x4, Layout((16, 8), (1, 16)), (16, 8))


@theorem()
def the_article_s_configuration_holds() -> Claim:
    """ldmatrix.x1 for A of one SM80 mma: everything that retile takes for granted holds."""
    return all_of(*checklist(ldmatrix_x1, mma, "A", (16, 16)))


@theorem()
def stmatrix_through_retile_s_holds() -> Claim:
    """stmatrix has its registers on the source side, so retile_S is the one to use for it."""
    return all_of(*checklist(stmatrix, mma, "C", (16, 8), side="S"))


@refutation(witness={})
def stmatrix_through_retile_d() -> Claim:
    """retile_D serves stmatrix too (false: the partition has 16 values, the view has 4)."""
    return stmatrix.retile_correct(mma, "C", (16, 8))


@refutation(witness={})
def stmatrix_dst_is_ref() -> Claim:
    """Dst = Ref in stmatrix (false: Dst is rows of 8 values in memory, Ref is a lane's 2 values)."""
    return checklist(stmatrix, mma, "C", (16, 8))[2]


@refutation(witness={})
def one_ldmatrix_x4_for_one_mma() -> Claim:
    """TiledNumVal % AtomNumVal = 0 (false: 4 values of B a lane, and ldmatrix.x4 brings 8)."""
    return checklist(too_few_values, mma, "B", (8, 16))[1]


@refutation(witness={})
def one_ldmatrix_for_half_a_warp() -> Claim:
    """TiledNumThr % AtomNumThr = 0 (false: 16 threads, and ldmatrix wants 32 lanes)."""
    return checklist(too_few_threads, mma, "A", (16, 16))[0]


@refutation(witness={"thread": 1, "value": 0})
def copy_made_for_another_mma() -> Claim:
    """The first V values of a copy made for an mma with permuted K are those of the plain mma (false)."""
    return checklist(for_permuted, mma, "B", (8, 16))[3]
