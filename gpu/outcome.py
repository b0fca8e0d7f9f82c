"""What asking a machine about one view gives: what was predicted, what was observed, and where they part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .element import Array
from .plan import LoadPlan
from .store_plan import StorePlan


@dataclass(frozen=True)
class Mismatch:
    """The first place at which a machine and the model differ."""

    where: str
    predicted: str
    observed: str


@dataclass
class Outcome:
    """One view asked of one machine."""

    title: str
    view: str
    places: int  # registers of all threads, or elements of shared memory
    wrong: int  # of them, those that hold another element than the MMA has there, as predicted
    unlike: int = 0  # of them, those that hold another element than predicted
    first: Mismatch | None = None
    first_wrong: str = ""
    products: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # (size of D, wrong, unlike)
    names: Array | None = None  # what was observed: the names in all places ...
    words: dict[str, Array] = field(default_factory=dict)  # ... and what each product left

    @property
    def as_predicted(self) -> bool:
        return self.unlike == 0 and all(unlike == 0 for _, _, unlike in self.products.values())

    @property
    def right(self) -> bool:
        return self.wrong == 0 and all(wrong == 0 for _, wrong, _ in self.products.values())


def compared(
    plan: LoadPlan | StorePlan,
    title: str,
    names: Array,
    where: Callable[..., str],
    named: Callable[[Any], str],
    says: str,
) -> Outcome:
    """Observed names against the plan's. `where` and `named` put places and names into words, `says` what it
    means that another one is there, of {want} and {got}."""
    unlike, wrong = names != plan.predicted, plan.wanted != plan.predicted
    outcome = Outcome(title, str(plan.view), names.size, int(wrong.sum()), int(unlike.sum()), names=names)
    if outcome.unlike:
        at = tuple(int(x) for x in np.argwhere(unlike)[0])
        outcome.first = Mismatch(where(*at), named(plan.predicted[at]), named(names[at]))
    if outcome.wrong:
        at = tuple(int(x) for x in np.argwhere(wrong)[0])
        words = says.format(want=named(plan.wanted[at]), got=named(plan.predicted[at]))
        outcome.first_wrong = f"{where(*at)}: {words}"
    return outcome
