"""Layouts, tensors and permutations from the command line, read without the grammar of `symlayout.notation`.

The machine with the GPU has no lark. Python's own parser reads the same text: `(32,32):(32,1)` inside
brackets is a slice, and three comma-separated entries are a tuple. Nothing is evaluated; any other syntax
is refused.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from symlayout import ComposedLayout, Layout, NotationError, Swizzle


def read(text: str) -> Any:
    """An int, a shape, a layout, `_` (None), or a tuple of those."""
    try:
        tree = ast.parse(f"_[{text}]", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotationError(f"{text!r} is not a layout, shape or permutation", text) from None
    if not isinstance(tree, ast.Subscript) or not isinstance(tree.value, ast.Name):
        raise NotationError(f"{text!r} is not a layout, shape or permutation", text)
    return _value(tree.slice, text)


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, text)
    if isinstance(node, ast.Name) and node.id == "_":
        return None
    if isinstance(node, ast.Tuple):
        return tuple([_value(x, text) for x in node.elts])
    if isinstance(node, ast.Slice) and node.lower and node.upper and not node.step:
        return Layout(_value(node.lower, text), _value(node.upper, text))
    raise NotationError(f"{text!r} is not a layout, shape or permutation", text)


def read_tensor(text: str) -> Any:
    """A shape (K contiguous), a layout, or a swizzled layout `Sw<3,3,3> o 0 o (8,64):(64,1)`."""
    head, *rest = [part.strip() for part in text.split(" o ")]
    if not rest:
        value = read(text)
        if isinstance(value, tuple):
            return Layout(value, _row_major(value))
        if isinstance(value, Layout):
            return value
        raise NotationError(f"{text!r} is not a tensor: give a shape such as (32,32) or a layout", text)
    numbers = re.fullmatch(r"(?:Sw|S)<\s*(-?\d+)\s*,\s*(-?\d+)\s*,\s*(-?\d+)\s*>", head)
    inner = read(rest[-1])
    if (
        len(rest) != 2
        or numbers is None
        or not re.fullmatch(r"-?\d+", rest[0])
        or not isinstance(inner, Layout)
    ):
        raise NotationError(
            f"{text!r} is not a swizzled layout such as 'Sw<3,3,3> o 0 o (8,64):(64,1)'", text
        )
    return ComposedLayout(Swizzle(*(int(x) for x in numbers.groups())), int(rest[0]), inner)


def _row_major(shape: Any) -> Any:
    if len(shape) != 2 or not all(isinstance(s, int) for s in shape):
        raise NotationError(f"a tensor has two sizes, such as (32,32), and not {shape}", str(shape))
    return (shape[1], 1)
