"""Values to text, as CuTe prints them: plain, or with `_` before every static integer."""

from __future__ import annotations

from typing import Any, Literal

from ..basis import ScaledBasis
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout
from ..view import View, view_text

Style = Literal["plain", "cpp"]


def _underscored(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ",".join([_underscored(x) for x in value]) + ")"
    if isinstance(value, Layout):
        return f"{_underscored(value.shape)}:{_underscored(value.stride)}"
    if isinstance(value, ComposedLayout):
        parts = (value.swizzle, value.offset, value.layout)
        return " o ".join([_underscored(part) for part in parts])
    if isinstance(value, View):
        return view_text(_underscored(value.offset), _underscored(value.layout))
    number = value.value if isinstance(value, ScaledBasis) else value
    if isinstance(number, int) and not isinstance(number, bool):
        return f"_{value}"
    return "_" if value is None else str(value)


def format_value(value: Any, style: Style = "plain") -> str:
    """The text of a layout, swizzle, composed layout, integer, coordinate or tiler; `parse` reads it back.

    >>> format_value((Layout(4, 1), 2, None)), format_value((2, (4, 8)), "cpp")
    ('(4:1,2,_)', '(_2,(_4,_8))')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if style == "plain":
        return show(value)
    if style == "cpp":
        return _underscored(value)
    raise ValueError(f"style is 'plain' or 'cpp', not {style!r}")


def format_layout(layout: Any, style: Style = "plain") -> str:
    """A layout as CuTe's `print` writes it.

    >>> L = Layout((8, 64), (64, 1))
    >>> format_layout(L), format_layout(L, "cpp")
    ('(8,64):(64,1)', '(_8,_64):(_64,_1)')
    """
    return format_value(layout, style)
