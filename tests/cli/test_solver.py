"""A solver that lies, dies or hangs: exit code 4 or 3, and never 0 for what it alone should have proved."""

import sys

import pytest

from symlayout import smt, solver_process
from symlayout.smt import Answer

from .conftest import MMA, Run

TRUE = ("prove", "retile", "--mma", MMA, "--copy", "SM75_U32x1_LDSM_N", "--operand", "A")
FALSE = (
    *("prove", "retile", "--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "B"),
    *("--atoms", "2,1,1", "--permutation", "32,(8,2,2):(1,16,8),16"),
)


@pytest.mark.parametrize("command", [TRUE, FALSE])
def test_unsat_to_everything_is_a_defect(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(smt, "check", lambda *_, **__: Answer("unsat"))
    outcome = run(*command)
    assert outcome.code == 4
    assert "this is a defect of symlayout" in outcome.err


@pytest.mark.parametrize("program", ["import time; time.sleep(1000)", "import sys; sys.exit(1)"])
def test_a_process_that_hangs_or_dies_proves_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(solver_process, "COMMAND", [sys.executable, "-c", program])
    monkeypatch.setattr(solver_process, "_process", solver_process._Process())
    monkeypatch.setattr(solver_process, "STARTING", 0.05)
    monkeypatch.setattr(solver_process, "GRACE", 0.0025)
    monkeypatch.setattr(smt, "SHORT", 0)
    outcome = run(*TRUE)
    assert outcome.code == 3
    assert "Bounded: " in outcome.out
