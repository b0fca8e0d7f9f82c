"""composition where one side is a Swizzle or a ComposedLayout.

    (A o x o B) after C      A o x o (B after C); A stays in front, whatever it is
    S after L                S o 0 o L
    S after S'               one swizzle, where both shift by the same
    L after S                S' o 0 o L: S' is the swizzle of the images of the two bit masks in L
    L after (A o 0 o B)      (L after A) after B; an offset other than 0 is refused

So the composition of two swizzled layouts has two swizzles, `Sw<2,0,3> o 0 o Sw<2,0,3> o 0 o (8,8):(1,8)`, as
CuTe's own test has it (test/unit/cute/core/composition.cpp). Law: `R(i) = A(B(i))`, R compatible with B.

Source: cute/layout_composed.hpp, cute/swizzle_layout.hpp.
"""

from __future__ import annotations

from typing import Any

from ..errors import Inadmissible, LayoutError, UnsupportedError
from ..inttuple import flatten_to_tuple, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle, after, is_zero, make_swizzle
from .chains import check_same, decidable
from .composition import composition
from .kinds import as_layout
from .laws import check_after_swizzle
from .masks import carries_bits


def compose_composed(a: Any, b: Any, unchecked: bool) -> Any:
    """A after B, one of them a Swizzle or a ComposedLayout."""
    if b is None:
        return a
    if isinstance(a, ComposedLayout):
        return _after_outer(a, b, unchecked)
    if isinstance(a, Swizzle):
        return _swizzle_after(a, b)
    a = as_layout(a)
    if isinstance(b, Swizzle):
        result = _after_swizzle(a, b)
        if not (unchecked or (decidable("composition", a) and carries_bits(a, b, result, a.size()))):
            check_after_swizzle(a, b, None, result)
        return result
    return _after_composed(a, b, unchecked)


def _after_outer(a: ComposedLayout, b: Any, unchecked: bool) -> Any:
    """`A o x o B` after C: the law is that of B after C, unless A gives one value for the two that differ."""
    try:
        return ComposedLayout(a.swizzle, a.offset, composition(a.layout, b, unchecked=unchecked))
    except Inadmissible as e:
        if is_one_to_one(a) or isinstance(b, tuple):
            raise swizzled_refusal(a, e) from None
    result = ComposedLayout(a.swizzle, a.offset, composition(a.layout, b, unchecked=True))
    check_same("composition", result, (a, as_layout(b)), A=a, B=b, R=result)
    return result


def is_one_to_one(a: ComposedLayout) -> bool:
    """Whether all that stands before the innermost layout is swizzles."""
    return isinstance(a.swizzle, Swizzle) and (
        not isinstance(a.layout, ComposedLayout) or is_one_to_one(a.layout)
    )


def swizzled_refusal(a: ComposedLayout, e: Inadmissible) -> Inadmissible:
    """The refusal of `a.layout` after B, its values seen through the swizzle."""
    if not isinstance(e.want, int) or not isinstance(e.got, int) or isinstance(a.offset, tuple):
        return e
    want, got = a.swizzle(a.offset + e.want), a.swizzle(a.offset + e.got)
    note = f"under {a.swizzle} o {a.offset} the values are {got} for R and {want} for A"
    return Inadmissible(f"{e}\n  {note}", e.index, want, got)


def _swizzle_after(a: Swizzle, b: Any) -> Any:
    """A swizzle after a layout is a ComposedLayout; after a swizzle of the same shift, one swizzle."""
    if isinstance(b, Swizzle):
        if a.s != b.s:
            raise LayoutError(f"composition: Can only merge swizzles of the same shift: {a} and {b}")
        return make_swizzle(a.yyy_mask ^ b.yyy_mask, a.zzz_mask ^ b.zzz_mask)
    if isinstance(b, ComposedLayout):
        return ComposedLayout(a, 0, b)
    if isinstance(b, tuple) and any(isinstance(t, (Layout, ComposedLayout, type(None))) for t in b):
        raise UnsupportedError(
            f"composition: {a} after the tiler {show(b)}: a swizzle has no modes to tile\n"
            "  compose it with a layout first, and tile that"
        )
    return after(a, 0, as_layout(b))


def _after_swizzle(a: Layout, b: Swizzle) -> Any:
    """A layout after a swizzle: A carries the two bit masks over, and the swizzle of their images stands in
    front.
    """
    return after(make_swizzle(_image(a, b.yyy_mask), _image(a, b.zzz_mask)), 0, a)


def _image(a: Layout, mask: int) -> int:
    value = a(mask)
    if not isinstance(value, int):
        raise LayoutError(
            f"composition: {a} maps the bit mask {mask:#b} to {show(value)}, which is not a mask of bits"
        )
    return value


def _after_composed(a: Layout, b: ComposedLayout, unchecked: bool) -> Any:
    if not is_zero(b.offset):
        raise LayoutError(f"composition: Require offset == 0, and {b} has offset {show(b.offset)}")
    front = composition(a, b.swizzle, unchecked=True)
    result = composition(front, b.layout, unchecked=True)
    if unchecked:
        return result
    if isinstance(b.swizzle, Swizzle) and isinstance(b.layout, Layout) and decidable("composition", a, b):
        if _reaches_forward(b.layout) and carries_bits(a, b.swizzle, front, b.layout.cosize()):
            return composition(front, b.layout)  # then the law is that of A after B
        check_after_swizzle(a, b.swizzle, b.layout, result)
    elif isinstance(b.layout, Swizzle):
        raise UnsupportedError(
            f"composition: {a} after {b}: B takes every integer, and whether the answer R is A after B is "
            f"not decided\n  R = {result}\n  give B a domain first, composition(B, L); unchecked=True gives R"
        )
    else:
        check_same("composition", result, (a, b), A=a, B=b, R=result)
    return result


def _reaches_forward(b: Layout) -> bool:
    """Whether all values of B are known to lie in 0 .. cosize(B)-1."""
    return all(type(d) is int and d >= 0 for d in flatten_to_tuple(b.stride))


__all__ = ["compose_composed", "is_one_to_one", "swizzled_refusal"]
