"""What to do about a view and a partition of different sizes: the cause, in words."""

from __future__ import annotations

from typing import Any

from .claim import values
from .layout import Layout
from .tiled_mma import NAMES, TiledMMA, axes


def remedy(copy: Any, mma: TiledMMA, operand: str, side: str) -> str:
    """Why the view and the partition of a retile have different sizes, and what to do."""
    ref = copy.atom.layout_ref
    other = "S" if side == "D" else "D"
    mine = copy.atom.layout_dst if side == "D" else copy.atom.layout_src
    if mine[1].size() != ref[1].size():
        return (
            f"{copy.atom.name} speaks of its registers on side {other}: side {side} moves "
            f"{mine[1].size()} values a thread, the registers hold {ref[1].size()}; use retile_{other}"
        )
    for k in axes(operand):
        if scattered := _scattered(NAMES[k], mma.permutation[k]):
            return scattered
    held = int(mma.layout_TV(operand)[1].size())
    if copy.num_val < held:
        return (
            f"the copy moves {copy.num_val} of the {held} values that a thread holds of {operand}'s tile: "
            f"give it that part of the fragment, or make_tiled_copy_{operand}, which moves them all"
        )
    if copy.mma is not None and (copy.mma, copy.operand) != (mma, operand):
        return f"the copy was made for {copy.operand} of {copy.mma}: give a fragment of that"
    return "give a fragment of this mma for a tensor of whole tiles"


def _scattered(name: str, permutation: Any) -> str:
    """That a permutation does not permute; empty when it does."""
    if not isinstance(permutation, Layout):
        return ""
    n, reached = permutation.size(), values(permutation)
    if sorted(reached) == list(range(n)):
        return ""
    beyond = f"reaches {max(reached)}" if max(reached) >= n else "repeats some"
    return f"the permutation {name} = {permutation} is not a bijection of 0 .. {n - 1}: it {beyond}"
