"""right_inverse and left_inverse of `A o offset o B`: `B^-1 o -offset o A^-1`.

With a swizzle in front and offset 0 CuTe passes the swizzle to the left, `S' o 0 o B^-1`, so that the answer
has a shape. With an offset it has none where A is a swizzle: `64:1 o -8 o Sw<2,0,3>` takes every integer.

Laws: `L(R(i)) = i` for i below size(R), and where R has no shape, for the i at which `S(i) - offset` is below
size(B^-1), which the law of B^-1 shows, a swizzle being its own inverse; `L(R(L(c))) = L(c)` for all c of L.
No size in R is below 1.

Source: cute/layout_composed.hpp, cute/swizzle_layout.hpp.
"""

from __future__ import annotations

from typing import Any

from ..errors import Inadmissible, UnsupportedError
from ..inttuple import flatten_to_tuple, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle, after, has_shape, is_zero
from .chains import decidable
from .composition import composition
from .inverses import left_inverse, right_inverse
from .laws import check_left_inverse, check_right_inverse
from .masks import carries_bits


def composed_right_inverse(x: ComposedLayout, unchecked: bool) -> Any:
    """right_inverse of a composed layout."""
    inverse = right_inverse(x.layout, unchecked=True)
    result = _reversed(x, inverse, right_inverse)
    if unchecked:
        return result
    _check_sizes("right_inverse", x, result)
    if not has_shape(result):
        right_inverse(x.layout)  # its law, or its refusal, is that of the whole
        return result
    if _passes_through(x.swizzle, inverse, result):
        return result
    if not decidable("right_inverse", x, result):
        raise _undecided("right_inverse", x, result)
    check_right_inverse(x, result)
    return result


def composed_left_inverse(x: ComposedLayout, unchecked: bool) -> Any:
    """left_inverse of a composed layout."""
    result = _reversed(x, left_inverse(x.layout, unchecked=True), left_inverse)
    if unchecked:
        return result
    _check_sizes("left_inverse", x, result)
    if not has_shape(x) or not decidable("left_inverse", x, result):
        raise _undecided("left_inverse", x, result)
    check_left_inverse(x, result)
    return result


def _reversed(x: ComposedLayout, inverse: Any, invert: Any) -> Any:
    if isinstance(x.swizzle, Swizzle) and is_zero(x.offset):
        return composition(inverse, x.swizzle, unchecked=True)
    if isinstance(x.offset, tuple):
        raise UnsupportedError(
            f"{invert.__name__}: {x} has the coordinate {show(x.offset)} as its offset\n"
            "  CuTe inverts offsets that are integers; compose the layouts into one of integers first"
        )
    return after(inverse, -x.offset, invert(x.swizzle, unchecked=True))


def _undecided(name: str, x: ComposedLayout, result: Any) -> UnsupportedError:
    return UnsupportedError(
        f"{name}: {x} takes or gives more than integers below a size, so that its law is not decided\n"
        f"  R = {result}\n  unchecked=True gives CuTe's answer R"
    )


def _check_sizes(name: str, x: Any, result: Any) -> None:
    """No layout inside the answer has a size below 1."""
    for layout in _layouts(result):
        least = next((s for s in flatten_to_tuple(layout.shape) if isinstance(s, int) and s < 1), None)
        if least is not None:
            raise Inadmissible(
                f"{name}: a negative stride gives a layout with the size {least}: {layout}\n"
                f"  L = {x}, R = {result}\n"
                "  mirror L first, so that its strides are positive; unchecked=True gives CuTe's answer R",
                None,
                1,
                least,
            )


def _layouts(x: Any) -> list[Layout]:
    if isinstance(x, ComposedLayout):
        return [*_layouts(x.swizzle), *_layouts(x.layout)]
    return [x] if isinstance(x, Layout) else []


def _passes_through(s: Any, inverse: Any, result: Any) -> bool:
    """Whether bits show that S'(R(i)) = R(S(i)), R the inverse of the plain layout L, and S(i) stays below
    size(R): then L(S'(R(i))) = L(R(S(i))) = S(i), and S takes it back to i.
    """
    if not isinstance(s, Swizzle) or not isinstance(inverse, Layout):
        return False
    n, lowest = inverse.size(), s.yyy_mask & -s.yyy_mask  # below the lowest bit that it reads, S(i) = i
    inside = n <= lowest or n % (1 << s.zzz_mask.bit_length()) == 0
    return inside and carries_bits(inverse, s, result, n)
