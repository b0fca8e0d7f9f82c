"""Hopper: wgmma, 64xNxK by four warps, dense and sparse. Source: cute/atom/mma_traits_sm90_gmma*.hpp.

The fragments are formulas over N and K, and the 84 families of instructions share them:

| fragment | layout | who has it |
|---|---|---|
| `accumulator(N)` | lane 4i+j of warp w: rows 16w+i and 16w+i+8, columns 8c+2j, 8c+2j+1 | C of all |
| `A_ROWS[K]` | the same rows, K of 256 bits (512 of which half are stored, when sparse) | A of every `_RS` |
| `descriptor(R, K)` | the tile in shared memory, the same for all 128 threads | A of `_SS`, B of all |

    atoms.get("SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>")
    atoms.SM90_64x128x32_S32S8S8_RS_TN

Names are `SM90_64xNxK_...`, and `SM90::GMMA::SPARSE::GMMA_64xNxK_...` for sparse ones. Arguments that CuTe
gives a default may be left out; here a missing Major is K.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from ..errors import UnsupportedError
from ..layout import Layout
from .atom import MmaAtom, Registers
from .spelling import join, split
from .value_types import value_bits

WARPGROUP = Layout(128)

BASE_N = (8, 16, 32, 64, 96, 128, 192, 256)  # the others are in mma_traits_sm90_gmma_ext.hpp
ALL_N = tuple(range(8, 257, 8))
INTEGER_N = (8, 16, 24, *range(32, 257, 16))

# A in registers, by K: a row of 256 bits (sparse: of 512, half of them stored)
A_ROWS = {
    8: Layout(((4, 8, 4), (2, 2)), ((64, 1, 16), (8, 256))),
    16: Layout(((4, 8, 4), (2, 2, 2)), ((128, 1, 16), (64, 8, 512))),
    32: Layout(((4, 8, 4), (4, 2, 2)), ((256, 1, 16), (64, 8, 1024))),
    64: Layout(((4, 8, 4), (8, 2, 2)), ((512, 1, 16), (64, 8, 2048))),
}

# sparse metadata, by K
METADATA = {
    16: Layout(((2, 2, 8, 4), (8, 2)), ((512, 0, 1, 16), (64, 8))),
    32: Layout(((2, 2, 8, 4), (16, 2)), ((1024, 0, 1, 16), (64, 8))),
    64: Layout(((2, 2, 8, 4), (32,)), ((8, 2048, 1, 16), (64,))),
}


def accumulator(n: int) -> Layout:
    """C of 64xN."""
    return Layout(((4, 8, 4), (2, 2, n // 8)), ((128, 1, 16), (64, 8, 512)))


def descriptor(rows: int, k: int) -> Layout:
    """A or B in shared memory: all threads name the same tile."""
    return Layout((128, (rows, k)), (0, (1, rows)))


class Family(NamedTuple):
    """The instructions that differ in N, in where A lies and in saturation only."""

    accumulator: str
    a: str
    b: str

    @property
    def bits(self) -> int:
        return value_bits(TYPES[self.a])

    @property
    def integer(self) -> bool:
        return self.accumulator == "S32"

    @property
    def majors(self) -> bool:
        """Whether A and B may be MN-major: 16-bit types only."""
        return self.bits == 16

    def k(self, sparse: bool) -> int:
        return (512 if sparse else 256) // self.bits


TYPES = {
    "F16": "half_t",
    "BF16": "bfloat16_t",
    "TF32": "tfloat32_t",
    "F32": "float",
    "S8": "int8_t",
    "U8": "uint8_t",
    "S32": "int32_t",
    "E4M3": "float_e4m3_t",
    "E5M2": "float_e5m2_t",
}
FAMILIES = {
    family.accumulator + family.a + family.b: family
    for family in (
        Family("F16", "F16", "F16"),
        Family("F32", "F16", "F16"),
        Family("F32", "BF16", "BF16"),
        Family("F32", "TF32", "TF32"),
        *(Family("S32", a, b) for a, b in product(("S8", "U8"), repeat=2)),
        *(Family(acc, a, b) for a, b in product(("E4M3", "E5M2"), repeat=2) for acc in ("F16", "F32")),
    )
}

DENSE, SPARSE = "SM90_", "SM90::GMMA::SPARSE::GMMA_"
_NAME = re.compile(
    r"(SM90_|SM90::GMMA::MMA_|SM90::GMMA::SPARSE::GMMA_)64x(\d+)x(\d+)_([A-Z0-9]+)_(SS|RS)(_TN)?(_SATURATE)?"
)
_MAJORS = ("GMMA::Major::K", "GMMA::Major::MN")
_SCALES = ("GMMA::ScaleIn::One", "GMMA::ScaleIn::Neg")
_SELECTORS = ("GMMA::SparseSel::Zero", "GMMA::SparseSel::One")


def instances() -> Iterator[str]:
    """Every name with the first value of each argument, dense before sparse."""
    for prefix in (DENSE, SPARSE):
        for letters, family in FAMILIES.items():
            k = family.k(prefix == SPARSE)
            args = tuple(values[0] for values in _parameters(family, prefix == SPARSE))
            for side, suffix in product(("SS", "RS"), _suffixes(family)):
                for n in _sizes(family):
                    yield join(f"{prefix}64x{n}x{k}_{letters}_{side}{suffix}", args)


def instantiate(name: str) -> MmaAtom | None:
    """The atom of that name, None when it is not a wgmma's.

    Raises UnsupportedError for an argument or an N that CuTe does not have.
    """
    parts = split(name)
    found = _NAME.fullmatch(parts[0]) if parts is not None else None
    if parts is None or found is None or found[4] not in FAMILIES:
        return None
    family, sparse = FAMILIES[found[4]], found[1] == SPARSE
    n, k, in_registers, suffix = (
        int(found[2]),
        int(found[3]),
        found[5] == "RS",
        (found[6] or "") + (found[7] or ""),
    )
    if k != family.k(sparse) or suffix not in _suffixes(family):
        return None
    if n not in _sizes(family):
        known = "8, 16, 24 or a multiple of 16" if family.integer else "a multiple of 8"
        raise UnsupportedError(f"{name}: N = {n}\n  N is {known}, up to 256")
    args = _filled(name, parts[1], _parameters(family, sparse))
    if in_registers and family.majors and args[0] != _MAJORS[0]:
        raise UnsupportedError(f"{name}: A in registers is K-major")
    base = f"{SPARSE if sparse else DENSE}64x{n}x{k}_{found[4]}_{found[5]}{suffix}"
    return _atom(join(base, args), family, n, sparse, in_registers, args)


def _atom(
    name: str, family: Family, n: int, sparse: bool, in_registers: bool, args: tuple[str, ...]
) -> MmaAtom:
    k = family.k(sparse)
    a_type, b_type, c_type = TYPES[family.a], TYPES[family.b], TYPES[family.accumulator]
    words = n // 4 if family.accumulator == "F16" else n // 2
    c_regs: Registers = ("float" if family.accumulator == "F32" else "uint32_t", words)
    address: Registers = ("uint64_t", 1)
    major_a, major_b = args[:2] if family.majors else _MAJORS[:1] * 2
    ext = "" if n in BASE_N else "_ext"
    return MmaAtom(
        name,
        (64, n, k),
        *(WARPGROUP, A_ROWS[k] if in_registers else descriptor(64, k), descriptor(n, k), accumulator(n)),
        *(c_type, f"sparse_elem<2,{a_type}>" if sparse else a_type, b_type, c_type),
        *(("void", 0), ("uint32_t", 4) if in_registers else address, address, c_regs),
        f"mma_traits_sm90_gmma{'_sparse' if sparse else ''}{ext}.hpp",
        ptx=_mnemonic(family, n, k, sparse, name),
        fragments=("" if in_registers else _descriptor_type(major_a), _descriptor_type(major_b), ""),
        more=(("E", METADATA[k]),) if sparse else (),
    )


def _mnemonic(family: Family, n: int, k: int, sparse: bool, name: str) -> str:
    types = ".".join(x.lower() for x in family)
    end = ".satfinite" if "_SATURATE" in name else ""
    return f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.m64n{n}k{k}.{types}{end}"


def _descriptor_type(major: str) -> str:
    return f"SM90::GMMA::smem_desc<SM90::{major}>"


def _sizes(family: Family) -> tuple[int, ...]:
    return INTEGER_N if family.integer else ALL_N


def _suffixes(family: Family) -> tuple[str, ...]:
    if family.majors:
        return ("",)
    return ("_TN", "_TN_SATURATE") if family.integer else ("_TN",)


def _parameters(family: Family, sparse: bool) -> tuple[tuple[str, ...], ...]:
    """The values that each argument may have, the default first."""
    found: tuple[tuple[str, ...], ...] = ()
    if family.majors:
        found += (_MAJORS, _MAJORS)
    if not family.integer:
        found += (_SCALES, _SCALES)
    return (*found, _SELECTORS) if sparse else found


def _filled(name: str, given: tuple[str, ...], wanted: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    if len(given) > len(wanted):
        raise UnsupportedError(f"{name}: {len(given)} arguments, and it takes {len(wanted)} at most")
    args = tuple(g.replace(" ", "").removeprefix("SM90::") for g in given)
    for value, values in zip(args, wanted, strict=False):
        if value not in values:
            raise UnsupportedError(f"{name}: {value} is not one of {', '.join(values)}")
    return args + tuple(values[0] for values in wanted[len(args) :])


MMA: tuple[MmaAtom, ...] = ()  # made when asked for: see instances
COPY: tuple[()] = ()
