"""canonical: equality of two layouts as functions, in the time that it takes to read them.

The canonical form of a layout is its flat coalesced modes. The value at 1 forces its first stride, the first
deviation from that its first size, and so on: equal functions have equal canonical forms, at any size.

What is left to z3 where the forms are equal, to C:

- `A = C` and `B = C`, each a sum of the digits of A (of B) times strides on both sides. C's modes are unions
  of A's, so A's digits make C's coordinates without a division. z3 thereby checks that merging was exact.
- Where A and B have common digits, `A = B` at once.

By hand, no solver: the digits of a shape make every index below its size exactly once, so what holds for all
digits holds for all indices; equality is transitive; and `swizzle(offset + x)` takes equal x to equal values.

A difference is found without a search. With w the number of elements of the modes that the forms share, the
next modes `s:d` and `t:e` differ first at index w if d != e, else at `w * min(s, t)`.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

from ..claim import Claim
from ..layout import Layout
from ..map_claims import EqualMaps, common_radix, mode_sizes
from ..swizzle import ComposedLayout
from ..symbolic import Var
from .finding import Fails, Finding, Holds, Open
from .flat import flat, inner

NAME = "canonical"
COUNT_UP_TO = 1 << 14  # sums of stride differences that are added up to count failures


def decide(part: Claim, free: tuple[Var, ...]) -> Finding:
    """Equality of two layouts with integer strides, or of two with one swizzle and offset around them."""
    if not isinstance(part, EqualMaps) or part.premises:
        return Open()
    pair = _pair(part.a, part.b)
    if pair is None:
        return Open()
    a, b, offset = pair
    if a.size() != b.size():
        return Fails({}, least_point(free))
    if offset:
        return Fails({"i": 0}, least_point(free))
    if a.canonical() == b.canonical():
        return Holds(_obligations(part, a, b, free))
    if flat(a) is None or flat(b) is None:
        return Open("strides that are not plain integers")
    return Fails({"i": first_difference(a, b)}, least_point(free), failures=differences(a, b))


def least_point(free: tuple[Var, ...]) -> dict[str, int]:
    """The least value of every quantified digit, for a claim that does not speak of them."""
    return {v.name: v.lower or 0 for v in free}


def _pair(a: Any, b: Any) -> tuple[Layout, Layout, int] | None:
    """The two layouts that have to be equal, and the difference of the offsets that are added to them: as
    they are, or inside one swizzle, which is injective."""
    offset = 0
    if isinstance(a, ComposedLayout) or isinstance(b, ComposedLayout):
        x, y = flat(a), flat(b)
        if x is None or y is None or x.swizzle != y.swizzle:
            return None
        a, b, offset = inner(a), inner(b), x.offset - y.offset
    if not (isinstance(a, Layout) and isinstance(b, Layout)):
        return None
    sizes = (*mode_sizes(a), *mode_sizes(b))
    return (a, b, offset) if all(type(s) is int for s in sizes) else None


def _obligations(part: EqualMaps, a: Layout, b: Layout, free: tuple[Var, ...]) -> tuple[Any, ...]:
    sizes = part.obligations(free)[0]
    if common_radix(mode_sizes(a), mode_sizes(b)) is not None:
        return (sizes, EqualMaps(a, b).search(free))
    modes = a.canonical() or ((1, 0),)
    merged = Layout._make(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    return (sizes, EqualMaps(a, merged).search(free), EqualMaps(b, merged).search(free))


def first_difference(a: Layout, b: Layout) -> int:
    """The least index at which two layouts of one size differ; their canonical forms must."""
    weight = 1
    for (s, d), (t, e) in zip(a.canonical(), b.canonical(), strict=False):
        if (s, d) != (t, e):
            return weight if d != e else weight * min(s, t)
        weight *= s
    raise ValueError(f"{a} and {b} are equal as functions")


def differences(a: Layout, b: Layout) -> int | None:
    """At how many indices two layouts of one size differ, where their digits are common and few of them
    matter: the size less the number of ways in which the digits' stride differences add up to 0."""
    radix = common_radix(mode_sizes(a), mode_sizes(b))
    if radix is None:
        return None
    x, y = _strides(a, radix), _strides(b, radix)
    matter = [(s, p - q) for s, p, q in zip(radix, x, y, strict=True) if p != q]
    if prod(s for s, _ in matter) > COUNT_UP_TO:
        return None
    sums = Counter({0: 1})
    for s, d in matter:
        new: Counter[int] = Counter()
        for total, ways in sums.items():
            for c in range(s):
                new[total + c * d] += ways
        sums = new
    size = prod(radix)
    return size - sums[0] * (size // prod(s for s, _ in matter))


def _strides(layout: Layout, radix: tuple[int, ...]) -> list[int]:
    """The layout's stride along each digit of a radix that refines its shape."""
    found, weight = [], 1
    for s in radix:
        found.append(layout(weight) if s > 1 else 0)
        weight *= s
    return found
