"""The commands below `symlayout gpu`, and of `python -m gpu`: one module each."""

from __future__ import annotations

import sys

import click

from symlayout.cli.interrupt import listening
from symlayout.cli.program import Program, program

from .banks import measure_banks
from .campaign import ask_campaign
from .cute import ask_cute
from .discover import discover_fragments
from .equal import ask_equal
from .every import ask_all
from .replay import replay_files
from .retile import retile
from .wgmma import discover_warpgroups


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def gpu() -> None:
    """Ask a GPU whether it does what the model says."""


for command in (
    retile,
    ask_all,
    discover_fragments,
    measure_banks,
    replay_files,
    discover_warpgroups,
    ask_campaign,
    ask_cute,
    ask_equal,
):
    gpu.add_command(command)


class _Commands(Program):
    """`symlayout` with `gpu` as its only command."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        return gpu


def main(args: list[str] | None = None) -> None:
    """Run a command as `symlayout gpu` does: the same messages, JSON and exit codes, and the same --debug."""
    words = sys.argv[1:] if args is None else args
    debug = [word for word in words if word == "--debug"]
    rest = [word for word in words if word != "--debug"]
    with listening():
        code = _Commands(params=program.params).run([*debug, "gpu", *rest])
    sys.exit(code)
