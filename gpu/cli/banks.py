"""`gpu banks`: wavefronts and bank conflicts, counted."""

from __future__ import annotations

from pathlib import Path

import click

from ..banks import launch, measure, probes
from ..device import about, kernel_hash
from ..records import today, write
from ..report import AGREE, DISAGREE
from .options import format_option, record_option, say


@click.command("banks")
@click.option(
    "--launch-only", is_flag=True, hidden=True, help="Launch for the profiler that runs this process."
)
@record_option
@format_option
def measure_banks(launch_only: bool, record: Path | None, style: str) -> int:
    """Count wavefronts and bank conflicts with Nsight Compute, each access predicted first."""
    if launch_only:
        launch(probes())
        return AGREE
    accesses = measure(Path.cwd())
    bad = [a for a in accesses if list(a["predicted"]) != list(a["measured"])]
    if record:
        kernels = {"banks": kernel_hash("banks")}
        write(record, {**about(), "date": today(), "kernels": kernels, "accesses": accesses})
    lines = [
        f"{a['instruction']}, {a['pattern']}: predicted {a['predicted']}, measured {a['measured']}"
        for a in bad
    ]
    lines.append(f"{len(accesses)} accesses on {about()['device']}, {len(bad)} not as predicted")
    code = DISAGREE if bad else AGREE
    answer = {"command": "gpu banks", **about(), "accesses": len(accesses), "not_as_predicted": bad}
    say(style, {**answer, "exit_code": code}, lines)
    return code
