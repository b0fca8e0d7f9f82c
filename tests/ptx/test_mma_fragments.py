"""The formulas of mma.sync against the manual's figures, and that each covers its tile.

A figure shows, for each element of the tile, the lane and the name of the register's element: `T5: {a2, a3}`
in row 1. The facts here are corners and seams of those figures.
"""

import pytest

from symlayout.errors import UnsupportedError
from symlayout.ptx import MMA, Fragment, MatrixInstruction, mma
from symlayout.ptx.mma_fragments import a_m16n8k256_as_printed, b_sparse_k64, b_sparse_k128, sparse_a
from symlayout.symbolic import Var, evaluate

NAMES = [f"{x.shape}.{x.types[0]}" for x in MMA]


def elements(fragment: Fragment, lanes: tuple[int, ...]) -> list[tuple[object, object]]:
    return [fragment(lane, i) for lane in lanes for i in range(fragment.values)]


@pytest.mark.parametrize("instruction", MMA, ids=NAMES)
@pytest.mark.parametrize("operand", "ABC")
def test_every_element_of_the_tile_is_held_once(instruction: MatrixInstruction, operand: str) -> None:
    fragment: Fragment = getattr(instruction, operand)
    tile = {(r, c) for r in range(fragment.rows) for c in range(fragment.cols)}
    held = elements(fragment, instruction.lanes)
    assert len(held) == len(tile)
    assert set(held) == tile


@pytest.mark.parametrize("operand", "ABC")
def test_the_four_quad_pairs_hold_alike(operand: str) -> None:
    """Each of the four computes a product of its own; their lanes are four apart."""
    for instruction in MMA:
        if instruction.types[0].startswith("f16."):
            fragment: Fragment = getattr(instruction, operand)
            first = elements(fragment, instruction.lanes)
            for pair in (1, 2, 3):
                assert elements(fragment, tuple(lane + 4 * pair for lane in instruction.lanes)) == first


# (shape, type, operand, lane, i) -> (row, column), read off the figures
FIGURES = [
    # figures 46 to 52, m8n8k4 .f16
    ("m8n8k4", "f16.row.col.f32", "A", 17, 3, (5, 3)),
    ("m8n8k4", "f16.col.col.f32", "A", 17, 3, (7, 1)),
    ("m8n8k4", "f16.row.row.f32", "B", 17, 3, (1, 7)),
    ("m8n8k4", "f16.row.col.f32", "B", 17, 3, (3, 5)),
    ("m8n8k4", "f16.row.col.f16", "C", 19, 6, (7, 6)),
    ("m8n8k4", "f16.row.col.f32", "C", 0, 2, (2, 0)),
    ("m8n8k4", "f16.row.col.f32", "C", 3, 5, (1, 7)),
    ("m8n8k4", "f16.row.col.f32", "C", 16, 7, (6, 5)),
    # figures 53 to 55, m8n8k4 .f64
    ("m8n8k4", "f64", "A", 30, 0, (7, 2)),
    ("m8n8k4", "f64", "B", 30, 0, (2, 7)),
    ("m8n8k4", "f64", "C", 30, 1, (7, 5)),
    # figures 56 to 64, m8n8k16, m8n8k32, m8n8k128
    ("m8n8k16", "s8", "A", 5, 2, (1, 6)),
    ("m8n8k16", "u8", "B", 5, 2, (6, 1)),
    ("m8n8k32", "s4", "A", 5, 2, (1, 10)),
    ("m8n8k32", "u4", "B", 31, 7, (31, 7)),
    ("m8n8k128", "b1", "A", 3, 31, (0, 127)),
    # figures 65 to 70, m16n8k4
    ("m16n8k4", "tf32", "A", 4, 1, (9, 0)),
    ("m16n8k4", "f64", "B", 6, 0, (2, 1)),
    # figures 71 to 78, m16n8k8
    ("m16n8k8", "f16", "A", 1, 3, (8, 3)),
    ("m16n8k8", "bf16", "B", 31, 1, (7, 7)),
    ("m16n8k8", "tf32", "A", 1, 1, (8, 1)),
    ("m16n8k8", "tf32", "A", 1, 2, (0, 5)),
    ("m16n8k8", "f64", "B", 1, 1, (5, 0)),
    # figures 79 to 86, m16n8k16
    ("m16n8k16", "f16", "A", 0, 2, (8, 0)),
    ("m16n8k16", "f16", "A", 0, 4, (0, 8)),
    ("m16n8k16", "bf16", "A", 15, 1, (3, 7)),
    ("m16n8k16", "f16", "B", 3, 2, (14, 0)),
    ("m16n8k16", "f64", "A", 2, 3, (8, 6)),
    ("m16n8k16", "f64", "A", 2, 6, (0, 14)),
    ("m16n8k16", "f64", "B", 2, 3, (14, 0)),
    ("m16n8k16", "s8", "A", 4, 4, (9, 0)),
    ("m16n8k16", "e4m3", "B", 7, 3, (15, 1)),
    ("m16n8k16", "f16", "C", 9, 3, (10, 3)),
    # figures 87 to 92, m16n8k32
    ("m16n8k32", "s4", "A", 1, 8, (8, 8)),
    ("m16n8k32", "s4", "B", 1, 0, (8, 0)),
    ("m16n8k32", "s8", "A", 1, 4, (8, 4)),
    ("m16n8k32", "e5m2", "A", 1, 8, (0, 20)),
    ("m16n8k32", "e2m1", "B", 1, 4, (20, 0)),
    # figures 93 to 103, m16n8k64, m16n8k128, m16n8k256
    ("m16n8k64", "u4", "A", 1, 16, (0, 40)),
    ("m16n8k64", "e2m1", "B", 1, 8, (40, 0)),
    ("m16n8k128", "b1", "A", 1, 32, (8, 32)),
    ("m16n8k256", "b1", "A", 1, 33, (8, 33)),
    ("m16n8k256", "b1", "A", 1, 64, (0, 160)),
    ("m16n8k256", "b1", "B", 1, 32, (160, 0)),
]


@pytest.mark.parametrize("shape, of, operand, lane, i, element", FIGURES)
def test_figures(shape: str, of: str, operand: str, lane: int, i: int, element: tuple[int, int]) -> None:
    fragment: Fragment = getattr(mma(shape, of), operand)
    assert fragment(lane, i) == element
    row, col = fragment(Var("lane", 32), Var("i", fragment.values))
    point = {"lane": lane, "i": i}
    assert (evaluate(row, point), evaluate(col, point)) == element


def test_as_printed_is_no_fragment() -> None:
    """The manual's column of A of m16n8k256 leaves out a mask: elements meet and others are nobody's."""
    held = [a_m16n8k256_as_printed(lane, i) for lane in range(32) for i in range(128)]
    assert a_m16n8k256_as_printed(3, 32) == a_m16n8k256_as_printed(0, 96) == (8, 128)
    assert (8, 0) not in held


def test_sparse_a_holds_half_of_its_columns() -> None:
    """Figures 130 and 131, 140 and 141: a register's elements come from twice as many columns."""
    assert sparse_a(64, 1, 0) == (0, (8, 16))
    assert sparse_a(64, 1, 4) == (8, (8, 16))
    assert sparse_a(64, 31, 15) == (15, (56, 64))
    assert sparse_a(128, 2, 8) == (8, (32, 48))
    assert sparse_a(128, 3, 16) == (0, (112, 128))
    assert sparse_a(32, 1, 2) == (8, (4, 8))
    assert sparse_a(16, 1, 3) == (8, (10, 12))


@pytest.mark.parametrize("k", [16, 32, 64, 128])
def test_sparse_a_covers_each_row_s_columns_evenly(k: int) -> None:
    chances = [[0] * k for _ in range(16)]
    for lane in range(32):
        for i in range(k // 4):
            row, (first, end) = sparse_a(k, lane, i)
            for col in range(int(first), int(end)):
                chances[int(row)][col] += 1
    assert {c for row in chances for c in row} == {k // 16}


def test_sparse_b_is_held_once() -> None:
    """Figures 132 to 135, 142 to 145: four registers down the K rows."""
    for formula, k, values in ((b_sparse_k64, 64, 16), (b_sparse_k128, 128, 32)):
        held = {formula(lane, i) for lane in range(32) for i in range(values)}
        assert held == {(row, col) for row in range(k) for col in range(8)}
    assert b_sparse_k64(1, 4) == (20, 0)
    assert b_sparse_k128(1, 31) == (111, 0)


def test_an_unknown_form_is_told_the_known_ones() -> None:
    with pytest.raises(UnsupportedError, match=r"no mma.m16n8k8 of .s8\n  the manual has mma.m16n8k8 .f16"):
        mma("m16n8k8", "s8")
    with pytest.raises(UnsupportedError, match=r"no mma.m16n16k16 of .f16\n  the manual has .*m8n8k128"):
        mma("m16n16k16", "f16")


def test_every_instruction_names_its_section() -> None:
    for instruction in MMA:
        assert instruction.section.startswith("9.7.14.5.")
        assert instruction.title.startswith(f"mma.{instruction.shape}")
        assert str(instruction) == f"mma.{instruction.shape} .{' .'.join(instruction.types)}"
