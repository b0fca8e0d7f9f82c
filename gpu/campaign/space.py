"""The space that the campaign draws from: configurations, and (configuration, mutation) pairs, by a seed.

The same seed gives the same pairs on every machine: only `Random.random` is used, whose sequence Python
guarantees. The pairs are all different, and the kinds of mutations take turns; a kind that finds nothing new
any more drops out.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from symlayout import SymlayoutError, atoms

from ..configuration import Configuration
from ..element import element
from .base import Base, base
from .mutation import Mutation, Pick
from .mutations import MUTATIONS
from .mutations_tiling import CuteView, shuffles

CONFIGURATIONS = 800
SEED = 20261201
TRIES = 200  # in a row for a kind of mutation, before it drops out
MOST_REGISTERS = 8192  # of all threads
MOST_BYTES = 16384  # of shared memory

# Stated here and not taken from `cases`, so that the same seed means the same pairs when the cases grow.
MMAS = (
    *("SM75_16x8x8_F32F16F16F32_TN", "SM75_8x8x16_S32S8S8S32_TN"),
    *("SM80_16x8x8_F16F16F16F16_TN", "SM80_16x8x16_F16F16F16F16_TN", "SM80_16x8x16_F32F16F16F32_TN"),
    *("SM80_16x8x8_F32BF16BF16F32_TN", "SM80_16x8x16_F32BF16BF16F32_TN"),
    *("SM80_16x8x4_F32TF32TF32F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN"),
    *("SM80_8x8x4_F64F64F64F64_TN", "SM90_16x8x8_F64F64F64F64_TN"),
    *("SM80_16x8x16_S32S8S8S32_TN", "SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x32_S32U8U8S32_TN"),
    *("SM80_8x8x32_S32S4S4S32_TN", "SM80_16x8x32_S32S4S4S32_TN", "SM80_16x8x64_S32U4U4S32_TN"),
    *("SM80_8x8x128_S32U1U1S32_TN_XORPOPC", "SM80_16x8x256_S32U1U1S32_TN_ANDPOPC"),
    *("SM89_16x8x32_F32E4M3E4M3F32_TN", "SM89_16x8x32_F32E5M2E5M2F32_TN"),
)
COPIES = (
    *("SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N"),
    *("SM75_U16x2_LDSM_T", "SM75_U16x4_LDSM_T", "SM75_U16x8_LDSM_T"),
    *("SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T", "UniversalCopy<uint32_t>"),
)
ATOM_LAYOUTS = ("1,1,1", "1,1,1", "2,1,1", "1,2,1", "2,2,1", "4,1,1", "1,4,1", "1,1,2")
SHIFTS = (3, 3, 3, 2, 4, 5, 6)  # of a swizzle, as often as they are drawn


@dataclass(frozen=True)
class Pair:
    """One configuration with one mutation."""

    base: Base
    mutation: Mutation

    def __str__(self) -> str:
        c = self.base.configuration
        words = (c.mma, c.copy, c.operand, c.tensor, c.atoms, c.permutation or "-")
        return f"{', '.join(words)} | {self.mutation}"


def digest(pairs: Iterable[Pair]) -> str:
    """What tells two lists of pairs apart."""
    text = "\n".join(map(str, pairs))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def picker(seed: str) -> Pick:
    """Whole numbers below any bound, from a seed."""
    source = random.Random(seed)
    return lambda n: int(source.random() * n)


def drawn(pick: Pick) -> Configuration:
    """A configuration as words, which CuTe or the instruction may refuse."""
    name = MMAS[pick(len(MMAS))]
    atom = atoms.mma(name)
    operand = "AB"[pick(2)]
    copy = COPIES[pick(len(COPIES))]
    layout = ATOM_LAYOUTS[pick(len(ATOM_LAYOUTS))]
    sizes = [int(m) * int(a) for m, a in zip(atom.shape_mnk, layout.split(","), strict=True)]
    which = {"A": 0, "B": 1}[operand]
    words = [str(size) for size in sizes]
    for i in (which, 2):
        choices = shuffles(sizes[i])
        words[i] = choices[pick(len(choices))]
    permutation = ",".join(words)
    rows = sizes[which] * (2 << pick(2))
    columns = sizes[2] * (1 << pick(3))
    tensor = _tensor(rows, columns, element(atom.type(operand)).bits, copy.endswith("_T"), pick)
    plain = permutation == ",".join(map(str, sizes))
    return Configuration(name, copy, operand, tensor, layout, "" if plain else permutation)


def _tensor(rows: int, columns: int, bits: int, by_columns: bool, pick: Pick) -> str:
    """A layout of shared memory: padded, swizzled, or neither; K contiguous, or M and N for a load that
    transposes."""
    line = rows if by_columns else columns
    what = pick(5)
    piece = max(128 // bits, 1)  # elements of 16 bytes
    pitch = line + piece * pick(3) if what < 2 else line
    shape = f"({rows},{columns})"
    plain = f"{shape}:(1,{pitch})" if by_columns else f"{shape}:({pitch},1)"
    if what < 3:
        return plain
    swizzle_bits, shift = 1 + pick(3), SHIFTS[pick(len(SHIFTS))]
    return f"Sw<{swizzle_bits},{piece.bit_length() - 1},{max(shift, swizzle_bits)}> o 0 o {plain}"


def configurations(seed: int, count: int = CONFIGURATIONS) -> list[Base]:
    """So many different configurations that CuTe and the instruction accept, of a size that is quickly
    asked."""
    pick = picker(f"{seed} configurations")
    found: dict[Configuration, Base] = {}
    while len(found) < count:
        configuration = drawn(pick)
        if configuration in found:
            continue
        try:
            known = base(configuration)
        except SymlayoutError:
            continue
        small = known.cute.elements * known.cute.element.bits <= 8 * MOST_BYTES
        if small and known.cute.threads * known.cute.view.size() <= MOST_REGISTERS:
            found[configuration] = known
    return list(found.values())


@lru_cache(maxsize=2)
def pairs(seed: int, count: int, pool: int = CONFIGURATIONS) -> tuple[Pair, ...]:
    """So many different pairs, fewer only if every kind of mutation has run out."""
    bases = configurations(seed, pool)
    sources = {kind: _of_kind(kind, bases, seed) for kind in MUTATIONS}
    found: list[Pair] = []
    while sources and len(found) < count:
        for kind, source in list(sources.items()):
            pair = next(source, None)
            if pair is None:
                del sources[kind]
            elif len(found) < count:
                found.append(pair)
    return tuple(found)


def _of_kind(kind: type[Mutation], bases: list[Base], seed: int) -> Iterator[Pair]:
    pick = picker(f"{seed} {kind.title}")
    known: set[tuple[int, Mutation]] = set()
    failures = 0
    while failures < TRIES:
        place = pick(len(bases))
        mutation = _drawn(kind, bases[place], pick)
        if mutation is None or (place, mutation) in known:
            failures += 1
            continue
        failures = 0
        known.add((place, mutation))
        yield Pair(bases[place], mutation)


def _drawn(kind: type[Mutation], known: Base, pick: Pick) -> Mutation | None:
    if known.plan is None and kind is not CuteView:
        return None  # there is no right view to start from
    return kind.draw(known, pick)
