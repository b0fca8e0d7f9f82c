"""The benchmark, one table: ``python -m tests.bench [startup] [algebra] [laws] ...``; exits 1 on a miss."""

import importlib.util
import sys

from rich.console import Console
from rich.table import Table

from . import checks, engines, laws, polynomials, startup
from .figure import Figure

PARTS = ["startup", "algebra", "laws", "polynomials", "engines", "checks"]
WIDTH = 130  # columns, where no terminal says how many there are


def measure(part: str) -> list[Figure]:
    if part == "startup":
        return startup.figures()
    if part == "checks":
        return checks.figures()
    if part == "polynomials":
        return polynomials.figures()
    if part == "laws":
        return laws.figures()
    if part == "engines":
        return engines.figures()
    if importlib.util.find_spec("pycute") is None:
        return [Figure("algebra", "", "not measured: no pycute; `make bench` installs nvidia-cutlass")]
    from . import algebra

    return algebra.figures()


def table(figures: list[Figure]) -> Table:
    result = Table(title="medians of paired runs; ratio = how many times faster symlayout is")
    for heading in ("figure", "symlayout", "compared with", "ratio", "target", ""):
        result.add_column(heading, justify="left" if heading in ("figure", "") else "right")
    for figure in figures:
        verdict = {True: "met", False: "[bold]MISSED[/bold]", None: ""}[figure.met]
        ratio = "" if figure.ratio is None else f"{figure.ratio:.1f}x"
        result.add_row(figure.name, figure.ours, figure.theirs, ratio, figure.target, verdict)
    return result


def main() -> int:
    parts = sys.argv[1:] or PARTS
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    figures = [figure for part in parts for figure in measure(part)]
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    console.print(table(figures))
    return int(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
