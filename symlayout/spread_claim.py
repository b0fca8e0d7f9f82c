"""How evenly values spread over residues: what a bank conflict is, without the hardware.

Mode 0 of a layout counts the lanes of a group, its other modes count groups. Values are taken in whole units
(`value // unit`), and units of one remainder modulo `classes` lie in one class. The claim, for every group:

    low <= the number of different units in the fullest class <= high

With `each_lane`, equal units of two lanes count twice: units of lanes, not different ones.

For a solver it is said without counting. That there are never more than `high`: no `high + 1` lanes of one
group have different units of one class. Where a layout is a plain sum of strides, groups add the same to all
lanes, and differences of lanes are asked about alone. That there are always `low`: lanes are named which have
different units of one class in every group; the claim holds if they do, and may hold if they do not.

Source of what it is for: the bank model of smem.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lcm, prod
from typing import Any

from .claim import Claim, Failure
from .dim import is_symbolic
from .errors import EngineDisagreement, UnsupportedError
from .formula import Obligation, Relation
from .inttuple import flatten_to_tuple
from .layout import Layout
from .map_claims import at_digits, digits, index_of
from .names import Inner
from .periods import kinds, period_of
from .swizzle import ComposedLayout, Swizzle
from .symbolic import Int, Var

Digits = tuple[Var, ...]
MOST_KINDS = 1 << 16  # groups that differ in the classes of their units


def inner(layout: Any) -> Layout:
    """The layout inside a swizzle."""
    found = layout.layout if isinstance(layout, ComposedLayout) else layout
    if not isinstance(found, Layout):
        raise UnsupportedError(f"{layout}: lanes and groups are those of a layout with one swizzle around it")
    return found


def fullest(units: Sequence[int], classes: int, each_lane: bool = False) -> list[int]:
    """The lanes of the fullest class, the least class of them: one lane a unit, all with `each_lane`."""
    lanes: dict[int, dict[int, int]] = {}
    for k, u in enumerate(units):
        lanes.setdefault(u % classes, {}).setdefault(k if each_lane else u, k)
    most = max(len(found) for found in lanes.values())
    return next(list(lanes[c].values()) for c in sorted(lanes) if len(lanes[c]) == most)


def first_clash(units: Sequence[int], classes: int, each_lane: bool = False) -> tuple[int, int]:
    """The least two lanes that have different units of one class (or equal ones, with `each_lane`)."""
    for i, u in enumerate(units):
        for j in range(i + 1, len(units)):
            if (each_lane or u != units[j]) and (u - units[j]) % classes == 0:
                return i, j
    raise EngineDisagreement(f"a clash was counted among the units {units}, and no two have one class")


@dataclass(frozen=True)
class Spread(Claim):
    """The claim of this file. `names` are those of modes 1, 2, ...; the witness is the least group, the last
    of them first; of a claim with `high` 1 also the least two lanes."""

    layout: Any
    names: tuple[str, ...]
    unit: int
    classes: int
    low: int
    high: int
    each_lane: bool = False

    def text(self) -> str:
        bounds = f"at most {self.high}" if self.low == 1 else f"exactly {self.low}"
        if 1 < self.low < self.high:
            bounds = f"{self.low} to {self.high}"
        what = "lane" if self.each_lane else "different unit"
        return (
            f"in every group of {self.lanes} lanes of {self.layout} the fullest of {self.classes} classes "
            f"has {bounds} {what}{'s' * (self.high != 1)}, units of {self.unit}"
        )

    @property
    def lanes(self) -> int:
        return prod(self._sizes(0))

    def _sizes(self, mode: int) -> tuple[Any, ...]:
        return flatten_to_tuple(inner(self.layout).shape[mode])

    def groups(self) -> tuple[Any, ...]:
        """How many groups there are along each of the names."""
        return tuple(_product(self._sizes(k + 1)) for k in range(len(self.names)))

    def instances(self) -> int:
        return int(prod(self.groups()))

    def walked(self) -> int:
        return min(self.instances(), MOST_KINDS)

    def enough(self) -> bool:
        return self.low == 1

    # --- formulas ---

    def in_units(self) -> Any:
        """The layout of units, if every stride and offset is a whole number of them; else None."""
        layout, unit = inner(self.layout), self.unit
        strides = flatten_to_tuple(layout.stride)
        if is_symbolic(strides) or any(d % unit for d in strides):
            return None
        divided = Layout._make(layout.shape, _divided(layout.stride, unit))
        if not isinstance(self.layout, ComposedLayout):
            return divided
        swizzle, offset = self.layout.swizzle, self.layout.offset
        moved = in_units_of(swizzle, unit)
        if moved is None or type(offset) is not int or offset % unit:
            return None
        return ComposedLayout(moved, offset // unit, divided)

    def obligations(self, free: Digits = ()) -> tuple[Obligation, ...]:
        lower = () if self.low == 1 else (self._lower(free),)
        return (self.search(free), *lower)

    def search(self, free: Digits = ()) -> Obligation:
        """There are no `high + 1` lanes with different units of one class."""
        says = str(self)
        if self.high >= self.lanes:
            return Obligation(f"{says}: the lanes", free, (), (Relation("<=", self.lanes, self.high),))
        chosen = [digits(self._sizes(0), name) for name in self._lane_names()]
        units, groups = self._units(chosen)
        together = tuple(Relation("=", (u - units[0]) % self.classes, 0) for u in units[1:])
        order = free + groups + tuple(v for lane in chosen for v in lane[::-1])
        if self.high == 1 and not self.each_lane:  # two lanes of one class have one unit
            same: tuple[Relation, ...] = (Relation("=", units[0], units[1]),)
            return Obligation(says, order, self.premises + together, same)
        if self.high == 1:  # they are one lane
            same = tuple(Relation("=", a, b) for a, b in zip(*chosen, strict=True))
            return Obligation(says, order, self.premises + together, same)
        places = [_index(lane) for lane in chosen] if self.each_lane else units
        ascending = tuple(Relation("<", a, b) for a, b in pairwise(places))
        never = (Relation("=", 0, 1),)
        return Obligation(says, order, self.premises + together + ascending, never, may_be_empty=True)

    def _lane_names(self) -> list[str]:
        if self.high == 1:
            return ["lane", "other"]
        return [f"lane{k}" for k in range(self.high + 1)]

    def _units(self, lanes: list[Any], every_group: bool = False) -> tuple[list[Any], Digits]:
        """The units of some lanes of one group, and the digits of the group, slowest first. In a plain sum of
        units every group adds the same, so the first stands for all unless `every_group` is asked for."""
        plain = self.in_units()
        modes = [digits(self._sizes(k + 1), name) for k, name in enumerate(self.names)]
        if isinstance(plain, Layout) and not every_group:
            return [at_digits(plain[0], lane) for lane in lanes], ()
        rest = tuple(v for mode in modes for v in mode)
        order = tuple(v for mode in modes[::-1] for v in mode[::-1])
        if plain is None:
            return [at_digits(self.layout, (*lane, *rest)) // self.unit for lane in lanes], order
        return [at_digits(plain, (*lane, *rest)) for lane in lanes], order

    def _lower(self, free: Digits) -> Obligation:
        """Lanes that have different units of one class in the first group have them in all."""
        says = f"{self}: the same lanes in every group"
        lanes = fullest(self.units_of(0), self.classes, self.each_lane)
        if len(lanes) < self.low:
            return Obligation(says, free, (), (Relation("<=", self.low, len(lanes)),))
        sizes = self._sizes(0)
        units, groups = self._units([_digits_of(k, sizes) for k in lanes[: self.low]], every_group=True)
        goals = [Relation("=", (u - units[0]) % self.classes, 0) for u in units[1:]]
        if not self.each_lane:
            goals += [Relation("!=", units[j], u) for k, u in enumerate(units) for j in range(k)]
        return Obligation(says, free + groups, self.premises, tuple(goals))

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        def index(name: str, mode: int) -> int:
            sizes = self._sizes(mode)
            return index_of(sizes, name, model) if Inner(f"{name}.0") in model else 0

        where = {name: index(name, k + 1) for k, name in reversed(list(enumerate(self.names)))}
        if self.high == 1:
            where |= {name: index(name, 0) for name in ("lane", "other")}
        return where

    # --- plain integers ---

    def units_of(self, group: int) -> list[int]:
        """The unit of every lane of one group."""
        lanes = self.lanes
        return [self.layout(k + lanes * group) // self.unit for k in range(lanes)]

    def place(self, group: int) -> dict[str, int]:
        """Where a group is, the slowest mode first."""
        found: dict[str, int] = {}
        for name, n in zip(self.names, self.groups(), strict=True):
            group, found[name] = divmod(group, n)
        return dict(reversed(found.items()))

    def group_of(self, witness: Mapping[str, Any]) -> int:
        """The number of the group that a witness names."""
        group = 0
        for name, n in reversed(list(zip(self.names, self.groups(), strict=True))):
            group = group * int(n) + int(witness[name])
        return group

    def load(self, units: Sequence[int]) -> int:
        """How many units of the group's lanes the fullest class has."""
        return len(fullest(units, self.classes, self.each_lane))

    def fails(self, units: Sequence[int]) -> bool:
        """Whether a group with these units breaks the claim."""
        return not self.low <= self.load(units) <= self.high

    def failure(self) -> Failure | None:
        if not self._premises_hold():
            return None
        inside = inner(self.layout)
        modes = flatten_to_tuple(inside.shape[1:]), flatten_to_tuple(inside.stride[1:])
        found = kinds(*modes, lcm(period_of(self.layout), self.unit), MOST_KINDS)
        wrong = [kind for kind in found.values() if self.fails(self.units_of(kind.least))]
        return self.at_group(min(wrong).least, sum(k.times for k in wrong)) if wrong else None

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        group = self.group_of(witness)
        return self.at_group(group, None) if self.fails(self.units_of(group)) else None

    def at_group(self, group: int, count: int | None) -> Failure:
        """The failure of one group that fails, in words."""
        units = self.units_of(group)
        witness, load = self.place(group), self.load(units)
        right = self.high if load > self.high else self.low
        most = "at most" if load > self.high else "at least"
        says = f"the fullest class has {load} of the group's units, {most} {right} is claimed"
        if self.high == 1:
            i, j = first_clash(units, self.classes, self.each_lane)
            witness |= {"lane": i, "other": j}
            says += f"\nlanes {i} and {j} have the units {units[i]} and {units[j]}"
        return Failure(witness, load, right, says, count=count)


def in_units_of(swizzle: Any, unit: int) -> Swizzle | None:
    """The swizzle on numbers of units, if it moves whole ones; else None."""
    k = unit.bit_length() - 1
    if not isinstance(swizzle, Swizzle) or unit != 1 << k or (swizzle.b and swizzle.m < k):
        return None
    return Swizzle(swizzle.b, max(0, swizzle.m - k), swizzle.s)


def _index(lane: Digits) -> Int:
    """The number of a lane."""
    index: Int = 0
    weight = 1
    for v in lane:
        index = index + v * weight
        weight *= v.bound
    return index


def _digits_of(index: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    found = []
    for s in sizes:
        index, digit = divmod(index, s)
        found.append(digit)
    return tuple(found)


def _divided(stride: Any, unit: int) -> Any:
    return tuple(_divided(d, unit) for d in stride) if isinstance(stride, tuple) else stride // unit


def _product(sizes: Iterable[Any]) -> Any:
    total: Any = 1
    for s in sizes:
        total = total * s
    return total
