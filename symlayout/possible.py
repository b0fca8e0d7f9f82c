"""Whether any values of parameters meet the facts: small ones are tried, then z3 is asked.

A verdict about parameters is given only where there are such values. The facts are put to z3 as they were
given, over the old parameters and with what became of these, so it also sees a fact that was set aside.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import polynomial as poly
from .assumed import completed, connected, facts_in_words, given_facts, instances, meets, unrelated
from .domain import Domain
from .errors import EngineDisagreement
from .names import together
from .polynomial import Param
from .smtlib import symbols, to_smtlib


class Possible:
    """The values of the parameters that are meant. `status` is `sat` where some are known to exist, also for
    the other parameters of the same facts, `unsat` where z3 says that there are none, else `unknown`."""

    def __init__(self, params: tuple[Param, ...], time_limit: float) -> None:
        self.params = params
        self.time_limit = time_limit  # of z3; 0 leaves it out
        self.other: tuple[dict[str, int], ...] = ()  # a point that is not small
        self.status, self.reason, self.facts = "sat", "", ""
        for group in (params, *unrelated(params)):
            if next(iter(instances(group)), None) is None:
                point = self._solved(group)
                if self.status != "sat":
                    self.facts = facts_in_words(group)
                    return
                self.other += (point,) if group == params and point is not None else ()

    def _solved(self, params: tuple[Param, ...]) -> dict[str, int] | None:
        """Values that meet the facts, from z3."""
        from . import smt

        if not self.time_limit:
            self.status, self.reason = "unknown", "no small values of the parameters meet the facts"
            return None
        question = given_facts(params)
        names = symbols(question.digits)
        answer = smt.check(to_smtlib(question), tuple(names.values()), self.time_limit)
        self.status, self.reason = answer.status, answer.reason
        if answer.status != "sat" or answer.model is None:
            return None
        found = {name: answer.model[text] for name, text in names.items()}
        model, _ = smt.least_model(question, found, self.time_limit)
        point: dict[str, int] = {v: model[v] for v in connected(params)}
        if not meets(point):
            raise EngineDisagreement(f"z3's values {together(point, {})} do not meet the facts")
        return {v: point[v] for v in params}

    def admits(self, values: Mapping[str, int]) -> bool:
        """Whether these values, with some for the parameters that facts tie to them, meet all facts."""
        own: dict[str, int] = {v: values[v] for v in self.params}
        return own in self.other or completed(own) is not None


def impossible(domain: Domain, time_limit: float) -> str:
    """The facts of a domain that no values meet, in words, where that shows; else empty."""
    for origin in domain.origins:
        found = Possible(poly.params(*origin.values.values()), time_limit)
        if found.status == "unsat":
            return found.facts
    return ""
