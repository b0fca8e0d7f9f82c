"""The grid of a thread-value layout: which thread holds an element of the tile, and as which of its values.

The cell of element (m, n) reads `T4 V1`. An element that several threads hold shows the first and how many
more (`T0 V0 +3`), one that nobody holds stays empty. `T` counts the layout's mode 0 and `V` its mode 1,
both column-major.
"""

from __future__ import annotations

from typing import Any

from ..errors import LayoutError
from ..inttuple import product, show
from ..layout import Layout
from ..swizzle import ComposedLayout
from .grid import Grid, check_cells


def tv_grid(layout: Any, tile: Any) -> Grid:
    """`tv_grid(atom.layout_A, (16, 16))`: the layout sends (thread, value) to the column-major index in the
    tile.

    Raises LayoutError when the layout is not of two modes or leaves the tile, UnsupportedError for more
    than MOST_CELLS.
    """
    if not isinstance(layout, (Layout, ComposedLayout)) or layout.rank() != 2:
        raise LayoutError(
            f"show: {show(layout)} has no thread and value modes; a TV layout has exactly two modes"
        )
    sizes = tuple([int(product(s)) for s in tile]) if isinstance(tile, tuple) else (1, int(tile))
    if len(sizes) == 1:
        sizes = (1, sizes[0])
    if len(sizes) != 2:
        raise LayoutError(
            f"show: the tile {show(tile)} has {len(sizes)} modes; a picture has two, as in 16,8"
        )
    rows, columns = sizes
    check_cells(f"the tile {show(tile)}", rows, columns)
    threads, values = (int(product(s)) for s in layout.shape)
    check_cells(f"the layout {layout}", threads, values)
    owners: dict[int, list[tuple[int, int]]] = {}
    for t in range(threads):
        for v in range(values):
            index = layout(t, v)
            if not isinstance(index, int) or not 0 <= index < rows * columns:
                raise LayoutError(
                    f"show: {layout} leaves the tile {show(tile)}\n"
                    f"  thread {t}, value {v} is element {show(index)}, "
                    f"and the tile has elements 0 .. {rows * columns - 1}"
                )
            owners.setdefault(index, []).append((t, v))
    cells = tuple(tuple(_cell(owners.get(m + rows * n, [])) for n in range(columns)) for m in range(rows))
    shades = tuple(
        tuple(owners.get(m + rows * n, [(0, 0)])[0][0] for n in range(columns)) for m in range(rows)
    )
    return Grid(f"{layout} over {show(sizes)}", cells, shades, max(len(c) for row in cells for c in row))


def _cell(owners: list[tuple[int, int]]) -> str:
    if not owners:
        return ""
    (thread, value), more = owners[0], len(owners) - 1
    return f"T{thread} V{value}" + (f" +{more}" if more else "")
