"""What a solver is asked: relations between expressions, and obligations made of them.

An obligation says: for all values of the digits, the premises imply every goal. It is plain data, so it can
be sent to any solver, written down, or evaluated at one point with ordinary integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne

from .symbolic import Int, Var, evaluate, same_tree, variables

COMPARE = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass(frozen=True, slots=True)
class Relation:
    """`left op right` with op one of `= != < <= > >=`."""

    op: str
    left: Int
    right: Int

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"

    def holds(self, values: Mapping[str, int]) -> bool:
        return bool(COMPARE[self.op](evaluate(self.left, values), evaluate(self.right, values)))


@dataclass(frozen=True, slots=True)
class Obligation:
    """For all digits: premises imply all goals.

    The digits are in the order in which a counterexample is to be small. `may_be_empty` says that premises
    which no point meets are no cause for worry: that they contradict each other is what is claimed.
    """

    says: str
    digits: tuple[Var, ...]
    premises: tuple[Relation, ...]
    goals: tuple[Relation, ...]
    may_be_empty: bool = False

    def __post_init__(self) -> None:
        known = {v.name: v for v in self.digits}
        if len(known) != len(self.digits):
            raise ValueError(f"{self.says}: two digits of one name among {[v.name for v in self.digits]}")
        for r in (*self.premises, *self.goals):
            for v in variables(r.left, r.right):
                if not same_tree(known.get(v.name), v):
                    raise ValueError(f"{self.says}: the digit {v!r} in `{r}` is not quantified")

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether the implication is true at one point, computed on plain ints."""
        return not all(p.holds(values) for p in self.premises) or all(g.holds(values) for g in self.goals)

    def relations(self) -> tuple[Relation, ...]:
        return (*self.premises, *self.goals)
