"""The processes that this one has started and that must not outlive it.

A solver's process is killed by whoever asked it, as long as that code still runs. Where the program has to
end at once, in the middle of a call that does not come back, `kill_all` does it for all of them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

_running: set[subprocess.Popen[Any]] = set()
_owner = os.getpid()  # what was forked off this process has no children yet


def started(child: subprocess.Popen[Any]) -> None:
    """From here on `kill_all` knows the process."""
    global _owner
    if _owner != os.getpid():
        _running.clear()
        _owner = os.getpid()
    _running.add(child)


def ended(child: subprocess.Popen[Any]) -> None:
    """The process is gone, or somebody else's business."""
    _running.discard(child)


@contextmanager
def deaf() -> Iterator[None]:
    """Processes started inside do not hear Ctrl-C, which a terminal sends to all of a job: whoever started
    them ends them. A signal that comes meanwhile is heard a moment later."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows, whose terminals do it in another way
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def kill_all() -> None:
    """Kill every process that is still known, and everything that multiprocessing started."""
    if _owner == os.getpid():
        for child in list(_running):
            with suppress(OSError):
                child.kill()
    pools = sys.modules.get("multiprocessing")
    for process in pools.active_children() if pools is not None else ():
        process.kill()
