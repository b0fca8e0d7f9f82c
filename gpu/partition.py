"""Partitions of all threads at once, as tables of offsets in elements."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from symlayout import TiledCopy, TiledMMA

from .element import Array
from .maps import table


@lru_cache(maxsize=64)
def of_mma(mma: TiledMMA, operand: str, tensor: Any) -> Array:
    """[thread, value]: the offsets that `ThrMMA.partition` names for each thread, its values in order."""
    whole = mma.by_logical_thread(operand, tensor)
    threads = int(whole[0].size())
    result = np.empty((threads, int(whole.size()) // threads), dtype=np.int64)
    result[table(mma.thr_layout_vmnk)] = table(whole).reshape(-1, threads).T
    return _fixed(result)


@lru_cache(maxsize=64)
def of_copy(copy: TiledCopy, side: str, tensor: Any) -> Array:
    """[thread, value]: the offsets that `ThrCopy.partition_S` or `_D` names for each thread."""
    whole = copy.tidfrg_S(tensor) if side == "S" else copy.tidfrg_D(tensor)
    threads = int(whole[0].size())
    return _fixed(np.ascontiguousarray(table(whole).reshape(-1, threads).T))


def _fixed(a: Array) -> Array:
    """The array, which is shared, no longer to be written to."""
    a.setflags(write=False)
    return a
