"""upcast, downcast, recast_layout, max_alignment: the same bits counted in larger or smaller elements.

upcast(N): N elements become one; downcast(N): one becomes N. Strides and swizzles are re-counted in the new
elements. Law: the same bits are covered, bits.py; CuTe breaks it for negative strides and for several strides
that fall inside one new element, and `unchecked=True` gives that answer.
Source: cute/layout.hpp, cute/swizzle_layout.hpp.
"""

from __future__ import annotations

from math import gcd
from typing import Any

from .. import inttuple as it
from ..dim import Dim
from ..errors import LayoutError, UnsupportedError
from ..integers import is_integer, plain
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .bits import check_cast
from .coalesce import coalesce
from .divide import divide_layout
from .inverses import right_inverse
from .kinds import as_layout, of_tensor
from .modes import shape as shape_of

#: widths in bits of the element types that CuTe's names stand for
TYPE_BITS = {
    "bit": 1, "uint1b_t": 1, "int2": 2, "uint2": 2, "int2b_t": 2, "uint2b_t": 2,
    "int4": 4, "uint4": 4, "int4b_t": 4, "uint4b_t": 4, "float_e2m1_t": 4,
    "6bit": 6, "float_e2m3_t": 6, "float_e3m2_t": 6,
    "int8": 8, "uint8": 8, "int8_t": 8, "uint8_t": 8,
    "float_e4m3_t": 8, "float_e5m2_t": 8, "float_ue8m0_t": 8,
    "half": 16, "half_t": 16, "bfloat16_t": 16, "int16_t": 16, "uint16_t": 16,
    "float": 32, "tfloat32_t": 32, "int32_t": 32, "uint32_t": 32, "int": 32,
    "double": 64, "int64_t": 64, "uint64_t": 64, "uint128": 128, "uint128_t": 128,
}  # fmt: skip


UNSIGNED = 1 << 32  # CuTe's N of a cast is a uint32_t, and so is what it makes of an offset


def type_bits(t: int | str) -> int:
    """The width in bits of an element type, given by name or as the width itself."""
    if isinstance(t, str):
        if t not in TYPE_BITS:
            raise LayoutError(f"recast: unknown element type {t!r}; known are {', '.join(sorted(TYPE_BITS))}")
        return TYPE_BITS[t]
    bits: Any = plain(t)
    if type(bits) is not int or bits < 1:
        raise LayoutError(f"recast: {t!r} is not a width in bits: a positive integer, or an element type")
    return int(bits)


def _order(name: str, a: Any, b: Any) -> tuple[int, Any]:
    """(N, layout) from arguments in either order; CuTe writes upcast<N>(layout)."""
    n, x = (a, b) if is_integer(a) else (b, a)
    n = plain(n)
    if type(n) is not int or n < 1:
        raise LayoutError(f"{name}: N must be a positive integer, not {n}")
    return n, x


def upcast(a: Any, b: Any, *, unchecked: bool = False) -> Any:
    """`upcast(N, L)`, N elements to one: sizes of strides below N shrink, larger strides divide. `upcast(2,
    8:1) = 4:1`.

    Law: R's values are the groups of N that L touches, `{floor(L(i) / N)} = {R(j)}`. Raises LayoutError where
    a stride and N do not divide one another, Inadmissible where CuTe's answer breaks the law: `.index` is a
    new element that one side covers and the other does not, `.want` and `.got` are 1 or 0.
    """
    n, x = _order("upcast", a, b)
    result = _upcast_any(n, x)
    if not unchecked and n > 1:
        check_cast("upcast", x, result, n, 1)
    return result


def _upcast_any(n: int, x: Any) -> Any:
    if isinstance(x, Swizzle):
        return _swizzle_upcast(n, x)
    if isinstance(x, ComposedLayout):
        if n == 1:
            return x
        return ComposedLayout(_upcast_any(n, x.swizzle), upcast_offset(n, x.offset), _upcast_any(n, x.layout))
    if isinstance(x, Layout):
        s, d = _upcast(n, x.shape, x.stride, x)
        return Layout._make(s, d)
    raise LayoutError(f"upcast: {show(x)} is not a layout or a swizzle")


def _no_coordinates(name: str, offset: Any) -> UnsupportedError:
    return UnsupportedError(
        f"{name}: the offset {show(offset)} is a coordinate, which has no bits to count\n"
        "  compose the layouts into one of integers first"
    )


def upcast_offset(n: int, offset: Any) -> Any:
    """The offset in new elements. CuTe divides by an unsigned N, in 32 bits: a negative one becomes very
    large, which the law of a cast refuses.
    """
    if isinstance(offset, tuple):
        raise _no_coordinates("upcast", offset)
    if isinstance(offset, int) and offset < 0:
        offset %= UNSIGNED
    if offset % n != 0:
        raise LayoutError(f"upcast: the offset {offset} is not a multiple of {n}")
    return offset // n


def _upcast(n: int, s: Any, d: Any, x: Layout) -> tuple[Any, Any]:
    if isinstance(s, tuple):
        pairs = [_upcast(n, si, di, x) for si, di in zip(s, d, strict=True)]
        return tuple([p[0] for p in pairs]), tuple([p[1] for p in pairs])
    if not isinstance(d, (int, Dim)):
        raise LayoutError(f"upcast: {x} has basis strides")
    if d == 0:
        return s, d
    if d % n != 0 and n % d != 0:
        raise LayoutError(
            f"upcast: Divisibility condition: {n} and the stride {d} do not divide each other\n"
            f"  upcast<{n}>({x})"
        )
    size_d = abs(d)
    new_d = it.ceil_div(size_d, n)
    return it.ceil_div(s, it.ceil_div(n, size_d)), -new_d if d < 0 else new_d


def _log2(name: str, n: int) -> int:
    if n & (n - 1):
        raise LayoutError(f"{name}: N must be a power of two for a swizzle, and {n} is not")
    return n.bit_length() - 1


def _swizzle_upcast(n: int, x: Swizzle) -> Swizzle:
    m = x.m - _log2("upcast", n)
    return Swizzle(x.b, m, x.s) if m >= 0 else Swizzle(max(x.b + m, 0), 0, x.s)


def downcast(a: Any, b: Any, *, unchecked: bool = False) -> Any:
    """`downcast(N, L)`, one element to N: the mode of stride 1 grows, other strides multiply. `downcast(2,
    4:1) = 8:1`.

    Law: R's values are the parts of L's elements, `{N*L(i) + k : 0 <= k < N} = {R(j)}`. Raises LayoutError
    without a mode of stride 1, Inadmissible where CuTe's answer breaks the law (several modes of stride 1 or
    -1: all of them grow); `.index` is an element that one side covers and the other does not.
    """
    n, x = _order("downcast", a, b)
    result = _downcast_any(n, x)
    if not unchecked and n > 1:
        check_cast("downcast", x, result, 1, n)
    return result


def _downcast_any(n: int, x: Any) -> Any:
    if isinstance(x, Swizzle):
        return Swizzle(x.b, x.m + _log2("downcast", n), x.s)
    if isinstance(x, ComposedLayout):
        return ComposedLayout(
            _downcast_any(n, x.swizzle), _downcast_offset(n, x.offset), _downcast_any(n, x.layout)
        )
    if not isinstance(x, Layout):
        raise LayoutError(f"downcast: {show(x)} is not a layout or a swizzle")
    if 1 not in it.flatten_to_tuple(x.stride):
        raise LayoutError(f"downcast: Downcast requires adjacent elements: {x} has no mode of stride 1")
    s, d = _downcast(n, x.shape, x.stride)
    return Layout._make(s, d)


def _downcast_offset(n: int, offset: Any) -> Any:
    if isinstance(offset, tuple):
        raise _no_coordinates("downcast", offset)
    return offset * n % UNSIGNED if isinstance(offset, int) and offset < 0 else offset * n


def _downcast(n: int, s: Any, d: Any) -> tuple[Any, Any]:
    if isinstance(s, tuple):
        pairs = [_downcast(n, si, di) for si, di in zip(s, d, strict=True)]
        return tuple([p[0] for p in pairs]), tuple([p[1] for p in pairs])
    return (s * n, d) if d in (1, -1) else (s, d * n)


def recast_layout(old: int | str, new: int | str, x: Any, *, unchecked: bool = False) -> Any:
    """The layout of elements of `old` bits re-counted in elements of `new` bits (widths or type names).

    Law: the same bits, rounded out to whole new elements; with `U = new / gcd` and `D = old / gcd` units,
    `{floor((D*L(i) + k) / U) : 0 <= k < D} = {R(j)}`. CuTe goes by way of `upcast<U>`, which rounds, and then
    `downcast<D>`; where that breaks the law, Inadmissible is raised.
    """
    old_bits, new_bits = type_bits(old), type_bits(new)
    g = gcd(old_bits, new_bits)
    up, down = new_bits // g, old_bits // g
    result = x
    if up > 1:
        result = upcast(up, result, unchecked=True)
    if down > 1:
        result = downcast(down, result, unchecked=True)
    if not unchecked and up * down > 1:
        check_cast("recast_layout", x, result, up, down)
    return result


def max_alignment(x: Any) -> int:
    """The largest N for which `upcast(N, L)` is allowed, in elements."""
    x = of_tensor(x)
    if isinstance(x, ComposedLayout):
        if not isinstance(x.swizzle, Swizzle) or not isinstance(x.offset, int):
            return 1
        return gcd(1 << x.swizzle.m, x.offset, max_alignment(x.layout))
    if isinstance(x, Swizzle):
        return 1 << x.m
    flat: Layout = coalesce(as_layout(x))
    permuted = divide_layout(flat, right_inverse(flat, unchecked=True))
    return int(it.gcd(permuted[0].size(), permuted[1].stride))


def domain_distribute(shape: Any, n: int) -> Layout:
    """An ordered layout of at most n elements that divides the shape evenly: `domain_distribute((15,14), 6)
    = (3,2):(1,15)`.
    """
    n = plain(n)
    if type(n) is not int or n < 1:
        raise LayoutError(f"domain_distribute: the number of elements must be a positive integer, not {n}")
    flat = it.flatten_to_tuple(shape_of(shape))
    sizes = []
    for s in flat:
        g = gcd(s, n)
        sizes.append(g)
        n //= g
    result: Layout = coalesce(Layout._make(tuple(sizes), it.compact_col_major(flat)))
    return result
