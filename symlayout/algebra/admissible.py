"""admissible: whether any layout at all is A after B, and which.

CuTe's composition refuses some pairs that have an answer and answers some that have none. This decides: the
answer of composition where it is right, else the layout that the values force, mode by mode (fit.py), or
Inadmissible with the least index that no layout reaches. No domain is enumerated.
"""

from __future__ import annotations

from typing import Any

from ..dim import is_symbolic
from ..errors import Inadmissible, LayoutError, NeedFact, UnsupportedError
from ..inttuple import compatible, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .coalesce import coalesce_extended
from .composed import is_one_to_one, swizzled_refusal
from .composition import compose_exact, composition, no_carry
from .fit import Misfit, after, least_difference, value_after
from .laws import in_mode
from .memo import keep_answer, remember, table
from .plain import compose_linear, compose_modes

_DECIDED = table()
ADMISSIBLE = "admissible"


def admissible(a: Any, b: Any) -> Any:
    """The layout R with `R(i) = A(B(i))` for all i below size(B), compatible with B, if there is one.

    Exactly then: `admissible((4,2):(1,8), 6:1)` is refused, since the values 0 1 2 3 8 9 follow no layout of
    size 6, and `admissible((3,4):(4,1), 2:4)` is `2:5`, which CuTe refuses to compute. Where composition
    answers, R is its answer to the letter.

    A and B are as for composition. A goes on by its last mode where B leaves its domain; strides may be
    negative or 0, and basis strides, A's or B's (a stride of R then moves along one mode). B may be an int,
    `None`, or a tuple, decided mode by mode. A swizzled A is decided under its swizzle and offset, which are
    one-to-one, and R has the same two in front. A swizzled B raises UnsupportedError.

    Raises Inadmissible where there is none: no layout compatible with B has the values at 0..`.index`, and
    that is the least such index; `.want` is A(B(index)), `.got` the value that those before it force there
    (`None` for a coordinate that no single stride steps to).
    """
    if type(a) is Layout:
        entry = a._answers
        while entry is not None:
            if entry[0] is b and entry[1] is ADMISSIBLE:
                return entry[2]
            entry = entry[3]
        if type(b) is int:
            b = Layout(b, 1)
        if type(b) is Layout:
            result = _plain(a, b)
            return keep_answer(a, ADMISSIBLE, b, _decided(a, b) if result is None else result)
    if b is None:
        return a
    if isinstance(b, (Swizzle, ComposedLayout)):
        raise UnsupportedError(
            f"admissible: {b} is swizzled\n"
            "  only a plain B is decided; composition(A, B) answers for a swizzled one and checks its law"
        )
    if isinstance(a, ComposedLayout):
        try:
            return ComposedLayout(a.swizzle, a.offset, admissible(a.layout, b))
        except Inadmissible as e:
            if is_one_to_one(a):
                raise swizzled_refusal(a, e) from None
            raise UnsupportedError(
                f"admissible: {a} after {show(b)}: not decided: the layouts before the innermost may give "
                f"one value for two\n  {e}\n  composition(A, B) answers and checks its law"
            ) from None
    if isinstance(a, Swizzle):
        return composition(a, b)
    if isinstance(b, tuple):
        modes = list(a)
        if len(b) > len(modes):
            raise LayoutError(f"admissible: the tiler {show(b)} has more modes than {a} (rank {len(modes)})")
        done = [in_mode(k, admissible, m, t) for k, (m, t) in enumerate(zip(modes, b, strict=False))]
        return Layout._make(tuple([m.shape for m in done]), tuple([m.stride for m in done]))
    return admissible(a, Layout(b, 1))


def _plain(a: Layout, b: Layout) -> Layout | None:
    """composition's answer where plain integers show at once that it is right."""
    if type(a.shape) is int:
        return compose_linear(a.stride, b.shape, b.stride)
    sizes, strides = coalesce_extended(a)
    if len(sizes) > 1:
        return compose_modes(sizes, strides, b.shape, b.stride)
    return compose_linear(strides[0], b.shape, b.stride)


def _decided(a: Layout, b: Layout) -> Layout:
    key = (a.shape, a.stride, b.shape, b.stride)
    known: Layout | None = _DECIDED.get(key)
    if known is not None:
        return known
    try:
        result, exact = compose_exact(a, b)
    except NeedFact:
        raise
    except LayoutError:  # where CuTe asserts, there may be a layout all the same
        exact, result = False, None
    if not exact:
        if is_symbolic(key):
            raise no_carry("admissible", f"A = {a}, B = {b}")
        if (
            result is None
            or not compatible(b.shape, result.shape)
            or least_difference(a, b, result) is not None
        ):
            result = _forced(a, b)
    known = remember(_DECIDED, key, result)
    return known


def _forced(a: Layout, b: Layout) -> Layout:
    try:
        return after(a, b)
    except Misfit as e:
        i, want = e.index, value_after(a, b, e.index)
        forced = "" if e.got is None else f", and the values before force {e.got}"
        raise Inadmissible(
            f"admissible: no layout is A after B: A(B({i})) = {want}{forced}\n  A = {a}, B = {b}\n  {e.why}",
            i,
            want,
            e.got,
        ) from None
