"""The memory side of copies, against walking every thread's own partition."""

from typing import Any

import pytest

from symlayout import (
    Layout,
    Proved,
    Refuted,
    Swizzle,
    atoms,
    composition,
    make_tiled_mma,
    prove,
    tile_to_shape,
)
from symlayout.copy_tiling import TiledCopy
from symlayout.errors import LayoutError
from symlayout.memory_claim import addresses_aligned, contiguous, memory_correct, whole_instructions
from symlayout.tiled_copy import make_tiled_copy, make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C

MMA = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))
LDSM = make_tiled_copy_A("SM75_U32x4_LDSM_N", MMA)
LDSM_B = make_tiled_copy_B("SM75_U16x8_LDSM_T", MMA)
STSM = make_tiled_copy_C(atoms.copy("SM90_U32x4_STSM_N").with_type("half_t"), MMA)
WIDE = make_tiled_copy(
    atoms.copy("UniversalCopy<uint128_t>").with_type("half_t"), Layout((16, 8), (8, 1)), (1, 8)
)

SIXTY_FOUR = Layout((64, 64), (64, 1))
TENSORS = [
    SIXTY_FOUR,
    Layout((64, 64), (1, 64)),
    Layout((64, 64), (68, 1)),
    Layout((64, 64), (66, 1)),
    tile_to_shape(composition(Swizzle(3, 3, 3), Layout((8, 64), (64, 1))), (64, 64)),
    tile_to_shape(composition(Swizzle(2, 1, 3), Layout((8, 64), (64, 1))), (64, 64)),
    tile_to_shape(composition(Swizzle(3, 3, 3), Layout((64, 8), (1, 64))), (64, 64)),
]


def walked(copy: TiledCopy, tensor: Any, side: str) -> tuple[int, int]:
    """How many values are moved wrongly and how many addresses are not aligned, thread by thread."""
    moved = (copy.atom.layout_src if side == "S" else copy.atom.layout_dst)[1].size()
    wrong = crooked = 0
    for t in range(copy.num_thr):
        thread = copy.get_slice(t)
        part = thread.partition_S(tensor) if side == "S" else thread.partition_D(tensor)
        offsets = [part(i) for i in range(part.size())]
        for first in range(0, len(offsets), moved):
            address = offsets[first]
            crooked += address % moved != 0
            wrong += sum(offsets[first + v] != address + v for v in range(moved))
    return wrong, crooked


@pytest.mark.parametrize("copy, side", [(LDSM, "S"), (LDSM_B, "S"), (STSM, "D"), (WIDE, "S"), (WIDE, "D")])
@pytest.mark.parametrize("tensor", TENSORS, ids=str)
def test_counts_are_those_of_walking(copy: TiledCopy, side: str, tensor: Any) -> None:
    wrong, crooked = walked(copy, tensor, side)
    for claim, count in ((contiguous, wrong), (addresses_aligned, crooked)):
        verdict = prove(claim(copy, tensor, side=side))
        if count:
            assert isinstance(verdict, Refuted)
            assert verdict.failures == count
            assert verdict.replayed
        else:
            assert isinstance(verdict, Proved)


def test_the_side_is_the_one_without_registers() -> None:
    for copy, side in ((LDSM, "S"), (STSM, "D"), (WIDE, "S")):
        assert contiguous(copy, SIXTY_FOUR) == contiguous(copy, SIXTY_FOUR, side=side)
    with pytest.raises(LayoutError, match="side 'A': it is S"):
        contiguous(LDSM, SIXTY_FOUR, side="A")


def test_texts() -> None:
    assert (
        str(memory_correct(WIDE, SIXTY_FOUR))
        == "UniversalCopy<uint128_t> moves in (64,64):(64,1) what the layout says"
    )
    verdict = prove(memory_correct(WIDE, Layout((64, 64), (1, 64)), side="D"))
    assert isinstance(verdict, Refuted)
    assert verdict.part.startswith("each access")  # before it is asked where the access begins
    verdict = prove(addresses_aligned(WIDE, Layout((64, 64), (1, 64)), side="D"))
    assert isinstance(verdict, Refuted)
    assert "thread 8 gives the address of element (1,0), byte 2: 2 % 16 = 2" in verdict.explanation
    verdict = prove(contiguous(WIDE, Layout((64, 64), (1, 64)), side="D"))
    assert isinstance(verdict, Refuted)
    assert "value 1 of element (0,1) goes to (1,0): offset 64 is not 0 + 1" in verdict.explanation
    assert "is the instruction for it" not in verdict.explanation  # nothing is known to be better


def test_a_repair_is_offered_only_if_it_is_one() -> None:
    """Padding rows of 68 to 72 helps ldmatrix; rows of 66 with 4-byte elements in between it would not."""
    verdict = prove(memory_correct(LDSM, Layout((64, 64), (68, 1))))
    assert isinstance(verdict, Refuted)
    assert "padded to (64,64):(72,1) it is right (proved)" in verdict.explanation
    gaps = Layout((64, (8, 8)), (66, (2, 16)))
    verdict = prove(addresses_aligned(LDSM, gaps))
    assert isinstance(verdict, Refuted)
    assert "it is right" not in verdict.explanation


def test_two_claims_that_are_each_others_repair_come_to_an_end() -> None:
    """Neither ldmatrix nor its .trans moves such rows, and each is offered for the other."""
    verdict = prove(memory_correct(LDSM, Layout((64, 32), (208, 16))))
    assert isinstance(verdict, Refuted)
    assert "(proved)" not in verdict.explanation


@pytest.mark.parametrize("held", range(1, 13))
def test_whole_instructions(held: int) -> None:
    atom = atoms.copy("UniversalCopy<uint64_t>").with_type("half_t")
    verdict = prove(whole_instructions(atom, Layout((held, 3), (1, held))))
    assert isinstance(verdict, Proved if held % 4 == 0 else Refuted)
    if isinstance(verdict, Refuted):
        assert f"mode 0 has {held} values, {2 * held} bytes, the instruction moves 8" in verdict.explanation
        assert "overwrites is (0,1)" in verdict.explanation
