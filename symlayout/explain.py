"""A counterexample in the engineer's words: where, what each side is, and what those values mean in the
layouts.

    at a = 4
      zipped_divide(tCrB, 8)((a, 0)) = 8    8 is tCrB(0,1,0): V 0, N 1, K 0
      tXrB((a, 0), 0, 0)             = 4    4 is tCrB(0,0,1): V 0, N 0, K 1

The texts of the sides are the author's own, read from the source of the claim; without a source they are the
expressions. The layouts are those that the claim names. Modes get names where CuTe's naming convention
gives them: `tCrA` is (V,M,K), `tCrB` (V,N,K), `tCrC` (V,M,N).
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any

from .claim import Failure, is_map, show_side, values
from .inttuple import idx2crd, product_each
from .layout import Layout
from .names import together

MODES = {"A": "VMK", "B": "VNK", "C": "VMN"}
DECODE_UP_TO = 1 << 16  # elements of a layout that is searched for a value


def describe(
    failure: Failure,
    body: Callable[..., Any] | None,
    point: Mapping[str, int],
    part: int = 0,
    instance: Callable[[Any], Any] | None = None,
) -> str:
    """The counterexample as a few lines of text; `part` counts the comparisons in the body. `instance` makes
    plain layouts of those that the body names, where they have parameters."""
    where = together(point, failure.witness)
    lines = ["at " + ", ".join(f"{name} = {show_side(x)}" for name, x in where.items())] if where else []
    layouts = dict(named_layouts(body) if body is not None else {})
    if instance is not None:
        layouts = {name: instance(layout) for name, layout in layouts.items()}
    layouts.update(failure.layouts)
    if failure.says:
        said = [*failure.says.splitlines(), *_decoded(failure.left, failure.right, layouts)]
        return "\n".join(lines + [f"  {text}" if where else text for text in said])
    left, right = sides(body, part) if body is not None else ("left", "right")
    width = max(len(left), len(right))
    numbers = max(len(show_side(failure.left)), len(show_side(failure.right)))
    for text, x in ((left, failure.left), (right, failure.right)):
        meaning = decode(x, layouts)
        line = f"  {text:{width}} = {show_side(x):{numbers}}"
        lines.append(f"{line}    {meaning}" if meaning else line.rstrip())
    return "\n".join(lines)


def _decoded(left: Any, right: Any, layouts: Mapping[str, Any]) -> list[str]:
    found = [decode(x, layouts) for x in (left, right)]
    return list(dict.fromkeys(text for text in found if text))


def decode(x: Any, layouts: Mapping[str, Any]) -> str:
    """Which coordinate of each layout has the value x: `8 is tCrB(0,1,0): V 0, N 1, K 0`; empty if none
    has."""
    found = []
    for name, layout in layouts.items():
        coordinate = coordinate_of(layout, x)
        if coordinate is not None:
            modes = mode_names(name)
            named = ""
            if modes and len(modes) == len(coordinate):
                named = ": " + ", ".join(f"{m} {c}" for m, c in zip(modes, coordinate, strict=True))
            found.append(f"{name}({','.join(map(str, coordinate))}){named}")
    return f"{show_side(x)} is {', '.join(found)}" if found else ""


def coordinate_of(layout: Any, x: Any) -> tuple[int, ...] | None:
    """The least coordinate, one integer for each top mode, at which the layout has the value x."""
    if layout.size() > DECODE_UP_TO:
        return None
    table = values(layout)
    if x not in table:
        return None
    found = idx2crd(table.index(x), product_each(layout.shape))
    return found if isinstance(found, tuple) else (found,)


def mode_names(name: str) -> str:
    """The names of a fragment's top modes by CuTe's convention, empty for other names."""
    found = re.fullmatch(r"tCr([ABC])\w*", name)
    return MODES[found[1]] if found else ""


def named_layouts(body: Callable[..., Any]) -> dict[str, Layout]:
    """The layouts that a claim's body names, in the order of their names' first use."""
    if not inspect.isroutine(body) or not hasattr(body, "__code__"):
        return {}  # an object that is called, or a partial: it names nothing itself
    names = inspect.getclosurevars(body)
    known = {**names.globals, **names.nonlocals}
    used = list(dict.fromkeys((*body.__code__.co_freevars, *body.__code__.co_names)))
    return {n: known[n] for n in used if n in known and isinstance(known[n], Layout) and is_map(known[n])}


def sides(body: Callable[..., Any], part: int = 0) -> tuple[str, str]:
    """The author's texts of what the body compares in its `part`-th `equal`; ("left", "right") without a
    source."""
    code = getattr(body, "__code__", None)
    if isinstance(code, CodeType):
        calls = _comparisons(code)
        if part < len(calls):
            left, right = calls[part].args
            return ast.unparse(left), ast.unparse(right)
    return "left", "right"


def _callee(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _comparisons(code: CodeType) -> list[ast.Call]:
    """The calls of `equal` that are the code's own, in the order of the source, where it can be read.

    Several lambdas may stand in one line: the places that the compiler noted for each instruction say which
    calls belong to this one.
    """
    try:
        lines, _ = inspect.findsource(code)
        tree = ast.parse("".join(lines))
    except (OSError, SyntaxError):
        return []
    places = set(_places(code))
    calls = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Call)
        and _callee(n) == "equal"
        and len(n.args) == 2
        and (n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) in places
    ]
    return sorted(calls, key=lambda n: (n.lineno, n.col_offset))


def _places(code: CodeType) -> Iterator[tuple[int | None, int | None, int | None, int | None]]:
    """Where the instructions of the code, and of the comprehensions in it, stand: lines and columns."""
    yield from code.co_positions()
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _places(inner)
