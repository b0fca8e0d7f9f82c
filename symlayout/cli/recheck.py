"""`symlayout recheck FILE...`: certificates, checked by another solver and by plain arithmetic."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import NotationError
from .answer import answer, format_option
from .exits import AS_STATED, BAD_INPUT, DEFECT, INTERRUPTED, REFUTED, UNDECIDED
from .interrupt import so_far
from .progress import Bar
from .proofs import duration
from .table import coloured, print_coloured

if TYPE_CHECKING:
    from ..certificate import Certificate
    from ..recheck import Report
    from ..recheck.process import Ask

WORST_FIRST = (DEFECT, BAD_INPUT, REFUTED, UNDECIDED, AS_STATED)


@dataclass(frozen=True)
class Row:
    """One file and what became of it."""

    file: str
    seconds: float
    report: Report | None = None
    error: str = ""

    @property
    def exit_code(self) -> int:
        return BAD_INPUT if self.report is None else self.report.exit_code

    @property
    def verdict(self) -> str:
        return "bad input" if self.report is None else self.report.verdict

    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = {"file": self.file, "verdict": self.verdict, "exit_code": self.exit_code}
        if self.report is None:
            found["message"] = self.error
        else:
            c = self.report.certificate
            found |= {
                "name": c.name,
                "claim": c.sentence,
                "called": c.called,
                "says": self.report.says,
                "certified": c.verdict,
                "obligations": len(c.obligations),
                "answered": self.report.answered,
                "points": self.report.points,
                "whole": all(part.whole for part in self.report.computed),
                "worded": self.report.worded,
                "shown": self.report.shown,
                "notes": self.report.notes,
                "findings": [text for _, text in self.report.findings],
            }
        return {**found, "seconds": round(self.seconds, 6)}

    def lines(self) -> list[str]:
        """The outcome in words."""
        if self.report is None:
            return [f"bad input: {self.error}"]
        return self.report.lines()


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option(
    "--time-limit",
    default=20.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="For one solver and one obligation.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Give the solvers all of their time for the claim itself, and want every obligation answered.",
)
@format_option
def command(paths: tuple[str, ...], time_limit: float, strict: bool, form: str) -> int:
    """Check certificates that `prove --certificate` wrote, or all in a folder.

    The claim is stated anew from what the certificate is about (mma, copy, operand and tensor, or layouts and
    quantifiers) and shown without the prover: every point is computed, or short rules or another solver show
    it for all values. What is printed is what was shown, in the words of the data; what the author calls it
    is said as such. Every obligation is answered by cvc5, and by bitwuzla and isl where they are installed
    and apply. Needs symlayout[recheck].

    Where a claim is not shown, the statements that were are listed instead.

    Exit code 0 when all are confirmed; 1 for a certificate that is false; 2 for a file that is damaged or
    is not a certificate; 3 when a claim is not shown, or a solver is missing; 4 when two answers contradict
    each other.
    """
    from .. import recheck as rechecking

    start = time.perf_counter()
    files = list(_files(paths))
    rows: list[Row] = []
    said = partial(_answer, form, rows, len(files), start)
    with so_far(said), rechecking.Worker() as worker:
        for row in _rows(files, rechecking.solvers(worker), time_limit, strict):
            rows.append(row)
    return said()


def _files(paths: Iterable[str]) -> Iterable[str]:
    for path in paths:
        if Path(path).is_dir():
            found = sorted(Path(path).glob("*.json"))
            if not found:
                raise NotationError(f"{path}: no certificates, no *.json in this folder")
            yield from map(str, found)
        else:
            yield path


def _rows(files: Sequence[str], asked: dict[str, Ask], time_limit: float, strict: bool) -> Iterator[Row]:
    """Everything is read before anything is asked: a damaged file shows at once, and the bar knows its
    end."""
    from ..certificate import read
    from ..recheck import recheck, steps

    read_in: list[Certificate | str] = []
    for file in files:
        try:
            read_in.append(read(file))
        except NotationError as error:
            if len(files) == 1:
                raise
            read_in.append(str(error).removeprefix(f"{file}: "))
    total = sum(steps(found) for found in read_in if not isinstance(found, str))
    with Bar("rechecking", total) as bar:
        for file, found in zip(files, read_in, strict=True):
            begin = time.perf_counter()
            report, error_text = None, ""
            if isinstance(found, str):
                error_text = found
            else:
                try:
                    report = recheck(found, asked, time_limit=time_limit, strict=strict, tick=bar.tick)
                except NotationError as error:
                    if len(files) == 1:
                        raise NotationError(f"{file}: {error}", error.text, error.column) from None
                    error_text = str(error)
            yield Row(file, time.perf_counter() - begin, report, error_text)


def _answer(form: str, rows: list[Row], total: int, start: float) -> int:
    """Print the certificates that are done, all of them or those before an interruption."""
    from ..recheck.process import versions

    seconds = time.perf_counter() - start
    code = next((c for c in WORST_FIRST if any(row.exit_code == c for row in rows)), AS_STATED)
    whole = len(rows) == total
    found = versions()
    data = {
        "command": "recheck",
        "verdict": ("confirmed" if code == AS_STATED else "not confirmed") if whole else "interrupted",
        "exit_code": code if whole else INTERRUPTED,
        "certificates": [row.data() for row in rows],
        "confirmed": sum(row.exit_code == AS_STATED for row in rows),
        "total": total,
        "solvers": found,
        "seconds": round(seconds, 6),
    }
    if total == 1 == len(rows):
        return answer(form, "\n".join(rows[0].lines()), data)
    if form == "text" and rows:
        _print_table(rows)
    summary = _summary(rows, found, seconds)
    return answer(form, summary if whole else f"after {len(rows)} of {total}: {summary}", data)


def _print_table(rows: Sequence[Row]) -> None:
    from rich.text import Text

    table = coloured("certificate", "answered", "computed", "outcome", "time", wide="answered")
    for row in rows:
        good = row.exit_code == AS_STATED
        table.add_row(
            Text(Path(row.file).stem),
            Text("" if row.report is None else row.report.answers),
            Text("" if row.report is None else row.report.extent),
            Text(row.verdict, style="green" if good else "red"),
            duration(row.seconds),
        )
    print_coloured(table)


def _summary(rows: Sequence[Row], solvers: dict[str, str], seconds: float) -> str:
    other = [row for row in rows if row.exit_code != AS_STATED]
    counts = f"{len(rows) - len(other)} confirmed" + (f", {len(other)} NOT confirmed" if other else "")
    by = ", ".join(f"{name} {version}" for name, version in solvers.items())
    lines = [f"{counts}, by {by} and evaluation, in {duration(seconds)}"]
    for row in other:
        lines += ["", row.file, *(f"  {line}" for line in row.lines())]
    return "\n".join(lines)
