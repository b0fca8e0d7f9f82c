"""Polynomials over the digits of a certificate: what can be shown of a claim for all their values.

An expression of a certificate is read as a polynomial with integer coefficients. `E // n` is A where `E = n*A
+ B` and `0 <= B < n` at every point of the domain; a quotient of which that is not shown is a symbol of its
own. A digit below `n*m` is written as `x + n*y` with x below n and y below m where that lets a quotient be
taken; it names the same integers. That a polynomial is never negative is shown from the ends of the digits
that it is linear in, and from coefficients that are not negative for the others. All of it is sufficient and
none of it necessary: what is not shown here is not false.

It imports the reader of expressions and nothing else: no code of the prover or the layout algebra.
"""

import ast
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from .. import evaluator

Term = tuple[str, ...]  # the names of a product, sorted; () is 1
Poly = dict[Term, int]
MOST_TERMS = 300
MOST_STEPS = 20_000  # of looking at ends, over one question


class Open(Exception):
    """It is not shown here."""


class Split(Exception):
    """A digit that has to be written as two."""

    def __init__(self, name: str, by: Poly) -> None:
        self.name, self.by = name, by


def constant(n: int) -> Poly:
    return {(): n} if n else {}


def plus(a: Poly, b: Poly, times: int = 1) -> Poly:
    found = dict(a)
    for term, c in b.items():
        found[term] = found.get(term, 0) + c * times
        if not found[term]:
            del found[term]
    return found


def product(a: Poly, b: Poly) -> Poly:
    found: Poly = {}
    if len(a) * len(b) > MOST_TERMS * 10:
        raise Open
    for x, c in a.items():
        for y, d in b.items():
            term = tuple(sorted(x + y))
            found[term] = found.get(term, 0) + c * d
    return {term: c for term, c in found.items() if c}


def quotient(term: Term, c: int, by: Term, d: int) -> tuple[Term, int, int] | None:
    """A term over another: the quotient's names and coefficient, and what is left of c."""
    rest = list(term)
    for name in by:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest), *divmod(c, d)


class Digits:
    """The digits of a domain: their least values and, where they have one, their greatest, in the digits
    before them."""

    def __init__(self, domain: Sequence[Mapping[str, Any]], facts: Sequence[str] = ()) -> None:
        self.least: dict[str, int] = {}
        self.greatest: dict[str, Poly] = {}
        self.written: dict[str, Poly] = {}  # digits that are written as two others
        self.quotients: dict[Any, str] = {}
        self.refused: set[tuple[str, Term, int]] = set()
        self.steps = MOST_STEPS
        self.fresh = count()
        for digit in domain:
            name = digit["name"]
            self.least[name] = digit["from"]
            if digit["below"] is not None:
                self.greatest[name] = plus(self.read(str(digit["below"])), constant(-1))
        self.facts = [fact for text in facts if (fact := self._fact(text)) is not None]

    def _fact(self, text: str) -> Poly | None:
        """What a fact says is not negative; None for one of another form."""
        left, sign, right = text.partition(" >= ")
        try:
            return plus(self.read(left), self.read(right), -1) if sign else None
        except (Open, Split, evaluator.Malformed):
            return None

    def write_as_two(self, name: str, by: Poly) -> None:
        """Where n divides the number of a digit; else it is remembered that it does not."""
        try:
            self._split(name, by)
        except Open:
            ((term, c),) = by.items()
            self.refused.add((name, term, c))

    def _split(self, name: str, by: Poly) -> None:
        """Write a digit of 0 .. n*m - 1 as x + n*y. Raises Open where n does not divide its number."""
        below = plus(self.greatest[name], constant(1)) if name in self.greatest else None
        if self.least[name] != 0 or below is None or len(by) != 1 or not self.positive(by):
            raise Open
        ((n, c),) = by.items()
        parts = [quotient(term, k, n, c) for term, k in below.items()]
        if any(part is None or part[2] for part in parts):
            raise Open
        m: Poly = {}
        for part in parts:
            assert part is not None
            m = plus(m, {part[0]: part[1]})
        if m == constant(1):
            raise Open
        low, high = f"{name}.{next(self.fresh)}", f"{name}.{next(self.fresh)}"
        self.least |= {low: 0, high: 0}
        self.greatest |= {low: plus(by, constant(-1)), high: plus(m, constant(-1))}
        self.written[name] = plus({(low,): 1}, product(by, {(high,): 1}))

    def symbol(self, name: str) -> Poly:
        if name in self.written:
            found: Poly = {}
            for term, c in self.written[name].items():
                one = constant(c)
                for other in term:
                    one = product(one, self.symbol(other))
                found = plus(found, one)
            return found
        if name not in self.least:
            raise evaluator.Malformed(f"{name} is not a digit of the domain")
        only = constant(self.least[name])
        return only if self.greatest.get(name) == only else {(name,): 1}

    def read(self, text: str) -> Poly:
        return self.poly(evaluator.syntax(text))

    def poly(self, node: ast.expr) -> Poly:
        """The polynomial that an expression is at every point. Raises Open, and Split."""
        match node:
            case ast.Constant(value=int(n)):
                return constant(n)
            case ast.Name(id=name):
                return self.symbol(name)
            case ast.UnaryOp(op=ast.USub(), operand=x):
                return plus({}, self.poly(x), -1)
            case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
                return plus(self.poly(a), self.poly(b), 1 if isinstance(op, ast.Add) else -1)
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return product(self.poly(a), self.poly(b))
            case ast.BinOp(left=a, op=ast.FloorDiv(), right=b):
                return self.divided(self.poly(a), self.poly(b))[0]
            case ast.BinOp(left=a, op=ast.Mod(), right=b):
                return self.divided(self.poly(a), self.poly(b))[1]
        raise Open

    def divided(self, p: Poly, n: Poly) -> tuple[Poly, Poly]:
        """Quotient and remainder. Raises Open, and Split where writing a digit as two may help."""
        whole: Poly = {}
        rest = p
        if len(n) == 1:
            ((by, d),) = n.items()
            if d < 1:
                raise Open
            rest = {}
            for term, c in p.items():
                found = quotient(term, c, by, d)
                if found is None:
                    rest = plus(rest, {term: c})
                else:
                    whole = plus(whole, {found[0]: found[1]})
                    rest = plus(rest, {term: found[2]})
        if self.positive(n) and self.nonneg(rest) and self.positive(plus(n, rest, -1)):
            return whole, rest
        if not self.positive(n):
            raise Open
        if len(n) == 1:
            self._wants_split(rest, by, d)
        key = (tuple(sorted(rest.items())), tuple(sorted(n.items())))
        name = self.quotients.setdefault(key, f".{len(self.quotients)}")  # of which nothing else is known
        return plus(whole, {(name,): 1}), plus(rest, product(n, {(name,): 1}), -1)

    def _wants_split(self, rest: Poly, by: Term, d: int) -> None:
        for term, c in rest.items():
            for name in term:
                if name not in self.greatest or self.least[name] != 0 or c < 1:
                    continue
                others = list(term)
                others.remove(name)
                if any(by.count(other) < others.count(other) for other in others) or d % c:
                    continue
                left = list(by)
                for other in others:
                    left.remove(other)
                size: Poly = {tuple(left): d // c}
                if size != constant(1) and (name, tuple(left), d // c) not in self.refused:
                    raise Split(name, size)

    # --- signs ---

    def positive(self, p: Poly) -> bool:
        return self.nonneg(plus(p, constant(-1)))

    def nonneg(self, p: Poly) -> bool:
        """Whether p >= 0 is shown at every point where the facts hold."""
        return self._by_ends(p) or any(self._by_ends(plus(p, fact, -1)) for fact in self.facts)

    def _by_ends(self, p: Poly) -> bool:
        """From the ends of the digits that p is linear in."""
        self.steps -= 1
        if self.steps < 0 or len(p) > MOST_TERMS:
            raise Open
        bounded = [name for name in reversed(list(self.least)) if name in self.greatest]
        for name in bounded:
            slope, rest = {}, {}
            for term, c in p.items():
                if term.count(name) > 1:
                    return self._by_signs(p)
                if name in term:
                    others = list(term)
                    others.remove(name)
                    slope[tuple(others)] = c
                else:
                    rest[term] = c
            if not slope:
                continue
            low = plus(rest, product(slope, constant(self.least[name])))
            high = plus(rest, product(slope, self.greatest[name]))
            if all(self.least.get(x, -1) >= 0 for t in slope for x in t):
                if all(c > 0 for c in slope.values()):
                    return self._by_ends(low)
                if all(c < 0 for c in slope.values()):
                    return self._by_ends(high)
            return self._by_ends(low) and self._by_ends(high)
        return self._by_signs(p)

    def _by_signs(self, p: Poly) -> bool:
        """By coefficients alone, of how far each name is above its least value."""
        found: Poly = {}
        for term, c in p.items():
            one = constant(c)
            for name in term:
                if name not in self.least:
                    return False
                one = product(one, plus({(name,): 1}, constant(self.least[name])))
            found = plus(found, one)
        return all(c >= 0 for c in found.values())


Modes = list[tuple[Poly, evaluator.Path, Poly]]  # size, coordinate and stride


def modes_of(m: Any, digits: Digits) -> Modes:
    """The modes of a layout. Raises Open for a swizzle or an offset."""
    if not isinstance(m, str) or " o " in m:
        raise Open
    shape, _, stride = m.partition(":")
    found: Modes = []
    sizes, steps = (evaluator.entries_of(evaluator.syntax(half)) for half in (shape, stride))
    for (_, size), (_, step) in zip(sizes, steps, strict=True):
        path: evaluator.Path = ()
        while isinstance(step, ast.BinOp) and isinstance(step.op, ast.MatMult):
            path, step = (*path, evaluator.number(step.right, {})), step.left
        found.append((digits.poly(size), path, digits.poly(step)))
    if not all(digits.positive(size) for size, _, _ in found):
        raise Open
    if any(path for _, path, _ in found) and any(step and not path for _, path, step in found):
        raise evaluator.Malformed(f"{m} has strides of integers and of coordinates")
    return found
