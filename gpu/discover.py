"""The fragment of an instruction, found out from the hardware alone, and held against CuTe and the PTX ISA.

**ldmatrix, stmatrix, movmatrix.** Every element of shared memory, or of the registers, holds its own name;
what comes out says which lane's row and which column each part of each register is. Nothing is left open.

**mma.sync.** A holds a single one, B holds a single one, at every pair of places. D lights up at one place
iff the two stand at the same k, and that place belongs to the row of the one and the column of the other. An
mma alone cannot say more: k may be renumbered in A and B together, and so may the rows of A with those of C,
and the columns of B with those of C. What it does say is asked of all pairs, and CuTe's layouts and the
manual's formulas must predict every one. The names of rows, columns and k are anchored by `crosscheck`, where
ldmatrix brings the elements and D must be A*B.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from symlayout import Layout, LayoutError, UnsupportedError, atoms, layout_from_table, make_tiled_mma, ptx
from symlayout.atoms.atom import CopyAtom, MmaAtom

from .backend import Chain
from .device import chain_defines, cupy, source
from .element import Array, element
from .maps import table

COPY_ATOMS = {
    "ldmatrix.x1": "SM75_U32x1_LDSM_N",
    "ldmatrix.x2": "SM75_U32x2_LDSM_N",
    "ldmatrix.x4": "SM75_U32x4_LDSM_N",
    "ldmatrix.x1.trans": "SM75_U16x2_LDSM_T",
    "ldmatrix.x2.trans": "SM75_U16x4_LDSM_T",
    "ldmatrix.x4.trans": "SM75_U16x8_LDSM_T",
    "stmatrix.x1": "SM90_U32x1_STSM_N",
    "stmatrix.x2": "SM90_U32x2_STSM_N",
    "stmatrix.x4": "SM90_U32x4_STSM_N",
    "stmatrix.x1.trans": "SM90_U16x2_STSM_T",
    "stmatrix.x2.trans": "SM90_U16x4_STSM_T",
    "stmatrix.x4.trans": "SM90_U16x8_STSM_T",
    "movmatrix": "SM75_U32x1_MOVM_T",
}


@dataclass(frozen=True)
class Agreement:
    """An instruction: what it was seen to do, and whether CuTe's trait and the manual say the same."""

    instruction: str
    atom: str
    name: str  # what was asked for
    asked: int  # places, or pairs of places
    seen: str  # digest of what was observed
    cute: bool
    manual: bool
    found: str  # the layout of what was seen, where there is one

    @property
    def agree(self) -> bool:
        return self.cute and self.manual


# ── moves ──────────────────────────────────────────────────────────────────────────────────────────────────


def observe_move(instruction: str) -> Array:
    """[lane, register, part]: the name (row * 8 + column, rows named by lanes) of what the instruction puts,
    or takes, there."""
    words = instruction.split(".")
    count = int(words[1][1:]) if len(words) > 1 else 1
    regs = [f"r[{k}]" for k in range(count)]
    held = "{" + ", ".join(f"%{k}" for k in range(count)) + "}"
    form = f"sync.aligned.m8n8.x{count}{'.trans' if 'trans' in words else ''}.shared.b16"
    lanes = np.arange(32)[:, None, None]
    names = (lanes * count * 2 + np.arange(count * 2).reshape(1, count, 2)).astype(
        np.uint16
    )  # of register parts
    if words[0] == "ldmatrix":
        outputs = ", ".join(f'"=r"({r})' for r in regs)
        text = f'asm volatile("ldmatrix.{form} {held}, [%{count}];" : {outputs} : "r"(row) : "memory");'
        out = _launch("LOAD", text, count, np.arange(256, dtype=np.uint16), 32 * count)
        return out.reshape(32, count, 2).astype(np.int64)
    if words[0] == "stmatrix":
        inputs = ", ".join(f'"r"({r})' for r in regs)
        text = f'asm volatile("stmatrix.{form} [%{count}], {held};" :: {inputs}, "r"(row) : "memory");'
        memory = _launch("STORE", text, count, names, 128).astype(np.int64)
        result = np.full(32 * count * 2, -1, dtype=np.int64)
        written = np.flatnonzero(memory != 0xFFFF)
        result[memory[written]] = written
        return result.reshape(32, count, 2)
    text = 'asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[0]) : "r"(r[0]));'
    return _launch("MOVE", text, 1, names, 32).reshape(32, 1, 2).astype(np.int64)


def _launch(kind: str, text: str, regs: int, data: Array, words: int) -> Array:
    cp = cupy()
    filled = source("moves", {kind: "1", "MOVE_TEXT": text, "REGS": str(regs)})
    kernel = cp.RawKernel(filled, "moves", ("-std=c++17",))
    out = cp.zeros(words, dtype=cp.uint32)
    kernel((1,), (32,), (cp.asarray(np.ascontiguousarray(data).reshape(-1).view(np.uint32)), out))
    return np.array(out.get()).view(np.uint16)


def manual_move(instruction: str) -> Array:
    """The same table by the formulas of the manual."""
    words = instruction.split(".")
    count = int(words[1][1:]) if len(words) > 1 else 1
    result = np.zeros((32, count, 2), dtype=np.int64)
    for lane in range(32):
        for m in range(count):
            for part in range(2):
                if words[0] == "movmatrix":  # the register part that held the element which comes out here
                    row, column = (int(x) for x in ptx.matrix_moves.movmatrix_result(lane, 0, part))
                    result[lane, m, part] = (row * 4 + column // 2) * 2 + column % 2
                    continue
                name = f"{words[0]}.m8n8{'.trans' if 'trans' in words else ''}.b16"
                row, column = (int(x) for x in ptx.MOVES[name].element(lane, 0, part))
                result[lane, m, part] = (8 * m + row) * 8 + column
    return result


def cute_move(instruction: str) -> Array:
    """The same table by CuTe's trait: the register side in 16-bit elements, the row side lane after lane."""
    atom = atoms.get(COPY_ATOMS[instruction])
    assert isinstance(atom, CopyAtom)
    typed = atom.with_type("half_t")
    registers = typed.layout_src if instruction.startswith("stmatrix") else typed.layout_dst
    rows = typed.layout_dst if instruction.startswith("stmatrix") else typed.layout_src
    place = {int(v): k for k, v in reversed(list(enumerate(_by_lane(rows))))}
    seen = [place[int(v)] for v in _by_lane(registers)]
    return np.array(seen, dtype=np.int64).reshape(32, -1, 2)


def _by_lane(tv: Any) -> list[int]:
    """The values of a (lane, value) layout, lane after lane."""
    return [int(x) for x in table(tv).reshape(int(tv[1].size()), int(tv[0].size())).T.reshape(-1)]


# ── mma ────────────────────────────────────────────────────────────────────────────────────────────────────


def observe_mma(atom: MmaAtom) -> tuple[Array, Array]:
    """`met` and `where` of all pairs of places, [place of A, place of B]. See the module's text."""
    cp = cupy()
    chain = Chain(make_tiled_mma(atom), (Layout(1), Layout(1)))
    defines = chain_defines(chain)
    kind = element(atom.type_A)
    one = int(kind.encode(np.array([1]))[0])
    per_c = 2 if atom.type_C == "half_t" else 1
    counts = [int(layout[1].size()) for layout in (atom.layout_A, atom.layout_B)]
    defines |= {"A_VALUES": str(counts[0]), "B_VALUES": str(counts[1])}
    defines |= {"ONE": f"{one & 0xFFFFFFFF}u", "PER_C": str(per_c)}
    kernel = cp.RawKernel(source("onehot", defines), "onehot", ("-std=c++17",))
    a, b = 32 * counts[0], 32 * counts[1]
    met, where = cp.zeros((a, b), cp.uint8), cp.zeros((a, b), cp.uint16)
    kernel((a, b), (32,), (met, where, np.int32(0)))
    return np.array(met.get()), np.array(where.get())


def predicted_mma(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """The same from the coordinates of each place: (row, k) in A, (column, k) in B, (row, column) in C."""
    lit = {(int(m), int(n)): k for k, (m, n) in enumerate(c)}
    grid = np.full((int(c[:, 0].max()) + 1, int(c[:, 1].max()) + 1), -1, dtype=np.int64)
    for (m, n), k in lit.items():
        grid[m, n] = k
    met = a[:, None, 1] == b[None, :, 1]
    where = np.where(met, grid[a[:, None, 0], b[None, :, 0]], 0xFFFF)
    return met.astype(np.uint8), where.astype(np.uint16)


def manual_places(atom: MmaAtom) -> tuple[Array, Array, Array]:
    words = atom.ptx.split(".")
    found = ptx.mma(words[3], words[7])

    def places(f: ptx.Fragment, turn: bool) -> Array:
        held = [[int(x) for x in f(lane, i)] for lane in range(32) for i in range(f.values)]
        return np.array(held)[:, ::-1] if turn else np.array(held)

    return places(found.A, False), places(found.B, True), places(found.C, False)  # B is K x N in the manual


def cute_places(atom: MmaAtom) -> tuple[Array, Array, Array]:
    result = []
    for operand in "ABC":
        rows = atom.tile(operand)[0]
        index = np.array(_by_lane(atom.layout(operand)))
        result.append(np.stack([index % rows, index // rows], axis=1))
    return result[0], result[1], result[2]


# ── both ───────────────────────────────────────────────────────────────────────────────────────────────────


def digest(*tables: Array) -> str:
    """What a table of observations is recorded as."""
    joined = b"".join(np.ascontiguousarray(t).astype("<i8").tobytes() for t in tables)
    return hashlib.sha256(joined).hexdigest()


def predictions(name: str) -> dict[str, str]:
    """What CuTe and the manual say of an instruction, as digests of the table that it would give."""
    if name in COPY_ATOMS:
        return {"cute": digest(cute_move(name)), "manual": digest(manual_move(name))}
    atom = mma_atom(name)
    return {
        "cute": digest(*predicted_mma(*cute_places(atom))),
        "manual": digest(*predicted_mma(*manual_places(atom))),
    }


def mma_atom(name: str) -> MmaAtom:
    """A warp-wide `mma.sync` atom of the catalogue. Raises UnsupportedError for anything else."""
    atom = atoms.get(name)
    if not isinstance(atom, MmaAtom) or not atom.ptx.startswith("mma.sync") or atom.thr_id.size() != 32:
        known = ", ".join(COPY_ATOMS)
        raise UnsupportedError(f"{name} is no warp-wide mma.sync atom, and none of {known}")
    if ".xor" in atom.ptx:
        raise UnsupportedError(
            f"{atom.name}: under xor ones that do not meet light up too\n"
            "  ask its .and form: the fragments are the same"
        )
    return atom


def discover(name: str) -> Agreement:
    """Ask the device about `ldmatrix.x4.trans`, `movmatrix`, ..., or an MMA atom of the catalogue."""
    if name in COPY_ATOMS:
        seen = observe_move(name)
        return _agreement(name, COPY_ATOMS[name], name, seen.size, digest(seen), layout_text(seen))
    atom = mma_atom(name)
    met, where = observe_mma(atom)
    return _agreement(atom.ptx, atom.name, name, met.size, digest(met, where), "")


def _agreement(instruction: str, atom: str, name: str, asked: int, seen: str, found: str) -> Agreement:
    says = predictions(name)
    return Agreement(
        instruction, atom, name, asked, seen, says["cute"] == seen, says["manual"] == seen, found
    )


def layout_text(seen: Array) -> str:
    """The layout (lane, value) -> name of what was seen."""
    try:
        return str(layout_from_table([int(x) for x in seen.reshape(32, -1).T.reshape(-1)]))
    except LayoutError as error:
        return f"no layout: {str(error).splitlines()[0]}"


def differing(content: dict[str, Any]) -> list[str]:
    """Recorded fragments that the manual's formulas do not predict today."""
    return [
        f"{entry['instruction']}: the manual's formula says something else"
        for entry in content["fragments"]
        if predictions(entry["name"])["manual"] != entry["seen"]
    ]
