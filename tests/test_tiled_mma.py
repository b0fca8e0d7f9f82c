"""TiledMMA: partitions as functions of coordinates, register layouts, and what is refused."""

import pytest

from symlayout import (
    ComposedLayout,
    Layout,
    LayoutError,
    Swizzle,
    UnsupportedError,
    atoms,
    make_identity_layout,
)
from symlayout.tiled_mma import TiledMMA, make_tiled_mma

HMMA = "SM80_16x8x16_F32F16F16F32_TN"


def owners(mma: TiledMMA, operand: str, shape: tuple[int, int]) -> dict[tuple[int, int], list[int]]:
    """Which hardware threads hold each element."""
    found: dict[tuple[int, int], list[int]] = {}
    for t in mma.thread_ids():
        part = mma.get_slice(t).partition(operand, make_identity_layout(shape))
        for i in range(part.size()):
            found.setdefault(tuple(part(i)), []).append(t)
    return found


@pytest.mark.parametrize(
    "atom, atom_layout, permutation",
    [
        (HMMA, (1, 1, 1), None),
        (HMMA, (2, 2, 1), (32, 32, 16)),
        (HMMA, Layout((2, 2, 1), (2, 1, 0)), (None, Layout((8, 2, 2), (1, 16, 8)), None)),
        (HMMA, (1, 2, 2), None),
        ("SM70_8x8x4_F32F16F16F32_NT", (1, 1, 1), None),
        ("SM70_8x8x4_F16F16F16F16_TT", (2, 2, 1), (Layout((4, 4, 2), (1, 8, 4)), 32, 8)),
        ("SM80_16x8x32_S32S8S8S32_TN", (2, 1, 1), None),
        ("SM80_8x8x4_F64F64F64F64_TN", (2, 2, 1), (16, 32, 8)),
        ("UniversalFMA<float,float,float,float>", (16, 16, 1), None),
    ],
)
def test_every_element_is_held_as_often_as_the_other_modes_repeat(
    atom: str, atom_layout: object, permutation: object
) -> None:
    mma = make_tiled_mma(atom, atom_layout, permutation)
    m, n, k = (2 * size for size in mma.tile_size_mnk)
    _, over_m, over_n, over_k = (mode.size() for mode in mma.thr_layout_vmnk)
    for operand, shape, times in (("A", (m, k), over_n), ("B", (n, k), over_m), ("C", (m, n), over_k)):
        held = owners(mma, operand, shape)
        assert set(held) == {(i, j) for i in range(shape[0]) for j in range(shape[1])}
        assert {len(threads) for threads in held.values()} == {times}


@pytest.mark.parametrize("operand", ["A", "B", "C"])
def test_layout_TV_agrees_with_partition(operand: str) -> None:
    mma = make_tiled_mma(HMMA, (2, 2, 1), (32, 32, 16))
    rows, _ = shape = mma.tile_shape(operand)
    layout = mma.layout_TV(operand)
    for t in mma.thread_ids():
        part = mma.get_slice(t).partition(operand, make_identity_layout(shape))
        values = [layout((t, v)) for v in range(layout[1].size())]
        assert values == [m + rows * n for m, n in (part(i) for i in range(part.size()))]


def test_threads_of_a_quad_pair() -> None:
    assert make_tiled_mma("SM70_8x8x4_F32F16F16F32_TN").thread_ids() == (0, 1, 2, 3, 16, 17, 18, 19)


def test_by_logical_thread_runs_over_the_threads() -> None:
    mma = make_tiled_mma("SM70_8x8x4_F32F16F16F32_NT", Layout((2, 2, 1), (2, 1, 0)))
    tensor = Layout((32, 8), (8, 1))
    for operand in "ABC":
        frg = mma.by_logical_thread(operand, tensor)
        for logical in range(mma.thr_layout_vmnk.size()):
            t = mma.thr_layout_vmnk(logical)
            assert mma.get_slice(t).partition(operand, tensor).offset == frg[0](logical)


def test_the_article_s_fragments() -> None:
    mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
    assert str(mma.fragment_A((16, 16))) == "((2,2,2),1,1):((1,2,4),0,0)"
    assert str(mma.fragment_B(Layout((16, 32), (32, 1)))) == "((2,2),2,2):((1,2),8,4)"
    assert str(mma.fragment_B(Layout((16, 32), (1, 16)))) == "((2,2),2,2):((1,2),4,8)"
    assert mma.fragment_B((16, 32)) == mma.fragment_B(Layout((16, 32), (32, 1)))
    assert str(mma.fragment_C((32, 16))) == "((2,2),2,2):((1,2),4,8)"
    assert mma.fragment_C(Layout((32, 16), (16, 1))) == mma.fragment_C((32, 16))
    assert mma.partition_fragment_A((16, 16)) == mma.get_slice(7).partition_fragment_A((16, 16))


def test_view_of_one_thread() -> None:
    part = make_tiled_mma(HMMA).get_slice(5).partition_A((16, 16))
    assert (part.offset, str(part.layout)) == (18, "((2,2,2),1,1):((1,128,8),0,0)")
    assert part((1, 0, 1), 0, 0) == 27
    assert str(part) == "18 + ((2,2,2),1,1):((1,128,8),0,0)"


def test_a_swizzled_tensor_partitions_as_a_function() -> None:
    swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 64), (64, 1)))
    mma = make_tiled_mma(HMMA, (2, 1, 1))
    for t in (0, 9, 45):
        part = mma.get_slice(t).partition_A(swizzled)
        coordinates = mma.get_slice(t).partition_A(make_identity_layout((64, 64)))
        assert [part(i) for i in range(part.size())] == [
            swizzled(tuple(coordinates(i))) for i in range(part.size())
        ]
    with pytest.raises(UnsupportedError, match="swizzled"):
        mma.fragment_A(swizzled)


def test_more_modes_than_two_are_kept() -> None:
    stages = Layout((32, 32, 3), (32, 1, 1024))
    assert str(make_tiled_mma(HMMA).fragment_A(stages)) == "((2,2,2),2,2,3):((1,2,4),16,8,32)"


@pytest.mark.parametrize(
    "atom_layout, permutation, message",
    [
        ((2, 2, 1), (16, 32, 16), r"permutation M = 16 is smaller than 2 warps x 16"),
        ((2, 1, 1), (48, 8, 16), r"permutation M = 48 is not a multiple of 2 warps x 16\n  48 % 32 = 16"),
        ((2, 2, 1), Layout((1, 2, 1)), r"permutation M = 2 is smaller than 2 warps x 16"),
        ((1, 1, 1, 1), None, r"rank-3 atoms"),
        ((1, 1, 1), (16, 8, 16, 4), r"rank-3 permutations"),
        ((1, 1, 1), ("16",), r"an int above 0"),
    ],
)
def test_refused_tilings(atom_layout: object, permutation: object, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        make_tiled_mma(HMMA, atom_layout, permutation)


def test_unchecked_is_what_cute_compiles() -> None:
    mma = make_tiled_mma(HMMA, (2, 2, 1), (16, 32, 16), unchecked=True)
    assert mma.tile_size_mnk == (16, 32, 16)


def test_refused_tensors() -> None:
    mma = make_tiled_mma(HMMA)
    for call in (
        lambda: mma.thrfrg_A(Layout(16)),
        lambda: mma.fragment_A(16),
        lambda: mma.thrfrg("D", (16, 16)),
    ):
        with pytest.raises(LayoutError):
            call()


@pytest.mark.parametrize(
    "atom, message",
    [
        (atoms.UniversalFMA, r"UniversalFMA is a template, no atom; .* UniversalFMA\('float'\)"),
        (None, r"None is not an atom; an MMA atom is wanted"),
        (3, r"3 is not an atom; an MMA atom is wanted"),
        (atoms.SM75_U32x4_LDSM_N, r"is a copy atom; an MMA atom is wanted"),
    ],
    ids=["a template", "None", "3", "a copy atom"],
)
def test_what_is_no_mma_atom(atom: object, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        make_tiled_mma(atom)  # type: ignore[arg-type]


@pytest.mark.parametrize("template", ["UniversalFMA", "UniversalCopy", "SM80_CP_ASYNC_CACHEALWAYS"])
def test_a_template_wants_its_type(template: str) -> None:
    with pytest.raises(LayoutError, match=rf"{template} is a template and needs a type"):
        getattr(atoms, template)()
