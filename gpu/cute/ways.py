"""The ways in which a case's registers are asked of CuTe, each with the prediction of what they will hold.

retile      the fragment of the tensor without its swizzle, through CuTe's own retile_D
swizzled    the fragment of the swizzled tensor itself, as most kernels make it, through retile_D
right_view  where CuTe's retile is wrong: the proven view, given to the same cute::copy
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from symlayout import ComposedLayout, Layout, LayoutError, NotationError

from ..element import Array, element
from ..maps import extent, grid, table
from ..plan import UNWRITTEN, LoadPlan, load_plan, plain
from ..products import random_data
from ..reading import read
from .cases import Case
from .source import product_layouts, unit

SEED = 20261201  # of the data; predictions are replayed with the same
TITLES = {
    "retile": "retile_D",
    "swizzled": "retile_D, registers of the swizzled tensor",
    "right_view": "the proven right view",
}


@dataclass(frozen=True)
class Way:
    """One kernel of a case. `plan` is the load through its view, `fragment` the registers that are viewed."""

    kernel: str
    fragment: Layout
    plan: LoadPlan

    @property
    def title(self) -> str:
        return TITLES[self.kernel]

    @cached_property
    def wanted(self) -> Array:
        """[thread, slot]: the element that the MMA reads, in the order of this way's fragment."""
        result = np.full_like(self.plan.predicted, UNWRITTEN)
        result[:, table(self.fragment)] = self.plan.wanted[:, table(self.plan.fragment)]
        return result

    @cached_property
    def wrong(self) -> int:
        """Registers that will hold another element than the MMA reads there."""
        return int((self.wanted != self.plan.predicted).sum())

    @property
    def shape_of_d(self) -> tuple[int, int]:
        return extent(product_layouts(self.plan)[1])

    @cached_property
    def matrices(self) -> tuple[Array, Array]:
        """Whole numbers: the operand that is loaded, [row, k], and the other."""
        rng = np.random.default_rng(SEED)
        atom, which = self.plan.mma.atom, self.plan.operand
        shapes = extent(plain(self.plan.tensor)), extent(product_layouts(self.plan)[0])
        loaded, other = (
            random_data(atom.type(x), rng, "random", *shape)
            for x, shape in zip((which, "B" if which == "A" else "A"), shapes, strict=True)
        )
        return loaded, other

    @cached_property
    def image(self) -> Array:
        """The loaded operand's elements as bits, where the tensor has them in shared memory."""
        image = np.zeros(self.plan.elements, dtype=np.int64)
        image[grid(self.plan.tensor)] = self.plan.element.encode(self.matrices[0])
        return image

    @cached_property
    def other(self) -> Array:
        """The other operand as bits, K contiguous."""
        kind = element(self.plan.mma.atom.type("B" if self.plan.operand == "A" else "A"))
        return kind.encode(self.matrices[1]).astype(np.uint64).astype(f"<u{kind.bits // 8}")

    @cached_property
    def right_d(self) -> Array:
        """A*B."""
        return self._product(self.matrices[0])

    @cached_property
    def predicted_d(self) -> Array:
        """The product of what the registers hold, each standing where the MMA reads another. Raises
        LayoutError where threads that share an element hold different ones in its place, for then no one
        matrix was multiplied."""
        instead = np.arange(self.plan.elements)
        instead[self.wanted] = self.plan.predicted
        if (instead[self.wanted] != self.plan.predicted).any() or (self.plan.predicted == UNWRITTEN).any():
            raise LayoutError(f"{self.plan.mma}: no one matrix says what its registers hold")
        value = np.zeros(self.plan.elements, dtype=np.int64)
        value[grid(self.plan.tensor)] = self.matrices[0]
        return self._product(value[instead[grid(self.plan.tensor)]])

    def _product(self, loaded: Array) -> Array:
        a, b = (loaded, self.matrices[1]) if self.plan.operand == "A" else (self.matrices[1], loaded)
        return np.asarray(a.astype(np.float64) @ b.astype(np.float64).T)


def ways(case: Case) -> list[Way]:
    """All ways of a case, CuTe's retile first."""
    mma, copy, operand, tensor = case.configuration.objects()[:4]
    plan = load_plan(mma, copy, operand, tensor)
    found = [Way("retile", plan.fragment, plan)]
    if isinstance(tensor, ComposedLayout) and case.fragment:
        fragment = read(case.fragment)
        if not isinstance(fragment, Layout) or fragment.size() != plan.fragment.size():
            raise NotationError(f"{case}: {case.fragment!r} is not a layout of its registers")
        view = copy.retile_D(fragment, unchecked=True)
        found.append(Way("swizzled", fragment, load_plan(mma, copy, operand, tensor, view)))
    if plan.wrong:
        view = copy.right_view(mma, operand, plain(tensor))
        found.append(Way("right_view", plan.fragment, load_plan(mma, copy, operand, tensor, view)))
    return found


def source_of(found: list[Way]) -> str:
    """The CUDA text of a case, given its ways."""
    right = next((way.plan.view for way in found if way.kernel == "right_view"), None)
    return unit(found[0].plan, right)
