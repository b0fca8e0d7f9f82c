"""Where a probe runs. Both backends take the same tables and give the same arrays; only one of them is
hardware.

`registers(plan, image)` is the load: [thread, slot] of elements as bits, all ones where nothing was written.
`stored(plan, registers, image)` is the store: the bytes of shared memory afterwards, `image` before.
`accumulators(chain, a, b, c)` is the chain of MMAs: [thread, m, n, register] of words, from c on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from symlayout import Layout, TiledMMA, UnsupportedError

from .element import Array, element
from .maps import table
from .plan import CopyPlan, LoadPlan
from .store_plan import StorePlan

UNTOUCHED = np.uint64(0xFFFFFFFFFFFFFFFF)


@dataclass(frozen=True)
class Chain:
    """The MMAs of one tile: which slots of the two fragments make up the operands of each."""

    mma: TiledMMA
    fragments: tuple[Layout, ...]  # of A and B, (V, rest, k) -> slot, and of C, (V, m, n) -> slot

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """MMAs of one thread along M, N and K."""
        a, b = self.fragments[:2]
        if a[2].size() != b[2].size():
            raise UnsupportedError(f"A has {a[2].size()} fragments along K, and B {b[2].size()}")
        return int(a[1].size()), int(b[1].size()), int(a[2].size())

    def slots(self, which: int) -> Array:
        """[rest, k, value] of A's fragment (0) or B's (1), [m, n, value] of C's (2)."""
        f = self.fragments[which]
        v, r, k = (int(f[i].size()) for i in range(3))
        return table(f).reshape(k, r, v).transpose(1, 0, 2)

    def start(self, c: Array) -> Array:
        """C's registers, [thread, slot] of elements as bits, as accumulators [thread, m, n, register] of
        words."""
        values = c[:, self.slots(2)].astype(np.uint64)
        if self.mma.atom.type_C != "half_t":
            return values
        return np.asarray(values[..., ::2] | values[..., 1::2] << np.uint64(16))

    @property
    def width(self) -> int:
        """Bits of an element of A and B."""
        return element(self.mma.atom.type_A).bits

    @property
    def mnemonic(self) -> str:
        if not self.mma.atom.ptx.startswith("mma.sync"):
            raise UnsupportedError(
                f"{self.mma.atom.name} is issued with {self.mma.atom.ptx or 'no one instruction'}\n"
                "  the probes issue mma.sync only"
            )
        return self.mma.atom.ptx


class Backend(Protocol):
    """What a cross-check needs."""

    name: str
    hardware: bool

    def registers(self, plan: LoadPlan, image: Array) -> Array: ...

    def stored(self, plan: StorePlan, registers: Array, image: Array) -> Array: ...

    def accumulators(self, chain: Chain, a: Array, b: Array, c: Array) -> Array: ...


def memory(plan: CopyPlan, elements: Array) -> Array:
    """Elements (bits, one each) as the bytes of shared memory."""
    width = plan.element.bits
    if width < 8:
        per_byte = 8 // width
        groups = elements.astype(np.uint64).reshape(-1, per_byte)
        shifts = np.arange(per_byte, dtype=np.uint64) * np.uint64(width)
        return np.asarray((groups << shifts).sum(axis=1), dtype=np.uint8)
    return np.asarray(elements.astype(np.uint64).astype(f"<u{width // 8}").view(np.uint8))


def elements(plan: CopyPlan, image: Array) -> Array:
    """The bytes of shared memory as elements (bits, one each): `memory` the other way round."""
    width = plan.element.bits
    if width < 8:
        shifts = np.arange(8 // width, dtype=np.uint8) * np.uint8(width)
        return np.asarray(image[:, None] >> shifts & np.uint8((1 << width) - 1)).reshape(-1).astype(np.uint64)
    return np.asarray(image.view(f"<u{width // 8}").astype(np.uint64))
