"""What a machine was seen to do, kept as data: written on the machine with the GPU, replayed wherever there
is none.

A file `results/<device>-<cc>.json` holds what it rests on (device, driver, CUDA, date, hashes of the
kernels) and for every configuration the registers and accumulators that were read back. Many configurations
read back the same, so each array stands once, under `arrays`, and is referred to by its place there.
`differing` computes today's predictions of the same configurations and compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from symlayout import SymlayoutError

from .backend import Backend
from .configuration import Configuration
from .crosscheck import CrossCheck, crosscheck
from .device import kernel_hash
from .element import Array
from .emulator import Emulator
from .records import packed, same, today

KERNELS = ("load", "store", "chain")


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


def _differing(entry: dict[str, Any], arrays: list[str]) -> list[str]:
    """What differs between one recorded observation and today's prediction of it; empty when nothing does.

    `arrays` are those of the entry's file.
    """
    configuration = Configuration(**entry["configuration"])
    now = crosscheck(*configuration.objects(), backend=Emulator())
    if len(entry["views"]) != len(now.outcomes):
        return [f"{configuration}: {len(entry['views'])} views recorded, {len(now.outcomes)} asked today"]
    found = [] if entry["passed"] is True else [f"{configuration}: recorded as not passed"]
    for seen, predicted in zip(entry["views"], now.outcomes, strict=True):
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


def differing(content: dict[str, Any]) -> list[str]:
    """What differs between the observations of a results file and today's predictions of them."""
    return [line for entry in content["observations"] for line in _differing(entry, content["arrays"])]
