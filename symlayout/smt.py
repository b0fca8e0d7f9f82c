"""z3, all of it: obligations go in as SMT-LIB 2 text, answers and models on plain ints come out.

`unsat` of a negated obligation is the only thing that ever makes a claim Proved; `unknown`, a time-out,
memory at its limit and an error of the solver all come out as `unknown` with the reason. One z3 context
serves the process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import SymlayoutError
from .formula import Obligation
from .smtlib import sort_of, to_smtlib

try:
    import z3
except ImportError as error:  # pragma: no cover - z3-solver is a dependency of the package
    raise SymlayoutError("proofs need z3: python -m pip install z3-solver") from error

TIME_LIMIT = 20.0  # seconds for one question
FIRST_LIMIT = 0.5  # seconds of them for the solver that starts fastest
FEW = 20  # symbols
MEMORY_LIMIT = 4096  # MiB


@dataclass(frozen=True)
class Answer:
    """`unsat`, `sat` with a model of the digits, or `unknown` with the reason."""

    status: str
    model: dict[str, int] | None = None
    reason: str = ""


def version() -> str:
    return f"z3 {z3.get_version_string()}"


class Question:
    """One script loaded into z3; bounds on digits can be added for a while (`at_most`).

    The plain solver starts in a third of the time that the logic's own takes and answers nearly everything at
    once. More than `FEW` symbols, and what it leaves open within `FIRST_LIMIT` seconds, go to the other.
    """

    def __init__(self, text: str, names: tuple[str, ...], time_limit: float) -> None:
        self.text = text
        self.width = sort_of(text)
        self.names = names
        self.time_limit = time_limit
        self.plain = text.count("(declare-const ") <= FEW
        self.solver = self._load(min(FIRST_LIMIT, time_limit) if self.plain else time_limit)

    def _load(self, time_limit: float) -> Any:
        logic = "QF_LIA" if self.width is None else "QF_BV"
        solver = z3.SimpleSolver() if self.plain else z3.SolverFor(logic)
        solver.set("timeout", max(1, int(time_limit * 1000)))
        solver.set("max_memory", MEMORY_LIMIT)
        solver.set("ctrl_c", False)  # z3 would answer Ctrl-C with `unknown`, and the program would go on
        solver.from_string(self.text)
        return solver

    def digit(self, name: str) -> Any:
        return z3.Int(name) if self.width is None else z3.BitVec(name, self.width)

    def ask(self) -> Answer:
        answer = self._ask()
        if answer.status == "unknown" and self.plain and self.time_limit > FIRST_LIMIT:
            self.plain = False
            self.solver = self._load(self.time_limit)
            answer = self._ask()
        return answer

    def _ask(self) -> Answer:
        try:
            status = self.solver.check()
        except z3.Z3Exception as error:
            return Answer("unknown", reason=f"z3: {error}")
        match str(status):
            case "unsat":
                return Answer("unsat")
            case "sat":
                return Answer("sat", self.model() if self.names else {})
            case _:
                return Answer("unknown", reason=f"z3: {self.solver.reason_unknown()}")

    def model(self) -> dict[str, int]:
        model = self.solver.model()
        found: dict[str, int] = {}
        for name in self.names:
            value = model.eval(self.digit(name), model_completion=True)
            found[name] = value.as_long() if self.width is None else value.as_signed_long()
        return found

    def at_most(self, name: str, bound: int) -> Answer:
        """The answer with `name <= bound` besides; the bound is taken back afterwards."""
        self.solver.push()
        self.solver.add(self.digit(name) <= bound)
        answer = self._ask()
        self.solver.pop()
        return answer

    def fix(self, name: str, value: int) -> None:
        self.solver.add(self.digit(name) == value)


def check(text: str, names: tuple[str, ...] = (), time_limit: float = TIME_LIMIT) -> Answer:
    """The answer to a script whose digits are `names`."""
    try:
        return Question(text, names, time_limit).ask()
    except z3.Z3Exception as error:
        return Answer("unknown", reason=f"z3: {error}")


def least_model(
    obligation: Obligation, first: dict[str, int], time_limit: float = TIME_LIMIT
) -> tuple[dict[str, int], bool]:
    """The lexicographically least counterexample in the order of the obligation's digits, by bisection from
    `first`.

    The flag says whether it is the least: false when the solver gave up on the way.
    """
    names = tuple(v.name for v in obligation.digits)
    question = Question(to_smtlib(obligation), names, time_limit)
    question.ask()  # settles which solver is the one for this obligation
    best = first
    for v in obligation.digits:
        low = v.lo
        if low is None:
            return best, False
        while low < best[v.name]:
            middle = (low + best[v.name]) // 2
            answer = question.at_most(v.name, middle)
            if answer.status == "sat" and answer.model is not None:
                best = answer.model
            elif answer.status == "unsat":
                low = middle + 1
            else:
                return best, False
        question.fix(v.name, best[v.name])
    return best, True
