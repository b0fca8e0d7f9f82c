"""What a machine was seen to do, kept as data: written on the machine with the GPU, replayed wherever there
is none.

A file `results/<device>-<cc>.json` holds what it rests on (device, driver, CUDA, date, hashes of the
kernels) and for every configuration the registers and accumulators that were read back. Many configurations
read back the same, so each array stands once, under `arrays`, and is referred to by its place there.
`replay` computes today's predictions of the same configurations and compares; a kernel that has changed since
makes the file stale.
"""

from __future__ import annotations

import base64
import datetime
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from symlayout import SymlayoutError

from .backend import Backend
from .configuration import Configuration
from .crosscheck import CrossCheck, crosscheck
from .device import kernel_hash
from .element import Array
from .emulator import Emulator

RESULTS = Path(__file__).parent / "results"
KERNELS = ("load", "chain")


def today() -> str:
    return datetime.date.today().isoformat()


def packed(a: Array) -> str:
    """An integer array as text: 16, 32 or 64 bits each, whichever holds it, compressed."""
    a = np.ascontiguousarray(a).astype("<i8")
    kind = next((k for k in ("<i2", "<i4") if (a.astype(k) == a).all()), "<i8")
    return f"{kind[1:]}:" + base64.b64encode(zlib.compress(a.astype(kind).tobytes(), 9)).decode()


def unpacked(text: str) -> Array:
    """The flat array that `packed` wrote."""
    kind, data = text.split(":")
    return np.frombuffer(zlib.decompress(base64.b64decode(data)), dtype=f"<{kind}").astype("<i8")


def observe(
    configurations: Iterable[Configuration], backend: Backend
) -> Iterator[tuple[Configuration, CrossCheck | str]]:
    """Each configuration with its cross-check, or with the first line of why there is none."""
    for configuration in configurations:
        try:
            yield configuration, crosscheck(*configuration.objects(), backend=backend)
        except SymlayoutError as error:
            yield configuration, str(error).splitlines()[0]


def document(checks: Iterable[tuple[Configuration, CrossCheck]], rests_on: dict[str, str]) -> dict[str, Any]:
    """The results file."""
    arrays: dict[str, int] = {}  # each with its place

    def place(a: Array) -> int:
        return arrays.setdefault(packed(a), len(arrays))

    observations = [
        {
            "configuration": asdict(configuration),
            "passed": check.passed,
            "views": [
                {
                    "title": outcome.title,
                    "registers": place(outcome.names),
                    "accumulators": {kind: place(words) for kind, words in outcome.words.items()},
                }
                for outcome in check.outcomes
                if outcome.names is not None
            ],
        }
        for configuration, check in checks
    ]
    return {
        **rests_on,
        "date": today(),
        "kernels": {name: kernel_hash(name) for name in KERNELS},
        "arrays": list(arrays),
        "observations": observations,
    }


def write(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f" {json.dumps(key)}: {_value(value)}" for key, value in content.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _value(value: Any) -> str:
    """JSON with one entry of a long list a line, so that a change shows in a diff."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in value) + "\n ]"
    return json.dumps(value)


def replay(entry: dict[str, Any], arrays: list[str]) -> list[str]:
    """What differs between one recorded observation and today's prediction of it; empty when nothing does.

    `arrays` are those of the entry's file.
    """
    configuration = Configuration(**entry["configuration"])
    today = crosscheck(*configuration.objects(), backend=Emulator())
    if len(entry["views"]) != len(today.outcomes):
        return [f"{configuration}: {len(entry['views'])} views recorded, {len(today.outcomes)} asked today"]
    found = []
    for seen, predicted in zip(entry["views"], today.outcomes, strict=True):
        where = f"{configuration}, {seen['title']}"
        if predicted.unlike or predicted.names is None:
            found.append(f"{where}: the emulator does not do what the model says")
            continue
        if seen["title"] != predicted.title:
            found.append(f"{where}: today that view is {predicted.title}")
        if not same(arrays[seen["registers"]], predicted.names):
            found.append(f"{where}: other registers than predicted")
        for kind, words in predicted.words.items():
            if not same(arrays[seen["accumulators"][kind]], words):
                found.append(f"{where}: another {kind} product than predicted")
    return found


def same(text: str, a: Array) -> bool:
    seen = unpacked(text)
    return seen.size == a.size and bool((seen == np.ascontiguousarray(a).astype("<i8").reshape(-1)).all())
