"""Solvers that share no code with z3, each asked in a process of its own that is killed when it hangs.

cvc5 answers every obligation; bitwuzla those of bit-vectors and isl those of linear integers, where they are
installed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from .. import children
from ..errors import MissingPackage
from .presburger import NotLinear, as_set
from .script import Script

MEMORY_LIMIT = 4096  # MiB
GRACE = 1.0  # seconds beyond its own limit until a solver counts as hanging
START = 30.0  # seconds in which a process has to be ready
EASY = "(set-logic QF_LIA)\n(assert false)\n(check-sat)\n"

PACKAGES = {"cvc5": "cvc5", "bitwuzla": "bitwuzla", "isl": "islpy"}  # solver -> what pip calls it


@dataclass(frozen=True)
class Answer:
    """`unsat`, `sat`, or `unknown` with the reason."""

    status: str
    reason: str = ""


Ask = Callable[[str, Script, float], "Answer | None"]  # None: the script is not of this solver's kind


class Worker:
    """The solvers' process; it starts at the first question, and again after it was killed."""

    def __init__(self, program: Path = Path(__file__).parent / "worker.py") -> None:
        self.program = program
        self.process: subprocess.Popen[str] | None = None
        self.replies: Queue[str] = Queue()
        self.known: dict[tuple[str, str], Answer] = {}  # the same obligation occurs in many certificates

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, solver: str, text: str, seconds: float) -> Answer:
        """The answer within about `seconds`, whatever the solver does."""
        answer = self.known.get((solver, text)) or self._ask(solver, text, seconds)
        if answer.status != "unknown":
            self.known[solver, text] = answer
        return answer

    def _ask(self, solver: str, text: str, seconds: float) -> Answer:
        if self.process is None:
            self._start()
            self._reply("cvc5", EASY, START, 0.0)  # whatever it says, the solver is loaded then
        return self._reply(solver, text, seconds, GRACE)

    def _reply(self, solver: str, text: str, seconds: float, grace: float) -> Answer:
        process = self.process
        if process is None or process.stdin is None:
            return Answer("unknown", "the solver's process does not start")
        question = json.dumps({"solver": solver, "text": text, "seconds": seconds})
        try:
            process.stdin.write(question + "\n")
            process.stdin.flush()
            said: dict[str, Any] = json.loads(self.replies.get(timeout=seconds + grace))
        except Empty:
            self.close()
            return Answer("unknown", f"killed after {seconds + grace:.1f} s")
        except (OSError, ValueError):
            self.close()
            return Answer("unknown", "the solver's process died")
        return Answer(said["status"], said["reason"])

    def _start(self) -> None:
        command = [sys.executable, "-P", str(self.program), str(MEMORY_LIMIT)]
        with children.deaf():
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            children.started(self.process)
        self.replies = Queue()
        self.reader = Thread(target=_forward, args=(self.process, self.replies), daemon=True)
        self.reader.start()

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            children.ended(self.process)
            self.reader.join()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    pipe.close()
            self.process = None


def _forward(process: subprocess.Popen[str], replies: Queue[str]) -> None:
    """Lines of the process, and an empty one when it has ended."""
    assert process.stdout is not None, "_start opens it"
    for line in process.stdout:
        replies.put(line)
    replies.put("")


def solvers(worker: Worker) -> dict[str, Ask]:
    """Those that are installed, by name; cvc5 comes first. Raises MissingPackage without it."""
    if not installed("cvc5"):
        raise MissingPackage(
            "recheck needs cvc5, a solver other than z3: python -m pip install 'symlayout[recheck]'"
        )

    def cvc5(text: str, _script: Script, seconds: float) -> Answer | None:
        return worker.ask("cvc5", text, seconds)

    def bitwuzla(text: str, script: Script, seconds: float) -> Answer | None:
        return worker.ask("bitwuzla", text, seconds) if script.logic == "QF_BV" else None

    def isl(_text: str, script: Script, seconds: float) -> Answer | None:
        try:
            return worker.ask("isl", as_set(script), seconds)
        except (NotLinear, RecursionError):
            return None

    known: dict[str, Ask] = {"cvc5": cvc5, "bitwuzla": bitwuzla, "isl": isl}
    return {name: ask for name, ask in known.items() if installed(name)}


def installed(solver: str) -> bool:
    return find_spec(PACKAGES[solver]) is not None


def versions() -> dict[str, str]:
    """Of the solvers that are installed."""
    return {name: version(package) for name, package in PACKAGES.items() if installed(name)}
