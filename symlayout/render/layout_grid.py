"""The grid of a layout: what stands in row m, column n is its value there.

For two modes the text is that of CuTe's `print_layout`, to the letter. CuTe prints no other ranks; here one
mode is a single row, and of three modes or more the first gives the rows and all others together the
columns:

    layout_grid(parse("(2,(2,2)):(1,(2,4))")).text()

    (2,(2,2)):(1,(2,4))
           0   1   2   3
        +---+---+---+---+
     0  | 0 | 2 | 4 | 6 |
        +---+---+---+---+
     1  | 1 | 3 | 5 | 7 |
        +---+---+---+---+
"""

from __future__ import annotations

from typing import Any

from ..algebra import group, size
from ..errors import UnsupportedError
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout
from .grid import Grid, check_cells

_MOST_DIGITS = 10  # CuTe measures the width of an int32


def layout_grid(layout: Any) -> Grid:
    """The values of a layout, swizzled or not, coordinates allowed (`1@0`). Raises UnsupportedError for
    what is not a layout or has more than MOST_CELLS coordinates."""
    if not isinstance(layout, (Layout, ComposedLayout)):
        raise UnsupportedError(f"show: {show(layout)} is not a layout; a layout looks like (4,8):(8,1)")
    rank = layout.rank()
    matrix = layout
    notes: tuple[str, ...] = ()
    if rank > 2:
        matrix = group(layout, 1, rank)
        notes = (f"rows: mode 0, {show(matrix.shape[0])}; columns: the other modes, {show(matrix.shape[1])}",)
    rows, columns = (_size(matrix, 0), _size(matrix, 1)) if rank > 1 else (1, layout.size())
    check_cells(f"the layout {layout}", rows, columns)
    values = [[matrix(m, n) if rank > 1 else matrix(n) for n in range(columns)] for m in range(rows)]
    cells = tuple(tuple(show(v) for v in row) for row in values)
    return Grid(str(layout), cells, _shades(values), _width(layout, values, cells), notes)


def _size(layout: Any, mode: int) -> int:
    return int(size(layout, mode))


def _width(layout: Any, values: list[list[Any]], cells: tuple[tuple[str, ...], ...]) -> int:
    """CuTe's: the digits of the cosize, whatever the values are. What it cannot print, coordinates and what
    an int32 does not hold, as wide as it is."""
    if all(isinstance(v, int) for row in values for v in row):
        digits = len(str(layout.cosize()))
        if digits <= _MOST_DIGITS:
            return digits
    return max(len(cell) for row in cells for cell in row)


def _shades(values: list[list[Any]]) -> tuple[tuple[int, ...], ...]:
    seen: dict[Any, int] = {}
    return tuple(
        tuple(v if isinstance(v, int) else seen.setdefault(v, len(seen)) for v in row) for row in values
    )
