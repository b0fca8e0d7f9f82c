"""`gpu cute`: CuTe itself, compiled from its headers and run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from symlayout import UnsupportedError

from ..cute.build import Toolchain, toolchain
from ..cute.cases import CASES
from ..cute.cute import Answer, Asked, ask, compare, document
from ..cute.device import CuteDevice
from ..cute.ways import source_of, ways
from ..device import about, cupy
from ..records import write
from ..report import AGREE, DISAGREE
from .options import console, format_option, record_option, say


@click.command("cute")
@click.option(
    "--cutlass", envvar="CUTLASS_PATH", type=click.Path(path_type=Path),
    help="The folder of cute/ and cutlass/; default: CUTLASS_PATH, or the package nvidia-cutlass.",
)  # fmt: skip
@click.option(
    "--nvcc", type=click.Path(path_type=Path), help="Default: PATH, CUDA_HOME, the package nvidia-cuda-nvcc."
)
@click.option("--build", type=click.Path(path_type=Path), help="Keep cubins here, and take what is here.")
@click.option("--compile-only", is_flag=True, help="Compile every case for sm_90a, without a GPU, and stop.")
@record_option
@format_option
def ask_cute(
    cutlass: Path | None,
    nvcc: Path | None,
    build: Path | None,
    compile_only: bool,
    record: Path | None,
    style: str,
) -> int:
    """Compile real CuTe, one kernel a configuration, and hold its registers and D against the prediction.

    Asked are CuTe's silent failures, whose registers must be wrong as predicted, and a load of each of ten
    production kernels.
    """
    if compile_only and record:
        raise click.UsageError("--record writes what a GPU says, and --compile-only asks none")
    if not compile_only:
        cupy()  # say at once that there is no device
    tools = toolchain(cutlass, nvcc, "sm_90a" if compile_only else _arch())
    with _folder(build) as folder:
        cubins, refused = _compiled(tools, folder)
        if compile_only:
            answer = {**tools.about, "compiled": list(cubins), "refused": refused}
            lines = [*refused.values(), f"{len(cubins)} of {len(CASES)} cases compiled, {tools.about}"]
            code = DISAGREE if refused else AGREE
            say(style, {"command": "gpu cute", **answer, "exit_code": code}, lines)
            return code
        machine = CuteDevice(cubins)
        asked: list[Asked] = [
            (case, [(way, ask(machine, case, way)) for way in ways(case)])
            for case in CASES
            if case.name in cubins
        ]
    answers = [compare(case, way, seen) for case, pairs in asked for way, seen in pairs]
    code = AGREE if all(a.as_predicted for a in answers) and not refused else DISAGREE
    rests_on = {**about(), **tools.about}
    if record:
        write(record, document(asked, rests_on))
    if style == "json":
        rows = {"answers": [asdict(a) for a in answers], "refused": refused}
        say(style, {"command": "gpu cute", **rests_on, **rows, "exit_code": code}, [])
    else:
        _print(answers, refused, rests_on)
    return code


def _arch() -> str:
    """The current GPU as nvcc names it, with all that it has."""
    number = about()["compute_capability"].replace(".", "")
    return f"sm_{number}a" if int(number) >= 90 else f"sm_{number}"


@contextmanager
def _folder(build: Path | None) -> Iterator[Path]:
    if build:
        yield build
    else:
        with tempfile.TemporaryDirectory(prefix="cute") as folder:
            yield Path(folder)


def _compiled(tools: Toolchain, folder: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """The cubin of each case, and what nvcc says of those that it refuses. Raises UnsupportedError where it
    refuses all."""
    from rich.console import Console

    texts = {case.name: source_of(ways(case)) for case in CASES}
    with Console(stderr=True).status(f"nvcc {tools.nvcc_version} compiles {len(texts)} cases"):
        found = tools.compile_all(texts, folder)
    refused = {name: f"{name}: {x}" for name, x in found.items() if isinstance(x, str)}
    if len(refused) == len(found):
        raise UnsupportedError(next(iter(refused.values())))
    return {name: x for name, x in found.items() if isinstance(x, Path)}, refused


def _print(answers: list[Answer], refused: dict[str, str], rests_on: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table("configuration", "view", "registers", "as predicted", "of them wrong", "D not A*B")
    for a in answers:
        same = "all" if not a.unlike else f"{a.unlike} DIFFER"
        d = f"{a.d_wrong} of {a.d_size}" + (f", {a.d_unlike} DIFFER" if a.d_unlike else "")
        table.add_row(a.case, a.title, str(a.registers), same, str(a.wrong), d)
    console().print(table)
    bad = sum(not a.as_predicted for a in answers)
    lines = [
        *(f"{a.case}: wrong as predicted, first at {a.first_wrong}" for a in answers if a.first_wrong),
        *(line for a in answers for line in a.differing),
        *refused.values(),
        f"{len(answers)} views on {rests_on['device']} with CUTLASS {rests_on['cutlass']} and nvcc "
        f"{rests_on['nvcc']}, {bad} not as predicted, {len(refused)} cases refused",
    ]
    click.echo("\n".join(lines))
