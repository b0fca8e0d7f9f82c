"""Recorded results held against today's predictions, whatever kind of results they are."""

from __future__ import annotations

import datetime
import json
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from symlayout import NotationError, SymlayoutError

from . import observations
from .banks import banks
from .campaign import campaign
from .cute import cute
from .device import kernel_hash
from .discovery import discover
from .equality import rates as equality_rates
from .wgmma import wgmma


class Kind(NamedTuple):
    """A kind of results file: the command that measures it, the kernels that it runs, and what says how today
    differs from it."""

    command: str
    kernels: tuple[str, ...]
    differing: Callable[[dict[str, Any]], list[str]]


KINDS = {  # by the name of the list of results in the file
    "observations": Kind("gpu all", ("load", "store", "chain"), observations.differing),
    "accesses": Kind("gpu banks", ("banks",), banks.differing),
    "fragments": Kind("gpu discover", ("moves", "copies", "onehot"), discover.differing),
    "wgmma": Kind("gpu wgmma", ("wgmma",), wgmma.differing),
    "campaign": Kind("gpu campaign", ("campaign",), campaign.differing),
    "cute_registers": Kind("gpu cute", ("cute_retile",), cute.differing),
    "equalities": Kind("gpu equal --bench", ("equality", "issue"), equality_rates.differing),
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
    """Predict every result of a file again. Raises NotationError for a file that is not a results file, or a
    damaged one."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # not JSON, or not text
        raise NotationError(f"{path}: no results file: {error}") from None
    kind = next((k for k in KINDS if k in content), None) if isinstance(content, dict) else None
    if kind is None:
        raise NotationError(f"{path}: no results file: it has none of {', '.join(KINDS)}")
    if not isinstance(content[kind], list) or not content[kind]:
        raise NotationError(f"{path}: no results file: no result in {kind}")
    try:
        device, date = content["device"], content["date"]
        if not isinstance(device, str) or not device:
            raise ValueError("it names no device")
        datetime.date.fromisoformat(date)
        differing = [*_stale(path.name, KINDS[kind], content["kernels"]), *_twice(content[kind])]
        differing += KINDS[kind].differing(content)
        return Replay(path.name, device, date, len(content[kind]), tuple(differing))
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, zlib.error) as error:
        if isinstance(error, SymlayoutError):
            raise
        what = f"{type(error).__name__}: {error}"
        raise NotationError(f"{path}: a damaged results file, or one of another version: {what}") from error


def _twice(results: list[Any]) -> list[str]:
    """Results that stand there more than once, so that a count would say too much."""
    seen = Counter(json.dumps(result, sort_keys=True) for result in results)
    return [f"{count} times the same result: {text[:100]}" for text, count in seen.items() if count > 1]


def _stale(file: str, kind: Kind, seen: dict[str, str]) -> list[str]:
    """The kernels that are not those with which the results were measured."""
    return [
        f"{file}: the kernel {name} has changed since: run `{kind.command} --record` on the device again"
        for name in kind.kernels
        if kernel_hash(name) != seen.get(name)
    ]
