"""composition and with_shape: one layout after another.

Law: `R = composition(A, B)` is compatible with B, `size(R) = size(B)` and `R(i) = A(B(i))` for `0 <= i <
size(B)`, A extended by its last mode where B leaves its domain. CuTe's algorithm works mode by mode on the
flat A and checks two divisibility conditions that do not suffice; where its answer breaks the law this
module raises Inadmissible, and `unchecked=True` gives the answer all the same.

Source: cute/layout.hpp, composition_impl.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..basis import ScaledBasis, basis_get
from ..errors import LayoutError
from ..inttuple import show, unwrap
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .coalesce import by_profile, coalesce_extended, detail_coalesce_x


def compose_mode(shapes: list[Any], strides: list[Any], s: Any, d: Any) -> tuple[list[Any], list[Any]]:
    """CuTe's composition of flat modes with one mode `s:d`; the result's modes. Raises LayoutError where
    CuTe asserts.
    """
    out_s: list[Any] = []
    out_d: list[Any] = []
    rest_s, rest_d = s, d
    last = len(shapes) - 1
    for k in range(last):
        curr = shapes[k]
        if rest_d % curr != 0 and not rest_d < curr:
            raise LayoutError(
                f"composition: Stride Divisibility Condition: {rest_d} % {curr} = {rest_d % curr}\n"
                f"  A = {_text(shapes, strides)}, mode {s}:{d} of B\n"
                f"  a stride of B must be a multiple of the size {curr} of A's mode {k} or less than it"
            )
        size_d = -rest_d if rest_d < 0 else rest_d
        next_s = (curr + size_d - 1) // size_d
        next_d = (size_d + curr - 1) // curr
        if next_s != 1 and rest_s != 1:
            new_s = next_s if next_s < rest_s else rest_s
            if rest_s % new_s != 0:
                raise LayoutError(
                    f"composition: Shape Divisibility Condition: {rest_s} % {new_s} = {rest_s % new_s}\n"
                    f"  A = {_text(shapes, strides)}, mode {s}:{d} of B\n"
                    f"  {new_s} steps of {rest_d} fill A's mode {k} of size {curr}: B's size must divide so"
                )
            out_s.append(new_s)
            out_d.append(rest_d * strides[k])
            rest_s = rest_s // new_s
        rest_d = -next_d if rest_d < 0 else next_d
    if not out_s or rest_s != 1:
        out_s.append(rest_s)
        out_d.append(rest_d * strides[last])
    return out_s, out_d


def _text(shapes: list[Any], strides: list[Any]) -> str:
    return f"{show(unwrap(tuple(shapes)))}:{show(unwrap(tuple(strides)))}"


def _compose_int(shapes: list[Any], strides: list[Any], s: Any, d: Any) -> tuple[Any, Any]:
    """Shape and stride of flat modes after `s:d`, as tuples or bare."""
    if isinstance(d, int) and d == 0:
        return s, d
    if len(shapes) == 1:
        return s, strides[0] * d
    out_s, out_d = compose_mode(shapes, strides, s, d)
    if len(out_s) == 1:
        return out_s[0], out_d[0]
    return tuple(out_s), tuple(out_d)


def _compose_tree(shapes: list[Any], strides: list[Any], s: Any, d: Any) -> tuple[Any, Any]:
    if isinstance(s, tuple):
        pairs = [_compose_tree(shapes, strides, si, di) for si, di in zip(s, d, strict=True)]
        return tuple([p[0] for p in pairs]), tuple([p[1] for p in pairs])
    return _compose_int(shapes, strides, s, d)


def compose_layouts(a: Layout, b: Layout) -> Layout:
    """CuTe's composition of two layouts, unchecked."""
    s, d = b.shape, b.stride
    if _has_basis(d):
        return _compose_basis(a, b)
    shapes, strides = coalesce_extended(a)
    return Layout._make(*_compose_tree(shapes, strides, s, d))


def _has_basis(d: Any) -> bool:
    if isinstance(d, tuple):
        for x in d:
            if _has_basis(x):
                return True
        return False
    return isinstance(d, ScaledBasis)


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


def _compose_basis(a: Layout, b: Layout) -> Layout:
    """B's strides name modes of A: `2@1` is a stride of 2 in mode 1."""
    flat = by_profile("composition", a, _profile(b.stride, 0), detail_coalesce_x)

    def go(s: Any, d: Any) -> tuple[Any, Any]:
        if isinstance(s, tuple):
            pairs = [go(si, di) for si, di in zip(s, d, strict=True)]
            return tuple([p[0] for p in pairs]), tuple([p[1] for p in pairs])
        shape, stride = flat.shape, flat.stride
        if isinstance(d, ScaledBasis):
            shape, stride, d = basis_get(d.modes, shape), basis_get(d.modes, stride), d.value
        if isinstance(shape, tuple):
            return _compose_int(list(shape), list(stride), s, d)
        return _compose_int([shape], [stride], s, d)

    return Layout._make(*go(b.shape, b.stride))


@lru_cache(maxsize=1 << 16)
def _composition(a: Layout, b: Layout, unchecked: bool) -> Layout:
    return compose_layouts(a, b)


def composition(a: Any, b: Any, *, unchecked: bool = False) -> Any:
    """A after B. B may be a layout, an int N (for `N:1`), `None` (all of A), or a tuple of those, one a
    mode of A: modes of A beyond the tuple are dropped. A or B may be swizzled.

    Law: `R(i) = A(B(i))`, R compatible with B. Raises LayoutError where CuTe's static assertions do,
    Inadmissible (with `.index`, `.want`, `.got`) where CuTe's answer breaks the law; `unchecked=True` gives
    that answer.
    """
    if type(a) is Layout and type(b) is Layout:
        return _composition(a, b, unchecked)
    if b is None:
        return a
    if isinstance(a, ComposedLayout):
        if isinstance(b, (Swizzle, ComposedLayout)):
            raise LayoutError(
                f"composition: {a} after {b}: the inner layout of A cannot take a second swizzle"
            )
        return ComposedLayout(a.swizzle, a.offset, composition(a.layout, b, unchecked=unchecked))
    if isinstance(a, Swizzle):
        return _swizzle_after(a, b)
    if isinstance(b, Swizzle):
        return _after_swizzle(a, b)
    if isinstance(b, ComposedLayout):
        if b.offset != 0:
            raise LayoutError(f"composition: Require offset == 0, and {b} has offset {b.offset}")
        return composition(composition(a, b.swizzle, unchecked=unchecked), b.layout, unchecked=unchecked)
    if isinstance(b, tuple):
        modes = list(a)
        if len(b) > len(modes):
            raise LayoutError(f"composition: the tiler {show(b)} has more modes than {a} (rank {len(modes)})")
        done = [composition(m, t, unchecked=unchecked) for m, t in zip(modes, b, strict=False)]
        return Layout._make(tuple([m.shape for m in done]), tuple([m.stride for m in done]))
    return _composition(a, Layout._make(b, 1), unchecked)


def _swizzle_after(a: Swizzle, b: Any) -> Any:
    """A swizzle after a layout is a ComposedLayout; after a swizzle of the same shift, one swizzle."""
    if isinstance(b, Swizzle):
        if a.s != b.s:
            raise LayoutError(f"composition: Can only merge swizzles of the same shift: {a} and {b}")
        from ..swizzle import make_swizzle

        return make_swizzle(a.yyy_mask ^ b.yyy_mask, a.zzz_mask ^ b.zzz_mask)
    if isinstance(b, ComposedLayout):
        return ComposedLayout(a, 0, b)
    return b if a.b == 0 else ComposedLayout(a, 0, b)


def _after_swizzle(a: Layout, b: Swizzle) -> Any:
    """A layout after a swizzle: A carries the two bit masks over, and the swizzle of their images stands in
    front.
    """
    from ..swizzle import make_swizzle

    front = make_swizzle(_image(a, b.yyy_mask), _image(a, b.zzz_mask))
    return _swizzle_after(front, a)


def _image(a: Layout, mask: int) -> int:
    value = a(mask)
    if not isinstance(value, int):
        raise LayoutError(
            f"composition: {a} maps the bit mask {mask:#b} to the coordinate {value}, which is no mask"
        )
    return value


def with_shape(a: Any, shape: Any, *, unchecked: bool = False) -> Any:
    """A read through coordinates of `shape`: `composition(A, make_layout(shape))`. Law: as composition, and
    `size(shape) = size(A)`."""
    return composition(a, Layout(shape), unchecked=unchecked)
