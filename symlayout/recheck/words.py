"""The claim itself as a question to a solver, from a certificate's words: for domains without an end.

Where not every point can be computed, only the prover's reasoning ties its obligations to the claim. This
asks the claim directly, with one digit for every mode of a map: harder for a solver, so there may be no
answer, but one that owes the prover nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluator import entries_of, syntax
from ..sentence import phrase


class NoWords(ValueError):
    """A part that is not asked this way: bits, swizzles, `covers`, `delivered`."""


def question(part: Mapping[str, Any], domain: Sequence[Mapping[str, Any]], facts: Sequence[str] = ()) -> str:
    """The script that asks for a point where the facts hold and the part is false. Raises NoWords."""
    writer = _Writer([*domain, *part.get("digits", ())])
    given = [writer.relation(r) for r in (*facts, *part["given"])]
    false = writer.negation(part)
    if writer.senseless:  # a map with a size below 1 is none, and says nothing that could be confirmed
        false = f"(or {_all([*writer.inside, false])} {' '.join(writer.senseless)})"
    else:
        writer.facts += writer.inside
    return "\n".join(
        [
            f"; {' '.join(phrase(part).split())}",
            f"(set-logic {'QF_LIA' if writer.linear else 'QF_NIA'})",
            *writer.declarations,
            *(f"(assert {fact})" for fact in (*writer.facts, *given, false)),
            "(check-sat)",
            "",
        ]
    )


class _Writer:
    def __init__(self, domain: Sequence[Mapping[str, Any]]) -> None:
        self.declarations: list[str] = []
        self.facts: list[str] = []
        self.least: dict[str, int] = {}
        self.linear = True
        self.inside: list[str] = []  # that indices of maps are below their sizes
        self.senseless: list[str] = []  # that a size is below 1, of each for which it is not plain
        for digit in domain:
            self.least[digit["name"]] = digit["from"]
            name = self.declare(f"|{digit['name']}|")
            self.facts.append(f"(<= {_integer(digit['from'])} {name})")
            if digit["below"] is not None:
                self.facts.append(f"(< {name} {self.text(str(digit['below']))})")

    def declare(self, name: str) -> str:
        self.declarations.append(f"(declare-const {name} Int)")
        return name

    def fresh(self, name: str) -> str:
        return self.declare(f"|{name}.{len(self.declarations)}|")

    def text(self, expression: str) -> str:
        return self.term(syntax(expression))

    def term(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=int(n)):
                return str(n)
            case ast.Name(id=name) if name in self.least:
                return f"|{name}|"
            case ast.UnaryOp(op=ast.USub(), operand=x):
                return f"(- {self.term(x)})"
            case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
                return f"({'+' if isinstance(op, ast.Add) else '-'} {self.term(a)} {self.term(b)})"
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return self.times(self.term(a), self.term(b))
            case ast.BinOp(left=a, op=ast.FloorDiv(), right=b):
                return self.divided(self.term(a), b)[0]
            case ast.BinOp(left=a, op=ast.Mod(), right=b):
                return self.divided(self.term(a), b)[1]
        raise NoWords(ast.unparse(node))

    def times(self, *factors: str) -> str:
        symbols = [f for f in factors if not _number(f)]
        self.linear &= len(symbols) < 2
        return _joined("*", factors)

    def divided(self, x: str, divisor: ast.expr) -> tuple[str, str]:
        """Quotient and remainder: SMT-LIB's own by a number, else pinned by `x = n*q + r`, `0 <= r < n`."""
        if self.at_least(divisor) < 1:
            raise NoWords(f"division by {ast.unparse(divisor)}, which may not be positive")
        n = self.term(divisor)
        if _number(n):
            return f"(div {x} {n})", f"(mod {x} {n})"
        q, r = self.fresh("q"), self.fresh("r")
        self.facts += [f"(= {x} (+ {self.times(n, q)} {r}))", f"(<= 0 {r})", f"(< {r} {n})"]
        return q, r

    def at_least(self, node: ast.expr) -> int:
        """A lower end of an expression that has no minus in it, below 0 where none is known."""
        match node:
            case ast.Constant(value=int(n)):
                return n
            case ast.Name(id=name):
                return self.least.get(name, -1)
            case ast.BinOp(left=a, op=ast.Add() | ast.Mult() as op, right=b):
                x, y = self.at_least(a), self.at_least(b)
                if x < 0 or y < 0:
                    return -1
                return x + y if isinstance(op, ast.Add) else x * y
        return -1

    def relation(self, relation: str) -> str:
        found = re.fullmatch(r"(.+?) (=|!=|<=?|>=?) (.+)", relation)
        if found is None:
            raise NoWords(relation)
        left, op, right = found.groups()
        a, b = self.text(left), self.text(right)
        return f"(not (= {a} {b}))" if op == "!=" else f"({op} {a} {b})"

    def negation(self, part: Mapping[str, Any]) -> str:
        match part["kind"]:
            case "relations":
                return _not_all([self.relation(r) for r in part["hold"]])
            case "within":
                _, values = self.point(part["map"])
                low, below = self.text(part["low"]), self.text(part["below"])
                return _not_all([x for v in values.values() for x in (f"(<= {low} {v})", f"(< {v} {below})")])
            case "aligned":
                _, values = self.point(part["map"])
                by = syntax(part["by"])
                return _not_all([f"(= 0 {self.divided(v, by)[1]})" for v in values.values()])
            case "injective":
                (i, x), (j, y) = self.point(part["map"]), self.point(part["map"])
                apart = _not_all([f"(= {a} {b})" for a, b in zip(i, j, strict=True)])
                return _all([*_same(x, y), apart])
            case "disjoint":
                return _all(_same(self.point(part["a"])[1], self.point(part["b"])[1]))
            case "equal maps":
                (i, x), (j, y) = self.point(part["a"]), self.point(part["b"])
                one_size = f"(= {self.size(part['a'])} {self.size(part['b'])})"
                met = f"(= {self.index(part['a'], i)} {self.index(part['b'], j)})"
                return f"(or (not {one_size}) {_all([met, _not_all(_same(x, y))])})"
        raise NoWords(part["kind"])

    def modes(self, m: Any) -> list[tuple[str, tuple[int, ...], str]]:
        """Size, coordinate and stride of each mode of a map. Raises NoWords for a swizzle or an offset."""
        if not isinstance(m, str) or m.startswith("Sw<"):
            raise NoWords("a swizzle or an offset")
        shape, _, stride = m.partition(":")
        found = []
        for (_, count), (_, step) in zip(entries_of(syntax(shape)), entries_of(syntax(stride)), strict=True):
            path: tuple[int, ...] = ()
            while isinstance(step, ast.BinOp) and isinstance(step.op, ast.MatMult):
                path, step = (*path, int(self.term(step.right))), step.left
            size = self.term(count)
            if self.at_least(count) < 1:
                self.senseless.append(f"(< {size} 1)")
            found.append((size, path, self.term(step)))
        return found

    def point(self, m: Any) -> tuple[list[str], dict[tuple[int, ...], str]]:
        """Digits of a map's modes, and its value there, by coordinate."""
        modes = self.modes(m)
        digits = [self.fresh("i") for _ in modes]
        columns: dict[tuple[int, ...], list[str]] = {}
        for digit, (count, path, step) in zip(digits, modes, strict=True):
            self.inside += [f"(<= 0 {digit})", f"(< {digit} {count})"]
            columns.setdefault(path, []).append(self.times(step, digit))
        if len(columns) > 1 and () in columns:
            if any(not path and step != "0" for _, path, step in modes):
                raise NoWords("strides of integers and of coordinates")
            del columns[()]
        return digits, {path: _joined("+", terms) for path, terms in columns.items()}

    def size(self, m: Any) -> str:
        return self.times(*(count for count, _, _ in self.modes(m)))

    def index(self, m: Any, digits: Sequence[str]) -> str:
        sizes = [count for count, _, _ in self.modes(m)]
        return _joined("+", [self.times(*sizes[:k], digit) for k, digit in enumerate(digits)])


def _integer(n: int) -> str:
    return str(n) if n >= 0 else f"(- {-n})"


def _same(x: Mapping[Any, str], y: Mapping[Any, str]) -> list[str]:
    return [f"(= {x.get(path, 0)} {y.get(path, 0)})" for path in sorted({*x, *y})]


def _all(terms: Sequence[str]) -> str:
    return terms[0] if len(terms) == 1 else f"(and {' '.join(terms)})" if terms else "true"


def _not_all(terms: Sequence[str]) -> str:
    return f"(not {_all(terms)})"


def _joined(op: str, terms: Sequence[str]) -> str:
    return terms[0] if len(terms) == 1 else f"({op} {' '.join(terms)})"


def _number(term: str) -> bool:
    return term.isdecimal()
