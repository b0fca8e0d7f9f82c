"""Expressions over layouts, as `symlayout eval` takes them.

    zipped_divide((4,4,2):(1,8,4), 8:1)      a function of the algebra, by CuTe's name
    composition(Sw<2,0,3>, (8,8):(8,1))      arguments are written in any notation that `parse` reads
    upcast<4>(8:1)  upcast(4, 8:1)           template arguments as in C++, or plain
    recast_layout<half_t,float>(L)           element types by name or by bits
    logical_divide(10:1, 4:1, strict=true)   flags
    (4,4):(1,4)(5)  ((4,4):(1,4))((1,2))     the value of a layout at a coordinate; `_` keeps a mode
    right_inverse(8:1).with_shape(2,4)       methods;  L[0]  L[0,1]  modes

The text is parsed and every name looked up in a fixed table; nothing of it is ever run as Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from .. import algebra
from ..errors import NotationError, SymlayoutError
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from ..view import View
from .element_types import type_bits
from .reading import Reader, _base, kind_of, read_tree
from .tree import Node

_TUPLE_MAKERS = {
    "make_tuple",
    "make_shape",
    "make_stride",
    "make_coord",
    "make_tile",
    "make_tiler",
    "make_step",
}
_OTHER_NAMES = {"slice": "slice_", "coalesce_x": "detail_coalesce_x", "Layout": "make_layout"}
_TEMPLATE_FIRST = {"upcast", "downcast", "recast_layout"}
_COORDINATE_FIRST = {"get_hier_coord", "get_flat_coord", "get_1d_coord"}
_WORDS = {"true": True, "True": True, "false": False, "False": False}
_MAPS = (Layout, ComposedLayout, Swizzle, View)
_CANNOT_TAKE = (
    TypeError,
    AttributeError,
    ValueError,
    IndexError,
    ZeroDivisionError,
    RecursionError,
    OverflowError,
)


def function_names() -> list[str]:
    """The names that may be called, sorted."""
    names = {name for name in algebra.__all__ if inspect.isfunction(getattr(algebra, name))}
    return sorted(names | _TUPLE_MAKERS | set(_OTHER_NAMES) | {"Swizzle"})


class Evaluator(Reader):
    """A reader that also looks up names and runs calls; `unchecked` is the flag of calls that give none."""

    def __init__(self, text: str, unchecked: bool = False) -> None:
        super().__init__(text)
        self.unchecked = unchecked

    def read_name(self, node: Node) -> Any:
        name = _base(node.parts)
        if name in _WORDS:
            return _WORDS[name]
        if name in ("LayoutLeft", "LayoutRight"):
            return name
        if name in function_names():
            raise self.wrong(node, f"{name} is a function: write {name}(...)")
        return super().read_name(node)

    def read_call(self, node: Node) -> Any:
        callee, argument_nodes = node.parts
        if callee.kind == "name":
            return self._run(callee, _base(callee.parts), [], argument_nodes)
        if callee.kind == "template" and _base(callee.parts[0]) in function_names():
            name = _base(callee.parts[0])
            if name not in ("Layout", "Swizzle"):  # `Layout<...>(3)` evaluates the layout
                return self._run(callee, name, callee.parts[1], argument_nodes)
        function = _unwrap(self.read(callee))
        if not isinstance(function, _MAPS):
            raise self.wrong(
                callee, f"{kind_of(function)} is not a layout and cannot be evaluated at a coordinate"
            )
        arguments, flags = self._arguments(argument_nodes)
        if flags or not arguments:
            raise self.wrong(node, "a layout is evaluated at a coordinate: L(3), L(1,2) or L((1,2))")
        return self._guarded(node, str(function), arguments, lambda: function(*arguments))

    def read_method(self, node: Node) -> Any:
        owner_node, name, argument_nodes = node.parts
        owner = _unwrap(self.read(owner_node))
        arguments, flags = self._arguments(argument_nodes)
        if name == "layout" and not arguments and isinstance(owner, (Layout, ComposedLayout)):
            return owner
        if name in ("with_shape", "compose") and len(arguments) > 1:
            arguments = [tuple(arguments)]
        function = self._function(node, {"compose": "composition"}.get(name, name))
        arguments = [*arguments, owner] if name in _COORDINATE_FIRST else [owner, *arguments]
        return self._call(node, name, function, arguments, flags)

    def read_index(self, node: Node) -> Any:
        owner = _unwrap(self.read(node.parts[0]))
        path = [self.integer(part, "a mode number") for part in node.parts[1]]
        return self._call(node, "get", algebra.get, [owner, *path], {})

    # --- calls ---

    def _run(self, node: Node, name: str, template: list[Node], argument_nodes: list[Node]) -> Any:
        if name == "recast_layout":
            template = [self._bits(part) for part in template]
            argument_nodes = [
                self._bits(part) for part in argument_nodes[: 2 - len(template)]
            ] + argument_nodes[2 - len(template) :]
        arguments, flags = self._arguments(argument_nodes)
        extra = [self.read(part) for part in template]
        if name in _TUPLE_MAKERS:
            return tuple(arguments)
        function: Callable[..., Any] = Swizzle if name == "Swizzle" else self._function(node, name)
        if arguments:
            arguments[0] = _unwrap(arguments[0])
        if name in ("append", "prepend") and len(extra) == 1:  # append<N>(L): pad to rank N
            flags["n"] = extra[0]
        elif name in _TEMPLATE_FIRST:
            arguments = extra + arguments
        else:
            arguments = arguments[:1] + extra + arguments[1:]
        return self._call(node, name, function, arguments, flags)

    def _function(self, node: Node, name: str) -> Callable[..., Any]:
        known = _OTHER_NAMES.get(name, name)
        if known in algebra.__all__ and inspect.isfunction(getattr(algebra, known)):
            found: Callable[..., Any] = getattr(algebra, known)
            return found
        near = get_close_matches(name, function_names(), n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise self.wrong(node, f"unknown function {name!r}{hint}")

    def _bits(self, node: Node) -> Node:
        """An element type, as the number of its bits."""
        if node.kind != "name":
            return node
        try:
            return Node("number", str(type_bits(node.parts)), node.column)
        except NotationError as error:
            raise self.wrong(node, str(error)) from None

    def _arguments(self, nodes: list[Node]) -> tuple[list[Any], dict[str, Any]]:
        arguments: list[Any] = []
        flags: dict[str, Any] = {}
        for node in nodes:
            if node.kind == "keyword":
                flags[node.parts[0]] = self.read(node.parts[1])
            elif flags:
                raise self.wrong(node, "flags like strict=true stand after the other arguments")
            else:
                arguments.append(self.read(node))
        return arguments, flags

    def _call(
        self, node: Node, name: str, function: Callable[..., Any], arguments: list[Any], flags: dict[str, Any]
    ) -> Any:
        signature = inspect.signature(function)
        if self.unchecked and "unchecked" in signature.parameters:
            flags.setdefault("unchecked", True)
        try:
            signature.bind(*arguments, **flags)
        except TypeError as error:
            shown = ", ".join(
                str(p).partition(":")[0].partition("=")[0] for p in signature.parameters.values()
            )
            raise self.wrong(node, f"{name}({shown}): {error}") from None
        return self._guarded(node, name, arguments, lambda: function(*arguments, **flags))

    def _guarded(self, node: Node, name: str, arguments: list[Any], run: Callable[[], Any]) -> Any:
        """Run. What the algebra refuses stays as it is; arguments of a wrong kind are a notation error."""
        try:
            return run()
        except SymlayoutError:
            raise
        except _CANNOT_TAKE as error:
            shown = ", ".join(map(kind_of, arguments)) or "no arguments"
            # a TypeError or AttributeError speaks of Python's types, which help nobody here
            why = "" if isinstance(error, (TypeError, AttributeError)) else f": {error}"
            raise self.wrong(node, f"{name} cannot take {shown}{why}") from None


def _unwrap(value: Any) -> Any:
    """The layout inside `(L)`: parentheses make a tuple of one, and nothing else can be meant here."""
    if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], _MAPS):
        return value[0]
    return value


def evaluate(text: str, *, unchecked: bool = False) -> Any:
    """The value of an expression; `unchecked=True` asks every function for CuTe's own answer, right or wrong.

    Raises NotationError (with a caret) for text that is not an expression, LayoutError where CuTe refuses the
    operation, Inadmissible where its answer breaks the operation's law and `unchecked=true` is not given.

    >>> str(evaluate("zipped_divide((4,4,2):(1,8,4), 8:1)"))
    '((4,2),(2,2)):((1,8),(16,4))'
    >>> evaluate("((4,4):(1,4))((1,2))")
    9
    """
    return read_tree(Evaluator(text, unchecked), text)
