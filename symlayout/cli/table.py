"""Tables on standard output: aligned text, CSV (RFC 4180), or Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

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
