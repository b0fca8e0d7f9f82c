"""A store through one view, asked of a machine.

Index-coded: every register holds its own name, the copy reads through the view, and every element of shared
memory must hold the name that the model predicts. Then products: accumulators as an mma left them, converted
to what the copy moves, are stored, and shared memory must hold A*B.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .backend import Backend, elements, memory
from .element import Array
from .emulator import Emulator
from .maps import grid, table
from .outcome import Outcome, compared
from .plan import UNWRITTEN
from .products import held, product, taken
from .store_plan import StorePlan


def ask_store(plan: StorePlan, backend: Backend, title: str, seed: int) -> Outcome:
    """Shared memory through one view, and, for C, the products that are stored there."""
    rng = np.random.default_rng(seed)
    outcome = compared(
        plan,
        title,
        observed_names(plan, backend),
        lambda offset: element_at(plan, offset),
        lambda register: named(plan, register),
        "the mma has it in {want}, the copy stores {got}",
    )
    for kind in ("random", "one-hot"):
        outcome.words[kind], outcome.products[kind] = _product(plan, backend, rng, kind)
    return outcome


def observed_names(plan: StorePlan, backend: Backend) -> Array:
    """[offset]: the register whose name is found there, UNWRITTEN where nothing was stored."""
    width = min(plan.element.bits, 32)
    mask = np.uint64((1 << width) - 1)
    empty = memory(plan, np.zeros(plan.elements, dtype=np.uint64))
    names = np.arange(plan.threads * plan.slots, dtype=np.uint64).reshape(plan.threads, plan.slots)
    full = np.full(names.shape, mask, dtype=np.uint64)
    written = elements(plan, backend.stored(plan, full, empty)) != 0
    found = np.zeros(plan.elements, dtype=np.int64)
    for shift in range(0, max(1, int(names.size - 1).bit_length()), width):
        piece = elements(plan, backend.stored(plan, names >> np.uint64(shift) & mask, empty))
        found |= piece.astype(np.int64) << shift
    found[~written] = UNWRITTEN
    return found


def named(plan: StorePlan, register: Any) -> str:
    """A register by its number, as the engineer calls it."""
    if register == UNWRITTEN:
        return "nothing"
    return f"thread {int(register) // plan.slots}, register {int(register) % plan.slots}"


def element_at(plan: StorePlan, offset: int) -> str:
    """The element at an offset of shared memory: `C(8,0)`."""
    found = np.argwhere(grid(plan.tensor) == offset)
    return f"{plan.operand}({found[0][0]},{found[0][1]})" if len(found) else f"offset {offset}"


def _product(
    plan: StorePlan, backend: Backend, rng: np.random.Generator, kind: str
) -> tuple[Array, tuple[int, int, int]]:
    """Shared memory, and (its elements, those that do not hold the matrix, those not as predicted).

    For C the matrix is A*B as the MMAs of `backend` leave it; A and B are stored as they are.
    """
    p = product(plan, rng, kind)
    bits = plan.element.encode
    if plan.operand == "C":
        got, expected = (
            bits(p.totals(p.accumulators(machine, {}))).astype(np.uint64) for machine in (backend, Emulator())
        )
        right = bits(p.right)
        slots = p.chain.slots(2)
    else:
        right = bits(p.data[plan.operand])
        tensor = p.tensors[plan.operand]
        slots = table(plan.fragment)
        got = expected = held(plan.mma, plan.operand, tensor, right, plan.threads)[:, slots]
    observed = elements(plan, backend.stored(plan, _registers(plan, got, slots), _empty(plan)))
    predicted = taken(_registers(plan, expected, slots).reshape(-1), plan.predicted)
    wanted = np.zeros(plan.elements, dtype=np.uint64)
    wanted[grid(plan.tensor)] = right.astype(np.uint64)
    return observed.astype(np.int64), (
        observed.size,
        int((observed != wanted).sum()),
        int((observed != predicted).sum()),
    )


def _empty(plan: StorePlan) -> Array:
    return memory(plan, np.zeros(plan.elements, dtype=np.uint64))


def _registers(plan: StorePlan, values: Array, slots: Array) -> Array:
    """[thread, slot] from values in the order of `slots`."""
    result = np.zeros((plan.threads, plan.slots), dtype=np.uint64)
    result[:, slots] = values
    return result
