"""Where tcgen05.mma keeps C, and A of `_TS`: datapaths and 32-bit columns of tensor memory.

| rows of a CTA | element (m,n) is at |
|---|---|
| 128 | datapath m, column n |
| 64, one CTA | datapath m % 16 + 32 * (m / 16), column n: half of each warp's 32 |
| 64, two CTAs | datapath m + 64 * (n / (N/2)), column n % (N/2) |

Values narrower than 32 bits have a column each in C; A is packed. Source: UMMA::tmem_frg in
cute/atom/mma_traits_sm100.hpp.
"""

from __future__ import annotations

from .atom import MmaAtom


def address(atom: MmaAtom, operand: str, slot: int) -> tuple[tuple[str, int], ...]:
    """("datapath", d), ("column", c) and, for packed values, ("part", p) of a CTA's value number `slot`.

    The slot counts the rows of that CTA first.
    """
    ctas = atom.thr_id.size()
    rows, columns = atom.tile(operand)
    rows //= ctas
    m, n = slot % rows, slot // rows
    duplicated = "Duplicated" in atom.fragments["ABC".index(operand)]
    if rows == 64 and ctas == 1:
        datapath, column = m % 16 + 32 * (m // 16), n
    elif rows == 64 and not duplicated:
        datapath, column = m + 64 * (n // (columns // 2)), n % (columns // 2)
    else:
        datapath, column = m, n
    if operand == "C":
        return (("datapath", datapath), ("column", column))
    each = 32 // atom.bits(operand)
    return (("datapath", datapath), ("column", column // each), ("part", column % each))
