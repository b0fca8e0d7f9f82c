"""Facts about parameters as text: `M % 32 == 0, 16 | K, N <= 8, ld % 16 == 8, L == 2*N`."""

from __future__ import annotations

import ast
import keyword
import re
from typing import Any

from . import polynomial as poly
from .dim import Dim, Remainder, dims, terms_of
from .errors import NotationError
from .fact import Statement

MOST_TEXT = 4000  # characters
MOST_FACTS = 32
MOST_SHOWN = 400  # characters of a text with an error in it
MOST_TERMS, MOST_FACTORS = 100, 32  # of a polynomial and of each of its terms


def read_facts(text: str) -> list[Any]:
    """The facts of a text: True, False, a Fact, or a Statement (for equations).

    Raises NotationError for a text that states nothing, and for a remainder that no division leaves.
    """
    if len(text) > MOST_TEXT:
        says = f"assume: facts of {len(text)} characters; at most {MOST_TEXT} are read"
        raise NotationError(f"{says}\n  {_begins(text)}", text)
    try:
        tree = ast.parse(f"[{_KEYWORD.sub(_stand_in, text)}]", mode="eval").body
    except SyntaxError as error:
        column = max(0, (error.offset or 2) - 2)
        message = f"assume: {error.msg}: facts look like K % 16 == 0, 16 | K, ld >= K"
        raise NotationError(f"{message}\n{_pointed_at(text, column)}", text, column) from None
    except RecursionError:
        raise NotationError(f"assume: an expression of too many parts\n  {_begins(text)}", text) from None
    assert isinstance(tree, ast.List), "the brackets are ours"
    if len(tree.elts) > MOST_FACTS:
        raise NotationError(f"assume: {len(tree.elts)} facts; at most {MOST_FACTS} are taken together", text)
    try:
        return [f for node in tree.elts for f in _fact(node, text)]
    except RecursionError:
        raise NotationError(f"assume: an expression of too many parts\n  {_begins(text)}", text) from None


def _pointed_at(text: str, column: int) -> str:
    """The text with a caret under a column; of a long one, what lies around it."""
    start = 0 if len(text) <= MOST_SHOWN else max(0, column - MOST_SHOWN // 2)
    return f"  {text[start : start + MOST_SHOWN]}\n  {' ' * (column - start)}^"


def _begins(text: str) -> str:
    """Enough of a long text to know it by."""
    return text if len(text) <= 80 else f"{text[:77]}..."


# a parameter may be called as Python calls something else: letters of no name stand for its own
_KEYWORD = re.compile(rf"\b({'|'.join(keyword.kwlist)})\b")
_LETTER = {word: chr(0x10D0 + k) for k, word in enumerate(keyword.kwlist)}
_WORD = {letter * len(word): word for word, letter in _LETTER.items()}


def _stand_in(found: re.Match[str]) -> str:
    return _LETTER[found[0]] * len(found[0])


def _fact(node: ast.expr, text: str) -> list[Any]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        n, x = _value(node.left, text), _value(node.right, text)
        if isinstance(n, Remainder) or isinstance(x, Remainder) or (type(n) is int and n <= 0):
            raise _refuse(node, text, "a positive divisor in front of |, and a sum or product behind it")
        return [x % n == 0]
    if not isinstance(node, ast.Compare):
        raise _refuse(node, text, "a comparison, or n | K")
    found: list[Any] = []
    sides = [node.left, *node.comparators]
    for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
        a, b = _value(left, text), _value(right, text)
        if isinstance(op, ast.Eq):
            said = f"{ast.unparse(left)} == {ast.unparse(right)}"
            divided = _is_remainder(left) or _is_remainder(right)
            found += _remainder_is(node, left, right, a, b, text) if divided else [_equal(a, b, said)]
        elif type(op) not in _COMPARE:
            raise _refuse(node, text, "one of == < <= > >=")
        elif isinstance(a, Remainder) or isinstance(b, Remainder):
            raise _refuse(node, text, "a remainder with ==: K % 16 == 0")
        else:
            found.append(_COMPARE[type(op)](a, b))
    return found


def _equal(a: Any, b: Any, said: str) -> Statement:
    p, q = terms_of(a), terms_of(b)
    assert p is not None, "_value gives ints and Dims"
    assert q is not None, "_value gives ints and Dims"
    return Statement("zero", (poly.add(p, q, -1),), said)


def _is_remainder(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _remainder_is(node: ast.Compare, left: ast.expr, right: ast.expr, a: Any, b: Any, text: str) -> list[Any]:
    """`K % 16 == 3` says that 16 divides K - 3; `K % N == 3` also that N is 4 or more."""
    if not _is_remainder(left):
        left, right, a, b = right, left, b, a
    if type(b) is not int:
        raise _refuse(node, text, f"an integer that {ast.unparse(left)} is, not {ast.unparse(right)}")
    assert isinstance(left, ast.BinOp), "_is_remainder has seen to it"
    said, n = f"{ast.unparse(left)} == {b}", _value(left.right, text)
    if b < 0 or (type(n) is int and b >= n):
        least = "which is never negative" if b < 0 else f"which is 0 to {n - 1}"
        raise _refuse(node, text, f"a remainder modulo {n}, {least}, not {b}")
    p, divisor = terms_of(_value(left.left, text)), terms_of(n)
    assert p is not None, "_value gives ints and Dims"
    assert divisor is not None, "_value gives ints and Dims"
    if isinstance(a, Remainder) and b == 0:
        return [a == 0]
    above = poly.add(divisor, poly.constant(-b - 1))
    return [
        Statement("divides", (divisor, poly.add(p, poly.constant(b), -1)), said),
        Statement("nonneg", (above,), said),
    ]


_COMPARE: dict[type[ast.cmpop], Any] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
_ARITHMETIC: dict[type[ast.operator], Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        return dims(_WORD.get(node.id, node.id))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, text)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        left, right = _value(node.left, text), _value(node.right, text)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and type(right) is int and right <= 0:
            raise _refuse(node, text, "a positive divisor")
        value = _ARITHMETIC[type(node.op)](left, right)
        terms = terms_of(value) if isinstance(value, (int, Dim)) else None
        if terms is not None and (len(terms) > MOST_TERMS or max(map(len, terms), default=0) > MOST_FACTORS):
            raise _refuse(node, text, f"at most {MOST_TERMS} terms of at most {MOST_FACTORS} factors")
        return value
    raise _refuse(node, text, "integers, names and + - * // %")


def _refuse(node: ast.expr, text: str, expected: str) -> NotationError:
    column = max(0, node.col_offset - 1)
    return NotationError(f"assume: expected {expected}\n{_pointed_at(text, column)}", text, column)
