"""`symlayout conform FILE...`: recorded answers of CuTe against this package."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import NotationError
from .answer import answer, format_option
from .exits import AS_STATED, INTERRUPTED, REFUTED
from .interrupt import so_far

if TYPE_CHECKING:
    from ..conform import Report


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.jsonl...")
@click.option("--checked", is_flag=True, help="Run the safe mode and list the ids that it refuses.")
@click.option(
    "--first", default=10, show_default=True, type=click.IntRange(0), help="How many differences to print."
)
@format_option
def command(files: tuple[str, ...], checked: bool, first: int, form: str) -> int:
    """Run recorded answers of CuTe against symlayout, to the letter.

    A line of a file is {"op": ..., "args": [...], "result": ...} or has "error" instead, or is a record of
    a tiled object. Dumps of any CuTe version can be fed in. Records with "callable": false are skipped.

    Exit code 0 when every record agrees; 1 on a difference, an unknown operation or an argument that cannot
    be read. Refusals of the safe mode are listed and are not differences.
    """
    from ..conform import conform

    reports: list[tuple[str, Report]] = []
    said = partial(_answer, form, reports, len(files), checked, first)
    with so_far(said):
        for file in files:
            reports.append((file, _run(conform, file, checked)))
    return said()


def _answer(form: str, reports: list[tuple[str, Report]], total: int, checked: bool, first: int) -> int:
    """Print the files that are done, all of them or those before an interruption."""
    whole = len(reports) == total
    code = AS_STATED if all(report.ok for _, report in reports) else REFUTED
    texts = [
        report.text(first) if total == 1 else f"{file}: {report.text(first)}" for file, report in reports
    ]
    data = {
        "command": "conform",
        "exit_code": code if whole else INTERRUPTED,
        "verdict": ("as stated" if code == AS_STATED else "refuted") if whole else "interrupted",
        "checked": checked,
        "files": [{"file": file, **_data(report, first)} for file, report in reports],
    }
    texts += [] if whole else [f"{len(reports)} of {total} files"]
    return answer(form, "\n".join(texts), data)


def _run(conform: Any, file: str, checked: bool) -> Report:
    if Path(file).is_dir():
        raise NotationError(f"{file} is a folder; give its files, {file.rstrip('/')}/*.jsonl")
    try:
        report: Report = conform(file, checked=checked)
    except UnicodeError:
        raise NotationError(f"{file} is not text in UTF-8") from None
    if not report.total:  # agreement about nothing is not an agreement
        raise NotationError(f"{file} has no records; a line is a JSON object with op, args and result")
    return report


def _data(report: Report, first: int) -> dict[str, Any]:
    return {
        **report.counts(),
        "differences": [
            {"kind": kind, "id": d.id, "op": d.op, "args": d.args, "expected": d.expected, "got": d.got}
            for kind, found in (
                ("differing", report.differing),
                ("unknown operation", report.unknown),
                ("unparsed", report.unparsed),
            )
            for d in found[:first]
        ],
        "refused_ids": report.refused_ids,
    }
