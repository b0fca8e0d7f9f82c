"""What deciding costs: `admissible` beside pycute's composition, every law's validation, a table's layout.

A validation is the time of a call in the safe mode less that of the same call with `unchecked=True`, both on
answers forgotten. Every recorded call that keeps its law counts; a refusal, which also looks for the right
layout and words it, is shown on its own.
"""

import gc
import importlib.util
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import symlayout
from symlayout import Inadmissible, Layout, LayoutError, Swizzle
from symlayout.algebra import memo
from symlayout.conform.operations import find_operation, has_law, read_arguments

from .figure import Figure, duration, geometric_mean

GOLDEN = Path(__file__).parent.parent / "golden"
RECORDS = ["golden", "recombined", "more", "silent_wrong"]
ROUNDS = 5
MOST = 30e-6  # seconds that the validation of one call may take
TABLE_MOST = 0.1  # seconds for a table of 2^20 entries
TIMES = 3.0  # as fast as pycute's composition, at least


class Stopwatch:
    """Runs the functions of one record, and adds up what their validations take."""

    def __init__(self) -> None:
        self.validation = 0.0
        self.judged = self.refused = False

    def __call__(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        if not has_law(function):
            return function(*arguments, **options)
        self.judged = True

        def fastest(**mode: bool) -> tuple[float, Any]:
            best, answer = float("inf"), None
            for _ in range(ROUNDS):
                memo.clear()
                start = time.perf_counter()
                try:
                    answer = function(*arguments, **options, **mode)
                except Inadmissible:
                    self.refused = True
                best = min(best, time.perf_counter() - start)
            return best, answer

        raw, answer = fastest(unchecked=True)
        checked, _ = fastest()
        self.validation += max(0.0, checked - raw)
        return answer


def validations() -> list[Figure]:
    """The validation of every operation, and of refusals."""
    kept: dict[str, list[float]] = {}
    refused: list[float] = []
    for name in RECORDS:
        for line in (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            operation = find_operation(record["op"])
            if operation is None or not record.get("callable", True):
                continue
            watch = Stopwatch()
            try:
                operation.answer(watch, *read_arguments(operation.kinds, record["args"]))
            except LayoutError:
                continue
            if watch.judged:
                (refused if watch.refused else kept.setdefault(record["op"], [])).append(watch.validation)
    total = [t for times in kept.values() for t in times]
    mean = {op: statistics.fmean(times) for op, times in kept.items()}
    worst = max(mean, key=mean.__getitem__)
    most = f"<= {duration(MOST)}"
    within = sum(t <= MOST for t in total)
    slowest = f"validation, slowest of {len(mean)} operations by mean: {worst}"
    average = statistics.fmean(total)
    wording = f"refusal, the right layout and the words included, {len(refused)} calls"
    return [
        Figure(
            f"validation, mean of {len(total)} calls", duration(average), target=most, met=average <= MOST
        ),
        Figure(f"validation, calls within {duration(MOST)}", f"{within} of {len(total)}"),
        Figure(slowest, duration(mean[worst]), target=most, met=mean[worst] <= MOST),
        Figure(wording, duration(statistics.median(refused))),
    ]


def against_pycute() -> list[Figure]:
    """`admissible` and checked composition beside pycute's composition, which checks nothing."""
    if importlib.util.find_spec("pycute") is None:
        return [Figure("admissible", "", "not measured: no pycute; `make bench` installs nvidia-cutlass")]
    import pycute

    from . import algebra

    records = algebra.recorded()
    result = []
    for name in ("admissible", "composition"):
        ours = getattr(symlayout, name)
        inputs = [arguments for op in ("composition", "composition_int") for arguments in records[op]]
        inputs = [x for x in inputs if algebra.both_answer(ours, pycute.composition, pycute, x)]
        times = list(algebra.fresh(ours, pycute.composition, pycute, inputs))
        ratio = geometric_mean(t.theirs / t.ours for t in times)
        result.append(
            Figure(
                f"{name}, decided, against pycute's composition, {len(inputs)} inputs",
                duration(geometric_mean(t.ours for t in times)),
                duration(geometric_mean(t.theirs for t in times)),
                ratio,
                f">= {TIMES:g}x",
                ratio >= TIMES,
            )
        )
    return result


def tables() -> list[Figure]:
    """layout_from_table of a million entries, plain and swizzled, right and wrong."""
    import numpy as np

    n = 1 << 10
    plain = (np.arange(n)[:, None] + n * np.arange(n)).ravel()  # (1024,1024):(1024,1)
    swizzled = Swizzle(3, 3, 3)(plain)
    broken = plain.copy()
    broken[-1] += 1
    result = []
    for name, table, options in (
        ("a layout", plain, {}),
        ("a list of ints", plain.tolist(), {}),
        ("a swizzled layout", swizzled, {"swizzled": True}),
        ("wrong in its last entry", broken, {}),
    ):
        times = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            try:
                answer: Layout | None = symlayout.layout_from_table(table, **options)
            except Inadmissible:
                answer = None
            times.append(time.perf_counter() - start)
        assert (answer is None) == (table is broken)
        took = min(times)  # one long run: what else the machine did is not the table's
        target = f"< {duration(TABLE_MOST)}"
        result.append(
            Figure(
                f"layout_from_table, 2^20 entries, {name}",
                duration(took),
                target=target,
                met=took < TABLE_MOST,
            )
        )
    return result


def figures() -> list[Figure]:
    gc.disable()
    try:
        return [*validations(), *against_pycute(), *tables()]
    finally:
        gc.enable()
