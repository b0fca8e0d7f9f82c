"""`symlayout prove retile ...`, `symlayout prove banks ...` and `symlayout prove PATH...`."""

from __future__ import annotations

import click

from .banks import banks
from .proofs import proofs
from .retile import retile

WORDS = ("retile", "banks")


class Prove(click.Group):
    """A group whose words `retile` and `banks` are commands; others are files and folders of theorems."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_help = any(a in self.get_help_option_names(ctx) for a in args)
        at = next((i for i, a in enumerate(args) if a in WORDS), None)
        if at is not None:
            args = [args[at], *args[:at], *args[at + 1 :]]
        elif args and not asks_help:
            args = ["proofs", *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("What to prove"):
            formatter.write_dl(
                [
                    (
                        "retile",
                        "The view that retile makes of an MMA's registers (see prove retile --help).",
                    ),
                    (
                        "banks",
                        "Bank conflicts of a copy in shared memory (see prove banks --help).",
                    ),
                    (
                        "PATH...",
                        "Every theorem of a file or folder; `proofs` without such a folder is the article's.",
                    ),
                ]
            )


@click.group(cls=Prove, subcommand_metavar="retile|banks [OPTIONS] | PATH... [--format json]")
def command() -> None:
    """Prove a retile for all threads and values, that a copy has no bank conflicts, or every theorem of a
    file or folder.

    A theorem is as stated when it is proved, a refutation when it fails at the pinned witness.
    """


command.add_command(retile)
command.add_command(banks)
command.add_command(proofs)
