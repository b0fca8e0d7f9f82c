"""composition and with_shape: one layout after another.

Law: `R = composition(A, B)` is compatible with B, `size(R) = size(B)` and `R(i) = A(B(i))` for `0 <= i <
size(B)`, A extended by its last mode where B leaves its domain. CuTe's algorithm works mode by mode on the
flat A and checks two divisibility conditions that do not suffice; where its answer breaks the law this
module raises Inadmissible, and `unchecked=True` gives the answer all the same.

Source: cute/layout.hpp, composition_impl.
"""

from __future__ import annotations

from typing import Any

from ..basis import ScaledBasis, basis_get
from ..dim import at_least, is_symbolic, undecided
from ..errors import LayoutError, NeedFact
from ..inttuple import show, unwrap
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from ..truncation import tdiv, tmod
from .coalesce import by_profile, coalesce_extended, detail_coalesce_x
from .kinds import as_layout
from .laws import check_composition, check_reshape, in_mode
from .memo import keep_answer, remember, set_answers, table
from .plain import compose_linear, compose_modes


def compose_mode(
    shapes: list[Any], strides: list[Any], s: Any, d: Any, room: list[Any]
) -> tuple[list[Any], list[Any], bool]:
    """CuTe's composition of flat modes with one mode `s:d`, d not 0: the modes of the result, and whether
    the law surely holds.

    `room[k]` is what is left of the digit of A's mode k; the largest digit that this mode of B reaches
    there is taken off. The answer is exact when every size and stride that meet divide one another (so that
    `d*i` splits into those digits) and, over all modes of B together, no digit overflows (so that the
    splits add without a carry). Where that fails the law may hold all the same, and has to be decided.
    Raises LayoutError where CuTe asserts.
    """
    out_s: list[Any] = []
    out_d: list[Any] = []
    exact = True
    sign = 1
    rest_s, rest_d = s, d
    if d < 0:  # CuTe's conditions let every negative stride pass
        exact, sign, rest_d = False, -1, -d
    last = len(shapes) - 1
    if not last:  # A is linear
        return [s], [d * strides[0]], True
    for k in range(last):
        curr = shapes[k]
        if type(curr) is int and curr < 0:
            exact = False
            steps, rest_s, rest = _negative_mode(shapes, strides, k, (s, d), rest_s, sign * rest_d)
            if steps is not None:
                out_s.append(steps)
                out_d.append(sign * rest_d * strides[k])
            sign, rest_d = (-1, -rest) if rest < 0 else (1, rest)
            continue
        if at_least(rest_d, curr):  # mode k is stepped over
            if rest_d % curr != 0 and sign > 0:
                raise LayoutError(
                    f"composition: Stride Divisibility Condition: {rest_d} % {curr} = {rest_d % curr}\n"
                    f"  A = {_text(shapes, strides)}, mode {s}:{d} of B\n"
                    f"  a stride of B must be a multiple of the size {curr} of A's mode {k} or less than it"
                )
            rest_d = -(-rest_d // curr)
            continue
        if rest_s == 0:  # so is the size there, and CuTe divides by it
            raise LayoutError(f"composition: 0 % 0\n  A = {_text(shapes, strides)}, mode {s}:{d} of B")
        if rest_s != 1:  # mode k is entered with steps of rest_d
            new_s = rest_s if _ends_inside(rest_s, rest_d, curr) else -(-curr // rest_d)
            if new_s == rest_s:
                rest_s = 1
            elif rest_s % new_s != 0:
                raise LayoutError(
                    f"composition: Shape Divisibility Condition: {rest_s} % {new_s} = {rest_s % new_s}\n"
                    f"  A = {_text(shapes, strides)}, mode {s}:{d} of B\n"
                    f"  {new_s} steps of {rest_d} fill A's mode {k} of size {curr}: B's size must divide so"
                )
            else:
                rest_s //= new_s
                if curr % rest_d != 0:
                    exact = False
            out_s.append(new_s)
            out_d.append(sign * rest_d * strides[k])
            room[k] -= rest_d * (new_s - 1)
        rest_d = 1
    if not out_s or rest_s != 1:
        out_s.append(rest_s)
        out_d.append(sign * rest_d * strides[last])
    return out_s, out_d, exact


def _negative_mode(
    shapes: list[Any], strides: list[Any], k: int, mode: tuple[Any, Any], s: Any, d: Any
) -> tuple[Any, Any, Any]:
    """One step of CuTe's fold in a mode of A of negative size, as its complement of a negative stride makes
    up: the size that `s:d` gets there (None where it steps over), and what is left of s and d.

    Raises LayoutError where the divisions cannot be compiled; the signs are those of C++.
    """
    curr, step = shapes[k], abs(d)
    about = f"A = {_text(shapes, strides)}, mode {mode[0]}:{mode[1]} of B, at A's mode {k} of size {curr}"
    if step == 0:
        raise LayoutError(f"composition: {curr} / 0\n  {about}")
    if tmod(d, curr) != 0 and d >= curr:
        raise LayoutError(
            f"composition: Stride Divisibility Condition: {d} % {curr} = {tmod(d, curr)}\n  {about}"
        )
    here, rest = tdiv(curr + step - 1, step), tdiv(step + curr - 1, curr) * (-1 if d < 0 else 1)
    if here == 1 or s == 1:
        return None, s, rest
    new = min(here, s)
    if new == 0 or tmod(s, new) != 0:
        raise LayoutError(f"composition: Shape Divisibility Condition: {s} % {new}\n  {about}")
    return new, tdiv(s, new), rest


def _ends_inside(s: Any, d: Any, curr: Any) -> bool:
    """Whether s steps of d stay inside a mode of size curr. Where that is open, but d divides curr and the
    steps in the mode divide s, they need not: the rest of s is then 1 or more, and may well be 1."""
    inside = d * (s - 1) < curr
    if type(inside) is bool:
        return inside
    if (curr % d == 0) is True and (s % (curr // d) == 0) is True:
        return False
    return bool(inside)


def _text(shapes: list[Any], strides: list[Any]) -> str:
    return f"{show(unwrap(tuple(shapes)))}:{show(unwrap(tuple(strides)))}"


def _compose_tree(
    shapes: list[Any], strides: list[Any], s: Any, d: Any, room: list[Any]
) -> tuple[Any, Any, bool]:
    """Shape and stride of flat modes after the nested `s:d`, and whether the law surely holds but for
    `room`."""
    if type(s) is tuple:
        exact = True
        out_s, out_d = [], []
        for si, di in zip(s, d):  # noqa: B905  congruent by construction, and this loop is hot
            rs, rd, ok = _compose_tree(shapes, strides, si, di, room)
            out_s.append(rs)
            out_d.append(rd)
            if not ok:
                exact = False
        return tuple(out_s), tuple(out_d), exact
    if type(d) is ScaledBasis:
        raise _BasisStride
    if d == 0:
        return s, d, True
    ms, md, exact = compose_mode(shapes, strides, s, d, room)
    if len(ms) == 1:
        return ms[0], md[0], exact
    return tuple(ms), tuple(md), exact


def _scale(d: Any, factor: Any) -> Any:
    """The strides `d` times `factor`; 0 stays a plain 0."""
    if type(d) is tuple:
        return tuple([_scale(x, factor) for x in d])
    if type(d) is ScaledBasis:
        raise _BasisStride
    return d * factor if d != 0 else d


class _BasisStride(Exception):
    """B has strides that name modes of A, and takes the other road."""


def compose_exact(a: Layout, b: Layout) -> tuple[Layout, bool]:
    """CuTe's composition of two layouts, and whether its law surely holds."""
    shapes, strides = coalesce_extended(a)
    try:
        if len(shapes) == 1:  # A is linear
            return Layout._make(b.shape, _scale(b.stride, strides[0])), True
        room = shapes.copy()
        s, d, exact = _compose_tree(shapes, strides, b.shape, b.stride, room)
    except _BasisStride:
        return _compose_basis(a, b)
    if exact:
        room.pop()  # the last mode has no bound
        exact = all((r > 0) is True for r in room)
    return Layout._make(s, d), exact


def compose_layouts(a: Layout, b: Layout) -> Layout:
    """CuTe's composition of two layouts, unchecked."""
    return compose_exact(a, b)[0]


def _profile(d: Any, profile: Any) -> Any:
    """The nesting of the coordinates that the strides `d` speak of: CuTe's coprofile."""
    if isinstance(d, tuple):
        for x in d:
            profile = _profile(x, profile)
        return profile
    return _widen(profile, d.modes) if isinstance(d, ScaledBasis) else profile


def _widen(profile: Any, path: tuple[int, ...]) -> Any:
    if not path:
        return profile
    old = profile if isinstance(profile, tuple) else ()
    modes = list(old) + [0] * (path[0] + 1 - len(old))
    modes[path[0]] = _widen(modes[path[0]], path[1:])
    return tuple(modes)


def _compose_basis(a: Layout, b: Layout) -> tuple[Layout, bool]:
    """B's strides name modes of A: `2@1` is a stride of 2 in mode 1."""
    flat = by_profile("composition", a, _profile(b.stride, 0), detail_coalesce_x)
    rooms: dict[tuple[int, ...], list[Any]] = {}
    no_path: tuple[int, ...] = ()

    def go(s: Any, d: Any) -> tuple[Any, Any, bool]:
        if isinstance(s, tuple):
            done = [go(si, di) for si, di in zip(s, d, strict=True)]
            return tuple([p[0] for p in done]), tuple([p[1] for p in done]), all(p[2] for p in done)
        if type(d) is int and d == 0:  # stays in place, whichever modes the others name
            return s, d, True
        shape, stride, path = flat.shape, flat.stride, no_path
        if isinstance(d, ScaledBasis):
            path = d.modes
            shape, stride, d = basis_get(path, shape), basis_get(path, stride), d.value
        if isinstance(shape, tuple) and any(isinstance(x, tuple) for x in shape):
            raise LayoutError(f"composition: {a} after {b}: stride {d} names a mode that has modes itself")
        sizes, steps = ([shape], [stride]) if not isinstance(shape, tuple) else (list(shape), list(stride))
        return _compose_tree(sizes, steps, s, d, rooms.setdefault(path, sizes.copy()))

    s, d, exact = go(b.shape, b.stride)
    return Layout._make(s, d), exact and all((r >= 1) is True for room in rooms.values() for r in room[:-1])


_DECIDED = table()
COMPOSITION = "composition"


def no_carry(name: str, about: str) -> NeedFact:
    """The error for symbols of which it is not known that the digits of A hold what B adds up."""
    return undecided(name, about)


def _composed(a: Layout, b: Layout, unchecked: bool) -> Layout:
    result, exact = compose_exact(a, b)
    if exact or unchecked:
        return result
    if is_symbolic((a.shape, a.stride, b.shape, b.stride)):
        raise no_carry("composition", f"A = {a}, B = {b}")
    key = (a.shape, a.stride, b.shape, b.stride)
    if key not in _DECIDED:
        check_composition(a, b, result)
        remember(_DECIDED, key, result)
    return result


def composition(a: Any, b: Any, *, unchecked: bool = False) -> Any:
    """A after B. B may be a layout, an int N (for `N:1`), `None` (all of A), or a tuple of those, one a
    mode of A: modes of A beyond the tuple are dropped. A or B may be swizzled.

    Law: `R(i) = A(B(i))`, R compatible with B. Raises LayoutError where CuTe's static assertions do,
    Inadmissible (with `.index`, `.want`, `.got`) where CuTe's answer breaks the law; `unchecked=True` gives
    that answer.
    """
    if type(a) is Layout:
        entry = a._answers
        while entry is not None:
            if entry[0] is b and entry[1] is COMPOSITION:
                return entry[2]
            entry = entry[3]
        kind = type(b)
        if kind is Layout or kind is int:
            shape, stride = (b.shape, b.stride) if kind is Layout else (b, 1)
            if kind is int and b < 1:
                raise LayoutError(f"composition: {a} after {b} elements: there must be 1 or more")
            if type(a.shape) is int:
                plain = compose_linear(a.stride, shape, stride)
            elif type(stride) is int and stride == 0:
                plain = Layout._make(shape, 0)
            else:
                sizes, strides = coalesce_extended(a)
                if len(sizes) > 1:
                    plain = compose_modes(sizes, strides, shape, stride)
                else:
                    plain = compose_linear(strides[0], shape, stride)
            if plain is not None:
                if a._answers is not None:
                    return keep_answer(a, COMPOSITION, b, plain)
                set_answers(a, (b, COMPOSITION, plain, None, 1))
                return plain
            return _composed(a, b if kind is Layout else Layout._make(b, 1), unchecked)
    if b is None:
        return a
    if isinstance(a, (Swizzle, ComposedLayout)) or isinstance(b, (Swizzle, ComposedLayout)):
        from .composed import compose_composed

        return compose_composed(a, b, unchecked)
    if not isinstance(a, Layout):
        return composition(as_layout(a), b, unchecked=unchecked)
    if isinstance(b, tuple):
        modes = list(a)
        if len(b) > len(modes):
            raise LayoutError(f"composition: the tiler {show(b)} has more modes than {a} (rank {len(modes)})")
        pairs = enumerate(zip(modes, b, strict=False))
        if any(isinstance(t, (Swizzle, ComposedLayout)) for t in b):
            raise LayoutError(f"composition: {a} after {show(b)}: a mode cannot take a swizzle of its own")
        done = [in_mode(k, composition, m, t, unchecked=unchecked) for k, (m, t) in pairs]
        return Layout._make(tuple([m.shape for m in done]), tuple([m.stride for m in done]))
    return composition(a, Layout(b, 1), unchecked=unchecked)


def with_shape(a: Any, shape: Any, *, unchecked: bool = False) -> Any:
    """A read through coordinates of `shape`: `composition(A, make_layout(shape))`. Law: as composition, and
    `size(shape) = size(A)`."""
    a, target = (
        as_layout(a),
        Layout(shape if not isinstance(shape, (Layout, ComposedLayout)) else shape.shape),
    )
    if not unchecked and target.size() != a.size():
        check_reshape(a, target.shape)
    return composition(a, target, unchecked=unchecked)
