"""Recorded results held against today's predictions, whatever kind of results they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from symlayout import NotationError

from . import observations
from .banks import banks
from .campaign import campaign
from .cute import cute
from .device import kernel_hash
from .discovery import discover
from .equality import rates as equality_rates
from .wgmma import wgmma


class Kind(NamedTuple):
    """A kind of results file: the command that measures it, and what says how today differs from it."""

    command: str
    differing: Callable[[dict[str, Any]], list[str]]


KINDS = {  # by the name of the list of results in the file
    "observations": Kind("gpu all", observations.differing),
    "accesses": Kind("gpu banks", banks.differing),
    "fragments": Kind("gpu discover", discover.differing),
    "wgmma": Kind("gpu wgmma", wgmma.differing),
    "campaign": Kind("gpu campaign", campaign.differing),
    "cute_registers": Kind("gpu cute", cute.differing),
    "equalities": Kind("gpu equal --bench", equality_rates.differing),
}


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
    kind = next((k for k in KINDS if k in content), None) if isinstance(content, dict) else None
    if kind is None:
        raise NotationError(f"{path}: no results file: it has none of {', '.join(KINDS)}")
    differing = [
        f"{path.name}: the kernel {name} has changed since: "
        f"run `{KINDS[kind].command} --record` on the device again"
        for name, seen in content["kernels"].items()
        if kernel_hash(name) != seen
    ]
    differing += KINDS[kind].differing(content)
    return Replay(path.name, content["device"], content["date"], len(content[kind]), tuple(differing))
