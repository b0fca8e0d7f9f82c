"""A boxed table of cells with numbered rows and columns, as text and in colour.

The frame is CuTe's: two digits for a row number, columns as wide as the widest cell is declared, no ruler
of its own for a number that is wider (CuTe's `printf` lets it push the rest of the line to the right, and
so does this).

Source of the frame: cute/util/print_tensor.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UnsupportedError

if TYPE_CHECKING:
    from rich.text import Text

MOST_CELLS = 1 << 16  # more is not a picture any more

# background colours for eight neighbours, light enough for black letters
_SHADES = ("#c6dbef", "#c7e9c0", "#fdd0a2", "#dadaeb", "#fcc5c0", "#ccece6", "#fee391", "#d9d9d9")

_Piece = tuple[str, int | None]  # text and shade


@dataclass(frozen=True)
class Grid:
    """`cells[m][n]` in a frame; `shades[m][n]` is any number, cells with the same one have the same colour.

    `title` stands above, `notes` below; `width` is that of a cell without its margins.
    """

    title: str
    cells: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[int, ...], ...]
    width: int
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """The lines, with a newline at the end of each."""
        return "".join("".join(text for text, _ in line) + "\n" for line in self._lines())

    def coloured(self) -> Text:
        """The same characters, cells on a background that follows their shade."""
        from rich.text import Text

        result = Text(no_wrap=True, end="")
        for line in self._lines():
            for text, shade in line:
                result.append(text, "" if shade is None else f"black on {_SHADES[shade % len(_SHADES)]}")
            result.append("\n")
        return result

    def _lines(self) -> Iterator[list[_Piece]]:
        columns = len(self.cells[0])
        rule = "    " + ("+" + "-" * (self.width + 2)) * columns + "+"
        yield [(self.title, None)]
        yield [("    " + "".join(f"  {n:>{self.width}} " for n in range(columns)), None)]
        for m, (row, shades) in enumerate(zip(self.cells, self.shades, strict=True)):
            yield [(rule, None)]
            line: list[_Piece] = [(f"{m:>2}  ", None)]
            for cell, shade in zip(row, shades, strict=True):
                line += [("|", None), (f" {cell:>{self.width}} ", shade)]
            yield [*line, ("|", None)]
        yield [(rule, None)]
        for note in self.notes:
            yield [(note, None)]


def check_cells(what: str, rows: int, columns: int) -> None:
    """Raise UnsupportedError when a picture would have more than MOST_CELLS cells."""
    if rows * columns > MOST_CELLS:
        raise UnsupportedError(
            f"{what} is too large to print\n"
            f"  {rows} rows x {columns} columns, and at most {MOST_CELLS} cells are printed\n"
            "  evaluate it at a coordinate, or take a part of it"
        )
