"""How fast the enumeration is, and how fast it could be: what `gpu equal --bench` measures and records.

    coordinates a second    the domain over the time of a launch between two events, the median of three
    issue rate              thread-instructions a second of `issue.cu`, the best of its mixes, in the same run
    instructions            thread-instructions of a whole launch as Nsight Compute counts them, a coordinate
    limit                   issue rate / instructions: what the device would do if it issued at every turn
    used                    coordinates a second / limit

The limit knows nothing of what the instructions are for, so beside it stands what the two maps need as they
are written (`code.operations`): three operations for every mode, one for the comparison.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..device import NoDevice, about, cupy, kernel_hash, source
from ..maps import values
from ..profiler import counted
from ..records import today
from .cases import CASES, Case
from .code import generate, modes_of, operations
from .equality import Answer, Silicon, by_symlayout, compare, contradictions, kernel_text, walk
from .equality import Seen as Found

RUNS = 3
TICK = 1e-9  # seconds: the finest that any clock here tells apart
RATED = 1 << 32  # coordinates: a shorter launch says nothing of rates
LEAST_USED = 0.5
INCREMENTAL = 3  # operations a coordinate of a scheme that adds a stride to each of two values, and compares
ON_NUMPY = 1 << 24  # coordinates
SMALL = 1 << 22  # coordinates that a replay enumerates
PROBED = 1 << 12  # coordinates of a larger domain that it looks at

MIXES = {  # four instructions on the registers x and y of a chain
    "products, logic and shifts": "MAD_X(x, y, a); LOGIC_Y(y, x, b); MAD_X(x, y, b); SHIFT_Y(y, x);",
    "products": "MAD_X(x, y, a); MAD_X(y, x, b); MAD_X(x, y, b); MAD_X(y, x, a);",
    "high products": "HIGH_X(x, y); HIGH_X(y, x); HIGH_X(x, y); HIGH_X(y, x);",
    "wide products": "WIDE_XY(x, y); WIDE_XY(x, y); WIDE_XY(x, y); WIDE_XY(x, y);",
    "logic": "LOGIC_Y(y, x, a); LOGIC_Y(x, y, b); LOGIC_Y(y, x, b); LOGIC_Y(x, y, a);",
    "shifts": "SHIFT_Y(y, x); SHIFT_Y(x, y); SHIFT_Y(y, x); SHIFT_Y(x, y);",
    "additions": "ADD_Y(y, x); ADD_Y(x, y); ADD_Y(y, x); ADD_Y(x, y);",
}
ROUND = 256 + 3  # instructions of a round of `issue.cu`: four in each of 16 steps of 4 chains, and its loop
ROUNDS = 8192
ISSUE_THREADS, ISSUE_BLOCKS = 256, 8  # of a block, and blocks for each multiprocessor: full occupancy
COUNTER = "smsp__thread_inst_executed"
COUNTERS = (COUNTER, "smsp__inst_executed", "smsp__issue_active", "smsp__cycles_active")


class Rates(NamedTuple):
    """What follows from the figures of one recorded pair."""

    coordinates: float  # a second
    instructions: float  # a coordinate
    limit: float  # coordinates a second
    used: float
    operations: int  # a coordinate, as the maps are written
    as_written: float  # coordinates a second if only these were issued


def rates(entry: dict[str, Any], content: dict[str, Any]) -> Rates:
    """Of one pair in a results file."""
    n, issue = entry["size"], issue_rate(content["issue"])
    each = entry["counted"][COUNTER] / n
    speed = per_second(n, statistics.median(entry["seconds"]))
    needed = needs(Case(entry["title"], entry["a"], entry["b"], 0))
    return Rates(speed, each, issue / each, speed * each / issue, needed, issue / needed)


def issue_rate(issue: list[dict[str, Any]]) -> float:
    """Thread-instructions a second of the mix that issues most."""
    return max(per_second(i["instructions"], statistics.median(i["seconds"])) for i in issue)


def per_second(count: int, seconds: float) -> float:
    """A rate. A clock that has not moved has moved by less than its tick."""
    return float(count / max(seconds, TICK))


def needs(case: Case) -> int:
    """Integer operations a coordinate of both maps as written, with the comparison."""
    return sum(operations(modes_of(f)) for f in case.layouts()) + 1


# ── measuring ──────────────────────────────────────────────────────────────────────────────────────────────


def measure(folder: Path) -> tuple[dict[str, Any], list[tuple[Case, Answer]]]:
    """Everything: the issue rates, all pairs, numpy, and the profiler's counts. The content of a results
    file, and the answers behind it."""
    machine = Silicon()
    issue = [{"mix": name, **_issued(name)} for name in MIXES]
    answers = [(case, compare(*case.layouts(), machine, runs=RUNS)) for case in CASES]
    launched = counted(
        [sys.executable, "-m", __package__.rpartition(".")[0], "equal", "--launch-only"],
        "regex:^(issue|equality)$",
        COUNTERS,
        folder,
    )
    if len(launched) != len(MIXES) + len(CASES) or any(COUNTER not in c for c in launched):
        raise NoDevice(f"ncu counted {len(launched)} launches of {len(MIXES) + len(CASES)}: {launched[:2]}")
    for entry, counts in zip(issue, launched, strict=False):
        entry["counted"] = counts
    entries = [_entry(*pair, counts) for pair, counts in zip(answers, launched[len(MIXES) :], strict=True)]
    content: dict[str, Any] = {
        **about(),
        "date": today(),
        "kernels": {name: kernel_hash(name) for name in ("equality", "issue")},
        "issue": issue,
        "numpy": {"version": np.__version__, **_on_numpy(CASES[2])},
        "equalities": entries,
    }
    return content, answers


def _entry(case: Case, answer: Answer, counts: dict[str, int]) -> dict[str, Any]:
    return {
        "title": case.title,
        "a": case.a,
        "b": case.b,
        "size": answer.size,
        "first": answer.seen.first,
        "values": answer.values,
        "differing": answer.seen.differing,
        "code": code_hash(case),
        "seconds": [round(s, 9) for s in answer.seen.seconds],
        "counted": counts,
    }


def code_hash(case: Case) -> str:
    """The hash of what was compiled for a pair, strides included."""
    code = generate(*(modes_of(f) for f in case.layouts()))
    return hashlib.sha256(f"{kernel_text(code)}{code.strides}".encode()).hexdigest()[:16]


def _issued(name: str, runs: int = RUNS) -> dict[str, Any]:
    """Thread-instructions that a launch of `issue.cu` issues by construction, and the seconds of each run."""
    cp = cupy()
    kernel = cp.RawKernel(issue_text(name), "issue", options=("-std=c++17",))
    blocks = cp.cuda.Device().attributes["MultiProcessorCount"] * ISSUE_BLOCKS
    words = (np.int32(ROUNDS), np.uint32(0x9E3779B1), np.uint32(0x85EBCA77), cp.zeros(1, dtype=cp.uint32))
    seconds = []
    for _ in range(runs + 1):
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        kernel((blocks,), (ISSUE_THREADS,), words)
        end.record()
        end.synchronize()
        seconds.append(round(cp.cuda.get_elapsed_time(start, end) / 1000, 9))
    return {"instructions": blocks * ISSUE_THREADS * ROUNDS * ROUND, "seconds": seconds[1:]}


def issue_text(mix: str) -> str:
    return source("issue", {"STEP(x, y, a, b)": MIXES[mix]})


def launch() -> None:
    """Every mix and every pair once, in order, for the profiler that this process runs under."""
    for name in MIXES:
        _issued(name, runs=0)
    machine = Silicon()
    for case in CASES:
        machine.enumerate(*case.layouts(), runs=0)


def _on_numpy(case: Case) -> dict[str, Any]:
    """One pair's first coordinates on one core of this machine's processor."""
    a, b = case.layouts()
    start = time.perf_counter_ns()
    walk(a, b, ON_NUMPY)
    seconds = (time.perf_counter_ns() - start) / 1e9
    return {"title": case.title, "coordinates": ON_NUMPY, "seconds": seconds}


# ── replaying ──────────────────────────────────────────────────────────────────────────────────────────────


def differing(content: dict[str, Any]) -> list[str]:
    """Recorded pairs on which today's engines, Python's integers or numpy say otherwise, whose code has
    changed since, or which were slow."""
    found = []
    for entry in content["equalities"]:
        case = Case(entry["title"], entry["a"], entry["b"], 0)
        found += [f"{case.title}: {line}" for line in _unlike(case, entry)]
    best = max(content["issue"], key=lambda i: float(issue_rate([i])))
    if abs(best["counted"][COUNTER] / best["instructions"] - 1) > 0.01:
        counts = f"{best['counted'][COUNTER]} instructions counted, {best['instructions']} by construction"
        found.append(f"issue, {best['mix']}: {counts}")
    return found + slow(content)


def slow(content: dict[str, Any]) -> list[str]:
    """Pairs that took more than twice as long as the device could have."""
    rated = [e for e in content["equalities"] if e["size"] >= RATED]
    used = {e["title"]: rates(e, content).used for e in rated}
    return [f"{k}: only {u:.0%} of the integer-issue limit" for k, u in used.items() if not u >= LEAST_USED]


def _unlike(case: Case, entry: dict[str, Any]) -> list[str]:
    a, b = case.layouts()
    seen = Found(entry["first"], entry["differing"])
    found = contradictions(seen, by_symlayout(a, b))
    if code_hash(case) != entry["code"]:
        found.append("the generated code has changed since: run `gpu equal --bench --record` again")
    at_first = None if seen.first is None else [a(seen.first), b(seen.first)]
    if at_first != (entry["values"] and list(entry["values"])):
        found.append(f"at {seen.first} the values are {at_first}, and not {entry['values']}")
    known = next((c.differing for c in CASES if c[:3] == case[:3] and c.differing >= 0), None)
    if known not in (None, seen.differing):
        found.append(f"{seen.differing} differ, and {known} by hand")
    if entry["size"] <= SMALL:
        counted_here = walk(a, b, entry["size"])
        return found + ([] if counted_here == (seen.first, seen.differing) else [f"numpy: {counted_here}"])
    return found + _probed(a, b, seen, entry["size"])


def _probed(a: Any, b: Any, seen: Found, n: int) -> list[str]:
    """A sample by numpy: nothing may differ before the first difference, and the share of what differs has
    to be the recorded one, within five deviations."""
    index = np.random.default_rng(n).integers(0, n, PROBED)
    apart = values(a, index) != values(b, index)
    if (apart & (index < (n if seen.first is None else seen.first))).any():
        return ["numpy finds a difference before the first"]
    share = seen.differing / n
    deviation = (share * (1 - share) / PROBED) ** 0.5
    if abs(float(apart.mean()) - share) > 5 * deviation + 1 / PROBED:
        return [f"{int(apart.sum())} of {PROBED} differ in numpy, {share:.3f} of all were recorded"]
    return []


# ── telling ────────────────────────────────────────────────────────────────────────────────────────────────


def table(content: dict[str, Any]) -> list[str]:
    """The rates for people."""
    issue = issue_rate(content["issue"])
    lines = ["thread-instructions a second, registers only:"]
    for i in content["issue"]:
        rate = per_second(i["instructions"], statistics.median(i["seconds"]))
        busy = i["counted"].get("smsp__issue_active", 0) / max(1, i["counted"].get("smsp__cycles_active", 0))
        lines.append(f"  {rate:.3e}  {i['mix']} ({busy:.0%} of issue slots taken)")
    lines += ["", "      ms  coordinates/s  instructions  limit/s    used  as written  bound/s    pair"]
    for entry in content["equalities"]:
        if entry["size"] < RATED:
            continue
        r, ms = rates(entry, content), statistics.median(entry["seconds"]) * 1000
        lines.append(
            f"{ms:8.2f}  {r.coordinates:.3e}      {r.instructions:12.2f}  {r.limit:.2e}  {r.used:5.0%}"
            f"  {r.operations:10}  {r.as_written:.2e}  {entry['title']}"
        )
    on_numpy = content["numpy"]
    speed = per_second(on_numpy["coordinates"], on_numpy["seconds"])
    same = next(e for e in content["equalities"] if e["title"] == on_numpy["title"])
    lines += [
        "",
        f"limit: {issue:.3e} instructions a second, over the instructions a coordinate that ncu counts",
        "used: coordinates a second, of that limit",
        "as written: operations a coordinate of both maps, none of them saved, and the limit if these alone"
        f" were issued; adding a stride to each value would need {INCREMENTAL}"
        f" ({issue / INCREMENTAL:.2e} coordinates/s)",
        f"numpy, one core: {speed:.3e} coordinates/s on `{same['title']}`,"
        f" the device {rates(same, content).coordinates / speed:.0f} times as many",
    ]
    return lines
