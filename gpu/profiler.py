"""Nsight Compute on the command line: which counters it has, and what it counted of every launch.

The counters of a chip differ; `ncu --query-metrics` names those of the device at hand.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from .device import NoDevice

LONGEST = 540  # seconds that one profiler run may take


def profiler() -> str:
    """The path of ncu. Raises NoDevice."""
    path = shutil.which("ncu")
    if path is None:
        raise NoDevice("no ncu here: Nsight Compute counts the wavefronts")
    return path


def version() -> str:
    """Its version, as it says it."""
    found = re.search(r"Version (\S+)", _said([profiler(), "--version"], Path.cwd()))
    return found[1] if found else "unknown"


def counters() -> list[str]:
    """The names of all counters of this device, without the roll-up (.sum and the like)."""
    return named(_said([profiler(), "--query-metrics"], Path.cwd()))


def named(listing: str) -> list[str]:
    """The counters in a listing of ncu: the lines that begin with a name such as l1tex__data_bank_reads."""
    words = [line.split()[0] for line in listing.splitlines() if line.split()]
    return sorted({word for word in words if re.fullmatch(r"[a-z0-9]+__\w+", word)})


def counted(command: Sequence[str], kernel: str, names: Iterable[str], folder: Path) -> list[dict[str, int]]:
    """Run a command under the profiler: for each launch of the kernel, in order, the sum of every counter
    that was given a number. Raises NoDevice with what the profiler said where it counted nothing."""
    metrics = ",".join(f"{name}.sum" for name in names)
    # the clocks stay as they are: nothing here is a time
    options = ["--clock-control", "none", "--kernel-name", kernel, "--metrics", metrics, "--csv"]
    said = _said([profiler(), *options, *command], folder)
    found = sums(said)
    if not found:
        raise NoDevice(f"ncu counted nothing:\n{said[-2000:].strip()}")
    return found


def sums(said: str) -> list[dict[str, int]]:
    """What a CSV report counts, launch by launch; lines before the table and values such as n/a are passed
    over."""
    lines = said.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    found: dict[int, dict[str, int]] = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        name, value = row.get("Metric Name"), (row.get("Metric Value") or "").replace(",", "")
        if name and re.fullmatch(r"\d+(\.\d+)?", value):
            found.setdefault(int(row["ID"]), {})[name.removesuffix(".sum")] = round(float(value))
    return [found[launch] for launch in sorted(found)]


def _said(command: Sequence[str], folder: Path) -> str:
    """What a command printed, errors last."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        raise NoDevice(f"ncu took more than {LONGEST} s and was stopped") from None
    return done.stdout + done.stderr
