"""What the hardware is asked to do, as tables; and what the model says will come of it.

One configuration (an MMA, a copy, an operand, a shared-memory tensor, a register view) becomes:

    address[g, t]     where thread t's address for copy g lies in shared memory, in elements
    slot[g, a]        the register slot that takes the a-th value of copy g
    wanted[t, s]      the element that the MMA reads from slot s of thread t, by the MMA's partition
    predicted[t, s]   the element that will lie there, by partition_D written through the view

Elements are named by their offset in shared memory. A view is right iff `wanted == predicted`; the
hardware is asked whether `predicted` is true.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from symlayout import ComposedLayout, Layout, LayoutError, TiledCopy, TiledMMA, UnsupportedError

from .element import Array, Element, element
from .maps import table
from .partition import of_copy, of_mma

SHARED_BYTES = 160 * 1024  # of one block, as the kernels ask for it
UNWRITTEN = -1  # the name of what lies in a slot that no copy writes


@dataclass(frozen=True)
class Instruction:
    """How one copy moves: by `ldmatrix` or `stmatrix` (how many 8x8 matrices, transposed or not), or value by
    value."""

    matrices: int = 0
    trans: bool = False
    store: bool = False

    @property
    def name(self) -> str:
        """`ldmatrix`, `stmatrix`, `ld.shared` or `st.shared`."""
        return f"{'st' if self.store else 'ld'}{'matrix' if self.matrices else '.shared'}"

    def __str__(self) -> str:
        if not self.matrices:
            return f"{self.name}, value by value"
        return f"{self.name}.x{self.matrices}{'.trans' if self.trans else ''}"


LOADS = "SM75_U32x{1,2,4}_LDSM_N, SM75_U16x{2,4,8}_LDSM_T, UniversalCopy and DefaultCopy"
STORES = "SM90_U32x{1,2,4}_STSM_N, SM90_U16x{2,4,8}_STSM_T, UniversalCopy and DefaultCopy"


def instruction_of(copy: TiledCopy, store: bool = False) -> Instruction:
    """The instruction of a copy atom's name: `SM75_U32x4_LDSM_N`, `SM90_U16x8_STSM_T`,
    `UniversalCopy<...>`."""
    name = copy.atom.name
    if ("_STSM_" if store else "_LDSM_") in name:
        width, count = name.split("_")[1].split("x")
        return Instruction(int(count) * int(width[1:]) // 32, name.endswith("_T"), store)
    if name.startswith(("UniversalCopy", "DefaultCopy", "AutoVectorizing", "AutoCopy")):
        return Instruction(store=store)
    way = "store from registers into shared memory" if store else "load from shared memory into registers"
    raise UnsupportedError(
        f"{name} is not a {way} that a probe can issue\n  known are {STORES if store else LOADS}"
    )


@dataclass(frozen=True)
class CopyPlan:
    """What loads and stores share. `_registers` and `_memory` are the sides of the copy, S or D."""

    mma: TiledMMA
    copy: TiledCopy
    operand: str
    tensor: Any  # Layout or ComposedLayout: coordinate -> offset in shared memory, in elements
    view: Layout  # ((value, copy), rest...) -> slot
    slot: Array  # [copy, value], the view as a table, or what a probe goes through instead of it

    _registers: ClassVar[str]
    _memory: ClassVar[str]

    @cached_property
    def element(self) -> Element:
        """What the copy moves: the operand's type, or what accumulators were converted to."""
        return element(self.copy.atom.val_type)

    @cached_property
    def instruction(self) -> Instruction:
        return instruction_of(self.copy, self._registers == "S")

    @cached_property
    def fragment(self) -> Layout:
        return self.mma.fragment(self.operand, plain(self.tensor))

    @cached_property
    def threads(self) -> int:
        return int(self.copy.num_thr)

    @cached_property
    def elements(self) -> int:
        """Elements of shared memory, a power of two where a swizzle needs one."""
        size = int(self.tensor.cosize())
        return 1 << (size - 1).bit_length() if isinstance(self.tensor, ComposedLayout) else size

    @cached_property
    def steps(self) -> int:
        """Copies of one thread."""
        return int(self.view.size()) // self.values

    @cached_property
    def values(self) -> int:
        """Values of one copy that a thread has in registers."""
        return int(self.copy.atom_num_val)

    @cached_property
    def moved(self) -> Array:
        """[g, t, a]: the element that the copy's layout of the register side says value a of thread t is."""
        moved = self._by_copy(self._registers, self.values)
        self._check_inside(moved)
        return moved

    def _by_copy(self, side: str, values: int) -> Array:
        """[g, t, a]: what a side of the copy partitions, `values` at a time."""
        offsets = of_copy(self.copy, side, self.tensor)
        return offsets.reshape(self.threads, -1, values).transpose(1, 0, 2)

    def _check_inside(self, moved: Array) -> None:
        """A kernel has to predicate what lies outside the tensor; the probes do not."""
        outside = np.argwhere((moved < 0) | (moved >= self.elements))
        if len(outside):
            g, t, a = (int(x) for x in outside[0])
            raise LayoutError(
                f"{self.copy.atom.name}: copy {g} of thread {t} leaves the tensor\n"
                f"  value {a} is at offset {moved[g, t, a]}, and {self.tensor} has {self.elements} elements"
            )

    @cached_property
    def address(self) -> Array:
        """[g, t] for matrices; [g, t, a] when each value is moved on its own. In elements."""
        if not self.instruction.matrices:
            return self.moved
        side = self.copy.atom.layout_src if self._memory == "S" else self.copy.atom.layout_dst
        row = self._by_copy(self._memory, int(side[1].size()))
        address = row[:, :, 0]
        if (row - address[:, :, None] != np.arange(row.shape[2])).any():
            into = "src failed to vectorize into registers"
            raise LayoutError(
                f"{self.copy.atom.name}: {into if self._memory == 'S' else 'dst failed to vectorize'}\n"
                f"  a row of {row.shape[2]} elements is not contiguous in {self.tensor}"
            )
        self._check_inside(row)
        self._check_aligned(address)
        return address

    def _check_aligned(self, address: Array) -> None:
        """A row's address must be a multiple of 16 bytes (PTX ISA, ldmatrix and stmatrix), or the GPU
        faults."""
        lanes = 8 * self.instruction.matrices  # those whose addresses count
        named = address.reshape(self.steps, -1, 32)[:, :, :lanes]
        odd = np.argwhere(named * self.element.bits % 128)
        if len(odd):
            g, warp, lane = (int(x) for x in odd[0])
            raise LayoutError(
                f"{self.instruction.name}: the row that thread {32 * warp + lane} names in copy {g} "
                "is not 16-byte aligned\n"
                f"  offset {named[g, warp, lane]} of {self.element.bits}-bit elements in {self.tensor}"
            )

    @cached_property
    def slots(self) -> int:
        return int(max(self.fragment.cosize(), self.slot.max() + 1))

    @cached_property
    def held(self) -> Array:
        """[thread, slot]: the element that the MMA has in each register, by its partition."""
        result = np.full((self.threads, self.slots), UNWRITTEN, dtype=np.int64)
        result[:, table(self.fragment)] = of_mma(self.mma, self.operand, self.tensor)
        return result


@dataclass(frozen=True)
class LoadPlan(CopyPlan):
    """One operand's way from shared memory into registers. See the module's text."""

    _registers, _memory = "D", "S"

    @property
    def delivered(self) -> Array:
        """[g, t, a]: the element that thread t receives as value a of copy g."""
        return self.moved

    @cached_property
    def predicted(self) -> Array:
        """[thread, slot]: the element that will lie there."""
        result = np.full((self.threads, self.slots), UNWRITTEN, dtype=np.int64)
        for g in range(self.steps):
            for a in range(self.values):
                result[:, self.slot[g, a]] = self.delivered[g, :, a]
        return result

    @property
    def wanted(self) -> Array:
        """[thread, slot]: the element that the MMA reads."""
        return self.held

    @property
    def wrong(self) -> int:
        """Registers that would hold a wrong element."""
        return int((self.wanted != self.predicted).sum())


def load_plan(
    mma: TiledMMA, copy: TiledCopy, operand: str, tensor: Any, view: Layout | None = None
) -> LoadPlan:
    """The plan of a configuration; without a view CuTe's own retile, right or wrong."""
    return LoadPlan(mma, copy, operand, tensor, *view_and_slots(mma, copy, operand, tensor, view, False))


def view_and_slots(
    mma: TiledMMA, copy: TiledCopy, operand: str, tensor: Any, view: Layout | None, store: bool
) -> tuple[Layout, Array]:
    """A view of the fragment, CuTe's own without one, and it as a table. Raises LayoutError or
    UnsupportedError where there is nothing that a probe can do."""
    instruction_of(copy, store)
    held = int(tensor.cosize()) * element(copy.atom.val_type).bits // 8
    if held > SHARED_BYTES:
        raise UnsupportedError(
            f"{tensor} takes {held} bytes, and a block has {SHARED_BYTES} of shared memory\n"
            "  ask for a smaller tile"
        )
    if mma.thread_ids() != tuple(range(int(copy.num_thr))):
        raise UnsupportedError(f"{mma}: its threads are not whole warps, which the probes need")
    fragment = mma.fragment(operand, plain(tensor))
    if view is None:
        view = (copy.retile_S if store else copy.retile_D)(fragment, unchecked=True)
    if view.size() != fragment.size():
        raise LayoutError(f"the view {view} does not have the {fragment.size()} registers of {fragment}")
    return view, table(view).reshape(-1, int(copy.atom_num_val))


def plain(tensor: Any) -> Any:
    """The layout of a tensor without its swizzle."""
    return tensor.layout if isinstance(tensor, ComposedLayout) else tensor


Plan = TypeVar("Plan", bound=CopyPlan)


def divided(plan: Plan) -> Plan:
    """The same with the direct divide in place of retile: the fragment's registers in its own order."""
    return replace(plan, slot=table(plan.fragment).reshape(plan.slot.shape))


def exchanged(plan: Plan) -> Plan:
    """The plan with the slots of its first and last value exchanged."""
    slot = plan.slot.copy()
    slot[0, 0], slot[-1, -1] = plan.slot[-1, -1], plan.slot[0, 0]
    return replace(plan, slot=slot)
