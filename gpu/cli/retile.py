"""`gpu retile`: one configuration."""

from __future__ import annotations

from typing import Any

import click

from ..configuration import Configuration
from ..crosscheck import crosscheck
from ..report import exit_code, text
from .options import backend_named, backend_option, format_option, say


@click.command()
@click.option("--mma", required=True, help="MMA atom, e.g. SM80_16x8x16_F32F16F16F32_TN.")
@click.option("--copy", required=True, help="Copy atom, e.g. SM75_U32x4_LDSM_N.")
@click.option("--operand", required=True, type=click.Choice(["A", "B", "C"]))
@click.option(
    "--tensor", default="", help="Shared memory, (32,32):(32,1) or swizzled; default one tile, K contiguous."
)
@click.option("--atoms", default="1,1,1", show_default=True, help="Atoms along M, N, K.")
@click.option("--permutation", default="", help="Three entries: an int, a layout or _.")
@click.option("--type", default="", help="What the copy moves; default the type of the MMA's operand.")
@click.option(
    "--side",
    type=click.Choice(["auto", "S", "D"]),
    default="auto",
    show_default=True,
    help="Where the registers are: D for loads, S for stores; auto asks the atom.",
)
@backend_option
@format_option
def retile(backend: str, style: str, **words: Any) -> int:
    """Move an operand through retile_D or retile_S; hold every place, and D, against the prediction."""
    check = crosscheck(*Configuration(**words).objects(), backend=backend_named(backend))
    code = exit_code(check)
    say(style, {"command": "gpu retile", **check.to_json(), "exit_code": code}, [text(check)])
    return code
