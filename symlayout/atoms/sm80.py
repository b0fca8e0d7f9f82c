"""Ampere: mma.sync in all its types, and cp.async. Source: cute/atom/{mma,copy}_traits_sm80.hpp.

Many instructions share a fragment, so the layouts are named once by rows and K, and the instructions listed
by type.
"""

from __future__ import annotations

from dataclasses import replace

from ..layout import Layout
from .atom import CopyAtom, MmaAtom, Registers
from .sm75 import WARP, A_16x8, AB_8x16, B_8x8, C_8x8, C_16x8

HEADER = "mma_traits_sm80.hpp"

# 16-bit elements
A_16x16 = Layout(((4, 8), (2, 2, 2)), ((32, 1), (16, 8, 128)))
B_8x16 = Layout(((4, 8), (2, 2)), ((16, 1), (8, 64)))
# 32- and 64-bit elements, K = 4, 8
A_16x4_WIDE = Layout(((4, 8), 2), ((16, 1), 8))
A_16x8_WIDE = Layout(((4, 8), (2, 2)), ((16, 1), (8, 64)))
B_8x4_WIDE = Layout(((4, 8), 1), ((8, 1), 0))
B_8x8_WIDE = Layout(((4, 8), 2), ((8, 1), 32))
# 8-bit elements, K = 16, 32
A_16x16_BYTE = Layout(((4, 8), (4, 2)), ((64, 1), (16, 8)))
A_16x32_BYTE = Layout(((4, 8), (4, 2, 2)), ((64, 1), (16, 8, 256)))
B_8x32_BYTE = Layout(((4, 8), (4, 2)), ((32, 1), (8, 128)))
# 4-bit elements, K = 32, 64
AB_8x32_NIBBLE = Layout(((4, 8), (8,)), ((64, 1), (8,)))
A_16x32_NIBBLE = Layout(((4, 8), (8, 2)), ((128, 1), (16, 8)))
A_16x64_NIBBLE = Layout(((4, 8), (8, 2, 2)), ((128, 1), (16, 8, 512)))
B_8x64_NIBBLE = Layout(((4, 8), (8, 2)), ((64, 1), (8, 256)))
# single bits, K = 128, 256
AB_8x128_BIT = Layout(((4, 8), 32), ((256, 1), 8))
A_16x128_BIT = Layout(((4, 8), (32, 2)), ((512, 1), (16, 8)))
A_16x256_BIT = Layout(((4, 8), (32, 2, 2)), ((512, 1), (16, 8, 2048)))
B_8x256_BIT = Layout(((4, 8), (32, 2)), ((256, 1), (8, 1024)))

# what CUTLASS 4.2 has for B of int4, K = 32: elements of two lanes coincide, half of the tile has no owner
B_8x32_NIBBLE_CUTE_4_2 = Layout(((4, 8), (8,)), ((32, 1), (8,)))
CUTE_4_2 = "_CUTE_4_2"  # ends the names of the atoms that have it
INT4_NOTE = (
    "CUTLASS 4.2 gives B the layout ((4,8),(8)):((32,1),(8)), which does not cover 8x32; the stride is 64 "
    f"(repaired upstream in NVIDIA/cutlass PR 3140). CUTLASS 4.2's own has the same name with {CUTE_4_2}"
)
INT4_CUTE_4_2_NOTE = (
    "as CUTLASS 4.2 has it: B does not cover its tile; the atom without the ending is repaired"
)
BIT_NOTE = "CUTLASS 4.2 nests the strides of A once too deep, ((512,1),((16,8)))"


def _mma(
    name: str,
    mnk: tuple[int, int, int],
    layouts: tuple[Layout, Layout, Layout],
    types: tuple[str, str, str, str],
    registers: tuple[Registers, Registers, Registers],
    note: str = "",
) -> MmaAtom:
    d, a, b = registers
    return MmaAtom(name, mnk, WARP, *layouts, *types, d, a, b, d, HEADER, note, mnemonic(mnk, types, name))


_PTX_TYPES = {
    **{"half_t": "f16", "bfloat16_t": "bf16", "tfloat32_t": "tf32", "float": "f32", "double": "f64"},
    **{"complex<double>": "f64", "GaussComplex": "f64"},  # issued as several of double
    **{"int32_t": "s32", "int8_t": "s8", "uint8_t": "u8", "int4_t": "s4", "uint4_t": "u4", "uint1_t": "b1"},
    **{"float_e4m3_t": "e4m3", "float_e5m2_t": "e5m2"},
}
_ENDINGS = {"SATURATE": ".satfinite", "XORPOPC": ".xor.popc", "ANDPOPC": ".and.popc"}


def mnemonic(mnk: tuple[int, int, int], types: tuple[str, str, str, str], name: str = "") -> str:
    """`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`; types of D, A, B, C."""
    m, n, k = mnk
    found = ".".join(_PTX_TYPES[t] for t in types)
    return f"mma.sync.aligned.m{m}n{n}k{k}.row.col.{found}{_ENDINGS.get(name.split('_')[-1], '')}"


def words(n: int) -> Registers:
    return ("uint32_t", n)


def _floats() -> list[MmaAtom]:
    k8, k16 = (A_16x8, B_8x8, C_16x8), (A_16x16, B_8x16, C_16x8)
    f32 = ("float", 4)
    made = []
    for letters, element, acc, c_type, c_regs in (
        ("F16", "half_t", "F16", "half_t", words(2)),
        ("F16", "half_t", "F32", "float", f32),
        ("BF16", "bfloat16_t", "F32", "float", f32),
    ):
        types = (c_type, element, element, c_type)
        name = f"{acc}{letters}{letters}{acc}_TN"
        made.append(_mma(f"SM80_16x8x8_{name}", (16, 8, 8), k8, types, (c_regs, words(2), words(1))))
        made.append(_mma(f"SM80_16x8x16_{name}", (16, 8, 16), k16, types, (c_regs, words(4), words(2))))
    tf32 = ("float", "tfloat32_t", "tfloat32_t", "float")
    wide4, wide8 = (A_16x4_WIDE, B_8x4_WIDE, C_16x8), (A_16x8_WIDE, B_8x8_WIDE, C_16x8)
    made.append(_mma("SM80_16x8x4_F32TF32TF32F32_TN", (16, 8, 4), wide4, tf32, (f32, words(2), words(1))))
    made.append(_mma("SM80_16x8x8_F32TF32TF32F32_TN", (16, 8, 8), wide8, tf32, (f32, words(4), words(2))))
    for name, element, accumulator in (
        ("F64F64F64F64", "double", "double"),
        ("C64C64C64C64", "complex<double>", "complex<double>"),
        ("GC64C64C64GC64", "complex<double>", "GaussComplex"),
    ):
        made.append(
            _mma(
                f"SM80_8x8x4_{name}_TN",
                (8, 8, 4),
                (B_8x4_WIDE, B_8x4_WIDE, C_8x8),
                (accumulator, element, element, accumulator),
                ((accumulator, 2), (element, 1), (element, 1)),
            )
        )
    return made


def _integers() -> list[MmaAtom]:
    made = []
    forms = (
        # bits, m, k, layouts, registers of C, A, B
        (8, 8, 16, (AB_8x16, AB_8x16, C_8x8), (2, 1, 1)),
        (8, 16, 16, (A_16x16_BYTE, AB_8x16, C_16x8), (4, 2, 1)),
        (8, 16, 32, (A_16x32_BYTE, B_8x32_BYTE, C_16x8), (4, 4, 2)),
        (4, 8, 32, (AB_8x32_NIBBLE, AB_8x32_NIBBLE, C_8x8), (2, 1, 1)),
        (4, 16, 32, (A_16x32_NIBBLE, AB_8x32_NIBBLE, C_16x8), (4, 2, 1)),
        (4, 16, 64, (A_16x64_NIBBLE, B_8x64_NIBBLE, C_16x8), (4, 4, 2)),
    )
    for bits, m, k, layouts, (c, a, b) in forms:
        note = INT4_NOTE if (bits, m, k) == (4, 16, 32) else ""
        for x in ("S", "U"):
            for y in ("S", "U"):
                ta, tb = (f"{'int' if s == 'S' else 'uint'}{bits}_t" for s in (x, y))
                for suffix in ("", "_SATURATE"):
                    made.append(
                        _mma(
                            f"SM80_{m}x8x{k}_S32{x}{bits}{y}{bits}S32_TN{suffix}",
                            (m, 8, k),
                            layouts,
                            ("int32_t", ta, tb, "int32_t"),
                            (words(c), words(a), words(b)),
                            note,
                        )
                    )
    return made


def _bits() -> list[MmaAtom]:
    made = []
    forms = (
        (16, 256, (A_16x256_BIT, B_8x256_BIT, C_16x8), (4, 4, 2), ""),
        (8, 128, (AB_8x128_BIT, AB_8x128_BIT, C_8x8), (2, 1, 1), ""),
        (16, 128, (A_16x128_BIT, AB_8x128_BIT, C_16x8), (4, 2, 1), BIT_NOTE),
    )
    types = ("int32_t", "uint1_t", "uint1_t", "int32_t")
    for m, k, layouts, (c, a, b), note in forms:
        for operation in ("XORPOPC", "ANDPOPC"):
            name = f"SM80_{m}x8x{k}_S32U1U1S32_TN_{operation}"
            made.append(_mma(name, (m, 8, k), layouts, types, (words(c), words(a), words(b)), note))
    return made


MMA: tuple[MmaAtom, ...] = (*_floats(), *_integers(), *_bits())
# not among the names that are listed: what CUTLASS 4.2 has where it is wrong
VARIANTS: tuple[MmaAtom, ...] = tuple(
    replace(atom, name=atom.name + CUTE_4_2, layout_B=B_8x32_NIBBLE_CUTE_4_2, note=INT4_CUTE_4_2_NOTE)
    for atom in MMA
    if atom.note == INT4_NOTE
)
COPY: tuple[CopyAtom, ...] = ()  # cp.async takes a type: see universal.SM80_CP_ASYNC_*
