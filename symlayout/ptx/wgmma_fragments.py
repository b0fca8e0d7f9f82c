"""`wgmma.mma_async`: the accumulator, and A when it comes from registers, over the 128 threads of a
warpgroup.

Warp w of the four holds rows 16w .. 16w + 15; in them its lanes hold what the figures of the manual show,
for A the same as `mma.sync` with M = 16 and that K. B is always in shared memory.

Source: PTX ISA 9, "Register Fragments" of wgmma (9.7.15.5.1.1.1 to 9.7.15.5.1.1.4, figures 148 to 155), and
of its sparse forms. The manual has figures only; the formulas are those figures.
"""

from __future__ import annotations

from ..errors import UnsupportedError
from ..symbolic import Int
from .fragment import Element, Formula, Fragment, group, in_group
from .mma_fragments import (
    Columns,
    a_m16n8k8_tf32,
    a_m16n8k16_f16,
    a_m16n8k32_s8,
    a_m16n8k256,
    sparse_a,
)

M = 64
THREADS = 128


def _of_warps(one_warp: Formula) -> Formula:
    def formula(thread: Int, i: Int) -> Element:
        row, col = one_warp(thread % 32, i)
        return 16 * (thread // 32) + row, col

    return formula


def accumulator(thread: Int, i: Int) -> Element:
    """d_i: pairs of columns, two rows eight apart, then the next eight columns; for every N."""
    lane = thread % 32
    row = 16 * (thread // 32) + group(lane) + 8 * (i // 2 % 2)
    return row, 8 * (i // 4) + in_group(lane) * 2 + i % 2


def sparse_a_of_warps(k: int, thread: Int, i: Int) -> Columns:
    """A in registers of the sparse form: the row of the stored element i, and the columns among which the
    metadata places it. K is 16 (tf32), 32 (16-bit) or 64 (8-bit)."""
    row, columns = sparse_a(k, thread % 32, i)
    return 16 * (thread // 32) + row, columns


# fmt: off
WGMMA: dict[str, tuple[tuple[str, ...], Fragment, str]] = {
    # shape     types of A                              A                                         section
    "m64nNk16": (("f16", "bf16"), Fragment(M, 16, 8, _of_warps(a_m16n8k16_f16)), "9.7.15.5.1.1.1"),
    "m64nNk8": (("tf32",), Fragment(M, 8, 4, _of_warps(a_m16n8k8_tf32)), "9.7.15.5.1.1.2"),
    "m64nNk32": (("s8", "u8", "e4m3", "e5m2"), Fragment(M, 32, 16, _of_warps(a_m16n8k32_s8)),
                 "9.7.15.5.1.1.3"),
    "m64nNk256": (("b1",), Fragment(M, 256, 128, _of_warps(a_m16n8k256)), "9.7.15.5.1.1.4"),
}
# fmt: on


def wgmma_a(k: int) -> Fragment:
    """A in registers for that K: 8 (tf32), 16 (16-bit), 32 (8-bit) or 256 (single bits)."""
    found = WGMMA.get(f"m64nNk{k}")
    if found is None:
        raise UnsupportedError(f"no wgmma of K = {k}\n  the manual has {', '.join(WGMMA)}")
    return found[1]


def wgmma_d(n: int) -> Fragment:
    """The accumulator for that N, a multiple of 8 up to 256."""
    if n % 8 or not 8 <= n <= 256:
        raise UnsupportedError(f"no wgmma of N = {n}\n  N is 8, 16, ..., 256")
    return Fragment(M, n, n // 2, accumulator)
