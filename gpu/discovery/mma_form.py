"""A matrix instruction as PTX writes it, read into what a probe needs: sizes, types, registers, lanes.

    read_form("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")

One warp may hold several products that know nothing of each other: four quad pairs of Volta's m8n8k4 (lanes
4g .. 4g+3 with 16+4g .. 19+4g), or 32 products of one thread (`fma`, `dp4a`). `lanes` are those of the first;
`group` shifts them.

The accumulator C that is looked for is D's, the result; forms whose C has another type than D read zeros.

Source: PTX ISA 9, the sections of "mma", "dp4a" and "fma"; fragments from `symlayout.ptx`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from symlayout import UnsupportedError, ptx

from ..element import Array, element

Sizes = tuple[int, int, int]

# PTX's word for a type -> CUTLASS's
ELEMENTS = {
    **{"f16": "half_t", "bf16": "bfloat16_t", "tf32": "tfloat32_t", "f32": "float", "f64": "double"},
    **{"s8": "int8_t", "u8": "uint8_t", "s4": "int4_t", "u4": "uint4_t", "b1": "uint1_t", "s32": "int32_t"},
    **{"e4m3": "float_e4m3_t", "e5m2": "float_e5m2_t"},
}
ONE_THREAD = {  # the instructions of one thread: sizes, and the types of D, A, B, C
    "fma.rn.f32": ((1, 1, 1), ("f32", "f32", "f32", "f32")),
    "fma.rn.f64": ((1, 1, 1), ("f64", "f64", "f64", "f64")),
    "fma.rn.f16": ((1, 1, 1), ("f16", "f16", "f16", "f16")),
    "dp4a.s32.s32": ((1, 1, 4), ("s32", "s8", "s8", "s32")),
    # as CuTe's SM61_DP2A issues it; PTX asks for dp2a.lo or dp2a.hi, which take half of B
    "dp2a.s32.s32": ((1, 1, 2), ("s32", "s16", "s16", "s32")),
}
NOT_IN_THE_CATALOGUE = (  # ptxas has them for sm_90, CUTLASS no atom
    *(f"mma.sync.aligned.m16n8k16.row.col.{acc}.{a}.{b}.{acc}"
      for acc in ("f32", "f16") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")),
    *(f"mma.sync.aligned.m8n8k4.{a}.{b}.f32.f16.f16.f16" for a in ("row", "col") for b in ("row", "col")),
)  # fmt: skip

_MMA = re.compile(
    r"mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.(row|col)\.(row|col)\.(\w+)\.(\w+)\.(\w+)\.(\w+)"
    r"(\.satfinite|\.(?:xor|and)\.popc)?"
)
_BITS = {"s16": 16, "s32": 32}


@dataclass(frozen=True)
class Form:
    """One instruction. Places are numbered over the lanes of a group: lane * values + value."""

    text: str
    shape: Sizes
    types: tuple[str, str, str, str]  # of D, A, B, C
    lanes: tuple[int, ...]  # of the first product
    step: int  # lanes to the same lane of the next product

    @property
    def groups(self) -> int:
        """Products that a warp computes side by side."""
        return 32 // len(self.lanes)

    def group(self, g: int) -> Array:
        """The lanes of product g."""
        return np.array(self.lanes) + g * self.step

    def type(self, operand: str) -> str:
        """PTX's word for the elements of A, B, the accumulator C, or of Z, what is added to it."""
        return self.types["CABZ".index(operand)]

    def bits(self, operand: str) -> int:
        """Of an element."""
        kind = self.type(operand)
        return _BITS[kind] if kind in _BITS else element(ELEMENTS[kind]).bits

    def tile(self, operand: str) -> tuple[int, int]:
        m, n, k = self.shape
        return {"A": (m, k), "B": (n, k), "C": (m, n), "Z": (m, n)}[operand]

    def values(self, operand: str) -> int:
        """Elements that a lane holds."""
        rows, columns = self.tile(operand)
        return rows * columns // len(self.lanes)

    def places(self, operand: str) -> int:
        """Of one product."""
        return self.values(operand) * len(self.lanes)

    def letter(self, operand: str) -> str:
        """The register's constraint letter in inline PTX."""
        kind = self.type(operand)
        if kind == "f64":
            return "d"
        if kind == "f32":
            return "f"
        return "h" if kind == "f16" and self.text.startswith("fma") else "r"

    def registers(self, operand: str) -> int:
        width = {"d": 64, "f": 32, "h": 16, "r": 32}[self.letter(operand)]
        return -(-self.values(operand) * self.bits(operand) // width)

    def one(self, operand: str) -> int:
        """The bits of the number one."""
        kind = self.type(operand)
        return 1 if kind in _BITS else int(element(ELEMENTS[kind]).encode(np.array([1]))[0])

    @property
    def xor(self) -> bool:
        return ".xor." in self.text

    @cached_property
    def manual(self) -> ptx.MatrixInstruction | None:
        """The manual's fragments; None for an instruction of one thread."""
        if not (words := _MMA.fullmatch(self.text)):
            return None
        kind = self.types[1]
        if len(self.lanes) == 8:
            kind = f"f16.{words[4]}.{words[5]}.{self.types[0]}"
        return ptx.mma("m{}n{}k{}".format(*self.shape), kind)


def read_form(text: str) -> Form:
    """The form that PTX writes so. Raises UnsupportedError for any other text."""
    if text in ONE_THREAD:
        shape, types = ONE_THREAD[text]
        return Form(text, shape, types, (0,), 1)
    words = _MMA.fullmatch(text)
    if not words or not {*words.group(6, 7, 8)} <= {*ELEMENTS}:
        raise UnsupportedError(f"{text} is not an mma.sync whose fragments a probe can ask for")
    shape = (int(words[1]), int(words[2]), int(words[3]))
    pair = shape == (8, 8, 4) and words[7] == "f16"
    lanes = (*range(4), *range(16, 20)) if pair else tuple(range(32))
    return Form(text, shape, (words[6], words[7], words[8], words[9]), lanes, 4)
