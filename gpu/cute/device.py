"""Real CuTe on the GPU: the cubins of `kernels/cute_retile.cu` launched, one for each case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..device import cupy, device_name
from ..element import Array
from .ways import Way

TEXT = 4096  # bytes for two layouts; the longest here take about a hundred


class Loaded(NamedTuple):
    """What one run leaves: [thread, slot] of elements as bits, D, and CuTe's two layouts as text."""

    registers: Array
    d: Array
    fragment: str
    view: str


class Machine(Protocol):
    """Where CuTe's code runs: `image` is what shared memory holds, `other` the other operand as bits."""

    name: str

    def run(self, case: str, way: Way, image: Array, other: Array) -> Loaded: ...


class CuteDevice:
    """The current GPU. `cubins`: one for each case, by its name."""

    def __init__(self, cubins: Mapping[str, Path]) -> None:
        self.name = device_name()
        self._modules = {case: cupy().RawModule(path=str(path)) for case, path in cubins.items()}

    def run(self, case: str, way: Way, image: Array, other: Array) -> Loaded:
        cp = cupy()
        kernel: Any = self._modules[case].get_function(way.kernel)
        shared = (image.size + 1023) // 1024 * 1024
        kernel.max_dynamic_shared_size_bytes = shared
        plan = way.plan
        registers = cp.zeros((plan.threads, plan.slots), dtype=cp.uint64)
        d = cp.full(way.shape_of_d, np.nan, dtype=cp.float32)
        text = cp.zeros(TEXT, dtype=cp.uint8)
        sent = [cp.asarray(np.ascontiguousarray(x)) for x in (image, other)]
        kernel(
            (1,),
            (plan.threads,),
            (sent[0], np.int32(image.size), sent[1], np.int32(plan.slots), registers, d, text),
            shared_mem=shared,
        )
        written = bytes(text.get()).split(b"\0")[0].decode("ascii", "replace")
        fragment, _, view = written.partition("\n")
        return Loaded(registers.get(), d.get().astype(np.float64), fragment, view)
