"""Claims about layouts as functions, quantified over their own domain. `claims` has the constructors and
the table.

How a layout becomes a formula: one digit for each of its modes, so that its value is a plain sum `c_k *
stride_k`. Two layouts on one domain share digits when the boundaries of their modes divide each other
(`(8,4)` and `(2,16)` meet in `(2,4,4)`); otherwise both are asked about one index, which brings quotients
in. Digits are ordered from the slowest, so the least digits are the least index.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

from .claim import Claim, Failure, agree, key_of, same_value, show_side, values
from .formula import Obligation, Relation
from .inttuple import flatten_to_tuple, unflatten
from .layout import Layout
from .names import Inner
from .reach import MOST_TABLED, least_indices, table
from .symbolic import Int, Var, leaves


def mode_sizes(layout: Any) -> tuple[int, ...]:
    return flatten_to_tuple(layout.shape)


def digits(sizes: tuple[int, ...], name: str) -> tuple[Var, ...]:
    """A digit for each size, named `name.0`, `name.1`, ... from the fastest."""
    return tuple(Var(Inner(f"{name}.{k}"), s) for k, s in enumerate(sizes))


def at_digits(layout: Any, coordinate: tuple[Int, ...]) -> Any:
    """The layout's value, one entry of the coordinate for each flat mode."""
    shape = layout.shape
    return layout(unflatten(coordinate, shape) if isinstance(shape, tuple) else coordinate[0])


def common_radix(*shapes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Sizes of digits that all the shapes (of equal size) are made of, fastest first; None if there are
    none."""
    cuts = sorted({prod(shape[:k]) for shape in shapes for k in range(len(shape) + 1)})
    if any(b % a for a, b in pairwise(cuts)):
        return None
    return tuple(b // a for a, b in pairwise(cuts)) or (1,)


def coordinate_in(shape: tuple[int, ...], radix: tuple[int, ...], found: tuple[Var, ...]) -> tuple[Int, ...]:
    """The coordinate in `shape` of the index that the digits `found` (of sizes `radix`) make: sums, no
    division."""
    result: list[Int] = []
    below = 1
    for s in shape:
        entry: Int = 0
        weight = 1
        for r, digit in zip(radix, found, strict=True):
            if below <= weight < below * s:
                entry = entry + digit * (weight // below)
            weight *= r
        result.append(entry)
        below *= s
    return tuple(result)


def index_of(sizes: tuple[int, ...], name: str, model: Mapping[str, int]) -> int:
    """The index that a model's digits make."""
    index, weight = 0, 1
    for k, s in enumerate(sizes):
        index += weight * model[Inner(f"{name}.{k}")]
        weight *= s
    return index


def _linear(layout: Any) -> bool:
    return isinstance(layout, Layout)


@dataclass(frozen=True)
class EqualMaps(Claim):
    """Two layouts of one size with equal values at every index."""

    a: Any
    b: Any

    def text(self) -> str:
        return f"{show_side(self.a)} = {show_side(self.b)} as functions"

    def instances(self) -> int:
        return int(self.a.size())

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        sizes = self._equal_sizes(free)
        return (sizes,) if self.a.size() != self.b.size() else (sizes, self.search(free))

    def _equal_sizes(self, free: tuple[Var, ...]) -> Obligation:
        goal = Relation("=", self.a.size(), self.b.size())
        return Obligation(f"{self}: the sizes", free, self.premises, (goal,))

    def search(self, free: tuple[Var, ...] = ()) -> Obligation:
        if self.a.size() != self.b.size():
            return self._equal_sizes(free)
        radix = self._radix()
        if radix is None:
            found: tuple[Var, ...] = (Var(Inner("i.0"), self.a.size()),)
            left, right = self.a(found[0]), self.b(found[0])
        else:
            found = digits(radix, "i")
            left = at_digits(self.a, coordinate_in(mode_sizes(self.a), radix, found))
            right = at_digits(self.b, coordinate_in(mode_sizes(self.b), radix, found))
        return Obligation(str(self), free + found[::-1], self.premises, agree(left, right))

    def _radix(self) -> tuple[int, ...] | None:
        return common_radix(mode_sizes(self.a), mode_sizes(self.b))

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        if self.a.size() != self.b.size():
            return {}
        return {"i": index_of(self._radix() or (self.a.size(),), "i", model)}

    def failure(self) -> Failure | None:
        if not self._premises_hold():
            return None
        if self.a.size() != self.b.size():
            return self._sizes()
        pairs = enumerate(zip(values(self.a), values(self.b), strict=True))
        apart = [(i, x, y) for i, (x, y) in pairs if not same_value(x, y)]
        return replace(self._at(*apart[0]), count=len(apart)) if apart else None

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        if self.a.size() != self.b.size():
            return self._sizes()
        i = witness["i"]
        x, y = self.a(i), self.b(i)
        return None if same_value(x, y) else self._at(i, x, y)

    def _sizes(self) -> Failure:
        a, b = self.a.size(), self.b.size()
        return Failure({}, a, b, f"{show_side(self.a)} has {a} elements, {show_side(self.b)} has {b}")

    def _at(self, i: int, x: Any, y: Any) -> Failure:
        says = f"({show_side(self.a)})({i}) = {show_side(x)}, ({show_side(self.b)})({i}) = {show_side(y)}"
        return Failure({"i": i}, x, y, says)


@dataclass(frozen=True)
class EveryValue(Claim):
    """Every value of a layout lies in a range, or is a multiple."""

    layout: Any
    kind: str
    bounds: tuple[Int, ...]

    def text(self) -> str:
        if self.kind == "within":
            return f"{self.bounds[0]} <= {show_side(self.layout)} < {self.bounds[1]}"
        return f"{self.bounds[0]} divides every value of {show_side(self.layout)}"

    def instances(self) -> int:
        return int(self.layout.size())

    def _goals(self, x: Any) -> tuple[Relation, ...]:
        entries = tuple(leaves(x))
        if self.kind == "within":
            lo, hi = self.bounds
            return tuple(r for e in entries for r in (Relation("<=", lo, e), Relation("<", e, hi)))
        (n,) = self.bounds
        assert isinstance(n, int), "aligned checks it"
        return tuple(Relation("=", e % n, 0) for e in entries)

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        found = digits(mode_sizes(self.layout), "i")
        goals = self._goals(at_digits(self.layout, found))
        return (Obligation(str(self), free + found[::-1], self.premises, goals),)

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        return {"i": index_of(mode_sizes(self.layout), "i", model)}

    def failure(self) -> Failure | None:
        if not self._premises_hold():
            return None
        wrong = [i for i, x in enumerate(values(self.layout)) if not all(g.holds({}) for g in self._goals(x))]
        found = self.failure_at({"i": wrong[0]}) if wrong else None
        return None if found is None else replace(found, count=len(wrong))

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        i = witness["i"]
        x = self.layout(i)
        if all(g.holds({}) for g in self._goals(x)):
            return None
        right = self.bounds if self.kind == "within" else self.bounds[0]
        return Failure({"i": i}, x, right, f"({show_side(self.layout)})({i}) = {show_side(x)}")


@dataclass(frozen=True)
class Injective(Claim):
    """No two coordinates share a value. The witness is the least pair `i < j`: least i first, then least
    j."""

    layout: Any

    def text(self) -> str:
        return f"{show_side(self.layout)} is injective"

    def instances(self) -> int:
        return int(self.layout.size())

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        if not _linear(self.layout):
            return (self.search(free),)
        # for sums, equal values at two coordinates mean value 0 at their difference, with digits in (-s, s)
        sizes = mode_sizes(self.layout)
        difference = tuple(Var(Inner(f"i-j.{k}"), s, 1 - s) for k, s in enumerate(sizes))
        value = at_digits(self.layout, difference)
        premises = self.premises + tuple(Relation("=", x, 0) for x in leaves(value))
        goals = tuple(Relation("=", d, 0) for d in difference)
        return (Obligation(str(self), free + difference[::-1], premises, goals),)

    def search(self, free: tuple[Var, ...] = ()) -> Obligation:
        sizes = mode_sizes(self.layout)
        i, j = digits(sizes, "i"), digits(sizes, "j")
        same = agree(at_digits(self.layout, i), at_digits(self.layout, j))
        goals = tuple(Relation("=", p, q) for p, q in zip(i, j, strict=True))
        return Obligation(str(self), free + i[::-1] + j[::-1], self.premises + same, goals)

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        sizes = mode_sizes(self.layout)
        i, j = index_of(sizes, "i", model), index_of(sizes, "j", model)
        return {"i": min(i, j), "j": max(i, j)}

    def failure(self) -> Failure | None:
        if not self._premises_hold():
            return None
        first: dict[Any, int] = {}
        found: tuple[int, int] | None = None
        for j, x in enumerate(map(key_of, values(self.layout))):
            i = first.setdefault(x, j)
            if i != j and (found is None or i < found[0]):
                found = (i, j)
        return None if found is None else self.failure_at({"i": found[0], "j": found[1]})

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        i, j = witness["i"], witness["j"]
        x, y = self.layout(i), self.layout(j)
        if i == j or not same_value(x, y):
            return None
        says = f"the coordinates {i} and {j} of {show_side(self.layout)} share the value {show_side(x)}"
        return Failure({"i": i, "j": j}, i, j, says)


@dataclass(frozen=True)
class Disjoint(Claim):
    """No value in common. The witness is a pair of coordinates, i of a and j of b."""

    a: Any
    b: Any

    def text(self) -> str:
        return f"{show_side(self.a)} and {show_side(self.b)} share no value"

    def instances(self) -> int:
        return int(self.a.size() + self.b.size())

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        i, j = digits(mode_sizes(self.a), "i"), digits(mode_sizes(self.b), "j")
        same = agree(at_digits(self.a, i), at_digits(self.b, j))
        never = (Relation("=", 0, 1),)
        order = free + i[::-1] + j[::-1]
        return (Obligation(str(self), order, self.premises + same, never, may_be_empty=True),)

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        return {
            "i": index_of(mode_sizes(self.a), "i", model),
            "j": index_of(mode_sizes(self.b), "j", model),
        }

    def failure(self) -> Failure | None:
        if not self._premises_hold():
            return None
        first: dict[Any, int] = {}
        for j, x in enumerate(map(key_of, values(self.b))):
            first.setdefault(x, j)
        for i, x in enumerate(map(key_of, values(self.a))):
            if x in first:
                return self.failure_at({"i": i, "j": first[x]})
        return None

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        i, j = witness["i"], witness["j"]
        x, y = self.a(i), self.b(j)
        if not same_value(x, y):
            return None
        says = f"({show_side(self.a)})({i}) = ({show_side(self.b)})({j}) = {show_side(x)}"
        return Failure({"i": i, "j": j}, x, y, says)


@dataclass(frozen=True)
class Covers(Claim):
    """Each of `0 .. n-1` is a value (`times` times). The witness is the least one that is not.

    Proved without "there is": the modes of stride 0 repeat every value, as often as they have elements; the
    others must be injective and stay inside `0 .. n-1`, and there must be n of them, so they reach
    everything. Where a layout does it in another way, a table says which index has which value (reach.py);
    where that is too long, it is left to enumeration (`enough` is false).
    """

    layout: Any
    n: int
    times: int | None

    def text(self) -> str:
        often = "" if self.times is None else f" exactly {self.times} time{'s' * (self.times != 1)}"
        return f"{show_side(self.layout)} hits each of 0 .. {self.n - 1}{often}"

    def instances(self) -> int:
        return int(self.layout.size())

    def enough(self) -> bool:
        return False

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        by_table = self._by_table(free)
        if by_table is not None:
            return (by_table,)
        once, repeats = self.layout, 1
        if _linear(once):
            modes = list(zip(mode_sizes(once), flatten_to_tuple(once.stride), strict=True))
            repeats = prod(s for s, d in modes if d == 0)
            kept = [m for m in modes if m[1] != 0]
            once = (
                Layout._make(tuple(s for s, _ in kept), tuple(d for _, d in kept)) if kept else Layout(1, 0)
            )
        count: tuple[Relation, ...] = (Relation("=", once.size(), self.n),)
        if self.times is not None:
            count += (Relation("=", repeats, self.times),)
        inside = EveryValue(once, "within", (0, self.n), premises=self.premises)
        alone = Injective(once, premises=self.premises)
        counting = Obligation(f"{self}: the counts", free, self.premises, count)
        return (counting, *inside.obligations(free), *alone.obligations(free))

    def _by_table(self, free: tuple[Var, ...]) -> Obligation | None:
        """The table, for a layout that reaches everything but not by counting; None elsewhere."""
        sizes = mode_sizes(self.layout)
        if (
            not all(isinstance(x, int) for x in (self.n, self.times or 1, *sizes))
            or prod(sizes) > MOST_TABLED
        ):
            return None
        strides = flatten_to_tuple(self.layout.stride) if _linear(self.layout) else ()
        repeats = prod(s for s, d in zip(sizes, strides, strict=False) if d == 0)
        indices = least_indices(values(self.layout), self.n, self.times, repeats)
        if indices is None:
            return None
        fixed, premises, goals = table(indices, sizes, lambda c: at_digits(self.layout, c))
        return Obligation(str(self), free + fixed, self.premises + premises, goals)

    def failure(self) -> Failure | None:
        if not self._premises_hold():
            return None
        counts = Counter(values(self.layout))
        for x in range(min(self.n, len(counts) + 1)):  # with n beyond that, one of these is missing
            if self._wrong(counts[x]):
                missing = self.n - sum(1 for v in counts if isinstance(v, int) and 0 <= v < self.n)
                often = sum(
                    1 for v, c in counts.items() if isinstance(v, int) and 0 <= v < self.n and self._wrong(c)
                )
                return replace(self._at(x, counts[x]), count=missing + often)
        return None

    def _wrong(self, count: int) -> bool:
        return count == 0 or (self.times is not None and count != self.times)

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        x = witness["value"]
        count = sum(1 for i in range(self.layout.size()) if self.layout(i) == x)
        return self._at(x, count) if self._wrong(count) else None

    def _at(self, x: int, count: int) -> Failure:
        wanted = "at least once" if self.times is None else f"{self.times} times"
        says = f"{show_side(self.layout)} hits {x} {count} time{'s' * (count != 1)}, wanted {wanted}"
        return Failure({"value": x}, count, 1 if self.times is None else self.times, says)
