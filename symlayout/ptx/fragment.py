"""What a fragment is in the manual's terms, and the words in which its formulas are written.

The manual distinguishes cases by ranges of the element's number i ("groupID for ai where 0 <= i < 2 ||
4 <= i < 6, groupID + 8 otherwise"). Such a case becomes a number, 0 or 1, so that one formula serves ints
and symbolic expressions alike:

    row = group + 8 * outside(i, (0, 2), (4, 6))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..symbolic import Int

Element = tuple[Int, Int]  # row and column
Formula = Callable[[Int, Int], Element]

_BEYOND = 1 << 12  # larger than every lane, element number and bound in the formulas


def group(lane: Int) -> Int:
    """The manual's groupID, `%laneid >> 2`."""
    return lane >> 2


def in_group(lane: Int) -> Int:
    """The manual's threadID_in_group, `%laneid % 4`."""
    return lane % 4


def at_least(i: Int, bound: int) -> Int:
    """1 where i >= bound, else 0; for 0 <= i < 4096."""
    return 1 + (i - bound) // _BEYOND


def outside(i: Int, *ranges: tuple[int, int]) -> Int:
    """0 where i lies in one of the ranges `lo <= i < hi`, which must not overlap, else 1: the manual's
    "otherwise"."""
    inside: Int = 0
    for lo, hi in ranges:
        inside = inside + (at_least(i, lo) - at_least(i, hi) if lo > 0 else 1 - at_least(i, hi))
    return 1 - inside


@dataclass(frozen=True)
class Fragment:
    """One operand's registers over all lanes: `fragment(lane, i)` is the (row, column) of element i.

    Law: over all lanes and elements every (row, column) of the tile occurs exactly once; a quad pair's
    fragment (`lanes` of 8, see `MatrixInstruction.lane`) covers its own tile.
    """

    rows: int
    cols: int
    values: int
    formula: Formula

    def __call__(self, lane: Int, i: Int) -> Element:
        return self.formula(lane, i)


@dataclass(frozen=True)
class MatrixInstruction:
    """One shape with the types that share its fragments. `section` is where the manual gives them."""

    shape: str
    types: tuple[str, ...]
    A: Fragment
    B: Fragment
    C: Fragment
    section: str
    title: str
    lanes: tuple[int, ...] = tuple(range(32))  # those of one matrix product

    def __str__(self) -> str:
        return f"mma.{self.shape} {' '.join('.' + t for t in self.types)}"
