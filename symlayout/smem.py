"""Shared memory: in how many wavefronts an access of a warp is served, and how many of them are bank
conflicts.

32 banks of 4 bytes; word w lies in bank w % 32. A warp's access is cut into phases of consecutive lanes
that are served one after the other:

    bytes a lane     4 or fewer   8    16
    lanes a phase        32       16    8       ldmatrix and stmatrix: each 8-row matrix is a phase

A phase takes as many wavefronts as the largest number of distinct words that fall into one bank; lanes
that name the same word share it. Loads of 8 and 16 bytes (not stores, not ldmatrix) merge two
neighbouring phases where every lane names the same address as lane^1, or every lane the same as lane^2; a
lane that stays out agrees with any, so that a load by the even lanes alone merges. A phase of no lanes
takes nothing. Conflicts are the wavefronts beyond one a phase.

Addresses are in bytes. Source: measured on an H200 (sm_90) with Nsight Compute:
tests/golden/banks_h200.jsonl and gpu/results/banks-*.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from .atoms.value_types import value_bits
from .copy_tiling import TiledCopy
from .errors import LayoutError, UnsupportedError

BANKS = 32
WORD = 4  # bytes

#: bytes a lane names, lanes whose addresses count, whether it is a load whose phases can merge
_PLAIN = {
    "u8": 1, "b8": 1, "u16": 2, "b16": 2, "u32": 4, "b32": 4, "f32": 4,
    "u64": 8, "b64": 8, "f64": 8, "v2.u32": 8, "v2.b32": 8, "v2.f32": 8,
    "v4.u32": 16, "v4.b32": 16, "v4.f32": 16, "v2.u64": 16, "v2.b64": 16, "b128": 16,
}  # fmt: skip


class Access:
    """One instruction's way to shared memory: `Access("ldmatrix.x4")`, `Access("ld.shared.v4.u32")`.

    `bytes` a lane names, `lanes` whose addresses count, `phase` lanes served together. Raises
    UnsupportedError for an instruction that is not known.
    """

    __slots__ = ("bytes", "instruction", "lanes", "merges", "phase")

    def __init__(self, instruction: str) -> None:
        self.instruction = instruction
        words = instruction.split(".")
        if words[0] in ("ldmatrix", "stmatrix") and words[1:2] in (["x1"], ["x2"], ["x4"]):
            self.bytes, self.lanes, self.phase, self.merges = 16, 8 * int(words[1][1:]), 8, False
            return
        width = _PLAIN.get(".".join(words[2:]))
        if words[0] not in ("ld", "st") or words[1:2] != ["shared"] or width is None:
            raise UnsupportedError(
                f"{instruction} is no access to shared memory that is modelled\n"
                "  known are ldmatrix and stmatrix .x1 .x2 .x4, and ld.shared and st.shared of "
                + ", ".join(_PLAIN)
            )
        self.bytes, self.lanes = width, 32
        self.phase = min(32, 32 * WORD // width) if width > WORD else 32
        self.merges = words[0] == "ld" and width > WORD

    def phases(self, addresses: Sequence[int | None]) -> list[list[int]]:
        """The addresses (bytes, one a lane; None for a lane that stays out) cut into what is served
        together, phases without a lane left out. Raises LayoutError for a misaligned address.
        """
        if len(addresses) < self.lanes:
            raise LayoutError(f"{self.instruction}: {len(addresses)} addresses for {self.lanes} lanes")
        for lane, a in enumerate(addresses[: self.lanes]):
            if a is not None and a % self.bytes:
                raise LayoutError(
                    f"{self.instruction}: lane {lane} names byte {a}, which is no multiple of {self.bytes}"
                )
        lanes = self.phase
        if self.merges and any(self._paired(addresses, d) for d in (1, 2)):
            lanes = min(32, 2 * lanes)
        cut = [[a for a in addresses[k : k + lanes] if a is not None] for k in range(0, self.lanes, lanes)]
        return [phase for phase in cut if phase]

    @staticmethod
    def _paired(addresses: Sequence[int | None], d: int) -> bool:
        """Whether every lane names what lane^d names; a lane that stays out agrees with any."""
        pairs = [(a, addresses[k ^ d]) for k, a in enumerate(addresses[:32])]
        return all(a is None or b is None or a == b for a, b in pairs)

    def phase_wavefronts(self, phase: Sequence[int]) -> int:
        """How often the fullest bank has to be asked for one phase."""
        words = {w for a in phase for w in range(a // WORD, (a + self.bytes - 1) // WORD + 1)}
        load = [0] * BANKS
        for w in words:
            load[w % BANKS] += 1
        return max(load)

    def wavefronts(self, addresses: Sequence[int | None]) -> int:
        """Wavefronts of the whole access."""
        return sum(self.phase_wavefronts(p) for p in self.phases(addresses))

    def conflicts(self, addresses: Sequence[int | None]) -> int:
        """Wavefronts beyond one a phase: what Nsight Compute counts as bank conflicts."""
        phases = self.phases(addresses)
        return sum(self.phase_wavefronts(p) for p in phases) - len(phases)

    def degree(self, addresses: Sequence[int | None]) -> Fraction:
        """Wavefronts a phase: 1 is free of conflicts."""
        phases = self.phases(addresses)
        return Fraction(sum(self.phase_wavefronts(p) for p in phases), len(phases))


def access_of(copy: TiledCopy) -> Access:
    """The access of a copy between shared memory and registers: ldmatrix or stmatrix of its atom's name, else
    one of the atom's width. Raises UnsupportedError for a width that no instruction has.
    """
    name = copy.atom.name
    for mark, word in (("_LDSM_", "ldmatrix"), ("_STSM_", "stmatrix")):
        if mark in name:
            width, count = name.split("_")[1].split("x")
            return Access(f"{word}.x{int(count) * int(width[1:]) // 32}")
    bits = int(copy.atom.layout_src[1].size()) * value_bits(copy.atom.val_type)
    moved = {8: "u8", 16: "u16", 32: "u32", 64: "b64", 128: "v4.u32"}.get(bits)
    if moved is None:
        raise UnsupportedError(f"{name}: no access to shared memory moves {bits} bits a lane")
    return Access(f"{'st' if copy.register_side == 'S' else 'ld'}.shared.{moved}")


def accesses(copy: TiledCopy, tensor: Any) -> Iterator[tuple[int, int, list[int]]]:
    """(copy step, warp, byte address by lane) of every access that a tiled copy makes to a tensor in shared
    memory, which starts at a multiple of 128 bytes. The tensor is read, or written by a copy whose registers
    are the source (stmatrix).
    """
    side = "D" if copy.register_side == "S" else "S"
    bits = value_bits(copy.atom.val_type)
    atom = copy.atom.layout_dst if side == "D" else copy.atom.layout_src
    values = int(atom[1].size())
    slices = [copy.get_slice(t) for t in range(copy.num_thr)]
    parts = [s.partition_D(tensor) if side == "D" else s.partition_S(tensor) for s in slices]
    for step in range(int(parts[0].size()) // values):
        named = [int(part(step * values)) * bits // 8 for part in parts]
        for warp in range(0, len(named), 32):
            yield step, warp // 32, named[warp : warp + 32]


def worst_degree(copy: TiledCopy, tensor: Any) -> Fraction:
    """The greatest degree among all accesses of a copy: 1 means that it is free of bank conflicts."""
    access = access_of(copy)
    return max(access.degree(addresses) for _, _, addresses in accesses(copy, tensor))
