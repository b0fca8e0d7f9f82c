"""The work of the calculus on one part of a claim: reading, dividing, splitting digits, and what was used.

See calculus.py for what may be concluded from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import polynomial as poly
from ..assumed import domain_of, open_tree
from ..dim import Dim, ascending, is_symbolic, make
from ..formula import Obligation, Relation
from ..inttuple import flatten_to_tuple
from ..layout import Layout
from ..map_claims import at_digits, digits, mode_sizes
from ..names import Inner
from ..polynomial import ONE, Param, Poly
from ..symbolic import OPERATIONS, Expr, Int, Var, of_poly, same_tree, var_of

STEPS = 64  # divisions of one term before it is given up


class Stuck(Exception):
    """The calculus cannot say; `fact` would help."""

    def __init__(self, reason: str, fact: str = "") -> None:
        super().__init__(reason)
        self.fact = fact


def modes_of(layout: Layout) -> list[tuple[Any, Any]]:
    pairs = zip(mode_sizes(layout), flatten_to_tuple(layout.stride), strict=True)
    return [(s, d) for s, d in pairs if not (isinstance(s, int) and s == 1)]


class Foreign(Stuck):
    """An operation that the calculus does not know."""


@dataclass(frozen=True)
class _Value:
    """A term: its polynomial, and the tree that it came from, quotients and remainders put in."""

    terms: Poly
    tree: Int


class Calculus:
    """The work on one part of a claim."""

    def __init__(self, says: str, free: Iterable[Var] = ()) -> None:
        self.says = says
        self.digits: dict[str, Param] = {}
        self.splits: dict[Param, Poly] = {}
        self.found: list[tuple[str, tuple[tuple[str, Int, Int], ...]]] = []
        self.apart: list[Obligation] = []
        self.values: dict[Expr, _Value] = {}
        for v in free:
            self._digit(v)

    # --- reading ---

    def _digit(self, v: Var) -> Param:
        if isinstance(v.name, Param):  # with all that is known of it, however the digit was declared
            return v.name
        known = self.digits.get(v.name)
        if known is None:
            bound = None if v.bound is None else self._bound(v.bound)
            if v.lower is None:
                raise Stuck(f"{v.name} has no least value")
            known = Param(str(v.name), v.lower, bound, f"digit {v.name!r}")
            self.digits[v.name] = known
        return known

    def _bound(self, n: Any) -> Poly:
        return n.terms if isinstance(n, Dim) else poly.constant(n)

    def read(self, x: Int) -> _Value:
        """The polynomial of an expression, every division in it carried out. Raises Stuck."""
        if isinstance(x, int):
            return _Value(poly.constant(x), x)
        if isinstance(x, Dim):
            return _Value(x.terms, of_poly(x.terms))
        known = self.values.get(x)
        if known is None:
            known = self.values[x] = self._read(x)
        return known

    def _read(self, x: Expr) -> _Value:
        if isinstance(x, Var):
            v = self._digit(x)
            only = v.bound == poly.constant(v.least + 1)
            return _Value(poly.constant(v.least) if only else {(v,): 1}, var_of(v))
        if x.op not in ("+", "-", "*", "//", "%"):
            raise Foreign(f"{x.op} in {x} is not polynomial arithmetic")
        a, b = (self.read(y) for y in x.args)
        if x.op in ("//", "%"):
            q, r = self.divide(a, b)
            return q if x.op == "//" else r
        tree: Int = OPERATIONS[x.op](a.tree, b.tree)  # type: ignore[arg-type]  # trees add up as ints do
        if x.op == "*":
            return _Value(poly.multiply(a.terms, b.terms), tree)
        return _Value(poly.add(a.terms, b.terms, 1 if x.op == "+" else -1), tree)

    def now(self, p: Poly) -> Poly:
        """p with the digits that have been split since in their parts."""
        while any(v in self.splits for m in p for v in m):
            p = poly.substitute(p, self.splits)
        return p

    # --- division ---

    def divide(self, p: _Value, s: _Value) -> tuple[_Value, _Value]:
        """Quotient and remainder. Raises Stuck where a digit straddles s and cannot be split."""
        divisor = self.now(s.terms)
        if not poly.nonneg(poly.add(divisor, poly.constant(-1))):
            raise Stuck(f"is {poly.show(divisor)} positive?", f"{poly.show(divisor)}>=1")
        for _ in range(STEPS):
            q, r = poly.divide(self.now(p.terms), divisor)
            for shift in (0, -1):
                low = poly.add(r, divisor, -shift)
                if self._fits(low, divisor):
                    high = poly.add(q, poly.constant(shift))
                    return self._divided(p, s, high, low)
            self._refine(r, divisor)
        raise Stuck(f"{poly.show(p.terms)} // {poly.show(divisor)} does not come to an end")

    def _fits(self, r: Poly, s: Poly) -> bool:
        return poly.nonneg(r) and poly.nonneg(poly.add(poly.add(s, poly.constant(-1)), r, -1))

    def _divided(self, p: _Value, s: _Value, q: Poly, r: Poly) -> tuple[_Value, _Value]:
        high, low = of_poly(q), of_poly(r)
        whole = s.tree * high + low
        goals = (("=", p.tree, whole), ("<=", 0, low), ("<", low, s.tree))
        self.found.append((f"{p.tree} = {s.tree} * ({high}) + {low}", goals))
        return _Value(q, high), _Value(r, low)

    def _refine(self, r: Poly, s: Poly) -> None:
        """Split one digit of r at s. Raises Stuck if there is none."""
        missing = ""
        for m, c in sorted(r.items(), key=lambda item: (-len(item[0]), item[0])):
            for v in m:
                if v.bound is None or v.least != 0:
                    continue
                weight = {poly.without(m, (v,)) or ONE: abs(c)}
                w, left = poly.divide(s, weight)
                if left or not w or w == v.bound or poly.as_int(w) == 1:
                    continue
                u, left = poly.divide(v.bound, w)
                if left:
                    if not poly.nonneg(poly.add(w, v.bound, -1)):
                        missing = missing or f"{poly.show(w)} | {poly.show(v.bound)}"
                    continue
                self._split(v, w, u)
                return
        if not missing:
            rest = make(r) % make(s)
            missing = rest.divides().text if hasattr(rest, "divides") else ""
        raise Stuck(f"({poly.show(r)}) // ({poly.show(s)}) depends on a carry", missing)

    def _split(self, v: Param, w: Poly, u: Poly) -> None:
        assert v.bound is not None, "only digits with an end are split"
        low = Param(f"{v}.low", 0, w, f"digit {str.__str__(v)}")
        high = Param(f"{v}.high", 0, u, f"digit {str.__str__(v)}")
        self.splits[v] = poly.add({(low,): 1}, poly.multiply(w, {(high,): 1}))
        # the parts of every value are in range: what makes the split one to one
        quotient = Var(Inner(f"{v}.quotient"), None, None)
        rest = Var(Inner(f"{v}.rest"), None, 0)
        wide, end, times = (open_tree(p) for p in (w, v.bound, u))
        whole = wide * quotient + rest
        around, premises = domain_of(poly.closure(w, u, v.bound))
        premises += (
            Relation("<", rest, wide),
            Relation("<=", 0, whole),
            Relation("<", whole, end),
            Relation("=", end, wide * times),
        )
        goals = (Relation("<=", 0, quotient), Relation("<", quotient, times))
        text = f"{self.says}: {v.name} < {end} is {low.name} + {wide}*{high.name}"
        same = Obligation(f"{text}, the sizes", around, premises[:-4], (premises[-1],))
        self.apart += [same, Obligation(text, (*around, quotient, rest), premises, goals)]

    # --- claims ---

    def relations(self, goals: Iterable[Relation]) -> None:
        """Relations that hold for all values of the digits. Raises Stuck for one that is not shown."""
        for goal in goals:
            a, b = self.read(goal.left), self.read(goal.right)
            p, q = self.now(a.terms), self.now(b.terms)
            if not _follows(goal.op, p, q):
                raise Stuck(f"not shown: {poly.show(p)} {goal.op} {poly.show(q)}")
            self.found.append((str(goal), ((goal.op, a.tree, b.tree),)))

    def at(self, layout: Layout, index: Int) -> Int:
        """The layout's value at an index, as it evaluates; ints and expressions alike."""
        value: Int = layout(index)
        return value

    def same(self, a: Layout, b: Layout) -> None:
        """Equal sizes, and equal values at every index: the digits of one side make the other's index."""
        self.relations((Relation("=", a.size(), b.size()),))
        if a == b:
            return
        first: Stuck | None = None
        for x, y in ((a, b), (b, a)):
            saved = dict(self.digits), dict(self.splits), list(self.found), list(self.apart)
            try:
                self._along(x, y)
                return
            except Stuck as stuck:
                first = first or stuck
                self.digits, self.splits, self.found, self.apart = saved
                self.values = {}
        assert first is not None, "one of the two ways was tried"
        raise first

    def _along(self, x: Layout, y: Layout) -> None:
        sizes = mode_sizes(x)
        found = digits(sizes, "i")
        index: Int = 0
        weight: Any = 1
        for s, v in zip(sizes, found, strict=True):
            index = index + v * weight
            weight = weight * s
        self.relations((Relation("=", at_digits(x, found), y(index)),))

    def every_value(self, layout: Layout, kind: str, bounds: tuple[Int, ...]) -> None:
        found = digits(mode_sizes(layout), "i")
        value = at_digits(layout, found)
        if kind == "within":
            self.relations((Relation("<=", bounds[0], value), Relation("<", value, bounds[1])))
        else:
            self.relations((Relation("=", value % bounds[0], 0),))

    def nested(self, modes: list[tuple[Any, Any]]) -> Any:
        """Each stride exceeds what the modes before it reach; returns what all reach, `sum((s-1)*d)`."""
        if any(isinstance(d, int) and d == 0 for _, d in modes):
            raise Stuck("a mode of stride 0 repeats its value")
        modes = [(s, abs(d)) for s, d in modes]
        order = ascending([d for _, d in modes])
        reach: Any = 0
        for k in order:
            s, d = modes[k]
            p, q = self._terms(reach), self._terms(d)
            if not _follows("<", p, q):
                fact = f"{d}>={reach + 1}" if is_symbolic((d, reach)) else ""
                raise Stuck(f"the stride {d} does not exceed {reach}, what the lesser strides reach", fact)
            tree = of_poly(p)
            self.found.append((f"{reach} < {d}", (("<", tree, of_poly(q)),)))
            reach = reach + (s - 1) * d
        return reach

    def covers(self, layout: Layout, n: Any, times: Any) -> None:
        """As many as there are values, all in range and none twice; modes of stride 0 repeat them."""
        modes = modes_of(layout)
        repeats: Any = 1
        once: Any = 1
        for s, d in modes:
            if isinstance(d, int) and d == 0:
                repeats = repeats * s
            else:
                once = once * s
        counts = [Relation("=", once, n)]
        if times is not None:
            counts.append(Relation("=", repeats, times))
        self.relations(counts)
        kept = [(s, d) for s, d in modes if not (isinstance(d, int) and d == 0)]
        self.nested(kept)
        self.every_value(
            Layout._make(tuple([s for s, _ in kept]), tuple([d for _, d in kept])), "within", (0, n)
        )

    def _terms(self, x: Any) -> Poly:
        return x.terms if isinstance(x, Dim) else poly.constant(x)

    # --- obligations ---

    def setting(self, premises: Iterable[Relation]) -> Obligation:
        """That no point meets the premises: an obligation which fails where they can be met."""
        sides = [(r.op, _open(self.read(r.left).tree), _open(self.read(r.right).tree)) for r in premises]
        named: list[Poly] = [{(v,): 1} for _, a, b in sides for v in self._params(a, b)]
        around, ends = domain_of(poly.closure(*named))
        met = tuple([Relation(op, a, b) for op, a, b in sides])
        never = (Relation("=", 0, 1),)
        return Obligation(f"{self.says}: the premises", around, ends + met, never, may_be_empty=True)

    def obligations(self) -> tuple[Obligation, ...]:
        """What was used, over the digits that are left in the end."""
        moved = {v: self.now(p) for v, p in self.splits.items()}
        trees: dict[str, Int] = {v: of_poly(p) for v, p in moved.items()}
        result = list(self.apart)
        for text, goals in self.found:
            sides = [(op, _replaced(a, trees), _replaced(b, trees)) for op, a, b in goals]
            if result and all(op == "=" and same_tree(a, b) for op, a, b in sides):
                continue  # the same tree twice
            named: list[Poly] = [{(v,): 1} for _, a, b in sides for v in self._params(a, b)]
            used = poly.closure(*named)
            around, premises = domain_of(used)
            relations = tuple([Relation(op, a, b) for op, a, b in sides])
            result.append(Obligation(f"{self.says}: {text}", around, premises, relations))
        return tuple(dict.fromkeys(result))

    def _params(self, *trees: Int) -> set[Param]:
        found: set[Param] = set()

        def walk(x: Any) -> None:
            if isinstance(x, Var):
                found.add(self._digit(x))
            elif isinstance(x, Expr):
                for y in x.args:
                    walk(y)

        for x in trees:
            walk(x)
        return found


def _follows(op: str, p: Poly, q: Poly) -> bool:
    """Whether `p op q` for all values."""
    if op == "=":
        return p == q
    if op == "!=":
        return _follows("<", p, q) or _follows(">", p, q)
    if op in (">", ">="):
        p, q, op = q, p, op.replace(">", "<")
    return poly.nonneg(poly.add(poly.add(q, p, -1), poly.constant(-1 if op == "<" else 0)))


def _open(x: Int) -> Int:
    """The tree with every digit declared by its least value (and an integer end) alone."""
    return _replaced(x, {})


def _replaced(x: Int, trees: Mapping[str, Int]) -> Int:
    if isinstance(x, int):
        return x
    if isinstance(x, Var):
        if x.name in trees:
            return _open(trees[x.name])
        return Var(x.name, x.bound if isinstance(x.bound, int) else None, x.lower)
    assert isinstance(x, Expr), "Dims are read as trees"
    a, b = (_replaced(y, trees) for y in x.args)
    result: Int = OPERATIONS[x.op](a, b)  # type: ignore[arg-type]  # trees add up as ints do
    return result
