"""Random operations of the algebra on nested, swizzled, shifted and backward layouts, and their laws.

No import of symlayout, on purpose: what comes back is read from its text by plain_maps.py and held against
the law of the operation, point by point. A refusal is an answer; an answer that breaks the law is none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from math import prod
from typing import Any

from .case import Case, Error, fault
from .made_up import Plain, layout
from .plain_maps import Map, positive

Law = Callable[[list[Map], Map], str]
FIRST = 260  # values of a result that are looked at


class Nested:
    """A made-up layout with some neighbouring modes put into one, under at most two swizzles."""

    def __init__(self, rng: random.Random, plain: bool = False) -> None:
        flat = layout(rng)
        self.shape, self.stride = _grouped(rng, flat)
        self.outer: list[tuple[tuple[int, int, int], int]] = []
        if not plain and rng.random() < 0.45:
            for _ in range(rng.choice((1, 1, 1, 2))):
                b = rng.randint(0, 3)
                shift = b + rng.randint(0, 2)
                swizzle = (b, rng.randint(0, 2), rng.choice((shift, shift, -shift)))
                self.outer.append((swizzle, rng.choice((0, 0, 0, 8, 16, 3, 64))))

    def text(self) -> str:
        """As Python over symlayout's names."""
        found = f"Layout({self.shape}, {self.stride})"
        for swizzle, offset in reversed(self.outer):
            found = f"ComposedLayout(Swizzle{swizzle}, {offset}, {found})"
        return found

    def map(self) -> Map:
        inside = f"{self.shape}:{self.stride}".replace(" ", "").replace(",)", ")")
        found = inside if isinstance(self.shape, int) else f"{self.shape}:{self.stride}"
        for (b, m, s), offset in reversed(self.outer):
            found = f"Sw<{b},{m},{s}> o {offset} o {found}"
        return Map(found)


def _grouped(rng: random.Random, flat: Plain) -> tuple[Any, Any]:
    if len(flat.sizes) == 1 and rng.random() < 0.5:
        return flat.sizes[0], flat.strides[0]
    if len(flat.sizes) < 3 or rng.random() < 0.5:
        return flat.sizes, flat.strides
    cut = rng.randint(2, len(flat.sizes) - 1)
    groups = ((flat.sizes[:cut], *flat.sizes[cut:]), (flat.strides[:cut], *flat.strides[cut:]))
    return (
        groups
        if rng.random() < 0.7
        else ((flat.sizes[0], flat.sizes[1:]), (flat.strides[0], flat.strides[1:]))
    )


def differs(want: Callable[[int], int], got: Map, n: int) -> str:
    for i in range(min(n, FIRST)):
        if got(i) != want(i):
            return f"R({i}) = {got(i)}, and {want(i)} is right"
    return ""


def composed(given: list[Map], r: Map) -> str:
    a, b = given
    if r.size() != b.size():
        return f"R has {r.size()} elements, B {b.size()}"
    return differs(lambda i: a(b(i)), r, b.size())


def kept(given: list[Map], r: Map) -> str:
    return differs(given[0], r, given[0].size()) or (
        f"R has {r.size()} elements" if r.size() != given[0].size() else ""
    )


def divided(given: list[Map], r: Map) -> str:
    a, tiler = given
    tile = differs(lambda i: a(tiler(i)), r, tiler.size())
    if tile:
        return f"the tile is not A after the tiler: {tile}"
    missing = Counter(a.values()) - Counter(r.values())
    return f"{dict(missing)} of A are in no tile" if missing else ""


def multiplied(given: list[Map], r: Map) -> str:
    a, tiler = given
    first = differs(a, r, a.size())
    if first:
        return f"the first copy is not A: {first}"
    if r.size() != a.size() * tiler.size():
        return f"R has {r.size()} elements"
    own, number = a.values(), tiler.values()
    distinct = len(set(own)) == len(own) and len(set(number)) == len(number)
    return "copies overlap" if distinct and len(set(r.values())) != r.size() else ""


def complemented(given: list[Map], r: Map) -> str:
    own = sorted(set(given[0].values()))
    sums = [x + y for x in own for y in r.values()]
    return "A and its complement overlap" if len(set(sums)) != len(sums) or r(0) != 0 else ""


def right_inverted(given: list[Map], r: Map) -> str:
    wrong = next((i for i in range(min(r.size(), FIRST)) if given[0](r(i)) != i), None)
    return "" if wrong is None else f"L(R({wrong})) = {given[0](r(wrong))}"


def left_inverted(given: list[Map], r: Map) -> str:
    """R(L(i)) = i where L is injective, and L(R(L(i))) = L(i) where it is not."""
    own = given[0].values()
    distinct = len(set(own)) == len(own)
    for i, x in enumerate(own):
        if (r(x) != i) if distinct else (given[0](r(x)) != x):
            return f"R(L({i})) = {r(x)}"
    return ""


def common(given: list[Map], r: Map) -> str:
    a, b = given
    steps = range(min(r.size(), FIRST) if r.size() > 1 else 0)  # one element is common to any two
    wrong = next((i for i in steps if not a(r(i)) == b(r(i)) == i), None)
    return "" if wrong is None else f"a(R({wrong})) = {a(r(wrong))}, b(R({wrong})) = {b(r(wrong))}"


def tiled(given: list[Map], r: Map) -> str:
    own, n = given[0].values(), r.size()
    if n % len(own):
        return f"R has {n} elements, and the block {len(own)}"
    return "blocks overlap" if len(set(own)) == len(own) and len(set(r.values())) != n else ""


LAWS: dict[str, tuple[int, Law]] = {
    "composition": (2, composed),
    "coalesce": (1, kept),
    "logical_divide": (2, divided),
    "logical_product": (2, multiplied),
    "complement": (1, complemented),
    "right_inverse": (1, right_inverted),
    "left_inverse": (1, left_inverted),
    "max_common_layout": (2, common),
    "flatten": (1, kept),
}
OPERATIONS = (
    *["composition"] * 5,
    *["logical_divide"] * 3,
    *["logical_product"] * 2,
    *LAWS,
    "tile_to_shape",
    "call",
    "parse",
)


def algebra(seed: int) -> Case:
    """The operation with that number."""
    rng = random.Random(seed)
    name = rng.choice(OPERATIONS)
    a = Nested(rng)
    if name == "call":
        n = a.map().size()
        line = f"[{a.text()}(i) for i in range({-min(n, 9)}, {n + 5})]"
        return Case("algebra", line, _judge_values(a.map(), range(-min(n, 9), n + 5)))
    if name == "parse":
        made = rng.choice(
            ("{a}", "composition({a}, {b})", "right_inverse({a})", "coalesce({a})", "composition({b}, {a})")
        )
        made = made.format(a=a.text(), b=Nested(rng).text())
        return Case("algebra", f"(lambda x: parse(str(x)) == x)({made})", _judge_true)
    if name == "tile_to_shape":
        modes = a.shape if isinstance(a.shape, tuple) else (a.shape,)
        shape = tuple(size * rng.choice((1, 2, 2, 3)) for size in map(_size, modes))
        return Case("algebra", f"str(tile_to_shape({a.text()}, {shape}))", _judge([a.map()], tiled))
    arity, law = LAWS[name]
    if name == "complement":  # of what is swizzled CuTe takes that of the layout inside
        a.outer.clear()
    given = [a]
    if arity == 2:
        given.append(Nested(rng, plain=rng.random() < 0.8))
        if name == "composition" and rng.random() < 0.6:  # of B within A, where most compose
            given[1] = _within(rng, a.map().size())
    line = f"str({name}({', '.join(x.text() for x in given)}))"
    return Case("algebra", line, _judge([x.map() for x in given], law))


def _size(mode: Any) -> int:
    return prod(map(_size, mode)) if isinstance(mode, tuple) else mode


def _within(rng: random.Random, n: int) -> Nested:
    """A layout that counts through some of 0, ..., n - 1, forwards or backwards."""
    found = Nested(rng, plain=True)
    step = rng.choice([d for d in range(1, n + 1) if n % d == 0])
    sizes = [d for d in range(1, n // step + 1) if n // step % d == 0]
    size = rng.choice(sizes)
    found.shape, found.stride = size, rng.choice((step, step, step, -step))
    return found


def _judge(given: list[Map], law: Law) -> Callable[[Any], str]:
    def judge(got: Any) -> str:
        if isinstance(got, Error):
            return fault(got)
        r = Map(got)
        if r.parts[-1].startswith("Sw<"):  # a swizzle of integers, which has no size
            return ""
        if not positive(r.shape):
            return f"{got} has sizes that are not positive"
        wrong = law(given, r)
        return f"{got}: {wrong}" if wrong else ""

    return judge


def _judge_values(of: Map, places: range) -> Callable[[Any], str]:
    def judge(got: Any) -> str:
        if isinstance(got, Error):
            return fault(got)
        wrong = next((i for i, x in zip(places, got, strict=True) if x != of(i)), None)
        return "" if wrong is None else f"L({wrong}) = {got[wrong - places[0]]}, and {of(wrong)} in C++"

    return judge


def _judge_true(got: Any) -> str:
    return fault(got) if isinstance(got, Error) else "" if got is True else "its text is read back as another"
