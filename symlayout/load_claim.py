"""A load or a store as a whole: registers, memory, and an instruction that goes this way.

A verdict has a subject. That *the view* is right (`copy.retile_correct`) is about registers alone; that *the
load* is right takes the memory side as well, on one tensor:

    view        retile gives every register what the mma reads there
    direction   the instruction loads, or stores
    memory      each access moves neighbours from an aligned address, all elements are moved, none outside

    copy = make_tiled_copy_A(atoms.SM75_U32x4_LDSM_N, mma)
    prove(load_correct(copy, mma, "A", Layout((64, 64), (1, 64))))    Refuted, though the view is right

This file states; `prove` decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .claim import AllOf, Claim, Failure, Pointwise
from .copy_tiling import TiledCopy
from .coverage_claim import Inside
from .formula import Relation
from .layout import Layout
from .memory_claim import Aligned, Contiguous, memory_parts
from .memory_parameters import AlignedForAll
from .quantified import ForAllSizes
from .tiled_mma import TiledMMA, as_tensor


@dataclass(frozen=True)
class Moving(AllOf):
    """The claim of this file. `view` and `memory` are its two sides, each a claim of its own."""

    view: Claim
    memory: Claim

    def in_short(self, word: str, part: str, failures: int | None) -> str:
        """What is wrong with the load or store (`word`) when this part of its memory side is refuted, in a
        few words: `the load moves 3584 of 4096 values wrongly`."""
        failed = next((p for p in self.memory.parts() if p.label == part), self.memory)
        count = "some" if failures is None else f"{failures} of {failed.instances()}"
        if isinstance(failed, Inside):
            return f"the {word} names {count} values outside the tensor"
        if isinstance(failed, Contiguous) or (isinstance(failed, ForAllSizes)):
            return f"the {word} moves {count} values wrongly"
        if isinstance(failed, (Aligned, AlignedForAll)):
            return f"the {word} is given {count} addresses that are not aligned"
        return f"the {word} is wrong: it is false that {part or self.memory}"


def load_correct(
    copy: TiledCopy, mma: TiledMMA, operand: str, tensor: Any, *, view: Layout | None = None
) -> Moving:
    """The copy loads `operand` of the mma from `tensor` correctly: the view of the registers, `retile_D` (or
    `view`), is right, and so is the side in memory; see `retile_correct` and `memory_correct`.

    `tensor` is a Layout, with parameters or without, or a bare shape (K contiguous). Raises what
    `retile_correct` and `memory_correct` raise: UnsupportedError for an operand in shared or tensor memory.
    """
    return _moving(copy, mma, operand, tensor, "D", view)


def store_correct(
    copy: TiledCopy, mma: TiledMMA, operand: str, tensor: Any, *, view: Layout | None = None
) -> Moving:
    """The copy stores `operand` of the mma to `tensor` correctly: the view is `retile_S`, and no element is
    written twice."""
    return _moving(copy, mma, operand, tensor, "S", view)


def _moving(
    copy: TiledCopy, mma: TiledMMA, operand: str, tensor: Any, registers: str, view: Layout | None
) -> Moving:
    tensor = as_tensor(operand, tensor)
    right = copy.retile_correct(mma, operand, tensor, side=registers, view=view)
    word, way, memory_side = ("load", "from", "S") if registers == "D" else ("store", "to", "D")
    memory: Claim = _direction(copy, registers, word)
    if goes(copy, registers):  # else the other side is registers as well
        memory = AllOf((memory, *memory_parts(copy, tensor, memory_side)))
    memory = memory.named(f"{copy.atom.name} moves in {tensor} what the layout says")
    says = f"the {word} of {operand} is correct: {mma}, {copy.atom}, {way} {tensor}"
    return Moving((right, memory), view=right, memory=memory, label=says)


def goes(copy: TiledCopy, registers: str) -> bool:
    """Whether the instruction has its registers on this side, and memory on the other: ldmatrix on D alone,
    stmatrix on S, plain copies on either."""
    one_way = copy.atom.bits_src != copy.atom.bits_dst
    return not one_way or copy.register_side == registers


@dataclass(frozen=True)
class Direction(Pointwise):
    """The instruction goes the way that is asked about."""

    remark: str = ""

    def failure(self) -> Failure | None:
        found = super().failure()
        return None if found is None else replace(found, says=self.remark)


def _direction(copy: TiledCopy, registers: str, word: str) -> Claim:
    name, other = copy.atom.name, "stores" if word == "load" else "loads"
    remark = f"{name} {other}: its registers are on side {copy.register_side}, not {registers}"
    against = 0 if goes(copy, registers) else 1
    return Direction((Relation("=", against, 0),), (against, 0), "{0} = {1}", remark).named(f"{name} {word}s")
