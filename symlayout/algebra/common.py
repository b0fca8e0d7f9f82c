"""max_common_layout and max_common_vector: what two layouts keep contiguous, both alike.

Law of max_common_layout: `A(R(i)) = B(R(i)) = i` for all i below size(R). Law of max_common_vector: its N is
the length of such a run, counted from the offset at which the layouts begin; where both have the same swizzle
and offset the run goes through the swizzle, and no layout need spell it.

CuTe has max_common_layout for a swizzled layout and a plain one, max_common_vector for two swizzled ones as
well. Two swizzled layouts have the run of what is under them here, cut off at the least bit that one of them
reads.

Source: cute/layout.hpp, cute/swizzle_layout.hpp.
"""

from __future__ import annotations

from typing import Any

from ..dim import Dim
from ..errors import Inadmissible, UnsupportedError
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .chains import ENUMERATED, IDENTITY, at, decidable, least_difference_of
from .coalesce import UNIT, coalesce
from .composition import compose_exact, composition
from .inverses import right_inverse
from .kinds import as_layout, inner, of_tensor


def max_common_layout(a: Any, b: Any, *, unchecked: bool = False) -> Any:
    """R with `A(R(i)) = B(R(i)) = i`: the run of elements that both keep contiguous, as long as CuTe
    finds.

    Raises Inadmissible where CuTe's answer breaks that law (an offset that is not 0, a carry), and
    UnsupportedError for composed layouts that are not a swizzle over a plain layout.
    """
    a, b = as_layout(of_tensor(a)), as_layout(of_tensor(b))
    exact = False
    if isinstance(a, Layout) and isinstance(b, Layout):
        inverse = right_inverse(b, unchecked=True)
        after_a, exact = compose_exact(a, inverse)
        common: Layout = coalesce(after_a)
        if common[0].stride != 1:
            return UNIT
        result, truncated = compose_exact(inverse, common[0])
        exact = exact and truncated
    else:
        result = _common_under_swizzles(a, b)
    if not (unchecked or exact):
        for x, letter in ((a, "A"), (b, "B")):
            _check_run(letter, x, result, a, b)
    return result


def _common_under_swizzles(a: Any, b: Any) -> Any:
    """CuTe's answer for a swizzled layout and a plain one; for two swizzled ones, of which CuTe has none, the
    run under them up to the least bit that a swizzle reads.
    """
    name = "max_common_layout"
    if isinstance(a, ComposedLayout) and isinstance(b, ComposedLayout):
        common = max_common_layout(_under(name, a), _under(name, b), unchecked=True)
        read = [x.swizzle.yyy_mask for x in (a, b) if x.swizzle.b]
        kept = min(mask & -mask for mask in read) if read else common.size()
    else:
        composed, other = (a, b) if isinstance(a, ComposedLayout) else (b, a)
        common = max_common_layout(_under(name, composed), other, unchecked=True)
        kept = 1 << composed.swizzle.m
    return composition(common, kept, unchecked=True) if kept < common.size() else common


def _under(name: str, x: ComposedLayout) -> Any:
    """What stands under the swizzle of x."""
    if isinstance(x.swizzle, Swizzle) and not isinstance(x.layout, Swizzle):
        return x.layout
    raise UnsupportedError(
        f"{name}: {x} is more than swizzles over a layout, and CuTe has no {name} for it\n"
        "  ask it of the layout inside, or evaluate both at coordinates, X(5)"
    )


def _check_run(letter: str, x: Any, result: Any, a: Any, b: Any) -> None:
    i = least_difference_of("max_common_layout", result.shape, (x, result), (IDENTITY,))
    if i is not None:
        got = at((x, result), i)
        raise Inadmissible(
            f"max_common_layout: {letter}(R({i})) = {show(got)}, not {i}\n"
            f"  A = {a}, B = {b}, R = {result}\n"
            "  the run must begin at offset 0 and carry nowhere; unchecked=True gives CuTe's answer R",
            i,
            i,
            got,
        )


def max_common_vector(a: Any, b: Any, *, unchecked: bool = False) -> Any:
    """The length of that run, in elements; it may exceed size(A) where A goes on past its domain. An offset
    is where the run begins, as a pointer would be: `A(R(i)) = A(R(0)) + i`, and so for B.

    Raises Inadmissible where the elements of CuTe's answer are not a run, as when an offset lies inside the
    swizzle's unit.
    """
    a, b = as_layout(of_tensor(a)), as_layout(of_tensor(b))
    if isinstance(a, Layout) and isinstance(b, Layout):
        inverse = right_inverse(b, unchecked=True)
        after_a, exact = compose_exact(a, inverse)
        common: Layout = coalesce(after_a)
        length: Any = common[0].shape if common[0].stride == 1 else 1
        if isinstance(length, Dim):
            return length
        if not (unchecked or exact):
            _check_length(a, b, inverse, int(length))
        return int(length)
    vector = _vector_under_swizzles(a, b)
    if not unchecked:
        _check_length(a, b, right_inverse(inner(b), unchecked=True), vector)
    return vector


def _vector_under_swizzles(a: Any, b: Any) -> int:
    """CuTe's answer; a common swizzle is seen through, any other keeps runs of 2^M elements."""
    name = "max_common_vector"
    if isinstance(a, ComposedLayout) and isinstance(b, ComposedLayout):
        vector = max_common_vector(_under(name, a), _under(name, b), unchecked=True)
        if a.swizzle == b.swizzle:
            return int(vector)
        return int(min(vector, 1 << a.swizzle.m, 1 << b.swizzle.m))
    composed, other = (a, b) if isinstance(a, ComposedLayout) else (b, a)
    return int(min(max_common_vector(_under(name, composed), other, unchecked=True), 1 << composed.swizzle.m))


def _check_length(a: Any, b: Any, inverse: Layout, n: int) -> None:
    """Some n indices are met by both in step: those of the plain inverse, or those that a common swizzle
    makes of them."""
    if n == 1 or not decidable("max_common_vector", a, b):
        return
    if n > ENUMERATED:
        raise UnsupportedError(
            f"max_common_vector: {n} elements, and up to {ENUMERATED} are compared\n"
            f"  A = {a}, B = {b}\n  unchecked=True gives {n}"
        )
    found = _first_out_of_step(a, b, [inverse(i) for i in range(n)])
    if found is None:
        return
    if isinstance(b, ComposedLayout) and isinstance(b.layout, Layout):
        start = b.swizzle(b.offset)
        places = [b.swizzle(start + i) - b.offset for i in range(n)]
        inside = all(0 <= x < inverse.size() for x in places)
        if inside and _first_out_of_step(a, b, [inverse(x) for x in places]) is None:
            return
    i, letter, want, got = found
    raise Inadmissible(
        f"max_common_vector: {n} elements are not a run: element {i} of {letter} is at {show(got)}, "
        f"not at {show(want)}\n"
        f"  A = {a}, B = {b}\n"
        "  an offset must be a multiple of the swizzle's unit; unchecked=True gives CuTe's answer",
        i,
        want,
        got,
    )


def _first_out_of_step(a: Any, b: Any, indices: list[int]) -> tuple[int, str, Any, Any] | None:
    """The first element that does not follow the one before it, whose, and where it should be and is."""
    for i, index in enumerate(indices):
        for x, letter in ((a, "A"), (b, "B")):
            want, got = x(indices[0]) + i, x(index)
            if want != got:
                return i, letter, want, got
    return None
