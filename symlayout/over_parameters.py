"""What a claim, a layout or an expression has of parameters, and what it is at values of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from . import polynomial as poly
from .dim import Dim, make
from .layout import Layout
from .names import respelled, spelled
from .polynomial import Param, Poly
from .swizzle import ComposedLayout
from .symbolic import OPERATIONS, Expr, Var


def parameters(x: Any) -> tuple[Param, ...]:
    """The parameters in a claim, a layout, an expression or a tuple of them, in the order of their names'
    first use; what a bound needs comes before."""
    found: dict[Param, None] = {}
    for y in _leaves(x):
        if isinstance(y, Dim):
            found |= dict.fromkeys(poly.closure(y.terms))
        elif y.param is not None:
            found |= dict.fromkeys(poly.closure({(y.param,): 1}))
    return tuple(found)


def _leaves(x: Any) -> Iterator[Dim | Var]:
    """The Dims and digits of anything that has some, as they are read."""
    if isinstance(x, Dim):
        yield x
    elif isinstance(x, Layout):
        yield from _leaves((x.shape, x.stride))
    elif isinstance(x, ComposedLayout):
        yield from _leaves((x.swizzle, x.offset, x.layout))
    elif isinstance(x, (tuple, list)):
        for y in x:
            yield from _leaves(y)
    elif isinstance(x, Var):
        yield x
        yield from _leaves(x.bound)
    elif isinstance(x, Expr):
        yield from _leaves(x.args)
    elif is_dataclass(x) and not isinstance(x, type):
        for f in fields(x):
            yield from _leaves(getattr(x, f.name))


def layouts_in(x: Any) -> Iterator[Layout]:
    """The layouts that a claim speaks of, those inside others too."""
    if isinstance(x, Layout):
        yield x
    elif isinstance(x, ComposedLayout):
        for y in (x.swizzle, x.offset, x.layout):
            yield from layouts_in(y)
    elif isinstance(x, (tuple, list)):
        for y in x:
            yield from layouts_in(y)
    elif is_dataclass(x) and not isinstance(x, type):
        for f in fields(x):
            yield from layouts_in(getattr(x, f.name))


def distinct(x: Any, reserved: Iterable[str] = (), form: Callable[[str], str] = str) -> Any:
    """The same with no two names that print alike, and none that prints like a reserved one, all in some
    form; x has parameters."""
    digits = {y.name: y for y in _leaves(x) if isinstance(y, Var) and y.param is None}
    params = parameters(x)
    texts = spelled([*params, *digits], reserved, form)
    polys: dict[Param, Poly] = {v: {(respelled(v, texts[v]),): 1} for v in params if texts[v] != str(v)}

    def renamed(d: Dim) -> Any:
        return make(poly.substitute(d.terms, polys))

    values: dict[str, Any] = {v: make(p) for v, p in polys.items()}
    for name, v in digits.items():
        if texts[name] != str(name):
            bound = _replaced(v.bound, values, renamed)
            values[name] = Var(respelled(name, texts[name]), bound, v.lower)
    return _replaced(x, values, renamed) if values else x


def at(x: Any, values: Mapping[str, int]) -> Any:
    """A claim (or layout, expression, tuple) with integers for parameters and digits, by their names."""
    return _replaced(x, values, lambda d: d.evaluate(values))


def _replaced(x: Any, values: Mapping[str, Any], number: Callable[[Dim], Any]) -> Any:
    """With other things for digits, by their names, and for Dims."""
    if isinstance(x, Dim):
        return number(x)
    if isinstance(x, (tuple, list)):
        return tuple([_replaced(y, values, number) for y in x])
    if isinstance(x, Layout):
        return Layout._make(_replaced(x.shape, values, number), _replaced(x.stride, values, number))
    if isinstance(x, ComposedLayout):
        return ComposedLayout(*_replaced((x.swizzle, x.offset, x.layout), values, number))
    if isinstance(x, Var):
        if x.name in values:
            return values[x.name]
        return x if x.param is not None else Var(x.name, _replaced(x.bound, values, number), x.lower)
    if isinstance(x, Expr):
        a, b = (_replaced(y, values, number) for y in x.args)
        return OPERATIONS[x.op](a, b)
    if is_dataclass(x) and not isinstance(x, type):
        changed = {f.name: _replaced(getattr(x, f.name), values, number) for f in fields(x) if f.init}
        return replace(x, **changed)
    return x
