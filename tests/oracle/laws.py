"""The laws 1-7 of the algebra by plain enumeration: `None`, or the least index with what it should give.

Each judge gets the layouts of a record (pairs, see maps.py) and CuTe's result, and answers None or
`Broken(index, want, got, why)`. `index` is the least i of the domain that breaks the law; for laws about
sizes it is None.
"""

from itertools import product as box
from typing import Any, NamedTuple

from . import cute
from .maps import (
    Pair,
    compatible,
    evaluate,
    flat,
    modes,
    plus,
    shape_of,
    size,
    size_of,
    swizzle,
    value,
)


class Broken(NamedTuple):
    index: int | None  # type: ignore[assignment]  # tuple has a method of that name
    want: Any
    got: Any
    why: str


def function_equal(result: Any, shape: Any, right_side: Any) -> Broken | None:
    """Law 1: the result is compatible with the shape, and result(i) = right_side(i) on it."""
    if not compatible(shape, shape_of(result)):
        return Broken(None, shape, shape_of(result), "shape")
    for i in range(size(shape)):
        want, got = right_side(i), evaluate(result, i)
        if want != got:
            return Broken(i, want, got, "value")
    return None


def composition(a: Pair, b: Any, result: Any) -> Broken | None:
    """result = a o b; b may have basis strides, then b(i) is a coordinate of a."""
    return function_equal(result, b[0], lambda i: at(a, value(b, i)))


def at(a: Pair, index: Any) -> Any:
    """A at an index, or at a coordinate {path: int}: the sum over the modes, each extended by its last."""
    if isinstance(index, int):
        return value(a, index)
    total: Any = 0
    for path, i in index.items():
        mode = a
        for k in path:
            mode = (mode[0][k], mode[1][k])
        total = plus(total, value(mode, i))
    return total


def with_shape(a: Pair, shape: Any, result: Pair) -> Broken | None:
    if size(shape) != size(a[0]):
        return Broken(None, size(a[0]), size(shape), "size")
    return function_equal(result, shape, lambda i: value(a, i))


def swizzle_compose_then(sw: Any, a: Pair, b: Pair, result: Any) -> Broken | None:
    return function_equal(result, b[0], lambda i: swizzle(sw, value(a, value(b, i))))


def layout_after_swizzle(a: Pair, sw: Any, b: Pair, result: Any) -> Broken | None:
    return function_equal(result, b[0], lambda i: value(a, swizzle(sw, value(b, i))))


class Tiling(NamedTuple):
    """How often a divide hits the coordinates of its left side."""

    broken: Broken | None
    outside: int  # indices whose coordinate lies outside: over-cover
    repeats: int  # indices for each element from stride-0 modes of the tiler: broadcast
    injective: bool  # the tiler without its stride-0 modes


def divide(a: Pair, tiler: Pair) -> Tiling:
    """Law 2: the divide of the basis layout over shape(coalesce(a)) hits every coordinate inside once.

    The index counts along the tiler without its stride-0 modes and the rest, so a broadcast is not a repeat.
    """
    shape = cute.coalesce(a)[0]
    layout = cute.basis_layout(shape)
    narrow = cute.filter_zeros(tiler)
    rest = cute.complement(tiler, shape)
    if any(s < 1 for s in flat(rest[0])):
        return Tiling(Broken(None, ">= 1", rest[0], "negative shape"), 0, 1, True)
    coordinates = cute.composition(layout, cute.pair_up(narrow, rest))
    repeats = size(tiler[0]) // size(narrow[0])
    images = [value(narrow, i) for i in range(size(narrow[0]))]
    injective = len(set(images)) == len(images)
    sizes = flat(shape)
    seen: dict[tuple[int, ...], int] = {}
    twice, outside = None, 0
    for i in range(size(coordinates[0])):
        point = value(coordinates, i)
        crd = tuple(point.get((k,), 0) if point else 0 for k in range(len(sizes)))
        if not all(0 <= c < s for c, s in zip(crd, sizes, strict=True)):
            outside += 1
        elif crd in seen and injective and twice is None:
            twice = Broken(i, "a new coordinate", crd, f"hit twice, first at {seen[crd]}")
        else:
            seen.setdefault(crd, i)
    broken = twice
    if len(seen) != size(tuple(sizes)):
        reversed_box = box(*(range(s) for s in reversed(sizes)))
        missed = next(crd[::-1] for crd in reversed_box if crd[::-1] not in seen)
        broken = Broken(None, missed, None, "missed")
    if broken is None:
        broken = composition(a, tiler, cute.composition(a, tiler))
    return Tiling(broken, outside, repeats, injective)


def complement(a: Pair, cotarget: Any, result: Pair) -> Broken | None:
    """Law 3; `cotarget` an int, or a tuple for which the size is not judged."""
    if any(s < 1 for s in flat(result[0])):
        return Broken(None, ">= 1", result[0], "negative shape")
    kept = cute.from_modes(cute.coalesced_modes(modes(cute.filter_zeros(a))))
    own = [value(kept, j) for j in range(size(kept[0]))]
    steps = [value(result, i) for i in range(size(result[0]))]
    for i in range(1, len(steps)):
        if steps[i] <= steps[i - 1]:
            return Broken(i, f"> {steps[i - 1]}", steps[i], "order")
    if len(set(own)) == len(own):
        seen: set[int] = set()
        for i, step in enumerate(steps):
            for x in own:
                if x + step in seen:
                    return Broken(i, "a new index", x + step, "overlap")
            seen.update(x + step for x in own)
    if isinstance(cotarget, int) and len(steps) * len(own) < cotarget:
        return Broken(None, cotarget, len(steps) * len(own), "size")
    return None


def right_inverse(layout: Any, result: Any) -> Broken | None:
    """Law 4: L(R(i)) = i."""
    for i in range(size_of(result)):
        got = evaluate(layout, evaluate(result, i))
        if got != i:
            return Broken(i, i, got, "value")
    return None


def left_inverse(layout: Pair, result: Pair) -> Broken | None:
    """Law 4: L(R(L(i))) = L(i)."""
    if any(s < 1 for s in flat(result[0])):
        return Broken(None, ">= 1", result[0], "negative shape")
    for i in range(size(layout[0])):
        want = value(layout, i)
        got = value(layout, value(result, want))
        if got != want:
            return Broken(i, want, got, "value")
    return None


def product(a: Pair, tiler: Pair) -> Broken | None:
    """Law 5: the composition inside, complement(a, size(a) * cosize(tiler)) o tiler, obeys law 1; and copies
    of a at different values of the tiler share no offset. One copy, at 0, is always right."""
    places = [value(tiler, i) for i in range(size(tiler[0]))]
    if not any(places):
        return None
    c = cute.complement(a, size(a[0]) * cute.cosize(tiler))
    if any(s < 1 for s in flat(c[0])):
        return Broken(None, ">= 1", c[0], "negative shape")
    copies = cute.composition(c, tiler)
    broken = composition(c, tiler, copies)
    if broken:
        return broken
    own = {value(a, k) for k in range(size(a[0]))}
    holders: dict[int, set[int]] = {}
    for i, place in enumerate(places):
        for x in own:
            others = holders.setdefault(x + value(copies, i), set())
            others.add(place)
            if len(others) > 1:
                return Broken(i, "a new offset", x + value(copies, i), "overlap")
    return None


def injective(layout: Any) -> int | None:
    """None, or the least index that repeats a value."""
    seen: set[Any] = set()
    for i in range(size_of(layout)):
        v = evaluate(layout, i)
        if v in seen:
            return i
        seen.add(v)
    return None


def tile_to_shape(block: Any, result: Any) -> Broken | None:
    """Law 6: injective if the block is."""
    if any(s < 1 for s in flat(shape_of(result))):
        return Broken(None, ">= 1", shape_of(result), "negative shape")
    i = injective(result)
    if i is None or injective(block) is not None:
        return None
    first = next(j for j in range(i) if evaluate(result, j) == evaluate(result, i))
    return Broken(i, "a new index", evaluate(result, i), f"hit before at {first}")


def cast(layout: Any, old_bits: int, new_bits: int, result: Any) -> Broken | None:
    """Law 7: the bits of L's elements, rounded out to whole new elements, are the bits of R's elements.

    The index is a new element covered on one side only: the least where the two sides begin apart, else the
    greatest where they end apart, else the least.
    """
    touched = set()
    for i in range(size_of(layout)):
        first = evaluate(layout, i) * old_bits
        touched |= {bit // new_bits for bit in range(first, first + old_bits)}
    covered = {evaluate(result, j) for j in range(size_of(result))}
    apart = touched ^ covered
    if not apart:
        return None
    ends_apart = min(touched) == min(covered) and max(touched) != max(covered)
    index = max(apart) if ends_apart else min(apart)
    return Broken(index, int(index in touched), int(index in covered), "bits")
