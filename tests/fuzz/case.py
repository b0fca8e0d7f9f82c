"""A claim of any kind as the line that asks it and the judge of what comes back. No import of symlayout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Error:
    """What was raised instead of an answer. `refusal` tells an answer in words, which an author may be given,
    from a fault of the program."""

    name: str
    message: str
    refusal: bool

    def __str__(self) -> str:
        return f"{self.name}: {self.message.strip().splitlines()[0] if self.message.strip() else ''}"


@dataclass(frozen=True)
class Case:
    """`line` is an expression over symlayout's names (and `given`, statements in front of it); `judge` is
    handed what it comes to, an Error if it raises, and says what is wrong with that: nothing if it is right.

    `counted` is the name under which it is counted."""

    kind: str
    line: str
    judge: Callable[[Any], str]
    given: str = ""

    def text(self) -> str:
        """What to type after `from symlayout import *`."""
        return f"{self.given.rstrip()}\n{self.line}" if self.given else self.line


def outcome(got: Any) -> str:
    """Under which word an answer is counted."""
    if isinstance(got, Error):
        return "refused" if got.refusal else "fault"
    return str(getattr(got, "name", "answered"))


def fault(got: Any) -> str:
    """The complaint about an error that no input may end in, else nothing."""
    return f"ends in {got}" if isinstance(got, Error) and not got.refusal else ""
