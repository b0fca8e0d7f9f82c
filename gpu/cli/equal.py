"""`gpu equal`: two layouts at every coordinate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..equality import rates as equality_rates
from ..equality.code import modes_of
from ..equality.equality import Answer, Emulator, Machine, Silicon, TooLarge, compare
from ..reading import read_tensor
from ..records import write
from ..report import AGREE, DISAGREE
from .options import backend_option, format_option, record_option, say

DIFFER, TOO_SLOW, TOO_LARGE = 1, 1, 3


@click.command("equal")
@click.argument("layouts", nargs=-1)
@click.option("--bench", is_flag=True, help="Ask the pairs that are recorded, and measure rates.")
@click.option(
    "--launch-only", is_flag=True, hidden=True, help="Launch for the profiler that runs this process."
)
@record_option
@backend_option
@format_option
def ask_equal(
    layouts: tuple[str, ...], bench: bool, launch_only: bool, record: Path | None, backend: str, style: str
) -> int:
    """Evaluate two layouts at every coordinate: equal as functions, or where not and how often.

    A layout is `(4,8):(8,1)` or `Sw<3,3,3> o 0 o (8,64):(64,1)`. Exit codes: 0 equal, 1 they differ, 2 bad
    input, 3 no device or too many coordinates, 4 the machine and symlayout's own engines say different
    things.
    """
    if launch_only:
        equality_rates.launch()
        return AGREE
    if bench:
        if layouts or backend != "device":
            raise click.UsageError("--bench asks its own pairs, on the device")
        return _bench(record, style)
    if len(layouts) != 2:
        raise click.UsageError(f"two layouts are compared, and {len(layouts)} were given")
    if record:
        raise click.UsageError("--record goes with --bench")
    a, b = (read_tensor(text) for text in layouts)
    sizes = [modes_of(f).size for f in (a, b)]
    words = {"command": "gpu equal", "a": str(a), "b": str(b)}
    if sizes[0] != sizes[1]:
        line = f"the sizes differ: {a} has {sizes[0]} elements, {b} has {sizes[1]}"
        say(style, {**words, "equal": False, "sizes": sizes, "exit_code": DIFFER}, [line])
        return DIFFER
    machine: Machine = Emulator() if backend == "emulator" else Silicon()
    try:
        answer = compare(a, b, machine)
    except TooLarge as error:
        if style == "json":
            say(style, {**words, "equal": None, "message": str(error), "exit_code": TOO_LARGE}, [])
        click.echo(f"symlayout: {error}", err=True)
        return TOO_LARGE
    code = exit_code(answer)
    say(style, {**words, **described(answer, machine), "exit_code": code}, text(answer, machine))
    return code


def exit_code(answer: Answer) -> int:
    if answer.unlike:
        return DISAGREE
    return AGREE if answer.seen.first is None else DIFFER


def described(answer: Answer, machine: Machine) -> dict[str, Any]:
    """The answer as plain data."""
    return {
        "backend": machine.name,
        "hardware": machine.hardware,
        "equal": answer.seen.first is None,
        "size": answer.size,
        "first": answer.seen.first,
        "values": answer.values,
        "differing": answer.seen.differing,
        "seconds": answer.seen.seconds,
        "engine": answer.second.engine,
        "sampled": answer.sampled,
        "unlike": answer.unlike,
    }


def text(answer: Answer, machine: Machine) -> list[str]:
    """The answer for people."""
    lines = [f"{answer.a} = {answer.b} as functions", f"on {machine.name}, at all {answer.size} coordinates"]
    if answer.seen.first is None:
        lines.append("  equal")
    elif answer.values:
        i, (x, y) = answer.seen.first, answer.values
        lines.append(f"  first difference: ({answer.a})({i}) = {x}, ({answer.b})({i}) = {y}")
        lines.append(f"  {answer.seen.differing} of {answer.size} values differ")
    for seconds in answer.seen.seconds:
        rate = equality_rates.per_second(answer.size, seconds)
        lines.append(f"  {seconds * 1000:.3f} ms, {rate:.3e} coordinates a second")
    if answer.unlike:
        more = len(answer.unlike) - 10
        lines += ["DISAGREEMENT:", *(f"  {line}" for line in answer.unlike[:10])]
        return [*lines, f"  and {more} more"] if more > 0 else lines
    sampled = f"{answer.sampled} coordinates on Python's integers"
    if answer.second.engine:
        return [*lines, f"the engine {answer.second.engine} says the same without enumerating, and {sampled}"]
    return [*lines, f"no engine of symlayout's decides it in time; {sampled} say the same"]


def _bench(record: Path | None, style: str) -> int:
    content, answers = equality_rates.measure(Path.cwd())
    if record:
        write(record, content)
    wrong = [f"{case.title}: {line}" for case, answer in answers for line in answer.unlike]
    slow = equality_rates.slow(content)
    wrong += [line for line in equality_rates.differing(content) if line not in slow]
    code = DISAGREE if wrong else TOO_SLOW if slow else AGREE
    lines = [
        *(f"{case.title}\n  {case.a}\n  {case.b}\n  {told(answer)}" for case, answer in answers),
        "",
        *equality_rates.table(content),
        "",
        *wrong,
        *slow,
        f"{len(answers)} pairs on {content['device']}, {len(wrong)} not as predicted, {len(slow)} too slow",
    ]
    answer = {
        "command": "gpu equal --bench",
        **content,
        "not_as_predicted": wrong,
        "too_slow": slow,
        "exit_code": code,
    }
    say(style, answer, lines)
    return code


def told(answer: Answer) -> str:
    """One line of a pair."""
    engine = answer.second.engine or "no engine in time"
    if answer.seen.first is None:
        return f"equal at all {answer.size} coordinates ({engine})"
    return (
        f"first at {answer.seen.first}: {answer.values}, {answer.seen.differing} of {answer.size} ({engine})"
    )
