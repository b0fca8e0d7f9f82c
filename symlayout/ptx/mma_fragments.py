"""`mma.sync`: which element each lane holds in each place, by the manual's formulas.

One function for each distinct formula, A, then B, then the accumulator; then the table of instructions.
Elements are numbered as in the manual, from the low bits of the first register up. Functions of several
shapes are those whose formulas the manual repeats word for word.

Source: PTX ISA 9, "Matrix fragments for multiply-accumulate operation" (9.7.14.5.1 to 9.7.14.5.13) and
"Matrix fragments for multiply-accumulate operation with sparse matrix A" (9.7.14.6.2).
"""

from __future__ import annotations

from ..errors import UnsupportedError
from ..symbolic import Int
from .fragment import Element, Formula, Fragment, MatrixInstruction, at_least, group, in_group, outside

# ── A, M x K ───────────────────────────────────────────────────────────────────────────────────────────────


def a_m8n8k4_f16_row(lane: Int, i: Int) -> Element:
    """Four quad pairs, lanes 0-3 with 16-19 and so on; row-major A."""
    return lane % 4 + 4 * at_least(lane, 16), i


def a_m8n8k4_f16_col(lane: Int, i: Int) -> Element:
    """The same for column-major A."""
    return i % 4 + 4 * at_least(lane, 16), lane % 4


def a_m8n8k4_f64(lane: Int, i: Int) -> Element:
    return lane >> 2, lane % 4


def a_m8n8k16(lane: Int, i: Int) -> Element:
    """8-bit."""
    return group(lane), in_group(lane) * 4 + i


def a_m8n8k32(lane: Int, i: Int) -> Element:
    """4-bit."""
    return group(lane), in_group(lane) * 8 + i


def a_m8n8k128(lane: Int, i: Int) -> Element:
    """Single bits."""
    return group(lane), in_group(lane) * 32 + i


def a_m16n8k4(lane: Int, i: Int) -> Element:
    """tf32 and f64."""
    return group(lane) + 8 * at_least(i, 1), in_group(lane)


def a_m16n8k8_f16(lane: Int, i: Int) -> Element:
    """f16 and bf16."""
    return group(lane) + 8 * at_least(i, 2), in_group(lane) * 2 + (i & 1)


def a_m16n8k8_tf32(lane: Int, i: Int) -> Element:
    """tf32 and f64: a0 and a2 in the upper half, a2 and a3 four columns on."""
    return group(lane) + 8 * outside(i, (0, 1), (2, 3)), in_group(lane) + 4 * at_least(i, 2)


def a_m16n8k16_f16(lane: Int, i: Int) -> Element:
    """f16 and bf16."""
    return group(lane) + 8 * outside(i, (0, 2), (4, 6)), in_group(lane) * 2 + (i & 1) + 8 * at_least(i, 4)


def a_m16n8k16_f64(lane: Int, i: Int) -> Element:
    """The column is 2i for even i and 2i - 2 for odd i, plus the lane's place in its group."""
    return group(lane) + 8 * (i % 2), i * 2 - 2 * (i % 2) + in_group(lane)


def a_m16n8k16_s8(lane: Int, i: Int) -> Element:
    """8-bit."""
    return group(lane) + 8 * at_least(i, 4), in_group(lane) * 4 + (i & 3)


def a_m16n8k32_s4(lane: Int, i: Int) -> Element:
    """4-bit."""
    return group(lane) + 8 * at_least(i, 8), in_group(lane) * 8 + (i & 7)


def a_m16n8k32_s8(lane: Int, i: Int) -> Element:
    """8-bit, and the narrower floats in 8 bits each."""
    return group(lane) + 8 * outside(i, (0, 4), (8, 12)), in_group(lane) * 4 + (i & 3) + 16 * at_least(i, 8)


def a_m16n8k64(lane: Int, i: Int) -> Element:
    """4-bit."""
    row = group(lane) + 8 * outside(i, (0, 8), (16, 24))
    return row, in_group(lane) * 8 + (i & 7) + 32 * at_least(i, 16)


def a_m16n8k128(lane: Int, i: Int) -> Element:
    """Single bits."""
    return group(lane) + 8 * at_least(i, 32), in_group(lane) * 32 + (i & 31)


def a_m16n8k256(lane: Int, i: Int) -> Element:
    """Single bits. See `a_m16n8k256_as_printed`."""
    row = group(lane) + 8 * outside(i, (0, 32), (64, 96))
    return row, in_group(lane) * 32 + (i & 31) + 128 * at_least(i, 64)


def a_m16n8k256_as_printed(lane: Int, i: Int) -> Element:
    """What the manual prints for A of m16n8k256: the column is `threadID_in_group * 32 + i` for i < 64,
    without the `& 0x1F` that it has for i >= 64, and that m16n8k128 has throughout.

    Then nobody would hold columns 0 to 31 of the lower eight rows, and element 32 of lane 3 would be
    element 96 of lane 0, (8, 128). `a_m16n8k256` is the formula with the mask.
    """
    row = group(lane) + 8 * outside(i, (0, 32), (64, 96))
    return row, in_group(lane) * 32 + i + 64 * at_least(i, 64) - 32 * at_least(i, 96)


# ── B, K x N ───────────────────────────────────────────────────────────────────────────────────────────────


def b_m8n8k4_f16_row(lane: Int, i: Int) -> Element:
    """Row-major B."""
    return lane % 4, i + 4 * at_least(lane, 16)


def b_m8n8k4_f16_col(lane: Int, i: Int) -> Element:
    """Column-major B."""
    return i, lane % 4 + 4 * at_least(lane, 16)


def b_k4(lane: Int, i: Int) -> Element:
    """m8n8k4 f64, m16n8k4 tf32 and f64: one element a lane."""
    return in_group(lane), group(lane)


def b_k8_f16(lane: Int, i: Int) -> Element:
    """m16n8k8 f16 and bf16."""
    return in_group(lane) * 2 + i, group(lane)


def b_k8_tf32(lane: Int, i: Int) -> Element:
    """m16n8k8 tf32 and f64."""
    return in_group(lane) + 4 * at_least(i, 1), group(lane)


def b_k16_f16(lane: Int, i: Int) -> Element:
    """m16n8k16 f16 and bf16."""
    return in_group(lane) * 2 + (i & 1) + 8 * at_least(i, 2), group(lane)


def b_k16_f64(lane: Int, i: Int) -> Element:
    """m16n8k16 f64."""
    return in_group(lane) + i * 4, group(lane)


def b_k16_s8(lane: Int, i: Int) -> Element:
    """m8n8k16 and m16n8k16, 8-bit."""
    return in_group(lane) * 4 + i, group(lane)


def b_k32_s4(lane: Int, i: Int) -> Element:
    """m8n8k32 and m16n8k32, 4-bit."""
    return in_group(lane) * 8 + (i & 7), group(lane)


def b_k32_s8(lane: Int, i: Int) -> Element:
    """m16n8k32, 8-bit and the narrower floats in 8 bits each."""
    return in_group(lane) * 4 + (i & 3) + 16 * at_least(i, 4), group(lane)


def b_k64(lane: Int, i: Int) -> Element:
    """m16n8k64, 4-bit."""
    return in_group(lane) * 8 + (i & 7) + 32 * at_least(i, 8), group(lane)


def b_k128(lane: Int, i: Int) -> Element:
    """m8n8k128 and m16n8k128, single bits."""
    return in_group(lane) * 32 + i, group(lane)


def b_k256(lane: Int, i: Int) -> Element:
    """m16n8k256, single bits."""
    return in_group(lane) * 32 + (i & 31) + 128 * at_least(i, 32), group(lane)


def b_sparse_k64(lane: Int, i: Int) -> Element:
    """mma.sp m16n8k64, 8-bit; from four figures, one a register, each 16 rows further down."""
    return in_group(lane) * 4 + (i & 3) + 16 * (i // 4), group(lane)


def b_sparse_k128(lane: Int, i: Int) -> Element:
    """mma.sp m16n8k128, 4-bit; likewise, each 32 rows further down."""
    return in_group(lane) * 8 + (i & 7) + 32 * (i // 8), group(lane)


# ── the accumulator, M x N ─────────────────────────────────────────────────────────────────────────────────


def c_m8n8k4_f16(lane: Int, i: Int) -> Element:
    return lane % 4 + 4 * at_least(lane, 16), i


def c_m8n8k4_f32(lane: Int, i: Int) -> Element:
    return (lane & 1) + (i & 2) + 4 * at_least(lane, 16), (i & 4) + (lane & 2) + (i & 1)


def c_m8n8(lane: Int, i: Int) -> Element:
    """Every m8n8 shape but m8n8k4 f16."""
    return group(lane), in_group(lane) * 2 + (i & 1)


def c_m16n8(lane: Int, i: Int) -> Element:
    """Every m16n8 shape."""
    return group(lane) + 8 * at_least(i, 2), in_group(lane) * 2 + (i & 1)


# ── the instructions ───────────────────────────────────────────────────────────────────────────────────────

_BYTES = "s8 u8 e4m3 e5m2"
_NARROW = "e3m2 e2m3 e2m1"


def _instruction(
    shape: str, types: str, a: Formula, b: Formula, c: Formula, section: str, title: str, pair: bool = False
) -> MatrixInstruction:
    m, n, k = _sizes(shape)
    lanes = (*range(4), *range(16, 20)) if pair else tuple(range(32))
    held = [size // len(lanes) for size in (m * k, k * n, m * n)]
    fragments = (Fragment(m, k, held[0], a), Fragment(k, n, held[1], b), Fragment(m, n, held[2], c))
    return MatrixInstruction(shape, tuple(types.split()), *fragments, section, title, lanes)


def _sizes(shape: str) -> tuple[int, int, int]:
    m, n, k = shape.removeprefix("m").replace("n", " ").replace("k", " ").split()
    return int(m), int(n), int(k)


def _quad_pair(types: str, a: Formula, b: Formula, c: Formula) -> MatrixInstruction:
    return _instruction(
        "m8n8k4", types, a, b, c, "9.7.14.5.1", "mma.m8n8k4 with .f16 floating point type", pair=True
    )


_A_ROW, _A_COL = a_m8n8k4_f16_row, a_m8n8k4_f16_col
_B_ROW, _B_COL = b_m8n8k4_f16_row, b_m8n8k4_f16_col

# fmt: off
MMA: tuple[MatrixInstruction, ...] = (
    # shape       types (of A and B)          A                B            C            section of the manual
    *(_quad_pair(f"f16.{x}.{y}.{acc}", a, b, c)
      for x, a in (("row", _A_ROW), ("col", _A_COL))
      for y, b in (("row", _B_ROW), ("col", _B_COL))
      for acc, c in (("f16", c_m8n8k4_f16), ("f32", c_m8n8k4_f32))),
    _instruction("m8n8k4", "f64", a_m8n8k4_f64, b_k4, c_m8n8,
                 "9.7.14.5.2", "mma.m8n8k4 with .f64 floating point type"),
    _instruction("m8n8k16", "s8 u8", a_m8n8k16, b_k16_s8, c_m8n8, "9.7.14.5.3", "mma.m8n8k16"),
    _instruction("m8n8k32", "s4 u4", a_m8n8k32, b_k32_s4, c_m8n8, "9.7.14.5.4", "mma.m8n8k32"),
    _instruction("m8n8k128", "b1", a_m8n8k128, b_k128, c_m8n8, "9.7.14.5.5", "mma.m8n8k128"),
    _instruction("m16n8k4", "tf32 f64", a_m16n8k4, b_k4, c_m16n8, "9.7.14.5.6", "mma.m16n8k4"),
    _instruction("m16n8k8", "f16 bf16", a_m16n8k8_f16, b_k8_f16, c_m16n8, "9.7.14.5.7", "mma.m16n8k8"),
    _instruction("m16n8k8", "tf32 f64", a_m16n8k8_tf32, b_k8_tf32, c_m16n8, "9.7.14.5.7", "mma.m16n8k8"),
    _instruction("m16n8k16", "f16 bf16", a_m16n8k16_f16, b_k16_f16, c_m16n8,
                 "9.7.14.5.8", "mma.m16n8k16 with floating point type"),
    _instruction("m16n8k16", "f64", a_m16n8k16_f64, b_k16_f64, c_m16n8,
                 "9.7.14.5.8", "mma.m16n8k16 with floating point type"),
    _instruction("m16n8k16", _BYTES, a_m16n8k16_s8, b_k16_s8, c_m16n8,
                 "9.7.14.5.9", "mma.m16n8k16 with integer type"),
    _instruction("m16n8k32", "s4 u4", a_m16n8k32_s4, b_k32_s4, c_m16n8, "9.7.14.5.10", "mma.m16n8k32"),
    _instruction("m16n8k32", f"{_BYTES} {_NARROW}", a_m16n8k32_s8, b_k32_s8, c_m16n8,
                 "9.7.14.5.10", "mma.m16n8k32"),
    _instruction("m16n8k64", "s4 u4 e2m1", a_m16n8k64, b_k64, c_m16n8, "9.7.14.5.11", "mma.m16n8k64"),
    _instruction("m16n8k128", "b1", a_m16n8k128, b_k128, c_m16n8, "9.7.14.5.12", "mma.m16n8k128"),
    _instruction("m16n8k256", "b1", a_m16n8k256, b_k256, c_m16n8, "9.7.14.5.13", "mma.m16n8k256"),
)
# fmt: on


def mma(shape: str, of: str) -> MatrixInstruction:
    """The instruction of that shape for elements of A of that type: `mma("m16n8k16", "bf16")`.

    Volta's is asked for by the layouts of A and B and the accumulator: `mma("m8n8k4", "f16.row.col.f32")`.
    Raises UnsupportedError with the forms that there are.
    """
    found = [x for x in MMA if x.shape == shape and of in x.types]
    if not found:
        near = [str(x) for x in MMA if x.shape == shape] or sorted({x.shape for x in MMA})
        raise UnsupportedError(f"no mma.{shape} of .{of}\n  the manual has {', '.join(near)}")
    return found[0]


# ── sparse A ───────────────────────────────────────────────────────────────────────────────────────────────

Columns = tuple[Int, tuple[Int, Int]]  # the row, and the columns as first and last + 1


def sparse_a(k: int, lane: Int, i: Int) -> Columns:
    """mma.sp with M = 16 and four registers of A: the row of the stored element i, and the columns among
    which the metadata places it.

    K is 16 (tf32), 32 (16-bit), 64 (8-bit) or 128 (4-bit); a register holds k/16 stored elements of twice as
    many consecutive columns.
    """
    stored = k // 16
    row = group(lane) + 8 * outside(i, (0, stored), (2 * stored, 3 * stored))
    first = in_group(lane) * 2 * stored + k // 2 * at_least(i, 2 * stored)
    return row, (first, first + 2 * stored)
