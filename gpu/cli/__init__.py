"""The commands below `symlayout gpu`, and of `python -m gpu`: one module each."""

from __future__ import annotations

import sys

import click

from symlayout import SymlayoutError

from ..device import NoDevice
from .banks import measure_banks
from .campaign import ask_campaign
from .cute import ask_cute
from .discover import discover_fragments
from .equal import ask_equal
from .every import ask_all
from .replay import replay_files
from .retile import retile
from .wgmma import discover_warpgroups

BAD_INPUT, NO_DEVICE = 2, 3


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


def main(args: list[str] | None = None) -> None:
    """Run a command; errors become one message and an exit code."""
    try:
        code = gpu.main(args=args, prog_name="symlayout gpu", standalone_mode=False)
    except NoDevice as error:
        _stop(str(error), NO_DEVICE)
    except click.ClickException as error:
        _stop(error.format_message(), BAD_INPUT)
    except SymlayoutError as error:
        _stop(str(error), BAD_INPUT)
    except OSError as error:  # a file that cannot be written, or read
        _stop(f"{error.filename}: {error.strerror}" if error.filename else str(error), BAD_INPUT)
    except click.exceptions.Abort:
        sys.exit(130)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _stop(message: str, code: int) -> None:
    click.echo(f"symlayout gpu: {message}", err=True)
    sys.exit(code)
