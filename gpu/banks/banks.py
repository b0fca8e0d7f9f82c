"""Bank conflicts, measured: single accesses to shared memory under Nsight Compute, held against
`symlayout.smem`. Predictions come first, then one profiler run.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symlayout import NotationError
from symlayout.smem import Access

from .. import profiler
from ..device import NoDevice, about, cupy, kernel_hash, source
from ..records import today
from .asm import ASM, ATOMICS, BYTES, BYTES_SINCE, COPIES, defines
from .models import fitting
from .probes import WINDOW, Probe, probes, sample

#: what is counted; `_op_ld`, `_op_st`, `_op_atom` behind it for one kind of access
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
KINDS = ("ld", "st", "atom")
#: cp.async is what is left of all wavefronts without the miscellaneous ones
COUNTERS = {kind: (f"{WAVEFRONTS}_op_{kind}", f"{CONFLICTS}_op_{kind}") for kind in KINDS} | {
    "ldgsts": (f"{WAVEFRONTS} - {WAVEFRONTS}_op_misc", f"{CONFLICTS}_op_ldgsts")
}
#: what the profiler gives of cp.async.cg when it watches the instruction, which takes a run of its own
WATCHED = f"smsp__sass_{WAVEFRONTS.replace('__', '_')}_op_ldgsts_cache_bypass"
#: counters that say something about an access to shared memory; smsp__sass_ and sm__sass_ count the same
ABOUT_SHARED = re.compile(
    r"(l1tex__|smsp__sass_l1tex_)data_(pipe_lsu_wavefronts|bank_conflicts_pipe_lsu)_mem_shared\w*"
    r"|smsp__inst_executed_op_(ldgsts|shared)\w*"
)
DYNAMIC = WINDOW + 8192  # bytes of shared memory: a lane at the window's end reads up to 16 beyond it


def value(counter: str, values: dict[str, int]) -> int:
    """What a counter, or the difference of two, gave. Raises KeyError with the counter that gave nothing."""
    first, *rest = counter.split(" - ")
    return values[first] - sum(values[name] for name in rest)


def names_of(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The counters to ask the profiler for."""
    return sorted({name for pair in pairs for counter in pair for name in counter.split(" - ")})


def _kernel(name: str) -> tuple[Any, str]:
    """The kernel of one instruction, or None and what the assembler says against it."""
    cp = cupy()
    kernel = cp.RawKernel(source("banks", defines(name)), "banks", options=("-std=c++17",))
    try:
        kernel.max_dynamic_shared_size_bytes = DYNAMIC
    except cp.cuda.compiler.CompileException as error:
        return None, next((line for line in str(error).splitlines() if "error" in line), str(error))
    return kernel, ""


def refusals(names: Iterable[str]) -> dict[str, str]:
    """The instructions that the device's assembler refuses, and its words."""
    answers = {name: _kernel(name)[1] for name in names}
    return {name: answer for name, answer in answers.items() if answer}


def launch(chosen: Sequence[Probe]) -> None:
    """Every access once, in order, for the profiler that this process runs under."""
    cp = cupy()
    sink, memory = cp.zeros(32, cp.uint32), cp.zeros(1024, cp.uint8)
    kernels = {name: _kernel(name)[0] for name in {p.instruction: None for p in chosen}}
    for p in chosen:
        kernel = kernels[p.instruction]
        if kernel is not None:
            offsets = cp.asarray(np.array(p.offsets, dtype=np.uint32))
            arguments = (offsets, np.uint32(p.active), memory, sink)
            kernel((1,), (32,), arguments, shared_mem=DYNAMIC)
    cp.cuda.Device().synchronize()


def _counted(chosen: Sequence[Probe], which: str, names: Iterable[str], folder: Path) -> list[dict[str, int]]:
    """What the profiler counts for each access, in one run."""
    command = [sys.executable, "-m", __package__.rpartition(".")[0], "banks", "--launch", which]
    found = profiler.counted(command, "banks", names, folder)
    if len(found) != len(chosen):
        raise NoDevice(f"ncu counted {len(found)} launches of {len(chosen)}")
    return found


def look(folder: Path) -> dict[str, Any]:
    """Which counters this device has about shared memory, which of them are chosen, and what all of them give
    for a few accesses."""
    existing = [name for name in profiler.counters() if ABOUT_SHARED.fullmatch(name)]
    chosen = sample()
    found = _counted(chosen, "sample", existing, folder)
    shown = [
        {"instruction": p.instruction, "pattern": p.pattern, "predicted": p.predicted(), "counted": values}
        for p, values in zip(chosen, found, strict=True)
    ]
    return {"counters": existing, "chosen": COUNTERS, "accesses": shown}


def launched(which: str) -> list[Probe]:
    """The accesses of one profiler run: "all", those that go past the counted pipe ("watched"), or the
    "sample"."""
    if which == "sample":
        return list(sample())
    return [p for p in probes() if which == "all" or Access(p.instruction).bypasses]


def measure(folder: Path) -> dict[str, Any]:
    """The results file: all accesses under one run of Nsight Compute, what was predicted and what was
    counted, those that it can only watch under a second, and the instructions that the device refuses."""
    refused = refusals([*ASM, *BYTES])
    chosen = [p for p in launched("all") if p.instruction not in refused]
    found = _counted(chosen, "all", names_of(COUNTERS.values()), folder)
    watched = [p for p in launched("watched") if p.instruction not in refused]
    seen = iter(_counted(watched, "watched", [WATCHED], folder) if watched else [])
    entries = [_entry(p, f) for p, f in zip(chosen, found, strict=True)]
    for p, entry in zip(chosen, entries, strict=True):
        if p in watched:
            entry["watched"] = value(WATCHED, next(seen))
    return {
        **about(),
        "profiler": f"ncu {profiler.version()}",
        "date": today(),
        "kernels": {"banks": kernel_hash("banks")},
        "counters": {**COUNTERS, "watched": WATCHED},
        "refused": [{"instruction": name, "answer": answer} for name, answer in refused.items()],
        "accepted": [name for name in BYTES if name not in refused],
        "accesses": entries,
    }


def _entry(p: Probe, values: dict[str, int]) -> dict[str, Any]:
    """One access as it is recorded."""
    try:
        seen = [value(counter, values) for counter in COUNTERS[p.kind]]
    except KeyError as error:
        raise NoDevice(f"ncu has no number {error} for {p.instruction}, {p.pattern}") from None
    return {**p._asdict(), "predicted": p.predicted(), "measured": seen}


def probe_of(entry: dict[str, Any]) -> Probe:
    """The access of a recorded entry."""
    return Probe(entry["instruction"], entry["pattern"], tuple(entry["offsets"]), entry["active"])


def differing(content: dict[str, Any]) -> list[str]:
    """Recorded accesses that today's model does not predict, and instructions that were not refused as today
    they would be said to be."""
    known = {*probes()}
    found = []
    for entry in content["accesses"]:
        p = probe_of(entry)
        predicted, seen = p.predicted(), tuple(entry["measured"])
        if p not in known:
            found.append(f"{p.instruction}, {p.pattern}: no access that is asked today")
        elif predicted != tuple(entry["predicted"]):
            before = tuple(entry["predicted"])
            found.append(f"{p.instruction}, {p.pattern}: predicted {before} when measured, {predicted} today")
        if predicted != seen:
            found.append(f"{p.instruction}, {p.pattern}: predicted {predicted}, measured {seen}")
    if "refused" not in content:
        return found
    refused = {entry["instruction"]: entry["answer"] for entry in content["refused"]}
    has_bytes = int(content["compute_capability"].split(".")[0]) >= BYTES_SINCE
    found += [f"{name} was refused: {answer}" for name, answer in refused.items() if name in ASM]
    found += [f"{name} was not refused" for name in BYTES if not has_bytes and name not in refused]
    return found


class Row(NamedTuple):
    """One instruction: its accesses, how many were as predicted, and the greatest wavefronts a phase seen."""

    instruction: str
    accesses: int
    as_predicted: int
    degree: Fraction
    models: tuple[str, ...]  # that fit, where the prediction does not


def table(content: dict[str, Any]) -> list[Row]:
    """Today's predictions of recorded accesses, instruction by instruction."""
    entries: dict[str, list[tuple[Probe, list[int]]]] = {}
    for entry in content["accesses"]:
        p = probe_of(entry)
        entries.setdefault(p.instruction, []).append((p, list(entry["measured"])))
    rows = []
    for name, seen in entries.items():
        access = Access(name)
        right = sum(p.predicted() == tuple(measured) for p, measured in seen)
        degree = max(Fraction(measured[0], len(access.phases(p.lanes))) for p, measured in seen)
        others = right < len(seen) and name in {**COPIES, **ATOMICS}
        models = tuple(fitting([(p, measured[0]) for p, measured in seen])) if others else ()
        rows.append(Row(name, len(seen), right, degree, models))
    return rows


def recorded(path: Path) -> dict[str, Any]:
    """A results file of `gpu banks`. Raises NotationError for any other."""
    try:
        content = dict(json.loads(path.read_text(encoding="utf-8")))
        if not content["accesses"] or not isinstance(content["device"], str):
            raise ValueError("it names no access, or no device")
        differing(content), table(content)
    except KeyError as error:
        raise NotationError(f"{path}: no results file of `gpu banks`: {error} is missing") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise NotationError(f"{path}: no results file of `gpu banks`: {error}") from None
    return content
