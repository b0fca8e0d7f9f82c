"""`symlayout prove retile ...` and `symlayout prove PATH...`."""

from __future__ import annotations

import click

from .proofs import proofs
from .retile import retile


class Prove(click.Group):
    """A group whose word `retile` is a command; any other words are files and folders of theorems."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_help = any(a in self.get_help_option_names(ctx) for a in args)
        if "retile" in args:
            args = ["retile", *(a for i, a in enumerate(args) if i != args.index("retile"))]
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
                        "PATH...",
                        "Every theorem of a file or folder; `proofs` without such a folder is the article's.",
                    ),
                ]
            )


@click.group(cls=Prove, subcommand_metavar="retile [OPTIONS] | PATH... [--format json]")
def command() -> None:
    """Prove a retile for all threads and values, or every theorem of a file or folder.

    A theorem is as stated when it is proved, a refutation when it fails at the pinned witness.
    """


command.add_command(retile)
command.add_command(proofs)
