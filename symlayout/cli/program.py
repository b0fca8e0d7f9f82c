"""The program itself: the table of commands, loaded when needed, and the one place where errors become exit
codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from . import exits
from .interrupt import farewell
from .progress import Bar

# name -> (module in this package, what `--help` says of it)
COMMANDS = {
    "prove": ("prove", "Prove a retile for all threads and values, or every theorem of a file or folder."),
    "refute": ("refute", "Refute that a direct divide gives the retile's view."),
    "recheck": ("recheck", "Check certificates with another solver and plain arithmetic."),
    "trace": ("trace", "Print every step of a retile by its CuTe name."),
    "eval": ("evaluate", "Evaluate a layout expression in CuTe's notation."),
    "explain": ("explain", "Evaluate an expression, with the law, its notes and the arithmetic."),
    "show": ("show", "Print the grid of a layout, or who owns which element of a tile."),
    "conform": ("conform", "Run recorded answers of CuTe against symlayout."),
    "where": ("where", "Say which lane and register hold an element of an operand, and the reverse."),
    "atoms": ("atoms", "List the instructions of the catalogue, or detail one."),
    "gpu": ("gpu", "Ask a GPU, or an emulator of one, whether it does what the model says."),
    "schema": ("schema", "Print the schema of --format json."),
}


class Program(click.Group):
    """A group whose commands are imported when they run, and that maps every error to its exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f".{COMMANDS[cmd_name][0]}", __package__).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=2)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *_: Any, **_extra: Any) -> NoReturn:
        sys.exit(self.run(args))

    def run(self, args: Sequence[str] | None = None) -> int:
        """Run and return the exit code. Nothing but `--debug` lets a traceback out."""
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            code = self._run(list(arguments))
            sys.stdout.flush()
            return code
        except KeyboardInterrupt as stopped:
            Bar.wipe_all()  # one may be held by a frame which the exception keeps alive
            return farewell(stopped)
        except BrokenPipeError:
            exits.quiet_output()
            return exits.NO_READER
        except (Exception, SystemExit) as error:  # one from elsewhere, whose code says nothing
            if "--debug" in arguments and exits.exit_code(error) == exits.DEFECT:
                raise
            return exits.report(error, arguments)

    def _run(self, arguments: list[str]) -> int:
        # not click's own main, which turns a lost reader into exit code 1: here that means refuted
        try:
            with self.make_context("symlayout", arguments) as context:
                code: int = self.invoke(context)
        except click.exceptions.Exit as ended:  # --help, --version
            return ended.exit_code
        return code


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        from .. import __version__

        click.echo(f"symlayout {__version__}")
        ctx.exit()


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 as stated, 1 refuted, 2 bad input, 3 unknown, bounded or vacuous, "
    "4 a defect of symlayout.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
@click.option(
    "--debug", is_flag=True, expose_value=False, help="Show the traceback of an error that nobody foresaw."
)
def program() -> None:
    """A formal checker for CuTe layouts: proves a retile, or refutes it with the smallest witness.

    Layouts are written as CuTe prints them, `((2,2),8):((1,2),4)`; quote them for the shell. Give --format
    json to any command for scripts.
    """
