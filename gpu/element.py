"""Element types as bits: how a number lies in memory, and in the low bits of a register.

Names are CUTLASS's. All numbers used here are small integers, which every one of these types holds exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symlayout import UnsupportedError

Array = NDArray[Any]


def _small_float(exponent_bits: int, mantissa_bits: int) -> Callable[[Array], Array]:
    """Sign, exponent and mantissa of small integers that the format holds exactly."""
    bias = (1 << (exponent_bits - 1)) - 1

    def encode(x: Array) -> Array:
        size = np.abs(x)
        safe = np.where(size == 0, 1, size)
        exponent = np.floor(np.log2(safe)).astype(np.int64)
        mantissa = ((safe / 2.0**exponent - 1) * (1 << mantissa_bits)).astype(np.int64)
        bits = (exponent + bias << mantissa_bits) | mantissa
        bits = np.where(size == 0, 0, bits)
        return bits | np.where(x < 0, 1 << (exponent_bits + mantissa_bits), 0)

    return encode


def _whole(bits: int) -> Callable[[Array], Array]:
    return lambda x: x.astype(np.int64) & ((1 << bits) - 1)


def _float32(x: Array) -> Array:
    return x.astype(np.float32).view(np.uint32).astype(np.int64)


class Element(NamedTuple):
    """`bits` wide; `encode` turns whole numbers of `low` .. `high` into bits."""

    bits: int
    encode: Callable[[Array], Array]
    low: int
    high: int


ELEMENTS: dict[str, Element] = {
    "half_t": Element(16, lambda x: x.astype(np.float16).view(np.uint16).astype(np.int64), -3, 3),
    "bfloat16_t": Element(16, lambda x: _float32(x) >> 16, -3, 3),
    "tfloat32_t": Element(32, _float32, -3, 3),
    "float": Element(32, _float32, -3, 3),
    "double": Element(64, lambda x: x.astype(np.float64).view(np.int64), -3, 3),
    "int32_t": Element(32, _whole(32), -3, 3),
    "int8_t": Element(8, _whole(8), -3, 3),
    "uint8_t": Element(8, _whole(8), 0, 3),
    "float_e4m3_t": Element(8, _small_float(4, 3), -3, 3),
    "float_e5m2_t": Element(8, _small_float(5, 2), -3, 3),
    "int4_t": Element(4, _whole(4), -3, 3),
    "uint4_t": Element(4, _whole(4), 0, 3),
    "uint1_t": Element(1, _whole(1), 0, 1),
}


def element(name: str) -> Element:
    """The type of that name. Raises UnsupportedError with the names that there are."""
    if name not in ELEMENTS:
        raise UnsupportedError(f"no bits for the type {name}\n  known are {', '.join(ELEMENTS)}")
    return ELEMENTS[name]


def accumulated(name: str, words: Array) -> Array:
    """The numbers in accumulator registers: `words` (..., register) to (..., value), as float64."""
    if name == "double":
        return np.ascontiguousarray(words, dtype=np.uint64).view(np.float64)
    words = np.ascontiguousarray(words, dtype=np.uint32)
    if name == "float":
        return words.view(np.float32).astype(np.float64)
    if name == "half_t":
        return words.view(np.float16).astype(np.float64)
    if name == "int32_t":
        return words.view(np.int32).astype(np.float64)
    raise UnsupportedError(f"no accumulator of the type {name}")
