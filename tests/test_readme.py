"""The README shows only what was really printed.

``console`` blocks: each ``$ symlayout ...`` is run and the lines below it are compared; ``$ echo $?``
prints the exit code of the command before. ``python`` blocks are run, and a ``text`` block right behind
one holds what it prints. ``sh`` blocks (installation) are run by continuous integration, not here.
What differs from run to run or from machine to machine is left out of the comparison: durations, and the
version of z3.
"""

import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WIDTH = 100  # columns, for the tables

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGING = re.compile(r"\b\d+(\.\d+)? ?(us|ms|s)\b|(?<=z3 )\d+(\.\d+)+")  # durations, z3's version


def blocks() -> list[tuple[str, str]]:
    """Return the README's fenced blocks as (language, text), in order."""
    return BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def run(*command: str) -> tuple[str, int]:
    """Run the interpreter on *command* from the root; return what it printed, and the exit code."""
    env = {**os.environ, "COLUMNS": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout, done.returncode


def comparable(text: str) -> list[str]:
    """Return the lines of *text* without what changes, runs of blanks and outer blank lines."""
    lines = [re.sub(r"\s+", " ", CHANGING.sub("", line)).rstrip() for line in text.strip("\n").splitlines()]
    return [line for line in lines if line]


CONSOLE = [text for language, text in blocks() if language == "console"]
PYTHON = [
    (text, output if kind == "text" else "")
    for (language, text), (kind, output) in pairwise([*blocks(), ("", "")])
    if language == "python"
]


@pytest.mark.parametrize("block", CONSOLE, ids=[text.splitlines()[0][:60] for text in CONSOLE])
def test_console_block(block: str) -> None:
    code = 0
    for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = entry.replace("\\\n", "").partition("\n")
        if command == "echo $?":
            assert expected.strip() == str(code)
            continue
        program, *arguments = shlex.split(command)
        assert program == "symlayout", f"only symlayout is run from the README, not {program}"
        printed, code = run("-m", "symlayout", *arguments)
        assert comparable(printed) == comparable(expected), command


@pytest.mark.parametrize(("code", "expected"), PYTHON)
def test_python_block(code: str, expected: str) -> None:
    printed, status = run("-c", code)
    assert status == 0, printed
    assert comparable(printed) == comparable(expected)


def test_readme_has_blocks_of_both_kinds() -> None:
    assert CONSOLE, "no console block"
    assert PYTHON, "no python block"
