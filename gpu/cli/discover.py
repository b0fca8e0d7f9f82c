"""`gpu discover`: what instructions do, from the hardware alone."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ..cases import askable
from ..device import about, cupy, kernel_hash
from ..discover import COPY_ATOMS, discover
from ..records import today, write
from ..report import AGREE, DISAGREE
from .options import format_option, record_option, say


@click.command("discover")
@click.argument("instructions", nargs=-1)
@record_option
@format_option
def discover_fragments(instructions: tuple[str, ...], record: Path | None, style: str) -> int:
    """Find the fragments of instructions out from the hardware: ldmatrix.x4.trans, movmatrix, or an MMA atom.

    Without a name all that are known are asked.
    """
    cupy()  # say at once that there is no device
    found = [discover(name) for name in instructions or everything_to_discover()]
    code = AGREE if all(a.manual for a in found) else DISAGREE
    fragments = [asdict(a) for a in found]
    if record:
        kernels = {name: kernel_hash(name) for name in ("moves", "onehot")}
        write(record, {**about(), "date": today(), "kernels": kernels, "fragments": fragments})
    if style == "json":
        say(style, {"command": "gpu discover", **about(), "fragments": fragments, "exit_code": code}, [])
        return code
    from rich.console import Console
    from rich.table import Table

    table = Table("instruction", "asked", "CuTe", "PTX ISA", "layout of what was seen")
    for a in found:
        says = ["same" if x else "DIFFERS" for x in (a.cute, a.manual)]
        table.add_row(a.instruction.removeprefix("mma.sync.aligned."), str(a.asked), *says, a.found)
    Console().print(table)
    return code


def everything_to_discover() -> list[str]:
    """The moves, and one MMA atom of each instruction."""
    return [*COPY_ATOMS, *(name for name in askable() if "XOR" not in name)]
