"""The fragments of `wgmma.mma_async`, found out from the hardware, and held against CuTe and the PTX ISA.

B is always in shared memory, and A may be, so the names of m, n and k are anchored there: row m of A, row n
of B, and column k of either are positions in memory, as the matrix descriptor defines them.

**The accumulators.** A and B, both in shared memory, are chosen such that D(m, n) = m + 1, and then n + 1:
sums of few products of small numbers, which every type holds exactly. What comes out of a register is the
name of its element.

**A in registers.** Each place (thread, value) holds one digit of its own number, and B has a single one in
each row, row n at column k. So D(m, n) is a digit of the place that holds A(m, k). The digits are raised by
one, so that zero says that nothing came.

**What is not seen.** Rows exchanged in A, wherever it comes from, and in the accumulators alike, rows of B
with the accumulators' columns, and columns k of A with those of B, would change no result; here memory names
them. Every other difference shows in a name, and then in D = A*B + C on random numbers, with A from memory
and from registers. The control is the product for A with the values of each thread in reverse order: what was
observed has to differ from it, or the comparison says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from symlayout import ptx
from symlayout.atoms.atom import MmaAtom

from ..discovery.discover import Agreement, digest, layout_text
from ..element import Array, accumulated, element
from ..maps import table
from .emulator import places
from .operands import THREADS, M, accumulators, memory, registers, values_of_A, wgmma_atom

BASE, DIGITS = 8, 4  # 2048 places at most
ROUNDS = 4  # random products of either kind
SEED = 6


class Machine(Protocol):
    """What D = A * B + D is asked of: words of all blocks to the accumulators' words, [block, thread, word].

    A is [block, word] of shared memory, or [block, thread, 4] registers; B is [block, word] of shared memory.
    """

    name: str
    hardware: bool

    def from_memory(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array: ...

    def from_registers(self, atom: MmaAtom, a: Array, b: Array, d: Array) -> Array: ...


@dataclass(frozen=True)
class WgmmaAgreement(Agreement):
    """Both fragments of an instruction; `seen` is the digest of the two tables."""

    products: int  # elements of D that were compared with A*B + C
    wrong: int  # those that differ
    control: int  # those that differ when each thread's values of A are in reverse order
    first: str  # the first place where somebody says something else than what was seen

    @property
    def agree(self) -> bool:
        return super().agree and self.wrong == 0 and self.control > 0


def discover_wgmma(atom: MmaAtom, machine: Machine) -> WgmmaAgreement:
    """Ask a machine about an atom of `operands.names`."""
    c = observe_accumulators(atom, machine)
    a = observe_a(atom, machine, c)
    products, wrong, control = multiply(atom, machine, c, a)
    seen = digest(c, a)
    says = predictions(atom.name)
    return WgmmaAgreement(
        instruction=atom.ptx,
        atom=atom.name.split("<")[0],
        name=atom.name.split("<")[0],
        asked=c.size + a.size,
        seen=seen,
        cute=says["cute"] == seen,
        manual=says["manual"] == seen,
        found=f"C {layout_text(c)}, A {layout_text(a)}",
        products=products,
        wrong=wrong,
        control=control,
        first=_first("C", c, cute_c(atom), manual_c(atom)) or _first("A", a, cute_a(atom), manual_a(atom)),
    )


# ── observations ───────────────────────────────────────────────────────────────────────────────────────────


def observe_accumulators(atom: MmaAtom, machine: Machine) -> Array:
    """[thread, value]: the element m + 64 n that the accumulator is, -1 where it names none."""
    n, k = atom.shape_mnk[1:]
    rows, columns = np.arange(M), np.arange(n)
    a, b = np.zeros((2, M, k), dtype=np.int64), np.zeros((2, n, k), dtype=np.int64)
    a[0, :, :3] = np.stack([rows // 8, rows % 8, np.ones(M)], axis=1)
    b[0, :, :3] = (8, 1, 1)
    a[1, :, :4] = (64, 8, 1, 1)
    b[1, :, :4] = np.stack([columns // 64, columns // 8 % 8, columns % 8, np.ones(n)], axis=1)
    words = machine.from_memory(atom, memory(atom.type_A, a), memory(atom.type_B, b), _zeros(atom, 2))
    names = _whole(accumulated(atom.type_C, words)) - 1
    row, column = names[0], names[1]
    named = (row >= 0) & (row < M) & (column >= 0) & (column < n)
    return np.where(named, row + M * column, -1)


def observe_a(atom: MmaAtom, machine: Machine, c: Array) -> Array:
    """[thread, value]: the element m + 64 k that the place holds, -1 where it names none. `c` is what the
    accumulators are."""
    n, k = atom.shape_mnk[1:]
    held = np.full(THREADS * values_of_A(atom), -1, dtype=np.int64)
    shape = (THREADS, values_of_A(atom))
    if not _one_each(c):
        return held.reshape(shape)
    digits = np.stack([np.arange(held.size) // BASE**j % BASE + 1 for j in range(DIGITS)])
    firsts = range(0, k, n)  # columns k that the rows of B select: first .. first + n - 1
    a = np.tile(digits.reshape(DIGITS, *shape), (len(firsts), 1, 1))
    b = np.repeat(np.stack([np.eye(n, k, first, dtype=np.int64) for first in firsts]), DIGITS, axis=0)
    zeros = _zeros(atom, a.shape[0])
    words = machine.from_registers(atom, registers(atom.type_A, a), memory(atom.type_B, b), zeros)
    d = _whole(_tile(accumulated(atom.type_C, words), c, M)).reshape(len(firsts), DIGITS, M, n) - 1
    named = np.asarray(((d >= 0) & (d < BASE)).all(axis=1))
    number = (d * BASE ** np.arange(DIGITS).reshape(1, DIGITS, 1, 1)).sum(axis=1)
    for p, first in enumerate(firsts):
        for column in range(min(n, k - first)):
            rows = np.flatnonzero(named[p, :, column] & (number[p, :, column] < held.size))
            held[number[p, rows, column]] = rows + M * (first + column)
    return held.reshape(shape)


def multiply(atom: MmaAtom, machine: Machine, c: Array, a: Array) -> tuple[int, int, int]:
    """How many elements of D were compared with A*B + C on random numbers, how many differ, and how many
    differ from the product of the control."""
    n, k = atom.shape_mnk[1:]
    compared = 2 * ROUNDS * M * n
    if not (_one_each(c) and _one_each(a)):
        return compared, compared, 0
    random = np.random.default_rng(SEED)
    kind_a, kind_b = element(atom.type_A), element(atom.type_B)
    held = random.integers(kind_a.low, kind_a.high + 1, (ROUNDS, *a.shape))
    added = random.integers(-3, 4, (ROUNDS, *c.shape))
    b = random.integers(kind_b.low, kind_b.high + 1, (ROUNDS, n, k))
    right, reverse = _tile(held, a, M), _tile(held[..., ::-1], a, M)
    with_b, words = memory(atom.type_B, b), accumulators(atom.type_C, added)
    d = [
        machine.from_memory(atom, memory(atom.type_A, right), with_b, words),
        machine.from_registers(atom, registers(atom.type_A, held), with_b, words),
    ]
    got = np.stack([_tile(accumulated(atom.type_C, x), c, M) for x in d])
    wanted, control = (x @ b.swapaxes(1, 2) + _tile(added, c, M) for x in (right, reverse))
    return compared, int((got != wanted).sum()), int((got != control).sum())


def _zeros(atom: MmaAtom, blocks: int) -> Array:
    return np.zeros((blocks, THREADS, atom.registers_C[1]), dtype=np.uint32)


def _whole(numbers: Array) -> Array:
    """Whole numbers; 0, which names nothing, for anything else."""
    return np.where(np.isfinite(numbers) & (numbers == np.rint(numbers)), numbers, 0).astype(np.int64)


def _one_each(held: Array) -> bool:
    """Whether every element of the tile is named exactly once."""
    return bool((np.sort(held.reshape(-1)) == np.arange(held.size)).all())


def _tile(values: Array, held: Array, rows: int) -> Array:
    """[block, thread, value] to [block, row, column]."""
    tile = np.zeros((values.shape[0], held.size), dtype=values.dtype)
    tile[:, held.reshape(-1)] = values.reshape(values.shape[0], -1)
    return tile.reshape(values.shape[0], -1, rows).swapaxes(1, 2)


# ── predictions ────────────────────────────────────────────────────────────────────────────────────────────


def cute_c(atom: MmaAtom) -> Array:
    return _by_thread(atom.layout_C)


def cute_a(atom: MmaAtom) -> Array:
    return _by_thread(atom.layout_A)


def _by_thread(tv: Any) -> Array:
    """[thread, value] of a layout (thread, value) -> column-major index."""
    return table(tv).reshape(-1, THREADS).T


def manual_c(atom: MmaAtom) -> Array:
    return _manual_c(atom.shape_mnk[1])


def manual_a(atom: MmaAtom) -> Array:
    return _manual_a(atom.shape_mnk[2])


@cache
def _manual_c(n: int) -> Array:
    row, column = places(ptx.wgmma_d(n))
    return np.asarray(row + M * column)


@cache
def _manual_a(k: int) -> Array:
    row, column = places(ptx.wgmma_a(k))
    return np.asarray(row + M * column)


def predictions(name: str) -> dict[str, str]:
    """What CuTe and the manual say of an atom, as digests of the two tables."""
    atom = wgmma_atom(name)
    return {
        "cute": digest(cute_c(atom), cute_a(atom)),
        "manual": digest(manual_c(atom), manual_a(atom)),
    }


def _first(operand: str, seen: Array, cute: Array, manual: Array) -> str:
    differing = np.argwhere((seen != cute) | (seen != manual))
    if not len(differing):
        return ""
    thread, value = (int(x) for x in differing[0])
    said = [("seen", seen), ("CuTe", cute), ("PTX ISA", manual)]
    words = [f"{who} {_element(int(held[thread, value]))}" for who, held in said]
    return f"{operand} of thread {thread}, value {value}: {', '.join(words)}; {len(differing)} places differ"


def _element(index: int) -> str:
    return "none" if index < 0 else f"({index % M},{index // M})"


def differing(content: dict[str, Any]) -> list[str]:
    """Recorded fragments that CuTe's layouts or the manual's formulas do not predict today, and products that
    were wrong or had no control."""
    return [line for entry in content["wgmma"] for line in _differing(entry)]


def _differing(entry: dict[str, Any]) -> list[str]:
    says = predictions(entry["name"])
    lines = []
    if says["manual"] != entry["seen"] or not entry["manual"]:
        lines.append("the manual's formula says something else")
    if (says["cute"] == entry["seen"]) != entry["cute"]:
        lines.append("CuTe's layout says something else than it did")
    if entry["wrong"] or not entry["control"]:
        lines.append(
            f"{entry['wrong']} of {entry['products']} products wrong, {entry['control']} in the control"
        )
    atom = wgmma_atom(entry["name"])
    c, a = manual_c(atom), manual_a(atom)
    told = {
        "instruction": atom.ptx,
        "atom": entry["name"],
        "asked": c.size + a.size,
        "found": f"C {layout_text(c)}, A {layout_text(a)}",
        "products": 2 * ROUNDS * c.size,
    }
    lines += [f"{key} is {entry[key]!r}, and {x!r} today" for key, x in told.items() if entry[key] != x]
    if not 0 <= entry["control"] <= entry["products"]:
        lines.append(f"{entry['control']} of {entry['products']} products in the control")
    if entry["first"]:
        lines.append(f"recorded as differing: {entry['first']}")
    return [f"{atom.ptx}: {line}" for line in lines]
