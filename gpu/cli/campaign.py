"""`gpu campaign`: thousands of mutants, asked of the prover and of a machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import click

from symlayout import LayoutError

from ..campaign.campaign import AT_A_TIME, PAIRS, SHOWN, Campaign, Disagreement, Row, campaign, document
from ..campaign.machine import CampaignDevice, CampaignEmulator, Machine
from ..campaign.space import CONFIGURATIONS, SEED, Pair, digest, pairs
from ..campaign.verdicts import Verdicts, pieces_of, prove_all, read_verdicts, recorded
from ..device import about, cupy
from ..records import write
from ..report import AGREE, DISAGREE
from .options import backend_option, console, format_option, record_option, say, tracked

T = TypeVar("T")


@click.command("campaign")
@click.option("--pairs", "count", type=click.IntRange(1), default=PAIRS, show_default=True)
@click.option("--seed", type=int, default=SEED, show_default=True, help="Of the pairs that are drawn.")
@click.option(
    "--configurations", type=click.IntRange(1), default=CONFIGURATIONS, show_default=True,
    help="That the pairs are drawn from.",
)  # fmt: skip
@click.option(
    "--prove", "proofs", type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Only ask the prover, and write its verdicts to this file.",
)  # fmt: skip
@click.option(
    "--verdicts", "carried", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The prover's verdicts, from this file; default those recorded with the same pairs.",
)  # fmt: skip
@backend_option
@record_option
@format_option
def ask_campaign(
    count: int, seed: int, configurations: int, proofs: Path | None, carried: Path | None,
    backend: str, record: Path | None, style: str,
) -> int:  # fmt: skip
    """Random mutants of random configurations: the prover's verdict on each against a machine's registers."""
    if proofs is not None and (record or carried or backend != "device"):
        raise click.UsageError("--prove asks the prover alone: no --record, --verdicts or --backend with it")
    if proofs is None and backend == "device":
        cupy()  # say at once that there is no device
    drawn = pairs(seed, count, configurations)
    if proofs is not None:
        verdicts = _proved(drawn, seed, configurations)
        verdicts.write(proofs)
        good = int(verdicts.harmless.sum())
        lines = [f"{len(drawn)} pairs: {good} harmless, {len(drawn) - good} harmful", verdicts.prover]
        say(style, {"command": "gpu campaign --prove", **verdicts.to_json(), "exit_code": AGREE}, lines)
        return AGREE
    verdicts = _carried(drawn, seed, configurations, carried)
    machine: Machine = CampaignDevice() if backend == "device" else CampaignEmulator()
    steps = -(-len(drawn) // AT_A_TIME)
    so_far = campaign(drawn, verdicts, machine)
    found = last(tracked(so_far, f"on {machine.name}", steps, lambda done: _print(done[-1])))
    if record:
        write(record, document(found, about() if machine.hardware else {"device": machine.name}))
    code = DISAGREE if found.disagreements else AGREE
    if style == "json":
        say(style, _answer(found, code), [])
    else:
        _print(found)
    return code


def _carried(drawn: Sequence[Pair], seed: int, configurations: int, carried: Path | None) -> Verdicts:
    """The prover's verdicts on these pairs: from a file, as recorded, or asked for here."""
    tied = digest(drawn)
    if carried is None:
        return recorded(seed, tied) or _proved(drawn, seed, configurations)
    verdicts = read_verdicts(carried)
    if (verdicts.seed, verdicts.digest) != (seed, tied):
        raise LayoutError(
            f"{carried} has verdicts on other pairs: seed {verdicts.seed}, {len(verdicts.harmless)} pairs, "
            f"digest {verdicts.digest}\n  asked are seed {seed}, {len(drawn)} pairs, digest {tied}"
        )
    return verdicts


def _proved(drawn: Sequence[Pair], seed: int, configurations: int) -> Verdicts:
    so_far = prove_all(drawn, seed, configurations)
    return last(tracked(so_far, "by the prover", pieces_of(len(drawn))))


def last(steps: Iterable[T]) -> T:
    """The last of at least one step."""
    *_, final = steps
    return final


def _answer(found: Campaign, code: int) -> dict[str, object]:
    return {
        "command": "gpu campaign",
        "backend": found.machine,
        "hardware": found.hardware,
        "seed": found.verdicts.seed,
        "pairs": len(found.pairs),
        "configurations": found.verdicts.configurations,
        "digest": found.verdicts.digest,
        "prover": found.verdicts.prover,
        "registers": found.registers,
        "campaign": [asdict(row) for row in found.rows()],
        "disagreements": [asdict(d) for d in found.disagreements],
        "exit_code": code,
    }


def _print(found: Campaign) -> None:
    from rich.table import Column, Table

    rows = found.rows()
    total = Row(
        "all", *(sum(column) for column in zip(*(list(vars(r).values())[1:] for r in rows), strict=True))
    )
    columns = ("pairs", "proved", "refuted", "right", "wrong", "agree")
    caption = "proved harmless, or refuted; registers right, or wrong, on the machine"
    table = Table(
        Column("mutation", no_wrap=True),
        *(Column(name, no_wrap=True, justify="right") for name in columns),
        caption=caption,
        collapse_padding=True,
        pad_edge=False,
    )
    for row in (*rows, total):
        table.add_row(*(str(x) for x in vars(row).values()), end_section=row is rows[-1])
    console().print(table)
    for d in found.disagreements[:SHOWN]:
        click.echo(_sentence(d))
    click.echo(
        f"{total.pairs} pairs of seed {found.verdicts.seed}, {found.registers} registers on {found.machine}"
    )
    click.echo(f"verdicts: {found.verdicts.prover}")
    more = len(found.disagreements)
    click.echo(f"{more} disagreements" + (f", {SHOWN} shown" if more > SHOWN else ""))


def _sentence(d: Disagreement) -> str:
    return (
        f"pair {d.pair}: {d.what}\n  the prover says {d.prover}, the machine {d.machine}; "
        f"{d.registers_unlike} registers are not as the model says\n"
        f"  thread {d.thread}, register {d.register}: wanted {d.wanted}, predicted {d.predicted}, "
        f"observed {d.observed}"
    )
