"""Integers in nested tuples: shapes, strides and coordinates before they make a layout.

An IntTuple is an int or a tuple of IntTuples. The functions carry CuTe's names and answer as CuTe's headers
do (cute/int_tuple.hpp, cute/stride.hpp, cute/algorithm/tuple_algorithms.hpp). None of them asks whether a
number is an `int`: whatever has `+ * // %` and comparisons will do, so that symbolic sizes can pass
through.
"""

from __future__ import annotations

from math import gcd as _gcd
from typing import Any

from .basis import ScaledBasis
from .dim import Dim
from .errors import LayoutError
from .truncation import digits, split, tdiv

IntTuple = (
    Any  # int | tuple[IntTuple, ...]; strides may hold ScaledBasis, coordinates may hold None (CuTe's `_`)
)


def show(t: Any) -> str:
    """`t` as CuTe prints it minus the `_` of static integers; `None` prints as `_`."""
    if isinstance(t, tuple):
        return "(" + ",".join([show(x) for x in t]) + ")"
    return "_" if t is None else str(t)


class Undefined:
    """A coordinate that no division gives: CuTe's `get_hier_coord` divides by the stride, and a stride can
    be 0. Prints `?`, and everything reckoned with it is undefined too.
    """

    __slots__ = ()

    def _same(self, _other: object) -> Undefined:
        return self

    __add__ = __radd__ = __mul__ = __rmul__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = _same

    def __str__(self) -> str:
        return "?"

    __repr__ = __str__


UNDEFINED = Undefined()


def wrap(t: Any) -> tuple[Any, ...]:
    return t if isinstance(t, tuple) else (t,)


def unwrap(t: Any) -> Any:
    """The single entry of a 1-tuple, however deep; anything else stays."""
    while isinstance(t, tuple) and len(t) == 1:
        t = t[0]
    return t


def flatten_to_tuple(t: Any) -> tuple[Any, ...]:
    """All leaves, left to right, always as a tuple."""
    if not isinstance(t, tuple):
        return (t,)
    for x in t:
        if isinstance(x, tuple):
            return tuple([leaf for x in t for leaf in flatten_to_tuple(x)])
    return t


def flatten(t: Any) -> Any:
    """All leaves, left to right; a bare leaf stays bare."""
    return flatten_to_tuple(t) if isinstance(t, tuple) else t


def unflatten(flat: Any, profile: Any) -> Any:
    """The leaves `flat`, folded to the nesting of `profile`. Raises LayoutError when their numbers differ."""
    leaves = wrap(flat)
    if len(leaves) != len(flatten_to_tuple(profile)):
        raise LayoutError(f"unflatten: {len(leaves)} leaves do not fill the profile {show(profile)}")
    it = iter(leaves)

    def fold(p: Any) -> Any:
        return tuple([fold(x) for x in p]) if isinstance(p, tuple) else next(it)

    return fold(profile)


def product(t: Any) -> Any:
    """The product of all leaves; 1 for the empty tuple."""
    if not isinstance(t, tuple):
        return t
    result = 1
    for x in t:
        result = result * (product(x) if isinstance(x, tuple) else x)
    return result


def product_each(t: Any) -> tuple[Any, ...]:
    """The product of each top-level mode, as a tuple of the same rank."""
    return tuple([product(x) for x in wrap(t)])


def product_like(t: Any, guide: Any) -> Any:
    """Products of `t` at the leaves of `guide`."""
    if isinstance(guide, tuple):
        if not isinstance(t, tuple) or len(t) != len(guide):
            raise LayoutError(f"Mismatched Ranks: {show(t)} against {show(guide)}")
        return tuple([product_like(x, g) for x, g in zip(t, guide, strict=True)])
    return product(t)


def rank(t: Any) -> int:
    return len(t) if isinstance(t, tuple) else 1


def depth(t: Any) -> int:
    return 1 + max((depth(x) for x in t), default=0) if isinstance(t, tuple) else 0


def ceil_div(a: Any, b: Any) -> Any:
    """CuTe's ceil_div: `(a + b - 1) / b` on ints; by mode on two tuples (missing modes of b count as 1); an
    int divides a tuple from the left with carry, `ceil_div((3,4), 2) = (2,4)`, which is not the ceiling of
    the product.
    """
    if isinstance(a, tuple):
        if isinstance(b, tuple):  # tuple tuple
            if len(a) < len(b):
                raise LayoutError(f"ceil_div: Mismatched ranks: {show(a)} has fewer modes than {show(b)}")
            return tuple([ceil_div(x, y) for x, y in zip(a, b + (1,) * (len(a) - len(b)), strict=True)])
        result = []  # tuple int
        for x in a:
            result.append(ceil_div(x, b))
            b = ceil_div(b, x)
        return tuple(result)
    if isinstance(b, tuple):  # int tuple
        b = product(b)
    if b == 0:
        raise LayoutError(f"ceil_div: division of {a} by zero")
    if isinstance(a, Dim) or isinstance(b, Dim):
        return -(-a // b)
    return tdiv(a + b - 1, b)


def shape_div(a: Any, b: Any) -> Any:
    """CuTe's shape_div: like ceil_div, but each integer division must come out even one way or the other."""
    if isinstance(a, tuple):
        if isinstance(b, tuple):  # tuple tuple
            if len(a) != len(b):
                raise LayoutError(f"shape_div: Mismatched ranks: {show(a)} and {show(b)}")
            return tuple([shape_div(x, y) for x, y in zip(a, b, strict=True)])
        result = []  # tuple int
        for x in a:
            result.append(shape_div(x, b))
            b = shape_div(b, x)
        return tuple(result)
    if isinstance(b, tuple):  # int tuple
        b = product(b)
    if b == 0 or a == 0:
        raise LayoutError(f"shape_div: division of {a} by {b}")
    if a % b != 0 and b % a != 0:
        raise LayoutError(
            f"shape_div: Divisibility Condition: {a} and {b} do not divide each other\n"
            f"  {a} % {b} = {split(a, b)[1]}, {b} % {a} = {split(b, a)[1]}"
        )
    if isinstance(a, Dim) or isinstance(b, Dim):
        return -(-a // b)
    return tdiv(a + b - 1, b)


def congruent(a: Any, b: Any) -> bool:
    """Same nesting."""
    if isinstance(a, tuple):
        return (
            isinstance(b, tuple)
            and len(a) == len(b)
            and all(congruent(x, y) for x, y in zip(a, b, strict=True))
        )
    return not isinstance(b, tuple)


def weakly_congruent(a: Any, b: Any) -> bool:
    """The nesting of `a` is that of `b` or coarser."""
    if not isinstance(a, tuple):
        return True
    return (
        isinstance(b, tuple)
        and len(a) == len(b)
        and all(weakly_congruent(x, y) for x, y in zip(a, b, strict=True))
    )


def compatible(a: Any, b: Any) -> bool:
    """Every coordinate into `a` is one into `b`: equal sizes at each leaf of `a`."""
    if not isinstance(a, tuple):
        return bool(a == product(b))
    return (
        isinstance(b, tuple) and len(a) == len(b) and all(compatible(x, y) for x, y in zip(a, b, strict=True))
    )


def evenly_divides(shape: Any, tiler: Any) -> bool:
    """Whether dividing `shape` by the int or tuple `tiler` keeps the size."""
    if isinstance(tiler, tuple):
        if rank(tiler) > rank(shape):
            return False
        if not isinstance(shape, tuple):
            return evenly_divides((shape,), tiler)
        if len(tiler) != len(shape):
            raise LayoutError(f"evenly_divides: Mismatched ranks: {show(shape)} and {show(tiler)}")
        return all(evenly_divides(x, y) for x, y in zip(shape, tiler, strict=True))
    return bool(product(shape) == tiler * product(ceil_div(shape, tiler)))


def gcd(a: Any, b: Any) -> Any:
    """The greatest common divisor of all leaves of both."""
    return _gcd(*flatten_to_tuple(a), *flatten_to_tuple(b))


def compact_col_major(shape: Any, current: Any = 1) -> Any:
    """Strides that make `shape` compact, leftmost fastest, starting at `current`; size-1 modes get stride
    0.
    """

    def go(s: Any) -> Any:
        nonlocal current
        if isinstance(s, tuple):
            return tuple([go(x) for x in s])
        if s == 1:
            return 0
        d = current
        current = current * s
        return d

    return go(shape)


def compact_row_major(shape: Any, current: Any = 1) -> Any:
    """As compact_col_major, rightmost fastest."""

    def go(s: Any) -> Any:
        nonlocal current
        if isinstance(s, tuple):
            return tuple([go(x) for x in reversed(s)][::-1])
        if s == 1:
            return 0
        d = current
        current = current * s
        return d

    return go(shape)


def idx2crd(i: Any, shape: Any, stride: Any = None) -> Any:
    """The coordinate of index `i` in `shape`, leftmost mode fastest, the last mode unbounded; with explicit
    strides, `(i / stride) % shape` in each mode. Divisions truncate towards zero, as in C++.
    """
    if stride is not None:
        return _idx2crd_stride(i, shape, stride)
    if isinstance(i, tuple):
        if not isinstance(shape, tuple) or len(i) != len(shape):
            raise LayoutError(f"idx2crd: Mismatched Ranks: the index {show(i)} and the shape {show(shape)}")
        return tuple([idx2crd(x, s) for x, s in zip(i, shape, strict=True)])
    if not isinstance(shape, tuple):
        return i
    return unflatten(tuple(digits(i, flatten_to_tuple(shape))), shape) if shape else ()


def _idx2crd_stride(i: Any, shape: Any, stride: Any) -> Any:
    if isinstance(i, tuple) or isinstance(shape, tuple):
        if isinstance(shape, tuple) and not isinstance(stride, tuple):
            stride = compact_col_major(shape, stride)
        parts = i if isinstance(i, tuple) else (i,) * rank(shape)
        if not (isinstance(shape, tuple) and len(parts) == len(shape) == rank(stride)):
            raise LayoutError(f"idx2crd: Mismatched Ranks: {show(i)}, {show(shape)} and {show(stride)}")
        return tuple([_idx2crd_stride(x, s, d) for x, s, d in zip(parts, shape, stride, strict=True)])
    if isinstance(stride, (tuple, ScaledBasis)):
        raise LayoutError(f"idx2crd: {show(i)} cannot be divided by the stride {show(stride)}")
    if shape == 1:
        return 0
    if stride == 0:
        return UNDEFINED
    return split(split(i, stride)[0], shape)[1]


def crd2idx(crd: Any, shape: Any, stride: Any = None) -> Any:
    """The index of a coordinate: with strides, the layout's value there (int coordinates unroll
    leftmost-fastest, the last mode unbounded); without, the leftmost-fastest position of the coordinate in
    `shape`. Divisions truncate towards zero, as in C++.
    """
    if stride is None:
        return _crd2idx_compact(crd, shape)
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple) or len(crd) != len(shape):
            raise LayoutError(f"crd2idx: the coordinate {show(crd)} does not fit the shape {show(shape)}")
        if not isinstance(stride, tuple) or len(stride) != len(shape):
            raise LayoutError(f"crd2idx: the stride {show(stride)} does not fit the shape {show(shape)}")
        if len(crd) == 1:  # added to nothing: a basis stride stays one, 11@0
            return crd2idx(crd[0], shape[0], stride[0])
        total: Any = 0
        for c, s, d in zip(crd, shape, stride, strict=True):
            total = total + crd2idx(c, s, d)
        return total
    return unroll(crd, flatten_to_tuple(shape), flatten_to_tuple(stride))


def unroll(i: Any, shape: tuple[Any, ...], stride: tuple[Any, ...]) -> Any:
    """The value of flat modes at one number, which may be negative, or a symbol."""
    if len(shape) < 2:  # added to nothing: a basis stride stays one, 11@0
        return i * stride[0] if shape else 0
    total: Any = 0
    for digit, d in zip(digits(i, shape), stride, strict=True):
        total = total + digit * d
    return total


def _crd2idx_compact(crd: Any, shape: Any) -> Any:
    if not isinstance(crd, tuple):
        return crd
    if not isinstance(shape, tuple) or len(crd) != len(shape):
        raise LayoutError(f"crd2idx: the coordinate {show(crd)} does not fit the shape {show(shape)}")
    sizes = flatten_to_tuple(product_like(shape, crd))
    index: Any = 0
    for c, s in zip(reversed(flatten_to_tuple(crd)), reversed(sizes), strict=True):
        index = c + s * index
    return index
