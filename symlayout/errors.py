"""What can go wrong, named.

`SymlayoutError` is the root; everything that a caller may want to catch derives from it, and each class says
whose fault it is: the text (`NotationError`), the layouts (`LayoutError`), a law that the answer would break
(`Inadmissible`), a fact about a symbol that nobody gave (`NeedFact`), a feature that CuTe has and this
package has not (`UnsupportedError`), or this package itself (`EngineDisagreement`).
"""

from __future__ import annotations


class SymlayoutError(Exception):
    """Root of every error raised on purpose."""


class NotationError(SymlayoutError, ValueError):
    """Text that is not in the notation; `column` counts characters from 0."""

    def __init__(self, message: str, text: str = "", column: int = 0) -> None:
        super().__init__(message)
        self.text = text
        self.column = column


class LayoutError(SymlayoutError, ValueError):
    """CuTe would refuse this (a static assertion, a type error), or the arguments make no layout."""


class Inadmissible(LayoutError):
    """The operation would answer, but the answer breaks the operation's law.

    `index` is the least coordinate at which it does (an int, or a tuple for a nested question); `want` is
    what the law asks for there and `got` what CuTe's answer gives.
    """

    def __init__(self, message: str, index: object = None, want: object = None, got: object = None) -> None:
        super().__init__(message)
        self.index = index
        self.want = want
        self.got = got


class NeedFact(LayoutError):
    """A decision depends on a fact about a symbol that was not assumed; `fact` is that fact as text."""

    def __init__(self, message: str, fact: str = "") -> None:
        super().__init__(message)
        self.fact = fact


class OneBranch(NeedFact):
    """Python code asked a digit what is so for some of its values and not for others. No fact helps: a digit
    takes all of them."""


class NotAnInteger(LayoutError, TypeError):
    """Python asked a symbol for something that only one integer has: a truth value, a hash, a text."""


class UnsupportedError(SymlayoutError):
    """A thing that exists in CuTe or PTX and that this version does not model (or a name that it does not
    know).
    """


class MissingPackage(SymlayoutError):
    """An optional package that this needs is not installed; the message says how to install it."""


class EngineDisagreement(SymlayoutError):
    """Two decision procedures gave different answers to one question: a defect of this package."""
