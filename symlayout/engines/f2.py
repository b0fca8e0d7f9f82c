"""f2: power-of-two layouts, swizzled or not, as affine maps over the field of two elements.

When every size is a power of two, the bits of the index are the bits of the digits; bit k is worth `v_k =
stride * 2^j`. Where no two of these values (nor the offset) have a bit in common, adding them carries
nothing and is the same as xor. A swizzle is linear over xor. So the layout is `f(x) = c xor sum of the
columns of the set bits of x`, and questions about it are linear algebra on columns, at any size.

What is left to z3, in bit-vectors over the digits:

- equality: `A(i) = B(i)`, asked of the digits of the common radix;
- injectivity behind a swizzle: each bit of x is the parity of some bits of `f(x) xor c`, a left inverse,
  which a map that sends two coordinates to one value cannot have;
- injectivity without one, range and disjointness: as the claim says them.

By hand, no solver: the digits of a shape make every index exactly once.

Witnesses are exact: the first column that differs is the least index at which two maps differ, and the first
column that depends on those before it makes the least collision, with coordinate 0.

How values spread over classes is counted in one step. Lanes of a group differ by xor of the lanes' columns,
so the units of a group are 2^r different ones in 2^b classes, each with equally many, r and b the ranks of
those columns and of their bits that make the class: in every group the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..claim import Claim
from ..formula import Obligation, Relation
from ..map_claims import (
    Disjoint,
    EqualMaps,
    EveryValue,
    Injective,
    at_digits,
    digits,
    mode_sizes,
)
from ..spread_claim import Spread
from ..symbolic import Int, Var
from .canonical import least_point
from .finding import Fails, Finding, Holds, Open
from .flat import Flat, flat

NAME = "f2"


class Affine:
    """`c xor (xor of columns[k] over the set bits k of the index)`; `before` has the columns without the
    swizzle."""

    __slots__ = ("before", "c", "columns")

    def __init__(self, c: int, columns: list[int], before: list[int]) -> None:
        self.c = c
        self.columns = columns
        self.before = before

    def __call__(self, i: int) -> int:
        value = self.c
        for k, column in enumerate(self.columns):
            if i >> k & 1:
                value ^= column
        return value


def affine(layout: Flat) -> Affine | None:
    """The layout over bits, None if it is not affine there by the argument above."""
    columns = []
    used = 0
    for s, d in zip(layout.sizes, layout.strides, strict=True):
        if s & (s - 1) or d < 0:
            return None
        for j in range(s.bit_length() - 1):
            v = d << j
            if v & used:
                return None
            used |= v
            columns.append(v)
    if layout.offset < 0 or layout.offset & used:
        return None
    return Affine(layout.swizzle(layout.offset), [layout.swizzle(v) for v in columns], columns)


def decide(part: Claim, free: tuple[Var, ...]) -> Finding:
    """Equality, injectivity, range, disjointness and spread of layouts that are affine over bits."""
    if part.premises or not isinstance(part, (EqualMaps, Injective, Disjoint, EveryValue, Spread)):
        return Open()
    point = least_point(free)
    if isinstance(part, (EqualMaps, Disjoint)):
        f, g = _map(part.a), _map(part.b)
        if not isinstance(f, Affine) or not isinstance(g, Affine):
            return f if isinstance(f, Open) else g if isinstance(g, Open) else Open()
        return (
            _equal(part, f, g, free, point)
            if isinstance(part, EqualMaps)
            else _disjoint(part, f, g, free, point)
        )
    f = _map(part.layout)
    if not isinstance(f, Affine):
        return f
    if isinstance(part, Spread):
        return _spread(part, f, free, point)
    return _injective(part, f, free, point) if isinstance(part, Injective) else _within(part, f, free, point)


def _map(layout: Any) -> Affine | Open:
    known = flat(layout)
    if known is None:
        return Open()
    return affine(known) or Open("sizes that are not powers of two, or strides whose sum carries")


def _equal(part: EqualMaps, f: Affine, g: Affine, free: tuple[Var, ...], point: dict[str, int]) -> Finding:
    if len(f.columns) != len(g.columns):
        return Fails({}, point)
    apart = [x ^ y for x, y in zip(f.columns, g.columns, strict=True)]
    c = f.c ^ g.c
    first = 0 if c else next((1 << k for k, x in enumerate(apart) if x), None)
    if first is None:
        return Holds(part.obligations(free))
    space = Space(apart)
    agree = 1 << (len(apart) - space.rank) if space.reduce(c)[0] == 0 else 0
    return Fails({"i": first}, point, failures=(1 << len(apart)) - agree)


def _injective(part: Injective, f: Affine, free: tuple[Var, ...], point: dict[str, int]) -> Finding:
    space = Space(f.columns)
    if space.relation is not None:
        return Fails({"i": 0, "j": space.relation}, point)
    if f.columns == f.before:  # a plain sum: linear integers say it with less
        return Holds(part.obligations(free))
    return Holds((_left_inverse(part, f, free),))


def _disjoint(part: Disjoint, f: Affine, g: Affine, free: tuple[Var, ...], point: dict[str, int]) -> Finding:
    def meets(columns: list[int], c: int) -> bool:
        return Space(columns).reduce(c)[0] == 0

    both = f.columns + g.columns
    c = f.c ^ g.c
    if not meets(both, c):
        return Holds(part.obligations(free))
    i = _least_bits(f.columns, c, lambda rest, columns: meets(columns + g.columns, rest))
    j = _least_bits(g.columns, f(i) ^ g.c, lambda rest, columns: meets(columns, rest))
    return Fails({"i": i, "j": j}, point)


def _within(part: EveryValue, f: Affine, free: tuple[Var, ...], point: dict[str, int]) -> Finding:
    if part.kind != "within" or not all(type(b) is int for b in part.bounds):
        return Open()
    lo, hi = part.bounds
    assert isinstance(lo, int), "seen above"
    assert isinstance(hi, int), "seen above"

    def leaves(c: int, columns: list[int]) -> bool:
        least, greatest = Space(columns).ends(c)
        return least < lo or greatest >= hi

    if not leaves(f.c, f.columns):
        return Holds(part.obligations(free))
    return Fails({"i": _least_bits(f.columns, f.c, leaves)}, point)


def _spread(part: Spread, f: Affine, free: tuple[Var, ...], point: dict[str, int]) -> Finding:
    unit, classes = part.unit.bit_length() - 1, part.classes
    if part.unit != 1 << unit or classes & (classes - 1):
        return Open("units or classes that are not powers of two")
    lane = [c >> unit for c in f.columns[: part.lanes.bit_length() - 1]]
    units = len(lane) if part.each_lane else Space(lane).rank
    load = 1 << (units - Space([c & (classes - 1) for c in lane]).rank)
    if part.low <= load <= part.high:
        return Holds(part.obligations(free))
    return Fails(dict.fromkeys(part.names, 0), point, failures=part.instances())


def _least_bits(columns: list[int], c: int, possible: Callable[[int, list[int]], bool]) -> int:
    """The least x with `possible(c xor columns of x, [])`, bit by bit from the top: a bit stays 0 if the bits
    below it can still make it possible."""
    x = 0
    for k in range(len(columns) - 1, -1, -1):
        if not possible(c, columns[:k]):
            c ^= columns[k]
            x |= 1 << k
    return x


class Space:
    """The span of columns over the field of two elements, in echelon form.

    `relation` is the least x whose columns cancel: the first column that depends on those before it, and
    the columns that it depends on; None if there is none.
    """

    def __init__(self, columns: list[int]) -> None:
        self.rows: dict[int, tuple[int, int]] = {}  # highest bit -> (vector, which columns it is made of)
        self.relation: int | None = None
        for k, column in enumerate(columns):
            vector, made = self.reduce(column)
            made ^= 1 << k
            if vector:
                self.rows[vector.bit_length() - 1] = (vector, made)
            elif self.relation is None:
                self.relation = made

    @property
    def rank(self) -> int:
        return len(self.rows)

    def reduce(self, vector: int) -> tuple[int, int]:
        """What is left of a vector after taking away all that the span can, and the columns taken."""
        made = 0
        for top in range(vector.bit_length() - 1, -1, -1):
            if vector >> top & 1 and top in self.rows:
                row, columns = self.rows[top]
                vector ^= row
                made ^= columns
        return vector, made

    def ends(self, c: int) -> tuple[int, int]:
        """The least and the greatest of `c xor v` over the span."""
        least = greatest = c
        for top in sorted(self.rows, reverse=True):
            row = self.rows[top][0]
            least = min(least, least ^ row)
            greatest = max(greatest, greatest ^ row)
        return least, greatest


def _left_inverse(part: Injective, f: Affine, free: tuple[Var, ...]) -> Obligation:
    """Every digit is some parities of bits of the value: an obligation about one coordinate, not two."""
    sizes = mode_sizes(part.layout)
    found = digits(sizes, "i")
    value = at_digits(part.layout, found) ^ f.c
    masks = parities(f.columns)
    goals, k = [], 0
    for digit, s in zip(found, sizes, strict=True):
        bits = s.bit_length() - 1
        back: Int = 0
        for j in range(bits):
            back = back + _parity(value, masks[k + j]) * (1 << j)
        k += bits
        goals.append(Relation("=", back, digit))
    says = f"{part}: the coordinate can be read off the value"
    return Obligation(says, free + found[::-1], (), tuple(goals))


def parities(columns: list[int]) -> list[int]:
    """For independent columns, masks with: bit k of x is the parity of `mask_k & (columns of x)`.

    Column elimination to a reduced form: afterwards every column has a bit that no other has, and which
    original columns each is made of says how the bits combine.
    """
    reduced: list[tuple[int, int, int]] = []  # (pivot bit, vector, made of)
    for k, column in enumerate(columns):
        vector, made = column, 1 << k
        for pivot, other, parts in reduced:
            if vector >> pivot & 1:
                vector ^= other
                made ^= parts
        pivot = vector.bit_length() - 1
        reduced = [(p, v ^ vector, m ^ made) if v >> pivot & 1 else (p, v, m) for p, v, m in reduced]
        reduced.append((pivot, vector, made))
    # value = sum over pivots of (its pivot bit) * vector, and vector = columns of made
    return [sum(1 << p for p, _, made in reduced if made >> k & 1) for k in range(len(columns))]


def _parity(value: Any, mask: int) -> Int:
    total: Int | None = None
    for bit in _set_bits(mask):
        shifted = value >> bit
        total = shifted if total is None else total ^ shifted
    return 0 if total is None else total & 1


def _set_bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
