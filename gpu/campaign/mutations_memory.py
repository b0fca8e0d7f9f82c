"""Mutations of shared memory: it is written through one layout and read through another."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from symlayout import ComposedLayout, Layout, Swizzle

from .base import Base, Maps, Tables, addresses, holding, written
from .mutation import Mutation, Pick


@dataclass(frozen=True)
class ReaderUnswizzled(Mutation):
    """The addresses are those of the layout without its swizzle."""

    title = "reader leaves the swizzle out"

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls() if isinstance(base.right.tensor, ComposedLayout) else None

    def tables(self, base: Base) -> Tables:
        return replace(base.tables, address=replace(base.right, tensor=base.plain).address)

    def asked(self, base: Base) -> Maps:
        return replace(base.maps, address=addresses(base.right, base.plain))


class Writer(Mutation):
    """Base of those in which shared memory is written through another layout than it is read."""

    @abstractmethod
    def layout(self, base: Base) -> Any:
        """The writer's layout, of the reader's shape."""

    def tables(self, base: Base) -> Tables:
        return written(base.tables, base.right.tensor, self.layout(base))

    def asked(self, base: Base) -> Maps:
        return replace(base.maps, held=holding(base.right, self.layout(base)))


@dataclass(frozen=True)
class WriterUnswizzled(Writer):
    """Shared memory is written without the swizzle."""

    title = "writer leaves the swizzle out"

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls() if isinstance(base.right.tensor, ComposedLayout) else None

    def layout(self, base: Base) -> Any:
        return base.plain


@dataclass(frozen=True)
class WriterSwizzle(Writer):
    """Shared memory is written with another swizzle, or with one where the reader has none."""

    title = "writer has another swizzle"
    bits: int
    low: int
    shift: int

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        bits = 1 + pick(3)
        found = cls(bits, 1 + pick(5), bits + pick(3))
        tensor = base.right.tensor
        same = isinstance(tensor, ComposedLayout) and tensor.swizzle == found.swizzle
        return None if same else found

    @property
    def swizzle(self) -> Swizzle:
        return Swizzle(self.bits, self.low, self.shift)

    def layout(self, base: Base) -> Any:
        return ComposedLayout(self.swizzle, 0, base.plain)


@dataclass(frozen=True)
class WriterPitch(Writer):
    """Rows are padded on one side, or padded differently."""

    title = "writer has another row pitch"
    rows16: int  # 16-byte pieces between the end of one row and the start of the next

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        found = cls(pick(5))
        if isinstance(base.right.tensor, ComposedLayout) or found.layout(base) == base.plain:
            return None
        return found

    def layout(self, base: Base) -> Any:
        first, second = base.plain.shape
        pitch = self.rows16 * 128 // base.right.element.bits
        if base.plain.stride[1] == 1:
            return Layout((first, second), (second + pitch, 1))
        return Layout((first, second), (1, first + pitch))
