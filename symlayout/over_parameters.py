"""What a claim, a layout or an expression has of parameters, and what it is at values of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from . import polynomial as poly
from .dim import Dim
from .layout import Layout
from .polynomial import Param
from .swizzle import ComposedLayout
from .symbolic import OPERATIONS, Expr, Var


def parameters(x: Any) -> tuple[Param, ...]:
    """The parameters in a claim, a layout, an expression or a tuple of them, in the order of their names'
    first use; what a bound needs comes before."""
    found: dict[Param, None] = {}

    def visit(y: Any) -> None:
        if isinstance(y, Dim):
            for v in poly.closure(y.terms):
                found.setdefault(v)
        elif isinstance(y, Layout):
            visit(y.shape)
            visit(y.stride)
        elif isinstance(y, ComposedLayout):
            visit(y.swizzle)
            visit(y.offset)
            visit(y.layout)
        elif isinstance(y, (tuple, list)):
            for z in y:
                visit(z)
        elif isinstance(y, Var):
            if y.param is not None:
                for v in poly.closure({(y.param,): 1}):
                    found.setdefault(v)
            visit(y.bound)
        elif isinstance(y, Expr):
            visit(y.args)
        elif is_dataclass(y) and not isinstance(y, type):
            for f in fields(y):
                visit(getattr(y, f.name))

    visit(x)
    return tuple(found)


def at(x: Any, values: Mapping[str, int]) -> Any:
    """A claim (or layout, expression, tuple) with integers for parameters and digits, by their names."""
    if isinstance(x, Dim):
        return x.evaluate(values)
    if isinstance(x, Layout):
        return Layout._make(at(x.shape, values), at(x.stride, values))
    if isinstance(x, ComposedLayout):
        return ComposedLayout(at(x.swizzle, values), at(x.offset, values), at(x.layout, values))
    if isinstance(x, (tuple, list)):
        return tuple([at(y, values) for y in x])
    if isinstance(x, Var):
        if x.name in values:
            return values[x.name]
        return Var(x.name, at(x.bound, values), x.lower)
    if isinstance(x, Expr):
        a, b = (at(y, values) for y in x.args)
        return OPERATIONS[x.op](a, b)
    if is_dataclass(x) and not isinstance(x, type):
        changed = {f.name: at(getattr(x, f.name), values) for f in fields(x) if f.init}
        return replace(x, **changed)
    return x
