"""The prover's verdicts on the pairs of a campaign: computed where z3 is, carried as data to the GPU.

A file of verdicts names its seed and holds one bit a pair; `digest` ties it to the pairs that this seed
draws. A recorded campaign holds the same entries, so that it serves as a file of verdicts itself. Without z3
the prover's other engines decide, by enumeration for the most part, and the file says so.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from symlayout import NotationError
from symlayout.children import deaf, kill_all

from ..element import Array
from ..records import RESULTS, packed, today, unpacked, write
from .claims import harmless
from .space import CONFIGURATIONS, Pair, digest

AT_A_TIME = 40  # pairs that a process is given
ENTRIES = ("seed", "pairs", "configurations", "digest", "prover", "harmless")


@dataclass(frozen=True)
class Verdicts:
    """One verdict a pair, in the order in which they are drawn."""

    seed: int
    configurations: int
    digest: str
    prover: str
    harmless: Array  # of truth values

    def to_json(self) -> dict[str, Any]:
        bits = np.packbits(self.harmless)
        return {
            "seed": self.seed,
            "pairs": len(self.harmless),
            "configurations": self.configurations,
            "digest": self.digest,
            "prover": self.prover,
            "harmless": packed(bits),
        }

    def write(self, path: Path) -> None:
        write(path, {"date": today(), **self.to_json()})


def read_verdicts(path: Path) -> Verdicts:
    """A file of verdicts, or a recorded campaign. Raises NotationError for anything else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return from_json(content)
    except (ValueError, KeyError, TypeError) as error:
        raise NotationError(f"{path}: no verdicts of a campaign: {error!r}") from None


def from_json(content: dict[str, Any]) -> Verdicts:
    """Raises KeyError where an entry is missing."""
    seed, count, configurations, tied, prover, bits = (content[entry] for entry in ENTRIES)
    found = np.unpackbits(unpacked(bits).astype(np.uint8))[:count].astype(bool)
    if found.size != count:
        raise ValueError(f"{count} pairs, and {found.size} verdicts")
    return Verdicts(int(seed), int(configurations), str(tied), str(prover), found)


def recorded(seed: int, tied: str) -> Verdicts | None:
    """The verdicts of a recorded campaign on these very pairs, if there is one."""
    for path in sorted(RESULTS.glob("campaign*")):
        try:
            known = read_verdicts(path)
        except NotationError:
            continue
        if (known.seed, known.digest) == (seed, tied):
            return known
    return None


_pairs: Sequence[Pair] = ()  # for the processes that are forked off


def prove_all(pairs: Sequence[Pair], seed: int, configurations: int = CONFIGURATIONS) -> Iterator[Verdicts]:
    """Every verdict, in processes of their own; yields once a piece, the last time with all of them."""
    global _pairs
    engine = "" if find_spec("z3") else "fast"
    _pairs = pairs
    order = sorted(range(len(pairs)), key=lambda i: str(pairs[i].base.configuration))  # equal questions meet
    pieces = [order[i : i + AT_A_TIME] for i in range(0, len(order), AT_A_TIME)]
    found = np.zeros(len(pairs), dtype=bool)
    verdicts = Verdicts(seed, configurations, digest(pairs), _prover(engine), found)
    fork = multiprocessing.get_context("fork")
    with deaf():  # the processes are started while the pieces are handed out
        pool = ProcessPoolExecutor(os.cpu_count(), mp_context=fork)
        answers = pool.map(_proved, pieces, [engine] * len(pieces))
    try:
        for piece, says in zip(pieces, answers, strict=True):
            found[piece] = says
            yield verdicts
    except BaseException:  # interrupted, or nobody wants the rest
        kill_all()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_known: dict[str, bool] = {}  # what this process has been asked already


def _proved(piece: list[int], engine: str) -> list[bool]:
    return [harmless(_pairs[i], engine, _known) for i in piece]


def _prover(engine: str) -> str:
    if engine == "fast":
        return "symlayout's own engines, without a solver"
    from symlayout import smt

    return f"symlayout, every proof checked by {smt.version()}"


def pieces_of(count: int) -> int:
    """How often `prove_all` yields."""
    return -(-count // AT_A_TIME)
