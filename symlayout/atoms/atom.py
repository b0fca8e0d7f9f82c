"""What an atom is: one instruction, as layouts.

An MMA atom says which thread holds which element of the three tiles: `layout_A` sends (thread, value) to the
column-major index in the (M,K) tile, `layout_B` to (N,K), `layout_C` to (M,N). Threads are logical; `thr_id`
sends them to lanes (`(4,2):(1,16)` for a quad pair of Volta, `32:1` for a warp).

A copy atom says the same of bits: `bits_src` and `bits_dst` send (thread, bit held by the thread) to an
abstract bit number, and `bits_ref` is the side in whose terms a tiled copy states its thread-value layout.
`with_type` counts in elements instead, which is what a tiled copy needs:

    atoms.SM75_U32x1_LDSM_N.bits_dst                       (32,32):(32,1)
    atoms.SM75_U32x1_LDSM_N.with_type("half_t").layout_dst (32,2):(2,1)

Source: cute/atom/mma_atom.hpp, copy_atom.hpp, copy_traits.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..algebra import upcast
from ..arguments import guarded
from ..errors import LayoutError, UnsupportedError
from ..layout import Layout
from .value_types import value_bits, value_type

if TYPE_CHECKING:
    from ..claims import Claim

Registers = tuple[str, int]  # type and count of a register array: ("uint32_t", 4)


@guarded
@dataclass(frozen=True, repr=False)
class MmaAtom:
    """One matrix instruction `D = A * B + C`; immutable, compared by value."""

    name: str
    shape_mnk: tuple[int, int, int]
    thr_id: Layout
    layout_A: Layout
    layout_B: Layout
    layout_C: Layout
    type_D: str
    type_A: str
    type_B: str
    type_C: str
    registers_D: Registers
    registers_A: Registers
    registers_B: Registers
    registers_C: Registers
    header: str
    note: str = ""  # where this literal deliberately differs from CUTLASS 4.2
    ptx: str = ""  # the mnemonic that the instruction is issued with
    # CuTe's FrgTypeA, B, C where an operand is not held in registers: a descriptor, an address
    fragments: tuple[str, str, str] = ("", "", "")
    # operands beside A, B and C: sparse metadata "E", scale factors "SFA" and "SFB"
    more: tuple[tuple[str, Layout], ...] = ()

    def __repr__(self) -> str:
        return self.name

    @property
    def arch(self) -> str:
        """`sm80` and so on, or `universal`."""
        return _arch(self.name)

    @property
    def bits_A(self) -> int:
        return value_bits(self.type_A)

    @property
    def bits_B(self) -> int:
        return value_bits(self.type_B)

    @property
    def bits_C(self) -> int:
        return value_bits(self.type_C)

    def layout(self, operand: str) -> Layout:
        """The thread-value layout of operand `"A"`, `"B"` or `"C"`, or of one in `more`."""
        return {"A": self.layout_A, "B": self.layout_B, "C": self.layout_C, **dict(self.more)}[operand]

    def type(self, operand: str) -> str:
        """The value type of operand `"A"`, `"B"` or `"C"`."""
        return {"A": self.type_A, "B": self.type_B, "C": self.type_C}[operand]

    def bits(self, operand: str) -> int:
        """The bits of one value of operand `"A"`, `"B"` or `"C"`."""
        return value_bits(self.type(operand))

    def slot_bits(self, operand: str) -> int:
        """The bits of a register that one value takes: those of a value, or of its fragment's type (sparse
        values narrower than a byte lie in a byte each)."""
        fragment = self.fragments["ABC".index(operand)]
        return value_bits(fragment if fragment.startswith("sparse_elem") else self.type(operand))

    def registers(self, operand: str) -> Registers:
        """The register array of operand `"A"`, `"B"` or `"C"`."""
        return {"A": self.registers_A, "B": self.registers_B, "C": self.registers_C}[operand]

    def tile(self, operand: str) -> tuple[int, int]:
        """The operand's tile: A is (M,K), B is (N,K), C is (M,N)."""
        m, n, k = self.shape_mnk
        return {"A": (m, k), "B": (n, k), "C": (m, n)}[operand]

    def storage(self, operand: str) -> str:
        """Where operand `"A"`, `"B"` or `"C"` lies: `registers`, `shared memory` or `tensor memory`."""
        fragment = self.fragments["ABC".index(operand)]
        if "smem_desc" in fragment:
            return "shared memory"
        return "tensor memory" if "tmem_frg" in fragment else "registers"

    def elsewhere(self, operand: str) -> str:
        """What the instruction does with an operand that no thread holds; empty for one in registers."""
        return {
            "registers": "",
            "shared memory": f"{operand} is read from shared memory, by a descriptor",
            "tensor memory": f"{operand} lies in tensor memory",
        }[self.storage(operand)]

    def check_registers(self, operand: str) -> None:
        """Raises UnsupportedError for an operand that lies in shared or tensor memory: threads hold no
        fragment of it, so that there is nothing to retile."""
        if reason := self.elsewhere(operand):
            raise UnsupportedError(
                f"{self.name}: {operand} has no register fragment: {reason}\n  {self._reached_by(operand)}"
            )

    def _reached_by(self, operand: str) -> str:
        if self.storage(operand) == "shared memory":
            return (
                "the kernel makes a descriptor of the tile and copies no elements to registers; "
                f"`symlayout where {self.name.partition('<')[0]} {operand} ROW COLUMN` says where one lies"
            )
        return (
            "SM100_TMEM_LOAD_* and SM100_TMEM_STORE_* move it, tiled by CuTe's make_tmem_copy over the rows "
            "of tensor memory and not over the mma's threads"
        )

    def claims(self) -> tuple[Claim, ...]:
        """That every operand's layout hits each element of its tile exactly once (or k times, and the claim
        says k)."""
        from .coverage import claim

        return tuple(
            claim(f"{self.name} {operand}", self.layout(operand), size_of(self.tile(operand)))
            for operand in "ABC"
        )


def size_of(tile: tuple[int, int]) -> int:
    """How many elements a tile has."""
    return tile[0] * tile[1]


@guarded
@dataclass(frozen=True, repr=False)
class CopyAtom:
    """One copy instruction; with a `val_type`, CuTe's `Copy_Atom<name, val_type>`. Immutable, compared by
    value."""

    name: str
    thr_id: Layout
    bits_src: Layout
    bits_dst: Layout
    bits_ref: Layout
    registers_S: Registers
    registers_D: Registers
    header: str
    val_type: str = ""
    ptx: str = ""  # the mnemonic that the instruction is issued with

    def __repr__(self) -> str:
        return f"Copy_Atom<{self.name},{self.val_type}>" if self.val_type else self.name

    @property
    def arch(self) -> str:
        """`sm75` and so on, or `universal`."""
        return _arch(self.name)

    def claims(self) -> tuple[Claim, ...]:
        """That either side hits every bit exactly once (or k times, and the claim says k)."""
        from .coverage import claim

        return tuple(
            claim(f"{self.name} {side}", bits, None)
            for side, bits in (("Src", self.bits_src), ("Dst", self.bits_dst))
        )

    def no_registers(self) -> str:
        """Why the instruction fills no registers laid out for an mma; empty where it may."""
        if "CP_ASYNC" in self.name:
            return "it copies global to shared memory, past the registers"
        if "UTCCP" in self.name:
            return "it copies shared memory to tensor memory, past the registers"
        if "TMEM_" in self.name:
            return (
                "its memory is tensor memory\n  CuTe tiles it by make_tmem_copy over the rows of tensor "
                "memory, not over the threads of an mma"
            )
        return ""

    def no_memory(self) -> str:
        """Why neither side of the instruction is a tensor in memory; empty where one may be."""
        if any(word in self.name for word in ("Shuffle", "MOVM")):
            return "it moves values between the registers of a warp; neither side is memory"
        if "UTCCP" in self.name or "TMEM_" in self.name:
            return "it moves rows of tensor memory, which are not addressed by elements"
        return ""

    @property
    def register_side(self) -> str:
        """ "S" when the instruction's registers are its source (stmatrix: the reference side is Src), else
        "D"."""
        return "S" if self.bits_ref == self.bits_src != self.bits_dst else "D"

    def with_type(self, name: str) -> CopyAtom:
        """The atom that moves elements of this type.

        Law: the thread count of each recast layout is that of `thr_id`.
        Raises LayoutError when the instruction cannot move such elements (ldmatrix and double, say: a thread
        would receive half an element), UnsupportedError for an unknown type.
        """
        typed = replace(self, val_type=value_type(name))
        for side, layout in (("Src", typed.layout_src), ("Dst", typed.layout_dst), ("Ref", typed.layout_ref)):
            if layout[0].size() != self.thr_id.size():
                bits = {"Src": self.bits_src, "Dst": self.bits_dst, "Ref": self.bits_ref}[side]
                raise LayoutError(
                    f"{self.name} is not valid for {side} of {typed.val_type}\n"
                    f"  {side} = {bits} bits; in elements of {value_bits(name)} bits {layout}\n"
                    f"  {layout[0].size()} threads remain of {self.thr_id.size()}: a thread holds "
                    f"{bits[1].size()} bits, which must be whole elements"
                )
        return typed

    @cached_property
    def layout_src(self) -> Layout:
        """(thread, element) of the source side; needs a value type."""
        return self._in_elements(self.bits_src)

    @cached_property
    def layout_dst(self) -> Layout:
        """(thread, element) of the destination side; needs a value type."""
        return self._in_elements(self.bits_dst)

    @cached_property
    def layout_ref(self) -> Layout:
        """(thread, element) of the reference side; needs a value type."""
        return self._in_elements(self.bits_ref)

    def _in_elements(self, bits: Layout) -> Layout:
        if not self.val_type:
            raise LayoutError(f"{self.name} has no value type yet: write atom.with_type('half_t')")
        try:
            found: Layout = upcast(value_bits(self.val_type), bits)
            return found
        except LayoutError as e:
            raise LayoutError(f"{self.name} is not valid for {self.val_type}\n  {bits} bits: {e}") from None


def _arch(name: str) -> str:
    family = name.split("_")[0].split(":")[0]
    return family.lower() if family.startswith("SM") else "universal"
