"""The accesses whose wavefronts and bank conflicts are counted, and what is predicted of each.

They are aimed at what could break `symlayout.smem`: phases that merge or just fail to, lanes that stay out,
narrow accesses, the same address in odd places, and lanes of atomics and of cp.async that name one word.
The first 500 are those of the first measurement, unchanged, so that results stay comparable.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from symlayout.smem import Access

from .asm import ATOMICS, COPIES, FIRST, FURTHER

ALL = 0xFFFFFFFF
WINDOW = 65536  # bytes of shared memory that the accesses lie in


class Probe(NamedTuple):
    """One access: byte offset by lane, and the lanes that take part."""

    instruction: str
    pattern: str
    offsets: tuple[int, ...]
    active: int = ALL

    @property
    def kind(self) -> str:
        """Which of the profiler's counters count it (see `banks.COUNTERS`)."""
        if self.instruction in COPIES:
            return "ldgsts"
        if self.instruction in ATOMICS:
            return "atom"
        return self.instruction[:2]

    @property
    def lanes(self) -> list[int | None]:
        """Byte offset by lane, None for a lane that stays out."""
        return [o if self.active >> k & 1 else None for k, o in enumerate(self.offsets)]

    def predicted(self) -> tuple[int, int]:
        """(wavefronts, conflicts)."""
        access = Access(self.instruction)
        return access.wavefronts(self.lanes), access.conflicts(self.lanes)


@cache
def probes() -> tuple[Probe, ...]:
    """All accesses, the same ones every time."""
    made = [*first(5), *_merging(random.Random(6)), *_narrow(random.Random(7))]
    made += [*_copies(random.Random(8)), *_atomics(random.Random(9)), *_rows(random.Random(10))]
    return tuple(made)


def sample() -> tuple[Probe, ...]:
    """A few accesses of each instruction whose counters are not known beforehand."""
    some = ("red.shared.add.u32", "red.shared.add.u32 by 1", "atom.shared.cas.b32", "atom.shared.exch.b64")
    patterns = ("contiguous", "one lane", "one address", "same bank", "pairs, lane 0 apart")
    return tuple(p for p in probes() if p.instruction in (*COPIES, *some) and p.pattern in patterns)


def first(seed: int) -> Iterator[Probe]:
    """The accesses of the first measurement."""
    rng = random.Random(seed)
    for name in FIRST:
        w = Access(name).bytes
        for pattern, offsets in _patterns(rng, w).items():
            yield Probe(name, pattern, tuple(o % WINDOW for o in offsets))
        if "matrix" not in name:  # these are .aligned: no lane may stay out
            for pattern, active in _activities(rng).items():
                base = rng.sample(range(1024), 32)
                yield Probe(name, f"{pattern}, random", tuple(b * w for b in base), active)
                pairs = tuple(base[k // 2] * w for k in range(32))
                yield Probe(name, f"{pattern}, pairs", pairs, active)


def _patterns(rng: random.Random, w: int) -> dict[str, list[int]]:
    """Offsets by lane around the places where phases merge, words are shared, and banks wrap."""
    base = rng.sample(range(512), 32)
    pairs = [base[k // 2] * w for k in range(32)]  # l = l^1 everywhere
    crossed = [base[(k & ~3) // 2 + (k & 1)] * w for k in range(32)]  # l = l^2 everywhere
    fours = [base[k // 4] * w for k in range(32)]
    broken = {
        f"{name} but lane {lane}": [base[31] * w if k == lane else o for k, o in enumerate(offsets)]
        for name, offsets in (("pairs", pairs), ("crossed", crossed))
        for lane in (0, 15, 31)
    }
    half = [pairs[k] if k < 16 else crossed[k] for k in range(32)]
    near = [(base[k // 2] * 4 + k % 2) * w for k in range(32)]
    return {
        "pairs": pairs,
        "crossed": crossed,
        "fours": fours,
        "pairs in one half, crossed in the other": half,
        "neighbours in pairs": near,
        "l = l^4": [base[k & ~4] * w for k in range(32)],
        "l = l^16": [base[k % 16] * w for k in range(32)],
        "one address": [base[0] * w] * 32,
        "random": [b * w for b in base],
        "same bank": [k * 128 for k in range(32)],
        "same bank, pairs": [(k // 2) * 128 for k in range(32)],
        "stride 132": [k * (132 if w <= 4 else 128 + w) for k in range(32)],
        **broken,
    }


def _activities(rng: random.Random) -> dict[str, int]:
    return {
        "first half": 0x0000FFFF,
        "even lanes": 0x55555555,
        "one lane": 0x00000100,
        "lanes 0 to 7": 0x000000FF,
        "some lanes": rng.getrandbits(32) | 1,
    }


# Loads whose phases merge: four lanes at a time, `a` to `d` their addresses, `_` a lane that stays out.
# aabb agrees with lane^1, abab with lane^2, aaaa with both, abba (lane^3) and abcd with neither; a_c_ agrees
# with lane^1 alone, aa__ and ab__ with lane^2, a___ with both.
MIXTURES: dict[str, tuple[str, ...]] = {
    "lane^1 or both": ("aabb", "aaaa"),
    "lane^2 or both": ("abab", "aaaa"),
    "lane^1 here, lane^2 there": ("aabb", "abab"),
    "lane^1, one four lane^2": ("abab", *["aabb"] * 7),
    "lane^2, one four lane^1": ("aabb", *["abab"] * 7),
    "lane^3": ("abba",),
    "lane^1, one four lane^3": ("abba", *["aabb"] * 7),
    "lane^1, by lanes that stay out": ("a_c_", "aab_", "a__d", "_bcc"),
    "lane^2, by lanes that stay out": ("ab__", "aba_", "__ab", "a__d"),
    "lane^1 by two lanes, lane^2 by two": ("a_c_", "ab__"),
    "lane^1, one four by two lanes lane^2": ("ab__", *["aabb"] * 7),
    "both, by lanes that stay out": ("a___", "aa__", "_a_a", "__a_"),
    "one lane in eight": ("a___", "____"),
    "any, by chance": ("aabb", "abab", "aaaa", "abba", "abcd", "a_c_", "ab__", "aab_"),
}
_WIDE = ("ld.shared.b64", "ld.shared.v4.u32", "ld.shared.v2.b64", "ld.shared.b128")
_WIDE_STORES = ("st.shared.b64", "st.shared.b128")


def _merging(rng: random.Random) -> Iterator[Probe]:
    """Mixtures of fours over loads that merge, with and without conflicts, and over some stores."""
    for name in _WIDE + _WIDE_STORES:
        for pattern, fours in MIXTURES.items():
            stores = name.startswith("st")
            if stores and "both" in pattern:
                continue
            for spread in (False,) if stores else (False, True):
                offsets, active = _mixed(rng, fours, Access(name).bytes, spread)
                yield Probe(name, f"{pattern}{', side by side' if spread else ''}", offsets, active)


def _mixed(rng: random.Random, fours: tuple[str, ...], w: int, spread: bool) -> tuple[tuple[int, ...], int]:
    """Eight fours in random order, the addresses random or side by side."""
    chosen = [fours[k % len(fours)] for k in range(8)]
    rng.shuffle(chosen)
    offsets, active = [], 0
    for k, four in enumerate(chosen):
        base = range(4 * k, 4 * k + 4) if spread else rng.sample(range(1024), 4)
        for j, letter in enumerate(four):
            active |= (letter != "_") << (4 * k + j)
            offsets.append(base["abcd".find(letter) if letter != "_" else j] * w)
    return tuple(offsets), active


def _narrow(rng: random.Random) -> Iterator[Probe]:
    """Accesses of 1 and 2 bytes, vectors of narrow elements, and the matrix forms not measured before."""
    for name in ("ld.shared.u8", "st.shared.u8", "ld.shared.u16", "st.shared.u16"):
        w = Access(name).bytes
        for pattern, offsets in _bytes(rng, w).items():
            yield Probe(name, pattern, tuple(offsets))
    for name in FURTHER:
        w = Access(name).bytes
        patterns = _patterns(rng, w)
        kept = ("pairs", "crossed", "neighbours in pairs", "l = l^16", "random", "same bank, pairs")
        for pattern in kept[::2] if name in _WIDE else kept:
            yield Probe(name, pattern, tuple(patterns[pattern]))
        if "matrix" in name:
            continue
        for pattern, active in _activities(rng).items():
            if pattern != "one lane":
                base = tuple(b * w for b in rng.sample(range(512), 32))
                yield Probe(name, f"{pattern}, random", base, active)
        if w <= 4:
            for pattern, offsets in _bytes(rng, w).items():
                yield Probe(name, pattern, tuple(offsets))


def _bytes(rng: random.Random, w: int) -> dict[str, list[int]]:
    """Offsets of narrow accesses around the edges of words and of rows of banks."""
    return {
        "the parts of a word, backwards": [(31 - k) * w for k in range(32)],
        "few words of a bank, all parts": [
            128 * rng.randrange(4) + rng.randrange(0, 4, w) for _ in range(32)
        ],
        "within 64 bytes": [rng.randrange(0, 64, w) for _ in range(32)],
        "within 1024 bytes": [rng.randrange(0, 1024, w) for _ in range(32)],
        "a word and the next row": [128 * (k % 2) + 4 * (k // 2) + (k * w) % 4 for k in range(32)],
        "stride of a row less a part": [k * (128 - w) for k in range(32)],
        "stride of a row and a part": [k * (128 + w) for k in range(32)],
    }


def _shared(rng: random.Random, w: int) -> dict[str, tuple[list[int], int]]:
    """Offsets and active lanes that tell apart how lanes which name one word, or one bank, are served."""
    base = rng.sample(range(512), 32)
    few = {n: [rng.randrange(n) * w for _ in range(32)] for n in (4, 32, 128)}
    some, others = rng.getrandbits(32) | 1, rng.getrandbits(32) | 2
    row = max(128, 32 * w)
    # three lanes of one word, three words of another bank, the others on banks of their own
    three = [0, 0, 0, 16, 16 + row, 16 + 2 * row, *[(k * w) % 96 + 32 for k in range(6, 32)]]
    return {
        "contiguous": ([k * w for k in range(32)], ALL),
        "one lane": ([k * w for k in range(32)], 1 << 8),
        "one address": ([base[0] * w] * 32, ALL),
        "same bank": ([k * 128 for k in range(32)], ALL),
        "same bank, pairs": ([(k // 2) * 128 for k in range(32)], ALL),
        "pairs": ([(k // 2) * w for k in range(32)], ALL),
        "pairs, lane 0 apart": ([(k // 2) * w if k else 512 for k in range(32)], ALL),
        "crossed": ([base[(k & ~3) // 2 + (k & 1)] * w for k in range(32)], ALL),
        "fours": ([(k // 4) * w for k in range(32)], ALL),
        "l = l^16": ([(k % 16) * w for k in range(32)], ALL),
        "two words of a bank in turn": ([k % 2 * row for k in range(32)], ALL),
        "two words of a bank by halves": ([k // 16 * row for k in range(32)], ALL),
        "two words of two banks in turn": ([k % 2 * 16 for k in range(32)], ALL),
        "half on one word": ([(k if k % 2 else 0) * w for k in range(32)], ALL),
        "three lanes, three words": (three, ALL),
        "random": ([b * w for b in base], ALL),
        **{f"{n} places by chance": (offsets, ALL) for n, offsets in few.items()},
        "stride 132": ([k * (132 if w <= 4 else 128 + w) for k in range(32)], ALL),
        "first half, one address": ([base[1] * w] * 32, 0x0000FFFF),
        "even lanes, pairs": ([(k // 2) * w for k in range(32)], 0x55555555),
        "lanes 0 to 7, same bank": ([k * 128 for k in range(32)], 0x000000FF),
        "some lanes, 4 places by chance": (few[4], some),
        "some lanes, 32 places by chance": (few[32], others),
        "some lanes, random": ([b * w for b in base], some),
    }


def _copies(rng: random.Random) -> Iterator[Probe]:
    """cp.async: where it writes varies, what it reads is side by side."""
    for name in COPIES:
        w = Access(name).bytes
        for pattern, (offsets, active) in _shared(rng, w).items():
            yield Probe(name, pattern, tuple(offsets), active)
        tile = {  # of 128-byte rows, written column by column, swizzled or not
            "columns of a tile": [(k % 8) * 128 + (k // 8) * w for k in range(32)],
            "columns of a swizzled tile": [(k % 8) * 128 + ((k // 8 * w) ^ (k % 8 * 16)) for k in range(32)],
            "contiguous, backwards": [(31 - k) * w for k in range(32)],
        }
        for pattern, offsets in tile.items():
            yield Probe(name, pattern, tuple(offsets))


def _atomics(rng: random.Random) -> Iterator[Probe]:
    """Atomics; the operations that are served alike, if the model is right, in fewer patterns each."""
    alike = {"red.shared.or.b32", "atom.shared.max.s32", "atom.shared.inc.u32"}
    for name in ATOMICS:
        for n, (pattern, (offsets, active)) in enumerate(_shared(rng, Access(name).bytes).items()):
            if name not in alike or n % 2 == 0:
                yield Probe(name, pattern, tuple(offsets), active)


def _rows(rng: random.Random) -> Iterator[Probe]:
    """cp.async past the first cache, each lane to 16 bytes of its own. They broke the two models that fitted
    the profiler's counter of the instruction before: rows of 128 bytes, and rows with one offset between the
    places in both memories."""
    name = "cp.async.cg.shared.global.16"
    turned = [8 * (k // 8) + (k + k // 8) % 8 for k in range(32)]
    crossed = [8 * (k // 8) + (k ^ k // 8) % 8 for k in range(32)]
    patterns = {
        "every row turned by its number": turned,
        "every row crossed with its number": crossed,
        "halves of rows exchanged": [k ^ 4 for k in range(32)],
        "rows and halves dealt out": [8 * (k % 4) + k // 4 for k in range(32)],
        "two rows, lane by lane": [8 * (k % 2) + k // 2 for k in range(16)] + list(range(16, 32)),
    }
    for rows in (4, 5, 8, 64):
        for turn in range(3):
            patterns[f"{rows} rows by chance, {turn}"] = rng.sample(range(8 * rows), 32)
    for pattern, chunks in patterns.items():
        yield Probe(name, pattern, tuple(16 * c for c in chunks))
    for turn in range(5):
        chunks, active = rng.sample(range(40), 32), rng.getrandbits(32) | 1
        yield Probe(name, f"some lanes, 5 rows by chance, {turn}", tuple(16 * c for c in chunks), active)
