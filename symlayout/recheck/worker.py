"""The process in which other people's solvers run, so that one that hangs, eats memory or dies can be killed.

Run by path (`python -P worker.py MEMORY`), it imports nothing of symlayout. It reads one JSON object a line,
`{"solver": "cvc5", "text": ..., "seconds": ...}`, and answers each with a line `{"status": "unsat" | "sat" |
"unknown", "reason": ...}`. Texts for cvc5 and bitwuzla are SMT-LIB 2, those for isl are sets in its notation.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

Answer = tuple[str, str]


# Strategies for products of symbols, each with its share of the time: most questions are easy for one of the
# first three. The last is quick or lost, and does not look at the clock.
DEFAULT: dict[str, str] = {}
JUSTIFIED = {"decision": "justification"}
PLANES = {"nl-ext-tplanes": "true", "nl-ext-tplanes-interleave": "true"}
COVERINGS = {"nl-ext": "none", "nl-cov": "true"}
PRODUCTS = (
    *((0.05, DEFAULT), (0.05, JUSTIFIED), (0.05, PLANES)),
    *((0.25, DEFAULT), (0.15, JUSTIFIED), (0.15, PLANES), (0.3, COVERINGS)),
)


def cvc5(text: str, seconds: float) -> Answer:
    if "QF_NIA" not in text:
        return _cvc5(text, seconds, {})
    found = ("unknown", "")
    for share, options in PRODUCTS:
        if found[0] == "unknown":
            found = _cvc5(text, seconds * share, options)
    return found


def _cvc5(text: str, seconds: float, options: dict[str, str]) -> Answer:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
    for option, value in options.items():
        solver.setOption(option, value)
    symbols = cvc5.SymbolManager(solver.getTermManager())
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    said = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        said += command.invoke(solver, symbols)
    word = said.strip()
    return (word, "") if word in ("sat", "unsat") else ("unknown", word or "no answer")


def bitwuzla(text: str, seconds: float) -> Answer:
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, max(1, int(seconds * 1000)))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text, True, False)
    result = parser.bitwuzla().check_sat()
    words = {bitwuzla.Result.SAT: "sat", bitwuzla.Result.UNSAT: "unsat"}
    return words.get(result, "unknown"), "" if result in words else "out of time"


def isl(text: str, seconds: float) -> Answer:
    import islpy

    context = islpy.Context()
    context.set_max_operations(int(seconds * 2_000_000))  # isl counts steps, not seconds
    return ("unsat" if islpy.Set.read_from_str(context, text).is_empty() else "sat"), ""


SOLVERS = {"cvc5": cvc5, "bitwuzla": bitwuzla, "isl": isl}


def answer(question: dict[str, Any]) -> Answer:
    try:
        return SOLVERS[question["solver"]](question["text"], question["seconds"])
    except Exception as error:  # whatever a solver throws is not an answer, and the process serves on
        return "unknown", f"{type(error).__name__}: {error}"[:300]


def limit_memory(mebibytes: int) -> None:
    """Where the system can: beyond it allocations fail, and a solver that does not expect that dies."""
    try:
        import resource
    except ImportError:  # not on Windows; the parent's clock is the limit there
        return
    resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))


def main() -> None:
    limit_memory(int(sys.argv[1]))
    replies = os.fdopen(os.dup(1), "w")  # a solver that prints must not be taken for an answer
    os.dup2(2, 1)
    for line in sys.stdin:
        start = time.perf_counter()
        status, reason = answer(json.loads(line))
        spent = round(time.perf_counter() - start, 6)
        replies.write(json.dumps({"status": status, "reason": reason, "seconds": spent}) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
