"""Obligations as SMT-LIB 2 text: the very text that the solver judges and that a certificate keeps.

The text asks for a counterexample (premises, and not all goals), so `unsat` means that the obligation
holds. Two encodings:

- **linear integers** (`QF_LIA`). A quotient and remainder by n become two fresh integers with `x = n*q + r`
  and `0 <= r < n`, which pins both; the solver's own div and mod, slow beyond small domains, never occur.
- **integers with products** (`QF_NIA`), where sizes are parameters: identities of polynomials and ranges of
  them, without a quotient.
- **bit-vectors** (`QF_BV`), where xor, or, an unruly mask, or a product of two digits occurs and every
  range is finite. The width holds every intermediate value with its sign, so nothing wraps; division by 2^k
  is an arithmetic shift.

What cannot be said in either raises UnsupportedError; the caller then knows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .errors import UnsupportedError
from .formula import Obligation, Relation
from .names import spelled
from .symbolic import Expr, Int, Var, span

NAMED_FROM = 160  # characters
# what means something to a solver: with bars around it, it is the same symbol
RESERVED = frozenset(
    """
    ! _ as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING true false not and or xor ite
    distinct div mod abs is Int Bool Real Array BitVec select store divisible to_int to_real is_int concat
    extract if then else iff implies min max bv2nat nat2bv int2bv
    """.split()
)


def to_smtlib(obligation: Obligation, *, goal: bool = True) -> str:
    """The script of one obligation. `goal=False` leaves the goals out: is there anything to speak about?"""
    nodes = _nodes(x for r in obligation.relations() for x in (r.left, r.right))
    if any(x.op in ("//", "%") and not isinstance(x.args[1], int) for x in nodes):
        raise UnsupportedError("a quotient by a divisor that is not a plain integer")
    names = symbols(obligation.digits)
    encoder = _Bits(names, nodes, obligation) if _in_bits(nodes, obligation) else _Integers(names)
    for v in obligation.digits:
        encoder.digit(v)
    premises = [encoder.relation(p) for p in obligation.premises]
    goals = [encoder.relation(g) for g in obligation.goals]
    lines = [f"; {line}" for line in obligation.says.splitlines()]
    lines += [f"(set-logic {encoder.logic})", *encoder.declarations, *encoder.facts]
    lines += [f"(assert {p})" for p in premises]
    if goal:
        lines.append(f"(assert (not {_all(goals)}))")
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def sort_of(text: str) -> int | None:
    """The bit width of a script's digits, None for integers."""
    start = text.find("(_ BitVec ")
    return int(text[start + len("(_ BitVec ") : text.index(")", start)]) if start >= 0 else None


def logic_of(text: str) -> str:
    """The logic that a script asks for; ALL if it does not say."""
    start = text.find("(set-logic ")
    return text[start + len("(set-logic ") : text.index(")", start)] if start >= 0 else "ALL"


def symbols(digits: Iterable[Var]) -> dict[str, str]:
    """For each digit of an obligation, by its name, what a script calls it (without the bars around it)."""
    return spelled((v.name for v in digits), RESERVED)


def symbol(text: str) -> str:
    return f"|{text}|"


def _nodes(xs: Iterable[Int]) -> list[Expr]:
    """Every distinct subexpression, operands before what uses them."""
    order: dict[Expr, None] = {}

    def walk(x: Int) -> None:
        if isinstance(x, Expr) and x not in order:
            if not isinstance(x, Var):
                for a in x.args:
                    walk(a)
            order[x] = None

    for x in xs:
        walk(x)
    return list(order)


def _in_bits(nodes: list[Expr], obligation: Obligation) -> bool:
    """Whether bit-vectors are needed, or better: for products where every range has its ends."""
    if any(x.op in ("^", "|") or (x.op == "&" and _mask(x) is None) for x in nodes):
        return True
    products = any(x.op == "*" and all(isinstance(a, Expr) for a in x.args) for x in nodes)
    return products and not any(None in span(x) for x in (*nodes, *obligation.digits))


def _mask(x: Expr) -> tuple[Expr, int, int] | None:
    """`(y, low, high)` of `y & mask` when the mask is the run of bits low <= k < high."""
    for y, mask in (x.args, x.args[::-1]):
        if isinstance(y, Expr) and isinstance(mask, int) and mask > 0:
            low = (mask & -mask).bit_length() - 1
            if mask >> low == (1 << (mask.bit_length() - low)) - 1:
                return y, low, mask.bit_length()
    return None


def _all(terms: list[str]) -> str:
    return terms[0] if len(terms) == 1 else f"(and {' '.join(terms)})" if terms else "true"


class _Encoder:
    logic = ""
    at_most = ""  # the word for <=

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self.declarations: list[str] = []
        self.facts: list[str] = []
        self.done: dict[Expr, str] = {}
        self.parts: dict[tuple[str, int], tuple[str, str]] = {}

    def relation(self, r: Relation) -> str:
        raise NotImplementedError

    def digit(self, v: Var) -> None:
        self.declare(symbol(self.names[v.name]), v.lo, v.hi)

    def declare(self, name: str, lo: int | None, hi: int | None) -> None:
        """A symbol with its bounds."""
        self.declarations.append(f"(declare-const {name} {self.sort()})")
        if lo is not None:
            self.facts.append(f"(assert ({self.at_most} {self.number(lo)} {name}))")
        if hi is not None:
            self.facts.append(f"(assert ({self.at_most} {name} {self.number(hi)}))")

    def quotient(self, x: Int, n: int) -> tuple[str, str]:
        """Symbols q and r with `x = n*q + r` and `0 <= r < n`, one pair for each x and n."""
        text = self.term(x)
        names = self.parts.get((text, n))
        if names is None:
            k = len(self.parts)
            names = self.parts[text, n] = (symbol(f"quotient.{k}"), symbol(f"remainder.{k}"))
            lo, hi = span(x)
            self.declare(names[0], None if lo is None else lo // n, None if hi is None else hi // n)
            self.declare(names[1], 0, n - 1)
            whole = self.plus(self.times(self.number(n), names[0]), names[1])
            self.facts.append(f"(assert (= {text} {whole}))")
        return names

    def plus(self, a: str, b: str) -> str:
        raise NotImplementedError

    def times(self, a: str, b: str) -> str:
        raise NotImplementedError

    def term(self, x: Int) -> str:
        if isinstance(x, int):
            return self.number(x)
        text = self.done.get(x)
        if text is None:
            text = symbol(self.names[x.name]) if isinstance(x, Var) else self.operation(x)
            if len(text) > NAMED_FROM:  # a term that occurs twice must not double at each level
                name = symbol(f"term.{len(self.declarations)}")
                self.declarations.append(f"(define-fun {name} () {self.sort()} {text})")
                text = name
            self.done[x] = text
        return text

    def sort(self) -> str:
        raise NotImplementedError

    def number(self, n: int) -> str:
        raise NotImplementedError

    def operation(self, x: Expr) -> str:
        raise NotImplementedError


class _Integers(_Encoder):
    logic = "QF_LIA"
    at_most = "<="

    def sort(self) -> str:
        return "Int"

    def plus(self, a: str, b: str) -> str:
        return f"(+ {a} {b})"

    def times(self, a: str, b: str) -> str:
        return f"(* {a} {b})"

    def number(self, n: int) -> str:
        return str(n) if n >= 0 else f"(- {-n})"

    def relation(self, r: Relation) -> str:
        a, b = self.term(r.left), self.term(r.right)
        return f"(not (= {a} {b}))" if r.op == "!=" else f"({r.op} {a} {b})"

    def operation(self, x: Expr) -> str:
        if x.op == "*" and isinstance(x.args[0], Expr) and isinstance(x.args[1], Expr):
            self.logic = "QF_NIA"
        if x.op in ("+", "-", "*"):
            return f"({x.op} {self.term(x.args[0])} {self.term(x.args[1])})"
        if x.op in ("//", "%"):
            return self.quotient(x.args[0], x.args[1])[x.op == "%"]
        found = _mask(x)
        assert found is not None, "other masks go to bit-vectors"
        y, low, high = found  # y & bits low..high-1 = 2^low * ((y // 2^low) % 2^(high-low))
        shifted: Int = y // (1 << low)
        picked = self.quotient(shifted, 1 << (high - low))[1]
        return picked if low == 0 else f"(* {1 << low} {picked})"


class _Bits(_Encoder):
    logic = "QF_BV"
    at_most = "bvsle"

    def __init__(self, names: Mapping[str, str], nodes: list[Expr], obligation: Obligation) -> None:
        super().__init__(names)
        ends: list[int | None] = []
        for x in (*nodes, *obligation.digits):
            ends += span(x)
            if not isinstance(x, Var):
                for a in x.args:
                    ends += span(a)
                if x.op in ("//", "%") and span(x.args[0])[0] is not None:
                    ends.append(x.args[0].lo - x.args[1])  # n*q may lie below the dividend's range
        for r in obligation.relations():
            ends += (*span(r.left), *span(r.right))
        if None in ends:
            raise UnsupportedError("bit operations, or products of symbols, over a range without an end")
        self.width = 1 + max((e if e >= 0 else ~e).bit_length() for e in ends if e is not None)

    def sort(self) -> str:
        return f"(_ BitVec {self.width})"

    def plus(self, a: str, b: str) -> str:
        return f"(bvadd {a} {b})"

    def times(self, a: str, b: str) -> str:
        return f"(bvmul {a} {b})"

    def number(self, n: int) -> str:
        return f"(_ bv{n % (1 << self.width)} {self.width})"

    def relation(self, r: Relation) -> str:
        a, b = self.term(r.left), self.term(r.right)
        if r.op in ("=", "!="):
            return f"(= {a} {b})" if r.op == "=" else f"(not (= {a} {b}))"
        word = {"<": "bvslt", "<=": "bvsle", ">": "bvsgt", ">=": "bvsge"}[r.op]
        return f"({word} {a} {b})"

    def operation(self, x: Expr) -> str:
        a, b = x.args
        if x.op in ("//", "%"):
            if b & (b - 1):
                return self.quotient(a, b)[x.op == "%"]
            if x.op == "%":
                return f"(bvand {self.term(a)} {self.number(b - 1)})"
            return f"(bvashr {self.term(a)} {self.number(b.bit_length() - 1)})"
        word = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor"}[x.op]
        return f"({word} {self.term(a)} {self.term(b)})"
