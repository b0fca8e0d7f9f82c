"""z3 in a process of its own: an answer, or `unknown` with the reason, whatever the process does."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator

import pytest

from symlayout import smt, solver_process
from symlayout.claims import equal
from symlayout.decide import prove
from symlayout.formula import Obligation, Relation
from symlayout.smtlib import to_smtlib
from symlayout.symbolic import Var
from symlayout.verdict import Bounded, Unknown

LANE = Var("lane", 1 << 20)
TRUE = to_smtlib(Obligation("split", (LANE,), (), (Relation("=", LANE // 4 * 4 + LANE % 4, LANE),)))
FALSE = Obligation("least", (LANE,), (), (Relation("<", LANE, 12345),))

HANGS = "import sys, time; sys.stdin.readline(); time.sleep(1000)"
DEAF = "import time; time.sleep(1000)"
DIES = "import sys; sys.stdin.readline(); sys.exit(1)"
NEVER_STARTS = "import sys; sys.exit(1)"
BABBLES = "import sys; sys.stdin.readline(); print('unsat', flush=True); sys.stdin.readline()"
ODD = "import sys; sys.stdin.readline(); print('{\"verdict\": 1}', flush=True); sys.stdin.readline()"
LIES = """
import sys
for line in sys.stdin:
    print('{"status": "unsat", "model": null, "reason": ""}', flush=True)
"""


@pytest.fixture(autouse=True)
def _its_own_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(solver_process, "_process", solver_process._Process())
    yield
    solver_process._process.stop()


def other(monkeypatch: pytest.MonkeyPatch, program: str, starting: float = 60.0) -> None:
    """Run this program instead of z3, and hand every question to it. One that never answers need not be
    given time to start; the others have as much as a busy machine takes."""
    monkeypatch.setattr(solver_process, "COMMAND", [sys.executable, "-c", program])
    monkeypatch.setattr(solver_process, "STARTING", starting)
    monkeypatch.setattr(smt, "SHORT", 0)


def test_the_process_answers_and_is_kept() -> None:
    assert solver_process.check(TRUE, (), 100_000, 5.0).status == "unsat"
    child = solver_process._process.child
    answer = solver_process.check(to_smtlib(FALSE), ("lane",), 100_000, 5.0)
    assert answer.status == "sat"
    assert answer.model is not None
    assert answer.model["lane"] >= 12345
    assert solver_process.least(to_smtlib(FALSE), {"lane": 0}, answer.model, 100_000, 5.0) == (
        {"lane": 12345},
        True,
    )
    assert solver_process._process.child is child


def test_it_says_what_the_process_here_says(monkeypatch: pytest.MonkeyPatch) -> None:
    here = smt.check(TRUE), smt.check(to_smtlib(FALSE)).status, smt.least_model(FALSE, {"lane": 1 << 19})
    monkeypatch.setattr(smt, "SHORT", 0)
    assert (
        smt.check(TRUE),
        smt.check(to_smtlib(FALSE)).status,
        smt.least_model(FALSE, {"lane": 1 << 19}),
    ) == here


@pytest.mark.parametrize(
    "program, reason",
    [
        (HANGS, "z3 was stopped after 0.4 s"),
        (DIES, "z3's process died: a crash, or its memory limit"),
        (NEVER_STARTS, "z3's process died"),
        (BABBLES, "z3's process babbles"),
        (ODD, "z3's process answered"),
    ],
)
def test_a_process_that_gives_no_answer(monkeypatch: pytest.MonkeyPatch, program: str, reason: str) -> None:
    other(monkeypatch, program, starting=0.0 if program == HANGS else 60.0)
    verdict = prove(lambda a: equal(a // 4 * 4 + a % 4, a), a=64, confirm_up_to=0, time_limit=0.2)
    assert isinstance(verdict, Unknown)
    assert verdict.reason.startswith(reason)
    assert solver_process._process.child is None, "it is not kept"
    computed = prove(lambda a: equal(a // 4 * 4 + a % 4, a), a=64, time_limit=0.2)
    assert isinstance(computed, Bounded)
    assert computed.instances == 64


def test_memory_at_its_limit_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """30,000 products do not fit into 32 MiB."""
    program = (
        "from symlayout import smt, solver_process as p; "
        "smt.MEMORY_LIMIT = 32; p.MEMORY_LIMIT = 4096; p.serve()"
    )
    monkeypatch.setattr(solver_process, "COMMAND", [sys.executable, "-c", program])
    products = (f"(bvmul x{k} x{max(k - 1, 0)}) (bvadd x{k} #x{k:016x})" for k in range(30_000))
    many = "".join(
        f"(declare-const x{k} (_ BitVec 64))(assert (bvult {terms}))" for k, terms in enumerate(products)
    )
    answer = solver_process.check(many + "(check-sat)", (), 10_000_000, 20.0)
    assert answer.status == "unknown"
    assert "memory" in answer.reason


def test_a_process_that_does_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long question to it must not hold this process up."""
    other(monkeypatch, DEAF, starting=0.0)
    answer = solver_process.check("; " + "x" * (1 << 22), (), 1000, 0.1)
    assert answer.reason == "z3 was stopped after 0.2 s"
    assert solver_process._process.child is None


def test_a_process_that_lies_never_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    other(monkeypatch, LIES)
    from symlayout.errors import EngineDisagreement

    for limit in (0, 1 << 16):
        with pytest.raises(EngineDisagreement):
            prove(lambda a: equal(a % 4, a), a=8, confirm_up_to=limit)


def test_after_a_kill_there_is_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        other(patched, HANGS, starting=0.0)
        assert solver_process.check(TRUE, (), 1000, 0.1).reason == "z3 was stopped after 0.2 s"
    assert solver_process.check(TRUE, (), 100_000, 5.0).status == "unsat"


def test_steps_are_counted_so_the_answer_is_the_same_twice() -> None:
    digits = tuple(Var(f"d{k}", 1 << 20) for k in range(12))
    total = sum((d * (982451653 * (k + 1) % 1000000007) for k, d in enumerate(digits)), start=0 * digits[0])
    hard = to_smtlib(Obligation("", digits, (), (Relation("!=", total % 1000003, 7919),)))
    first, second = (smt.check_here(hard, (), 3000) for _ in range(2))
    assert first == second


def test_waiting_shows_itself_on_a_terminal_and_nowhere_else() -> None:
    """A question of two seconds and more, asked from a terminal and from none."""
    code = (
        "import sys; from symlayout import smt, solver_process as p; "
        "p.COMMAND = [sys.executable, '-c', 'import time; time.sleep(60)']; "
        "p.SHOWN_AFTER = 0.1; p.STARTING = 0.0; print(p.check('', (), 1, 0.6).reason)"
    )
    quiet = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (quiet.stdout, quiet.stderr) == ("z3 was stopped after 1.2 s\n", "")
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs) as shown:
        assert shown.stdout is not None
        assert shown.stdout.read() == b"z3 was stopped after 1.2 s\n"
    os.close(theirs)
    assert b"z3 has been at one obligation for" in os.read(ours, 1 << 16)
    os.close(ours)
