"""Permuted tiles: the copy and the mma do not speak of the same tiling, or CuTe's retile does not follow it.

The first is a mistake in a kernel; the second none of the engineer's: for some permutations CuTe's own
`retile_D` returns a view that permutes registers, without an error (`cases.SILENT_FAILURES`). Both are asked
of the prover as it is asked of every retile, `copy.retile_correct`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from symlayout import Claim, SymlayoutError, make_tiled_mma

from ..plan import LoadPlan, load_plan
from ..reading import read
from .base import Base, Tables, tables_of
from .mutation import Mutation, Pick


class Retile(Mutation):
    """Base of the two: a plan with its own view, and the claim that this view is right."""

    @abstractmethod
    def plan(self, base: Base) -> LoadPlan:
        """The plan as the kernel has it."""

    def tables(self, base: Base) -> Tables:
        return tables_of(self.plan(base))

    def asked(self, base: Base) -> Claim:
        plan = self.plan(base)
        return plan.copy.retile_correct(plan.mma, plan.operand, base.plain, view=plan.view)


@dataclass(frozen=True)
class CuteView(Retile):
    """Nothing is changed but the tiles: a permutation with a layout in it, and CuTe's own view."""

    title = "permuted tiles, CuTe's view"

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        return cls() if ":" in base.configuration.permutation else None

    def plan(self, base: Base) -> LoadPlan:
        return base.cute


def shuffles(size: int) -> list[str]:
    """Permutations of one mode of a tile, of an mma whose atoms cover `size` of it."""
    half = size // 2
    return [
        f"{size}",
        f"{2 * size}",
        f"({size},2,2):(1,{2 * size},{size})",
        f"({half},2,2):(1,{size},{half})",
        f"({half},4):(4,1)",
        f"({half},2,2):(2,1,{size})",
    ]


@dataclass(frozen=True)
class OtherTiles(Retile):
    """The copy was made from an mma whose tiles are permuted otherwise than those of the mma that runs."""

    title = "permuted tiles on one side"
    permutation: str

    @classmethod
    def draw(cls, base: Base, pick: Pick) -> Mutation | None:
        mma, operand = base.right.mma, base.right.operand
        rows, columns = (int(n) for n in base.plain.shape)
        sizes = [int(mma.atom.shape_mnk[i]) * int(mma.thr_layout_vmnk[i + 1].size()) for i in range(3)]
        words = [str(size) for size in sizes]
        which = 2 if pick(2) else (0 if operand == "A" else 1)
        choices = shuffles(sizes[which])
        words[which] = choices[pick(len(choices))]
        found = cls(",".join(words))
        if found.permutation == base.configuration.permutation:
            return None
        try:
            plan = found.plan(base)
            tile = plan.mma.tile_shape(operand)
            fits = rows % tile[0] == 0 and columns % tile[1] == 0
            return found if fits and tables_of(plan).wanted.size == base.tables.wanted.size else None
        except SymlayoutError:
            return None

    def plan(self, base: Base) -> LoadPlan:
        known = base.cute
        mma = make_tiled_mma(known.mma.atom, read(base.configuration.atoms), read(self.permutation))
        return load_plan(mma, known.copy, known.operand, known.tensor)
