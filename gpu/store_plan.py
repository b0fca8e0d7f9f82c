"""Stores: registers into shared memory through `retile_S`, as tables (see `plan` for loads).

    slot[g, a]        the register slot that gives the a-th value of copy g
    moved[g, t, a]    where in shared memory the copy puts that value, in elements
    wanted[offset]    the register (thread * slots + slot) that the MMA's partition says belongs there
    predicted[offset] the register that will be found there

A view is right iff `wanted == predicted`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from symlayout import Layout, TiledCopy, TiledMMA

from .element import Array
from .plan import UNWRITTEN, CopyPlan, view_and_slots


@dataclass(frozen=True)
class StorePlan(CopyPlan):
    """One operand's way from registers into shared memory."""

    _registers, _memory = "S", "D"

    @cached_property
    def predicted(self) -> Array:
        """[offset]: the register whose value will lie there, UNWRITTEN where none does."""
        result = np.full(self.elements, UNWRITTEN, dtype=np.int64)
        thread = np.arange(self.threads) * self.slots
        for g in range(self.steps):
            for a in range(self.values):
                result[self.moved[g, :, a]] = thread + self.slot[g, a]
        return result

    @cached_property
    def wanted(self) -> Array:
        """[offset]: the register in which the MMA has the element of that place."""
        result = np.full(self.elements, UNWRITTEN, dtype=np.int64)
        registers = np.arange(self.threads * self.slots).reshape(self.held.shape)
        written = self.held != UNWRITTEN
        result[self.held[written]] = registers[written]
        return result

    @property
    def wrong(self) -> int:
        """Places of shared memory that would hold a wrong register."""
        return int((self.wanted != self.predicted).sum())


def store_plan(
    mma: TiledMMA, copy: TiledCopy, operand: str, tensor: Any, view: Layout | None = None
) -> StorePlan:
    """The plan of a configuration; without a view CuTe's own retile, right or wrong."""
    return StorePlan(mma, copy, operand, tensor, *view_and_slots(mma, copy, operand, tensor, view, True))
