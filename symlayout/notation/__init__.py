"""Notation: read and print layouts, swizzles, shapes, coordinates and tilers as CuTe writes them.

    parse("((2,2,2),1,1):((1,2,4),0,0)")              the print of a layout
    parse("((_2,_2),_1):((_1,_2),_0)")                CuTe C++'s print, static integers marked
    parse("Layout<Shape<_8,_2>,Stride<_1,_16>>")      C++ type text; without Stride it is compact
    parse("Sw<3,3,3> o 0 o (8,64):(64,1)")            a swizzled layout; the swizzle counts elements
    parse("Sw<3,4,3> o smem_ptr[16b](unset) o ...")   the same: before a pointer it counts bytes
    parse("(4:1,2,_)"), parse("<4:1,2,_>"), parse("16,(8,2,2):(1,16,8),_")   tilers

`parse` answers with whatever is written; the other readers insist on one kind. All raise NotationError with
a caret under the column at which the text goes wrong. `str` prints every value back; `format_layout(L,
"cpp")` marks static integers. lark is loaded when the first text is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..dim import Dim
from ..errors import NotationError
from ..layout import Layout
from ..swizzle import ComposedLayout
from .complaint import complaint
from .pointer import Units
from .printing import format_layout, format_value
from .reading import Reader, _all_leaves, kind_of, read_text, read_tree
from .tree import Node, syntax_tree

__all__ = [
    "format_layout",
    "format_value",
    "parse",
    "parse_coord",
    "parse_layout",
    "parse_shape",
    "parse_tiler",
    "parse_units",
]


_read_text = lru_cache(maxsize=8192)(read_text)


def parse(text: str) -> Any:
    """Whatever `text` stands for: Layout, ComposedLayout, Swizzle, int, None, or a tuple of such.

    >>> parse("(4,8):(8,1)")(1, 2)
    10
    >>> parse("(6)"), parse("16,_,(2,2)")
    ((6,), (16, None, (2, 2)))
    """
    if not isinstance(text, str):  # a list could not even be remembered
        raise NotationError(f"expected text such as '(4,8):(8,1)', found {text!r}", repr(text), 0)
    return _read_text(text)


def parse_units(text: str) -> tuple[Any, list[Units]]:
    """What `parse` answers, and in what each swizzle of the text counts: elements, or bytes before a pointer.

    >>> value, (units,) = parse_units("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)")
    >>> print(value)
    Sw<3,3,3> o 0 o (8,64):(64,1)
    >>> print(units)
    Sw<3,4,3> counts bytes, as smem_ptr[16b] says: of 16-bit elements it is Sw<3,3,3>
    """
    reader = Reader(text)
    return read_tree(reader, text), reader.units


def _refuse(text: str, expected: str, value: Any) -> NotationError:
    start = len(text) - len(text.lstrip())
    return complaint(text, start, f"expected {expected}; found {kind_of(value)}")


def parse_layout(text: str) -> Layout | ComposedLayout:
    """A layout, swizzled or not. A shape alone is refused: `(4,8)` does not say its strides."""
    value = parse(text)
    if isinstance(value, (Layout, ComposedLayout)):
        return value
    raise _refuse(text, "a layout, like (4,8):(8,1)", value)


def parse_tiler(text: str) -> Any:
    """A tiler: an int of at least 1, a layout, `_`, or a tuple of those (in brackets or with commas)."""
    return _entries(text, Reader.tiler)


def parse_shape(text: str) -> Any:
    """A shape: an int of at least 1, or a nested tuple of those; entries with commas are its modes."""
    return _entries(text, Reader.shape)


def parse_coord(text: str) -> Any:
    """A coordinate: any ints, nested, `_` where a mode is kept; several entries with commas are its modes."""
    value = parse(text)
    if _all_leaves(value, (int, Dim, type(None))):
        return value
    raise _refuse(text, "a coordinate, like (1,(0,2)) or (_,3)", value)


def _entries(text: str, read: Callable[[Reader, Node], Any]) -> Any:
    parts = syntax_tree(text).parts
    values = [read(Reader(text), part) for part in parts]
    return values[0] if len(values) == 1 else tuple(values)
