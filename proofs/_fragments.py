"""What the theorems about atoms share: the layout that several atoms have in common, and the number of an
element in CuTe's tile."""

from collections.abc import Callable
from fnmatch import fnmatchcase

from symlayout import Layout, LayoutError, atoms
from symlayout.ptx import MatrixMove
from symlayout.ptx.mma_fragments import Columns
from symlayout.symbolic import Int

Element = tuple[Int, Int]

HELD: dict[tuple[str, str], Layout] = {}  # (atom, operand or side) that a theorem speaks about


def shared(operand: str, *patterns: str) -> Layout:
    """The layout of that operand in all MMA atoms of these names; `*` stands for anything, `[SU]` for S or U.

    Raises LayoutError when a pattern fits no name, or two atoms differ.
    """
    return _same(operand, lambda name: atoms.mma(name).layout(operand), patterns)


def registers(element: str, *patterns: str) -> Layout:
    """(lane, value) of the register side of all copy atoms of these names, in elements of that type."""
    return _same("registers", lambda name: atoms.copy(name).with_type(element).layout_ref, patterns)


def memory(element: str, *patterns: str) -> Layout:
    """(lane, value) of the other side: the row in shared memory that a lane names."""

    def side(name: str) -> Layout:
        atom = atoms.copy(name).with_type(element)
        return atom.layout_src if atom.bits_ref == atom.bits_dst else atom.layout_dst

    return _same("memory", side, patterns)


def _same(what: str, layout_of: Callable[[str], Layout], patterns: tuple[str, ...]) -> Layout:
    found: dict[str, Layout] = {}
    for pattern in patterns:
        fitting = [name for name in atoms.names() if fnmatchcase(name, pattern)]
        if not fitting:
            raise LayoutError(f"no atom is called {pattern}")
        found |= {name: layout_of(name) for name in fitting}
    layouts = set(found.values())
    if len(layouts) != 1:
        raise LayoutError(f"{what} of {', '.join(found)}: {' and '.join(map(str, layouts))}")
    HELD.update({(name, what): layout for name, layout in found.items()})
    return layouts.pop()


def number(element: Element, rows: int) -> Int:
    """The column-major number of (row, column) in a tile of so many rows: CuTe's A is (M,K), C is (M,N)."""
    row, col = element
    return row + rows * col


def number_B(element: Element, n: int) -> Int:
    """The number of the manual's B, (k, n), in CuTe's, which is (N,K)."""
    k, col = element
    return col + n * k


def place(c: Int, stored: Columns) -> Element:
    """The c-th of the columns among which the metadata places a stored element."""
    row, (first, _) = stored
    return row, first + c


def at(rows: Layout, move: MatrixMove, matrix: Int, element: Element) -> Int:
    """The element in that row and column of the matrix, where `rows` is what the lanes' addresses name."""
    row, col = element
    found: Int = rows(move.rows * matrix + row, col)
    return found
