"""A load through one view, asked of a machine.

Index-coded: shared memory holds each element's own name, the copy writes through the view, and every slot of
every thread must hold the name that the model predicts. Then products: what was loaded is multiplied, or
added to where it is C, and D must be A*B + C exactly; with one-hot A, D repeats single elements of B.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .backend import UNTOUCHED, Backend, memory
from .element import Array
from .emulator import Emulator
from .maps import grid
from .outcome import Outcome, compared
from .plan import UNWRITTEN, LoadPlan
from .products import product, taken, with_start


def ask_load(plan: LoadPlan, backend: Backend, title: str, seed: int) -> Outcome:
    """The registers through one view, and the products of the MMAs that read them."""
    rng = np.random.default_rng(seed)
    outcome = compared(
        plan,
        title,
        observed_names(plan, backend),
        lambda t, s: f"thread {t}, register {s}",
        lambda offset: named(plan, offset),
        "the mma reads {want}, the copy writes {got}",
    )
    for kind in ("random", "one-hot"):
        outcome.words[kind], outcome.products[kind] = _product(plan, backend, rng, kind)
    return outcome


def observed_names(plan: LoadPlan, backend: Backend) -> Array:
    """[thread, slot]: the name found in each register. Names wider than an element are asked for piece by
    piece."""
    width = min(plan.element.bits, 32)
    names = np.arange(plan.elements, dtype=np.uint64)
    found = np.zeros((plan.threads, plan.slots), dtype=np.int64)
    untouched = np.zeros(found.shape, dtype=bool)
    mask = np.uint64((1 << width) - 1)
    for shift in range(0, max(1, int(plan.elements - 1).bit_length()), width):
        piece = backend.registers(plan, memory(plan, names >> np.uint64(shift) & mask))
        untouched |= piece == UNTOUCHED
        found |= (piece & mask).astype(np.int64) << shift
    found[untouched] = UNWRITTEN
    return found


def named(plan: LoadPlan, offset: Any) -> str:
    """The element at an offset of shared memory, as the engineer calls it: `B(8,0)`."""
    if offset == UNWRITTEN:
        return "nothing"
    found = np.argwhere(grid(plan.tensor) == offset)
    return f"{plan.operand}({found[0][0]},{found[0][1]})" if len(found) else f"offset {int(offset)}"


def _product(
    plan: LoadPlan, backend: Backend, rng: np.random.Generator, kind: str
) -> tuple[Array, tuple[int, int, int]]:
    """The accumulators, and (elements of D, those that are not A*B + C, those that are not as predicted)."""
    p = product(plan, rng, kind)
    if plan.operand == "C":
        p = with_start(p, rng)
    image = np.zeros(plan.elements, dtype=np.int64)
    image[grid(plan.tensor)] = p.bits(plan.operand)
    found = backend.registers(plan, memory(plan, image))
    words = p.accumulators(backend, {plan.operand: found})
    expected = p.accumulators(Emulator(), {plan.operand: taken(image, plan.predicted)})
    got = p.totals(words)
    right = p.spread(p.right)
    return words, (got.size, int((got != right).sum()), int((got != p.totals(expected)).sum()))
