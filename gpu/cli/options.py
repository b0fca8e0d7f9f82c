"""Options and output that the commands share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from symlayout.cli.interrupt import so_far
from symlayout.cli.progress import Bar

from ..backend import Backend
from ..device import Device, about
from ..emulator import Emulator

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")
WIDTH = 160  # of a table where it goes to a file


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


def tracked(
    steps: Iterable[T], says: str, total: int, tell: Callable[[list[T]], object] | None = None
) -> list[T]:
    """What the steps give, taken under the bar that all commands have. `tell` prints what there is so far, if
    the command is interrupted."""
    found: list[T] = []

    def interrupted() -> None:
        if tell is not None and found:
            tell(found)
        click.echo(f"after {len(found)} of {total} steps {says}")

    with so_far(interrupted), Bar(says, total) as bar:
        for step in steps:
            found.append(step)
            bar.tick()
    return found


def console() -> Console:
    """Where tables go: as wide as the terminal, or wide enough for a file."""
    from rich.console import Console

    found = Console()
    return found if found.is_terminal else Console(width=WIDTH)


def say(style: str, answer: dict[str, Any], lines: list[str]) -> None:
    """Print an answer, as JSON or as lines."""
    click.echo(json.dumps(answer, indent=2) if style == "json" else "\n".join(lines))
