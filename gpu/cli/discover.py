"""`gpu discover`: what instructions do, from the hardware alone."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from symlayout import NotationError

from ..device import kernel_hash
from ..discovery.census import asked, not_asked, resolve
from ..discovery.discover import KERNELS, Row, discover, discover_all, row_of
from ..discovery.machines import Emulated, Machine, Silicon
from ..records import RESULTS, today, write
from ..report import AGREE, DISAGREE
from .options import backend_option, console, format_option, record_option, rests_on, say, tracked

FEW = 8  # rows that are printed with their layouts
NEWEST = "the newest"


@click.command("discover")
@click.argument("instructions", metavar="[INSTRUCTION]...", nargs=-1)
@click.option(
    "--recorded", metavar="[FILE]", is_flag=False, flag_value=NEWEST, default=None,
    help="Ask no GPU: what this results file holds, or the newest that is there.",
)  # fmt: skip
@record_option
@backend_option
@format_option
def discover_fragments(
    instructions: tuple[str, ...], recorded: str | None, backend: str, record: Path | None, style: str
) -> int:
    """Find the fragments of instructions out from the hardware, and hold them against CuTe and the PTX ISA.

    INSTRUCTION is PTX's name, ldmatrix.x4.trans, movmatrix, cp.async.ca.16,
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, or an atom's. Without one, all are asked.
    """
    if record and recorded is not None:
        raise click.UsageError("--record writes what a machine says, and --recorded asks none")
    if recorded is not None and backend != "device":
        raise click.UsageError("--backend names the machine to ask, and --recorded asks none")
    for name in instructions:
        resolve(name)  # bad names first, before there has to be a device
    if recorded is not None:
        content = _read(recorded)
        rows: list[Row] = content["fragments"]
        if instructions:
            wanted = {resolve(name)[0] for name in instructions}
            rows = [row for row in rows if row.name in wanted]
        if not rows:
            raise NotationError(f"nothing is recorded of {', '.join(instructions)}")
        rests: dict[str, str] = {
            key: str(content[key]) for key in ("device", "driver", "cuda", "date") if key in content
        }
    else:
        machine: Machine = Emulated() if backend == "emulator" else Silicon()
        rows = ask(instructions, machine)
        rests = rests_on(machine)
    if record:
        write(record, document(rows, rests))
    code = AGREE if all(row.as_expected for row in rows) else DISAGREE
    if style == "json":
        answer = {"command": "gpu discover", **rests, "fragments": [asdict(row) for row in rows]}
        say(style, {**answer, "not_asked": not_asked_counts(), "exit_code": code}, [])
    else:
        show(rows, rests)
    return code


def document(rows: list[Row], rests_on: dict[str, str]) -> dict[str, Any]:
    """The results file."""
    kernels = {name: kernel_hash(name) for name in KERNELS}
    return {**rests_on, "date": today(), "kernels": kernels, "fragments": [asdict(row) for row in rows]}


def not_asked_counts() -> dict[str, int]:
    """How many atoms of the catalogue are not asked, by the reason."""
    return {why: len(names) for why, names in not_asked().items()}


def ask(instructions: tuple[str, ...], machine: Machine) -> list[Row]:
    """A row for each instruction, or for all that the catalogue has, under a progress bar."""
    if instructions:
        machine.prepare(resolve(name)[0] for name in instructions)
        return [discover(name, machine) for name in instructions]
    tell = partial(show, rests=rests_on(machine))
    return tracked(discover_all(machine), f"on {machine.name}", len(asked()), tell)


def _read(file: str) -> dict[str, Any]:
    """A results file of fragments. Raises NotationError for anything else."""
    if file == NEWEST:
        there = sorted(RESULTS.glob("fragments-*.json"))
        if not there:
            raise NotationError(f"no results file of fragments in {RESULTS}")
        path = max(there, key=lambda path: str(json.loads(path.read_text(encoding="utf-8")).get("date")))
    else:
        path = Path(file)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = [row_of(entry) for entry in content["fragments"]]
    except OSError as error:
        raise NotationError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise NotationError(
            f"{path}: no results file of `gpu discover`, or one of an older version"
        ) from None
    if not rows:
        raise NotationError(f"{path}: no instruction in it")
    return {**content, "fragments": rows}


def show(rows: list[Row], rests: dict[str, str]) -> None:
    """The table instruction x (CuTe, PTX ISA, silicon), and what is not alike."""
    from rich.table import Table

    out = console()
    layouts = len(rows) <= FEW
    who = "emulator" if "emulator" in rests["device"] else "silicon"
    shown = Table("instruction", "asked", "CuTe", "PTX ISA", who, title=", ".join(rests.values()))
    for row in rows:
        shown.add_row(*_cells(row, layouts))
    out.print(shown)
    for row in rows:
        for line in row.unlike:
            out.print(f"{row.instruction}: {line}", markup=False, highlight=False)
    seen = [row for row in rows if not row.refused]
    atoms = sum(len(row.atoms) for row in seen)
    alike = sum(len(row.atoms) - len(row.differing) for row in seen if row.manual)
    out.print(
        f"{len(seen)} instructions asked, {len(rows) - len(seen)} refused: PTX ISA = {who} for "
        f"{sum(row.manual for row in seen)}; CuTe = PTX ISA = {who} for {alike} of {atoms} atoms",
        highlight=False,
    )
    for row in rows:
        if not row.as_expected:
            out.print(f"NOT AS EXPECTED: {row.instruction}", markup=False, highlight=False)
    if not layouts:
        for why, count in not_asked_counts().items():
            out.print(f"{count} atoms not asked: {why}", markup=False, highlight=False)


def _cells(row: Row, layouts: bool) -> list[str]:
    name = row.instruction.removeprefix("mma.sync.aligned.")
    if row.refused:
        return [name, "0", "", "", f"refused: {row.refused}"]
    same, differ = len(row.atoms) - len(row.differing), len(row.differing)
    other = f"{differ} DIFFER{'S' if differ == 1 else ''}"
    cute = ", ".join([f"{same} same"] * (same > 0) + [other] * (differ > 0)) or "no atom"
    places = f"{row.few} of {row.asked}, then all" if row.few else str(row.asked)
    by = f"names by {row.labels}" if row.labels else ""
    silicon = (
        "\n".join([*row.found.split(", "), by] if row.labels else [row.found]) if layouts else by or row.found
    )
    return [name, places, cute, "same" if row.manual else "DIFFERS", silicon.strip()]
