"""`gpu banks`: wavefronts and bank conflicts, counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..banks.asm import BYTES
from ..banks.banks import Row, differing, launch, launched, look, measure, recorded, table
from ..records import write
from ..report import AGREE, DISAGREE
from .options import format_option, record_option, say


@click.command("banks")
@click.option(
    "--launch",
    "which",
    type=click.Choice(["all", "watched", "sample"]),
    hidden=True,
    help="Launch for the profiler that runs this process.",
)
@click.option("--metrics", is_flag=True, hidden=True, help="Show the profiler's counters on a few accesses.")
@click.option(
    "--recorded",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Show the table of a results file instead of measuring.",
)
@record_option
@format_option
def measure_banks(
    which: str | None, metrics: bool, file: Path | None, record: Path | None, style: str
) -> int:
    """Count wavefronts and bank conflicts with Nsight Compute, each access predicted first."""
    if which:
        launch(launched(which))
        return AGREE
    if metrics:
        if file or record:
            raise click.UsageError("--metrics shows counters: no --record or --recorded with it")
        seen = look(Path.cwd())
        say(style, {"command": "gpu banks", **seen, "exit_code": AGREE}, _looked(seen))
        return AGREE
    if file and record:
        raise click.UsageError("--recorded shows a file, --record writes one: give one of them")
    content = recorded(file) if file else measure(Path.cwd())
    if record:
        write(record, content)
    rows, bad = table(content), differing(content)
    code = DISAGREE if bad else AGREE
    about = {k: v for k, v in content.items() if k != "accesses"}
    answer = {
        "command": "gpu banks",
        **about,
        "accesses": len(content["accesses"]),
        "table": [{**row._asdict(), "degree": str(row.degree)} for row in rows],
        "not_as_predicted": bad,
    }
    lines = [*bad, *_table(rows), *_refused(content), _sum(content, bad)]
    say(style, {**answer, "exit_code": code}, lines)
    return code


def _table(rows: list[Row]) -> list[str]:
    """Instruction by instruction, then what else would fit where the prediction does not."""
    width = max(len(row.instruction) for row in rows)
    lines = [f"{'instruction':{width}}  accesses  as predicted  greatest degree"]
    for row in rows:
        degree = f"{float(row.degree):g}"
        lines.append(f"{row.instruction:{width}}  {row.accesses:8}  {row.as_predicted:12}  {degree:>15}")
    return lines + [f"{row.instruction} would fit: {'; '.join(row.models)}" for row in rows if row.models]


def _refused(content: dict[str, Any]) -> list[str]:
    lines = [f"{r['instruction']}: refused: {r['answer']}" for r in content.get("refused", [])]
    return lines + [
        f"{name}: the device has it, and no model says how it is served"
        for name in content.get("accepted", [])
    ]


def _sum(content: dict[str, Any], bad: list[str]) -> str:
    refused = sum(r["instruction"] in BYTES for r in content.get("refused", []))
    forms = f", {refused} forms refused" if refused else ""
    return f"{len(content['accesses'])} accesses on {content['device']}{forms}, {len(bad)} not as predicted"


def _looked(seen: dict[str, Any]) -> list[str]:
    """Counters, then each access with the counters that are not 0."""
    lines = [f"{len(seen['counters'])} counters about shared memory:", *seen["counters"], ""]
    lines += [f"{kind} is counted by {' and '.join(pair)}" for kind, pair in seen["chosen"].items()]
    for a in seen["accesses"]:
        lines += ["", f"{a['instruction']}, {a['pattern']}: predicted {tuple(a['predicted'])}"]
        lines += [f"  {value:6} {name}" for name, value in a["counted"].items() if value]
    return lines
