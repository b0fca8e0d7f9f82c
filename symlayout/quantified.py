"""A claim about integers for all values of digits of its own, bounds and all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from .claim import Claim, Failure, Pointwise
from .formula import Obligation
from .symbolic import Var, evaluate, variables


@dataclass(frozen=True)
class ForAll(Claim):
    """The relations hold for all values of the digits. The witness is the least of them.

    A bound may be a Dim; then the claim is one over parameters.
    """

    digits: tuple[Var, ...]
    claim: Pointwise

    def text(self) -> str:
        bounds = ", ".join(f"{v.name} < {v.bound}" for v in self.digits)
        return f"{self.claim.text()} for all {bounds}"

    def free(self) -> tuple[Var, ...]:
        own = {v.name for v in self.digits}
        return tuple([v for v in variables(*self.claim.free(), *self.digits) if v.name not in own])

    def instances(self) -> int:
        count = 1
        for v in self.digits:
            count *= v.bound
        return count

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        return (Obligation(str(self), free + self.digits, self.premises, self.claim.goals),)

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        return {v.name: model[v.name] for v in self.digits}

    def failure(self) -> Failure | None:
        for point in product(*(range(v.bound) for v in self.digits)):
            witness = {v.name: x for v, x in zip(self.digits, point, strict=True)}
            if any(not g.holds(witness) for g in self.claim.goals):
                return self.failure_at(witness)
        return None

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        values = {v.name: witness[v.name] for v in self.digits}
        broken = [g for g in self.claim.goals if not g.holds(values)]
        if not broken:
            return None
        goal = broken[0]
        left, right = evaluate(goal.left, values), evaluate(goal.right, values)
        return Failure(dict(values), left, right, f"{goal.left} = {left}, {goal.right} = {right}")


@dataclass(frozen=True)
class ForAllSizes(ForAll):
    """A statement over parameters. `exact` says the same on integers, and knows more about a failure."""

    exact: Claim

    def text(self) -> str:
        return self.exact.text()

    def instances(self) -> int:
        return self.exact.instances()

    def walked(self) -> int:
        return self.exact.walked()

    def failure(self) -> Failure | None:
        return self.exact.failure()
