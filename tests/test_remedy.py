"""Remedies that fit the cause: why a view and a partition differ in size, and why a tile does not fit."""

from collections.abc import Callable
from typing import Any

import pytest

from symlayout import (
    Inadmissible,
    Layout,
    LayoutError,
    Refuted,
    atoms,
    make_fragment_like,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_C_atom,
    make_tiled_mma,
    max_common_vector,
    parse,
    prove,
    size,
)
from symlayout.tile_fit import tile_fit

HMMA = "SM80_16x8x16_F32F16F16F32_TN"
MMA = make_tiled_mma(HMMA)


def why(verdict: object) -> str:
    assert isinstance(verdict, Refuted)
    return verdict.explanation


def test_a_permutation_that_does_not_permute() -> None:
    mma = make_tiled_mma(HMMA, (1, 1, 1), (16, Layout((2, 16), (1, 8)), 16))
    copy = make_tiled_copy_B("SM75_U32x4_LDSM_N", mma)
    says = "the permutation N = (2,16):(1,8) is not a bijection of 0 .. 31: it reaches 121"
    assert says in why(prove(copy.retile_correct(mma, "B", (32, 16))))
    with pytest.raises(Inadmissible, match=r"is not a bijection of 0 \.\. 31"):
        copy.retile_D(mma.fragment_B((32, 16)))


def test_an_atom_that_moves_a_part_of_the_values() -> None:
    copy = make_tiled_copy_C_atom(atoms.copy("UniversalCopy<uint64_t>").with_type("float"), MMA)
    says = why(prove(copy.retile_correct(MMA, "C", (16, 8))))
    assert "the copy moves 2 of the 4 values that a thread holds of C's tile" in says
    assert "make_tiled_copy_C" in says
    whole = make_tiled_copy_C(atoms.copy("UniversalCopy<uint64_t>").with_type("float"), MMA)
    assert prove(whole.retile_correct(MMA, "C", (16, 8)))


def test_the_other_side() -> None:
    mma = make_tiled_mma(HMMA, (1, 1, 1), (16, 16, 16))
    copy = make_tiled_copy_C(atoms.copy("SM90_U32x2_STSM_N").with_type("half_t"), mma)
    assert "use retile_S" in why(prove(copy.retile_correct(mma, "C", (16, 16), side="D")))


TILE = parse("Sw<3,3,3> o 0 o ((8,24),(64,3)):((64,512),(1,12288))")


def test_a_tile_that_the_atom_of_shared_memory_does_not_fill() -> None:
    mma = make_tiled_mma(HMMA, (1, 1, 1), (16, 8, 96))
    asks: tuple[Callable[[], Any], ...] = (
        lambda: make_tiled_copy_B("SM75_U32x4_LDSM_N", mma).tidfrg_S(TILE),
        lambda: mma.thrfrg_B(TILE),
    )
    for ask in asks:
        with pytest.raises(LayoutError) as found:
            ask()
        text = str(found.value)
        assert "mode 1 (K) of B does not divide into tiles of 96: it is (64,3):(1,12288)" in text
        assert "96 % 64 = 32" in text
        assert "pieces of 32 fit: a shared memory atom of 32 elements (SW64)" in text
    narrow = parse("Sw<2,3,3> o 0 o ((8,24),(32,6)):((32,256),(1,6144))")
    assert mma.thrfrg_B(narrow).size() == narrow.size()


@pytest.mark.parametrize(
    "tensor, tiler, says",
    [
        ("((8,24),(64,3)):((64,512),(1,12288))", (8, 64), ""),
        ("((8,3),64):((64,1024),1)", (12, 64), "mode 0 of the tensor does not divide into tiles of 12"),
        ("((8,3),64):((64,1024),1)", (12, 64), "pieces of 4 fit"),
        ("(64,(64,3)):(1,(64,8192))", (64, 96), "(SW128)"),
    ],
)
def test_which_mode(tensor: str, tiler: tuple[int, int], says: str) -> None:
    found = tile_fit(parse(tensor), tiler, "the tensor", "", 32)
    assert says in found if says else found == ""


def test_registers_like_a_partition() -> None:
    """The idiom of every kernel: make_fragment_like(thr.partition_S(g))."""
    copy = make_tiled_copy(atoms.UniversalCopy("float"), Layout((8, 4)), Layout((1, 4)))
    part = copy.get_slice(3).partition_S(Layout((16, 32), (32, 1)))
    registers = make_fragment_like(part)
    assert registers == make_fragment_like(part.layout)
    assert max_common_vector(part, registers) == max_common_vector(part.layout, registers) == 4
    assert (size(part), part.rank(), part.stride) == (16, 3, part.layout.stride)


def test_operands_elsewhere_have_no_fragment() -> None:
    from symlayout import UnsupportedError, conflict_free, load_correct, memory_correct

    mma = make_tiled_mma("SM90_64x64x16_F32F16F16_SS")
    copy = make_tiled_copy_A("UniversalCopy<half_t>", mma)
    tensor = Layout((64, 16), (16, 1))
    for ask in (
        lambda: mma.fragment_A((64, 16)),
        lambda: mma.get_slice(0).partition_fragment_B((64, 16)),
        lambda: copy.retile_correct(mma, "A", (64, 16)),
        lambda: copy.right_view(mma, "A", (64, 16)),
        lambda: copy.retile_D(Layout((8, 1, 1))),
        lambda: load_correct(copy, mma, "A", tensor),
        lambda: memory_correct(copy, tensor),
        lambda: conflict_free(copy, tensor),
    ):
        with pytest.raises(UnsupportedError, match="is read from shared memory"):
            ask()
    assert mma.fragment_C((64, 64)).size() == 32  # which is in registers
    rs = make_tiled_mma("SM90_64x64x16_F32F16F16_RS")
    assert rs.fragment_A((64, 16)).size() == 8
