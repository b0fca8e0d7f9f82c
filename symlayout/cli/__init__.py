"""The command line: `symlayout`, or `python -m symlayout`.

    symlayout prove retile --mma SM80_16x8x16_F32F16F16F32_TN --copy SM75_U32x1_LDSM_N --operand A
    symlayout refute divide ...    symlayout trace retile ...    symlayout prove proofs/
    symlayout eval EXPR            symlayout explain EXPR        symlayout show LAYOUT
    symlayout where ATOM A 3 7     symlayout atoms WORD...       symlayout atoms ATOM
    symlayout conform FILE...      symlayout schema

Every command answers in words, or with `--format json` in the form that `symlayout schema` describes. The
exit code is the answer for scripts: 0 as stated, 1 refuted, 2 bad input, 3 unknown, bounded or vacuous, 4 a
defect of symlayout itself (two engines disagree, or an exception that nobody foresaw). Beyond these a shell
knows 130 (interrupted) and 141 (the reader of the output went away).

A file holds the commands of one group; it is imported when one of them runs, so that `--help` stays quick.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence

from .program import program

__all__ = ["main", "program"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; `arguments` defaults to those of the process.

    Ctrl-C ends the process at once, as a signal does, also in the middle of a question to the solver: a shell
    sees 130.
    """
    before = signal.getsignal(signal.SIGINT)
    mine = threading.current_thread() is threading.main_thread()
    if not mine or before is not signal.default_int_handler:  # whoever changed it knows better
        return program.run(arguments)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return program.run(arguments)
    finally:
        signal.signal(signal.SIGINT, before)
