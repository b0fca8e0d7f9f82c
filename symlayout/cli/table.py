"""Tables on standard output: aligned text, CSV (RFC 4180), Markdown, or in colour for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

FORMS = ("text", "csv", "markdown")

Row = Sequence[object]


def table(form: str, header: Sequence[str], rows: Sequence[Row]) -> str:
    """The table in one of FORMS, without a newline at its end. None is an empty cell."""
    cells = [["" if x is None else str(x) for x in row] for row in rows]
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([header, *cells])
        return out.getvalue().removesuffix("\n")
    if form == "markdown":
        lines = [header, ["---"] * len(header), *([x.replace("|", "\\|") for x in row] for row in cells)]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    widths = [max(len(row[k]) for row in [list(header), *cells]) for k in range(len(header))]
    numeric = [all(row[k].lstrip("-").isdigit() or not row[k] for row in cells) for k in range(len(header))]
    return "\n".join(
        "  ".join(
            x.rjust(w) if right else x.ljust(w) for x, w, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in [list(header), *cells]
    )


def coloured(*header: str, wide: str) -> Table:
    """An empty table of verdicts: the column `wide` folds, the last one, a time, is flush right."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE, pad_edge=False)
    for name in header[:-1]:
        if name == wide:
            made.add_column(name, ratio=1, overflow="fold")
        else:
            made.add_column(name, no_wrap=True)
    made.add_column(header[-1], justify="right", no_wrap=True)
    return made


def print_coloured(made: Table) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in console._environ:
        console = Console(highlight=False, width=120)  # a file has no width of its own
    console.print(made)
