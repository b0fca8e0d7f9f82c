"""A retile, asked of a machine: do the registers hold what the model says, and do the products come out?

One of two views is wrong, as a negative control: what it moves and its D must be wrong, exactly as
predicted. Where CuTe's own retile is wrong it is the control, and the proven right view stands beside it. A
control that comes out right means that the check would not notice. `loads` and `stores` say what is asked of
each view.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from symlayout import TiledCopy, TiledMMA, UnsupportedError

from .backend import Backend
from .loads import ask_load
from .outcome import Outcome
from .plan import LoadPlan, divided, exchanged, load_plan, plain
from .store_plan import StorePlan, store_plan
from .stores import ask_store

SEED = 20261130  # of the data; predictions are replayed with the same


@dataclass
class CrossCheck:
    """A configuration, asked through CuTe's retile and through one more view: a wrong one where retile is
    right, the right one where retile is wrong."""

    configuration: dict[str, str]
    backend: str
    hardware: bool
    retile: Outcome
    beside: Outcome

    @property
    def outcomes(self) -> tuple[Outcome, Outcome]:
        return self.retile, self.beside

    @property
    def as_predicted(self) -> bool:
        """The machine says what the model says."""
        return all(o.as_predicted for o in self.outcomes)

    @property
    def passed(self) -> bool:
        """And a wrong view was seen to be wrong beside a right one."""
        return self.as_predicted and self.retile.right != self.beside.right

    def to_json(self) -> dict[str, Any]:
        result = {**asdict(self), "as_predicted": self.as_predicted, "passed": self.passed}
        for outcome in (result["retile"], result["beside"]):  # the raw arrays are for `observations`
            del outcome["names"], outcome["words"]
        return result


def crosscheck(
    mma: TiledMMA, copy: TiledCopy, operand: str, tensor: Any, side: str, backend: Backend
) -> CrossCheck:
    """Ask `backend` about a configuration; `side` is where the registers are, D for loads and S for stores.
    Raises LayoutError or UnsupportedError where there is nothing to ask."""
    make = store_plan if side == "S" else load_plan
    plan: LoadPlan | StorePlan = make(mma, copy, operand, tensor)
    if not plan.instruction.matrices and plan.element.bits < 8:
        raise UnsupportedError(f"{plan.element.bits}-bit elements cannot be moved one by one")
    retile = f"retile_{side}"
    if plan.wrong:
        right = copy.right_view(mma, operand, plain(tensor), side=side)
        beside = ask(make(mma, copy, operand, tensor, right), backend, "the proven right view")
    elif (divided(plan).slot != plan.slot).any():
        beside = ask(divided(plan), backend, "direct divide")
    else:
        beside = ask(exchanged(plan), backend, f"{retile}, its first and last register exchanged")
    return CrossCheck(
        configuration={
            "mma": str(mma),
            "copy": copy.atom.name,
            "operand": operand,
            "tensor": str(tensor),
            "instruction": str(plan.instruction),
        },
        backend=backend.name,
        hardware=backend.hardware,
        retile=ask(plan, backend, retile),
        beside=beside,
    )


def ask(plan: LoadPlan | StorePlan, backend: Backend, title: str) -> Outcome:
    """One view asked of one machine."""
    if isinstance(plan, StorePlan):
        return ask_store(plan, backend, title, SEED)
    return ask_load(plan, backend, title, SEED)
