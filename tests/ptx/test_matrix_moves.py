"""ldmatrix, stmatrix and movmatrix against the manual's figures, and that each covers its matrix."""

import pytest

from symlayout.ptx import MOVES, MatrixMove
from symlayout.ptx.matrix_moves import movmatrix_result, movmatrix_source


@pytest.mark.parametrize("move", MOVES.values(), ids=list(MOVES))
def test_every_element_of_a_matrix_is_held_once(move: MatrixMove) -> None:
    held = [
        move.element(lane, register, part)
        for lane in range(32)
        for register in range(move.registers)
        for part in range(move.parts)
    ]
    matrix = {(r, c) for r in range(move.rows) for c in range(move.columns)}
    assert len(held) == len(matrix)
    assert set(held) == matrix


@pytest.mark.parametrize("move", MOVES.values(), ids=list(MOVES))
def test_every_row_is_named_by_one_lane(move: MatrixMove) -> None:
    for count in move.counts:
        lanes = move.rows * count
        assert lanes <= 32
        named = [move.named(lane) for lane in range(lanes)]
        assert sorted(named) == [(m, r) for m in range(count) for r in range(move.rows)]


# name, lane, register, part -> row, column in shared memory, read off the figures
FIGURES = [
    ("ldmatrix.m8n8.b16", 5, 0, 1, (1, 3)),
    ("ldmatrix.m8n8.b16", 31, 0, 1, (7, 7)),
    ("ldmatrix.m8n8.trans.b16", 5, 0, 1, (3, 1)),
    ("ldmatrix.m16n16.trans.b8", 5, 0, 3, (7, 1)),
    ("ldmatrix.m16n16.trans.b8", 5, 1, 0, (4, 9)),
    ("ldmatrix.m8n16.b8x16.b4x16_p64", 5, 0, 3, (1, 7)),
    ("ldmatrix.m8n16.b8x16.b6x16_p32", 31, 0, 0, (7, 12)),
    ("stmatrix.m8n8.b16", 6, 0, 0, (1, 4)),
    ("stmatrix.m8n8.trans.b16", 6, 0, 0, (4, 1)),
    ("stmatrix.m16n8.trans.b8", 5, 0, 1, (3, 1)),
    ("stmatrix.m16n8.trans.b8", 5, 0, 2, (2, 9)),
]


@pytest.mark.parametrize("name, lane, register, part, element", FIGURES)
def test_figures(name: str, lane: int, register: int, part: int, element: tuple[int, int]) -> None:
    assert MOVES[name].element(lane, register, part) == element


def test_movmatrix_transposes() -> None:
    """Figures 109 and 110: lane 1 gives (0,2) and (0,3), and receives (2,0) and (3,0)."""
    assert [movmatrix_source(1, 0, part) for part in (0, 1)] == [(0, 2), (0, 3)]
    assert [movmatrix_result(1, 0, part) for part in (0, 1)] == [(2, 0), (3, 0)]


def test_the_table_of_addresses() -> None:
    """.x4: lanes 24-31 give the rows of the fourth matrix."""
    assert MOVES["ldmatrix.m8n8.b16"].named(27) == (3, 3)
    assert MOVES["ldmatrix.m16n16.trans.b8"].named(27) == (1, 11)
