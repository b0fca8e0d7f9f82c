"""Ctrl-C and SIGTERM: the terminal as it was, what was found so far, one line, exit code 130 or 143.

The signal raises KeyboardInterrupt in the main thread, so that every `with` on the way out does its work:
bars are wiped, solvers' processes killed, files closed. A call into a solver's own code may not come back for
a while, and somebody may swallow the exception; so a thread is told of the signal as well. After `PATIENCE`
seconds, and at a second signal, what has to be done is done and the process ends.

Only `main` listens, and only where nobody else does: a host program, a test, or a shell that starts a job in
the background, deaf to Ctrl-C, has its own mind.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

from .. import starting
from ..children import kill_all
from .progress import Bar

PATIENCE = 1.0  # seconds for the main thread to come out by itself
WAITING = 0.5  # seconds for what the main thread may have to let go of first
SHOW_CURSOR = "\x1b[?25h"
WIPE_LINE = "\r\x1b[2K"

Tell = Callable[[], object]


class Interrupted(KeyboardInterrupt):
    """A signal that asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))  # the pipe stays its parent's

_said = threading.Event()  # the last line
_telling: list[Tell] = []  # what to say if the program has to end now, the innermost last


@contextmanager
def so_far(tell: Tell) -> Iterator[None]:
    """`tell` prints what has been found, if the program is interrupted inside."""
    _telling.append(tell)
    try:
        yield
    except KeyboardInterrupt:
        if tell in _telling:  # else the other thread has said it
            _telling.remove(tell)
            tell()
        raise
    finally:
        if tell in _telling:
            _telling.remove(tell)


def exit_code(error: KeyboardInterrupt) -> int:
    """As shells count signals: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + (error.number if isinstance(error, Interrupted) else signal.SIGINT)


def farewell(error: KeyboardInterrupt) -> int:
    """Show the cursor, say the one line, and return the exit code."""
    _said.set()
    terminal = sys.stderr.isatty()
    by = " by SIGTERM" if exit_code(error) == 128 + signal.SIGTERM else ""
    with suppress(OSError, ValueError):  # a closed stream, or a terminal that has gone
        sys.stdout.flush()
        line = f"symlayout: interrupted{by}\n"
        sys.stderr.write(f"{WIPE_LINE}{SHOW_CURSOR}{line}" if terminal else line)
        sys.stderr.flush()
    return exit_code(error)


@contextmanager
def listening() -> Iterator[None]:
    """Inside, signals end the program as the module's text says."""
    unchanged = {
        signal.SIGINT: (signal.default_int_handler, starting.heard),
        signal.SIGTERM: (signal.SIG_DFL,),
    }
    mine = {n: before for n, known in unchanged.items() if (before := signal.getsignal(n)) in known}
    if threading.current_thread() is not threading.main_thread() or not mine:
        yield
        return
    _said.clear()
    ears = _Ears(set(mine))
    for number in mine:
        signal.signal(number, ears.heard)
    try:
        yield
    finally:
        ears.close()
        if ears.first:
            kill_all()
            sys.unraisablehook = sys.__unraisablehook__
        for number, before in mine.items():
            signal.signal(number, before)


class _Ears:
    """The handler in the main thread, and the thread that watches whether it comes out."""

    def __init__(self, numbers: set[int]) -> None:
        self.numbers = numbers
        self.first = 0
        self.done = threading.Event()
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self.before = signal.set_wakeup_fd(self.writer, warn_on_full_buffer=False)
        self.owner = os.getpid()
        threading.Thread(target=self._watch, name="signals", daemon=True).start()

    def heard(self, number: int, _frame: FrameType | None) -> None:
        if os.getpid() != self.owner or self.done.is_set():  # forked off, or everything has been said
            os._exit(128 + number)
        if not self.first:  # the other thread sees to a second one
            self.first = number
            sys.unraisablehook = lambda _: None  # what is half made may complain when it is thrown away
            raise Interrupted(number)

    def _watch(self) -> None:
        """Runs also while the main thread is in somebody else's code."""
        first = 0
        while True:
            ready, _, _ = select.select([self.reader], [], [], PATIENCE if first else None)
            told = os.read(self.reader, 1) if ready else b""
            if self.done.is_set():
                os.close(self.reader)
                return
            number = told[0] if told else first
            if first and number in self.numbers:  # a second one, or the patience is at its end
                end_now(Interrupted(first))
            elif number in self.numbers:
                first = number

    def close(self) -> None:
        self.done.set()
        signal.set_wakeup_fd(self.before)
        os.close(self.writer)  # the thread reads that it is over


def end_now(error: Interrupted) -> None:
    """End the process, whatever the main thread does. It may hold a stream or a bar for good: what would wait
    for it is done by threads that need not come to an end."""
    try:
        kill_all()
        _try(Bar.wipe_all)
        if sys.__stdout__ is not None and sys.__stderr__ is not None:
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # a bar puts itself in between
        while _telling:
            _try(_telling.pop())
        if not _said.is_set():
            _try(partial(farewell, error))
    finally:
        os._exit(exit_code(error))


def _try(work: Tell) -> None:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(WAITING)
