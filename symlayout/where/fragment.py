"""A fragment: who holds the elements of one operand, and what is where. The package's text has the words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..atoms.atom import MmaAtom
from ..claim import values
from ..errors import LayoutError, UnsupportedError
from ..layout import Layout

WARP = 32
MOST_PLACES = 1 << 20  # threads x values of one fragment
PARTS = {64: "double word", 32: "word", 16: "half", 8: "byte", 4: "nibble", 2: "pair of bits", 1: "bit"}

Element = tuple[int, int]


class Place(NamedTuple):
    """One holder of an element; what does not apply is None. `memory` names coordinates outside of registers:
    ("cta", 1), ("datapath", 5), ("column", 7), ("byte", 14)."""

    thread: int | None
    register: int | None
    part: int | None
    slot: int
    memory: tuple[tuple[str, int], ...] = ()
    row_address_lane: int | None = None  # of ldmatrix, stmatrix: who gives the address of the element's row

    @property
    def lane(self) -> int | None:
        return None if self.thread is None else self.thread % WARP

    @property
    def warp(self) -> int | None:
        return None if self.thread is None else self.thread // WARP


@dataclass(frozen=True)
class Fragment:
    """The holders of one operand's tile, made by `fragment` or `tiled_fragment`."""

    name: str
    operand: str
    tile: Element
    layout: Layout  # (logical thread, value) -> element number
    threads: tuple[int | None, ...]  # logical -> hardware thread; None where there are none
    slot_bits: int
    register_bits: int | None  # None: no registers
    element_of: tuple[Element, ...] | None = None  # element number -> element; column-major if None
    slots: tuple[int, ...] | None = None  # value -> slot, if it is not the identity
    group_bits: int | None = None  # sparse: the bits in which one value of a group may lie
    memory: tuple[str, Any] | None = None  # ("tensor memory", ...) or ("shared memory", None)
    address_lanes: tuple[int, ...] = ()  # row -> the lane that addresses it
    note: str = ""

    def __str__(self) -> str:
        return f"{self.operand} of {self.name}"

    def places(self, i: int, j: int) -> tuple[Place, ...]:
        """Every holder of element (i,j), by thread. Raises LayoutError for an element outside of the tile."""
        rows, columns = self.tile
        if not (0 <= i < rows and 0 <= j < columns):
            raise LayoutError(
                f"{self.operand}({i},{j}) is outside of the tile\n"
                f"  {self}: rows 0 .. {rows - 1}, columns 0 .. {columns - 1}"
            )
        number = i + rows * j if self._numbers is None else self._numbers[i, j]
        found = [
            self._place(t, v, (i, j))
            for t, start in enumerate(self._starts)
            for v in self._values.get(number - start, ())
        ]
        return tuple(sorted(found, key=_by_thread))

    def elements(
        self,
        *,
        lane: int | None = None,
        warp: int = 0,
        thread: int | None = None,
        register: int | None = None,
    ) -> tuple[tuple[Element, Place], ...]:
        """What a thread holds, by slot; of one register if it is given.

        Raises LayoutError for a thread that takes no part, a lane above 31 or a register that there is not.
        """
        if set(self.threads) == {None}:
            raise UnsupportedError(f"{self}: no thread holds it\n  {self.note}")
        asked = self._thread(lane, warp, thread)
        if register is not None and not 0 <= register < self.registers:
            raise LayoutError(f"{self}: no register {register}; there are 0 .. {self.registers - 1}")
        return tuple(
            entry for entry in self._of_thread.get(asked, ()) if register in (None, entry[1].register)
        )

    def table(self) -> Iterator[tuple[Element, Place]]:
        """Every element with every holder, row by row."""
        threads, size = len(self.threads), int(self.layout[1].size())
        if threads * size > MOST_PLACES:
            raise UnsupportedError(f"{self}: {threads} threads x {size} values are too many to list")
        found = []
        for t, start in enumerate(self._starts):
            for offset, several in self._values.items():
                element = self._element(start + offset)
                found += [(element, self._place(t, v, element)) for v in several]
        found.sort(key=lambda entry: (entry[0], _by_thread(entry[1])))
        return iter(found)

    @property
    def registers(self) -> int:
        """How many registers a thread has of it."""
        if self.register_bits is None:
            return 0
        return max(1, int(self.layout[1].size()) * self.slot_bits // self.register_bits)

    @property
    def part_name(self) -> str:
        """What a part is: `half`, `byte`, `nibble`, `bit`, or `whole` when a register holds one value."""
        bits = self.group_bits or self.slot_bits
        if self.register_bits is None or bits >= self.register_bits:
            return "whole"
        return PARTS.get(bits, f"{bits} bits")

    def _thread(self, lane: int | None, warp: int, thread: int | None) -> int:
        if thread is None:
            if lane is None:
                raise LayoutError(f"{self}: which lane?")
            if not 0 <= lane < WARP:
                raise LayoutError(f"{self}: no lane {lane}; a warp has lanes 0 .. {WARP - 1}")
            thread = lane + WARP * warp
        if thread not in self.threads:
            raise LayoutError(f"{self}: thread {thread} takes no part; those are {_ranges(self.threads)}")
        return thread

    @cached_property
    def _of_thread(self) -> dict[int | None, list[tuple[Element, Place]]]:
        found: dict[int | None, list[tuple[Element, Place]]] = {}
        for entry in self.table():
            found.setdefault(entry[1].thread, []).append(entry)
        for entries in found.values():
            entries.sort(key=lambda entry: entry[1].slot)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        """The number of each thread's value 0; the layout is a sum over threads and values."""
        return list(values(self.layout[0])[: len(self.threads)])

    @cached_property
    def _values(self) -> dict[int, list[int]]:
        """The values at each distance from value 0."""
        found: dict[int, list[int]] = {}
        for v, distance in enumerate(values(self.layout[1])):
            found.setdefault(distance, []).append(v)
        return found

    @cached_property
    def _numbers(self) -> dict[Element, int] | None:
        if self.element_of is None:
            return None
        return {element: number for number, element in enumerate(self.element_of)}

    def _element(self, number: int) -> Element:
        if self.element_of is not None:
            return self.element_of[number]
        return number % self.tile[0], number // self.tile[0]

    def _place(self, t: int, v: int, element: Element) -> Place:
        slot = v if self.slots is None else self.slots[v]
        thread = self.threads[t]
        if self.register_bits is None:
            return Place(
                thread, None, None, slot, self._memory(t, slot, element), self._address_lane(element)
            )
        bits = slot * self.slot_bits
        part = bits % self.register_bits // (self.group_bits or self.slot_bits)
        return Place(
            thread,
            bits // self.register_bits,
            part if self.slot_bits < self.register_bits else 0,
            slot,
            row_address_lane=self._address_lane(element),
        )

    def _address_lane(self, element: Element) -> int | None:
        return self.address_lanes[element[0]] if self.address_lanes else None

    def _memory(self, t: int, slot: int, element: Element) -> tuple[tuple[str, int], ...]:
        from ..atoms.tensor_memory import address

        if self.memory is None:
            return ()
        where, atom = self.memory
        if where == "row":
            return (("byte", element[1] * self.slot_bits // 8),)
        cta = (("cta", t),) if isinstance(atom, MmaAtom) and atom.thr_id.size() == 2 else ()
        return cta + (address(atom, self.operand, slot) if where == "tensor memory" else ())


def _by_thread(place: Place) -> tuple[int, int]:
    return (-1 if place.thread is None else place.thread, place.slot)


def _ranges(threads: tuple[int | None, ...]) -> str:
    """`0-3, 16-19`."""
    numbers = sorted({t for t in threads if t is not None})
    runs: list[list[int]] = []
    for t in numbers:
        if runs and runs[-1][-1] == t - 1:
            runs[-1][1:] = [t]
        else:
            runs.append([t])
    return ", ".join("-".join(map(str, run)) for run in runs)
