"""Where a text goes wrong: the message, the line, and a caret under the column.

    the '(' at column 1 is never closed: expected ')'
      (4,4:(1,4)
      ^

Columns in messages count from 1, as editors do; `NotationError.column` counts from 0.
"""

from __future__ import annotations

import re

from ..errors import NotationError

_WIDEST = 100  # a longer line is shown as a window around the caret
DEEPEST = 64  # brackets inside brackets; no layout in CUTLASS nests a tenth as deep

_CLOSES = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENS = {opening: closing for closing, opening in _CLOSES.items()}
_STRANGE = re.compile(r"[^\s\w()<>\[\]{},:@.=?+*-]")
_BRACKET = re.compile(r"[()<>\[\]{}]")


def complaint(text: str, column: int, message: str) -> NotationError:
    """The error for `text` at `column` (counted from 0), with the caret line."""
    if not text.strip():
        return NotationError(message, text, column)
    begin = text.rfind("\n", 0, column) + 1
    end = text.find("\n", column)
    line = text[begin : len(text) if end < 0 else end]
    at = column - begin
    if len(line) > _WIDEST:
        left = max(0, at - _WIDEST // 2)
        right = left + _WIDEST
        shown = ("..." if left else "") + line[left:right] + ("..." if right < len(line) else "")
        at = at - left + (3 if left else 0)
        line = shown
    line = line.replace("\t", " ")
    return NotationError(f"{message}\n  {line}\n  {' ' * at}^", text, column)


def check_brackets(text: str) -> None:
    """Raise NotationError for a strange character, a bracket without its partner, or absurdly deep nesting.

    Runs before the parser, which can then only meet brackets that match.
    """
    strange = _STRANGE.search(text)
    if strange:
        at = strange.start()
        raise complaint(text, at, f"unexpected character {strange.group()!r}")
    opened: list[tuple[str, int]] = []
    for bracket in _BRACKET.finditer(text):
        sign, at = bracket.group(), bracket.start()
        if sign in _OPENS:
            opened.append((sign, at))
            if len(opened) > DEEPEST:
                raise complaint(text, at, f"more than {DEEPEST} brackets inside one another")
        elif not opened:
            raise complaint(text, at, f"{sign!r} closes a bracket that was never opened")
        elif opened[-1][0] != _CLOSES[sign]:
            before, where = opened[-1]
            message = f"expected {_OPENS[before]!r} for the {before!r} at column {where + 1}, found {sign!r}"
            raise complaint(text, at, message)
        else:
            opened.pop()
    if opened:
        sign, at = opened[-1]
        raise complaint(
            text, at, f"the {sign!r} at column {at + 1} is never closed: expected {_OPENS[sign]!r}"
        )
