"""How a value comes about: the law of an operation, and its arithmetic on the layouts at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .. import algebra
from ..errors import SymlayoutError
from ..inttuple import flatten_to_tuple, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .recorder import Call, layout_of

FIRST = 8  # values of a table

_COMPOSITION = "size(R) = size(B), R is compatible with B, and R(i) = A(B(i)) for 0 <= i < size(B)"
_DIVIDE = (
    "every coordinate of A is reached, and none twice unless the tiler repeats it; the tile is A after B"
)
_PRODUCT = (
    "the inner composition(complement(A, size(A)*cosize(B)), B) obeys the law of composition, "
    "and copies of A at different values of B share no offset"
)
_CAST = "the bits of L's elements, rounded out to whole new elements, are the bits of R's elements"
LAWS = {
    "admissible": _COMPOSITION,
    "composition": _COMPOSITION,
    "with_shape": "size(shape) = size(A), and R(i) = A(i)",
    "logical_divide": _DIVIDE,
    "zipped_divide": _DIVIDE,
    "tiled_divide": _DIVIDE,
    "flat_divide": _DIVIDE,
    "complement": "C increases; the sums filter(A)(j) + C(i) are distinct and reach a cotarget that is given",
    "right_inverse": "L(R(i)) = i for 0 <= i < size(R)",
    "left_inverse": "L(R(L(i))) = L(i)",
    "logical_product": _PRODUCT,
    "zipped_product": _PRODUCT,
    "tiled_product": _PRODUCT,
    "flat_product": _PRODUCT,
    "blocked_product": _PRODUCT,
    "raked_product": _PRODUCT,
    "tile_to_shape": "R is injective if the block is",
    "coalesce": "R(i) = L(i) for 0 <= i < size(L)",
    "max_common_layout": "A(R(i)) = B(R(i)) = i",
    "max_common_vector": "A(R(i)) = B(R(i)) = i for all i below it, R the common layout",
    "nullspace": "L(R(i)) = 0",
    "upcast": "the groups of N that L touches are the values of R: {floor(L(i)/N)} = {R(j)}",
    "downcast": "the N parts of each element are the values of R: {N*L(i) + k, 0 <= k < N} = {R(j)}",
    "recast_layout": _CAST,
    "layout_from_table": "L(i) = values[i] for all i",
}


def law(call: Call) -> str:
    """The law of the operation; empty when it has none beyond its definition."""
    if call.function is None:
        return ""
    return LAWS.get(call.name) or LAWS.get(call.function.__name__.rstrip("_"), "")


def derivation(call: Call) -> list[str]:
    """Lines of arithmetic; none for operations that say everything by their value."""
    if call.function is None:
        return list(_evaluation(layout_of(call), call.arguments))
    lines = _DERIVATIONS.get(call.name)
    if lines is None:
        return []
    try:
        return list(lines(call))
    except SymlayoutError as error:  # the value stands, with unchecked=true; a step on the way has none
        return [f"(no further step: {str(error).splitlines()[0]})"]


def _evaluation(f: Any, arguments: tuple[Any, ...]) -> Iterator[str]:
    """`10 = 1*2 + 0*1 + 1*8`, and what a swizzle makes of it."""
    crd = arguments[0] if len(arguments) == 1 else arguments
    if _keeps_a_mode(crd):
        return
    if isinstance(f, Swizzle):
        yield from _swizzling(f, crd)
    elif isinstance(f, ComposedLayout):
        yield from _evaluation(f.layout, arguments)
        inner = f.offset + f.layout(*arguments)
        if f.offset != 0:
            yield f"offset {f.offset} + {f.layout(*arguments)} = {inner}"
        if isinstance(f.swizzle, Swizzle):
            yield from _swizzling(f.swizzle, inner)
    else:
        natural = algebra.idx2crd(crd, f.shape) if isinstance(crd, int) else crd
        if isinstance(crd, int) and isinstance(f.shape, tuple):
            yield f"index {crd} is the coordinate {show(natural)}"
        if isinstance(natural, tuple) or not isinstance(f.shape, tuple):
            terms = [f"{c}*{d}" for c, d in _terms(natural, f.shape, f.stride)]
            yield f"{' + '.join(terms) or 0} = {show(f(*arguments))}"


def _terms(crd: Any, shape: Any, stride: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(shape, tuple):
        parts = crd if isinstance(crd, tuple) else algebra.idx2crd(crd, shape)
        for c, s, d in zip(parts, shape, stride, strict=True):
            yield from _terms(c, s, d)
    else:
        yield crd, stride


def _swizzling(swizzle: Swizzle, offset: Any) -> Iterator[str]:
    y = offset & swizzle.yyy_mask
    shifted = y >> swizzle.s if swizzle.s >= 0 else y << -swizzle.s
    yield f"{swizzle}: {offset:#b} ^ {shifted:#b} = {swizzle(offset):#b} = {swizzle(offset)}"


def _keeps_a_mode(crd: Any) -> bool:
    return crd is None or (isinstance(crd, tuple) and any(_keeps_a_mode(c) for c in crd))


def _table(what: str, n: int, columns: list[tuple[str, Callable[[int], Any]]]) -> Iterator[str]:
    """A row for each column of the first values, `i   0 1 2 3 ...`."""
    shown = min(n, FIRST)
    rows = [(what, [str(i) for i in range(shown)])]
    rows += [(name, [show(f(i)) for i in range(shown)]) for name, f in columns]
    names = max(len(name) for name, _ in rows)
    widths = [max(len(cells[i]) for _, cells in rows) for i in range(shown)]
    for name, cells in rows:
        line = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        yield f"{name:<{names}}  {line}{' ...' if n > shown else ''}"


def _composition(call: Call) -> Iterator[str]:
    a, b = call.arguments[:2]
    if isinstance(b, int):
        b = Layout(b)
    if isinstance(b, tuple):
        yield from _by_mode(call.name, a, b)
        return
    if b is None or not callable(a) or not callable(b) or _counts_coordinates(b):
        return
    if isinstance(b, Layout) and len(b) > 1:
        for k, mode in enumerate(b):
            yield f"mode {k}: A o {mode} = {show(algebra.composition(a, mode, unchecked=True))}"
    size = b.size() if hasattr(b, "size") else FIRST
    yield from _table("i", size, [("B(i)", b), ("A(B(i))", lambda i: a(b(i))), ("R(i)", call.value)])


def _counts_coordinates(layout: Any) -> bool:
    """Whether the layout has basis strides: its values are not indices of another layout."""
    return isinstance(layout, Layout) and not all(isinstance(d, int) for d in flatten_to_tuple(layout.stride))


def _by_mode(name: str, a: Any, tiler: tuple[Any, ...]) -> Iterator[str]:
    function = getattr(algebra, name)
    for k, entry in enumerate(tiler):
        part = function(a[k], entry, unchecked=True)
        yield f"mode {k}: {name}({a[k]}, {show(entry)}) = {show(part)}"
    if len(tiler) < a.rank():
        kept = "dropped" if name == "composition" else "kept as they are"
        yield f"modes from {len(tiler)} on are {kept}"


def _divide(call: Call) -> Iterator[str]:
    a, tiler = call.arguments[:2]
    if isinstance(tiler, tuple):
        yield from _by_mode("logical_divide", a, tiler)
    elif tiler is not None and isinstance(a, Layout):
        t = Layout(tiler) if isinstance(tiler, int) else tiler
        target = algebra.coalesce(a).shape
        rest = algebra.complement(t, target, unchecked=True)
        both = algebra.make_layout(t, rest)
        yield f"shape(coalesce(A)) = {show(target)}"
        yield f"rest = complement({t}, {show(target)}) = {rest}"
        yield f"composition(A, ({t}, {rest})) = {algebra.composition(a, both, unchecked=True)}"
    if call.name != "logical_divide":
        shapes = {
            "zipped_divide": "((tiles),(rests))",
            "tiled_divide": "((tiles),rest,...)",
            "flat_divide": "(tile,...,rest,...)",
        }
        yield f"modes gathered as {shapes[call.name]}: {show(call.value)}"


def _product(call: Call) -> Iterator[str]:
    a, tiler = call.arguments[:2]
    if isinstance(tiler, tuple):
        yield from _by_mode("logical_product", a, tiler)
    elif tiler is not None and isinstance(a, Layout):
        t = Layout(tiler) if isinstance(tiler, int) else tiler
        room = a.size() * t.cosize()
        rest = algebra.complement(a, room, unchecked=True)
        yield f"complement(A, size(A)*cosize(B) = {a.size()}*{t.cosize()}) = {rest}"
        yield f"composition({rest}, {t}) = {algebra.composition(rest, t, unchecked=True)}"
    if call.name != "logical_product":
        yield f"modes gathered: {show(call.value)}"


def _complement(call: Call) -> Iterator[str]:
    a = call.arguments[0]
    kept = algebra.filter(a)
    yield f"A' = filter(A) = {kept}, {kept.size()} elements up to {kept.cosize() - 1}"
    yield f"size(C) * size(A') = {call.value.size()} * {kept.size()} = {call.value.size() * kept.size()}"
    yield from _table("i", call.value.size(), [("C(i)", call.value)])


def _right_inverse(call: Call) -> Iterator[str]:
    a, r = call.arguments[0], call.value
    yield f"size(R) = {r.size()} of {a.size()} coordinates"
    yield from _table("i", r.size(), [("R(i)", r), ("L(R(i))", lambda i: a(r(i)))])


def _left_inverse(call: Call) -> Iterator[str]:
    a, r = call.arguments[0], call.value
    yield from _table("i", a.size(), [("L(i)", a), ("R(L(i))", lambda i: r(a(i)))])


def _values(call: Call) -> Iterator[str]:
    a, r = call.arguments[0], call.value
    if isinstance(a, (Layout, ComposedLayout)) and isinstance(r, (Layout, ComposedLayout)):
        yield from _table("i", a.size(), [("L(i)", a), ("R(i)", r)])


def _coalesce(call: Call) -> Iterator[str]:
    a = call.arguments[0]
    if isinstance(a, Layout):
        modes = zip(flatten_to_tuple(a.shape), flatten_to_tuple(a.stride), strict=True)
        yield "flat modes: " + ", ".join(f"{s}:{d}" for s, d in modes)
    yield from _values(call)


_DERIVATIONS: dict[str, Callable[[Call], Iterator[str]]] = {
    "composition": _composition,
    "compose": _composition,
    "with_shape": _values,
    "coalesce": _coalesce,
    "complement": _complement,
    "right_inverse": _right_inverse,
    "left_inverse": _left_inverse,
    **dict.fromkeys(("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"), _divide),
    **dict.fromkeys(
        (
            "logical_product",
            "zipped_product",
            "tiled_product",
            "flat_product",
            "blocked_product",
            "raked_product",
        ),
        _product,
    ),
}
