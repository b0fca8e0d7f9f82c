"""The configurations that are asked of a machine: the article's, CuTe's silent failures, and a sweep of the
catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from symlayout import atoms
from symlayout.atoms.atom import MmaAtom

from .configuration import Configuration
from .element import ELEMENTS

HALF = "SM80_16x8x16_F32F16F16F32_TN"
X4 = "SM75_U32x4_LDSM_N"

ARTICLE = [
    Configuration(HALF, "SM75_U32x1_LDSM_N", "A", "(16,16):(16,1)"),
    Configuration(HALF, "SM75_U32x1_LDSM_N", "B", "(8,16):(16,1)"),
    Configuration(HALF, "SM75_U32x2_LDSM_N", "B", "(8,16):(16,1)"),
    Configuration(HALF, "SM75_U32x4_LDSM_N", "B", "(32,32):(32,1)", permutation="16,8,32"),
]

_SHUFFLED_N = "16,(8,2,2):(1,16,8),16"
_SHUFFLED_K = "16,8,(16,2,2):(1,32,16)"
_SHUFFLED_M = "(16,2,2):(1,32,16),8,16"

SILENT_FAILURES = [
    *(Configuration(HALF, copy, "B", "(32,64):(64,1)", permutation=_SHUFFLED_N)
      for copy in ("SM75_U32x1_LDSM_N", "SM75_U32x4_LDSM_N", "UniversalCopy<uint32_t>")),
    Configuration(HALF, "SM75_U32x4_LDSM_N", "B", "(32,64):(64,1)", permutation=_SHUFFLED_K),
    Configuration(HALF, "SM75_U32x4_LDSM_N", "A", "(64,64):(64,1)", permutation=_SHUFFLED_M),
]  # fmt: skip

LAYOUTS = [
    Configuration(HALF, X4, "A", "Sw<3,3,3> o 0 o (16,64):(64,1)"),
    Configuration(HALF, X4, "A", "(16,64):(72,1)"),
    Configuration(HALF, X4, "A", "(128,32):(32,1)", atoms="2,2,1"),
    Configuration(HALF, X4, "B", "(128,32):(32,1)", atoms="2,2,1", permutation="32,32,16"),
    Configuration(HALF, X4, "B", "Sw<2,3,3> o 0 o (64,32):(32,1)", atoms="1,4,1", permutation="16,64,16"),
]  # fmt: skip

COPIES = (
    *("SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N"),
    *("SM75_U16x2_LDSM_T", "SM75_U16x4_LDSM_T", "SM75_U16x8_LDSM_T"),
    "UniversalCopy<uint32_t>",
)


def multipliable() -> list[str]:
    """The warp-wide `mma.sync` atoms whose numbers `element` knows."""
    found = (
        atoms.get(name) for name in atoms.names() if name.startswith(("SM75_", "SM80_", "SM89_", "SM90_"))
    )
    return [
        atom.name
        for atom in found
        if isinstance(atom, MmaAtom)
        and atom.ptx.startswith("mma.sync")
        and atom.thr_id.size() == 32
        and {atom.type_A, atom.type_B} <= {*ELEMENTS}
    ]


def askable() -> list[str]:
    """Those that are asked with every copy: one for each shape and type, both operands of one type."""
    chosen: dict[str, str] = {}
    for name in multipliable():
        atom = atoms.mma(name)
        if atom.type_A == atom.type_B and "satfinite" not in atom.ptx:
            chosen.setdefault(atom.ptx, name)
    return list(chosen.values())


def sweep() -> Iterator[Configuration]:
    """Every askable MMA with every copy, for A and for B; the others, which have the fragments of one of
    those, with one load that fits. K contiguous, or M and N where the load transposes."""
    chosen = set(askable())
    for name in multipliable():
        m, n, k = atoms.mma(name).shape_mnk
        for operand, rows in (("A", m), ("B", n)):
            for copy in COPIES if name in chosen else (_widest(name, operand),):
                r, c = 2 * rows, 2 * k
                tensor = f"({r},{c}):(1,{r})" if copy.endswith("_T") else f"({r},{c}):({c},1)"
                yield Configuration(name, copy, operand, tensor)


def _widest(name: str, operand: str) -> str:
    """The ldmatrix that fills an operand's registers at once."""
    return f"SM75_U32x{atoms.mma(name).registers(operand)[1]}_LDSM_N"


def everything() -> list[Configuration]:
    return [*ARTICLE, *SILENT_FAILURES, *LAYOUTS, *sweep()]
