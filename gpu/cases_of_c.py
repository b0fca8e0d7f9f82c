"""The configurations of C that are asked of a machine: epilogues that store through `retile_S`, and loads of
a C that is added to."""

from __future__ import annotations

from collections.abc import Iterator

from symlayout import atoms

from .configuration import Configuration

HALF = "SM80_16x8x16_F16F16F16F16_TN"
FLOAT = "SM80_16x8x16_F32F16F16F32_TN"
X4 = "SM90_U32x4_STSM_N"

EPILOGUES = [
    Configuration(HALF, X4, "C", "(32,32):(32,1)", atoms="2,2,1", permutation="32,32,16"),
    Configuration(FLOAT, X4, "C", "(32,32):(32,1)", atoms="2,2,1", permutation="32,32,16", type="half_t"),
    Configuration(FLOAT, X4, "C", "(32,64):(72,1)", permutation="16,16,16", type="bfloat16_t"),
    Configuration(HALF, X4, "C", "Sw<3,3,3> o 0 o (32,64):(64,1)", atoms="2,2,1", permutation="32,64,16"),
    Configuration(HALF, X4, "A", "(32,64):(64,1)"),
]

_SHUFFLED_N = "16,(8,2,2):(1,16,8),16"
_SHUFFLED_M = "(16,2,2):(1,32,16),16,16"

SILENT_STORES = [  # the same assumption of CuTe's retile as in loads, broken on the way out
    Configuration(HALF, X4, "C", "(64,32):(32,1)", permutation=_SHUFFLED_N),
    Configuration(HALF, "SM90_U16x8_STSM_T", "C", "(32,64):(1,32)", permutation=_SHUFFLED_N),
    Configuration(FLOAT, X4, "C", "(32,32):(32,1)", permutation=_SHUFFLED_N, type="half_t"),
    Configuration(FLOAT, "UniversalCopy<uint32_t>", "C", "(32,32):(32,1)", permutation=_SHUFFLED_N, side="S"),
    Configuration(HALF, X4, "C", "(64,64):(64,1)", permutation=_SHUFFLED_M),
]

STSM = (
    *("SM90_U32x1_STSM_N", "SM90_U32x2_STSM_N", "SM90_U32x4_STSM_N"),
    *("SM90_U16x2_STSM_T", "SM90_U16x4_STSM_T", "SM90_U16x8_STSM_T"),
)
LDSM = ("SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T")


def sweep_of_c(mmas: list[str]) -> Iterator[Configuration]:
    """Every MMA's C: stored by every stmatrix, as it is or converted to 16 bits, stored and loaded value by
    value, and loaded by ldmatrix where it has 16 bits."""
    for name in mmas:
        atom = atoms.mma(name)
        m, n, _ = atom.shape_mnk
        r, c = 2 * m, 4 * n
        kind = "" if atom.type_C == "half_t" else "half_t"
        for copy in (*STSM, *(LDSM if not kind else ())):
            tensor = f"({r},{c}):(1,{r})" if copy.endswith("_T") else f"({r},{c}):({c},1)"
            yield Configuration(name, copy, "C", tensor, permutation=f"{m},{2 * n},_", type=kind)
        bits = {"double": 64, "half_t": 16}.get(atom.type_C, 32)
        for side in ("S", "D"):
            yield Configuration(name, f"UniversalCopy<uint{bits}_t>", "C", f"({r},{c}):({c},1)", side=side)


def quad_pairs() -> Iterator[Configuration]:
    """Volta's m8n8k4, whose products belong to 8 lanes each: four of them make a warp."""
    for name in atoms.names():
        if name.startswith("SM70_8x8x4_"):
            for operand, copy, side in (
                ("A", "UniversalCopy<uint64_t>", "D"),
                ("B", "UniversalCopy<uint64_t>", "D"),
                ("C", "UniversalCopy<uint32_t>", "S"),
                ("C", "UniversalCopy<uint32_t>", "D"),
            ):
                yield Configuration(name, copy, operand, atoms="2,2,1", side=side)


def everything_of_c(mmas: list[str]) -> list[Configuration]:
    return [*EPILOGUES, *SILENT_STORES, *sweep_of_c(mmas)]
