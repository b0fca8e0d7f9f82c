"""Tagged pointers, as CuTe C++ prints tensors and layouts of shared memory: `smem_ptr[16b](0x400)`.

In front of a pointer a swizzle is one of addresses, and counts bytes; in front of an offset it counts what
the layout counts, elements:

    Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)      of halves the same as
    Sw<3,3,3> o 0 o (8,64):(64,1)

A tensor that begins at an address begins there for the swizzle and for the banks.

Source: cute/pointer_flagged.hpp, pointer_swizzle.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import LayoutError
from ..swizzle import Swizzle

_POINTER = re.compile(r"_?([gsrt]mem_ptr)\[(\d+)b\]\((.*)\)")
NO_SWIZZLE = Swizzle(0, 4, 3)
LINE = 128  # bytes of all banks once


@dataclass(frozen=True)
class Pointer:
    """A pointer to elements of so many bits; `address` in bytes, 0 for a tag or one that is unknown."""

    space: str
    bits: int
    address: int

    def __str__(self) -> str:
        return f"{self.space}[{self.bits}b]"

    def places(self, swizzle: Swizzle) -> tuple[Swizzle, int]:
        """The swizzle of bytes as one of elements, and the element at which the tensor begins, as far as that
        one and the banks see. Raises LayoutError for elements that it takes apart."""
        if self.bits < 1 or self.bits & (self.bits - 1):
            raise LayoutError(f"{self}: a swizzle of bytes is not one of elements of {self.bits} bits")
        # one element is 2**shift bytes; of 4 bits there are two in a byte
        shift = self.bits.bit_length() - 4
        if swizzle.b and swizzle.m < shift:
            raise LayoutError(
                f"{swizzle} moves bytes within an element of {self.bits} bits: M = {swizzle.m} is less than "
                f"{shift}, and 2**{shift} bytes are one element"
            )
        period = 1 << (swizzle.b + swizzle.m + abs(swizzle.s)) if swizzle.b else 1
        begins = 8 * (self.address % max(period, LINE)) if self.space == "smem_ptr" else 0
        if begins % self.bits:
            raise LayoutError(f"{self}: the address {self.address:#x} is not a multiple of an element")
        found = Swizzle(swizzle.b, swizzle.m - shift, swizzle.s) if swizzle.b else NO_SWIZZLE
        return found, begins // self.bits


def read_pointer(text: str) -> Pointer:
    """`smem_ptr[16b](unset)`, `_smem_ptr[16b](0x400)`: what the grammar takes for a pointer."""
    found = _POINTER.fullmatch(text)
    assert found is not None, "the terminal POINTER is of this form"
    space, bits, address = found.groups()
    return Pointer(space, int(bits), int(address, 16) if address.startswith("0x") else 0)


@dataclass(frozen=True)
class Units:
    """How a swizzle was read: as it is written, and as one of elements."""

    written: Swizzle
    in_elements: Swizzle
    pointer: Pointer | None = None

    def __str__(self) -> str:
        if self.pointer is None:
            return f"{self.written} is read as counting elements (bytes before smem_ptr[16b](unset))"
        if self.written.b == 0:
            return f"{self.pointer} points to {self.pointer.bits}-bit elements"
        return (
            f"{self.written} counts bytes, as {self.pointer} says: of {self.pointer.bits}-bit elements it is "
            f"{self.in_elements}"
        )
