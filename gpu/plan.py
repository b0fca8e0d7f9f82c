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
from typing import Any

import numpy as np

from symlayout import ComposedLayout, Layout, LayoutError, TiledCopy, TiledMMA, UnsupportedError

from .element import Array, Element, element
from .maps import table, values

SHARED_BYTES = 160 * 1024  # of one block, as the kernels ask for it
UNWRITTEN = -1  # the name of what lies in a slot that no copy writes


@dataclass(frozen=True)
class Instruction:
    """How one copy moves: by `ldmatrix` (how many 8x8 matrices, transposed or not), or value by value."""

    matrices: int = 0
    trans: bool = False

    def __str__(self) -> str:
        if not self.matrices:
            return "ld.shared, value by value"
        return f"ldmatrix.x{self.matrices}{'.trans' if self.trans else ''}"


def instruction_of(copy: TiledCopy) -> Instruction:
    """The instruction of a copy atom's name: `SM75_U32x4_LDSM_N`, `SM75_U16x8_LDSM_T`,
    `UniversalCopy<...>`."""
    name = copy.atom.name
    if "_LDSM_" in name:
        width, count = name.split("_")[1].split("x")
        return Instruction(int(count) * int(width[1:]) // 32, name.endswith("_T"))
    if name.startswith(("UniversalCopy", "DefaultCopy", "AutoVectorizing", "AutoCopy")):
        return Instruction()
    raise UnsupportedError(
        f"{name} is no load from shared memory into registers that a probe can issue\n"
        "  known are SM75_U32x{1,2,4}_LDSM_N, SM75_U16x{2,4,8}_LDSM_T, UniversalCopy and DefaultCopy"
    )


@dataclass(frozen=True)
class LoadPlan:
    """One operand's way from shared memory into registers. See the module's text."""

    mma: TiledMMA
    copy: TiledCopy
    operand: str
    tensor: Any  # Layout or ComposedLayout: coordinate -> offset in shared memory, in elements
    view: Layout  # ((value, copy), rest...) -> slot
    slot: Array  # [copy, value], the view as a table, or what a probe writes through instead of it

    @cached_property
    def element(self) -> Element:
        return element(self.mma.atom.type(self.operand))

    @cached_property
    def instruction(self) -> Instruction:
        return instruction_of(self.copy)

    @cached_property
    def fragment(self) -> Layout:
        plain = self.tensor.layout if isinstance(self.tensor, ComposedLayout) else self.tensor
        return self.mma.fragment(self.operand, plain)

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
        """Values of one copy that a thread receives."""
        return int(self.copy.atom_num_val)

    def _index(self, view: Any, values: int) -> Array:
        """[g, a]: value a of copy g in the one-integer coordinates of a partition ((value, copies),
        rest...)."""
        return np.arange(int(view.size())).reshape(-1, values)

    def _parts(self, side: str) -> list[Any]:
        slices = [self.copy.get_slice(t) for t in range(self.threads)]
        return [s.partition_S(self.tensor) if side == "S" else s.partition_D(self.tensor) for s in slices]

    @cached_property
    def address(self) -> Array:
        """[g, t] for ldmatrix; [g, t, a] when each value is read on its own. In elements."""
        if not self.instruction.matrices:
            return self.delivered
        parts = self._parts("S")
        index = self._index(parts[0], int(self.copy.atom.layout_src[1].size()))
        source = np.stack(
            [values(p.layout, index) + p.offset for p in parts], axis=1
        )  # [g, t, value of the row]
        address = source[:, :, 0]
        if (source - address[:, :, None] != np.arange(source.shape[2])).any():
            raise LayoutError(
                f"{self.copy.atom.name}: src failed to vectorize into registers\n"
                f"  a row of {source.shape[2]} elements is not contiguous in {self.tensor}"
            )
        self._check_aligned(address)
        return address

    def _check_aligned(self, address: Array) -> None:
        """A row's address must be a multiple of 16 bytes (PTX ISA, ldmatrix); otherwise the GPU faults."""
        lanes = 8 * self.instruction.matrices  # those whose addresses count
        named = address.reshape(self.steps, -1, 32)[:, :, :lanes]
        odd = np.argwhere(named * self.element.bits % 128)
        if len(odd):
            g, warp, lane = (int(x) for x in odd[0])
            raise LayoutError(
                f"ldmatrix: the row that thread {32 * warp + lane} names in copy {g} is not 16-byte aligned\n"
                f"  offset {named[g, warp, lane]} of {self.element.bits}-bit elements in {self.tensor}"
            )

    @cached_property
    def delivered(self) -> Array:
        """[g, t, a]: the element that the copy's destination layout says thread t receives."""
        parts = self._parts("D")
        index = self._index(parts[0], self.values)
        return np.stack([values(p.layout, index) + p.offset for p in parts], axis=1)

    @cached_property
    def slots(self) -> int:
        return int(max(self.fragment.cosize(), self.slot.max() + 1))

    @cached_property
    def predicted(self) -> Array:
        result = np.full((self.threads, self.slots), UNWRITTEN, dtype=np.int64)
        for g in range(self.steps):
            for a in range(self.values):
                result[:, self.slot[g, a]] = self.delivered[g, :, a]
        return result

    @cached_property
    def wanted(self) -> Array:
        result = np.full((self.threads, self.slots), UNWRITTEN, dtype=np.int64)
        slots = table(self.fragment)
        for t in range(self.threads):
            part = self.mma.get_slice(t).partition(self.operand, self.tensor)
            result[t, slots] = table(part.layout) + part.offset
        return result

    @property
    def wrong(self) -> int:
        """Registers that would hold a wrong element."""
        return int((self.wanted != self.predicted).sum())


def load_plan(
    mma: TiledMMA, copy: TiledCopy, operand: str, tensor: Any, view: Layout | None = None
) -> LoadPlan:
    """The plan of a configuration; without a view CuTe's own retile, right or wrong."""
    instruction_of(copy)
    held = int(tensor.cosize()) * element(mma.atom.type(operand)).bits // 8
    if held > SHARED_BYTES:
        raise UnsupportedError(
            f"{tensor} takes {held} bytes, and a block has {SHARED_BYTES} of shared memory\n"
            "  ask for a smaller tile"
        )
    if mma.thread_ids() != tuple(range(int(copy.num_thr))):
        raise UnsupportedError(f"{mma}: its threads are no whole warps, which the probes need")
    plain = tensor.layout if isinstance(tensor, ComposedLayout) else tensor
    fragment = mma.fragment(operand, plain)
    view = copy.retile_D(fragment, unchecked=True) if view is None else view
    if view.size() != fragment.size():
        raise LayoutError(f"the view {view} does not have the {fragment.size()} registers of {fragment}")
    return LoadPlan(mma, copy, operand, tensor, view, table(view).reshape(-1, int(copy.atom_num_val)))


def divided(plan: LoadPlan) -> LoadPlan:
    """The same with the direct divide in place of retile: the fragment's registers in its own order."""
    return replace(plan, slot=table(plan.fragment).reshape(plan.slot.shape))
