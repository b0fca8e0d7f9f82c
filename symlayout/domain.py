"""assume: facts about parameters, worked into the parameters themselves.

    K, ld = dims("K ld")
    d = assume(K % 16 == 0, ld >= K, ld % 8 == 0)
    print(d)                        K = 16*k, ld = 16*k+8*p, for all k >= 1, p >= 0
    K, ld = d                       the new Dims, in the order in which the facts name the old ones
    d(Layout((M, K), (ld, 1)))      (M,16*k):(16*k+8*p,1)

A multiple of n becomes n times a new parameter, a least value becomes the parameter's own, `ld >= K` becomes
`ld = K + p`, an upper end becomes a bound. Then every decision sees the facts without looking for them. What
fits no parameter is a side condition, listed in `side`: an inequality stays with the parameters that it names
and is tried when a sign is in question; a divisibility of a sum or product is kept and not used.

Facts may be given as text: `assume("M % 32 == 0, 16 | K, N <= 8, L == 2*N")`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from . import polynomial as poly
from .dim import Dim, Fact, Remainder, dims, make, terms_of
from .errors import LayoutError, NotationError
from .layout import Layout
from .polynomial import ONE, Param, Poly
from .swizzle import ComposedLayout

Statement = tuple[str, tuple[Poly, ...], str]  # divides (n, p); nonneg (p >= 0); zero (p = 0); the text


class Contradiction(LayoutError):
    """Facts that cannot hold together."""


class Domain:
    """What `assume` found: `values` gives each parameter named in a fact as a Dim over the new ones."""

    def __init__(self, values: dict[Param, Poly], side: tuple[Fact, ...], facts: tuple[str, ...]) -> None:
        self._values = values
        self.side = side
        self.facts = facts

    @property
    def values(self) -> dict[str, Any]:
        """The old parameters by name."""
        return {v.name: make(p) for v, p in self._values.items()}

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values.values())

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __call__(self, x: Any) -> Any:
        """x (an int, a Dim, a nested tuple of them, a layout) over the new parameters."""
        return substitute(x, self._values)

    def original(self, fact: str) -> str:
        """A fact about one new parameter as one about the old: with `N = 16*n`, `4 | n` is `64 | N`. Empty
        for other facts."""
        (stated,) = read_facts(fact)
        found = poly.params(*stated.polys) if isinstance(stated, Fact) else ()
        if len(found) != 1:
            return ""
        for old, p in self._values.items():
            inside = poly.params(p)
            if [v.name for v in inside] == [found[0].name] and not set(p) - {ONE, inside}:
                return _about(old.name, p[inside[0],], p.get(ONE, 0), stated, found[0])
        return ""

    def params(self) -> tuple[Param, ...]:
        """The new parameters."""
        return poly.closure(*self._values.values())

    def __str__(self) -> str:
        changed = [
            f"{v.name} = {poly.show(p)}" for v, p in self._values.items() if p != {(Param(v.name),): 1}
        ]
        changed = [text for text in changed if text.split(" = ")[0] != text.split(" = ")[1]]
        ranges = ", ".join(map(range_of, self.params()))
        side = "".join(f", given {f}" for f in self.side)
        return (
            f"{', '.join(changed)}{', ' if changed else ''}for all {ranges}{side}"
            if ranges
            else ", ".join(changed)
        )

    def __repr__(self) -> str:
        return f"Domain({self})"


def _about(name: str, a: int, b: int, fact: Fact, v: Param) -> str:
    """A fact about v as one about `name = a*v + b`."""
    shown = name if b == 0 else f"{name}{-b:+d}"
    if fact.kind == "divides":
        n, p = fact.polys
        known = poly.as_int(n)
        return f"{a * known} | {shown}" if known is not None and p == {(v,): 1} and a > 0 else ""
    (p,) = fact.polys
    if a < 1 or set(p) - {ONE, (v,)}:
        return ""
    c, k = p[v,], p.get(ONE, 0)
    return f"{name} >= {b - a * (k // c)}" if c > 0 else f"{name} <= {b + a * (k // -c)}"


def range_of(v: Param) -> str:
    """`K >= 1`, `1 <= N < 9`."""
    ends = f"{v.name} >= {v.least}" if v.bound is None else f"{v.least} <= {v.name} < {poly.show(v.bound)}"
    return ends + "".join(f" and {poly.show(f)} >= 0" for f in v.facts)


def substitute(x: Any, values: Mapping[Param, Poly]) -> Any:
    """x with polynomials in place of parameters; x is an int, a Dim, a nested tuple of them, or a layout."""
    if isinstance(x, Dim):
        return make(poly.substitute(x.terms, values))
    if isinstance(x, (tuple, list)):
        return tuple([substitute(y, values) for y in x])
    if isinstance(x, Layout):
        return Layout._make(substitute(x.shape, values), substitute(x.stride, values))
    if isinstance(x, ComposedLayout):
        return ComposedLayout(x.swizzle, substitute(x.offset, values), substitute(x.layout, values))
    if hasattr(x, "modes") and hasattr(x, "value"):  # a scaled basis
        return type(x)(substitute(x.value, values), x.modes)
    return x


def assume(*facts: Any) -> Domain:
    """The domain of these facts, each a `Fact` or a text. True adds nothing.

    Raises Contradiction when they cannot hold together, as far as that shows; NotationError for a text that
    states nothing; LayoutError for the denial of a divisibility.
    """
    statements: list[Statement] = []
    for fact in facts:
        for stated in read_facts(fact) if isinstance(fact, str) else [fact]:
            if isinstance(stated, Fact):
                if not stated.holds:
                    raise LayoutError(f"assume: {stated} does not say what the remainder is")
                statements.append((stated.kind, stated.polys, str(stated)))
            elif isinstance(stated, tuple):
                statements.append(stated)
            elif stated is False:
                raise Contradiction(f"assume: {fact if isinstance(fact, str) else 'a fact'} never holds")
            elif stated is not True:
                raise LayoutError(f"assume: {stated!r} is no fact; write K % 16 == 0, ld >= K or a text")
    return _Solver(statements).domain()


class _Solver:
    """Divisibilities, then equations, then inequalities: with `ld = 8*q`, `ld >= 16*k` is `q >= 2*k`."""

    def __init__(self, statements: list[Statement]) -> None:
        self.statements = statements
        self.values: dict[Param, Poly] = {
            v: {(v,): 1} for _, polys, _ in statements for v in sorted(poly.params(*polys), key=self._place)
        }
        self.side: list[Fact] = []
        self.kept: list[Poly] = []

    def _place(self, v: Param) -> int:
        """Where the facts name a parameter first."""
        texts = " ".join(text for _, _, text in self.statements)
        return texts.find(v.name)

    def domain(self) -> Domain:
        for kind in ("divides", "zero", "nonneg"):
            for found, polys, text in self.statements:
                if found == kind:
                    self._solve(kind, tuple([self._now(p) for p in polys]), text)
        self._attach()
        return Domain(self.values, tuple(self.side), tuple(text for _, _, text in self.statements))

    def _solve(self, kind: str, polys: tuple[Poly, ...], text: str) -> None:
        if kind == "divides":
            self._divides(polys[0], polys[1], text)
        elif kind == "zero":
            self._zero(polys[0], text)
        else:
            self._nonneg(polys[0], text)

    def _now(self, p: Poly) -> Poly:
        return poly.substitute(p, self.values)

    def _set(self, v: Param, p: Poly) -> None:
        """v is p from now on, everywhere."""
        self.values = {w: poly.substitute(q, {v: p}) for w, q in self.values.items()}
        self.kept = [poly.substitute(q, {v: p}) for q in self.kept]

    def _fresh(self, near: str, instead: Param | None = None) -> str:
        """A name that is free, or becomes free because its parameter is replaced."""
        taken = {v.name for q in self.values.values() for v in poly.params(q) if v != instead}
        taken |= {v.name for v in self.values}
        names = [near, *(f"{near}{i}" for i in range(1, 1000))]
        return next(n for n in names if n not in taken)

    def _divides(self, n: Poly, p: Poly, text: str) -> None:
        rest = make(p) % make(n)
        if not isinstance(rest, Remainder):
            if rest != 0:
                raise Contradiction(f"assume: {text} never holds")
            return
        n, p = rest.divides().polys
        free = [v for v in poly.params(p) if p.get((v,)) == 1 and set(p) <= {(v,), ONE} and v.bound is None]
        if not free or (poly.as_int(n) is None and ONE in p) or any(v in poly.params(n) for v in free):
            self.side.append(Fact("divides", (n, p), f"{poly.show(n)} | {poly.show(p)}"))
            return
        v, c = free[0], p.get(ONE, 0)
        known = poly.as_int(n)
        lower = -(-(v.least + c) // known) if known is not None else min(1, v.least)
        old = v in self.values or any(v.name == w.name for w in self.values)
        name = v.name if not old else v.name.lower() if v.name.lower() != v.name else "q"
        w = Param(self._fresh(name, v), lower)
        self._set(v, poly.add(poly.multiply(n, {(w,): 1}), poly.constant(c), -1))

    def _zero(self, p: Poly, text: str) -> None:
        if not p:
            return
        if poly.nonneg(poly.add(p, poly.constant(-1))) or poly.nonneg(poly.add(poly.constant(-1), p, -1)):
            raise Contradiction(f"assume: {text} never holds")
        for v in reversed(poly.params(p)):
            parts = poly.split(p, v)
            if parts is None or parts[1] not in ({ONE: 1}, {ONE: -1}):
                continue
            rest = poly.scale(parts[0], -parts[1][ONE])
            if v.bound is None and poly.nonneg(poly.add(rest, poly.constant(v.least), -1)):
                self._set(v, rest)
                return
        raise LayoutError(f"assume: {text} gives no parameter in terms of the others")

    def _nonneg(self, p: Poly, text: str) -> None:
        if poly.nonneg(p):
            return
        if poly.nonneg(poly.add(poly.constant(-1), p, -1)):
            raise Contradiction(f"assume: {text} contradicts the other facts")
        slopes = {m: c for m, c in p.items() if m != ONE}
        g = poly.content(slopes)
        p = {**{m: c // g for m, c in slopes.items()}, **poly.constant(p.get(ONE, 0) // g)}
        if not (self._one_end(p, text) or self._excess(p) or self._below(p)):
            self.kept.append(p)

    def _one_end(self, p: Poly, text: str) -> bool:
        """`K >= 3`, `K <= 8`: the parameter's own range."""
        found = poly.params(p)
        if len(found) != 1 or set(p) - {(found[0],), ONE}:
            return False
        v, c, k = found[0], p[found[0],], p.get(ONE, 0)
        if c > 0:
            return self._range(v, -(k // c), v.bound, text)
        return self._range(v, v.least, poly.constant(k // -c + 1), text) if v.bound is None else False

    def _range(self, v: Param, lower: int, bound: Poly | None, text: str) -> bool:
        end = None if bound is None else poly.as_int(bound)
        if end is not None and end <= lower:
            raise Contradiction(f"assume: {text} contradicts the other facts")
        self._set(v, {(Param(v.name, lower, bound),): 1} if end != lower + 1 else poly.constant(lower))
        return True

    def _excess(self, p: Poly) -> bool:
        """`ld >= K` is `ld = K + p`."""
        for v in reversed(poly.params(p)):
            parts = poly.split(p, v)
            if parts is None or parts[1] != {ONE: 1} or v.bound is not None:
                continue
            rest = poly.scale(parts[0], -1)
            if poly.nonneg(poly.add(rest, poly.constant(v.least), -1)):
                self._set(v, poly.add(rest, {(Param(self._fresh("p"), 0),): 1}))
                return True
        return False

    def _below(self, p: Poly) -> bool:
        """`K <= 8*q` bounds K."""
        for v in poly.params(p):
            parts = poly.split(p, v)
            if parts is None or parts[1] != {ONE: -1} or v.bound is not None:
                continue
            if any(v in poly.closure({(w,): 1}) for w in poly.params(parts[0])):
                continue
            if poly.nonneg(poly.add(parts[0], poly.constant(v.least), -1)):
                self._set(v, {(Param(v.name, v.least, poly.add(parts[0], poly.constant(1))),): 1})
                return True
        return False

    def _attach(self) -> None:
        """Parameters that know the inequalities which no range can say."""
        if not self.kept:
            return
        remark = "\0" + "&".join(map(poly.key, self.kept))
        old = poly.params(*self.kept)
        new = {v: Param(v.name, v.least, v.bound, remark) for v in old}
        moved: dict[Param, Poly] = {v: {(w,): 1} for v, w in new.items()}
        facts = tuple(poly.substitute(p, moved) for p in self.kept)
        for w in new.values():
            w.facts = facts
        self.side += [Fact("nonneg", (p,), f"{poly.show(p)}>=0") for p in facts]
        self.values = {v: poly.substitute(p, moved) for v, p in self.values.items()}


# --- facts as text ------------------------------------------------------------------------------------------


def read_facts(text: str) -> list[Any]:
    """The facts of a text: True, False, a Fact, or a Statement (for equations)."""
    try:
        tree = ast.parse(f"[{text}]", mode="eval").body
    except SyntaxError as error:
        column = max(0, (error.offset or 2) - 2)
        message = f"assume: {error.msg}: facts look like K % 16 == 0, 16 | K, ld >= K"
        raise NotationError(f"{message}\n  {text}\n  {' ' * column}^", text, column) from None
    assert isinstance(tree, ast.List), "the brackets are ours"
    return [f for node in tree.elts for f in _fact(node, text)]


def _fact(node: ast.expr, text: str) -> list[Any]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [_value(node.right, text) % _value(node.left, text) == 0]
    if not isinstance(node, ast.Compare):
        raise _refuse(node, text, "a comparison, or n | K")
    found = []
    sides = [node.left, *node.comparators]
    for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
        a, b = _value(left, text), _value(right, text)
        said = f"{ast.unparse(left)} {_SIGNS.get(type(op), '?')} {ast.unparse(right)}"
        if isinstance(op, ast.Eq):
            if isinstance(a, Remainder) or isinstance(b, Remainder):
                if b != 0 or not isinstance(a, Remainder):
                    found.append(_remainder_is(a, b, said))
                else:
                    found.append(a == 0)
            else:
                p, q = terms_of(a), terms_of(b)
                assert p is not None, "_value gives ints and Dims"
                assert q is not None, "_value gives ints and Dims"
                found.append(("zero", (poly.add(p, q, -1),), said))
        elif type(op) in _COMPARE:
            found.append(_COMPARE[type(op)](a, b))
        else:
            raise _refuse(node, text, "one of == < <= > >=")
    return found


def _remainder_is(a: Any, b: Any, said: str) -> Any:
    """`K % 16 == 3` says that 16 divides K - 3."""
    if not isinstance(a, Remainder) or not isinstance(b, int):
        raise LayoutError(f"assume: {said}: a remainder is compared with an integer")
    return make(poly.add(a.value, poly.constant(b), -1)) % make(a.divisor) == 0


_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.NotEq: "!=",
}  # fmt: skip
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
        return dims(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, text)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        left, right = _value(node.left, text), _value(node.right, text)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and type(right) is int and right <= 0:
            raise _refuse(node, text, "a positive divisor")
        return _ARITHMETIC[type(node.op)](left, right)
    raise _refuse(node, text, "integers, names and + - * // %")


def _refuse(node: ast.expr, text: str, expected: str) -> NotationError:
    column = max(0, node.col_offset - 1)
    return NotationError(f"assume: expected {expected}\n  {text}\n  {' ' * column}^", text, column)
