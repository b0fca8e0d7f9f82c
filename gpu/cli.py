"""The commands below `symlayout gpu`, and of `python -m gpu`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from symlayout import SymlayoutError

from .backend import Backend
from .banks import launch, measure, probes
from .cases import askable, everything
from .configuration import Configuration
from .crosscheck import crosscheck
from .device import Device, NoDevice, about, cupy, kernel_hash
from .discover import COPY_ATOMS, discover
from .emulator import Emulator
from .observations import RESULTS, document, observe, today, write
from .replay import replay
from .report import AGREE, DISAGREE, exit_code, text

BAD_INPUT, NO_DEVICE = 2, 3


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def gpu() -> None:
    """Ask a GPU whether it does what the model says."""


def backend_named(name: str) -> Backend:
    """`device` or `emulator`. Raises NoDevice."""
    return Emulator() if name == "emulator" else Device()


backend_option = click.option(
    "--backend", type=click.Choice(["device", "emulator"]), default="device", show_default=True,
    help="The GPU, or a numpy machine made from the PTX ISA's formulas (no hardware).",
)  # fmt: skip
format_option = click.option("--format", "style", type=click.Choice(["text", "json"]), default="text")


@gpu.command()
@click.option("--mma", required=True, help="MMA atom, e.g. SM80_16x8x16_F32F16F16F32_TN.")
@click.option("--copy", required=True, help="Copy atom, e.g. SM75_U32x4_LDSM_N.")
@click.option("--operand", required=True, type=click.Choice(["A", "B"]))
@click.option(
    "--tensor", default="", help="Shared memory, (32,32):(32,1) or swizzled; default one tile, K contiguous."
)
@click.option("--atoms", default="1,1,1", show_default=True, help="Atoms along M, N, K.")
@click.option("--permutation", default="", help="Three entries: an int, a layout or _.")
@backend_option
@format_option
def retile(backend: str, style: str, **words: Any) -> int:
    """Load an operand through retile_D and hold every register, and D, against the prediction."""
    check = crosscheck(*Configuration(**words).objects(), backend=backend_named(backend))
    click.echo(json.dumps(check.to_json(), indent=2) if style == "json" else text(check))
    return exit_code(check)


record_option = click.option(
    "--record", type=click.Path(path_type=Path), help="Write what was observed to this results file."
)


def say(style: str, answer: dict[str, Any], lines: list[str]) -> None:
    """Print an answer, as JSON or as lines."""
    click.echo(json.dumps(answer, indent=2) if style == "json" else "\n".join(lines))


@gpu.command("all")
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


@gpu.command("replay")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option
def replay_files(files: tuple[Path, ...], style: str) -> int:
    """Hold recorded results against today's predictions (default: all of results/)."""
    replays = [replay(path) for path in files or sorted(RESULTS.glob("*.json"))]
    code = DISAGREE if any(r.differing for r in replays) else AGREE
    answer = {"command": "gpu replay", "files": [asdict(r) for r in replays], "exit_code": code}
    say(style, answer, [str(r) for r in replays])
    return code


@gpu.command("discover")
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


@gpu.command("banks")
@click.option(
    "--launch-only", is_flag=True, hidden=True, help="Launch for the profiler that runs this process."
)
@record_option
@format_option
def measure_banks(launch_only: bool, record: Path | None, style: str) -> int:
    """Count wavefronts and bank conflicts with Nsight Compute, each access predicted first."""
    if launch_only:
        launch(probes())
        return AGREE
    accesses = measure(Path.cwd())
    bad = [a for a in accesses if list(a["predicted"]) != list(a["measured"])]
    if record:
        kernels = {"banks": kernel_hash("banks")}
        write(record, {**about(), "date": today(), "kernels": kernels, "accesses": accesses})
    lines = [
        f"{a['instruction']}, {a['pattern']}: predicted {a['predicted']}, measured {a['measured']}"
        for a in bad
    ]
    lines.append(f"{len(accesses)} accesses on {about()['device']}, {len(bad)} not as predicted")
    code = DISAGREE if bad else AGREE
    answer = {"command": "gpu banks", **about(), "accesses": len(accesses), "not_as_predicted": bad}
    say(style, {**answer, "exit_code": code}, lines)
    return code


def everything_to_discover() -> list[str]:
    """The moves, and one MMA atom of each instruction."""
    return [*COPY_ATOMS, *(name for name in askable() if "XOR" not in name)]


def main(args: list[str] | None = None) -> None:
    """Run a command; errors become one message and an exit code."""
    try:
        code = gpu.main(args=args, prog_name="symlayout gpu", standalone_mode=False)
    except NoDevice as error:
        _stop(str(error), NO_DEVICE)
    except click.ClickException as error:
        _stop(error.format_message(), BAD_INPUT)
    except SymlayoutError as error:
        _stop(str(error), BAD_INPUT)
    except click.exceptions.Abort:
        sys.exit(130)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _stop(message: str, code: int) -> None:
    click.echo(f"symlayout gpu: {message}", err=True)
    sys.exit(code)
