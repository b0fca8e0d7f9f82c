"""Integer expressions over bounded digits: what a layout answers when it is asked about every lane at once.

A digit is a variable with a range, `Var("lane", 32)` stands for every `0 <= lane < 32`. Evaluating a layout
at digits gives an expression instead of a number:

    L = Layout(((4, 8), (2, 2)), ((16, 1), (8, 64)))        # the B operand of SM80_16x8x16
    L(Var("lane", 32), 0)                                    # lane%4*16 + lane//4

Rules that the rest relies on:

1. An expression is the raw tree of what was written. Nothing is simplified behind the author's back except
   `x + 0`, `x * 1`, `x * 0`, `x // 1` and `x % 1`, so a solver judges the claim and not a rewriting of it.
2. Integers stay integers: no operation on plain ints makes an expression.
3. Every expression knows a range `lo <= x <= hi`; `None` is an open end. `//` and `%` floor, as Python's
   and as the layout algebra's.
4. `simplify` is separate: an exact normal form (polynomials over digits and irreducible quotients), for
   printing and for fast answers. Polynomials, not just linear forms, so that sizes and strides may become
   symbols.
5. A size or stride that is a polynomial (`Dim`) joins an expression as the tree of its terms, its parameters
   as open digits. Divisors may then be expressions whose range says that they are positive.

Nothing here imports a solver or an algebra package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, Union

from .dim import Dim, make
from .errors import OneBranch, UnsupportedError
from .polynomial import Param, Poly
from .ranges import RANGES, Range
from .symbol import Symbol, as_whole, asked_within, note

Int: TypeAlias = Union[int, "Expr"]


class Expr(Symbol):
    """An operation and its operands. `op` is one of `+ - * // % & | ^` (`-` has two operands), or `var`."""

    __slots__ = ("_hash", "_normal", "args", "hi", "lo", "op")

    op: str
    args: tuple[Any, ...]
    lo: int | None
    hi: int | None

    def __init__(self, op: str, args: tuple[Any, ...], span: Range) -> None:
        self.op = op
        self.args = args
        self.lo, self.hi = span
        # odd numbers, because hash(-1) = hash(-2): two expressions of one hash would be compared, and that
        # raises NeedFact
        self._hash = hash((op, *[2 * a + 1 if type(a) is int else a for a in args]))
        self._normal: Any = None

    def __add__(self, other: Any) -> Int:
        if isinstance(other, int) and other == 0:
            return self
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Int:
        if isinstance(other, int) and other == 0:
            return self
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Int:
        if isinstance(other, int) and other == 0:
            return self
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Int:
        return _binary("-", other, self)

    def __neg__(self) -> Int:
        return _binary("-", 0, self)

    def __mul__(self, other: Any) -> Int:
        if isinstance(other, int) and other in (0, 1):
            return self if other else 0
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Int:
        return self.__mul__(other) if isinstance(other, int) else _binary("*", other, self)

    def __floordiv__(self, other: Any) -> Int:
        divisor = _divisor("//", other)
        return self if isinstance(divisor, int) and divisor == 1 else _binary("//", self, divisor)

    def __mod__(self, other: Any) -> Int:
        divisor = _divisor("%", other)
        return 0 if isinstance(divisor, int) and divisor == 1 else _binary("%", self, divisor)

    def __divmod__(self, other: Any) -> tuple[Int, Int]:
        return self // other, self % other

    def __rfloordiv__(self, other: Any) -> Int:
        raise UnsupportedError(f"{other} // ({self}): division by a symbol needs facts about it")

    def __rmod__(self, other: Any) -> Int:
        raise UnsupportedError(f"{other} % ({self}): division by a symbol needs facts about it")

    def __and__(self, other: Any) -> Int:
        return 0 if isinstance(other, int) and other == 0 else _binary("&", self, other)

    def __or__(self, other: Any) -> Int:
        return self if isinstance(other, int) and other == 0 else _binary("|", self, other)

    def __xor__(self, other: Any) -> Int:
        return self if isinstance(other, int) and other == 0 else _binary("^", self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __lshift__(self, count: int) -> Int:
        return self * (1 << count)

    def __rshift__(self, count: int) -> Int:
        return self // (1 << count)

    def __eq__(self, other: object) -> bool:
        """Whether the two have equal values, where that is plain to see: the same tree, or ranges that do not
        meet. Elsewhere the answer depends on the digits, and Python code that asked would take one branch
        for all of them: OneBranch is raised. The claim that they are equal is `equal(a, b)`.
        """
        if self is other or same_tree(self, other):
            return True
        x = _comparable(other)
        if x is None:
            return False
        if isinstance(other, Dim) and asked_within():
            return same_tree(self, x)
        return self._decide("=", x, False, _below(self, x) or _below(x, self))

    def __ne__(self, other: object) -> bool:
        return not self.__eq__(other)

    def __lt__(self, other: Any) -> Any:
        return self._order("<", other, _below, lambda a, b: _at_most(b, a))

    def __le__(self, other: Any) -> Any:
        return self._order("<=", other, _at_most, lambda a, b: _below(b, a))

    def __gt__(self, other: Any) -> Any:
        return self._order(">", other, lambda a, b: _below(b, a), _at_most)

    def __ge__(self, other: Any) -> Any:
        return self._order(">=", other, lambda a, b: _at_most(b, a), _below)

    def _order(self, op: str, other: Any, yes: Callable[..., bool], no: Callable[..., bool]) -> Any:
        x = _comparable(other)
        return NotImplemented if x is None else self._decide(op, x, yes(self, x), no(self, x))

    def _decide(self, op: str, other: Int, yes: bool, no: bool) -> bool:
        if yes or no:
            return yes
        text = _show(other, 0)  # whoever asked
        if not asked_within():
            note(f"{self._text()} {op} {text}")
        raise OneBranch(
            f"`{self._text()}` {_WORDS[op]} `{text}` for some values and not for others\n"
            "  Python code cannot branch on a symbol: state a claim, equal(a, b), or give plain integers"
        )

    def __hash__(self) -> int:
        if not asked_within():
            self._may_not_be_hashed()
        return self._hash

    def __bool__(self) -> bool:
        if _below(self, 0) or _below(0, self):
            return True
        if not asked_within():
            note(f"bool({self._text()})")
        self._refuse("if, and, or, not", "it is neither true nor false, 0 or not: state a claim, equal(a, b)")

    def __abs__(self) -> Int:
        if _at_most(0, self):
            return self
        if _at_most(self, 0):
            return -self
        self._refuse("abs", "its sign is open: state a claim for either sign, given within(a, 0, n)")

    def __pow__(self, n: int) -> Int:
        if not isinstance(n, int) or n < 0:
            self._refuse(f"** {n}", "a plain exponent of 0 or more is needed")
        result: Int = 1
        for _ in range(n):
            result = self * result
        return result

    def _text(self) -> str:
        return _show(self, 0)

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The value at one point. Raises KeyError for a digit without a value."""
        return evaluate(self, values)


_WORDS = {"=": "equals", "<": "is below", "<=": "is at most", ">": "is above", ">=": "is at least"}


def _comparable(x: object) -> Int | None:
    """What a digit can be compared with, as an integer or an expression; None for anything else."""
    if isinstance(x, Dim):
        return of_poly(x.terms)
    x = x if isinstance(x, Expr) else as_whole(x)
    return x if isinstance(x, (int, Expr)) else None


def _below(x: Int, y: Int) -> bool:
    """Whether x < y is plain from the ranges."""
    (_, hi), (lo, _) = span(x), span(y)
    return hi is not None and lo is not None and hi < lo


def _at_most(x: Int, y: Int) -> bool:
    """Whether x <= y is plain from the ranges."""
    (_, hi), (lo, _) = span(x), span(y)
    return hi is not None and lo is not None and hi <= lo


def same_tree(a: object, b: object) -> bool:
    """Whether two expressions are built alike, operation by operation."""
    if isinstance(a, Expr) and isinstance(b, Expr):
        return (
            a._hash == b._hash
            and a.op == b.op
            and len(a.args) == len(b.args)
            and all(x is y or same_tree(x, y) for x, y in zip(a.args, b.args, strict=True))
        )
    return not isinstance(a, Expr) and not isinstance(b, Expr) and a == b


class Var(Expr):
    """The digit `name`, with `lower <= name < bound`; without a bound it is open above.

    The bound may be a Dim: `Var("n", N)` for `0 <= n < N`. `param` is the parameter that a Dim's own term is.
    """

    __slots__ = ("bound", "lower", "name", "param")

    def __init__(self, name: str, bound: Any, lower: int | None = 0, param: Param | None = None) -> None:
        if bound is not None and lower is not None and (bound <= lower) is True:
            raise ValueError(f"{name} ranges over nothing: {lower} <= {name} < {bound}")
        self.name = name
        self.bound = bound
        self.lower = lower
        self.param = param
        super().__init__("var", (name, lower, bound), (lower, bound - 1 if isinstance(bound, int) else None))

    def _shown(self) -> str:
        least = "" if self.lower == 0 else f", {self.lower!r}"
        return f"Var({self.name!r}, {self.bound!r}{least})"


def of_poly(p: Poly) -> Int:
    """A polynomial as an expression: the sum of its terms."""
    total: Int = 0
    for m, c in sorted(p.items(), key=lambda item: (item[0] == (), len(item[0]), item[0])):
        term: Int = c if not m else abs(c)
        for v in m:
            term = var_of(v) * term
        total = total - term if c < 0 and m else total + term
    return total


def var_of(v: Param) -> Var:
    """A parameter as a digit, open above or up to its bound."""
    return Var(v, None if v.bound is None else make(v.bound), v.least, v)


def _divisor(op: str, n: Any) -> Int:
    if isinstance(n, Dim):
        n = of_poly(n.terms)
    if isinstance(n, Expr):
        if n.lo is None or n.lo < 1:
            raise UnsupportedError(f"{op} ({n}): division by a symbol needs facts about it")
        return n
    if not isinstance(n, int):
        raise TypeError(f"{op} {n!r}: an integer is needed")
    if n == 0:
        raise ZeroDivisionError(f"{op} 0")
    if n < 0:
        raise UnsupportedError(f"{op} {n}: only positive divisors occur in layouts")
    return n


def _binary(op: str, a: Any, b: Any) -> Int:
    if isinstance(a, Dim):
        a = of_poly(a.terms)
    elif isinstance(b, Dim):
        b = of_poly(b.terms)
    if not isinstance(a, (int, Expr)) or not isinstance(b, (int, Expr)):
        return NotImplemented  # type: ignore[no-any-return]  # coordinates and the like answer for themselves
    a, b = (int(x) if isinstance(x, int) else x for x in (a, b))  # True is 1
    ends = RANGES[op](span(a), span(b))
    if op == "*" and isinstance(a, Expr) and same_tree(a, b):
        ends = (max(ends[0] or 0, 0), ends[1])
    return Expr(op, (a, b), ends)


def span(x: Int) -> Range:
    """The range of an expression, a Dim or an int, both ends included."""
    if isinstance(x, Dim):
        x = of_poly(x.terms)
    return (x, x) if isinstance(x, int) else (x.lo, x.hi)


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def evaluate(x: Int, values: Mapping[str, int]) -> int:
    """The integer that `x` is at one point; ints are themselves."""
    if isinstance(x, int):
        return x
    if isinstance(x, Dim):
        return x.evaluate(values)
    if isinstance(x, Var):
        return values[x.name]
    a, b = x.args
    return OPERATIONS[x.op](evaluate(a, values), evaluate(b, values))


def variables(*xs: Int) -> tuple[Var, ...]:
    """The digits that occur, each once, in the order in which they are read."""
    seen: set[int] = set()
    found: dict[str, Var] = {}

    def walk(x: Any) -> None:
        if isinstance(x, Dim):
            for v in x.params():
                walk(var_of(v))
        if not isinstance(x, Expr) or id(x) in seen:
            return
        seen.add(id(x))
        if isinstance(x, Var):
            walk(x.bound)
            if not same_tree(found.setdefault(x.name, x), x):
                raise ValueError(f"two digits are called {x.name}: {found[x.name]!r} and {x!r}")
        else:
            for a in x.args:
                walk(a)

    for x in xs:
        walk(x)
    return tuple(found.values())


def leaves(t: Any) -> Iterator[Int]:
    """The integers of a nested coordinate, left to right."""
    if isinstance(t, (tuple, list)):
        for x in t:
            yield from leaves(x)
    else:
        yield t


_STRENGTH = {"|": 1, "^": 2, "&": 3, "+": 4, "-": 4, "*": 5, "//": 5, "%": 5}
_BITS = ("|", "^", "&")


def _is(op: str, x: Any) -> bool:
    return isinstance(x, Expr) and x.op == op


def _show(x: Any, around: int) -> str:
    if isinstance(x, Var):
        return str(x.name)
    if not isinstance(x, Expr):
        return str(x) if x >= 0 or around == 0 else f"({x})"
    strength = _STRENGTH[x.op]
    if x.op == "-" and isinstance(x.args[0], int) and x.args[0] == 0:
        inner = x.args[1]  # the minus belongs to the first factor, which must be a number: -2*a, but -(a//2)
        scaled = isinstance(inner, Expr) and inner.op == "*" and isinstance(inner.args[1], int)
        text = f"-{_show(inner, 5 if scaled else 6)}"
    elif x.op in _BITS:  # Python binds these less than +, C++ readers do not know it by heart
        text = f" {x.op} ".join(_show(a, strength if _is(x.op, a) else 6) for a in x.args)
    else:
        left = _show(x.args[0], strength)
        # * // % bind alike and from the left, so only a right operand of equal strength needs its parentheses
        right = _show(x.args[1], strength + (x.op != "+"))
        if x.op == "*" and isinstance(x.args[1], int):
            right, left = (
                _show(x.args[0], strength + 1),
                _show(x.args[1], strength),
            )  # 2*a reads better than a*2
        gap = " " if strength < 5 else ""
        text = f"{left}{gap}{x.op}{gap}{right}"
    return f"({text})" if strength < around else text
