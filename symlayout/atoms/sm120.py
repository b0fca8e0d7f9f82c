"""Blackwell for desktops: mma.sync of 8-, 6- and 4-bit floats, with block scales, and sparse.

    atoms.get("SM120_16x8x32_TN<float_e4m3_t,float_e5m2_t,float>")
    atoms.get("SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,32>")

The fragments are those of Ampere: bytes for K = 32 whatever the type (narrower ones lie in a byte each),
nibbles for K = 64. Scale factors and metadata have layouts of their own, in `atom.more`: one scale for every
VS elements of K, and lanes that hold the same one have stride 0.

Source: cute/atom/mma_traits_sm120.hpp, mma_traits_sm120_sparse.hpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

from ..errors import UnsupportedError
from ..layout import Layout
from .atom import MmaAtom
from .sm75 import WARP, C_16x8
from .sm80 import A_16x32_BYTE, A_16x64_NIBBLE, B_8x32_BYTE, B_8x64_NIBBLE, words
from .spelling import join, split
from .value_types import value_type

_NARROW = ("float_e2m1_t", "float_e3m2_t", "float_e2m3_t", "float_e4m3_t", "float_e5m2_t")

# sparse B holds twice the K of a dense one
_B_8x64_BYTE = Layout(((4, 8), (4, 4)), ((32, 1), (8, 128)))
_B_8x128_NIBBLE = Layout(((4, 8), (8, 4)), ((64, 1), (8, 256)))
_A_16x128_SPARSE = Layout(((4, 8), (16, 2, 2)), ((256, 1), (16, 8, 1024)))


def scales_A(k: int) -> Layout:
    """Scale factors of A: lanes 4i, 4i+2 have row i, lanes 4i+1, 4i+3 row i+8."""
    return Layout(((2, 2, 8), k), ((8, 0, 1), 16))


def scales_B(k: int) -> Layout:
    """Scale factors of B: all lanes of a group of four have its row."""
    return Layout(((4, 8), k), ((0, 1), 8))


_METADATA = {
    64: Layout(((2, 2, 8), 32), ((8, 512, 1), 16)),
    128: Layout(((2, 2, 8), (64,)), ((8, 1024, 1), (16,))),
}


class Template(NamedTuple):
    """One class template of CUTLASS."""

    k: int
    layouts: tuple[Layout, Layout]  # A, B
    values: tuple[str, str]  # the types that A and B are held as; `{}` is the template's own
    fragment: str  # FrgTypeA, where it is not the value type
    types: tuple[str, ...]  # what A and B may be
    accumulators: tuple[str, ...]
    scales: tuple[tuple[str, int], ...]  # pairs of sf_type and VS
    kind: str

    @property
    def sparse(self) -> bool:
        return bool(self.fragment)


_BYTES, _NIBBLES = ("uint8_t", "uint8_t"), ("uint4_t", "uint4_t")
_SPARSE_BYTES = ("sparse_elem<2,{}>", "uint8_t")
_FLOATS = ("float", "half_t")
_SCALES_4 = tuple((t, vs) for t in ("float_ue8m0_t", "float_ue4m3_t") for vs in (32, 16))
_SCALES_4_SPARSE = (("float_ue8m0_t", 64), ("float_ue8m0_t", 32), ("float_ue4m3_t", 32))

TEMPLATES = {
    "SM120_16x8x32_TN": Template(32, (A_16x32_BYTE, B_8x32_BYTE), _BYTES, "", _NARROW, _FLOATS, (), "f8f6f4"),
    "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS": Template(
        32, (A_16x32_BYTE, B_8x32_BYTE), _BYTES, "", _NARROW, ("float",), (("float_ue8m0_t", 32),), "mxf8f6f4"
    ),
    "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS": Template(
        64, (A_16x64_NIBBLE, B_8x64_NIBBLE), _NIBBLES, "", _NARROW[:1], ("float",), _SCALES_4, "mxf4nvf4"
    ),
    "SM120::SPARSE::SM120_SPARSE_16x8x64_TN": Template(
        64,
        (A_16x64_NIBBLE, _B_8x64_BYTE),
        _SPARSE_BYTES,
        "sparse_elem<2,uint8_t>",
        *(_NARROW, _FLOATS, (), "f8f6f4"),
    ),
    "SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x64_TN_VS": Template(
        64,
        (A_16x64_NIBBLE, _B_8x64_BYTE),
        _SPARSE_BYTES,
        "sparse_elem<2,uint8_t>",
        *(_NARROW, ("float",), (("float_ue8m0_t", 64),), "mxf8f6f4"),
    ),
    "SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS": Template(
        128,
        (_A_16x128_SPARSE, _B_8x128_NIBBLE),
        ("sparse_elem<4,uint8_t>", "uint4_t"),
        "sparse_elem<4,uint8_t>",
        *(_NARROW[:1], ("float",), _SCALES_4_SPARSE, "mxf4nvf4"),
    ),
}


def instances() -> Iterator[str]:
    """Every name: all types of A, B and C, all scales."""
    for base, t in TEMPLATES.items():
        for c, a, b, scale in product(t.accumulators, t.types, t.types, t.scales or ((),)):
            yield join(base, (a, b, c, *map(str, scale)))


def instantiate(name: str) -> MmaAtom | None:
    """The atom of that name, None when it is not one of these templates.

    Raises UnsupportedError for types and vector sizes that the template does not take.
    """
    parts = split(name)
    if parts is None:
        return None
    base = next((full for full in TEMPLATES if parts[0] in (full, full.split("::")[-1])), None)
    return None if base is None else make(base, parts[1])


def make(base: str, args: tuple[str, ...]) -> MmaAtom:
    """The instance of a template. Raises UnsupportedError as above."""
    t = TEMPLATES[base]
    wanted = 5 if t.scales else 3
    if len(args) != wanted:
        scale_arguments = ", sf_type, VS" if t.scales else ""
        raise UnsupportedError(f"{join(base, args)}: {base} takes a_type, b_type, c_type{scale_arguments}")
    a, b, c = (value_type(x) for x in args[:3])
    name = join(base, (a, b, c, *args[3:]))
    for found, wanted_types in ((a, t.types), (b, t.types), (c, t.accumulators)):
        if found not in wanted_types:
            raise UnsupportedError(f"{name}: {found} is not one of {', '.join(wanted_types)}")
    more: tuple[tuple[str, Layout], ...] = ()
    scale = ""
    if t.scales:
        scale, vector = value_type(args[3]), args[4]
        if (scale, vector) not in {(s, str(v)) for s, v in t.scales}:
            known = " or ".join(f"{s},{v}" for s, v in t.scales)
            raise UnsupportedError(f"{name}: no scales {scale},{vector}; there are {known}")
        more = (("SFA", scales_A(t.k)), ("SFB", scales_B(t.k)))
    if t.sparse:
        more = (*more, ("E", _METADATA[t.k]))
    c_regs = ("float", 4) if c == "float" else words(2)
    return MmaAtom(
        name,
        (16, 8, t.k),
        *(WARP, *t.layouts, C_16x8),
        *(c, t.values[0].format(a), t.values[1], c),
        *(c_regs, words(4), words(4 if t.sparse else 2), c_regs),
        f"mma_traits_sm120{'_sparse' if t.sparse else ''}.hpp",
        ptx=_mnemonic(t, (a, b, c), scale),
        fragments=(t.fragment, "", ""),
        more=more,
    )


def _mnemonic(t: Template, types: tuple[str, str, str], scale: str) -> str:
    a, b = (x.removeprefix("float_").removesuffix("_t") for x in types[:2])
    c = "f32" if types[2] == "float" else "f16"
    sparse = ".sp::ordered_metadata" if t.sparse else ""
    blocks, end = "", ""
    if scale:
        scales = 1 if t.kind == "mxf8f6f4" else 2 if scale == "float_ue8m0_t" else 4  # along K
        blocks = f".block_scale.scale_vec::{scales}X"
        end = "." + scale.removeprefix("float_").removesuffix("_t")
    return f"mma.sync.aligned.kind::{t.kind}{sparse}{blocks}.m16n8k{t.k}.row.col.{c}.{a}.{b}.{c}{end}"


def _callable(base: str) -> Callable[..., MmaAtom]:
    def instance(*args: Any) -> MmaAtom:
        return make(base, tuple(str(a) for a in args))

    instance.__name__ = base.split("::")[-1]
    instance.__doc__ = f"`{base}<...>`: the arguments are CUTLASS's, in its order."
    return instance


PARAMETRIC = {base.split("::")[-1]: _callable(base) for base in TEMPLATES}

MMA: tuple[MmaAtom, ...] = ()  # made when asked for: see instances
COPY: tuple[()] = ()
