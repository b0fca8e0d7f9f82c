"""`symlayout eval EXPR`: the value of a layout expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..inttuple import show
from .answer import answer, format_option
from .recorder import check_width, record

if TYPE_CHECKING:
    from ..swizzle import ComposedLayout


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("expression")
@click.option("--assume", metavar="FACTS", default="", help='What is known of names: "16 | M, ld >= K".')
@format_option
def command(expression: str, form: str, assume: str) -> int:
    """Evaluate a layout expression in CuTe's notation.

    EXPRESSION is parsed, never run as Python: layouts, tilers and swizzles as CuTe prints them, the
    functions of the algebra by CuTe's names, coordinates in brackets behind a layout, modes in square
    brackets. Flags are unchecked=true, for CuTe's own answer, and strict=true, which refuses over-cover in
    divides. Sizes and strides may be names, each 1 or more, and polynomials in them.

    Exit code 0 with an answer, 1 when CuTe's answer breaks the operation's law (the least witness is
    printed), 2 when CuTe refuses or the text is not an expression, 3 when a fact about a name is missing.

    \b
    symlayout eval "zipped_divide((4,4,2):(1,8,4), 8:1)"
    symlayout eval "right_inverse((8,4):(4,1)).with_shape(2,16)"
    symlayout eval "((4,4):(1,4))((1,2))"
    symlayout eval "zipped_divide((M,K):(K,1), (16,8))" --assume "M % 16 == 0, K % 8 == 0"
    """
    value, calls, units = found = record(expression, assume)
    check_width(expression, found)
    notes = [*units, *(note for call in calls for note in call.notes())]
    text = "\n".join([show_value(value), *(f"note: {note}" for note in notes)])
    data = {"command": "eval", "exit_code": 0, "expression": expression, **value_data(value), "notes": notes}
    return answer(form, text, data)


def show_value(value: Any) -> str:
    """A value as CuTe prints it; a bool as a word."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return show(value)


def value_data(value: Any) -> dict[str, Any]:
    """The value for JSON: its text and kind; of a layout its parts, nested lists of integers where that is
    what they are."""
    from ..layout import Layout
    from ..swizzle import ComposedLayout, Swizzle, has_shape

    kinds = {bool: "bool", int: "int", tuple: "tuple", Layout: "layout", ComposedLayout: "composed layout"}
    kind = "swizzle" if isinstance(value, Swizzle) else kinds.get(type(value), type(value).__name__)
    data: dict[str, Any] = {"value": show_value(value), "kind": "_" if value is None else kind}
    if isinstance(value, Layout):
        data |= {"shape": value.shape, "stride": value.stride}
    if isinstance(value, ComposedLayout):
        data |= _parts(value)
    if isinstance(value, (Layout, ComposedLayout)) and has_shape(value):
        data |= {"size": value.size(), "cosize": value.cosize()}
    return data


def _parts(value: ComposedLayout) -> dict[str, Any]:
    """The outer map and the offset; of a plain layout inside shape and strides, of any other its text."""
    from ..layout import Layout

    inner = value.layout
    data: dict[str, Any] = {"swizzle": str(value.swizzle), "offset": value.offset}
    if isinstance(inner, Layout):
        return data | {"shape": inner.shape, "stride": inner.stride}
    return data | {"inner": str(inner)}
