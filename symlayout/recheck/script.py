"""SMT-LIB 2 scripts, read: what an obligation may say, and nothing else gets to a solver.

A certificate comes from somebody else, and a script may do more than ask: write files, reset, pop away what
was asserted. Here it is a logic, constants, definitions without parameters, assertions, and one `check-sat`
at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from ..errors import NotationError

Term: TypeAlias = Union[str, list["Term"]]  # noqa: UP007  the alias names itself

_TOKEN = re.compile(r"\s+|;[^\n]*|(?P<word>\|[^|\\]*\||[()]|[^\s()|;\"]+)")
LOGICS = ("QF_LIA", "QF_NIA", "QF_BV")


@dataclass
class Script:
    """The parts of a script. `constants` and `definitions` have the names without their bars."""

    logic: str = ""
    constants: dict[str, Term] = field(default_factory=dict)
    definitions: dict[str, Term] = field(default_factory=dict)
    assertions: list[Term] = field(default_factory=list)


def read_script(text: str) -> Script:
    """Raises NotationError for anything but the above, which says where."""
    script, asked = Script(), False
    for command, at in _commands(text):
        if asked:
            raise _error("a command after (check-sat)", text, at)
        match command:
            case ["set-logic", str(logic)] if not script.logic and logic in LOGICS:
                script.logic = logic
            case ["declare-const", str(name), sort] | ["declare-fun", str(name), [], sort]:
                script.constants[_name(name)] = sort
            case ["define-fun", str(name), [], _, term]:
                script.definitions[_name(name)] = term
            case ["assert", term]:
                script.assertions.append(term)
            case ["check-sat"] if script.logic:
                asked = True
            case _:
                word = command[0] if isinstance(command, list) and command else command
                raise _error(f"{word!s:.40} is not a command of an obligation", text, at)
    if not asked:
        raise _error("no (check-sat) at the end", text, len(text))
    return script


def _name(word: str) -> str:
    return word.strip("|")


def _commands(text: str) -> list[tuple[Term, int]]:
    """The expressions of a text with the places where they start."""
    found: list[tuple[Term, int]] = []
    open_: list[list[Term]] = []
    place = start = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise _error("a character that has no place here", text, place)
        word = token["word"]
        if word == "(":
            start = place if not open_ else start
            open_.append([])
        elif word == ")":
            if not open_:
                raise _error("a ) too many", text, place)
            term = open_.pop()
            if open_:
                open_[-1].append(term)
            else:
                found.append((term, start))
        elif word is not None:
            if not open_:
                raise _error(f"{word:.40} outside of a command", text, place)
            open_[-1].append(word)
        place = token.end()
    if open_:
        raise _error("a ( that is not closed", text, len(text))
    return found


def _error(message: str, text: str, place: int) -> NotationError:
    line = text.count("\n", 0, place) + 1
    return NotationError(f"no obligation: {message} (line {line})", text[:200], min(place, 200))
