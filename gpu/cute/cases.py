"""What real CuTe is asked about: its own silent failures, and one load of each of ten production kernels.

A production kernel's shared memory is its swizzle atom tiled to the tile (`tile_to_shape`), and where the
kernel reads it transposed, that composed with the transposing layout; the text here is what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..cases import HALF, SILENT_FAILURES, X4
from ..configuration import Configuration

TRANSPOSED = "SM75_U16x8_LDSM_T"
FLASH = "flash-attention 0a4755ed9c8a, csrc/flash_attn/src/kernel_traits.h"
CUTLASS = "cutlass 7107b05535f8, test/unit/gemm/device/default_gemm_configuration.hpp"


@dataclass(frozen=True)
class Case:
    """`fragment`: the registers that CuTe makes from the swizzled tensor itself, as most kernels do. It
    orders them by strides, of which the swizzle makes some dynamic, and symlayout does not model that; this
    is what the headers of CUTLASS 4.2 print."""

    name: str
    configuration: Configuration
    source: str = ""
    fragment: str = ""

    def __str__(self) -> str:
        return self.name


SILENT = [
    Case(f"silent failure, {c.operand} <{c.permutation}> {c.copy}", c, "cases.SILENT_FAILURES")
    for c in SILENT_FAILURES
]

PRODUCTION = [
    Case(
        "flash-attention 2 forward, head dim 32, V transposed",
        Configuration(
            *(HALF, TRANSPOSED, "B", "Sw<2,3,3> o 0 o (32,128):(1,32)"),
            atoms="4,1,1", permutation="64,16,16",
        ),
        FLASH,
        "((2,2),(2,2),8):((1,2),(32,64),4)",
    ),
    Case(
        "flash-attention 2 forward, head dim 64, Q",
        Configuration(
            *(HALF, X4, "A", "Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))"),
            atoms="4,1,1", permutation="64,16,16",
        ),
        FLASH,
        "((2,2,2),2,(2,2)):((1,2,4),8,(16,32))",
    ),
    Case(
        "flash-attention 2 forward, head dim 128, K",
        Configuration(
            *(HALF, X4, "B", "Sw<3,3,3> o 0 o ((8,8),(64,2)):((64,512),(1,4096))"),
            atoms="4,1,1", permutation="64,16,16",
        ),
        FLASH,
        "((2,2),8,((2,2),2)):((1,2),4,((64,128),32))",
    ),
    Case(
        "flash-attention 2 forward, head dim 256, V transposed",
        Configuration(
            *(HALF, TRANSPOSED, "B", "Sw<3,3,3> o 0 o ((64,4),64):((1,4096),64)"),
            atoms="4,1,1", permutation="64,16,16",
        ),
        FLASH,
        "((2,2),(8,4),4):((1,2),(4,128),32)",
    ),
    Case(
        "flash-attention 2 backward, head dim 64, P transposed",
        Configuration(
            *(HALF, TRANSPOSED, "A", "Sw<3,3,3> o 0 o ((64,2),128):((1,8192),64)"),
            atoms="4,2,1", permutation="64,32,16",
        ),
        FLASH,
        "((2,2,2),2,8):((1,2,4),64,8)",
    ),
    Case(
        "CuTe tutorial sgemm_sm80 in half, A",
        Configuration(
            *("SM80_16x8x16_F16F16F16F16_TN", X4, "A"),
            "Sw<3,3,3> o 0 o ((8,16),((8,8),1)):((8,512),((1,64),0))",
            atoms="2,2,1", permutation="32,32,16",
        ),
        "cutlass 7107b05535f8, examples/cute/tutorial/sgemm_sm80.cu",
        "((2,2,2),4,(2,2)):((1,2,4),8,(32,64))",
    ),
    Case(
        "reed-lau's multi-stage gemm, B",
        Configuration(
            *("SM80_16x8x16_F16F16F16F16_TN", X4, "B"),
            "Sw<3,3,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))",
            atoms="2,2,1", permutation="32,32,16",
        ),
        "reed-lau/cute-gemm 202d61877970, gemm-multi-stage.cu",
        "((2,2),8,2):((1,2),4,32)",
    ),
    Case(
        "CUTLASS 3 default for SM80, half, A",
        Configuration(
            *(HALF, X4, "A", "Sw<2,3,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))"),
            atoms="2,2,1", permutation="32,32,16",
        ),
        CUTLASS,
        "((2,2,2),4,2):((1,2,4),8,32)",
    ),
    Case(
        "CUTLASS 3 default for SM80, int8, B",
        Configuration(
            *("SM80_16x8x32_S32S8S8S32_TN", X4, "B"),
            "Sw<2,4,3> o 0 o ((16,8),(64,1)):((64,1024),(1,0))",
            atoms="2,2,1", permutation="32,32,32",
        ),
        CUTLASS,
        "((4,2),8,2):((1,4),8,64)",
    ),
    Case(
        "CUTLASS 3 default for SM80, tf32, B",
        Configuration(
            *("SM80_16x8x8_F32TF32TF32F32_TN", X4, "B"),
            "Sw<3,2,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))",
            atoms="2,2,1", permutation="32,32,8",
        ),
        CUTLASS,
        "(2,8,(2,2)):(1,2,(16,32))",
    ),
]  # fmt: skip

CASES = [*SILENT, *PRODUCTION]
