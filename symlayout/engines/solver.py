"""z3: whatever can be said in formulas, by the judge itself.

The obligations are the claim's own (`map_claims` says how: digit differences, shared digits, else one index
with quotients; `smtlib` says in which logic). A counterexample is then made the least one by bisection.
"""

from __future__ import annotations

from ..claim import Claim
from ..errors import UnsupportedError
from ..formula import Obligation
from ..smtlib import symbols, to_smtlib
from ..symbolic import Var
from .finding import Fails, Finding, Holds, Open

NAME = "z3"


def decide(part: Claim, free: tuple[Var, ...]) -> Finding:
    """The claim's own obligations, for the solver to answer."""
    try:
        return Holds(part.obligations(free))
    except UnsupportedError as error:
        return Open(str(error))


def counterexample(
    part: Claim, free: tuple[Var, ...], obligation: Obligation, model: dict[str, int], time_limit: float
) -> Fails | Open:
    """The least counterexample to the claim, from a model that breaks one of its obligations."""
    from .. import smt

    search = part.search(free)
    asked = to_smtlib(search)
    if asked != to_smtlib(obligation):
        names = symbols(search.digits)
        answer = smt.check(asked, tuple(names.values()), time_limit)
        if answer.status != "sat" or answer.model is None:
            return Open(f"z3 refutes it at {model}, which has no reading: {answer.reason or answer.status}")
        model = {name: answer.model[text] for name, text in names.items()}
    model, minimal = smt.least_model(search, model, time_limit)
    return Fails(part.read(model), {v.name: model[v.name] for v in free}, minimal)
