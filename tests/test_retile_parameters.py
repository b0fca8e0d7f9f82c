"""retile over parameters: the verdict for all sizes is that of every small instance."""

from typing import Any

import pytest

from symlayout import Layout, NeedFact, atoms, dims, prove
from symlayout.copy_tiling import TiledCopy
from symlayout.parametric import at
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from symlayout.tiled_mma import TiledMMA, make_tiled_mma
from symlayout.verdict import Proved, Refuted

M, N, K = dims("M N K")
ATOM = atoms.SM80_16x8x16_F32F16F16F32_TN
mma = make_tiled_mma(ATOM)
wide = make_tiled_mma(ATOM, (1, 1, 1), (16, 8, 32))
warps = make_tiled_mma(ATOM, (2, 2, 1), (32, 32, 16))
exchanged = make_tiled_mma(ATOM, (2, 1, 1), (32, Layout((8, 2, 2), (1, 16, 8)), 16))
x1, x4 = atoms.SM75_U32x1_LDSM_N, atoms.SM75_U32x4_LDSM_N
stmatrix = atoms.SM90_U32x1_STSM_N.with_type("half_t")

RIGHT = [
    (make_tiled_copy_B(x4, wide), wide, "B", (8 * N, 32 * K), "D"),
    (make_tiled_copy_A(x4, mma), mma, "A", (16 * M, 16 * K), "D"),
    (make_tiled_copy_A(x1, mma), mma, "A", Layout((16 * M, 16 * K), (16 * K + 8, 1)), "D"),
    (make_tiled_copy_A(x4, warps), warps, "A", (32 * M, 16 * K), "D"),
    (make_tiled_copy_B(x4, warps), warps, "B", (32 * N, 16 * K), "D"),
    (make_tiled_copy_C(stmatrix, mma), mma, "C", (16 * M, 8 * N), "S"),
]


@pytest.mark.parametrize("copy, mma, operand, tensor, side", RIGHT)
def test_proved_for_all_sizes(copy: TiledCopy, mma: TiledMMA, operand: str, tensor: Any, side: str) -> None:
    verdict = prove(copy.retile_correct(mma, operand, tensor, side=side))
    assert isinstance(verdict, Proved), str(verdict)
    assert len(verdict.certificate) > 10
    for values in ({"M": 1, "N": 1, "K": 1}, {"M": 2, "N": 3, "K": 2}):
        here = at(tensor, values)
        assert isinstance(prove(copy.retile_correct(mma, operand, here, side=side)), Proved)
        assert copy.retile(mma.fragment(operand, here)).canonical() == (
            at(copy.retile(mma.fragment(operand, tensor)), values).canonical()
        )


def test_silent_permutation_is_refuted_at_the_smallest_sizes() -> None:
    copy = make_tiled_copy_B(x4, exchanged)
    verdict = prove(copy.retile_correct(exchanged, "B", (32 * N, 16 * K)))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"N": 1, "K": 1, "thread": 0, "value": 4, "slot": 4}
    assert "the mma has B" in verdict.explanation


def test_sizes_that_are_no_multiples_want_a_fact() -> None:
    with pytest.raises(NeedFact) as caught:
        mma.fragment_A((M, 16 * K))
    assert caught.value.fact == "16 | M"


def test_a_view_of_the_wrong_registers_is_refuted() -> None:
    copy = make_tiled_copy_B(x4, wide)
    wrong = Layout(((4, 2), N, K), ((1, 8), 8 * K, 4))
    verdict = prove(copy.retile_correct(wide, "B", (8 * N, 32 * K), view=wrong))
    assert isinstance(verdict, Refuted)
