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

cp.async.ca and the atomics have the same phases, but their lanes do not share a word: a phase takes as many
wavefronts as the largest number of words that its lanes write into one bank, each lane's counted. Two of the
atomics are measured to differ: a compare-and-swap takes every wavefront twice, and an addition of the
constant 1 whose result nobody reads counts lanes, so that those of one word share it.

cp.async.cg goes past the pipe that the hardware's counters watch: they see no wavefront of it. The profiler
has a counter of the instruction for it, whose numbers are recorded; the two models made for them did not
last (gpu/banks/probes.py), and there is none here.

Addresses are in bytes. Source: measured on an H200 (sm_90) with Nsight Compute:
tests/golden/banks_h200.jsonl and gpu/results/banks-*.json.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from .access_width import Width, access_width, by_access
from .algebra import product_each
from .atoms.value_types import value_bits
from .copy_tiling import TiledCopy
from .errors import LayoutError, UnsupportedError
from .inttuple import flatten_to_tuple
from .periods import innermost, kinds, period_of

BANKS = 32
WORD = 4  # bytes
MOST_KINDS = 1 << 16  # accesses that differ from each other in their banks

_MATRIX = re.compile(r"(?:ld|st)matrix\.x([124])(?:\.trans)?")
_PLAIN = re.compile(r"(ld|st)\.shared\.(?:v([24])\.)?([bufs])(8|16|32|64|128)")
_ASYNC = re.compile(r"cp\.async\.(?:ca|cg)\.shared\.global\.(4|8|16)")
#: what is one instruction of the machine, and not a loop of loads and compare-and-swaps
_ATOMIC = re.compile(
    r"(?:(?:atom|red)\.shared\.(?:(?:add|min|max)\.[us]32|(?:inc|dec)\.u32|(?:and|or|xor)\.b32)(?: by 1)?"
    r"|atom\.shared\.(?:exch|cas)\.b(?:32|64|128))"
)
_MATRIX_ATOM = re.compile(r"SM\d+_U(8|16|32)x(\d+)_(LDSM|STSM)_[NT]")
#: a load, a store or a cp.async; others move between registers, from global memory, or to tensor memory
_PLAIN_ATOMS = ("UniversalCopy<", "DefaultCopy", "AutoVectorizingCopy", "SM80_CP_ASYNC_")
_KNOWN = """known are ldmatrix and stmatrix .x1 .x2 .x4 [.trans]; ld.shared and st.shared of b, u, s and f
  8 to 128 [.v2 .v4] up to 16 bytes; cp.async.ca.shared.global.4 .8 .16 and cp.async.cg.shared.global.16; atom
  and red.shared of 32-bit integers; atom.shared.exch and .cas of b32, b64 and b128"""


class Access:
    """One instruction's way to shared memory: `Access("ldmatrix.x4")`, `Access("ld.shared.v4.u32")`.

    `bytes` a lane names, `lanes` whose addresses count, `phase` lanes served together, whether phases can
    merge (`merges`), whether lanes that name one word share it (`shares`), how often every wavefront is taken
    (`passes`), and whether it goes past the counted pipe (`bypasses`). Raises UnsupportedError for an
    instruction that is not known.
    """

    __slots__ = ("bypasses", "bytes", "instruction", "lanes", "merges", "passes", "phase", "shares")

    def __init__(self, instruction: str) -> None:
        if not isinstance(instruction, str):
            raise LayoutError(f"Access: {instruction!r} is not the name of an instruction")
        self.instruction = instruction
        self.bypasses = instruction.startswith("cp.async.cg")
        self.passes = 2 if ".cas." in instruction else 1
        if matrix := _MATRIX.fullmatch(instruction):
            self.bytes, self.lanes, self.phase = 16, 8 * int(matrix[1]), 8
            self.merges, self.shares = False, True
            return
        self.bytes, self.lanes = self._width(instruction), 32
        self.phase = min(32, 32 * WORD // self.bytes)
        self.merges = instruction.startswith("ld.") and self.bytes > WORD
        self.shares = instruction.startswith(("ld.", "st.")) or instruction.endswith(" by 1")

    @staticmethod
    def _width(instruction: str) -> int:
        """Bytes a lane of what is not a matrix."""
        if plain := _PLAIN.fullmatch(instruction):
            width = int(plain[2] or 1) * int(plain[4]) // 8
            letters = {"128": "b", "64": "bufs", "32": "bufs"}.get(plain[4], "bus")
            if width <= 16 and plain[3] in letters:
                return width
        elif copy := _ASYNC.fullmatch(instruction):
            if ".ca." in instruction or copy[1] == "16":
                return int(copy[1])
        elif _ATOMIC.fullmatch(instruction):
            bits = re.findall(r"[bus](32|64|128)", instruction)[0]
            return int(bits) // 8
        raise UnsupportedError(
            f"{instruction} is not an access to shared memory that is modelled\n  {_KNOWN}"
        )

    def phases(self, addresses: Sequence[int | None]) -> list[list[int]]:
        """The addresses (bytes, one a lane; None for a lane that stays out) cut into what is served
        together, phases without a lane left out. Raises LayoutError for a misaligned address.
        """
        if len(addresses) < self.lanes:
            raise LayoutError(f"{self.instruction}: {len(addresses)} addresses for {self.lanes} lanes")
        for lane, a in enumerate(addresses[: self.lanes]):
            if a is not None and a % self.bytes:
                raise LayoutError(
                    f"{self.instruction}: lane {lane} names byte {a}, which is not a multiple of {self.bytes}"
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
        """How often the fullest bank has to be asked for one phase. Raises UnsupportedError for what goes
        past the counted pipe."""
        if self.bypasses:
            raise UnsupportedError(
                f"{self.instruction}: how it is served is not modelled\n"
                "  it goes past the pipe whose wavefronts the hardware counts"
            )
        words = [w for a in phase for w in range(a // WORD, (a + self.bytes - 1) // WORD + 1)]
        load = [0] * BANKS
        for w in set(words) if self.shares else words:
            load[w % BANKS] += 1
        return max(load)

    def wavefronts(self, addresses: Sequence[int | None]) -> int:
        """Wavefronts of the whole access, as the hardware counts them."""
        phases = self.phases(addresses)
        return 0 if self.bypasses else self.passes * sum(map(self.phase_wavefronts, phases))

    def conflicts(self, addresses: Sequence[int | None]) -> int:
        """Wavefronts beyond one a phase: what Nsight Compute counts as bank conflicts."""
        phases = self.phases(addresses)
        return 0 if self.bypasses else sum(map(self.phase_wavefronts, phases)) - len(phases)

    def degree(self, addresses: Sequence[int | None]) -> Fraction:
        """Wavefronts a phase, of one pass: 1 is free of conflicts."""
        phases = self.phases(addresses)
        return Fraction(sum(map(self.phase_wavefronts, phases)), len(phases))


def access_of(copy: TiledCopy, tensor: Any = None, width: Width | None = None) -> Access:
    """The access of a copy to a tensor in shared memory: ldmatrix, stmatrix or cp.async of its atom's name,
    else a load or a store of the atom's width, or of the width to which the copy vectorizes by itself
    (access_width.py; that depends on the tensor, and is one element where none is given).

    Raises UnsupportedError for a width that no instruction has, for an atom that is not a way to shared
    memory or not modelled, and for an operand that the mma reads from there itself.
    """
    copy.check_registers()
    name = copy.atom.name
    if matrix := _MATRIX_ATOM.fullmatch(name):
        word = "ldmatrix" if matrix[3] == "LDSM" else "stmatrix"
        return Access(f"{word}.x{int(matrix[2]) * int(matrix[1]) // 32}")
    if not name.startswith(_PLAIN_ATOMS):
        raise UnsupportedError(f"{name}: no access to shared memory that is modelled")
    if width is None and tensor is not None:
        width = access_width(copy, tensor, memory_side(copy))
    values = int(copy.atom.layout_src[1].size()) if width is None else width.values
    bits = values * value_bits(copy.atom.val_type)
    if _asynchronous(copy):
        return Access(f"cp.async.{'ca' if 'CACHEALWAYS' in name else 'cg'}.shared.global.{bits // 8}")
    moved = {8: "u8", 16: "u16", 32: "u32", 64: "b64", 128: "v4.u32"}.get(bits)
    if moved is None:
        raise UnsupportedError(f"{name}: no access to shared memory moves {bits} bits a lane")
    return Access(f"{'st' if copy.register_side == 'S' else 'ld'}.shared.{moved}")


def moves_matrices(atom: str) -> bool:
    """Whether a copy atom of this name is ldmatrix or stmatrix, which go to shared memory only."""
    return _MATRIX_ATOM.fullmatch(atom) is not None


def _asynchronous(copy: TiledCopy) -> bool:
    """Whether a copy writes to shared memory past the registers."""
    return copy.atom.name.startswith("SM80_CP_ASYNC")


def memory_side(copy: TiledCopy) -> str:
    """ "S" where a copy reads shared memory; "D" where it writes it, from registers or, cp.async, past
    them."""
    return "D" if copy.register_side == "S" or _asynchronous(copy) else "S"


class Accesses:
    """The accesses that a tiled copy makes to a tensor in shared memory, which starts at a multiple of 128
    bytes: `steps` of the copy, in each one access of each of `warps`. `width` is that of an access, where it
    is known already."""

    def __init__(self, copy: TiledCopy, tensor: Any, width: Width | None = None) -> None:
        self.bits = value_bits(copy.atom.val_type)
        self.named = by_access(copy, tensor, memory_side(copy), width)  # (thread, value, step) -> offset
        self.threads, _, self.steps = (int(n) for n in product_each(self.named.shape))
        self.warps = -(-self.threads // 32)

    def at(self, step: int, warp: int) -> list[int]:
        """The byte address of every lane."""
        threads = range(32 * warp, min(32 * warp + 32, self.threads))
        return [int(self.named(t, 0, step)) * self.bits // 8 for t in threads]

    def __iter__(self) -> Iterator[tuple[int, int, list[int]]]:
        for step in range(self.steps):
            for warp in range(self.warps):
                yield step, warp, self.at(step, warp)

    def alike(self) -> Iterator[tuple[int, int, list[int], int]]:
        """(copy step, warp, byte address by lane, how many) of one access of every kind, the least.

        A step adds the same to all lanes, before the swizzle if there is one. So steps whose offsets leave
        one remainder modulo the swizzle's period, and modulo a word, put the words of their lanes into banks
        alike. Raises UnsupportedError where more than `MOST_KINDS` accesses differ.
        """
        inside = innermost(self.named)
        period = lcm(period_of(self.named), 8 * WORD // gcd(8 * WORD, self.bits))
        steps = (flatten_to_tuple(inside.shape[2]), flatten_to_tuple(inside.stride[2]))
        for kind in kinds(*steps, period, MOST_KINDS // self.warps).values():
            for warp in range(self.warps):
                yield kind.least, warp, self.at(kind.least, warp), kind.times


def accesses(copy: TiledCopy, tensor: Any) -> Iterator[tuple[int, int, list[int]]]:
    """(copy step, warp, byte address by lane) of every access that a tiled copy makes to a tensor in shared
    memory, which starts at a multiple of 128 bytes.
    """
    return iter(Accesses(copy, tensor))


def worst_degree(copy: TiledCopy, tensor: Any) -> Fraction:
    """The greatest degree among all accesses of a copy: 1 means that it is free of bank conflicts."""
    access = access_of(copy, tensor)
    return max(access.degree(addresses) for _, _, addresses, _ in Accesses(copy, tensor).alike())
