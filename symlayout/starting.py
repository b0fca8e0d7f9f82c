"""Ctrl-C while the program is being loaded, or is on its way out: one line and exit code 130, as in between
(cli/interrupt.py).

`heard` is set where the package is loaded to be run, as `symlayout` or `python -m symlayout`, and nobody has
another mind about Ctrl-C. A program that imports the package keeps its own handler.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType


def heard(number: int, _frame: FrameType | None) -> None:
    """There is nothing yet, or nothing any more, that would have to be put in order."""
    os.write(2, b"symlayout: interrupted\n")
    os._exit(128 + number)


def is_program() -> bool:
    """Whether this process was started to run the command line."""
    name = sys.argv[0] if sys.argv else ""
    if name == "-m":  # so it is called while the package of `python -m ...` is imported
        words = sys.orig_argv
        return "-m" in words[:-1] and words[words.index("-m") + 1] == "symlayout"
    return os.path.basename(name) in ("symlayout", "symlayout.exe")


if is_program() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, heard)
