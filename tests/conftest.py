"""A skipped test is a test that nobody ran: it is allowed only where the machine truly lacks the means."""

import importlib.util
import shutil
from collections.abc import Generator
from typing import Any

import pytest

# the beginning of a skip's reason -> what the machine would need to run the test
MEANS = {
    "needs a GPU": shutil.which("nvidia-smi"),
    "needs g++": shutil.which("g++"),
    "needs nvidia-cutlass": importlib.util.find_spec("pycute"),
}
LACKING = tuple(reason for reason, found in MEANS.items() if not found)

unexcused: list[str] = []


def note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Remember a skip that this machine has no excuse for."""
    if report.skipped and not hasattr(report, "wasxfail") and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not (LACKING and reason.startswith(LACKING)):
            unexcused.append(f"{report.nodeid}: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    note_skip(report)
    return report


def pytest_collectreport(report: pytest.CollectReport) -> None:
    note_skip(report)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What a worker of pytest-xdist has noted, in the process that says the outcome."""
    unexcused.extend(getattr(node, "workeroutput", {}).get("unexcused", []))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that would otherwise pass although it left out a test that could have run."""
    if hasattr(session.config, "workeroutput"):  # of a worker, which tells the process above
        session.config.workeroutput["unexcused"] = list(unexcused)
    elif unexcused and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests made the run fail."""
    if unexcused:
        terminalreporter.section("skipped without an excuse: the run fails")
        for line in unexcused:
            terminalreporter.line(line)
