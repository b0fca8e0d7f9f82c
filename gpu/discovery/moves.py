"""Instructions that move without computing: what each is asked to do, and what CuTe and the manual say.

| names here | moves | table |
|---|---|---|
| `ldmatrix.x4.trans` ... | rows in shared memory, named by lanes, to registers | [lane, 16-bit part] |
| `stmatrix.x2` ... | registers to rows | [lane, 16-bit part] |
| `movmatrix`, `shfl.bfly.1`, `shfl.bfly.4` | registers to registers | [lane, 16-bit part] |
| `cp.async.ca.16.zfill` ..., `ld.shared.b32` ... | bytes to bytes of the same lane | [lane, byte] |

A table holds the name of what came there, or of what was taken from there: row * 8 + column where a lane
names a row, lane * parts + part where a lane holds registers or bytes. Data that names itself shows it.

Source: PTX ISA 9, "ldmatrix" (9.7.14.5.15), "stmatrix" (9.7.14.5.16), "movmatrix" (9.7.14.5.17), and the
sections of "shfl.sync", "cp.async", "ld" and "st".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from symlayout import ptx
from symlayout.atoms.atom import CopyAtom

from ..element import Array
from ..maps import table

ZERO = -2  # the name of a byte that was filled with zeros
NOT_WRITTEN = -1


@dataclass(frozen=True)
class Move:
    """One instruction: the kernel that asks for it, and what the manual says of it."""

    name: str
    kernel: str  # moves or copies
    defines: dict[str, str]
    parts: int  # 16-bit parts, or bytes, of a lane
    manual: Callable[[], Array]

    def __hash__(self) -> int:
        return hash(self.name)


# ── matrices ───────────────────────────────────────────────────────────────────────────────────────────────


def _matrix_move(name: str) -> Move:
    words = name.split(".")
    count = int(words[1][1:])
    trans = ".trans" if "trans" in words else ""
    form = f"sync.aligned.m8n8.x{count}{trans}.shared.b16"
    load = words[0] == "ldmatrix"
    regs = ", ".join(f'"{"=r" if load else "r"}"(r[{k}])' for k in range(count))
    held = "{" + ", ".join(f"%{k + (not load)}" for k in range(count)) + "}"
    if load:
        text = f'asm volatile("ldmatrix.{form} {held}, [%{count}];" : {regs} : "r"(row) : "memory");'
    else:
        text = f'asm volatile("stmatrix.{form} [%0], {held};" :: "r"(row), {regs} : "memory");'

    def manual() -> Array:
        element = ptx.MOVES[f"{words[0]}.m8n8{trans}.b16"].element
        result = np.zeros((32, count, 2), dtype=np.int64)
        for lane, m, part in np.ndindex(result.shape):
            row, column = (int(x) for x in element(lane, 0, part))
            result[lane, m, part] = (8 * m + row) * 8 + column
        return result.reshape(32, -1)

    kind = "LOAD" if load else "STORE"
    return Move(name, "moves", {"KIND": kind, "MOVE_TEXT": text, "REGS": str(count)}, 2 * count, manual)


def _movmatrix() -> Move:
    text = 'asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[0]) : "r"(r[0]));'

    def manual() -> Array:
        result = np.zeros((32, 2), dtype=np.int64)
        for lane, part in np.ndindex(result.shape):  # the part that held the element which comes out here
            row, column = (int(x) for x in ptx.matrix_moves.movmatrix_result(lane, 0, part))
            result[lane, part] = (row * 4 + column // 2) * 2 + column % 2
        return result

    return Move("movmatrix", "moves", {"KIND": "MOVE", "MOVE_TEXT": text, "REGS": "1"}, 2, manual)


def _exchange(mask: int) -> Move:
    """CuTe's SM50_Shuffle_U32_2x2Trans_XOR*: each of two lanes gives the register that the other lacks.

    CuTe writes one of two registers and leaves the other, so it transposes only in place, as here.
    """
    text = (
        f"const bool upper = lane & {mask}; unsigned got; "
        f'asm volatile("shfl.sync.bfly.b32 %0, %1, {mask}, 0x1f, 0xffffffff;" '
        f': "=r"(got) : "r"(upper ? r[0] : r[1])); '
        "if (upper) r[0] = got; else r[1] = got;"
    )

    def manual() -> Array:
        lane = np.arange(32)
        held = lane[:, None] * 4 + np.arange(4)  # names of the parts of r0, r0, r1, r1
        upper = lane & mask > 0
        given = np.where(upper[:, None], held[:, :2], held[:, 2:])
        got = given[lane ^ mask]  # shfl.bfly: the source lane is the own XOR the mask
        result = held.copy()
        result[upper, :2], result[~upper, 2:] = got[upper], got[~upper]
        return result

    return Move(f"shfl.bfly.{mask}", "moves", {"KIND": "MOVE", "MOVE_TEXT": text, "REGS": "2"}, 4, manual)


# ── bytes ──────────────────────────────────────────────────────────────────────────────────────────────────


def _own_bytes(count: int, zeros: bool = False) -> Callable[[], Array]:
    """Byte i comes to byte i; and below, where the copy reads nothing, zeros."""

    def manual() -> Array:
        moved = np.arange(32 * count).reshape(32, count)
        return np.concatenate([moved, np.full_like(moved, ZERO)], axis=1) if zeros else moved

    return manual


def _cp_async(cached: str, count: int, zeros: bool) -> Move:
    instruction = f"cp.async.{cached}.shared.global.L2::128B [%0], [%1], {count}"
    operands = '"r"(to), "l"(far)'
    if zeros:
        instruction, operands = instruction + ", %2", operands + ', "r"(size)'
    text = f'asm volatile("{instruction};" :: {operands} : "memory");'
    name = f"cp.async.{cached}.{count}{'.zfill' if zeros else ''}"
    defines = {"BYTES": str(count), "COPY_TEXT": text}
    return Move(name, "copies", defines, count * (1 + zeros), _own_bytes(count, zeros))


def _through_registers(bits: int) -> Move:
    """A load and a store of one width: what CuTe's UniversalCopy compiles to between shared memories."""
    registers = max(1, bits // 64)
    letter, kind = {8: ("r", "unsigned"), 16: ("h", "unsigned short"), 32: ("r", "unsigned")}.get(
        bits, ("l", "unsigned long long")
    )
    width = f"v2.b{bits // 2}" if registers == 2 else f"b{bits}"
    held = "{%0, %1}" if registers == 2 else "%0"
    into = "{%1, %2}" if registers == 2 else "%1"
    out = ", ".join(f'"={letter}"(w[{k}])' for k in range(registers))
    back = ", ".join(f'"{letter}"(w[{k}])' for k in range(registers))
    text = (
        f"{kind} w[{registers}]; "
        f'asm volatile("ld.shared.{width} {held}, [%{registers}];" : {out} : "r"(near) : "memory"); '
        f'asm volatile("st.shared.{width} [%0], {into};" :: "r"(to), {back} : "memory");'
    )
    defines = {"BYTES": str(bits // 8), "COPY_TEXT": text}
    return Move(f"ld.shared.b{bits}", "copies", defines, bits // 8, _own_bytes(bits // 8))


MOVES: dict[str, Move] = {
    move.name: move
    for move in (
        *(_matrix_move(f"{name}.x{count}{trans}")
          for name in ("ldmatrix", "stmatrix") for trans in ("", ".trans") for count in (1, 2, 4)),
        _movmatrix(), _exchange(1), _exchange(4),
        *(_cp_async(cached, count, zeros) for zeros in (False, True)
          for cached, counts in (("ca", (4, 8, 16)), ("cg", (16,))) for count in counts),
        *(_through_registers(bits) for bits in (8, 16, 32, 64, 128)),
    )
}  # fmt: skip


# ── CuTe ───────────────────────────────────────────────────────────────────────────────────────────────────


def move_of(atom: CopyAtom) -> str:
    """The move that a copy atom issues; empty when it is not one of MOVES."""
    words = atom.ptx.split(".")
    if atom.name.startswith("SM50_Shuffle"):
        return f"shfl.bfly.{atom.name[-1]}"
    if words[0] == "movmatrix":
        return "movmatrix"
    if words[0] in ("ldmatrix", "stmatrix") and "m8n8" in words:
        count = next(w for w in words if w[0] == "x")
        return f"{words[0]}.{count}{'.trans' if 'trans' in words else ''}"
    if words[0] == "cp":
        size = int(atom.bits_src.size()) // 8
        return f"cp.async.{words[2]}.{size}{'.zfill' if '_ZFILL' in atom.name else ''}"
    if atom.arch == "universal" and atom.registers_S == atom.registers_D:  # others convert
        from symlayout.atoms.value_types import value_bits

        return f"ld.shared.b{value_bits(atom.registers_S[0])}"
    return ""


def cute(atom: CopyAtom) -> Array:
    """What the atom's trait says its move does: the table that it would show."""
    move = MOVES[move_of(atom)]
    if move.kernel == "copies":
        return _cute_bytes(atom, move)
    typed = atom.with_type("half_t")
    store = move.name.startswith("stmatrix")
    registers, rows = (typed.layout_src, typed.layout_dst) if store else (typed.layout_dst, typed.layout_src)
    place = {v: k for k, v in reversed(list(enumerate(_by_lane(rows))))}
    return np.array([place[v] for v in _by_lane(registers)], dtype=np.int64).reshape(32, -1)


def _cute_bytes(atom: CopyAtom, move: Move) -> Array:
    count = int(move.defines["BYTES"])
    source, target = (_by_lane(layout) for layout in (atom.bits_src, atom.bits_dst))
    if len(source) > 1:  # in bits; else one element, whatever its width
        place = {v: k // 8 for k, v in enumerate(source)}
        own = np.array([place[v] for v in target[::8]])
    else:
        own = np.arange(count)
    moved = np.arange(32)[:, None] * count + own
    zeros = move.parts > count
    return np.concatenate([moved, np.full_like(moved, ZERO)], axis=1) if zeros else moved


def _by_lane(tv: Any) -> list[int]:
    """The values of a (lane, value) layout, lane after lane."""
    return [int(x) for x in table(tv).reshape(int(tv[1].size()), int(tv[0].size())).T.reshape(-1)]
