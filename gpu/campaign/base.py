"""A configuration of the campaign, said twice: as tables, which a machine is given, and as maps, which a
prover is asked about.

Tables are numpy arrays of `gpu/plan.py`; maps are functions of whole numbers or of a prover's digits, made of
the layouts themselves. A mutation changes either in its own words, so that the two stay independent: tables
are predicted through CuTe's traits of the instruction (`predicted`), maps through the PTX ISA's formulas
(`claims`).

A machine moves units: an element, or half of one that has 32 bits, a quarter of one that has 64. A unit has
at most 16 bits, which is what `ldmatrix` moves at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from symlayout import Layout, LayoutError, atoms, composition, right_inverse

from ..configuration import Configuration
from ..element import Array
from ..maps import extent, grid, table
from ..plan import UNWRITTEN, LoadPlan, load_plan, plain

WIDEST_UNIT = 16  # bits
UNNAMED = -2  # what lies in shared memory where nobody wrote


@dataclass(frozen=True)
class Tables:
    """What a machine is given. Offsets and names are in elements."""

    bits: int  # of an element
    matrices: int  # of ldmatrix; 0: each value is read on its own
    trans: bool
    names: Array  # [offset]: which element lies there in shared memory
    address: Array  # [copy, thread], or [copy, thread, value] when `matrices` is 0
    slot: Array  # [copy, value]: the register slot that takes it
    wanted: Array  # [thread, slot]: the element that the mma reads there, UNWRITTEN where it reads nothing

    @property
    def unit(self) -> int:
        """Bits of a unit."""
        return min(self.bits, WIDEST_UNIT)

    @property
    def parts(self) -> int:
        """Units of an element."""
        return self.bits // self.unit

    @property
    def threads(self) -> int:
        return int(self.wanted.shape[0])

    @property
    def slots(self) -> int:
        """Registers of a thread, with those that only a wrong slot reaches."""
        return max(int(self.wanted.shape[1]), int(self.slot.max()) + 1)

    def in_units(self, elements: Array) -> Array:
        """A table of elements with one more axis for their units; UNWRITTEN and UNNAMED stay."""
        units = elements[..., None] * self.parts + np.arange(self.parts)
        return np.where(elements[..., None] < 0, elements[..., None], units)

    def predicted(self) -> Array:
        """[thread, slot, part]: the unit that the model says will lie there."""
        names = self.in_units(self.names).reshape(-1)
        held = names[self._read()].reshape(-1, self.threads, self.slot.shape[1], self.parts)
        result = np.full((self.threads, self.slots, self.parts), UNWRITTEN, dtype=np.int64)
        values = held.transpose(1, 0, 2, 3).reshape(self.threads, -1, self.parts)
        result[:, self.slot.reshape(-1)] = values  # of two values for one slot the later one stays
        return result

    def _read(self) -> Array:
        """[copy, thread, unit of the copy's values]: the place, in units, that it comes from."""
        if not self.matrices:
            return self.in_units(self.address).reshape(len(self.address), self.threads, -1)
        lane, column = sources(self.matrices, self.trans)
        per_cell = WIDEST_UNIT // self.unit
        rows = self.address.reshape(-1, 32)[:, lane] * self.parts  # [copy and warp, lane, cell]
        units = rows[..., None] + (column * per_cell)[None, ..., None] + np.arange(per_cell)
        return np.asarray(units.reshape(len(self.address), self.threads, -1))

    def wrong(self, registers: Array) -> Array:
        """[thread, slot]: whether the mma reads there another element than it wants."""
        slots = self.wanted.shape[1]
        differs = (registers[:, :slots] != self.in_units(self.wanted)).any(axis=2)
        return np.asarray(differs & (self.wanted != UNWRITTEN))


@cache
def sources(matrices: int, trans: bool) -> tuple[Array, Array]:
    """[lane, cell]: for each 16-bit cell that a lane receives, the lane that names its row, and its column.

    By CuTe's trait of the instruction: both sides are layouts to the same index, and where several lanes name
    one row it is the first of them that counts.
    """
    name = f"SM75_U16x{2 * matrices}_LDSM_T" if trans else f"SM75_U32x{matrices}_LDSM_N"
    atom = atoms.copy(name).with_type("half_t")
    source, received = (
        table(side).reshape(int(side[1].size()), 32).T for side in (atom.layout_src, atom.layout_dst)
    )
    first: dict[int, tuple[int, int]] = {}
    for lane in range(32):
        for column in range(source.shape[1]):
            first.setdefault(int(source[lane, column]), (lane, column))
    found = np.array([[first[int(x)] for x in row] for row in received])
    return found[..., 0], found[..., 1]


@dataclass(frozen=True)
class Maps:
    """What a prover is asked about, each a function of whole numbers or of digits. In elements."""

    trans: bool
    address: Callable[[Any, Any, Any], Any]  # (thread, copy, value) -> offset; for ldmatrix the value is 0
    value: Callable[[Any], Any]  # (value, copy) as one number -> the fragment's value in its register
    held: Callable[[Any, Any], Any]  # (thread, value of the fragment) -> offset at which it was written
    slot: Callable[[Any], Any] | None = None  # the register itself, where it may be none of the fragment's


@dataclass(frozen=True)
class Base:
    """A configuration with a view that is right, before anything is changed."""

    configuration: Configuration
    cute: LoadPlan  # through CuTe's own view, right or wrong
    plan: LoadPlan | None  # through a right one; None where there is none

    @property
    def right(self) -> LoadPlan:
        if self.plan is None:
            raise LayoutError(f"{self.configuration}: no right view to start from")
        return self.plan

    @cached_property
    def tables(self) -> Tables:
        return tables_of(self.right)

    @cached_property
    def maps(self) -> Maps:
        return maps_of(self.right)

    @cached_property
    def plain(self) -> Layout:
        """The tensor without its swizzle."""
        result: Layout = plain(self.cute.tensor)
        return result


def base(configuration: Configuration) -> Base:
    """Raises SymlayoutError where CuTe or the instruction refuses the configuration."""
    mma, copy, operand, tensor, *_ = configuration.objects()
    if any(size % tile for size, tile in zip(extent(tensor), mma.tile_shape(operand), strict=True)):
        raise LayoutError(f"{tensor} is not made of whole tiles {mma.tile_shape(operand)}")
    cute = load_plan(mma, copy, operand, tensor)
    found = Base(configuration, cute, cute)
    if not found.tables.wrong(found.tables.predicted()).any():
        return found
    try:
        view = copy.right_view(mma, operand, found.plain)
    except LayoutError:
        return Base(configuration, cute, None)
    return Base(configuration, cute, load_plan(mma, copy, operand, tensor, view))


def tables_of(plan: LoadPlan) -> Tables:
    """A plan as a machine is given it; every element of shared memory has its own offset as its name."""
    return Tables(
        bits=plan.element.bits,
        matrices=plan.instruction.matrices,
        trans=plan.instruction.trans,
        names=np.arange(plan.elements),
        address=plan.address,
        slot=plan.slot,
        wanted=plan.wanted,
    )


def written(tables: Tables, reader: Any, writer: Any) -> Tables:
    """Shared memory filled through `writer`, a layout of the reader's shape; the rest is UNNAMED."""
    places = grid(writer)
    size = max(int(tables.names.size), 1 << int(places.max()).bit_length())
    names = np.full(size, UNNAMED)
    names[places] = grid(reader)
    return replace(tables, names=names)


def maps_of(plan: LoadPlan) -> Maps:
    """A plan as a prover is asked about it."""
    return Maps(
        trans=plan.instruction.trans,
        address=addresses(plan, plan.tensor),
        value=value_map(plan),
        held=holding(plan, plan.tensor),
    )


def addresses(plan: LoadPlan, tensor: Any) -> Callable[[Any, Any, Any], Any]:
    """partition_S, or partition_D where values are read one by one, of a tensor: ((thread), (value, copy),
    rest)."""
    copy = plan.copy
    parts = copy.tidfrg_S(tensor) if plan.instruction.matrices else copy.tidfrg_D(tensor)
    copies = int(Layout(parts.shape[1][1]).size())  # within one tile; the rest runs over the tiles
    return lambda t, g, a: parts(t, (a, g % copies), g // copies)


def holding(plan: LoadPlan, tensor: Any) -> Callable[[Any, Any], Any]:
    """The mma's partition of a tensor: (thread, value) -> offset."""
    layout = plan.mma.by_logical_thread(plan.operand, tensor)
    return lambda t, v: layout(t, v)


def value_of_slot(plan: LoadPlan) -> Layout:
    """The fragment's value that lives in a register slot."""
    result: Layout = right_inverse(plan.fragment)
    return result


def value_map(plan: LoadPlan) -> Callable[[Any], Any]:
    """The fragment's value behind each value of the view: one layout where there is one, else two in turn."""
    slot_to_value = value_of_slot(plan)
    try:
        result: Layout = composition(slot_to_value, plan.view)
    except LayoutError:
        return lambda x: slot_to_value(plan.view(x))
    return result
