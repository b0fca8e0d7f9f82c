"""Basis strides: strides that count coordinates instead of elements.

`ScaledBasis(4, (1,))`, printed `4@1`, is four steps along mode 1; a path into nested modes prints innermost
first, as CuTe does: `ScaledBasis(1, (1, 0))` is `1@0@1`, one step along mode 0 of mode 1. Sums of them are
coordinates, `ArithTuple`. The identity layout `make_identity_layout((4, 8))` is `(4,8):(1@0,1@1)`;
partitioning it tells which coordinates a thread owns.

Source: cute/numeric/arithmetic_tuple.hpp.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .errors import LayoutError


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        if isinstance(b, tuple):  # tuple tuple: pad the shorter with zeros
            if len(a) < len(b):
                a, b = b, a
            head = tuple(_add(x, y) for x, y in zip(a, b, strict=False))
            return ArithTuple(head + tuple(a[len(b) :]))
        if b == 0:
            return a
        raise LayoutError(
            f"cannot add the integer {b} to the coordinate {a}: strides of one layout must agree in depth"
        )
    if isinstance(b, tuple):
        return _add(b, a)
    return a + b


class ArithTuple(tuple[Any, ...]):
    """A coordinate that adds element by element; a plain 0 is neutral."""

    __slots__ = ()

    def __new__(cls, entries: Any = ()) -> ArithTuple:
        try:
            return super().__new__(cls, entries)
        except TypeError:
            if isinstance(entries, Iterator):
                raise  # while the entries were made
            raise LayoutError(f"ArithTuple: {entries!r} is not made of entries") from None

    def __add__(self, other: Any) -> Any:
        return _add(self, as_arith(other))

    __radd__ = __add__

    def __mul__(self, factor: Any) -> ArithTuple:
        return ArithTuple(x * factor for x in self)

    __rmul__ = __mul__

    def __str__(self) -> str:
        return "(" + ",".join(map(str, self)) + ")"


class ScaledBasis:
    """`value` steps along the mode that the path `modes` (outermost first) leads to."""

    __slots__ = ("modes", "value")

    def __init__(self, value: Any, modes: tuple[int, ...]) -> None:
        self.value = value
        self.modes = modes

    def __str__(self) -> str:
        value = str(self.value)
        if "+" in value or "-" in value[1:]:  # `K+1@0` would be K and one step along mode 0
            value = f"({value})"
        return "@".join([value, *map(str, reversed(self.modes))])

    def __repr__(self) -> str:
        return f"ScaledBasis({self.value!r}, {self.modes!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScaledBasis) and self.value == other.value and self.modes == other.modes

    def __hash__(self) -> int:
        return hash((self.value, self.modes))

    def __mul__(self, factor: Any) -> ScaledBasis:
        return ScaledBasis(self.value * factor, self.modes)

    __rmul__ = __mul__

    def __abs__(self) -> ScaledBasis:
        return ScaledBasis(abs(self.value), self.modes)

    def __add__(self, other: Any) -> Any:
        return _add(as_arith(self), as_arith(other))

    __radd__ = __add__

    def __bool__(self) -> bool:
        return bool(self.value)


def E(*modes: int) -> ScaledBasis:
    """The unit step along a mode: `E(0)` is `1@0`, `E(1, 0)` is `1@0@1`."""
    return ScaledBasis(1, modes)


def as_arith(x: Any) -> Any:
    """A scaled basis as the coordinate it stands for: `4@1` is `(0,4)`; ints and coordinates stay."""
    if isinstance(x, ScaledBasis):
        result: Any = x.value
        for mode in reversed(x.modes):
            result = ArithTuple((0,) * mode + (result,))
        return result
    return x


def make_basis_like(shape: Any, path: tuple[int, ...] = ()) -> Any:
    """The strides of the identity layout over `shape`; a bare int has the integer stride 1."""
    if isinstance(shape, tuple):
        return tuple(make_basis_like(s, (*path, i)) for i, s in enumerate(shape))
    return ScaledBasis(1, path) if path else 1


def basis_get(path: tuple[int, ...], t: Any) -> Any:
    """The entry of the nested tuple `t` at `path`; a path that goes on below a leaf ends at the leaf."""
    for mode in path:
        if not isinstance(t, tuple):
            return t
        t = t[mode]
    return t
