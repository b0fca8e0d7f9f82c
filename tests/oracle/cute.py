"""The algorithms of CuTe that the laws speak about, restated for the oracle in their plainest form.

Needed because laws 2 and 5 judge an inner result that CuTe never prints: the divide of the basis layout, the
composition inside a product.  The tests compare every result that CuTe does print with these to the letter.
"""

from typing import Any

from .maps import Basis, IntTuple, Layout, Pair, is_tuple, modes, quotient, remainder, size


class Rejected(Exception):
    """CuTe does not compile this."""


def scaled(value: int, stride: Any) -> Any:
    return Basis(value * stride.value, stride.path) if isinstance(stride, Basis) else value * stride


def from_modes(parts: list[tuple[Any, Any]]) -> Pair:
    if len(parts) == 1:
        return Layout(parts[0])
    return Layout((tuple(s for s, _ in parts), tuple(d for _, d in parts)))


def coalesced_modes(parts: list[tuple[Any, Any]], beyond: bool = False) -> list[tuple[Any, Any]]:
    """Merged modes without size 1; `beyond` keeps the function past the end (a trailing 1:d becomes 2:d)."""
    *front, (last, d) = parts
    result = [(2 if beyond and last == 1 else last, d)]
    for s, d in reversed(front):
        first, step = result[0]
        if s == 1:
            continue
        if first == 1:
            result[0] = (s, d)
        elif scaled(s, d) == step:
            result[0] = (s * first, d)
        else:
            result.insert(0, (s, d))
    return [(1, 0)] if result[0][0] == 1 else result


def coalesce(layout: Pair) -> Pair:
    return from_modes(coalesced_modes(modes(layout)))


def filter_zeros(layout: Pair) -> Pair:
    def walk(s: Any, d: Any) -> Any:
        if is_tuple(s):
            return tuple(map(walk, s, d))
        return 1 if d == 0 else s

    return Layout((walk(*layout), layout[1]))


def ceil_div(a: int, b: int) -> int:
    """CuTe's formula; a negative b gives what it gives."""
    return quotient(a + b - 1, b)


def composition(a: Pair, b: Pair) -> Pair:
    """A o B for integer strides of B."""
    return _compose(coalesced_modes(modes(a), beyond=True), *b)


def _compose(lhs: list[tuple[Any, Any]], s: Any, d: Any) -> Pair:
    if is_tuple(s):
        children = [_compose(lhs, si, di) for si, di in zip(s, d, strict=True)]
        return Layout((tuple(c[0] for c in children), tuple(c[1] for c in children)))
    if d == 0:
        return Layout((s, 0))
    parts: list[tuple[Any, Any]] = []
    for current, stride in lhs[:-1]:
        if remainder(d, current) != 0 and d >= current:
            raise Rejected("Stride Divisibility Condition")
        following = ceil_div(current, abs(d))
        if following != 1 and s != 1:
            taken = min(following, s)
            if s % taken:
                raise Rejected("Shape Divisibility Condition")
            parts.append((taken, scaled(d, stride)))
            s //= taken
        d = ceil_div(abs(d), current) * (1 if d > 0 else -1)
    if not parts or s != 1:
        parts.append((s, scaled(d, lhs[-1][1])))
    return from_modes(parts)


def composition_by(a: Pair, b: Any) -> Pair:
    """A o B for B a layout with integer or basis strides (a basis stride starts in that mode of A)."""
    if is_tuple(b[0]):
        children = [composition_by(a, (si, di)) for si, di in zip(*b, strict=True)]
        return Layout((tuple(c[0] for c in children), tuple(c[1] for c in children)))
    if not isinstance(b[1], Basis):
        return composition(a, b)
    for k in b[1].path:
        a = (a[0][k], a[1][k])
    return composition(a, (b[0], b[1].value))


def ceil_div_shape(shape: IntTuple, n: int) -> IntTuple:
    """ceil_div of a shape by an int, mode by mode, the quotient of n carried on."""
    if not is_tuple(shape):
        return ceil_div(shape, n)
    result = []
    for s in shape:
        result.append(ceil_div_shape(s, n))
        n = ceil_div(n, size(s))
    return tuple(result)


def complement(a: Pair, cotarget: IntTuple) -> Pair:
    """The complement; the cotarget may be a shape, which is then divided elementwise with carry."""
    remaining = coalesced_modes(modes(filter_zeros(a)))
    result, step = [], 1
    if remaining[0][1] == 0:
        remaining = []
    while remaining:
        s, d = min(remaining, key=lambda part: part[1])
        remaining.remove((s, d))
        if quotient(d, step) == 0:
            raise Rejected("Non-injective Layout detected in complement.")
        result.append((quotient(d, step), step))
        step = d * s
    return from_modes(coalesced_modes([*result, (size(ceil_div_shape(cotarget, step)), step)]))


def pair_up(a: Pair, b: Pair) -> Pair:
    return Layout(((a[0], b[0]), (a[1], b[1])))


def logical_divide(a: Pair, tiler: Pair) -> Pair:
    return composition(a, pair_up(tiler, complement(tiler, coalesce(a)[0])))


def cosize(a: Pair) -> int:
    return 1 + sum(int((s - 1) * abs(d)) for s, d in modes(a))


def product_inner(a: Pair, tiler: Pair) -> tuple[Pair, Pair]:
    """(C, R): the complement that a product composes with the tiler, and the result."""
    c = complement(a, size(a[0]) * cosize(tiler))
    return c, composition(c, tiler)


def basis_layout(shape: IntTuple) -> Pair:
    """Column k of the shape has stride 1@k; an int shape gets 1@0."""
    if not is_tuple(shape):
        return Layout((shape, Basis(1, (0,))))
    return Layout((shape, tuple(Basis(1, (k,)) for k in range(len(shape)))))
