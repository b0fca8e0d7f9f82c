"""Name spaces. What two kinds of things are called never makes them one thing, however it is spelled.

| kind of name | type | of |
|---|---|---|
| written by the author of a body | `str` | digits that `prove` quantifies |
| parameters | `polynomial.Param` | what `dims` makes, and apart from it what `assume` makes |
| a claim's own | `Inner` | digits that a claim or an engine makes for itself: `i.0`, `lane.1` |

Each is a text that no other kind has, and prints as it was spelled. Where several stand side by side, in a
witness or in a script for a solver, `spelled` finds texts that differ: `K` and `K_`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .polynomial import Param


class Inner(str):
    """The name of a digit that a claim makes for itself, equal to no name that somebody writes."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> Inner:
        self = super().__new__(cls, f"\0{text}")
        self.text = text
        return self

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __repr__(self) -> str:
        return f"Inner({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _spelled_inner, (self[1:], self.text)


def _spelled_inner(name: str, text: str) -> Inner:
    found = Inner(name)
    found.text = text
    return found


class Respelled(str):
    """A digit's name as it was written, that prints in another way, since something else prints like it."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, name: str, text: str) -> Respelled:
        self = super().__new__(cls, name)
        self.text = text
        return self

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return Respelled, (str.__str__(self), self.text)


def respelled(name: str, text: str) -> Any:
    """The same name, of the same kind, that prints as `text`."""
    if isinstance(name, Param):
        return name.respelled(text)
    return _spelled_inner(name[1:], text) if isinstance(name, Inner) else Respelled(str.__str__(name), text)


def spelled(
    names: Iterable[str], reserved: Iterable[str] = (), form: Callable[[str], str] = str
) -> dict[str, str]:
    """A text for each name, no two alike and none of `reserved`: as it prints in some form, with `_` behind
    where that is taken. Parameters that the user named come first, then digits of bodies, then what `assume`
    made."""
    texts: dict[str, str] = {}
    taken = set(reserved)
    for name in sorted(dict.fromkeys(names), key=_rank):
        text = form(str(name))
        while text in taken:
            text += "_"
        taken.add(text)
        texts[name] = text
    return texts


def _rank(name: str) -> int:
    if isinstance(name, Inner):
        return 3
    if isinstance(name, Param):
        return 0 if name.origin is None else 2
    return 1


def together(point: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A point of a domain, and where a claim's own digits are, under texts of which no two are alike."""
    texts = spelled([*point, *map(Inner, own)])
    found = {texts[name]: x for name, x in point.items()}
    return found | {texts[Inner(name)]: x for name, x in own.items()}
