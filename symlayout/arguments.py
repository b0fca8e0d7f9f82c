"""The front door: what the public functions are given, before it reaches the arithmetic.

Integers of any kind (numbers.Integral: numpy's, as coordinates that come out of an array) become plain ints,
however deep they lie in tuples. What a parameter cannot be is refused with a LayoutError that says what it
has to be: at once where its annotation names a class, an int, a flag or a text; where it is `Any`, an
integer, tuple, layout or tiler, when the arithmetic has choked on it. An exception that no argument is to
blame for goes on as it is. Functions of this package call each other past the door.

    @checked        a function
    @guarded        a class: all its public methods
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache, wraps
from itertools import zip_longest
from math import isfinite
from typing import Any, TypeVar

from .errors import LayoutError, SymlayoutError
from .integers import counts, is_integer, plain
from .layout import Layout
from .swizzle import ComposedLayout

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

#: classes of this package, by name (they are loaded when they are needed), and how one is had
HOW = {
    "TiledMMA": "a TiledMMA, of make_tiled_mma",
    "TiledCopy": "a TiledCopy, of make_tiled_copy_A and its like",
    "CopyAtom": "a copy atom, of atoms.copy",
    "MmaAtom": "an MMA atom, of atoms.mma",
    "Layout": "a Layout",
    "Claim": "a claim: equal, injective, ...",
    "int": "an integer",
    "bool": "True or False",
    "str": "a text",
    "float": "a finite number",
    "None": "None",
    "Callable": "a function",
    "Iterable": "several of them",
    "Int": "an integer",
}
#: what the functions take somewhere, besides integers, symbols and tuples of them
ALGEBRA = {"Layout", "ComposedLayout", "Swizzle", "View", "Undefined", "NoneType", "str"}
OPERANDS = ("A", "B", "C", "D")
EASY = frozenset((int, Layout, ComposedLayout))  # nothing in them has to be made plain
#: functions of integers and tuples, which take no layout
OF_INTEGERS = (
    "ceil_div crd2idx evenly_divides get_1d_coord get_flat_coord get_hier_coord idx2crd make_ordered_layout "
    "product_each shape_div tile_to_shape"
).split()
CHOKED = (TypeError, AttributeError, ValueError, IndexError, KeyError, ArithmeticError, RecursionError)


def checked(function: F) -> F:
    """The function behind the door."""
    door = _Door(function)

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        for x in given:
            if type(x) not in EASY:
                given, named = door.admitted(given, named)
                break
        else:
            if named:
                given, named = door.admitted(given, named)
        try:
            return function(*given, **named)
        except CHOKED as error:
            if isinstance(error, SymlayoutError):
                raise
            complaint = door.complaint(given, named)
            if complaint is None:
                raise
            raise LayoutError(complaint) from error

    return call  # type: ignore[return-value]


def guarded(cls: C) -> C:
    """The class, its public methods behind the door."""
    for name, member in list(vars(cls).items()):
        if inspect.isfunction(member) and not name.startswith("_"):
            setattr(cls, name, checked(member))
    return cls


class _Door:
    """What the parameters of one function are."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        code = function.__code__
        takes = [_words(str(t)) for name, t in function.__annotations__.items() if name != "return"]
        self.limited = any("Any" not in words for words in takes)  # whether there is something to look at
        count = code.co_argcount + code.co_kwonlyargcount
        self.several = bool(code.co_flags & inspect.CO_VARARGS)
        self.places = list(code.co_varnames[: code.co_argcount])  # and the name of *several at the end
        self.places += [code.co_varnames[count]] if self.several else []
        self.rest = code.co_varnames[count + self.several] if code.co_flags & inspect.CO_VARKEYWORDS else ""

    def admitted(
        self, given: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with plain ints. Raises LayoutError for what an annotation excludes."""
        given = tuple(map(plain, given))
        named = {name: plain(x) for name, x in named.items()}
        if self.limited:
            for name, text, x in self._bound(given, named):
                if not _fits(x, text, shapes=True):
                    raise LayoutError(self._says(name, x, text))
        return given, named

    def complaint(self, given: tuple[Any, ...], named: dict[str, Any]) -> str | None:
        """Which argument the arithmetic cannot take; None where none is to blame."""
        arguments = self._bound(given, named)
        for name, text, x in arguments:
            if not _fits(x, text, shapes=False):
                return self._says(name, x, text)
            if name == "operand" and x not in OPERANDS:
                return f"{self.name}: operand = {_shown(x)}: {', '.join(OPERANDS)} are known"
        bound = [(name, x) for name, text, x in arguments if "Any" in _words(text)]
        for name, x in bound:
            foreign = next(_foreign(x), _NOTHING)
            if foreign is not _NOTHING:
                of = "" if foreign is x else f", for {_shown(foreign)}"
                return f"{self.name}: {name} = {_shown(x)} is not an integer, a tuple or a layout{of}"
        odd = [(name, x) for name, x in bound if not _is_plain(x, self.name not in OF_INTEGERS)]
        if not odd:
            return None
        name, x = odd[0]
        return (
            f"{self.name}: {name} cannot be {_shown(x)} here\n  "
            + ", ".join(f"{n} = {_shown(y)}" for n, y in bound)
            + "\n  give integers, tuples of them, or layouts, as the function's text says"
        )

    def _bound(self, given: tuple[Any, ...], named: dict[str, Any]) -> list[tuple[str, str, Any]]:
        """(name, annotation, value) of each argument but self. Wrong numbers of them are left to Python."""
        texts, names = self.function.__annotations__, self.places
        last = names[-1] if self.several else None
        found = [
            (name, str(texts.get(name, "Any")), x)
            for name, x in zip_longest(names[: len(given)], given, fillvalue=last)
            if name is not None and name != "self"
        ]
        more = texts.get(self.rest, "Any")  # what **rest takes
        return found + [(name, str(texts.get(name, more)), x) for name, x in named.items()]

    def _says(self, name: str, x: Any, text: str) -> str:
        wanted = " or ".join(HOW.get(word, word) for word in _words(text))
        return f"{self.name}: {name} = {_shown(x)}: {wanted} is expected"


_NOTHING = object()


def _head(text: str) -> str:
    """`Callable` of `Callable[..., Claim]`."""
    return text.partition("[")[0].strip()


@cache
def _words(text: str) -> list[str]:
    """`Claim` and `Callable` of `Claim | Callable[..., Claim]`."""
    return [_head(word) for word in text.split(" | ")]


def _fits(x: Any, text: str, *, shapes: bool) -> bool:
    """Whether a value is of an annotation's kind; of those that this file does not know, everything is. Many
    functions take a shape for its compact layout, whatever they say (`shapes`)."""
    words = _words(text)
    if "Any" in words or (shapes and "Layout" in words):
        return True
    return any(_is_of(x, word) for word in words)


def _is_of(x: Any, word: str) -> bool:
    match word:
        case "int":
            return is_integer(x)
        case "Int":
            return counts(x) and type(x).__name__ != "ScaledBasis"
        case "float":
            return isinstance(x, (int, float)) and not isinstance(x, bool) and isfinite(x)
        case "bool":
            return isinstance(x, bool)
        case "str":
            return isinstance(x, str)
        case "None":
            return x is None
        case "Iterable":
            return hasattr(x, "__iter__") and not hasattr(x, "__array__")
        case "Callable":
            return callable(x) and not isinstance(x, type)
    return word not in HOW or any(c.__name__ == word for c in type(x).__mro__)


def _foreign(x: Any) -> Iterator[Any]:
    """What the arithmetic never takes, in x or deep in its tuples."""
    if isinstance(x, (tuple, list)):
        for entry in x:
            yield from _foreign(entry)
    elif not counts(x) and not {c.__name__ for c in type(x).__mro__} & ALGEBRA:
        yield x


def _is_plain(x: Any, layouts: bool = True) -> bool:
    """An integer or a symbol, a tuple of them that is not empty, or a layout of them."""
    if isinstance(x, Layout):
        return layouts and _is_plain(x.shape) and _is_plain(x.stride)
    if isinstance(x, ComposedLayout):
        return layouts and type(x.swizzle).__name__ == "Swizzle" and _is_plain(x.layout)
    if isinstance(x, tuple):
        return bool(x) and all(_is_plain(e, layouts) for e in x)
    return counts(x) and type(x).__name__ != "ScaledBasis"


def _shown(x: Any) -> str:
    """Short enough for a message."""
    text = str(x) if type(x).__name__ in ("Layout", "ComposedLayout") else repr(x)
    return text if len(text) <= 80 else f"{text[:77]}..."


for _cls, _names in ((Layout, ("compose", "with_shape")), (ComposedLayout, ("compose", "with_shape"))):
    for _name in _names:  # the classes themselves lie below this module
        setattr(_cls, _name, checked(getattr(_cls, _name)))
