"""Machines for the campaign: many pairs in one launch, every table an argument.

A machine is given tables (`base.Tables`) and gives back what lies in the registers, [thread, slot,
part] as units' names. `CampaignEmulator` is numpy, written from the PTX ISA's formulas; what it says is no
observation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..device import compiled, cupy, device_name, source
from ..element import Array
from ..emulator import move_places
from ..plan import UNWRITTEN
from .base import UNNAMED, WIDEST_UNIT, Tables

KERNEL = "campaign"
FIELDS = 10  # of a block's head
MOST_WORDS = 1 << 24  # of registers that one launch gives back


class Machine(Protocol):
    """What a campaign needs."""

    name: str
    hardware: bool

    def registers(self, asked: Sequence[Tables]) -> Iterator[tuple[int, Array]]:
        """(place in `asked`, registers) for each, in any order."""
        ...


class CampaignEmulator:
    """The numpy machine."""

    name = "emulator (numpy, PTX ISA formulas; not hardware)"
    hardware = False

    def registers(self, asked: Sequence[Tables]) -> Iterator[tuple[int, Array]]:
        for place, tables in enumerate(asked):
            yield place, self.one(tables)

    def one(self, tables: Tables) -> Array:
        result = np.full((tables.threads, tables.slots, tables.parts), UNWRITTEN, dtype=np.int64)
        names = tables.in_units(tables.names).reshape(-1)
        for at, slots in zip(tables.address, tables.slot, strict=True):
            if tables.matrices:
                held = self.ldmatrix(tables, names, at)
            else:
                held = names[tables.in_units(at).reshape(tables.threads, -1)]
            for a, slot in enumerate(slots):
                result[:, slot] = held[:, a * tables.parts : (a + 1) * tables.parts]
        return result

    def ldmatrix(self, tables: Tables, names: Array, at: Array) -> Array:
        """[thread, unit] of one ldmatrix; the rows start at the offsets that the threads name."""
        row, column = move_places("ldmatrix", tables.trans)
        cells = names.reshape(-1, WIDEST_UNIT // tables.unit)
        starts = at * tables.bits // WIDEST_UNIT  # of the rows, in cells
        found = np.zeros((tables.threads, tables.matrices, *column.shape[1:], cells.shape[1]), dtype=np.int64)
        for warp in range(0, tables.threads, 32):
            for m in range(tables.matrices):
                named = starts[warp + 8 * m : warp + 8 * m + 8]  # by the lanes that name this matrix's rows
                found[warp : warp + 32, m] = cells[named[row] + column]
        return found.reshape(tables.threads, -1)


@dataclass(frozen=True)
class Block:
    """One pair as the kernel's arguments, in units."""

    width: int
    names: Array
    address: Array
    slot: Array
    steps: int
    values: int
    slots: int
    threads: int

    @property
    def words(self) -> int:
        return self.threads * self.slots


def block_of(tables: Tables) -> Block:
    """Tables as a block's arguments; what has no name in shared memory gets the name after the last."""
    names = tables.in_units(tables.names).reshape(-1)
    address = tables.address * tables.parts if tables.matrices else tables.in_units(tables.address)
    slot = tables.in_units(tables.slot)
    return Block(
        width=tables.unit,
        names=np.where(names == UNNAMED, names.size, names),
        address=address.reshape(-1),
        slot=slot.reshape(-1),
        steps=len(tables.slot),
        values=tables.slot.shape[1] * tables.parts,
        slots=tables.slots * tables.parts,
        threads=tables.threads,
    )


def batches(asked: Sequence[Tables]) -> Iterator[tuple[tuple[int, bool, int], list[int]]]:
    """((matrices, trans, threads), places) of what one launch can do."""
    groups: defaultdict[tuple[int, bool, int], list[int]] = defaultdict(list)
    for place, tables in enumerate(asked):
        groups[tables.matrices, tables.trans, tables.threads].append(place)
    for form, places in sorted(groups.items()):
        batch: list[int] = []
        words = 0
        for place in places:
            tables = asked[place]
            more = tables.threads * tables.slots * tables.parts
            if batch and words + more > MOST_WORDS:
                yield form, batch
                batch, words = [], 0
            batch.append(place)
            words += more
        yield form, batch


def packed_blocks(blocks: Sequence[Block]) -> tuple[Array, Array, Array, Array, int]:
    """Head, names, addresses and slots of all blocks end to end, and the words of registers. Equal tables
    stand once: nearly all pairs of a size share their names."""
    head = np.zeros((len(blocks), FIELDS), dtype=np.int32)
    pieces: tuple[_Pieces, _Pieces, _Pieces] = (_Pieces(), _Pieces(), _Pieces())
    words = 0
    for row, b in zip(head, blocks, strict=True):
        starts = [p.place(a) for p, a in zip(pieces, (b.names, b.address, b.slot), strict=True)]
        bits = int(b.names.max()).bit_length() or 1
        row[:] = (b.width, bits, b.names.size, b.steps, b.values, b.slots, *starts, words)
        words += b.words
    names, address, slot = (p.whole() for p in pieces)
    return head, names, address, slot, words


class _Pieces:
    """Arrays end to end, each once."""

    def __init__(self) -> None:
        self.starts: dict[bytes, int] = {}
        self.size = 0

    def place(self, a: Array) -> int:
        data = np.ascontiguousarray(a, dtype=np.int32).tobytes()
        start = self.starts.get(data)
        if start is None:
            start = self.starts[data] = self.size
            self.size += len(data) // 4
        return start

    def whole(self) -> Array:
        return np.frombuffer(b"".join(self.starts), dtype=np.int32)


def defines(matrices: int, trans: bool) -> dict[str, str]:
    """What `campaign.cu` wants filled in for a form of the instruction."""
    if not matrices:
        return {"MATRICES": "0"}
    text = f"ldmatrix.sync.aligned.m8n8.x{matrices}{'.trans' if trans else ''}.shared.b16"
    return {"MATRICES": str(matrices), "LDMATRIX": f'"{text}"'}


class CampaignDevice:
    """The GPU, through CuPy."""

    hardware = True

    def __init__(self) -> None:
        self.name = device_name()
        self.launches = 0

    def registers(self, asked: Sequence[Tables]) -> Iterator[tuple[int, Array]]:
        for (matrices, trans, threads), places in batches(asked):
            tables = [asked[place] for place in places]
            flat, starts = self._launched(matrices, trans, threads, [block_of(t) for t in tables])
            for place, t, start in zip(places, tables, starts, strict=True):
                size = t.threads * t.slots * t.parts
                yield place, unpacked_registers(t, flat[start : start + size])

    def _launched(
        self, matrices: int, trans: bool, threads: int, blocks: Sequence[Block]
    ) -> tuple[Array, Array]:
        cp = cupy()
        head, names, address, slot, words = packed_blocks(blocks)
        registers = cp.full(words, UNWRITTEN, dtype=cp.int32)
        shared = max((b.names.size * b.width + 31) // 32 * 4 for b in blocks)
        kernel = compiled(KERNEL, source(KERNEL, defines(matrices, trans)))
        kernel(
            (len(blocks),),
            (threads,),
            (*(cp.asarray(a) for a in (head.reshape(-1), names, address, slot)), registers),
            shared_mem=shared,
        )
        self.launches += 1
        return np.array(registers.get()), head[:, FIELDS - 1]


def unpacked_registers(tables: Tables, words: Array) -> Array:
    """What a block wrote, as `Tables.predicted` says it."""
    found = words.astype(np.int64).reshape(tables.threads, tables.slots, tables.parts)
    return np.where(found == tables.names.size * tables.parts, UNNAMED, found)
