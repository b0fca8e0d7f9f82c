"""What a claim is: a statement about integers that can be checked in two ways.

`obligations` hands formulas to a solver; `failure` walks the domain on plain ints and returns the least
counterexample. The two share no code beyond the layout's own evaluation, so each checks the other. No
solver is imported here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from .errors import LayoutError
from .formula import Obligation, Relation
from .inttuple import show
from .layout import Layout
from .swizzle import ComposedLayout
from .symbolic import Var, leaves, variables


@dataclass(frozen=True)
class Failure:
    """A point where a claim fails, on plain ints.

    `says` is a sentence for claims that know a better one than `left != right`; `layouts` are those in
    which the values can be decoded; `count` is how many points of the claim's own domain fail, where it was
    counted.
    """

    witness: dict[str, Any]
    left: Any
    right: Any
    says: str = ""
    layouts: tuple[tuple[str, Any], ...] = ()
    count: int | None = None


@dataclass(frozen=True)
class Claim:
    """A statement about integers. `label` names it among the parts of a larger claim."""

    premises: tuple[Relation, ...] = field(default=(), kw_only=True)
    label: str = field(default="", kw_only=True)

    def given(self, *premises: Claim) -> Claim:
        """The claim wherever the premises hold. Raises LayoutError for a premise that is not a claim about
        expressions."""
        relations: tuple[Relation, ...] = ()
        for p in premises:
            if not isinstance(p, Pointwise):
                raise LayoutError(
                    f"given: a premise speaks about integers (equal, within, aligned), not `{p}`"
                )
            relations += p.premises + p.goals
        return replace(self, premises=self.premises + relations)

    def named(self, label: str) -> Claim:
        return replace(self, label=label)

    def repair(self) -> tuple[str, Claim] | None:
        """What would be right where this is not, in words, with the claim that it is; asked only when a
        refutation is told."""
        return None

    def __bool__(self) -> bool:
        raise TypeError(
            f"the claim `{self}` is neither true nor false before it is proved\n"
            "  `and`, `or` and `if` would drop a part of it: all_of(a, b) states both"
        )

    def parts(self) -> tuple[Claim, ...]:
        """The claims that this one is the conjunction of, in the order in which they are tried."""
        return (self,)

    def free(self) -> tuple[Var, ...]:
        """The digits that somebody else has to quantify."""
        return variables(*(x for r in self.premises for x in (r.left, r.right)))

    def instances(self) -> int:
        """How many points of its own domain the claim speaks about."""
        return 1

    def walked(self) -> int:
        """How many points `failure` computes at most."""
        return self.instances()

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        """Formulas that together imply the claim, for all values of `free`."""
        raise NotImplementedError

    def search(self, free: tuple[Var, ...] = ()) -> Obligation:
        """The formula whose least counterexample is the claim's witness."""
        return self.obligations(free)[0]

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        """The witness, in the claim's own words, that a model of `search` stands for."""
        return {}

    def failure(self) -> Failure | None:
        """The least counterexample on plain ints, None if there is none. Needs all digits replaced by
        ints."""
        raise NotImplementedError

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        """The counterexample at one point of the claim's own domain, computed anew."""
        return self.failure()

    def enough(self) -> bool:
        """Whether a counterexample to an obligation always is one to the claim (false: the obligations say
        more)."""
        return True

    def _premises_hold(self) -> bool:
        return all(p.holds({}) for p in self.premises)

    def __str__(self) -> str:
        given = f", given {' and '.join(map(str, self.premises))}" if self.premises else ""
        return f"{self.label or self.text()}{given}"

    def text(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Pointwise(Claim):
    """Relations between expressions (or ints), all of which must hold.

    `sides` is what the author compared. `form` is how that reads: `{0}` and `{1}` stand for the texts of the
    sides, `{2}` for the right side itself; it is filled in only when somebody reads it.
    """

    goals: tuple[Relation, ...]
    sides: tuple[Any, Any]
    form: str = "{0} = {1}"

    def text(self) -> str:
        left, right = self.sides
        return self.form.format(show_side(left), show_side(right), right)

    def free(self) -> tuple[Var, ...]:
        return variables(*(x for r in (*self.premises, *self.goals) for x in (r.left, r.right)))

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        return (Obligation(str(self), free, self.premises, self.goals),)

    def failure(self) -> Failure | None:
        if not self._premises_hold() or all(g.holds({}) for g in self.goals):
            return None
        return Failure({}, *self.sides)


@dataclass(frozen=True)
class AllOf(Claim):
    """A conjunction, tried in order."""

    claims: tuple[Claim, ...]

    def text(self) -> str:
        return ", and ".join(map(str, self.claims))

    def parts(self) -> tuple[Claim, ...]:
        found = tuple(p for claim in self.claims for p in claim.parts())
        if not self.premises:
            return found
        return tuple(replace(p, premises=self.premises + p.premises) for p in found)

    def free(self) -> tuple[Var, ...]:
        return tuple(dict.fromkeys(v for p in self.parts() for v in p.free()))

    def instances(self) -> int:
        return max((p.instances() for p in self.parts()), default=0)

    def walked(self) -> int:
        return max((p.walked() for p in self.parts()), default=0)

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        return tuple(o for p in self.parts() for o in p.obligations(free))

    def failure(self) -> Failure | None:
        return next((f for p in self.parts() if (f := p.failure()) is not None), None)


def is_map(x: Any) -> bool:
    """Whether x is a layout: a thing with a shape that answers for coordinates."""
    return callable(x) and hasattr(x, "shape") and hasattr(x, "size")


def show_side(x: Any) -> str:
    """Text of one side: an expression, a coordinate, a layout."""
    return show(x) if isinstance(x, tuple) else str(x)


def values(layout: Any) -> list[Any]:
    """Every value of a layout, in the order of its coordinates, by walking its modes: no division, no
    expression."""
    if isinstance(layout, ComposedLayout) and isinstance(layout.layout, Layout):
        return [layout.swizzle(layout.offset + x) for x in values(layout.layout)]
    if not isinstance(layout, Layout):
        return [layout(i) for i in range(layout.size())]
    table: list[Any] = [0]
    for s, d in zip(leaves(layout.shape), leaves(layout.stride), strict=True):
        table = [v + d * c for c in range(s) for v in table]
    return table


def agree(a: Any, b: Any) -> tuple[Relation, ...]:
    """Equality of two values, coordinate by coordinate. A coordinate sum that is short stands for zeros, and
    the integer 0 for a coordinate of zeros; other integers are no coordinates."""
    if not isinstance(a, tuple) and not isinstance(b, tuple):
        return (Relation("=", a, b),)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple([r for x, y in zip_longest(a, b, fillvalue=0) for r in agree(x, y)])
    return tuple([Relation("=", x, 0) for x in (*leaves(a), *leaves(b))])


def key_of(x: Any) -> Any:
    """What two plain values have in common iff they are equal in the sense of `agree`."""
    if not isinstance(x, tuple):
        return x or ()
    entries = [key_of(e) for e in x]
    while entries and entries[-1] == ():
        entries.pop()
    return tuple(entries)


def same_value(a: Any, b: Any) -> bool:
    """The same of plain values."""
    return a == b or all(r.holds({}) for r in agree(a, b))
