"""`gpu all`: every instruction discovered, and every configuration cross-checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..cases import askable, everything
from ..cases_of_c import everything_of_c, quad_pairs
from ..configuration import Configuration
from ..crosscheck import CrossCheck
from ..discovery.machines import Emulated, Machine, Silicon
from ..observations import document, observe
from ..records import write
from ..report import AGREE, DISAGREE, text
from . import discover, wgmma
from .options import backend_named, backend_option, format_option, rests_on, say, tracked


@click.command("all")
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what was observed to the results files in this folder.",
)
@backend_option
@format_option
def ask_all(backend: str, record: Path | None, style: str) -> int:
    """Ask everything: the fragments of every mma and copy instruction of the catalogue that the device has,
    and every configuration: the article's, CuTe's silent failures, and every MMA with every load and store.
    """
    checker = backend_named(backend)
    rests = rests_on(checker)
    machine: Machine = Emulated() if backend == "emulator" else Silicon()
    rows = discover.ask((), machine)
    chosen, warpgroup, found = wgmma.ask((), backend)
    results = _cross_checks(checker)
    checks = [(c, r) for c, r in results if not isinstance(r, str)]
    if record:
        name = "-".join(rests.get(key, "") for key in ("device", "compute_capability")).strip("-")
        name = "".join(x if x.isalnum() or x in ".-" else "-" for x in name.lower())
        write(record / f"{name}.json", document(checks, rests))
        write(record / f"fragments-{name}.json", discover.document(rows, rests))
        write(record / f"wgmma-{name}.json", wgmma.document(found, rests))
    unlike = [row.instruction for row in rows if not row.as_expected]
    unlike += [a.instruction for a in found if not a.agree]
    disagreeing = [(c, r) for c, r in checks if not r.passed]
    code = DISAGREE if disagreeing or unlike else AGREE
    wrong = [(c, r) for c, r in checks if r.passed and not r.retile.right]
    places = sum(o.places for _, check in checks for o in check.outcomes)
    answer = {
        "command": "gpu all",
        "backend": checker.name,
        "hardware": checker.hardware,
        "instructions": len(rows) + len(found),
        "instructions_not_as_expected": unlike,
        "asked": len(checks),
        "refused": len(results) - len(checks),
        "places": places,
        "not_as_predicted": [str(c) for c, _ in disagreeing],
        "retile_wrong": [str(c) for c, _ in wrong],
        "exit_code": code,
    }
    if style == "text":
        discover.show(rows, rests)
        wgmma.show(found, chosen, warpgroup)
    lines = [f"{c}\n{text(r)}\n" for c, r in disagreeing]
    lines += [
        f"{len(checks)} configurations asked, {len(results) - len(checks)} refused by CuTe or instruction",
        f"{places} registers and elements behind {2 * len(checks)} views, each with two products: "
        f"{len(disagreeing)} configurations not as predicted",
    ]
    lines += [f"  CuTe's retile is wrong: {c}: {r.retile.wrong} of {r.retile.places}" for c, r in wrong]
    say(style, answer, lines)
    return code


def _cross_checks(machine: Any) -> list[tuple[Configuration, CrossCheck | str]]:
    """Every configuration with its cross-check or why there is none, under a progress bar."""
    asked = [*everything(), *everything_of_c(askable()), *quad_pairs()]
    return tracked(observe(asked, machine), f"on {machine.name}", len(asked), _tell)


def _tell(done: list[tuple[Configuration, CrossCheck | str]]) -> None:
    """What there is so far, in a line."""
    checks = [(c, r) for c, r in done if not isinstance(r, str)]
    bad = [f"{c}\n{text(r)}" for c, r in checks if not r.passed]
    click.echo("\n".join([*bad, f"{len(checks)} configurations asked, {len(bad)} not as predicted"]))
