"""`symlayout show LAYOUT`: the grid of a layout, or of who owns which element of a tile."""

from __future__ import annotations

from typing import Any

import click

from ..dim import is_symbolic
from ..errors import LayoutError, NotationError, UnsupportedError
from ..inttuple import show as shown
from .answer import answer, colourful, format_option
from .configuration import Letters


@click.command()
@click.argument("layout")
@click.option(
    "--tv", is_flag=True, help="LAYOUT sends (thread, value) to an element: show the owners of a tile."
)
@click.option(
    "--tile", metavar="M,N", help="The tile of --tv, column-major. The default is one row of all elements."
)
@click.option(
    "--operand",
    type=Letters("A", "B", "C"),
    metavar="A|B|C",
    help="LAYOUT is the name of an MMA atom: show the owners of this operand's tile.",
)
@format_option
def command(layout: str, tv: bool, tile: str | None, operand: str | None, form: str) -> int:
    """Print the grid of a layout, as CuTe's print_layout does for two modes.

    LAYOUT is a layout or any expression that gives one. One mode is a single row; of three modes or more
    the first gives the rows and the others together the columns. Thread-value layouts are shown over their
    tile: T4 V1 is value 1 of thread 4.

    \b
    symlayout show "(4,8):(8,1)"
    symlayout show "Sw<2,0,3> o 0 o (8,8):(8,1)"
    symlayout show "((4,8),(2,2)):((16,1),(8,64))" --tv --tile 8,16
    symlayout show SM80_16x8x16_F32F16F16F32_TN --operand B
    """
    from ..render import layout_grid, tv_grid

    value: Any
    sizes: tuple[int, ...] | None
    if operand is not None:
        value, sizes = _of_atom(layout, operand, tile)
    else:
        from .recorder import record

        value, sizes = record(layout).value, None
        if is_symbolic((getattr(value, "shape", 0), getattr(value, "stride", 0))):
            raise LayoutError(f"show: {value} has parameters; give integers for them")
        if tv or tile is not None:
            sizes = _tile(tile, value)
    grid = layout_grid(value) if sizes is None else tv_grid(value, sizes)
    data = {
        "command": "show",
        "exit_code": 0,
        "layout": shown(value),
        "tile": None if sizes is None else list(sizes),
        "cells": [list(row) for row in grid.cells],
    }
    if form == "text" and colourful():
        from rich.console import Console

        Console(highlight=False, soft_wrap=True).print(grid.coloured())
        return 0
    return answer(form, grid.text().removesuffix("\n"), data)


def _of_atom(name: str, operand: str, tile: str | None) -> tuple[Any, tuple[int, int]]:
    from .. import atoms

    if tile is not None:
        raise NotationError("--tile and --operand: the operand's own tile is shown", tile)
    atom = atoms.mma(name)
    m, n, k = atom.shape_mnk
    return atom.layout(operand), {"A": (m, k), "B": (n, k), "C": (m, n)}[operand]


def _tile(tile: str | None, layout: Any) -> tuple[int, ...]:
    if tile is None:
        if not hasattr(layout, "cosize"):
            raise LayoutError(f"show: {shown(layout)} is not a layout")
        return (1, layout.cosize())
    from ..inttuple import product_each
    from ..notation import parse_shape

    shape = parse_shape(tile)
    sizes = product_each(shape) if isinstance(shape, tuple) else (shape,)
    if len(sizes) > 2:
        raise UnsupportedError(f"--tile {tile}: a picture has two modes, as in 16,8")
    return (1, *sizes) if len(sizes) == 1 else tuple(sizes)
