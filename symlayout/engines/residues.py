"""residues: how values spread over classes, over parameters, by the remainders of the parameters.

The class of a unit is its remainder modulo a power of two, R; a swizzle looks at some bits more, P = 2^k.
What a parameter adds to a lane modulo P depends on the parameter modulo some m alone, so there are finitely
many cases, `q = m*q' + r` for each r below m. In each of them:

- without a swizzle, every lane of a group has the same class whatever q' is, and every group adds the same to
  all lanes. Lanes whose values are one polynomial have one unit; the others of one class are counted as
  different (which they may not be for some q': then the claim is not decided here).
- behind a swizzle, `S(x + P*y) = S(x) + P*y` in the bits that make the class, and what a group adds to its
  lanes is, modulo P, a multiple of the greatest common divisor of its strides and P. So the classes of lanes
  follow from numbers below P. Only the claim of one unit a class is decided.

What is left to z3, for all values of the parameters: that the lanes (and strides of the groups) have those
remainders; behind a swizzle, that no two lanes have one class, whatever the group adds; and where at least
so many units are claimed, that they differ. By hand: the sentences above, and that every integer has one
remainder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from math import gcd, prod
from typing import Any

from .. import polynomial as poly
from ..assumed import domain_of
from ..claim import Claim
from ..dim import is_symbolic, make, terms_of
from ..errors import UnsupportedError
from ..formula import Obligation, Relation
from ..inttuple import flatten_to_tuple
from ..layout import Layout
from ..names import Inner
from ..polynomial import Param, Poly
from ..spread_claim import Spread, fullest, in_units_of, inner
from ..swizzle import ComposedLayout, Swizzle
from ..symbolic import Int, Var
from .digit_work import Stuck
from .finding import Finding, Holds, Open

NAME = "residues"
MOST_CASES = 1 << 10
MOST_OFFSETS = 1 << 14  # that groups add to their lanes, behind a swizzle
MOST_POINTS = 8  # values of the parameters that are tried for a counterexample

Case = dict[Param, int]


class Clash(Stuck):
    """The claim fails for some remainders, as far as this engine sees: `holds` says for which it does not,
    and `points` are values to try."""

    def __init__(self, holds: str, points: tuple[dict[str, int], ...]) -> None:
        super().__init__(holds or "for no values of the parameters it is shown to hold")
        self.holds = holds
        self.points = points


def decide(part: Claim, free: tuple[Var, ...]) -> Finding:
    """How values spread over classes, without further digits or premises."""
    if not isinstance(part, Spread) or part.premises or free:
        return Open()
    try:
        return Holds(obligations(part, free))
    except Clash as clash:
        return Open(str(clash), "", clash.points, clash.holds)
    except Stuck as stuck:
        return Open(str(stuck), stuck.fact)
    except UnsupportedError as error:
        return Open(str(error))


def obligations(part: Spread, free: tuple[Var, ...]) -> tuple[Obligation, ...]:
    """Formulas that together imply the claim for all values of the parameters.

    Raises Stuck, with the fact that is missing where one is known.
    """
    if free or part.premises:
        raise Stuck("values spread over classes are decided without further digits or premises")
    work = _Work(part)
    if work.swizzle is None and not is_symbolic(inner(part.layout).stride[0]):
        lane = inner(part.layout)[0]
        rest = tuple([1] * len(part.names))
        alone = replace(part, layout=Layout._make((lane.shape, *rest), (lane.stride, *(0 for _ in rest))))
        if alone.fails(alone.units_of(0)):
            raise Clash("", ())
        return alone.obligations()
    cases = list(work.cases())
    bad = [case for case in cases if not work.holds(case)]
    if bad:
        raise Clash(
            work.good([c for c in cases if c not in bad]), tuple(islice(work.points(bad), MOST_POINTS))
        )
    return tuple(o for case in work.in_order(cases) for o in work.obligations(case))


@dataclass(frozen=True)
class _Lane:
    """One lane of a group: its number, and its unit before the swizzle less what the group adds."""

    number: int
    terms: Poly


class _Work:
    def __init__(self, part: Spread) -> None:
        self.part = part
        layout = inner(part.layout)
        self.swizzle: Swizzle | None = None
        self.offset = 0
        self.period = part.classes
        sizes, strides = flatten_to_tuple(layout.shape[0]), flatten_to_tuple(layout.stride[0])
        steps = [self._units(d) for d in strides]
        self.rest = [self._units(d) for d in flatten_to_tuple(layout.stride[1:])]
        if isinstance(part.layout, ComposedLayout):
            self._behind(part.layout)
        else:
            self.rest = []  # every group adds the same to all its lanes
        self.lanes = [
            _Lane(k, _sum(zip(steps, bits[::-1], strict=True)))
            for k, bits in enumerate(product(*(range(s) for s in sizes[::-1])))
        ]
        used = [*steps, *self.rest]
        self.moduli = {v: self._modulus(v, used) for v in poly.params(*used)}
        self.params = tuple([v for v, m in self.moduli.items() if m > 1])
        if prod(self.moduli.values()) > MOST_CASES:
            names = ", ".join(f"{v.name} % {m}" for v, m in self.moduli.items())
            raise Stuck(f"more than {MOST_CASES} cases of {names}")

    def _units(self, stride: Any) -> Poly:
        """A stride in units. Raises Stuck where it is not a whole number of them for all parameters."""
        p, unit = terms_of(stride), self.part.unit
        if p is None:
            raise Stuck(f"the stride {stride} is not an integer")
        if any(c % unit for c in p.values()):
            if poly.as_int(p) is not None:
                raise Stuck(
                    f"the stride {stride} is not a multiple of {unit}, so that lanes may share a unit"
                )
            rest = make(p) % unit
            fact = rest.divides().text if hasattr(rest, "divides") else ""
            raise Stuck(f"the stride {stride} is not known to be a multiple of {unit}", fact)
        return {m: c // unit for m, c in p.items()}

    def _behind(self, layout: ComposedLayout) -> None:
        """What the swizzle reads and changes: bits below those of the period."""
        part = self.part
        swizzle = in_units_of(layout.swizzle, part.unit)
        if swizzle is None or type(layout.offset) is not int or layout.offset % part.unit:
            raise Stuck(f"{layout.swizzle} o {layout.offset} does not move whole units of {part.unit}")
        if part.high > 1:
            raise Stuck("behind a swizzle only one unit a class is decided over parameters")
        if part.classes & (part.classes - 1):
            raise Stuck(f"{part.classes} classes behind a swizzle")
        self.swizzle, self.offset = swizzle, layout.offset // part.unit
        least = swizzle.m + max(0, -swizzle.s)  # of the bits that it changes
        changed = min(swizzle.b, max(0, part.classes.bit_length() - 1 - least))  # that make the class
        read = swizzle.m + max(0, swizzle.s) + changed
        self.period = max(part.classes, 1 << read if changed else 1)

    def _modulus(self, v: Param, used: list[Poly]) -> int:
        """What v has to be known modulo, for every stride to be known modulo the period."""
        g = gcd(self.period, *(c for p in used for m, c in p.items() if v in m))
        return self.period // g

    # --- cases ---

    def cases(self) -> Iterator[Case]:
        """Remainders of the parameters that some value has."""
        for found in product(*(range(self.moduli[v]) for v in self.params)):
            case = dict(zip(self.params, found, strict=True))
            if all(self._possible(v, r) for v, r in case.items()):
                yield case

    def _possible(self, v: Param, r: int) -> bool:
        end = None if v.bound is None else poly.as_int(v.bound)
        return end is None or self._least(v, r) < end

    def _least(self, v: Param, r: int) -> int:
        """The least value of v with a remainder."""
        return v.least + (r - v.least) % self.moduli[v]

    def residue(self, p: Poly, case: Case) -> int:
        """What a polynomial is modulo the period, which the case decides."""
        values: dict[str, int] = {v: case.get(v, 0) for v in self.moduli}
        return poly.evaluate(p, values) % self.period

    def added(self, case: Case) -> int:
        """What a group adds to its lanes is a multiple of this, modulo the period."""
        return gcd(self.period, *(self.residue(d, case) for d in self.rest))

    def holds(self, case: Case) -> bool:
        """Whether the claim holds in this case, by counting."""
        part, at = self.part, {lane.number: self.residue(lane.terms, case) for lane in self.lanes}
        if self.swizzle is None:
            units = self._distinct(at)
            return part.low <= len(fullest(units, part.classes, part.each_lane)) <= part.high
        step = self.added(case)
        if self.period // step > MOST_OFFSETS:
            raise Stuck(
                f"{self.swizzle} reads bits so far up that groups can add {self.period // step} different "
                f"offsets; at most {MOST_OFFSETS} are counted"
            )
        for o in range(0, self.period, step):
            found = [self._class(at[lane.number], o) for lane in self._apart()]
            if len(set(found)) < len(found):
                return False
        return True

    def _class(self, residue: int, added: Int) -> Any:
        assert self.swizzle is not None, "asked only behind one"
        return self.swizzle(added + (residue + self.offset)) % self.part.classes

    def _apart(self) -> list[_Lane]:
        """A lane for each polynomial; all of them where every lane counts."""
        if self.part.each_lane:
            return self.lanes
        return list({poly.key(lane.terms): lane for lane in reversed(self.lanes)}.values())[::-1]

    def _distinct(self, at: Mapping[int, int]) -> list[int]:
        """For each lane a number of its class, the same for lanes of one polynomial and no others."""
        first: dict[str, int] = {}
        units = []
        for lane in self.lanes:
            k = first.setdefault(poly.key(lane.terms), lane.number)
            units.append(at[lane.number] + self.period * k)
        return units

    # --- what is said ---

    def in_order(self, cases: list[Case]) -> list[Case]:
        """The case of the least values last: it is where z3 is asked for a point of the domain."""
        least = {v: v.least % self.moduli[v] for v in self.params}
        return [c for c in cases if c != least] + [c for c in cases if c == least]

    def obligations(self, case: Case) -> tuple[Obligation, ...]:
        """The remainders of one case, and what follows from them."""
        named: list[Poly] = [{(v,): 1} for v in self.moduli]
        digits, premises = domain_of(poly.closure(*named))
        by_name: dict[str, Var] = {v.name: v for v in digits}
        quotients = tuple(Var(Inner(f"{v}.quotient"), None, None) for v in case)
        premises += tuple(
            Relation("=", by_name[v], q * self.moduli[v] + r)
            for (v, r), q in zip(case.items(), quotients, strict=True)
        )
        trees = {id(p): _tree(p, by_name) for p in (*(x.terms for x in self.lanes), *self.rest)}
        goals = [
            Relation("=", trees[id(p)] % self.period, self.residue(p, case))
            for p in (*(lane.terms for lane in self._apart()), *self.rest)
            if poly.as_int(p) is None
        ]
        goals += self._different(case, trees)
        where = ", ".join(f"{v.name} % {self.moduli[v]} = {r}" for v, r in case.items())
        says = f"{self.part}: the remainders{f' where {where}' if where else ''}"
        found = Obligation(says, digits + quotients, premises, tuple(goals))
        return (found,) if self.swizzle is None else (self._behind_the_swizzle(case, where), found)

    def _different(self, case: Case, trees: Mapping[int, Int]) -> list[Relation]:
        """That as many units of one class as are claimed at least differ. Raises Stuck."""
        if self.part.low == 1:
            return []
        at = {lane.number: self.residue(lane.terms, case) for lane in self.lanes}
        chosen = fullest(self._distinct(at), self.part.classes, self.part.each_lane)[: self.part.low]
        goals = []
        for k, a in enumerate(chosen if not self.part.each_lane else ()):
            for b in chosen[:k]:
                p, q = self.lanes[a].terms, self.lanes[b].terms
                less, more = poly.add(p, q, -1), poly.add(q, p, -1)
                sure = [x for x in (less, more) if poly.nonneg(poly.add(x, poly.constant(-1)))]
                if not sure:
                    raise Stuck(f"do the lanes {b} and {a} of a group differ?", f"{poly.show(less)}>=1")
                goals.append(Relation("!=", trees[id(p)], trees[id(q)]))
        return goals

    def _behind_the_swizzle(self, case: Case, where: str) -> Obligation:
        step = self.added(case)
        group = Var(Inner("group"), self.period // step)
        lanes = [self._class(self.residue(lane.terms, case), group * step) for lane in self._apart()]
        goals = [Relation("!=", b, a) for k, a in enumerate(lanes) for b in lanes[:k]]
        if not goals:
            goals = [Relation("<=", len(lanes), 1)]
        says = f"{self.part}: classes behind the swizzle{f' where {where}' if where else ''}"
        return Obligation(says, (group,), (), tuple(goals))

    def good(self, cases: list[Case]) -> str:
        """In words that it holds in these cases; empty for none, and where it would be long."""
        if len(self.params) != 1 or not cases:
            return ""
        (v,) = self.params
        found, m = {case[v] for case in cases}, self.moduli[v]
        while m % 2 == 0 and all((r + m // 2) % m in found for r in found):
            m //= 2
            found = {r % m for r in found}
        return f"it holds where {v.name} % {m} is {' or '.join(map(str, sorted(found)))}"

    def points(self, bad: list[Case]) -> Iterator[dict[str, int]]:
        """Values of the parameters that have such remainders, the least first."""
        for turns in range(3):  # q' may be small enough for different polynomials to be equal
            found: list[dict[str, int]] = [
                {v: self._least(v, r) + turns * self.moduli[v] for v, r in case.items()} for case in bad
            ]
            yield from sorted(found, key=lambda point: (max(point.values(), default=0), *point.values()))


def _sum(terms: Any) -> Poly:
    total: Poly = {}
    for p, count in terms:
        total = poly.add(total, p, count)
    return total


def _tree(p: Poly, by_name: Mapping[str, Var]) -> Int:
    """The polynomial as an expression in the digits of an obligation."""
    total: Int = 0
    for m, c in sorted(p.items(), reverse=True):
        term: Int = abs(c)
        for v in m:
            term = by_name[v] * term
        total = total + term if c > 0 else total - term
    return total
