"""`ldmatrix`, `stmatrix`, `movmatrix`: who names a row in shared memory, and who holds which element of it.

A matrix lies in shared memory as rows of 16 bytes, each at an address of its own, and with `.xN` there are
N of them. Lanes `rows*m .. rows*(m+1)-1` give the addresses of the rows of matrix m; the registers of a lane
are those of matrix 0, then those of matrix 1, and so on. `element(lane, register, part)` is the (row,
column) in shared memory of one part of a register, part 0 in the low bits.

    ldmatrix = MOVES["ldmatrix.m8n8.b16"]
    ldmatrix.element(5, 0, 1)          (1, 3)      lane 5: row 1, columns 2 and 3
    ldmatrix.named(13)                 (1, 5)      lane 13 gives the address of row 5 of matrix 1

The manual has no formulas for these, only figures with the rule in words; the formulas are those figures.

Source: PTX ISA 9, "Warp-level matrix load instruction: ldmatrix" (9.7.14.5.15, figures 104 to 106),
"stmatrix" (9.7.14.5.16, figures 107 and 108), "movmatrix" (9.7.14.5.17, figures 109 and 110).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..symbolic import Int
from .fragment import Element, group, in_group

Part = Callable[[Int, Int, Int], Element]


@dataclass(frozen=True)
class MatrixMove:
    """One shape of one instruction. `bits` is the width of an element in a register and in shared memory.

    Law: over all lanes, registers and parts every (row, column) of a matrix occurs exactly once.
    """

    name: str
    rows: int  # of 16 bytes, for each matrix
    bits: int
    registers: int  # 32-bit registers that a lane holds of one matrix
    counts: tuple[int, ...]  # .x1, .x2, .x4
    element: Part
    section: str

    @property
    def columns(self) -> int:
        """Elements of a row."""
        return 128 // self.bits

    @property
    def parts(self) -> int:
        """Elements of a register."""
        return 32 // self.bits

    def named(self, lane: Int) -> tuple[Int, Int]:
        """(matrix, row) whose address this lane gives. Lanes beyond the last matrix are not asked."""
        return lane // self.rows, lane % self.rows


def pairs_of_a_row(lane: Int, register: Int, part: Int) -> Element:
    """8x8 of 16 bits: a group of four lanes holds a row, two neighbours a lane."""
    return group(lane), in_group(lane) * 2 + part


def pairs_of_a_column(lane: Int, register: Int, part: Int) -> Element:
    """The same with .trans: the matrix in memory is read by columns."""
    return in_group(lane) * 2 + part, group(lane)


def fours_of_a_row(lane: Int, register: Int, part: Int) -> Element:
    """8x16 of 8 bits (6 or 4 in memory, padded): four neighbours a lane."""
    return group(lane), in_group(lane) * 4 + part


def fours_of_two_columns(lane: Int, register: Int, part: Int) -> Element:
    """16x16 of 8 bits, always .trans: four neighbours of one column, and in the second register of the
    column eight further on."""
    return in_group(lane) * 4 + part, group(lane) + 8 * register


def pairs_of_two_rows(lane: Int, register: Int, part: Int) -> Element:
    """16x8 of 8 bits, always .trans: e0 and e1 are neighbours in a row of the 16x8 matrix, e2 and e3 lie
    eight rows further down; in memory its columns are the rows."""
    return in_group(lane) * 2 + part % 2, group(lane) + 8 * (part // 2)


_LD, _ST = "9.7.14.5.15", "9.7.14.5.16"
_ALL, _TWO = (1, 2, 4), (1, 2)

# fmt: off
MOVES: dict[str, MatrixMove] = {
    move.name: move
    for move in (
        #          name                                  rows bits registers  .x   element
        MatrixMove("ldmatrix.m8n8.b16",                   8,  16,  1,        _ALL, pairs_of_a_row, _LD),
        MatrixMove("ldmatrix.m8n8.trans.b16",             8,  16,  1,        _ALL, pairs_of_a_column, _LD),
        MatrixMove("ldmatrix.m16n16.trans.b8",           16,   8,  2,        _TWO, fours_of_two_columns, _LD),
        MatrixMove("ldmatrix.m16n16.trans.b8x16.b6x16_p32", 16, 8, 2,        _TWO, fours_of_two_columns, _LD),
        MatrixMove("ldmatrix.m16n16.trans.b8x16.b4x16_p64", 16, 8, 2,        _TWO, fours_of_two_columns, _LD),
        MatrixMove("ldmatrix.m8n16.b8x16.b6x16_p32",      8,   8,  1,        _ALL, fours_of_a_row, _LD),
        MatrixMove("ldmatrix.m8n16.b8x16.b4x16_p64",      8,   8,  1,        _ALL, fours_of_a_row, _LD),
        MatrixMove("stmatrix.m8n8.b16",                   8,  16,  1,        _ALL, pairs_of_a_row, _ST),
        MatrixMove("stmatrix.m8n8.trans.b16",             8,  16,  1,        _ALL, pairs_of_a_column, _ST),
        MatrixMove("stmatrix.m16n8.trans.b8",             8,   8,  1,        _ALL, pairs_of_two_rows, _ST),
    )
}
# fmt: on

# movmatrix.m8n8.trans.b16 has no memory: the register that it reads holds a row's pair of the matrix, the
# register that it writes a column's pair of the same matrix.
movmatrix_source: Part = pairs_of_a_row
movmatrix_result: Part = pairs_of_a_column
