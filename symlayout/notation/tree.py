"""Text to syntax tree: the only module that imports lark, and only when the first text is read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import NotationError
from .complaint import check_brackets, complaint

if TYPE_CHECKING:
    from lark import Lark


class Node(NamedTuple):
    """A piece of text: its kind, its parts (nodes, or the text of a leaf), and the column where it begins."""

    kind: str
    parts: Any
    column: int


# terminal -> how a person would call it
_IN_WORDS = {
    "NUMBER": "a number",
    "UNDERSCORE": "'_'",
    "QUESTION": "'?'",
    "POINTER": "a pointer",
    "PLUS": "'+'",
    "MINUS": "'-'",
    "STAR": "'*'",
    "NAME": "a name",
    "LPAR": "'('",
    "_RPAR": "')'",
    "LSQB": "'['",
    "_RSQB": "']'",
    "LANGLE": "'<'",
    "_RANGLE": "'>'",
    "_LBRACE": "'{'",
    "_RBRACE": "'}'",
    "_COMMA": "','",
    "_AT": "'@'",
    "_DOT": "'.'",
    "_EQUAL": "'='",
    "COLON": "':'",
    "_O": "'o'",
    "$END": "the end of the text",
}
# What may follow a finished operand, in the order in which people expect it; the other terminals that the
# parser would take there (a call, an index, a method) belong to expressions and would only confuse.
_AFTER_OPERAND = ("_RPAR", "_RANGLE", "_RSQB", "_COMMA", "COLON", "_AT", "_O", "$END")


def _expected(terminals: Iterable[str]) -> str:
    names = set(terminals)
    if "NUMBER" in names and "LPAR" in names:  # the beginning of an operand
        return "a number, '_', '(' or a name" + (", or ')'" if "_RPAR" in names else "")
    words = [_IN_WORDS[t] for t in _AFTER_OPERAND if t in names]
    words = words or sorted(_IN_WORDS.get(t, t) for t in names)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Lark, Transformer

    def leaf(kind: str) -> Any:
        return lambda self, children: Node(kind, str(children[0]), children[0].start_pos)

    def branch(kind: str) -> Any:
        return lambda self, children: Node(kind, children, children[0].column)

    class Build(Transformer[Any, Any]):
        number = leaf("number")
        underscore = leaf("underscore")
        name = leaf("name")
        question = leaf("question")
        pointer = leaf("pointer")
        start = branch("list")
        chain = branch("chain")

        def arguments(self, children: list[Any]) -> list[Any]:
            return children

        def tuple(self, children: list[Any]) -> Node:
            return Node("tuple", children[1] if len(children) > 1 else [], children[0].start_pos)

        def angles(self, children: list[Any]) -> Node:
            return Node("angles", children[1], children[0].start_pos)

        def template(self, children: list[Any]) -> Node:
            parts = (str(children[0]), children[2] if len(children) > 2 else [])
            return Node("template", parts, children[0].start_pos)

        def pointed(self, children: list[Any]) -> Node:
            *swizzle, last = children
            pointer = Node("pointer", str(last), last.start_pos)
            return Node("pointed", (self.template(swizzle), pointer), children[0].start_pos)

        def layout(self, children: list[Any]) -> Node:
            return Node("layout", (children[0], children[2]), children[0].column)

        def _operation(self, children: list[Any]) -> Node:
            return Node("operation", (str(children[1]), children[0], children[2]), children[0].column)

        plus = minus = times = _operation

        def negative(self, children: list[Any]) -> Node:
            return Node("negative", children[1], children[0].start_pos)

        def scaled_basis(self, children: list[Any]) -> Node:
            modes = [Node("number", str(token), token.start_pos) for token in children[1:]]
            return Node("basis", (children[0], modes), children[0].column)

        def call(self, children: list[Any]) -> Node:
            return Node("call", (children[0], children[2] if len(children) > 2 else []), children[0].column)

        def index(self, children: list[Any]) -> Node:
            return Node("index", (children[0], children[2]), children[0].column)

        def method(self, children: list[Any]) -> Node:
            arguments = children[3] if len(children) > 3 else []
            return Node("method", (children[0], str(children[1]), arguments), children[1].start_pos)

        def keyword(self, children: list[Any]) -> Node:
            return Node("keyword", (str(children[0]), children[1]), children[0].start_pos)

    grammar = Path(__file__).with_name("layout.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=Build(), maybe_placeholders=False)


def syntax_tree(text: str) -> Node:
    """The tree of `text`, whose root is a list of items. Raises NotationError, saying what was expected.

    >>> syntax_tree("4:1").parts[0].kind
    'layout'
    """
    if not isinstance(text, str):
        raise NotationError(f"expected text such as '(4,8):(8,1)', found {text!r}", repr(text), 0)
    check_brackets(text)
    from lark import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    try:
        tree = _parser().parse(text)
    except UnexpectedToken as error:
        if error.token.type == "$END":
            blank = not text.strip()
            message = (
                "nothing to read" if blank else f"the text ends here; expected {_expected(error.accepts)}"
            )
            raise complaint(text, len(text.rstrip()), message) from None
        message = f"unexpected {str(error.token)!r}; expected {_expected(error.accepts)}"
        raise complaint(text, error.token.start_pos or 0, message) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        found = text[at]
        expected = _expected(error.allowed or ())
        raise complaint(text, at, f"unexpected {found!r}; expected {expected}") from None
    except UnexpectedEOF:
        raise complaint(text, len(text.rstrip()), "the text ends too early") from None
    if not isinstance(tree, Node):
        raise NotationError(f"cannot read {text!r}", text, 0)
    return tree
