"""TiledCopy: the ways to make one, what is refused and why, and retile with and without the check."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symlayout import Inadmissible, Layout, LayoutError, atoms, make_identity_layout
from symlayout.copy_tiling import TiledCopy, show_tiler
from symlayout.tiled_copy import (
    make_cotiled_copy,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_C_atom,
    make_tiled_copy_D,
    make_tiled_copy_impl,
    make_tiled_copy_S,
)
from symlayout.tiled_mma import make_tiled_mma

HMMA = "SM80_16x8x16_F32F16F16F32_TN"
LDSM_X4 = "SM75_U32x4_LDSM_N"
SWAPPED = (32, Layout((8, 2, 2), (1, 16, 8)), 16)


def half(name: str) -> Any:
    return atoms.copy(name).with_type("half_t")


def row_copy() -> TiledCopy:
    return make_tiled_copy(half("UniversalCopy<uint128_t>"), Layout((32, 4), (4, 1)), Layout((1, 8)))


def c_atom(name: str, atom_layout: Any = (2, 2, 1), permutation: Any = (32, 32, 16)) -> TiledCopy:
    return make_tiled_copy_C_atom(half(name), make_tiled_mma(HMMA, atom_layout, permutation))


# what golden/tiled_copy.jsonl holds, printed by CuTe's headers (nvidia-cutlass 4.2.0.0, g++ on the host)
COPIES: dict[str, Callable[[], TiledCopy]] = {
    "threads_32x4_values_1x8": row_copy,
    "source_side": lambda: make_tiled_copy_S("UniversalCopy<uint32_t>", row_copy()),
    "destination_side": lambda: make_tiled_copy_D("UniversalCopy<uint64_t>", row_copy()),
    "threads_16x16_values_8x1": lambda: make_tiled_copy(
        half("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"), Layout((16, 16)), Layout((8, 1))
    ),
    "nested_threads": lambda: make_tiled_copy(
        "UniversalCopy<float>", Layout((8, (2, 4)), (8, (4, 1))), Layout((2, 2), (2, 1))
    ),
    "one_mode": lambda: make_tiled_copy("UniversalCopy<float>", Layout(128)),
    "ldmatrix": lambda: make_tiled_copy(half(LDSM_X4), Layout((32, 1)), Layout((1, 8))),
    "C_atom_x2": lambda: c_atom("SM90_U32x2_STSM_N"),
    "C_atom_x4": lambda: c_atom("SM90_U32x4_STSM_N"),
    "source_side_of_C_atom": lambda: make_tiled_copy_S("SM90_U32x4_STSM_N", c_atom("SM90_U32x4_STSM_N")),
    "C_atom_four_warps": lambda: c_atom("SM90_U32x4_STSM_N", (4, 1, 1), (64, 16, 16)),
    "cotiled_row": lambda: make_cotiled_copy(
        half("UniversalCopy<uint64_t>"), Layout((32, 4), (4, 1)), Layout((16, 16), (16, 1))
    ),
    "cotiled_nested": lambda: make_cotiled_copy(
        half("UniversalCopy<uint32_t>"),
        Layout(((4, 8), 2), ((2, 64), 1)),
        Layout((16, (8, 4)), (64, (1, 8))),
    ),
    "cotiled_column": lambda: make_cotiled_copy(
        half("UniversalCopy<uint32_t>"), Layout((32, 2), (2, 1)), Layout((64, 4), (1, 64))
    ),
}
RECORDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "tiled_copy.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r["id"])
def test_copies_as_cute_prints_them(record: dict[str, str]) -> None:
    copy = COPIES[record["id"]]()
    tensor = Layout((128, 64), (64, 1))
    found = {
        "Tiler_MN": show_tiler(copy.tiler_mn),
        "TiledLayout_TV": str(copy.layout_tv),
        "layoutS_TV": str(copy.layout_S_TV),
        "layoutD_TV": str(copy.layout_D_TV),
        "tidfrg_S": str(copy.tidfrg_S(tensor)),
        "tidfrg_D": str(copy.tidfrg_D(tensor)),
    }
    if "retile" in record:
        assert copy.mma is not None
        fragment = copy.mma.fragment_C((128, 64))
        found |= {"fragment": str(fragment), "retile": str(copy.retile_S(fragment))}
    assert found == {k: v for k, v in record.items() if k != "id"}


def test_every_copy_has_a_record() -> None:
    assert [r["id"] for r in RECORDS] == list(COPIES)


@pytest.mark.parametrize("name", [n for n in COPIES if "C_atom" not in n and n != "ldmatrix"])
def test_partitions_move_every_element_once(name: str) -> None:
    copy = COPIES[name]()
    identity = make_identity_layout((128, 64))
    for side in ("partition_S", "partition_D"):
        elements: list[tuple[int, ...]] = []
        for t in range(copy.num_thr):
            part = getattr(copy.get_slice(t), side)(identity)
            elements += [tuple(part(i)) for i in range(part.size())]
        assert sorted(elements) == [(m, n) for m in range(128) for n in range(64)]


# the article's programs


def test_the_article_s_retiles() -> None:
    mma = make_tiled_mma(HMMA)
    a = make_tiled_copy_A("SM75_U32x1_LDSM_N", mma)
    assert str(a.retile_D(mma.fragment_A((16, 16)))) == "((2,4),1,1):((1,2),0,0)"
    b = mma.fragment_B((8, 16))
    assert str(make_tiled_copy_B("SM75_U32x1_LDSM_N", mma).retile_D(b)) == "((2,2),1,1):((1,2),0,0)"
    assert str(make_tiled_copy_B("SM75_U32x2_LDSM_N", mma).retile_D(b)) == "((4,1),1,1):((1,0),0,0)"


def test_the_article_s_gather() -> None:
    mma = make_tiled_mma(HMMA, (1, 1, 1), (16, 8, 32))
    copy = make_tiled_copy_B(LDSM_X4, mma)
    tensor = Layout((32, 32), (32, 1))
    tCrB = mma.fragment_B(tensor)
    tXrB = copy.retile_D(tCrB)
    for n in range(4):
        for a in range(8):
            assert tXrB((a, 0), n, 0) == tCrB(a % 4, n, a // 4) == a + 8 * n
    lane0 = copy.get_slice(0).partition_D(tensor)
    assert [lane0((a, 0), 0, 0) for a in range(8)] == [0, 1, 8, 9, 16, 17, 24, 25]


def test_the_source_side_of_ldmatrix() -> None:
    copy = make_tiled_copy_B("SM75_U32x1_LDSM_N", make_tiled_mma(HMMA))
    assert str(copy.atom.layout_src[0]) == "(8,4):(8,0)"
    tensor = Layout((8, 16), (16, 1))
    offsets = [copy.get_slice(t).partition_S(tensor).offset for t in range(32)]
    assert offsets == [16 * (t % 8) for t in range(32)]


def test_the_trace_has_every_step() -> None:
    mma = make_tiled_mma(HMMA)
    trace = make_tiled_copy_A("SM75_U32x1_LDSM_N", mma).retile_trace(mma.fragment_A((16, 16)))
    assert (trace.V, trace.TiledNumThr, trace.TiledNumVal, trace.AtomNumVal) == (8, 32, 8, 2)
    steps = {
        "right_inverse_TV": "(8,2,2,4,2):(4,64,32,1,128)",
        "right_inverse_TV_with_shape": "((8,2),(2,4,2)):((4,64),(32,1,128))",
        "frg_layout_mn": "((1,1),(1,1,1)):((1,1),(1,1,1))",
        "right_inverse_frg": "1:0",
        "logical_product": "(8,1):(1,0)",
        "frg_layout_v": "(2,4):(1,2)",
        "t_tensor": "((8,1,1),(1,1,1)):((1,0,0),(0,0,0))",
        "v_tensor": "((2,4),(1,1,1)):((1,2),(0,0,0))",
        "result": "((2,4),1,1):((1,2),0,0)",
    }
    assert {name: str(getattr(trace, name)) for name in steps} == steps
    assert (trace.Tiler_MN, trace.frg_layout_mn_shape) == ((16, 16), (1, 1))


# where CuTe is wrong


def test_retile_refuses_cute_s_silent_permutation() -> None:
    mma = make_tiled_mma(HMMA, (2, 1, 1), SWAPPED)
    copy = make_tiled_copy_B(LDSM_X4, mma)
    tensor = Layout((64, 32), (32, 1))
    fragment = mma.fragment_B(tensor)
    with pytest.raises(Inadmissible) as e:
        copy.retile_D(fragment)
    assert (e.value.index, e.value.want, e.value.got) == ((0, 8), (8, 0), (16, 0))
    assert str(e.value) == (
        "retile_D: 2048 of 4096 registers would hold a wrong element\n"
        "  fragment ((2,2),(2,2,2),2):((1,2),(16,8,32),4)\n"
        "  CuTe's view (((4,2),2),2,2):(((1,8),16),32,4)\n"
        "  thread 0, value 4 at (((0,1),0),0,0) is register 8: the mma has B(8,0) there, the copy is given "
        "B(16,0)\n"
        "  the right view is (((4,2),2),2,2):(((1,16),8),32,4); unchecked=True gives CuTe's"
    )
    assert str(copy.retile_D(fragment, unchecked=True)) == "(((4,2),2),2,2):(((1,8),16),32,4)"
    assert str(copy.get_slice(3).retile_D(fragment, unchecked=True)) == "(((4,2),2),2,2):(((1,8),16),32,4)"
    assert str(copy.right_view(mma, "B", tensor)) == "(((4,2),2),2,2):(((1,16),8),32,4)"


def test_the_same_permutation_over_warps_is_fine() -> None:
    mma = make_tiled_mma(HMMA, (2, 2, 1), SWAPPED)
    copy = make_tiled_copy_B(LDSM_X4, mma)
    fragment = mma.fragment_B((64, 32))
    assert copy.retile_D(fragment) == copy.retile(fragment)


def test_stmatrix_speaks_of_its_source() -> None:
    mma = make_tiled_mma(HMMA)
    copy = make_tiled_copy_C(half("SM90_U32x2_STSM_N"), mma)
    fragment = mma.fragment_C((32, 16))
    assert copy.register_side == "S"
    assert make_tiled_copy_C("UniversalCopy<float>", mma).register_side == "D"
    assert copy.retile_S(fragment) == copy.retile(fragment)
    with pytest.raises(Inadmissible, match=r"partition has 32 values, view has 16;") as e:
        copy.retile_D(fragment)
    assert "use retile_S" in str(e.value)


def test_atoms_along_k_send_c_outside_the_tile() -> None:
    """CuTe's get_layoutC_TV forgets that warps along K share C: the second pair of warps gets columns 16 to
    31 of a tile of 16 (seen with the headers of nvidia-cutlass 4.2.0.0)."""
    mma = make_tiled_mma(HMMA, (1, 2, 2))
    copy = make_tiled_copy_C("UniversalCopy<float>", mma)
    assert str(mma.layout_C_TV) == "((4,8,4),((2,2),(1,1))):((32,1,128),((16,8),(0,0)))"
    with pytest.raises(Inadmissible, match="256 of 512 registers") as e:
        copy.retile_D(mma.fragment_C((16, 16)))
    assert (e.value.index, e.value.want, e.value.got) == ((64, 0), (0, 0), (0, 16))
    with pytest.raises(LayoutError, match="no right view: it would depend on the thread"):
        copy.right_view(mma, "C", (16, 16))


def test_a_fragment_too_small_for_the_gather() -> None:
    """CuTe aliases registers by stride 0 here, without a word."""
    mma = make_tiled_mma(HMMA, (1, 1, 1), (16, 16, 16))
    copy = make_tiled_copy_B(LDSM_X4, mma)
    fragment = Layout(((2, 2), 1, 1), ((1, 2), 0, 0))
    assert str(copy.retile_D(fragment, unchecked=True)) == "(((4,2),1),1,1):(((1,0),0),0,0)"
    with pytest.raises(Inadmissible):
        copy.retile_D(fragment)


def test_a_copy_without_an_mma_answers_as_cute() -> None:
    copy = make_tiled_copy(half(LDSM_X4), Layout((32, 1)), Layout((1, 8)))
    assert copy.retile_D(Layout((8, 2, 2))) == copy.retile(Layout((8, 2, 2)))


def test_retile_correct_is_a_claim_about_the_same_view() -> None:
    mma = make_tiled_mma(HMMA, (1, 1, 1), SWAPPED)
    copy = make_tiled_copy_B(LDSM_X4, mma)
    tensor = Layout((64, 32), (32, 1))
    failure = copy.retile_correct(mma, "B", tensor).failure()
    assert failure is not None
    assert (failure.witness["thread"], failure.left, failure.right) == (0, (8, 0), (16, 0))
    right = copy.retile_correct(mma, "B", tensor, view=copy.right_view(mma, "B", tensor))
    assert right.failure() is None


# what is refused


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: make_tiled_copy_B(LDSM_X4, make_tiled_mma(HMMA)),
            r"TiledCopy uses too few vals for the copy atom: 4 % 8 = 4\n(.*\n)*.*N = 16 or K = 32 gives 8",
        ),
        (
            lambda: make_tiled_copy(half("UniversalCopy<uint128_t>"), Layout((32, 8)), Layout((4, 1))),
            r"too few vals for the copy atom: 4 % 8 = 4",
        ),
        (
            lambda: make_tiled_copy(half(LDSM_X4), Layout((8, 1)), Layout((1, 8))),
            r"too few thrs for the copy atom: 8 % 32 = 8",
        ),
        (
            lambda: make_tiled_copy_A("SM75_U32x1_LDSM_N", make_tiled_mma("SM80_8x8x4_F64F64F64F64_TN")),
            r"not valid for Dst of double",
        ),
        (
            lambda: make_tiled_copy_A("UniversalCopy<half_t>", make_tiled_mma(HMMA, (1, 1, 1), (16, 8, 24))),
            r"permutation K = 24 is not a multiple of 1 warp x 16\n  24 % 16 = 8",
        ),
        (lambda: make_tiled_copy(LDSM_X4, Layout(32), Layout(8)), r"no value type"),
        (lambda: make_tiled_copy_impl(atoms.copy(LDSM_X4), Layout((32, 8)), (32, 8)), r"no value type"),
        (
            lambda: c_atom("SM90_U32x4_STSM_N", (1, 1, 1), None),
            r"moves 8 values of half_t a thread, the mma's C has 4",
        ),
        (
            lambda: make_cotiled_copy(
                half("UniversalCopy<uint32_t>"), Layout((32, 2), (4, 1)), Layout((16, 16), (32, 2))
            ),
            r"does not exist in the DataLayout",
        ),
        (
            lambda: row_copy().tidfrg_S(Layout(1024)),
            r"Rank of tensor to be partitioned too small",
        ),
        (
            lambda: make_tiled_copy_A(LDSM_X4, make_tiled_mma(HMMA)).retile_D(Layout((8, 2))),
            r"no V, M and K modes",
        ),
    ],
)
def test_refusals_name_the_mismatch(make: Callable[[], object], message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        make()


def test_a_copy_has_two_sides() -> None:
    mma = make_tiled_mma(HMMA)
    copy = make_tiled_copy_A(LDSM_X4, mma)
    for ask in (copy.retile_correct, copy.right_view, copy.delivery):
        with pytest.raises(LayoutError, match=r"side 'X': it is S, .* or D"):
            ask(mma, "A", (16, 16), side="X")
