"""z3, all of it: obligations go in as SMT-LIB 2 text, answers and models on plain ints come out.

`unsat` of a negated obligation is the only thing that ever makes a claim Proved; `unknown`, an exhausted
limit, a killed process and an error of the solver all come out as `unknown` with the reason. One z3 context
serves a process.

Limits. A question gets a number of z3's own steps, `STEPS` for each second of its time limit: they are
counted, not measured, so the same question ends the same way on a slow machine. Nearly every obligation
needs less than 1 % of `FEW_STEPS`; these are answered in this process, where z3 checks the count in every
loop that can be long, and a script is too short (`SHORT`) to hold it up before that. Whatever needs more
goes to a process of its own (`solver_process`), which can be killed and may not take more than
`MEMORY_LIMIT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import SymlayoutError
from .formula import Obligation
from .smtlib import logic_of, sort_of, symbols, to_smtlib

try:
    import z3
except ImportError as error:  # pragma: no cover - z3-solver is a dependency of the package
    raise SymlayoutError("proofs need z3: python -m pip install z3-solver") from error

TIME_LIMIT = 20.0  # seconds for one question
STEPS = 1_000_000  # of z3's resource count, for one second: z3 takes 0.5 to 1 s for them
FEW_STEPS = 500_000  # taken in this process
FEWER, FEW = 8, 20  # symbols
SHORT = 1 << 16  # characters
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
    once; beyond `FEWER` symbols it is worth while to solve equations first. More than `FEW` symbols, and what
    it leaves open within `FEW_STEPS`, go to the other.
    """

    def __init__(self, text: str, names: tuple[str, ...], steps: int) -> None:
        self.text = text
        self.width = sort_of(text)
        self.names = names
        self.steps = steps
        self.symbols = text.count("(declare-const ")
        self.plain = self.symbols <= FEW
        self.solver = self._load(min(FEW_STEPS, steps) if self.plain else steps)

    def _load(self, steps: int) -> Any:
        if not self.plain:
            solver = z3.SolverFor(logic_of(self.text))
        elif self.symbols <= FEWER:
            solver = z3.SimpleSolver()
        else:
            solver = z3.Then("simplify", "solve-eqs", "smt").solver()
        solver.set("rlimit", max(1, steps))
        solver.set("ctrl_c", False)  # z3 would answer Ctrl-C with `unknown`, and the program would go on
        solver.from_string(self.text)
        return solver

    def digit(self, name: str) -> Any:
        return z3.Int(name) if self.width is None else z3.BitVec(name, self.width)

    def ask(self) -> Answer:
        answer = self._ask()
        if answer.status == "unknown" and self.plain and self.steps > FEW_STEPS:
            self.plain = False
            self.solver = self._load(self.steps)
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
    steps = int(time_limit * STEPS)
    if len(text) <= SHORT:
        answer = check_here(text, names, min(steps, FEW_STEPS))
        if answer.status != "unknown" or steps <= FEW_STEPS:
            return answer
    from . import solver_process

    return solver_process.check(text, names, steps, time_limit)


def check_here(text: str, names: tuple[str, ...], steps: int) -> Answer:
    """The same in this process, in so many steps."""
    try:
        return Question(text, names, steps).ask()
    except z3.Z3Exception as error:
        return Answer("unknown", reason=f"z3: {error}")


def least_model(
    obligation: Obligation, first: dict[str, int], time_limit: float = TIME_LIMIT
) -> tuple[dict[str, int], bool]:
    """The lexicographically least counterexample in the order of the obligation's digits, by bisection from
    `first`.

    The flag says whether it is the least: false when the solver gave up on the way.
    """
    text, steps = to_smtlib(obligation), int(time_limit * STEPS)
    names = symbols(obligation.digits)
    lows = {names[v.name]: v.lo for v in obligation.digits}
    best, least = {names[name]: x for name, x in first.items()}, False
    if len(text) <= SHORT:
        best, least = least_here(text, lows, best, min(steps, FEW_STEPS))
    if not (least or steps <= FEW_STEPS or None in lows.values()):
        from . import solver_process

        best, least = solver_process.least(text, lows, best, steps, time_limit)
    return {name: best[symbol] for name, symbol in names.items()}, least


def least_here(
    text: str, lows: Mapping[str, int | None], first: dict[str, int], steps: int
) -> tuple[dict[str, int], bool]:
    """The same in this process, each question in so many steps; `lows` are the digits' least values."""
    question = Question(text, tuple(lows), steps)
    question.ask()  # settles which solver is the one for this obligation
    best = first
    for name, low in lows.items():
        if low is None:
            return best, False
        while low < best[name]:
            middle = (low + best[name]) // 2
            answer = question.at_most(name, middle)
            if answer.status == "sat" and answer.model is not None:
                best = answer.model
            elif answer.status == "unsat":
                low = middle + 1
            else:
                return best, False
        question.fix(name, best[name])
    return best, True


def limit_memory() -> None:
    """From here on z3 ends with an error where it would take more than `MEMORY_LIMIT` in this process."""
    z3.set_param("memory_max_size", MEMORY_LIMIT)
