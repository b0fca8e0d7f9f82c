"""`gpu all`: every configuration and every instruction."""

from __future__ import annotations

from pathlib import Path

import click

from ..cases import everything
from ..device import about
from ..observations import document, observe
from ..records import write
from ..report import AGREE, DISAGREE, text
from .options import backend_named, backend_option, format_option, record_option, say


@click.command("all")
@record_option
@backend_option
@format_option
def ask_all(backend: str, record: Path | None, style: str) -> int:
    """Every configuration: the article's, CuTe's silent failures, and every mma.sync atom with every load."""
    from rich.console import Console
    from rich.progress import track

    machine = backend_named(backend)
    asked = list(everything())
    console = Console(stderr=True)
    bar = track(observe(asked, machine), f"on {machine.name}", len(asked), console=console, transient=True)
    results = list(bar)
    checks = [(c, r) for c, r in results if not isinstance(r, str)]
    disagreeing = [(c, r) for c, r in checks if not r.passed]
    wrong = [(c, r) for c, r in checks if r.passed and not r.retile.right]
    registers = sum(o.registers for _, check in checks for o in check.outcomes)
    if record:
        write(record, document(checks, about() if machine.hardware else {"device": machine.name}))
    lines = [f"{c}\n{text(r)}\n" for c, r in disagreeing]
    lines += [
        f"on {machine.name}",
        f"{len(checks)} configurations asked, {len(results) - len(checks)} refused by CuTe or instruction",
        f"{registers} registers behind {2 * len(checks)} views, each with two products: "
        f"{len(disagreeing)} configurations not as predicted",
    ]
    lines += [
        f"  CuTe's retile is wrong: {c}: {r.retile.wrong} of {r.retile.registers} registers" for c, r in wrong
    ]
    answer = {
        "command": "gpu all",
        "backend": machine.name,
        "hardware": machine.hardware,
        "asked": len(checks),
        "refused": len(results) - len(checks),
        "registers": registers,
        "not_as_predicted": [str(c) for c, _ in disagreeing],
        "retile_wrong": [str(c) for c, _ in wrong],
        "exit_code": DISAGREE if disagreeing else AGREE,
    }
    say(style, answer, lines)
    return DISAGREE if disagreeing else AGREE
