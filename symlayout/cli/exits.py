"""Exit codes, and what is printed when a command does not come to an answer.

| code | meaning |
|---|---|
| 0 | as stated: proved, or refuted where a refutation was asked for or pinned |
| 1 | refuted; proved where a refutation was asked for; records that do not conform; a law that breaks |
| 2 | bad input |
| 3 | unknown, bounded or vacuous; a fact about a name is missing; a package is not installed |
| 4 | a defect of symlayout: two engines disagree, or an exception that nobody foresaw |
| 130, 143 | interrupted, by Ctrl-C or by SIGTERM (as shells count signals) |
| 141 | the reader of the output went away |
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import click

from ..errors import (
    EngineDisagreement,
    Inadmissible,
    MissingPackage,
    NeedFact,
    NotationError,
    OneBranch,
    SymlayoutError,
)

AS_STATED = 0
REFUTED = 1
BAD_INPUT = 2
UNDECIDED = 3
DEFECT = 4
INTERRUPTED = 130  # 143 by SIGTERM
NO_READER = 141

_DEFECT_TEXT = "this is a defect of symlayout; please report it"


def exit_code(error: BaseException) -> int:
    """The code with which the program ends after `error`."""
    if isinstance(error, EngineDisagreement):
        return DEFECT
    if isinstance(error, Inadmissible):
        return REFUTED
    if isinstance(error, (MissingPackage, NeedFact)) and not isinstance(error, OneBranch):
        return UNDECIDED
    if isinstance(error, (SymlayoutError, click.ClickException, OSError, UnicodeError, MemoryError)):
        return BAD_INPUT
    return BAD_INPUT if _too_long(error) else DEFECT


def _too_long(error: BaseException) -> bool:
    """Whether it is Python's refusal to print, or to read, an integer of more than 4300 digits."""
    return isinstance(error, ValueError) and "integer string conversion" in str(error)


def report(error: BaseException, arguments: Sequence[str]) -> int:
    """Print the one message for `error`, and for `--format json` the object of it; return the exit code."""
    code = exit_code(error)
    if isinstance(
        error, click.exceptions.NoArgsIsHelpError
    ):  # a bare `symlayout`: its message is the help text
        print(error.format_message(), file=sys.stderr)
        return code
    message = _message(error, code)
    if wants_json(arguments):
        print(json.dumps(_as_json(error, code, message, arguments), indent=2))
    print(f"symlayout: {message}", file=sys.stderr)
    return code


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether the arguments ask for JSON. It looks at the bare words, for it is also asked about arguments
    that click could not read."""
    words = list(arguments)
    asked = [b for a, b in pairwise(words) if a == "--format"]
    asked += [word.partition("=")[2] for word in words if word.startswith("--format=")]
    return bool(asked) and asked[-1] == "json"


def quiet_output() -> None:
    """Send what is still to be written to nowhere: the reader has gone, and Python would complain at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _message(error: BaseException, code: int) -> str:
    if isinstance(error, click.ClickException):
        where = getattr(error, "ctx", None)
        hint = f"\n  try `{where.command_path} --help`" if where is not None else ""
        return _lower_first(error.format_message()) + hint
    if isinstance(error, MemoryError):
        return "out of memory: the input asks for more than this machine has"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if code == BAD_INPUT and _too_long(error):
        return "the input makes an integer of more digits than are printed, 4300"
    if code == DEFECT and not isinstance(error, SymlayoutError):
        return f"{type(error).__name__}: {error}\n  {_DEFECT_TEXT} (--debug shows where)"
    if code == DEFECT:
        return f"{error}\n  {_DEFECT_TEXT}"
    if isinstance(error, NeedFact) and error.fact:
        return f'{error}\n  --assume "{error.fact}"'
    return str(error)


def _as_json(error: BaseException, code: int, message: str, arguments: Sequence[str]) -> dict[str, object]:
    kinds = {REFUTED: "refuted", BAD_INPUT: "bad input", UNDECIDED: "unknown", DEFECT: "defect"}
    result: dict[str, object] = {
        "command": command_of(arguments),
        "verdict": kinds[code],
        "exit_code": code,
        "error": type(error).__name__,
        "message": message,
    }
    if isinstance(error, NotationError):
        result |= {"text": error.text, "column": error.column}
    if isinstance(error, Inadmissible):
        result |= {"index": _plain(error.index), "want": _plain(error.want), "got": _plain(error.got)}
    if isinstance(error, NeedFact):
        result |= {"missing_fact": error.fact}
    return result


def command_of(arguments: Sequence[str]) -> str:
    """`prove retile`, as far as the bare words tell."""
    words = [word for word in arguments if word.replace("-", "").isalpha() and not word.startswith("-")]
    if words and words[0] in ("prove", "refute", "trace"):
        second = words[1] if len(words) > 1 and words[1] in ("retile", "divide", "banks") else ""
        return f"{words[0]} {second}".strip()
    return words[0] if words else ""


def _plain(value: object) -> object:
    if isinstance(value, (tuple, list)):
        return [_plain(x) for x in value]
    return value if isinstance(value, (int, str, bool)) or value is None else str(value)


def _lower_first(text: str) -> str:
    text = text.rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
