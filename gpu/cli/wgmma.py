"""`gpu wgmma`: the fragments of wgmma, from the hardware."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from fnmatch import fnmatchcase
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from symlayout import UnsupportedError
from symlayout.atoms.atom import MmaAtom

from ..device import kernel_hash
from ..records import today, write
from ..report import AGREE, DISAGREE
from ..wgmma.device import WgmmaDevice
from ..wgmma.emulator import WgmmaEmulator
from ..wgmma.operands import names, wgmma_atom
from ..wgmma.wgmma import Machine, WgmmaAgreement, discover_wgmma
from .options import backend_option, console, format_option, record_option, rests_on, say, tracked


@click.command("wgmma")
@click.argument("asked", metavar="[ATOM]...", nargs=-1)
@record_option
@backend_option
@format_option
def discover_warpgroups(asked: tuple[str, ...], backend: str, record: Path | None, style: str) -> int:
    """Find the accumulators and A's registers of wgmma out from the hardware, for each type and each N.

    ATOM is a name as SM90_64x128x16_F32F16F16_RS, or a pattern as "SM90_64x*_S32S8S8_RS_TN". Without one all
    are asked.
    """
    chosen, machine, found = ask(asked, backend)
    code = AGREE if all(a.agree for a in found) else DISAGREE
    if record:
        write(record, document(found, rests_on(machine)))
    if style == "json":
        rows = [asdict(a) for a in found]
        say(style, {"command": "gpu wgmma", **rests_on(machine), "wgmma": rows, "exit_code": code}, [])
    else:
        show(found, chosen, machine)
    return code


def ask(asked: tuple[str, ...], backend: str) -> tuple[list[MmaAtom], Machine, list[WgmmaAgreement]]:
    """What was asked, all for nothing named, of whom, and the answers, under a progress bar."""
    from rich.console import Console

    chosen = [wgmma_atom(name) for name in _chosen(asked)]
    with Console(stderr=True).status("compiling what is not kept from before"):
        machine: Machine = WgmmaEmulator() if backend == "emulator" else WgmmaDevice(chosen)
    steps = (discover_wgmma(atom, machine) for atom in chosen)
    tell = partial(_tell, chosen=chosen, machine=machine)
    return chosen, machine, tracked(steps, f"on {machine.name}", len(chosen), tell)


def _tell(found: list[WgmmaAgreement], chosen: list[MmaAtom], machine: Machine) -> None:
    show(found, chosen[: len(found)], machine)


def document(found: list[WgmmaAgreement], rests: dict[str, str]) -> dict[str, Any]:
    """The results file."""
    kernels = {"wgmma": kernel_hash("wgmma")}
    return {**rests, "date": today(), "kernels": kernels, "wgmma": [asdict(a) for a in found]}


def _chosen(asked: tuple[str, ...]) -> list[str]:
    """The names, patterns replaced by what they match, each once."""
    known = names()
    result: dict[str, None] = {}
    for text in asked or ("*",):
        matching = [name for name in known if fnmatchcase(name, text)]
        if not matching and "*" in text:
            raise UnsupportedError(f"no wgmma with A in registers is called {text}\n  one is {known[0]}")
        result |= dict.fromkeys(matching or [text])
    return list(result)


def show(found: list[WgmmaAgreement], chosen: list[MmaAtom], machine: Machine) -> None:
    """The table, a row for all N that came out alike, and what did not come out."""
    from rich.table import Table

    table = Table(
        *("instruction", "N", "asked", "CuTe", "PTX ISA", "A*B + C"), "layout of what was seen, of the last N"
    )
    for group in _alike(found, chosen):
        agreements = [a for a, _ in group]
        last, (_, n, k) = agreements[-1], group[-1][1].shape_mnk
        sizes = str(n) if len(group) == 1 else f"{group[0][1].shape_mnk[1]}..{n} ({len(group)})"
        types = last.instruction.split(f"m64n{n}k{k}")[1]
        says = ["same" if x else "DIFFERS" for x in (last.cute, last.manual)]
        products = sum(a.products for a in agreements)
        wrong = sum(a.wrong for a in agreements)
        exact = f"{wrong} of {products} WRONG" if wrong else str(products)
        asked = str(sum(a.asked for a in agreements))
        table.add_row(f"m64nNk{k}{types}", sizes, asked, *says, exact, last.found.replace(", A ", "\nA "))
    console().print(table)
    lines = [f"{a.instruction}: {a.first}" for a in found if a.first]
    lines += [
        f"{a.instruction}: NO CONTROL: reversed values were not noticed" for a in found if not a.control
    ]
    bad = sum(not a.agree for a in found)
    lines.append(f"{len(found)} instructions on {machine.name}, {bad} not as predicted")
    click.echo("\n".join(lines))


def _alike(
    found: list[WgmmaAgreement], chosen: list[MmaAtom]
) -> Iterator[list[tuple[WgmmaAgreement, MmaAtom]]]:
    """Instructions that follow each other, differ in N only and had the same outcome."""
    pairs = list(zip(found, chosen, strict=True))

    def kind(pair: tuple[WgmmaAgreement, MmaAtom]) -> tuple[object, ...]:
        a, atom = pair
        name = atom.ptx.replace(f"n{atom.shape_mnk[1]}k", "nNk")
        return name, a.cute, a.manual, a.wrong == 0, a.control > 0

    for _, group in groupby(pairs, key=kind):
        yield list(group)
