"""Who holds which rows, and the permutation that makes them neighbours."""

import pytest

from symlayout import Layout, LayoutError, bijective, make_tiled_mma, prove
from symlayout.ownership import contiguous_permutation, owned
from symlayout.tiled_mma import TiledMMA

SM80 = "SM80_16x8x16_F32F16F16F32_TN"
CASES = [
    (make_tiled_mma(SM80, (2, 1, 1), (64, None, None)), "C", "M"),
    (make_tiled_mma(SM80, (2, 1, 1), (64, None, None)), "A", "M"),
    (make_tiled_mma(SM80, (1, 2, 1), (None, 32, None)), "C", "N"),
    (make_tiled_mma(SM80, (1, 2, 1), (None, 32, None)), "B", "K"),
    (make_tiled_mma(SM80, (1, 1, 1), (None, None, 64)), "A", "K"),
    (make_tiled_mma("SM70_8x8x4_F32F16F16F32_NT", Layout((2, 2), (2, 1)), (32, 32, 4)), "A", "M"),
]


def test_the_accumulator_of_one_warp() -> None:
    mma = make_tiled_mma(SM80)
    assert owned(mma, "C", 5, "M") == (1, 9)
    assert owned(mma, "C", 5, "N") == (2, 3)
    assert owned(mma, "A", 5, "K") == (2, 3, 10, 11)


@pytest.mark.parametrize("mma, operand, mode", CASES)
def test_with_the_permutation_every_thread_holds_a_run(mma: TiledMMA, operand: str, mode: str) -> None:
    permutation = contiguous_permutation(mma, operand, mode)
    k = "MNK".index(mode)
    entries = list(mma.permutation)
    entries[k] = permutation
    repaired = make_tiled_mma(mma.atom, mma.atom_layout, tuple(entries))
    assert prove(bijective(permutation, mma.tile_size(k)))
    for t in mma.thread_ids():
        before, after = (owned(x, operand, t, mode) for x in (mma, repaired))
        assert len(before) == len(after)
        assert list(after) == list(range(after[0], after[0] + len(after)))


def test_a_mode_that_the_operand_does_not_have() -> None:
    with pytest.raises(LayoutError, match="A has the modes M and K, not 'N'"):
        owned(make_tiled_mma(SM80), "A", 0, "N")
