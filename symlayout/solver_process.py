"""z3 in a process of its own: one that can be killed, is kept for the next question, and is limited by the
system, whatever z3 thinks of its own limits.

    parent -> child   {"ask": "check", "text": ..., "names": [...], "steps": n, "seconds": s}
    child -> parent   {"status": "unsat", "model": null, "reason": ""}

A line of JSON each. The time by the clock is `GRACE` times the time limit, since the steps end a question
first unless the machine is very busy; then the process is killed and the answer is `unknown`. The process has
an alarm clock of its own, so that it does not outlive a parent that was killed.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from . import children
from .smt import MEMORY_LIMIT, Answer, check_here, least_here, limit_memory

COMMAND = [sys.executable, "-c", "from symlayout.solver_process import serve; serve()"]
GRACE = 2.0  # times the time limit, by the clock
STARTING = 10.0  # seconds for the process to be there
SHOWN_AFTER = 2.0  # seconds of silence on a terminal


def check(text: str, names: tuple[str, ...], steps: int, time_limit: float) -> Answer:
    """`smt.check`, over there."""
    sent = {"ask": "check", "text": text, "names": names, "steps": steps}
    found = _process.answer(sent, time_limit)
    if isinstance(found, str):
        return Answer("unknown", reason=found)
    try:
        return Answer(str(found["status"]), found["model"], str(found["reason"]))
    except (KeyError, TypeError):
        return Answer("unknown", reason=f"z3's process answered {str(found)[:80]!r}")


def least(
    text: str, lows: Mapping[str, int | None], first: dict[str, int], steps: int, time_limit: float
) -> tuple[dict[str, int], bool]:
    """`smt.least_model`, over there; what was known before if nothing comes of it."""
    sent = {"ask": "least", "text": text, "lows": dict(lows), "first": first, "steps": steps}
    found = _process.answer(sent, time_limit)
    if isinstance(found, str) or set(found.get("model") or ()) != set(first):
        return first, False
    return found["model"], bool(found.get("least"))


class _Process:
    """The one process, started at the first question and again after it was killed."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[bytes] | None = None
        self.owner = 0  # a fork of this process must not share the pipes
        self.lock = threading.Lock()

    def answer(self, sent: dict[str, Any], time_limit: float) -> dict[str, Any] | str:
        """The child's answer, or why there is none."""
        with self.lock:
            fresh = self._start()
            seconds = GRACE * time_limit + (STARTING if fresh else 0)
            try:
                line = self._exchange(json.dumps({**sent, "seconds": seconds}), seconds)
            except OSError:  # it ended before it was asked
                line = b""
            if line is None:
                self.stop()
                return f"z3 was stopped after {GRACE * time_limit:g} s"
            try:
                found = json.loads(line)
            except ValueError:
                found = None
            if not isinstance(found, dict):
                self.stop()
                return (
                    "z3's process died: a crash, or its memory limit" if not line else "z3's process babbles"
                )
            return found

    def _start(self) -> bool:
        if self.child is not None and self.owner == os.getpid() and self.child.poll() is None:
            return False
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        with children.deaf():
            self.child = subprocess.Popen(
                COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
            self.owner = os.getpid()
            children.started(self.child)
        return True

    def _exchange(self, text: str, seconds: float) -> bytes | None:
        """One line there and one back; empty if the child ended, None if the time did."""
        assert self.child is not None, "started above"
        assert self.child.stdin is not None, "a pipe"
        assert self.child.stdout is not None, "a pipe"
        waiting = _Waiting(seconds)
        received, rest = b"", text.encode() + b"\n"
        with waiting:
            while rest:  # piece by piece: a child that does not read must not hold this process up either
                if not waiting.until_ready(writing=self.child.stdin.fileno()):
                    return None
                rest = rest[os.write(self.child.stdin.fileno(), rest[: select.PIPE_BUF]) :]
            while not received.endswith(b"\n"):
                if not waiting.until_ready(reading=self.child.stdout.fileno()):
                    return None
                piece = os.read(self.child.stdout.fileno(), 1 << 16)
                if not piece:
                    return b""
                received += piece
        return received

    def stop(self) -> None:
        """Kill the process, if there is one and it is ours."""
        child, self.child = self.child, None
        if child is not None and self.owner == os.getpid():
            child.kill()
            child.wait()
            children.ended(child)
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()


class _Waiting:
    """The wait for an answer; after `SHOWN_AFTER` seconds a terminal shows that there is one."""

    def __init__(self, seconds: float) -> None:
        self.start = time.monotonic()
        self.seconds = seconds
        self.shown: Any = None

    def __enter__(self) -> _Waiting:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown is not None:
            self.shown.stop()

    def until_ready(self, *, reading: int | None = None, writing: int | None = None) -> bool:
        """Whether the pipe can be read from, or written to, before the time is up."""
        sources, sinks = [x for x in [reading] if x is not None], [x for x in [writing] if x is not None]
        while True:
            passed = time.monotonic() - self.start
            if passed >= self.seconds:
                return False
            if passed >= SHOWN_AFTER:
                self._show(passed)
            readable, writable, _ = select.select(sources, sinks, [], min(1.0, self.seconds - passed))
            if readable or writable:
                return True

    def _show(self, passed: float) -> None:
        if not sys.stderr.isatty():
            return
        says = f"z3 has been at one obligation for {passed:.0f} s of at most {self.seconds:.0f}"
        if self.shown is None:
            from rich.console import Console

            self.shown = Console(stderr=True).status(says)
            self.shown.start()
        self.shown.update(says)


_process = _Process()
atexit.register(_process.stop)


def serve() -> None:
    """The child: one answer for each line of standard input."""
    _limit_memory()
    for line in sys.stdin:
        sent = json.loads(line)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, sent["seconds"] + 1)
        if sent["ask"] == "check":
            found: dict[str, Any]
            answer = check_here(sent["text"], tuple(sent["names"]), sent["steps"])
            found = {"status": answer.status, "model": answer.model, "reason": answer.reason}
        else:
            model, is_least = least_here(sent["text"], sent["lows"], sent["first"], sent["steps"])
            found = {"model": model, "least": is_least}
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        print(json.dumps(found), flush=True)


def _limit_memory() -> None:
    """z3 ends a question at its own limit; the system ends the process well above it."""
    limit_memory()
    with suppress(ImportError):  # not on Windows
        import resource

        most = 2 * MEMORY_LIMIT << 20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
