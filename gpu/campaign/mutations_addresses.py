"""Mutations of the addresses and of the instruction: where the lanes point, and how rows are spread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .base import Base, Maps, Tables
from .mutation import Mutation, Pick, exchanged, is_, swapped, two


@dataclass(frozen=True)
class SwappedMatrices(Mutation):
    """The lanes of two of the four groups of eight name each other's rows: the order of ldmatrix.x4."""

    title = "swapped matrices"
    first: int
    second: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        found = two(4, pick)
        return found and cls(*sorted(found)) if base.right.instruction.matrices else None

    def tables(self, base: Base) -> Tables:
        groups = base.tables.address.reshape(len(base.tables.address), -1, 4, 8).transpose(2, 0, 1, 3)
        address = exchanged(groups, self.first, self.second).transpose(1, 2, 0, 3)
        return replace(base.tables, address=address.reshape(base.tables.address.shape))

    def asked(self, base: Base) -> Maps:
        address = base.maps.address

        def other(t: Any, g: Any, a: Any) -> Any:
            group = t // 8 % 4
            return address(t + 8 * (swapped(group, self.first, self.second) - group), g, a)

        return replace(base.maps, address=other)


@dataclass(frozen=True)
class WrongLane(Mutation):
    """One thread names the row of another one of its warp."""

    title = "wrong address lane"
    thread: int
    lane: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        found = two(32, pick)
        return found and cls(32 * pick(base.right.threads // 32) + found[0], found[1])

    @property
    def other(self) -> int:
        return self.thread // 32 * 32 + self.lane

    def tables(self, base: Base) -> Tables:
        address = base.tables.address.copy()
        address[:, self.thread] = address[:, self.other]
        return replace(base.tables, address=address)

    def asked(self, base: Base) -> Maps:
        address = base.maps.address
        away = self.other - self.thread
        return replace(base.maps, address=lambda t, g, a: address(t + away * is_(t, self.thread), g, a))


@dataclass(frozen=True)
class SwappedLanes(WrongLane):
    """Two threads of a warp name each other's rows."""

    title = "swapped address lanes"

    def tables(self, base: Base) -> Tables:
        address = exchanged(base.tables.address.swapaxes(0, 1), self.thread, self.other).swapaxes(0, 1)
        return replace(base.tables, address=address)

    def asked(self, base: Base) -> Maps:
        address = base.maps.address
        return replace(base.maps, address=lambda t, g, a: address(swapped(t, self.thread, self.other), g, a))


@dataclass(frozen=True)
class LaneModulo(Mutation):
    """Rows are named by the lane modulo 8 or 16, as another form of the instruction wants them."""

    title = "lane modulo 8 or 16"
    modulo: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls(8 << pick(2))

    def tables(self, base: Base) -> Tables:
        t = np.arange(base.tables.threads)
        return replace(base.tables, address=base.tables.address[:, t // 32 * 32 + t % self.modulo])

    def asked(self, base: Base) -> Maps:
        address = base.maps.address
        return replace(base.maps, address=lambda t, g, a: address(t // 32 * 32 + t % self.modulo, g, a))


@dataclass(frozen=True)
class WrongWarp(Mutation):
    """One warp names the rows of another."""

    title = "wrong warp"
    warp: int
    other: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        found = two(base.right.threads // 32, pick)
        return found and cls(*found)

    def tables(self, base: Base) -> Tables:
        t = np.arange(base.tables.threads)
        named = np.where(t // 32 == self.warp, self.other * 32 + t % 32, t)
        return replace(base.tables, address=base.tables.address[:, named])

    def asked(self, base: Base) -> Maps:
        address = base.maps.address
        away = 32 * (self.other - self.warp)
        return replace(base.maps, address=lambda t, g, a: address(t + away * is_(t // 32, self.warp), g, a))


@dataclass(frozen=True)
class StaleAddress(Mutation):
    """One copy reads where another one does: the pointer was not moved on."""

    title = "stale address"
    copy: int
    other: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        found = two(base.right.steps, pick)
        return found and cls(*found)

    def tables(self, base: Base) -> Tables:
        address = base.tables.address.copy()
        address[self.copy] = address[self.other]
        return replace(base.tables, address=address)

    def asked(self, base: Base) -> Maps:
        address = base.maps.address
        away = self.other - self.copy
        return replace(base.maps, address=lambda t, g, a: address(t, g + away * is_(g, self.copy), a))


@dataclass(frozen=True)
class WrongTrans(Mutation):
    """`.trans` where there should be none, or none where it should be."""

    title = "wrong .trans"

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls() if base.right.instruction.matrices else None

    def tables(self, base: Base) -> Tables:
        return replace(base.tables, trans=not base.tables.trans)

    def asked(self, base: Base) -> Maps:
        return replace(base.maps, trans=not base.maps.trans)
