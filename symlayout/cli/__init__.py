"""The command line: `symlayout`, or `python -m symlayout`.

    symlayout prove retile --mma SM80_16x8x16_F32F16F16F32_TN --copy SM75_U32x1_LDSM_N --operand A
    symlayout refute divide ...    symlayout trace retile ...    symlayout prove proofs/
    symlayout eval EXPR            symlayout explain EXPR        symlayout show LAYOUT
    symlayout where ATOM A 3 7     symlayout atoms WORD...       symlayout atoms ATOM
    symlayout conform FILE...      symlayout schema

Every command answers in words, or with `--format json` in the form that `symlayout schema` describes. The
exit code is the answer for scripts: 0 as stated, 1 refuted, 2 bad input, 3 unknown, bounded or vacuous, 4 a
defect of symlayout itself (two engines disagree, or an exception that nobody foresaw). Beyond these a shell
knows 130 and 143 (interrupted, by Ctrl-C and by SIGTERM) and 141 (the reader of the output went away).

A file holds the commands of one group; it is imported when one of them runs, so that `--help` stays quick.
"""

from __future__ import annotations

from collections.abc import Sequence

from .interrupt import listening
from .program import program

__all__ = ["main", "program"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; `arguments` defaults to those of the process.

    Ctrl-C and SIGTERM end it with one line and 130 or 143, also in the middle of a question to the solver.
    """
    with listening():
        return program.run(arguments)
