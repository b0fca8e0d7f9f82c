"""Does a copy move the whole tensor and nothing else: against counting, element by element."""

import random
from collections import Counter

import pytest

from symlayout import (
    Layout,
    LayoutError,
    Proved,
    Refuted,
    atoms,
    make_identity_layout,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_C,
    make_tiled_mma,
    memory_correct,
    prove,
)
from symlayout.claim_data import claim_data
from symlayout.copy_tiling import TiledCopy, make_tiled_copy_impl

F32 = atoms.UniversalCopy("float").with_type("float")


def moved(copy: TiledCopy, shape: tuple[int, int], side: str) -> list[Counter[tuple[int, int]]]:
    """The elements that each thread names, counted."""
    found = []
    for t in range(copy.num_thr):
        thread = copy.get_slice(t)
        identity = make_identity_layout(shape)
        part = thread.partition_S(identity) if side == "S" else thread.partition_D(identity)
        entries = [tuple(part(i)) for i in range(part.size())]
        found.append(Counter((e + (0, 0))[:2] for e in entries))
    return found


def right(copy: TiledCopy, shape: tuple[int, int], side: str) -> bool:
    own = moved(copy, shape, side)
    every = sum(own, Counter())
    elements = {(m, n) for m in range(shape[0]) for n in range(shape[1])}
    once = every.values() if side == "D" else [n for c in own for n in c.values()]
    return set(every) == elements and max(once) == 1


def test_layouts_that_overlap_are_refuted() -> None:
    copy = make_tiled_copy(F32, Layout((4, 8), (1, 0)), Layout((1, 1)))
    verdict = prove(memory_correct(copy, Layout((4, 16), (16, 1))))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"i": 0, "j": 4}
    assert "the places (0,0) and (0,1) of the tile (4,8) on thread 0, value 0" in verdict.explanation
    for threads, values in (((4, 8), (1, 2)), ((8, 4), (2, 2))):
        overlap = make_tiled_copy(F32, Layout(threads), Layout(values, (0, 1)))
        found = prove(memory_correct(overlap, Layout((32, 32), (32, 1))))
        assert isinstance(found, Proved if values[0] == 1 else Refuted)


def test_a_point_outside_the_tensor_is_the_witness() -> None:
    copy = make_tiled_copy(F32, Layout((1, 128), (128, 1)), Layout((1, 1)))
    verdict = prove(memory_correct(copy, Layout((1, 192), (192, 1))))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"thread": 64, "step": 1, "value": 0}
    assert (verdict.left, verdict.right) == ((0, 192), (1, 192))
    assert (verdict.failures, verdict.instances) == (64, 256)
    assert prove(memory_correct(copy, Layout((1, 256), (256, 1))))
    huge = prove(memory_correct(copy, Layout((1, 10**9 + 8), (10**9 + 8, 1))))
    assert isinstance(huge, Refuted)
    assert huge.left == (0, 10**9 + 8)


def test_an_element_that_nobody_moves() -> None:
    copy = make_tiled_copy_impl(F32, Layout((16, 1), (2, 0)), (32,))
    verdict = prove(memory_correct(copy, Layout(32)))
    assert isinstance(verdict, Refuted)
    assert verdict.part == "every element of the tensor is moved"
    assert "no thread moves element (1)" in verdict.explanation


def test_reading_may_overlap_and_writing_may_not() -> None:
    twice = make_tiled_copy_impl(F32, Layout((64, 1), (0, 0)), (1,))
    tensor = Layout(4)
    assert prove(memory_correct(twice, tensor, side="S"))
    verdict = prove(memory_correct(twice, tensor, side="D"))
    assert isinstance(verdict, Refuted)
    assert "element (0) is thread 0's value 0 of step 0, and thread 1's value 0" in verdict.explanation
    again = make_tiled_copy_impl(F32, Layout((32, 2), (1, 0)), (32,))
    assert isinstance(prove(memory_correct(again, Layout(32), side="S")), Refuted)


def test_warps_that_share_an_operand() -> None:
    mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1))
    for name in ("SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N", "UniversalCopy<uint32_t>"):
        copy = make_tiled_copy_A(atoms.copy(name).with_type("half_t"), mma)
        assert prove(memory_correct(copy, Layout((64, 64), (72, 1))))
        assert prove(memory_correct(copy, Layout((64, 64), (0, 1))))  # one row for all, to be read


def test_lanes_without_an_address_do_not_write() -> None:
    mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))
    for k in (1, 2, 4):
        copy = make_tiled_copy_C(atoms.copy(f"SM90_U32x{k}_STSM_N").with_type("half_t"), mma)
        assert prove(memory_correct(copy, Layout((64, 64), (72, 1))))
        verdict = prove(memory_correct(copy, Layout((64, 64), (0, 1))))
        assert isinstance(verdict, Refuted)
        assert verdict.part == "no two elements of the tensor lie in one place"


def test_warps_along_k_hold_one_sum_in_parts() -> None:
    """Each has a part of C, and both would write it."""
    mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (1, 1, 2))
    copy = make_tiled_copy_C("UniversalCopy<float>", mma)
    tensor = Layout((32, 32), (32, 1))
    assert prove(memory_correct(copy, tensor, side="S"))
    verdict = prove(memory_correct(copy, tensor, side="D"))
    assert isinstance(verdict, Refuted)
    assert verdict.part == "no element is written by two threads, or twice"


def test_one_quad_pair_of_volta_writes_once() -> None:
    mma = make_tiled_mma("SM70_8x8x4_F32F16F16F32_TN")
    copy = make_tiled_copy_C("UniversalCopy<float>", mma)
    assert prove(memory_correct(copy, Layout((16, 16), (16, 1)), side="D"))


@pytest.mark.parametrize("seed", range(40))
def test_random_copies_against_counting(seed: int) -> None:
    rng = random.Random(seed)
    tm, tn = rng.choice([(8, 4), (4, 8), (2, 4), (1, 8)])
    vm, vn = rng.choice([(1, 1), (1, 4), (2, 1), (2, 2)])
    threads = Layout((tm, tn), rng.choice([(tn, 1), (1, tm), (1, 1), (0, 1)]))
    vals = Layout((vm, vn), rng.choice([(vn, 1), (1, vm), (1, 1)]))
    shape = (tm * vm * rng.choice([1, 2]) - rng.choice([0, 0, 1]), tn * vn * rng.choice([1, 2, 3]))
    shape = (max(1, shape[0]), shape[1])
    try:
        copy = make_tiled_copy(F32, threads, vals)
    except LayoutError:
        assert (1, 1) in (threads.stride, vals.stride), "CuTe's own complement refuses some that overlap"
        return
    given = copy.given
    assert given is not None
    as_given = sorted(given(i) for i in range(given.size())) == list(range(given.size()))
    for side in "SD":
        verdict = prove(memory_correct(copy, Layout(shape, (shape[1], 1)), side=side))
        assert isinstance(verdict, Proved) == (as_given and right(copy, shape, side)), verdict


# --- a tensor in pieces ---


@pytest.mark.parametrize(
    ("name", "threads", "values", "tensor", "piecewise", "elements"),
    [
        ("UniversalCopy<half_t>", (2, 2), (1, 1), Layout(((3, 2), (1, 2)), ((2, 22), (14, 1))), 16, 12),
        ("UniversalCopy<half_t>", (1, 1), (2, 2), Layout((6, (3, 2)), (2, (12, 1))), 48, 36),
        ("UniversalCopy<half_t>", (1, 4), (1, 2), Layout((1, (12, 2)), (1, (2, 1))), 32, 24),
        ("AutoVectorizingCopy", (2, 2), (1, 1), Layout(((3, 2), (1, 2)), ((2, 22), (14, 1))), 16, 12),
    ],
)
@pytest.mark.parametrize("side", ["S", "D"])
def test_tiles_across_the_end_of_a_piece(
    name: str,
    threads: tuple[int, int],
    values: tuple[int, int],
    tensor: Layout,
    piecewise: int,
    elements: int,
    side: str,
) -> None:
    copy = make_tiled_copy(atoms.copy(name).with_type("half_t"), Layout(threads), Layout(values))
    verdict = prove(memory_correct(copy, tensor, side=side))
    assert isinstance(verdict, Refuted)
    assert (verdict.left, verdict.right) == (piecewise, elements)
    assert f"piece by piece, into {piecewise} values: its tiles have {elements}" in str(verdict)


@pytest.mark.parametrize("pieces", [(4, 2), (2, 4), (1, 8), (8, 1), (2, 2, 2)])
def test_pieces_of_whole_tiles_are_cut_as_their_elements(pieces: tuple[int, ...]) -> None:
    copy = make_tiled_copy(atoms.copy("UniversalCopy<half_t>").with_type("half_t"), Layout((2, 2)), Layout(2))
    tensor = Layout((pieces, 4))
    assert isinstance(prove(memory_correct(copy, tensor, side="S")), Proved)


def test_certificate_of_tiles_across_the_end_of_a_piece() -> None:
    copy = make_tiled_copy(atoms.copy("UniversalCopy<half_t>").with_type("half_t"), Layout((2, 2)), Layout(1))
    claim = memory_correct(copy, Layout(((3, 2), 2)), side="S")
    assert "no words" not in str(claim_data(claim))
