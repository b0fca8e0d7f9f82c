"""The solvers' process: what comes back from solvers that answer, throw, print, hang, die and are missing."""

from pathlib import Path

import pytest

from symlayout.errors import MissingPackage
from symlayout.recheck import Worker, solvers
from symlayout.recheck.script import read_script

TRUE = "(set-logic QF_LIA)(declare-const a Int)(assert (not (= a a)))(check-sat)"
FALSE = "(set-logic QF_LIA)(declare-const a Int)(assert (not (< a 3)))(check-sat)"
BITS = "(set-logic QF_BV)(declare-const a (_ BitVec 8))(assert (not (= (bvxor a a) (_ bv0 8))))(check-sat)"
OPEN = (
    "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
    "(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)"
)

PROGRAM = """
import json, os, sys, time
for line in sys.stdin:
    word = json.loads(line)["text"]
    if word == "hang":
        time.sleep(1000)
    if word == "die":
        os._exit(3)
    print("rubbish" if word == "rubbish" else json.dumps({"status": word, "reason": ""}), flush=True)
"""


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Worker:
    """A worker whose solver answers what it is told to."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setattr("symlayout.recheck.process.GRACE", 0.2)
    monkeypatch.setattr("symlayout.recheck.process.START", 60.0)
    return Worker(program)


def test_each_solver_answers() -> None:
    with Worker() as worker:
        known = solvers(worker)
        assert next(iter(known)) == "cvc5"
        for text, status in ((TRUE, "unsat"), (FALSE, "sat"), (BITS, "unsat")):
            for ask in known.values():
                answer = ask(text, read_script(text), 10)
                assert answer is None or answer.status == status
        linear = known["isl"](TRUE, read_script(TRUE), 10)
        bits = known["bitwuzla"](BITS, read_script(BITS), 10)
        assert linear is not None
        assert bits is not None
        assert known["isl"](BITS, read_script(BITS), 10) is None
        assert known["bitwuzla"](TRUE, read_script(TRUE), 10) is None


def test_a_solver_that_throws_gives_no_answer_and_serves_on() -> None:
    with Worker() as worker:
        assert worker.ask("cvc5", "(assert", 60).status == "unknown"
        assert worker.ask("cvc5", "(set-logic QF_LIA)(assert (= b 1))(check-sat)", 60).status == "unknown"
        assert worker.ask("bitwuzla", "(check", 60).status == "unknown"
        assert worker.ask("isl", "{ what }", 60).status == "unknown"
        assert worker.ask("nobody", TRUE, 60).reason.startswith("KeyError")
        assert worker.ask("cvc5", TRUE, 60).status == "unsat"


def test_time_is_limited() -> None:
    """No solver knows whether there is an answer, so without a limit this test would not end."""
    with Worker() as worker:
        assert worker.ask("cvc5", OPEN, 0.2).status == "unknown"


def test_a_process_that_hangs_is_killed_and_started_anew(stub: Worker) -> None:
    with stub:
        answer = stub.ask("cvc5", "hang", 0.1)
        assert (answer.status, answer.reason) == ("unknown", "killed after 0.3 s")
        assert stub.process is None
        assert stub.ask("cvc5", "unsat", 60).status == "unsat"


@pytest.mark.parametrize("word", ["die", "rubbish"])
def test_a_process_that_dies_gives_no_answer(stub: Worker, word: str) -> None:
    with stub:
        assert stub.ask("cvc5", "sat", 60).status == "sat"
        assert stub.ask("cvc5", word, 60).status == "unknown"
        assert stub.ask("cvc5", "unsat", 60).status == "unsat"


def test_the_process_ends_with_its_worker(stub: Worker) -> None:
    with stub:
        stub.ask("cvc5", "sat", 5)
        process = stub.process
        assert process is not None
    assert process.poll() is not None


def test_without_cvc5_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symlayout.recheck.process.find_spec", lambda _name: None)
    with Worker() as worker, pytest.raises(MissingPackage, match=r"pip install 'symlayout\[recheck\]'"):
        solvers(worker)


def test_the_others_are_no_must(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "symlayout.recheck.process.find_spec", lambda name: object() if name == "cvc5" else None
    )
    with Worker() as worker:
        assert list(solvers(worker)) == ["cvc5"]
