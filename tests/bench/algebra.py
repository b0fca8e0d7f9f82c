"""The algebra against pycute, in one process, on the recorded inputs of the CuTe headers.

Both sides get the same values. An input counts when both give an answer; what either refuses is left
out, and the table says how many were left. pycute checks no law; symlayout does, in its default mode.
"""

import gc
import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import symlayout
from symlayout import LayoutError
from symlayout.algebra import memo

from .figure import Figure, duration, geometric_mean

GOLDEN = Path(__file__).parent.parent / "golden" / "golden.jsonl"
ROUNDS = 25  # fresh objects: single calls, the two sides in turn
RECURRING = 200  # the same objects: calls in a row
RECURRING_ROUNDS = 5
FRESH_LEAST = 3.0  # the geometric means over all operations
RECURRING_LEAST = 30.0


@dataclass(frozen=True)
class Operation:
    """One of our functions beside pycute's, and the recorded operations that give it inputs."""

    name: str
    theirs: str
    records: tuple[str, ...]
    least: float | None = None  # how many times faster it has to be on fresh objects, on its own


OPERATIONS = [
    Operation("composition", "composition", ("composition", "composition_int"), 4.0),
    Operation("logical_divide", "logical_divide", ("logical_divide", "logical_divide_int"), 4.0),
    Operation("complement", "complement", ("complement", "complement_default")),
    Operation("coalesce", "coalesce", ("coalesce",)),
    Operation("right_inverse", "right_inverse", ("right_inverse",)),
]

Call = Callable[..., Any]


class Times(NamedTuple):
    """Seconds a call takes."""

    ours: float
    theirs: float


# arguments as plain data: an int, or a layout's (shape, stride)
Plain = int | tuple[Any, Any]


def recorded() -> dict[str, list[tuple[Plain, ...]]]:
    """Return the distinct argument lists of each recorded operation, integers and integer layouts only."""
    inputs: dict[str, dict[tuple[Plain, ...], None]] = {}
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if not any(record["op"] in operation.records for operation in OPERATIONS):
            continue
        arguments = [symlayout.parse(text) for text in record["args"]]
        plain = tuple(a if isinstance(a, int) else (a.shape, a.stride) for a in arguments)
        inputs.setdefault(record["op"], {})[plain] = None
    return {name: list(arguments) for name, arguments in inputs.items()}


def make(layout: Call, arguments: tuple[Plain, ...]) -> list[Any]:
    """Return *arguments* as new objects of the side whose class is *layout*."""
    return [a if isinstance(a, int) else layout(*a) for a in arguments]


def seconds(call: Call, arguments: list[Any], times: int = 1) -> float:
    """Return how long one call takes, as the mean over *times* calls in a row."""
    start = time.perf_counter_ns()
    for _ in range(times):
        call(*arguments)
    return (time.perf_counter_ns() - start) / times / 1e9


def clock() -> float:
    """Return what `seconds` reports of a call that does nothing: it is taken off both sides."""
    return statistics.median(seconds(lambda *_: None, [None, None]) for _ in range(299))


def both_answer(ours: Call, theirs: Call, pycute: Any, arguments: tuple[Plain, ...]) -> bool:
    try:
        ours(*make(symlayout.Layout, arguments))
    except LayoutError:
        return False
    try:
        theirs(*make(pycute.Layout, arguments))
    except (AssertionError, TypeError, ValueError, ZeroDivisionError, IndexError):
        return False
    return True


def fresh(ours: Call, theirs: Call, pycute: Any, inputs: list[tuple[Plain, ...]]) -> Iterator[Times]:
    """Yield each input's median times on objects new to both sides, so that no answer is kept."""
    for arguments in inputs:
        samples = []
        empty = clock()
        least = empty / 10  # a shorter time is noise of the clock
        for _ in range(ROUNDS):
            memo.clear()
            mine, other = make(symlayout.Layout, arguments), make(pycute.Layout, arguments)
            samples.append((seconds(ours, mine), seconds(theirs, other)))
        a, b = (max(statistics.median(side) - empty, least) for side in zip(*samples, strict=True))
        yield Times(a, b)


def recurring(ours: Call, theirs: Call, pycute: Any, inputs: list[tuple[Plain, ...]]) -> Iterator[Times]:
    """Yield each input's median times (ours, theirs) when the same objects come back again and again."""
    for arguments in inputs:
        mine, other = make(symlayout.Layout, arguments), make(pycute.Layout, arguments)
        ours(*mine)
        pairs = [
            (seconds(ours, mine, RECURRING), seconds(theirs, other, RECURRING // 10))
            for _ in range(RECURRING_ROUNDS)
        ]
        a, b = zip(*pairs, strict=True)
        yield Times(statistics.median(a), statistics.median(b))


def figures() -> list[Figure]:
    import pycute

    records = recorded()
    result = []
    means: dict[str, list[float]] = {"fresh": [], "recurring": []}
    gc.disable()
    for operation in OPERATIONS:
        ours, theirs = getattr(symlayout, operation.name), getattr(pycute, operation.theirs)
        inputs = [arguments for name in operation.records for arguments in records[name]]
        inputs = [arguments for arguments in inputs if both_answer(ours, theirs, pycute, arguments)]
        for kind, measure in (("fresh", fresh), ("recurring", recurring)):
            times = list(measure(ours, theirs, pycute, inputs))
            ratio = geometric_mean(t.theirs / t.ours for t in times)
            means[kind].append(ratio)
            least = operation.least if kind == "fresh" else None
            result.append(
                Figure(
                    f"{operation.name}, {kind} objects, {len(inputs)} inputs",
                    duration(geometric_mean(t.ours for t in times)),
                    duration(geometric_mean(t.theirs for t in times)),
                    ratio,
                    f">= {least:g}x" if least else "",
                    ratio >= least if least else None,
                )
            )
    gc.enable()
    for kind, least in (("fresh", FRESH_LEAST), ("recurring", RECURRING_LEAST)):
        mean = geometric_mean(means[kind])
        result.append(Figure(f"all five, {kind} objects", "", "", mean, f">= {least:g}x", mean >= least))
    return result
