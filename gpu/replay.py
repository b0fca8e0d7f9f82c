"""Recorded results held against today's predictions, whatever kind of results they are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from symlayout import NotationError

from . import banks, discover, observations
from .device import kernel_hash

AGAIN = {"observations": "gpu all", "accesses": "gpu banks", "fragments": "gpu discover"}


@dataclass(frozen=True)
class Replay:
    """One file: how many results it holds, and what differs today."""

    file: str
    device: str
    date: str
    results: int
    differing: tuple[str, ...]

    def __str__(self) -> str:
        lines = [*self.differing, f"{self.file}: {self.results} results of {self.date} on {self.device}"]
        return "\n".join(lines) + f", {len(self.differing)} differ"


def replay(path: Path) -> Replay:
    """Predict every result of a file again. Raises NotationError for a file that is no results file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # not JSON, or not text
        raise NotationError(f"{path}: no results file: {error}") from None
    kind = next((k for k in AGAIN if k in content), None) if isinstance(content, dict) else None
    if kind is None:
        raise NotationError(f"{path}: no results file: it has none of {', '.join(AGAIN)}")
    differing = [
        f"{path.name}: the kernel {name} has changed since: run `{AGAIN[kind]} --record` on the device again"
        for name, seen in content["kernels"].items()
        if kernel_hash(name) != seen
    ]
    if kind == "observations":
        differing += [
            line for entry in content[kind] for line in observations.replay(entry, content["arrays"])
        ]
    elif kind == "accesses":
        differing += banks.differing(path)
    else:
        differing += [
            f"{entry['instruction']}: the manual's formula says something else"
            for entry in content[kind]
            if discover.predictions(entry["name"])["manual"] != entry["seen"]
        ]
    return Replay(path.name, content["device"], content["date"], len(content[kind]), tuple(differing))
