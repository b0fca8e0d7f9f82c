"""Options and output that the commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..backend import Backend
from ..device import Device, about
from ..emulator import Emulator


def backend_named(name: str) -> Backend:
    """`device` or `emulator`. Raises NoDevice."""
    return Emulator() if name == "emulator" else Device()


backend_option = click.option(
    "--backend", type=click.Choice(["device", "emulator"]), default="device", show_default=True,
    help="The GPU, or a numpy machine made from the PTX ISA's formulas (no hardware).",
)  # fmt: skip
format_option = click.option("--format", "style", type=click.Choice(["text", "json"]), default="text")
record_option = click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Write what was observed to this results file.",
)


def rests_on(machine: Any) -> dict[str, str]:
    """What a result rests on: device, driver and CUDA, or the emulator's name."""
    return about() if machine.hardware else {"device": machine.name}


def say(style: str, answer: dict[str, Any], lines: list[str]) -> None:
    """Print an answer, as JSON or as lines."""
    click.echo(json.dumps(answer, indent=2) if style == "json" else "\n".join(lines))
