"""What every symbol refuses, and who may compare symbols to the letter.

A symbol stands for many integers: a digit of a body (`symbolic.Expr`), or a size over parameters
(`dim.Dim`). Python code that asks one for its hash, its text or its truth would go one way for all of them,
so each such question is answered only where one answer holds for all values, and refused with what to write
instead everywhere else.

    a in {2, 3}, {2: 5}.get(a, 0)    refused: a set and a dict look by hash
    dims("K") == 2                   NeedFact: so for some K and not for others
    len(str(a)), f"{a}" in a body    refused: the text is not the number's
    a / 2, float(a), a < 3           refused, or decided from the range

This package keeps symbols in tables and compares them to the letter, `same polynomial` and `same tree`, on
almost every line, as one writes for integers. So the question is who asks: `asked_within` says whether the
code that asks is the package's own. Theorems (`symlayout.proofs`) are not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, NoReturn

from .errors import NotAnInteger

_PACKAGE = __name__.partition(".")[0]
# methods that hand the question on: of tuples of symbols, of layouts, and those that dataclasses are given
_HAND_ON = {
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__contains__", "__bool__"),
    *("__str__", "__repr__", "__format__", "_order", "_decide"),
    *("__floordiv__", "__rfloordiv__", "__divmod__", "__rdivmod__", "_quotient", "_divmod", "_needs"),
}

_refused: ContextVar[list[str] | None] = ContextVar("refused", default=None)


def asked_within() -> bool:
    """Whether the question that a symbol's method answers was asked by this package's own code."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and _hands_on(frame):
        frame = frame.f_back
    return frame is not None and _is_own(frame)


def _hands_on(frame: FrameType) -> bool:
    """Whether a frame only passes the question on: such a method, or the front door of a public function."""
    name = frame.f_globals.get("__name__")
    return name == f"{_PACKAGE}.arguments" or (frame.f_code.co_name in _HAND_ON and _is_own(frame))


def _is_own(frame: FrameType) -> bool:
    package, _, rest = str(frame.f_globals.get("__name__", "")).partition(".")
    return package == _PACKAGE and rest.partition(".")[0] != "proofs"


@contextmanager
def running_body() -> Iterator[list[str]]:
    """While a body runs on symbols. The list notes what it asked and was refused: a body that catches the
    error and goes on takes one branch for all values."""
    refused: list[str] = []
    token = _refused.set(refused)
    try:
        yield refused
    finally:
        _refused.reset(token)


def note(question: str) -> None:
    """Remember a question that a symbol is about to refuse."""
    refused = _refused.get()
    if refused is not None:
        refused.append(question)


def note_outside(question: str) -> None:
    """The same where it is not this package's own code that asks, which goes on for a reason."""
    if not asked_within():
        note(question)


_plain: ContextVar[Callable[[Any], int] | None] = ContextVar("plain", default=None)
running_plain = _plain.get  # what gives `dims` its integers, while a body runs on them


@contextmanager
def plain_parameters(values: Callable[[Any], int]) -> Iterator[None]:
    """While a body runs on plain integers, where `dims` gives it the values instead of parameters."""
    token = _plain.set(values)
    try:
        yield
    finally:
        _plain.reset(token)


def as_whole(x: object) -> Any:
    """A number of any kind as an int where it is one (numpy's and sympy's, 2.0 and True), else x itself."""
    if type(x) is int:
        return x
    try:
        whole = int(x)  # type: ignore[call-overload]
        return whole if not isinstance(x, (str, bytes, Symbol)) and whole == x else x
    except (TypeError, ValueError, OverflowError, AttributeError):
        return x


class Symbol:
    """The operations that symbols refuse. Text is refused while a body runs, for everybody but this package's
    own messages."""

    __slots__ = ()

    def _text(self) -> str:
        raise NotImplementedError

    def _shown(self) -> str:
        """What `repr` gives."""
        return f"{type(self).__name__}({self._text()})"

    def _refuse(self, asked: str, instead: str) -> NoReturn:
        raise NotAnInteger(
            f"{asked}: `{self._text()}` stands for many integers, and Python would take one answer for all\n"
            f"  {instead}"
        )

    def _may_not_be_hashed(self) -> NoReturn:
        note(f"hash({self._text()})")
        self._refuse(
            "hash, `in` a set, key of a dict",
            "state a claim for each case, equal(...).given(equal(a, 2)), or look up plain integers",
        )

    def __str__(self) -> str:
        if _refused.get() is not None and not asked_within():
            self._no_text("str")
        return self._text()

    def __repr__(self) -> str:
        if _refused.get() is not None and not asked_within():
            self._no_text("repr")
        return self._shown()

    def __format__(self, spec: str) -> str:
        if _refused.get() is not None and not asked_within():
            self._no_text("format")
        return format(self._text(), spec)

    def _no_text(self, asked: str) -> NoReturn:
        self._refuse(asked, "in a body its text is not an integer's; say what you mean in the docstring")

    def __index__(self) -> int:
        self._refuse(
            "range, an index, a count",
            "one integer is needed here: quantify it, prove(lambda a: ..., a=8), or give plain integers",
        )

    def __int__(self) -> int:
        self._refuse("int", "one integer is needed here: it counts already as one in + - * // %")

    def __float__(self) -> float:
        self._refuse("float", "layouts count in integers: write // for the quotient")

    def __complex__(self) -> complex:
        self._refuse("complex", "layouts count in integers")

    def __round__(self, digits: object = None) -> NoReturn:
        self._refuse("round", "it is an integer already: write it as it is")

    __trunc__ = __floor__ = __ceil__ = __round__

    def __truediv__(self, other: object) -> NoReturn:
        self._refuse("/", "layouts count in integers: write // for the quotient, % for the remainder")

    __rtruediv__ = __truediv__

    def __invert__(self) -> NoReturn:
        self._refuse("~", "write -x - 1")

    def __rpow__(self, other: object) -> NoReturn:
        self._refuse("a power of it", "an exponent is one integer: give a plain one")

    def __rlshift__(self, other: object) -> NoReturn:
        self._refuse("shift by it", "a shift is by one integer: give a plain one")

    __rrshift__ = __rlshift__

    def __pos__(self) -> Any:
        return self

    def __iter__(self) -> Iterator[Any]:
        self._refuse("iteration", "an integer has no entries; range(...) needs plain integers")

    def __contains__(self, other: object) -> bool:
        self._refuse("in", "an integer has no entries")
