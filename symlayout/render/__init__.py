"""Pictures of layouts, in text: the grid of CuTe's `print_layout`, and who owns which element of a tile.

    layout_grid(L).text()                  rows and columns of a layout, to the letter as CuTe prints it
    tv_grid(layout_tv, (16, 16)).text()    thread and value of every element of a tile

A `Grid` is plain data; `text` makes lines of it, `coloured` the same lines for a terminal (this loads rich).
"""

from .grid import MOST_CELLS, Grid
from .layout_grid import layout_grid
from .tv_grid import tv_grid

__all__ = ["MOST_CELLS", "Grid", "layout_grid", "tv_grid"]
