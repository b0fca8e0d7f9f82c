"""Printed layouts, swizzles and their compositions as plain functions, computed as C++ computes them.

No import of symlayout, on purpose. `Map("Sw<2,0,3> o 8 o (8,8):(1,8)")(i)` is `Sw(8 + L(i))`; division goes
towards zero, and the last mode of a layout takes what is left of an index.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any


def quotient(a: int, b: int) -> int:
    """a / b as C++ has it, for b > 0."""
    return a // b if a >= 0 else -(-a // b)


def size(shape: Any) -> int:
    if not isinstance(shape, tuple):
        return int(shape)
    total = 1
    for s in shape:
        total *= size(s)
    return total


def at_index(i: int, shape: Any, stride: Any) -> int:
    if not isinstance(shape, tuple):
        return i * int(stride)
    total = 0
    for s, d in zip(shape[:-1], stride[:-1], strict=True):
        n = size(s)
        rest = quotient(i, n)
        total += at_index(i - rest * n, s, d)
        i = rest
    return total + (at_index(i, shape[-1], stride[-1]) if shape else 0)


def positive(shape: Any) -> bool:
    return all(map(positive, shape)) if isinstance(shape, tuple) else shape > 0


@dataclass(frozen=True)
class Map:
    text: str

    @cached_property
    def parts(self) -> list[str]:
        return self.text.split(" o ")

    @cached_property
    def shape(self) -> Any:
        """Of the innermost layout. Raises SyntaxError where that is a swizzle."""
        return ast.literal_eval(self.parts[-1].partition(":")[0])

    def size(self) -> int:
        return size(self.shape)

    def mode(self, k: int) -> Map:
        """Mode k of the innermost layout, under the same maps."""
        shape, stride = map(ast.literal_eval, self.parts[-1].split(":"))
        own = f"{shape[k]}:{stride[k]}".replace(" ", "")
        return Map(" o ".join([*self.parts[:-1], own]))

    def __call__(self, i: int) -> int:
        found = _apply(self.parts[-1], i)
        for k in range(len(self.parts) - 3, -1, -2):
            found = _apply(self.parts[k], int(self.parts[k + 1]) + found)
        return found

    def values(self) -> list[int]:
        return [self(i) for i in range(self.size())]


def _apply(text: str, i: int) -> int:
    swizzle = re.fullmatch(r"Sw<(-?\d+),(-?\d+),(-?\d+)>", text)
    if swizzle:
        b, m, s = map(int, swizzle.groups())
        mask = ((1 << b) - 1) << (m + max(0, s))
        return i ^ ((i & mask) >> s if s >= 0 else (i & mask) << -s)
    shape, stride = map(ast.literal_eval, text.split(":"))
    return at_index(i, shape, stride)
