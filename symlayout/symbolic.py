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

Nothing here imports a solver or an algebra package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, Union

from .errors import UnsupportedError

Int: TypeAlias = Union[int, "Expr"]
Range: TypeAlias = tuple["int | None", "int | None"]


class Expr:
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
        self._hash = hash((op, args))
        self._normal: Any = None

    def __add__(self, other: Any) -> Int:
        if other == 0:
            return self
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Int:
        if other == 0:
            return self
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Int:
        if other == 0:
            return self
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Int:
        return _binary("-", other, self)

    def __neg__(self) -> Int:
        return _binary("-", 0, self)

    def __mul__(self, other: Any) -> Int:
        if isinstance(other, int):
            if other == 0:
                return 0
            if other == 1:
                return self
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Int:
        return self.__mul__(other) if isinstance(other, int) else _binary("*", other, self)

    def __floordiv__(self, other: Any) -> Int:
        divisor = _divisor("//", other)
        return self if divisor == 1 else _binary("//", self, divisor)

    def __mod__(self, other: Any) -> Int:
        divisor = _divisor("%", other)
        return 0 if divisor == 1 else _binary("%", self, divisor)

    def __divmod__(self, other: Any) -> tuple[Int, Int]:
        return self // other, self % other

    def __rfloordiv__(self, other: Any) -> Int:
        raise UnsupportedError(f"{other} // ({self}): division by a symbol needs facts about it")

    def __rmod__(self, other: Any) -> Int:
        raise UnsupportedError(f"{other} % ({self}): division by a symbol needs facts about it")

    def __and__(self, other: Any) -> Int:
        return 0 if other == 0 else _binary("&", self, other)

    def __or__(self, other: Any) -> Int:
        return self if other == 0 else _binary("|", self, other)

    def __xor__(self, other: Any) -> Int:
        return self if other == 0 else _binary("^", self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __lshift__(self, count: int) -> Int:
        return self * (1 << count)

    def __rshift__(self, count: int) -> Int:
        return self // (1 << count)

    def __eq__(self, other: object) -> bool:
        """Sameness of the trees, for sets and dictionaries; that two expressions have equal values is
        `equal(a, b)`."""
        if self is other:
            return True
        if not isinstance(other, Expr) or self._hash != other._hash:
            return False
        return self.op == other.op and self.args == other.args

    def __hash__(self) -> int:
        return self._hash

    def __bool__(self) -> bool:
        raise TypeError(
            f"`{self}` stands for many integers and is neither true nor false: state a claim, equal(a, b)"
        )

    def __index__(self) -> int:
        raise TypeError(f"`{self}` stands for many integers; one integer is needed here")

    def __str__(self) -> str:
        return _show(self, 0)

    def __repr__(self) -> str:
        return f"Expr({self})"

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The value at one point. Raises KeyError for a digit without a value."""
        return evaluate(self, values)


class Var(Expr):
    """The digit `name`, with `lower <= name < bound`; without a bound it is open above."""

    __slots__ = ("bound", "lower", "name")

    def __init__(self, name: str, bound: int | None, lower: int | None = 0) -> None:
        if bound is not None and lower is not None and bound <= lower:
            raise ValueError(f"{name} ranges over nothing: {lower} <= {name} < {bound}")
        self.name = name
        self.bound = bound
        self.lower = lower
        super().__init__("var", (name, lower, bound), (lower, None if bound is None else bound - 1))

    def __repr__(self) -> str:
        return (
            f"Var({self.name!r}, {self.bound!r})"
            if self.lower == 0
            else f"Var({self.name!r}, {self.bound!r}, {self.lower!r})"
        )


def _divisor(op: str, n: Any) -> int:
    if isinstance(n, Expr):
        raise UnsupportedError(f"{op} ({n}): division by a symbol needs facts about it")
    if not isinstance(n, int):
        raise TypeError(f"{op} {n!r}: an integer is needed")
    if n == 0:
        raise ZeroDivisionError(f"{op} 0")
    if n < 0:
        raise UnsupportedError(f"{op} {n}: only positive divisors occur in layouts")
    return n


def _binary(op: str, a: Any, b: Any) -> Int:
    if not isinstance(a, (int, Expr)) or not isinstance(b, (int, Expr)):
        return NotImplemented  # type: ignore[no-any-return]  # coordinates and the like answer for themselves
    return Expr(op, (a, b), RANGES[op](span(a), span(b)))


def span(x: Int) -> Range:
    """The range of an expression or an int, both ends included."""
    return (x, x) if isinstance(x, int) else (x.lo, x.hi)


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _range_add(a: Range, b: Range) -> Range:
    return _plus(a[0], b[0]), _plus(a[1], b[1])


def _range_sub(a: Range, b: Range) -> Range:
    return _range_add(a, (None if b[1] is None else -b[1], None if b[0] is None else -b[0]))


def _range_mul(a: Range, b: Range) -> Range:
    if a[0] is not None and a[1] is not None and b[0] is not None and b[1] is not None:
        corners = [x * y for x in (a[0], a[1]) for y in (b[0], b[1])]
        return min(corners), max(corners)
    if a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] >= 0:
        return a[0] * b[0], None
    return None, None


def _range_div(a: Range, b: Range) -> Range:
    n = b[0]
    assert n is not None, "divisors are ints, `_divisor` sees to it"
    return (None if a[0] is None else a[0] // n), (None if a[1] is None else a[1] // n)


def _range_mod(a: Range, b: Range) -> Range:
    n = b[0]
    assert n is not None, "divisors are ints, `_divisor` sees to it"
    if a[0] is not None and a[1] is not None and a[0] // n == a[1] // n:
        return a[0] % n, a[1] % n
    return 0, n - 1


def _bits(a: Range, b: Range) -> int | None:
    """Bits that hold every value of both ranges, without the sign."""
    ends = (*a, *b)
    if any(e is None for e in ends):
        return None
    return max((e if e >= 0 else ~e).bit_length() for e in ends if e is not None)


def _range_bitwise(a: Range, b: Range) -> Range:
    bits = _bits(a, b)
    nonnegative = a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] >= 0
    if bits is None:
        return (0 if nonnegative else None), None
    return (0 if nonnegative else -(1 << bits)), (1 << bits) - 1


def _range_and(a: Range, b: Range) -> Range:
    lo, hi = _range_bitwise(a, b)
    for x in (a, b):  # x & y lies in 0..x when x is not negative
        if x[0] is not None and x[0] >= 0:
            lo = 0
            if x[1] is not None:
                hi = x[1] if hi is None else min(hi, x[1])
    return lo, hi


RANGES: dict[str, Callable[[Range, Range], Range]] = {
    "+": _range_add,
    "-": _range_sub,
    "*": _range_mul,
    "//": _range_div,
    "%": _range_mod,
    "&": _range_and,
    "|": _range_bitwise,
    "^": _range_bitwise,
}

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
    if isinstance(x, Var):
        return values[x.name]
    a, b = x.args
    return OPERATIONS[x.op](evaluate(a, values), evaluate(b, values))


def variables(*xs: Int) -> tuple[Var, ...]:
    """The digits that occur, each once, in the order in which they are read."""
    seen: set[int] = set()
    found: dict[str, Var] = {}

    def walk(x: Any) -> None:
        if not isinstance(x, Expr) or id(x) in seen:
            return
        seen.add(id(x))
        if isinstance(x, Var):
            if found.setdefault(x.name, x) != x:
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


def _show(x: Any, around: int) -> str:
    if isinstance(x, Var):
        return x.name
    if not isinstance(x, Expr):
        return str(x) if x >= 0 or around == 0 else f"({x})"
    strength = _STRENGTH[x.op]
    if x.op == "-" and x.args[0] == 0 and isinstance(x.args[0], int):
        text = f"-{_show(x.args[1], 5)}"
    else:
        left = _show(x.args[0], strength)
        # * // % bind alike and from the left, so only a right operand of equal strength needs its parentheses
        right = _show(x.args[1], strength + (x.op not in ("+", "|", "^", "&")))
        if x.op == "*" and isinstance(x.args[1], int):
            right, left = (
                _show(x.args[0], strength + 1),
                _show(x.args[1], strength),
            )  # 2*a reads better than a*2
        gap = " " if strength < 5 else ""
        text = f"{left}{gap}{x.op}{gap}{right}"
    return f"({text})" if strength < around else text
