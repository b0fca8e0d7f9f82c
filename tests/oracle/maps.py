"""Layouts as plain pairs, their evaluation and their text: no import of symlayout, on purpose.

A layout is a pair `(shape, stride)` of nested tuples.  A stride is an int, or `Basis(value, path)`, the unit
vector of one mode of a coordinate.  A value of a layout is an int, or a dict `{path: int}` without zeros for
layouts with basis strides, so that values compare with `==`.
"""

import re
from typing import Any, NamedTuple

IntTuple = Any
Pair = tuple[IntTuple, IntTuple]


class Basis(NamedTuple):
    """`value@path`; CuTe prints the innermost mode first: `1@0@2` is mode 0 of mode 2."""

    value: int
    path: tuple[int, ...]


class Swizzled(NamedTuple):
    """`Sw<b,m,s> o offset o layout`."""

    swizzle: tuple[int, int, int]
    offset: int
    layout: Pair


def is_tuple(x: Any) -> bool:
    return isinstance(x, tuple) and not isinstance(x, Basis)


def flat(x: Any) -> list[Any]:
    """The terminals from left to right."""
    return [leaf for child in x for leaf in flat(child)] if is_tuple(x) else [x]


def size(shape: IntTuple) -> int:
    result = 1
    for s in flat(shape):
        result *= s
    return result


def modes(layout: Pair) -> list[Pair]:
    """The flat modes (size, stride)."""
    return list(zip(flat(layout[0]), flat(layout[1]), strict=True))


def plus(x: Any, y: Any) -> Any:
    """Sum of two values; an int 0 is the zero of coordinates too."""
    if isinstance(x, int) and isinstance(y, int):
        return x + y
    total = dict(x) if x != 0 else {}
    for path, v in y.items() if y != 0 else ():
        total[path] = total.get(path, 0) + v
    return {path: v for path, v in total.items() if v} or 0


def times(i: int, stride: Any) -> Any:
    if not isinstance(stride, Basis):
        return i * stride
    return {stride.path: i * stride.value} if i * stride.value else 0


def quotient(a: int, b: int) -> int:
    """The division of C++."""
    return abs(a) // abs(b) if (a < 0) == (b < 0) else -(abs(a) // abs(b))


def remainder(a: int, b: int) -> int:
    """The `%` of C++: it has the sign of a."""
    return a - quotient(a, b) * b


def value(layout: Pair, i: int) -> Any:
    """L(i): column-major digits of i; the last mode takes what is left, divisions truncate as in C++."""
    total: Any = 0
    parts = modes(layout)
    for s, d in parts[:-1]:
        total = plus(total, times(remainder(i, s), d))
        i = quotient(i, s)
    return plus(total, times(i, parts[-1][1]))


def swizzle(sw: tuple[int, int, int], x: int) -> int:
    """x with the b bits at m + max(s,0) xored into the b bits at m - min(s,0) = m or m + |s|."""
    b, m, s = sw
    picked = x & (((1 << b) - 1) << (m + max(0, s)))
    return x ^ (picked >> s if s >= 0 else picked << -s)


def evaluate(layout: Any, i: int) -> Any:
    """L(i) of a plain or swizzled layout."""
    if isinstance(layout, Swizzled):
        return swizzle(layout.swizzle, layout.offset + value(layout.layout, i))
    return value(layout, i)


def shape_of(layout: Any) -> IntTuple:
    return layout.layout[0] if isinstance(layout, Swizzled) else layout[0]


def size_of(layout: Any) -> int:
    return size(shape_of(layout))


def compatible(a: IntTuple, b: IntTuple) -> bool:
    """Every coordinate of shape a is one of shape b: b refines a."""
    if not is_tuple(a):
        return bool(a == size(b))
    return is_tuple(b) and len(a) == len(b) and all(map(compatible, a, b))


_TOKEN = re.compile(r"\s*(S<|Sw<|-?\d+(?:@\d+)*|[(),:>_o])")


def read(text: str) -> Any:
    """One argument or result of a record: int, tuple, `_` (None), layout, tiler, swizzle, swizzled layout."""
    tokens = _TOKEN.findall(text)
    if not tokens or tokens[0] not in ("S<", "Sw<"):
        result, rest = _item(tokens)
        assert not rest, text
        return result
    b, m, s = (int(tokens[k]) for k in (1, 3, 5))
    if len(tokens) == 7:
        return (b, m, s)
    assert tokens[7] == tokens[9] == "o", text
    layout, rest = _item(tokens[10:])
    assert not rest, text
    return Swizzled((b, m, s), int(tokens[8]), layout)


def _item(tokens: list[str]) -> tuple[Any, list[str]]:
    """An integer tuple, or two of them around a colon: a layout is the pair of its shape and stride."""
    left, tokens = _tree(tokens)
    if tokens and tokens[0] == ":":
        right, tokens = _tree(tokens[1:])
        return Layout((left, right)), tokens
    return left, tokens


class Layout(tuple):  # type: ignore[type-arg]
    """The pair again, marked so that a tiler can tell the layout `4:1` from the tuple `(4,1)`."""


def _tree(tokens: list[str]) -> tuple[Any, list[str]]:
    head, tokens = tokens[0], tokens[1:]
    if head == "_":
        return None, tokens
    if head != "(":
        number, *path = head.split("@")
        where = tuple(int(p) for p in reversed(path))
        return (Basis(int(number), where) if path else int(number)), tokens
    children: list[Any] = []
    while True:
        child, tokens = _item(tokens)
        children.append(child)
        separator, tokens = tokens[0], tokens[1:]
        if separator == ")":
            return tuple(children), tokens
        assert separator == ","
