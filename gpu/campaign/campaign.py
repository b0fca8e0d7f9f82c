"""A campaign: thousands of (configuration, mutation) pairs, each asked of the prover and of a machine.

The prover says whether a mutation is harmless, from the claim (`claims`); the model says what every
register will hold, from the tables (`base`); the machine says what they hold. A pair agrees when the
machine's registers are the model's, unit for unit, and wrong somewhere exactly if the prover refutes the
claim. Everything is drawn from one seed and recorded as data: verdicts, counts of wrong registers, a digest
of the registers of each pair, and every disagreement in full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..device import kernel_hash
from ..element import Array
from ..maps import grid
from ..plan import UNWRITTEN
from ..records import packed, today, unpacked
from .base import UNNAMED, Tables
from .machine import KERNEL, Machine
from .mutations import MUTATIONS
from .space import Pair, digest, pairs
from .verdicts import Verdicts, from_json

AT_A_TIME = 1500  # pairs whose tables are held at once
PAIRS = 12000
SHOWN = 20  # disagreements in a report
DIGEST = 4  # bytes


@dataclass(frozen=True)
class Row:
    """One kind of mutation: what was predicted and what was seen."""

    mutation: str
    pairs: int
    predicted_harmless: int
    predicted_harmful: int
    observed_harmless: int
    observed_harmful: int
    agree: int


@dataclass(frozen=True)
class Disagreement:
    """A pair on which prover, model and machine do not say the same, with the first register at issue."""

    pair: int
    what: str
    prover: str
    machine: str
    registers_unlike: int  # those that are not as the model says
    thread: int
    register: int
    wanted: str
    predicted: str
    observed: str


@dataclass
class Campaign:
    """What came of it. The arrays have one entry a pair."""

    pairs: Sequence[Pair]
    verdicts: Verdicts
    machine: str
    hardware: bool
    wrong: Array  # registers that hold another element than the mma wants, as observed
    digests: Array  # of the registers, as observed
    asked: int = 0
    registers: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    def rows(self) -> list[Row]:
        return rows(self.pairs, self.verdicts.harmless, self.wrong, {d.pair for d in self.disagreements})


def rows(pairs: Sequence[Pair], harmless: Array, wrong: Array, disagreeing: set[int]) -> list[Row]:
    """The table: mutation x predicted x observed."""
    titles = np.array([pair.mutation.title for pair in pairs])
    agree = np.ones(len(pairs), dtype=bool)
    agree[sorted(disagreeing)] = False
    found = []
    for kind in MUTATIONS:
        of = titles == kind.title
        counts = (of, of & harmless, of & ~harmless, of & (wrong == 0), of & (wrong > 0), of & agree)
        found.append(Row(kind.title, *(int(x.sum()) for x in counts)))
    return found


def campaign(pairs: Sequence[Pair], verdicts: Verdicts, machine: Machine) -> Iterator[Campaign]:
    """Ask the machine about every pair; yields after each piece, with what is known until then."""
    count = len(pairs)
    wrong, digests = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    found = Campaign(pairs, verdicts, machine.name, machine.hardware, wrong, digests)
    for start in range(0, count, AT_A_TIME):
        piece = pairs[start : start + AT_A_TIME]
        asked = [pair.mutation.tables(pair.base) for pair in piece]
        for i, registers in machine.registers(asked):
            place = start + i
            wrong[place] = asked[i].wrong(registers).sum()
            digests[place] = digest_of(registers)
            found.asked += 1
            found.registers += registers.shape[0] * registers.shape[1]
            differing = _disagreement(place, piece[i], asked[i], bool(verdicts.harmless[place]), registers)
            if differing is not None:
                found.disagreements.append(differing)
        yield found


def digest_of(registers: Array) -> int:
    """What tells the registers of one pair from others, as a whole number of 32 bits."""
    data = np.ascontiguousarray(registers, dtype="<i4").tobytes()
    return int.from_bytes(hashlib.blake2b(data, digest_size=DIGEST).digest(), "little", signed=True)


def _disagreement(
    place: int, pair: Pair, tables: Tables, harmless: bool, registers: Array
) -> Disagreement | None:
    predicted = tables.predicted()
    unlike = (registers != predicted).any(axis=2)
    wrong = tables.wrong(registers)
    if not unlike.any() and harmless == (not wrong.any()):
        return None
    at = np.argwhere(unlike if unlike.any() else wrong)
    thread, slot = (int(x) for x in at[0]) if len(at) else (0, 0)
    wanted = tables.in_units(tables.wanted)
    names = [
        named(pair, tables, a[thread, slot]) if slot < a.shape[1] else "nothing"
        for a in (wanted, predicted, registers)
    ]
    says = {True: "harmless", False: "harmful"}
    return Disagreement(
        place, str(pair), says[harmless], says[not wrong.any()], int(unlike.sum()), thread, slot, *names
    )


def named(pair: Pair, tables: Tables, units: Array) -> str:
    """The element whose units these are, as the engineer calls it: `B(8,0)`; units of several one by one."""
    parts = tables.parts
    first = int(units[0])
    if first >= 0 and first % parts == 0 and (units == first + np.arange(parts)).all():
        return _element(pair, first // parts)
    return " | ".join(
        _element(pair, int(u) // parts) + (f" part {int(u) % parts}" if parts > 1 and u >= 0 else "")
        for u in units
    )


def _element(pair: Pair, offset: int) -> str:
    if offset == UNWRITTEN:
        return "nothing"
    if offset == UNNAMED:
        return "memory that was not written"
    found = np.argwhere(grid(pair.base.cute.tensor) == offset)
    operand = pair.base.configuration.operand
    return f"{operand}({found[0][0]},{found[0][1]})" if len(found) else f"offset {offset}"


def document(found: Campaign, rests_on: dict[str, str]) -> dict[str, Any]:
    """The results file."""
    return {
        **rests_on,
        "date": today(),
        "kernels": {KERNEL: kernel_hash(KERNEL)},
        **found.verdicts.to_json(),
        "asked_registers": found.registers,
        "wrong": packed(found.wrong),
        "registers": packed(found.digests),
        "disagreements": [asdict(d) for d in found.disagreements],
        "campaign": [asdict(row) for row in found.rows()],
    }


def differing(content: dict[str, Any]) -> list[str]:
    """What differs between a recorded campaign and today's predictions of all of its pairs."""
    verdicts = from_json(content)
    drawn = pairs(verdicts.seed, len(verdicts.harmless), verdicts.configurations)
    if digest(drawn) != verdicts.digest:
        return [f"seed {verdicts.seed} draws other pairs today: run `gpu campaign` on the device again"]
    wrong, digests = unpacked(content["wrong"]), unpacked(content["registers"])
    if not len(wrong) == len(digests) == len(drawn):
        return [f"{len(drawn)} pairs, and {len(wrong)} counts and {len(digests)} digests recorded"]
    found = [_recorded(content)] if content["disagreements"] else []
    for place, pair in enumerate(drawn):
        tables = pair.mutation.tables(pair.base)
        predicted = tables.predicted()
        count = int(tables.wrong(predicted).sum())
        if digest_of(predicted) != digests[place]:
            found.append(f"pair {place}, {pair}: other registers than predicted")
        if count != wrong[place]:
            found.append(f"pair {place}, {pair}: {wrong[place]} wrong registers, {count} predicted")
        if bool(verdicts.harmless[place]) != (count == 0):
            found.append(f"pair {place}, {pair}: the prover's verdict is not what is predicted")
    today_rows = [asdict(row) for row in rows(drawn, verdicts.harmless, wrong, set())]
    if today_rows != content["campaign"] and not content["disagreements"]:
        found.append("the table is not that of the pairs")
    return found


def _recorded(content: dict[str, Any]) -> str:
    first = content["disagreements"][0]
    count = len(content["disagreements"])
    return f"{count} disagreements recorded, the first on pair {first['pair']}: {first['what']}"
