"""right_inverse and left_inverse, and what two layouts have in common.

Laws: `L(right_inverse(L)(i)) = i` for all i below its size; `L(R(L(i))) = L(i)` for `R = left_inverse(L)`,
which for an injective L means `R(L(i)) = i`.

Source: cute/layout.hpp; CuTe sorts by an exchange sort that is not stable, and so does this module, since
the order of equal strides shows in the result.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..basis import ScaledBasis
from ..dim import Dim, ascending, is_symbolic, undecided
from ..errors import LayoutError, NeedFact
from ..layout import Layout, slot
from ..swizzle import ComposedLayout, Swizzle
from ..truncation import split, tdiv
from .coalesce import UNIT, coalesce_modes, from_modes, merge
from .kinds import as_layout
from .laws import check_left_inverse
from .memo import remember, table
from .modes import MAX_RANK

_keep_right_inverse = slot("_right_inverse")


def _sorted_indices(keys: list[Any]) -> list[int]:
    """Indices in the order of their keys, as CuTe's exchange sort leaves them."""
    if Dim in map(type, keys):
        keys = _ranks(keys)
    order = sorted(range(len(keys)), key=keys.__getitem__)
    if len(set(keys)) == len(keys):
        return order
    pairs = [(key, k) for k, key in enumerate(keys)]
    for i in range(len(pairs)):
        for j in range(i + 1, len(pairs)):
            if pairs[j][0] < pairs[i][0]:
                pairs[i], pairs[j] = pairs[j], pairs[i]
    return [k for _, k in pairs]


def _ranks(keys: list[Any]) -> list[int]:
    """The places of the keys in ascending order, equal ones sharing theirs: integers that sort as they do."""
    ranks = [0] * len(keys)
    order = ascending(keys)
    for before, k in pairwise(order):
        ranks[k] = ranks[before] + (keys[k] != keys[before])
    return ranks


def _prefix(shapes: list[Any]) -> list[Any]:
    result, current = [], 1
    for s in shapes:
        result.append(current)
        current = current * s
    return result


def _ordered(name: str, x: Layout) -> tuple[list[Any], list[Any]]:
    """The coalesced modes of x. Raises LayoutError for basis strides."""
    shapes, strides = coalesce_modes(x.shape, x.stride)
    if ScaledBasis in map(type, strides):
        raise LayoutError(f"{name}: {x} has basis strides, which have no order")
    if len(strides) > MAX_RANK:  # sorting and checking them takes quadratic time
        raise LayoutError(f"{name}: {len(strides)} modes that do not merge; at most {MAX_RANK} are inverted")
    return shapes, strides


def right_inverse_layout(x: Layout) -> Layout:
    """CuTe's right_inverse of a plain layout. Its law needs no check: mode by mode the strides that are
    taken make a compact layout, so that the digits of i in R are those of i in L.
    """
    shape = x.shape
    if type(shape) is not tuple:
        if type(x.stride) is ScaledBasis:
            _ordered("right_inverse", x)
        if x.stride == 1 and shape != 1:
            return Layout._make(shape, 1)
        if type(x.stride) is Dim and shape != 1:
            _no_stride_is(1, [x.stride])
        return UNIT
    shapes: list[Any] = []
    strides: list[Any] = []
    merge(shape, x.stride, shapes, strides)
    if not shapes or len(shapes) > MAX_RANK or ScaledBasis in map(type, strides):
        _ordered("right_inverse", x)
    if len(shapes) < 2:
        if strides == [1]:
            return Layout._make(shapes[0], 1)
        if Dim in map(type, strides):
            _no_stride_is(1, strides)
        return UNIT
    starts: dict[Any, tuple[Any, Any]] = {}  # stride: (size, where the mode starts in x's domain)
    start = 1
    for s, d in zip(shapes, strides):  # noqa: B905  two lists made together
        starts[d] = s, start
        start *= s
    if len(starts) < len(strides):  # of equal strides the one that CuTe's sort puts first
        prefix = _prefix(shapes)
        starts = {strides[k]: (shapes[k], prefix[k]) for k in reversed(_sorted_indices(strides))}
    out_s: list[Any] = []
    out_d: list[Any] = []
    ahead = None
    reach: Any = 1  # the values 0 .. reach-1 are hit so far
    while reach in starts:
        s, d = starts[reach]
        reach *= s
        if d == ahead:
            out_s[-1] *= s
        else:
            out_s.append(s)
            out_d.append(d)
        ahead = s * d
    if reach != start and (type(reach) is Dim or Dim in map(type, strides)):
        taken: set[Any] = set()
        at: Any = 1
        while at != reach:
            taken.add(at)
            at = at * starts[at][0]
        _no_stride_is(reach, [d for d in strides if d not in taken])
    if len(out_s) > 1:
        return Layout._make(tuple(out_s), tuple(out_d))
    return Layout._make(out_s[0], out_d[0]) if out_s else UNIT


def _no_stride_is(reach: Any, strides: list[Any]) -> None:
    """Raises NeedFact where, for some values of the parameters, the run of values goes on with a mode."""
    for d in strides:
        if (d > reach) is not True and (d < reach) is not True:
            raise NeedFact(f"right_inverse: this depends on whether {d}>{reach}: assume it", f"{d}>{reach}")


def _kept_right_inverse(x: Layout) -> Layout:
    result = right_inverse_layout(x)
    _keep_right_inverse(x, result)
    return result


def right_inverse(x: Any, *, unchecked: bool = False) -> Any:
    """The longest layout R that CuTe finds with `L(R(i)) = i`: `right_inverse((4,8):(8,1)) = (8,4):(4,1)`.
    Of a swizzle, the swizzle; of a swizzled layout, the inverse with the swizzle passed through.
    """
    if type(x) is Layout:
        known = x._right_inverse
        return _kept_right_inverse(x) if known is None else known
    if isinstance(x, ComposedLayout):
        from .composed_inverses import composed_right_inverse

        return composed_right_inverse(x, unchecked)
    return x if isinstance(x, Swizzle) else right_inverse(as_layout(x))


def left_inverse_layout(x: Layout) -> tuple[Layout, bool]:
    """CuTe's left_inverse of a plain layout, and whether its law surely holds: the strides are positive and
    each steps over the mode before it, so that R reads the digits of L(i) off.
    """
    shapes, strides = _ordered("left_inverse", x)
    starts = _prefix(shapes)
    out_s: list[Any] = []
    out_d: list[Any] = [0]
    span = 1
    exact, before = True, 1
    order = _sorted_indices(strides)
    for k in order:
        d = strides[k]
        if d == 0:
            continue
        if d % span != 0:
            raise LayoutError(
                f"left_inverse: Left inverse divisibility condition: {d} % {span} = {split(d, span)[1]}\n"
                f"  {x}: the stride {d} is not a multiple of {span}, the step that the lesser strides need"
            )
        out_s.append(tdiv(d, span))
        out_d.append(starts[k])
        span = span * out_s[-1]
        if d < 0 or out_s[-1] < before:
            exact = False
        before = shapes[k]
    out_s.append(shapes[order[-1]])
    return from_modes(*coalesce_modes(tuple(out_s), tuple(out_d))), exact


_LEFT = table()
_LEFT_RAW = table()


def left_inverse(x: Any, *, unchecked: bool = False) -> Any:
    """R with `L(R(L(i))) = L(i)`: `left_inverse((4,8):(1,5)) = (5,8):(1,4)`; an inverse when L is
    injective.
    """
    if type(x) is Layout:
        key = (x.shape, x.stride)
        answers = _LEFT_RAW if unchecked else _LEFT
        known = answers.get(key)
        if known is not None:
            return known
        result, exact = left_inverse_layout(x)
        if not (exact or unchecked):
            if is_symbolic((x.shape, x.stride)):
                raise undecided("left_inverse", f"L = {x}")
            check_left_inverse(x, result)
        return remember(answers, key, result)
    if isinstance(x, ComposedLayout):
        from .composed_inverses import composed_left_inverse

        return composed_left_inverse(x, unchecked)
    return x if isinstance(x, Swizzle) else left_inverse(as_layout(x), unchecked=unchecked)
