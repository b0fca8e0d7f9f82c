"""Equality of two layouts as functions by exhaustion: both maps at every coordinate, on the GPU.

One more independent engine. Its code is generated from the modes (see `code`); what it says is held
each time against what an engine of symlayout's says without enumerating, and its values against
`Layout.__call__` on Python's integers, at the first difference and at a sample of coordinates.
"""

from __future__ import annotations

import multiprocessing
import random
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any, Protocol

import numpy as np

from symlayout import UnsupportedError
from symlayout.algebra.agreement import least_index
from symlayout.children import deaf
from symlayout.engines import Fails, Holds, canonical, f2
from symlayout.engines.flat import Flat
from symlayout.map_claims import EqualMaps

from ..device import cupy, device_name, source
from ..element import Array
from ..maps import values
from .code import THREADS, Code, generate, modes_of

MOST = 1 << 36  # coordinates that a device enumerates
MOST_EMULATED = 1 << 28
CHUNK = 1 << 16  # coordinates that numpy takes at a time
BLOCKS = 32  # for each multiprocessor
SAMPLE = 500
PATIENCE = 10.0  # seconds for an engine of symlayout's whose work has no bound


class TooLarge(UnsupportedError):
    """More coordinates than this machine enumerates."""


@dataclass(frozen=True)
class Seen:
    """What a machine found: the least differing coordinate, how many differ, and the seconds of each run."""

    first: int | None
    differing: int
    seconds: tuple[float, ...] = ()
    steady: bool = True  # all runs found the same


class Machine(Protocol):
    """What evaluates both maps."""

    name: str
    hardware: bool

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        """All coordinates."""

    def values(self, a: Any, b: Any, coordinates: list[int]) -> Array:
        """[k, 2]: both values at the k-th of these coordinates."""


@dataclass(frozen=True)
class Second:
    """What an engine of symlayout's says: its name ("" if none decides in time), the least differing
    coordinate, and how many differ if it knows."""

    engine: str
    first: int | None = None
    differing: int | None = None


@dataclass(frozen=True)
class Answer:
    """A pair of layouts of one size, asked."""

    a: Any
    b: Any
    seen: Seen
    second: Second
    sampled: int
    unlike: tuple[str, ...]  # what does not fit together

    @property
    def size(self) -> int:
        return int(self.a.size())

    @property
    def values(self) -> tuple[int, int] | None:
        """Both values at the first difference, on Python's integers."""
        i = self.seen.first
        return None if i is None else (int(self.a(i)), int(self.b(i)))


def compare(a: Any, b: Any, machine: Machine, runs: int = 1) -> Answer:
    """Ask a machine about two layouts of one size, and hold the answer against everything else that is
    known."""
    seen, second = machine.enumerate(a, b, runs), by_symlayout(a, b)
    coordinates = sample(a, b, seen.first)
    unlike = [*_inconsistent(a, b, seen), *contradictions(seen, second)]
    for i, pair in zip(coordinates, machine.values(a, b, coordinates), strict=True):
        unlike += [
            f"({f})({i}) = {int(got)} on the machine, {f(i)} on Python's integers"
            for f, got in zip((a, b), pair, strict=True)
            if int(got) != f(i)
        ]
        if a(i) != b(i) and (seen.first is None or i < seen.first):
            unlike.append(f"they differ at {i}, {a(i)} and {b(i)}, which the machine passed over")
    return Answer(a, b, seen, second, len(coordinates), tuple(unlike))


def _inconsistent(a: Any, b: Any, seen: Seen) -> list[str]:
    """What cannot be, whatever the layouts are."""
    found = [] if seen.steady else ["the machine's runs differ from each other"]
    if seen.first is None:
        return found + ([f"no first difference, and {seen.differing} differ"] if seen.differing else [])
    if a(seen.first) == b(seen.first):
        found.append(f"at {seen.first} both are {a(seen.first)} on Python's integers")
    if not 1 <= seen.differing <= a.size() - seen.first:
        found.append(f"{seen.differing} differ from {seen.first} on, of {a.size() - seen.first}")
    return found


def contradictions(seen: Seen, second: Second) -> list[str]:
    """Where an engine of symlayout's says otherwise."""
    if not second.engine:
        return []
    found = []
    if second.first != seen.first:
        here, there = (_said(x) for x in (seen.first, second.first))
        found.append(f"{here} on the machine, {there} by {second.engine}")
    if second.differing is not None and second.differing != seen.differing:
        found.append(f"{seen.differing} differ on the machine, and {second.differing} by {second.engine}")
    return found


def _said(first: int | None) -> str:
    return "equal" if first is None else f"first difference at {first}"


def sample(a: Any, b: Any, first: int | None) -> list[int]:
    """Coordinates to look at one by one: around the ends of all modes, around the first difference, and
    some of no meaning, always the same."""
    n = int(a.size())
    ends = {end for m in (modes_of(a), modes_of(b)) for end in accumulate(m.sizes, mul)}
    near = {end + k for end in (0, *ends, *([] if first is None else [first])) for k in (-1, 0, 1)}
    rng = random.Random(n)
    return sorted({i for i in near if 0 <= i < n} | {rng.randrange(n) for _ in range(SAMPLE)})


# ── symlayout ──────────────────────────────────────────────────────────────────────────────────────────────


def by_symlayout(a: Any, b: Any) -> Second:
    """The first engine that decides: canonical forms, linear algebra over bits, or boxes on which both maps
    are affine, which always ends but may take long."""
    claim = EqualMaps(a, b)
    for engine in (canonical, f2):
        finding = engine.decide(claim, ())
        if isinstance(finding, Holds):
            return Second(engine.NAME, None, 0)
        if isinstance(finding, Fails):
            return Second(engine.NAME, int(finding.witness["i"]), finding.failures)
    with deaf():
        pool = multiprocessing.get_context("spawn").Pool(1)  # a process of its own can be stopped
    with pool:
        asked = pool.apply_async(least_index, (modes_of(a).sizes, [(1, (a,)), (-1, (b,))]))
        try:
            first = asked.get(PATIENCE)
        except multiprocessing.TimeoutError:
            return Second("")
    return Second("agreement", first, 0 if first is None else None)


# ── machines ───────────────────────────────────────────────────────────────────────────────────────────────


def checked(a: Any, b: Any, most: int) -> tuple[Flat, Flat]:
    """The modes of both. Raises UnsupportedError for what is not an integer map of 62 bits, TooLarge beyond
    `most` coordinates."""
    modes = modes_of(a), modes_of(b)
    if modes[0].size > most:
        raise TooLarge(f"{modes[0].size} coordinates, more than the {most} that this machine enumerates")
    return modes


class Emulator:
    """numpy on this machine's processor."""

    name = "emulator (numpy; not hardware)"
    hardware = False

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        checked(a, b, MOST_EMULATED)
        return Seen(*walk(a, b, int(a.size())))

    def values(self, a: Any, b: Any, coordinates: list[int]) -> Array:
        return np.stack([values(f, coordinates) for f in (a, b)], axis=1)


def walk(a: Any, b: Any, n: int) -> tuple[int | None, int]:
    """The least of the coordinates below n at which two maps differ, and how many of them do, by numpy."""
    first, differing = None, 0
    for start in range(0, n, CHUNK):
        index = np.arange(start, min(n, start + CHUNK))
        apart = np.flatnonzero(values(a, index) != values(b, index))
        if apart.size:
            differing += int(apart.size)
            first = start + int(apart[0]) if first is None else first
    return first, differing


class Silicon:
    """The current device, through CuPy. Raises NoDevice where there is none."""

    hardware = True

    def __init__(self) -> None:
        self.cp = cupy()
        self.name = device_name()
        self._modules: dict[str, Any] = {}

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        """A launch to warm up, then as many as asked for between two events."""
        module, code = self._module(a, b)
        kernel = module.get_function("equality")
        cp, tiles = self.cp, -(-int(a.size()) // code.tiling.size)
        processors = cp.cuda.Device().attributes["MultiProcessorCount"]
        found, seconds = [], []
        for _ in range(runs + 1):
            result = cp.asarray(np.array([0, 2**64 - 1], dtype=np.uint64))
            start, end = cp.cuda.Event(), cp.cuda.Event()
            start.record()
            kernel((min(tiles, processors * BLOCKS),), (THREADS,), (np.uint32(0), result))
            end.record()
            end.synchronize()
            seconds.append(cp.cuda.get_elapsed_time(start, end) / 1000)
            found.append(tuple(int(x) for x in result.get()))
        differing, first = found[0]
        steady = len(set(found)) == 1
        return Seen(None if first == 2**64 - 1 else first, differing, tuple(seconds[1:]), steady)

    def values(self, a: Any, b: Any, coordinates: list[int]) -> Array:
        module, code = self._module(a, b)
        kernel, cp, n = module.get_function("values"), self.cp, len(coordinates)
        kind = np.uint32 if code.value_bits == 32 else np.uint64
        value = cp.zeros(2 * n, dtype=kind)
        sent = cp.asarray(np.array(coordinates, dtype=np.uint64))
        kernel((-(-n // THREADS),), (THREADS,), (sent, np.int32(n), value))
        return np.array(value.get()).view(f"i{code.value_bits // 8}").astype(np.int64).reshape(n, 2)

    def _module(self, a: Any, b: Any) -> tuple[Any, Code]:
        code = generate(*checked(a, b, MOST))
        key = f"{code.text}{code.strides}"
        if key not in self._modules:
            module = self.cp.RawModule(code=kernel_text(code), options=("-std=c++17",))
            held = np.array(code.strides or [0], dtype=np.uint64)
            strides = self.cp.ndarray(held.shape, self.cp.uint64, module.get_global("stride"))
            strides[...] = self.cp.asarray(held)
            self._modules[key] = module
        return self._modules[key], code


def kernel_text(code: Code) -> str:
    """The generated maps and the kernel that asks them."""
    return code.text + source("equality", {})
