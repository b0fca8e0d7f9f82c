"""Mutations of the slots: the registers that a copy writes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..maps import table
from .base import Base, Maps, Tables, value_of_slot
from .mutation import Mutation, Pick, at_least, exchanged, swapped, two


@dataclass(frozen=True)
class SwappedRegisters(Mutation):
    """Two values go to each other's registers."""

    title = "swapped registers"
    first: int
    second: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        found = two(base.right.slot.size, pick)
        return found and cls(*sorted(found))

    def tables(self, base: Base) -> Tables:
        slot = exchanged(base.tables.slot.reshape(-1), self.first, self.second)
        return replace(base.tables, slot=slot.reshape(base.tables.slot.shape))

    def asked(self, base: Base) -> Maps:
        value = base.maps.value
        return replace(base.maps, value=lambda x: value(swapped(x, self.first, self.second)))


@dataclass(frozen=True)
class OffByOneSlot(Mutation):
    """From one value on, every value goes to the next register."""

    title = "off-by-one slot"
    start: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls(pick(base.right.slot.size))

    def tables(self, base: Base) -> Tables:
        slot = base.tables.slot.copy()
        slot.reshape(-1)[self.start :] += 1
        return replace(base.tables, slot=slot)

    def asked(self, base: Base) -> Maps:
        view, value_of = base.right.view, value_of_slot(base.right)

        def slot(x: Any) -> Any:
            return view(x) + at_least(x, self.start)

        return replace(base.maps, slot=slot, value=lambda x: value_of(slot(x)))


@dataclass(frozen=True)
class DirectDivide(Mutation):
    """The fragment is cut into groups in its own order, without retile."""

    title = "direct divide"

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls()

    def tables(self, base: Base) -> Tables:
        return replace(base.tables, slot=table(base.right.fragment).reshape(base.tables.slot.shape))

    def asked(self, base: Base) -> Maps:
        return replace(base.maps, value=lambda x: x)  # the fragment's values in their own order


@dataclass(frozen=True)
class ExchangedLoops(Mutation):
    """The copies are issued in one order of the two loops over tiles, and their registers taken in the
    other."""

    title = "exchanged loops"

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls() if base.right.view.rank() == 3 else None

    def _sizes(self, base: Base) -> tuple[int, int, int]:
        """Values of one tile; copies along the first and along the second mode."""
        view = base.right.view
        return int(view[0].size()), int(view[1].size()), int(view[2].size())

    def tables(self, base: Base) -> Tables:
        values, first, second = self._sizes(base)
        slot = base.tables.slot.reshape(second, first, values)
        return replace(base.tables, slot=slot.transpose(1, 0, 2).reshape(base.tables.slot.shape))

    def asked(self, base: Base) -> Maps:
        values, first, second = self._sizes(base)
        value = base.maps.value

        def other(x: Any) -> Any:
            v, tile = x % values, x // values
            return value(v + values * (tile // second + first * (tile % second)))

        return replace(base.maps, value=other)
