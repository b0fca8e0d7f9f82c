"""Which law judges which record, and CuTe's own steps recomputed for the ones whose law speaks of them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from . import cute, laws
from .maps import Basis, Layout, Pair, Swizzled, flat, is_tuple, read

JUDGED = {
    *("composition", "composition_int", "composition_tile", "composition_basis", "identity_composition"),
    *("with_shape", "swizzle_compose_then", "layout_after_swizzle", "complement", "complement_default"),
    *("complement_shape", "right_inverse", "swizzle_right_inverse", "left_inverse"),
    *("tile_to_shape", "swizzle_tile_to_shape"),
    *("upcast", "downcast", "recast_layout", "swizzle_upcast", "swizzle_downcast", "swizzle_recast_layout"),
}

# the element types of the records, in bits
BITS = {
    **{"bit": 1, "int2": 2, "int4": 4, "6bit": 6, "int8": 8, "half": 16, "float": 32, "double": 64},
    **{"uint128": 128, "uint8_t": 8, "half_t": 16, "float_e3m2_t": 6},
}

RESTATED = {
    *("composition", "composition_basis", "composition_int", "composition_tile"),
    *("complement", "complement_shape"),
}
TILED = ("_divide", "_divide_int", "_divide_tile", "_product", "_product_int", "_product_tile")


class Verdict(NamedTuple):
    broken: laws.Broken | None
    notes: tuple[str, ...] = ()


def layout_of(x: Any) -> Pair:
    """A tiler leaf as a layout: the int n is n:1."""
    return Layout((x, 1)) if isinstance(x, int) else x


def whole(shape: Any, prefix: tuple[int, ...] = ()) -> Any:
    """Strides of the identity layout of a shape."""
    if is_tuple(shape):
        return tuple(whole(s, (*prefix, k)) for k, s in enumerate(shape))
    return Basis(1, prefix) if prefix else 1


def identity(shape: Any) -> Pair:
    return Layout((shape, whole(shape)))


def compact(shape: Any) -> Pair:
    """Column-major strides."""
    step = 1

    def walk(s: Any) -> Any:
        nonlocal step
        if is_tuple(s):
            return tuple(map(walk, s))
        here, step = step, step * s
        return here

    return Layout((shape, walk(shape)))


def leaves(a: Pair, tiler: Any) -> Iterator[tuple[Pair, Pair, tuple[int, ...]]]:
    """(mode of a, layout, path) for every leaf of a by-mode tiler; `_` leaves are skipped."""
    if tiler is None:
        return
    if isinstance(tiler, Layout | int):
        yield a, layout_of(tiler), ()
        return
    if not is_tuple(a[0]):  # an int layout has one mode, itself
        a = Layout(((a[0],), (a[1],)))
    for k, t in enumerate(tiler):
        for mode, leaf, path in leaves(Layout((a[0][k], a[1][k])), t):
            yield mode, leaf, (k, *path)


def part(layout: Pair, path: tuple[int, ...]) -> Pair:
    for k in path:
        layout = Layout((layout[0][k], layout[1][k]))
    return layout


def first(verdicts: Iterator[laws.Broken | None]) -> Verdict:
    return Verdict(next((v for v in verdicts if v), None))


def judge_divide(a: Pair, tiler: Any) -> Verdict:
    notes = []
    for mode, leaf, path in leaves(a, tiler):
        where = f"mode {path}: " if path else ""
        tiling = laws.divide(mode, leaf)
        if tiling.broken:
            return Verdict(tiling.broken)
        if tiling.outside:
            notes.append(f"{where}over-cover {tiling.outside}")
        if tiling.repeats > 1:
            notes.append(f"{where}each element {tiling.repeats} times")
        if not tiling.injective:
            notes.append(f"{where}tiler not injective")
    return Verdict(None, tuple(notes))


def judge_cast(op: str, arguments: list[str], result: Any) -> Verdict:
    widths = arguments[: 2 if "recast" in op else 1]
    layout: Any = read(arguments[-1])
    if op.startswith("swizzle"):
        layout = Swizzled(read(arguments[-2]), 0, layout)
    if "recast" in op:
        old, new = (int(w) if w.isdigit() else BITS[w] for w in widths)
    else:
        old, new = (1, int(widths[0])) if "upcast" in op else (int(widths[0]), 1)
    return Verdict(laws.cast(layout, old, new, result))


def padded(a: Pair, rank: int) -> Pair:
    """append<rank>(a) with modes 1:0."""
    if not is_tuple(a[0]):
        a = Layout(((a[0],), (a[1],))) if rank > 1 else a
    missing = rank - len(a[0]) if is_tuple(a[0]) else 0
    return Layout((a[0] + (1,) * missing, a[1] + (0,) * missing)) if missing else a


def rank(a: Pair) -> int:
    return len(a[0]) if is_tuple(a[0]) else 1


def judge(op: str, arguments: list[str], result_text: str) -> Verdict | None:
    """None when no law 1-7 speaks of the operation."""
    if not (op in JUDGED or op.endswith(TILED)):
        return None
    if op.removeprefix("swizzle_") in ("upcast", "downcast", "recast_layout"):
        return judge_cast(op, arguments, read(result_text))
    args: Any = [read(t) for t in arguments if t not in ("LayoutLeft", "LayoutRight")]
    result = read(result_text)
    if op in ("composition", "composition_int", "composition_tile", "composition_basis"):
        a, b = args
        pairs = ((mode, leaf, part(result, path)) for mode, leaf, path in leaves(a, b))
        return first(laws.composition(*three) for three in pairs)
    if op == "identity_composition":
        return Verdict(laws.composition(identity(args[0]), args[1], result))
    if op == "with_shape":
        return Verdict(laws.with_shape(args[0], args[1], result))
    if op == "swizzle_compose_then":
        return Verdict(laws.swizzle_compose_then(args[0], args[1], args[2], result))
    if op == "layout_after_swizzle":
        a, sw, *b = args
        return Verdict(laws.layout_after_swizzle(a, sw, b[0] if b else compact(a[0]), result))
    if op == "identity_zipped_divide":
        return judge_divide(identity(args[0]), args[1])
    if op == "swizzle_zipped_divide":
        return judge_divide(args[1], args[2])
    if "divide" in op:
        return judge_divide(*args)
    if op == "complement_default":
        return Verdict(laws.complement(args[0], None, result))
    if op in ("complement", "complement_shape"):
        return Verdict(laws.complement(args[0], args[1], result))
    if op == "right_inverse":
        return Verdict(laws.right_inverse(args[0], result))
    if op == "swizzle_right_inverse":
        return Verdict(laws.right_inverse(Swizzled(args[0], 0, args[1]), result))
    if op == "left_inverse":
        broken = laws.left_inverse(args[0], result)
        return Verdict(broken, () if laws.injective(args[0]) is None else ("not injective",))
    if op in ("blocked_product", "raked_product"):
        a, b = args
        r = max(rank(a), rank(b))
        return Verdict(laws.product(padded(a, r), padded(b, r)))
    if "product" in op:
        return first(laws.product(mode, leaf) for mode, leaf, _ in leaves(*args))
    if op == "tile_to_shape":
        return Verdict(laws.tile_to_shape(args[0], result))
    if op == "swizzle_tile_to_shape":
        return Verdict(laws.tile_to_shape(Swizzled(args[0], 0, args[1]), result))
    return None


def reproduce(op: str, arguments: list[str]) -> Any:
    """The flat modes that cute.py expects in CuTe's result, in any order, or None when it is not restated."""
    if op not in RESTATED and not op.endswith(TILED):
        return None
    args: Any = [read(t) for t in arguments]
    if op.startswith("swizzle"):
        args = args[1:]
    a, b = (identity(args[0]) if op.startswith("identity") else args[0]), args[1]
    if op.startswith("complement"):
        return _sorted(cute.complement(a, b))
    if op == "composition_basis":
        return _sorted(cute.composition_by(a, b))
    if op in ("blocked_product", "raked_product"):
        r = max(rank(a), rank(b))
        a, b = padded(a, r), padded(b, r)
        return _sorted(a, cute.product_inner(a, b)[1])
    found: list[Pair] = []
    for mode, leaf, _ in leaves(a, b):
        if "composition" in op:
            found.append(cute.composition(mode, leaf))
        elif "divide" in op:
            found.append(cute.logical_divide(mode, leaf))
        else:
            found += [mode, cute.product_inner(mode, leaf)[1]]
    found += untouched(a, b, beyond="composition" not in op)
    return _sorted(*found)


def untouched(a: Pair, tiler: Any, beyond: bool) -> list[Pair]:
    """The modes of a that a by-mode tiler leaves alone; `beyond` with those after its last entry."""
    if tiler is None:
        return [a]
    if isinstance(tiler, Layout | int):
        return []
    result: list[Pair] = [Layout((a[0][k], a[1][k])) for k in range(len(tiler), rank(a)) if beyond]
    for k, t in enumerate(tiler):
        result += untouched(Layout((a[0][k], a[1][k])), t, beyond)
    return result


def _sorted(*layouts: Pair) -> list[Any]:
    parts = [p for layout in layouts for p in zip(flat(layout[0]), flat(layout[1]), strict=True)]
    return sorted((s, str(d)) for s, d in parts if s != 1)


def printed(result: str) -> list[Any]:
    layout = read(result)
    return _sorted(layout.layout if isinstance(layout, Swizzled) else layout)


__all__ = ["Verdict", "judge", "printed", "reproduce"]
