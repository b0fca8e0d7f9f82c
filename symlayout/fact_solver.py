"""Facts about parameters, solved: every old parameter as a polynomial over new ones, and what is left over.

    solve([16 | K, 8 | ld, ld - K >= 0])    K = 16*k, ld = 16*k + 8*p, for all k >= 1, p >= 0

The facts are a set: they are put in one order first, so that it does not matter how they were given, and are
worked on until nothing moves. One step takes one statement:

| statement | becomes |
|---|---|
| n divides a*v + c, n a number | `v = m*w - c'`, by the Chinese remainder theorem also for several n |
| n divides v, n a polynomial | `v = n*w` |
| p = 0 with v or -v in it | `v = rest`; `2*K = 3*N` says that 2 divides N |
| p >= 0 in one parameter | its range, where that is what it says |
| v - rest >= 0, rest surely in v's range | `v = rest + p`, p >= 0 |
| rest - v >= 0, rest surely in v's range | `v < rest + 1`, the end of its range |

Each step is an equivalence: a parameter that is replaced leaves its own range behind as a statement, and the
ends of ranges are set last of all. What no step takes is kept aside, as a statement about the new parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from . import polynomial as poly
from .errors import LayoutError
from .fact import (
    Statement,
    at_least,
    components,
    contradiction,
    interval,
    known_of,
    params_of,
    related,
    remainders,
    roots,
    simplified,
)
from .polynomial import ONE, Origin, Param, Poly

MOST_STEPS = 1000


@dataclass(frozen=True)
class Solved:
    """The old parameters over the new ones; what is kept aside, over the new ones as well."""

    values: dict[Param, Poly]
    aside: tuple[Statement, ...]
    origins: tuple[Origin, ...]


def solve(given: Iterable[Statement], taken: Iterable[str] = (), also: Iterable[Param] = ()) -> Solved:
    """The facts worked into new parameters, none of which prints like one of `taken`; `also` are parameters
    that are to be worked in as well, as far as they are tied to those of the facts.

    Raises Contradiction when they cannot hold together, as far as that shows.
    """
    facts = sorted({s.key: s for s in given}.values(), key=lambda s: s.key)
    return _Work(facts, taken, also).solved()


class _Work:
    """The old parameters are those of the facts, and whatever is tied to them: by ends, or because one
    `assume` made both."""

    def __init__(self, facts: list[Statement], taken: Iterable[str], also: Iterable[Param]) -> None:
        known = [s for v in related([*params_of(facts), *also]) for s in known_of(v)]
        self.parts = [part for part in components([*facts, *known]) if any(s in facts for s in part)]
        self.facts = facts
        self.old = params_of([s for part in self.parts for s in part])
        self.taken = {v.name for v in self.old} | set(taken)
        self.of: dict[Param, Param] = {}  # the old parameter that one stands for, in a narrower range perhaps
        self.hints: dict[Param, str] = {}  # of the other parameters: what they may be called
        self.ends: dict[Param, Poly] = {}
        self.values: dict[Param, Poly] = {}
        for v in self.old:
            plain = self._param(v.name, v.least, None, v)
            self.of[plain] = v
            self.values[v] = {(plain,): 1}
        now: dict[Param, Poly] = dict(self.values)
        self.todo = [s.over(now) for part in self.parts for s in part]
        self.todo.sort(key=lambda s: s.key)

    def _param(self, name: str, least: int, bound: int | None, line: str) -> Param:
        """A parameter to work with; `line` tells apart those of one name."""
        return Param(
            name, least, None if bound is None else poly.constant(bound), f"work {str.__str__(line)}"
        )

    def solved(self) -> Solved:
        for _ in range(MOST_STEPS):
            if not any(self._step(rule) for rule in RULES):
                break
        else:
            raise LayoutError("assume: these facts do not come to an end")
        return _finished(self)

    def _step(self, rule: str) -> bool:
        """Whether a rule takes some statement, or drops one that is plainly true."""
        for k, s in enumerate(self.todo):
            if s.kind != KIND[rule]:
                continue
            rest = self.todo[:k] + self.todo[k + 1 :]
            simple = simplified(s)
            if simple is None or simple.kind != s.kind:
                self.todo = rest if simple is None else sorted([*rest, simple], key=lambda t: t.key)
                return True
            before, self.todo = self.todo, rest
            if getattr(self, f"_{rule}")(simple):
                self.todo = sorted({t.key: t for t in self.todo}.values(), key=lambda t: t.key)
                return True
            self.todo = before
        return False

    def _set(self, v: Param, p: Poly) -> None:
        """v is p from now on, everywhere."""
        self.values = {w: poly.substitute(q, {v: p}) for w, q in self.values.items()}
        self.ends = {w: poly.substitute(q, {v: p}) for w, q in self.ends.items()}
        self.todo = [s.over({v: p}) for s in self.todo]

    def _replace(self, v: Param, p: Poly, text: str) -> None:
        """v is p, and the range of v is a statement about p."""
        self.todo.append(Statement("nonneg", (poly.add(p, poly.constant(v.least), -1),), text))
        if v.bound is not None:
            end = poly.add(poly.add(v.bound, poly.constant(-1)), p, -1)
            self.todo.append(Statement("nonneg", (end,), text))
        self._set(v, p)

    # --- the rules: whether the statement was taken ---

    def _congruence(self, s: Statement) -> bool:
        n, p = s.polys
        known, found = poly.as_int(n), poly.params(p)
        classes = remainders(p, found[0], known) if known is not None and len(found) == 1 else None
        if classes is None:
            return False
        (v,), (m, residues) = found, classes
        if not residues:
            raise contradiction(s)
        if len(residues) > 1:
            return False
        (r,) = residues
        c = -r % m if 2 * (-r % m) <= m else -r % m - m  # v = m*w - c, c the least in size
        w = self._next(v, -(-(v.least + c) // m))
        self._replace(v, poly.add({(w,): m}, poly.constant(c), -1), s.text)
        return True

    def _next(self, v: Param, least: int) -> Param:
        """The parameter that v is expressed by."""
        w = self._param(v.name, least, None, f"{str.__str__(v)} next")
        lower = v.name.lower()
        self.hints[w] = self.hints[v] if v in self.hints else lower if lower != v.name else "q"
        return w

    def _multiple(self, s: Statement) -> bool:
        n, p = s.polys
        r = -p.get(ONE, 0)  # v = n*w + r
        if poly.as_int(n) is not None or len(poly.params(p)) != 1 or r < 0:
            return False
        (v,) = poly.params(p)
        if poly.add(p, poly.constant(r)) != {(v,): 1} or v in poly.params(n) or v.least < 0:
            return False
        if r and not at_least(n, r - v.least + 1):  # one less than 0 of n is too little
            return False
        w = self._next(v, 0 if r else min(1, v.least))
        self._replace(v, poly.add(poly.multiply(n, {(w,): 1}), poly.constant(r)), s.text)
        self.todo.append(Statement("nonneg", (poly.add(n, poly.constant(-1)),), s.text))
        return True

    def _equation(self, s: Statement) -> bool:
        (p,) = s.polys
        found = poly.params(p)
        zeros = roots(p, found[0]) if len(found) == 1 else None
        if zeros is not None and len(zeros) < 2:
            if not zeros:
                raise contradiction(s)
            self._replace(found[0], poly.constant(zeros[0]), s.text)
            return True
        ways = [(v, rest) for v in reversed(poly.params(p)) if (rest := _alone(p, v)) is not None]
        sure = [(v, q) for v, q in ways if at_least(q, v.least) and v.bound is None]
        for v, rest in [*sure, *ways][:1]:
            self._replace(v, rest, s.text)
            return True
        for v in poly.params(p):  # 2*K = 3*N: 2 divides 3*N
            parts = poly.split(p, v)
            c = None if parts is None else poly.as_int(parts[1])
            if parts is None or c is None or abs(c) < 2 or len(poly.params(parts[0])) != 1:
                continue
            implied = simplified(Statement("divides", (poly.constant(abs(c)), parts[0]), s.text))
            self.todo.append(s)  # which is simpler then
            if implied is not None and self._congruence(implied):
                return True
            self.todo.pop()
        return False

    def _range(self, s: Statement) -> bool:
        """`K >= 3`, `K <= 8`, `K*K <= 9`: the parameter's own range."""
        (p,) = s.polys
        found = poly.params(p)
        ends = interval(p, found[0]) if len(found) == 1 else None
        if ends is None:
            return False
        (v,), (low, high) = found, ends
        low = max(low, v.least)
        if v.bound is not None:
            most = v.bound.get(ONE, 0) - 1
            high = most if high is None else min(high, most)
        if high is not None and high < low:
            raise contradiction(s)
        if high == low:
            self._set(v, poly.constant(low))
            return True
        new = self._param(v.name, low, None if high is None else high + 1, f"{str.__str__(v)} range")
        if v in self.of:
            self.of[new] = self.of[v]
        else:
            self.hints[new] = self.hints[v]
        self._set(v, {(new,): 1})
        return True

    def _excess(self, s: Statement) -> bool:
        """`ld >= K` is `ld = K + p`."""
        (p,) = s.polys
        for v in reversed(poly.params(p)):
            parts = poly.split(p, v)
            if parts is None or parts[1] != {ONE: 1} or v.bound is not None:
                continue
            rest = poly.scale(parts[0], -1)
            if at_least(rest, v.least):
                w = self._param("p", 0, None, f"{str.__str__(v)} excess")
                self.hints[w] = "p"
                self._set(v, poly.add(rest, {(w,): 1}))
                return True
        return False

    def _below(self, s: Statement) -> bool:
        """`K <= 8*q` bounds K."""
        (p,) = s.polys
        for v in poly.params(p):
            parts = poly.split(p, v)
            if parts is None or parts[1] != {ONE: -1} or v.bound is not None or v in self.ends:
                continue
            if v in self._behind(poly.params(parts[0])) or not at_least(parts[0], v.least):
                continue
            self.ends[v] = poly.add(parts[0], poly.constant(1))
            return True
        return False

    def _behind(self, found: Iterable[Param]) -> set[Param]:
        """The parameters that these, or the ends of these, depend on."""
        seen: set[Param] = set()
        rest = list(found)
        while rest:
            v = rest.pop()
            if v not in seen:
                seen.add(v)
                rest += poly.params(self.ends.get(v, {}))
        return seen


RULES = ("congruence", "equation", "multiple", "range", "excess", "below")  # each tried before the next
KIND = {"congruence": "divides", "equation": "zero", "multiple": "divides"} | dict.fromkeys(
    ("range", "excess", "below"), "nonneg"
)


def _alone(p: Poly, v: Param) -> Poly | None:
    """What v is where p = 0, if p is v, or -v, and a rest without it."""
    parts = poly.split(p, v)
    if parts is None or parts[1] not in ({ONE: 1}, {ONE: -1}):
        return None
    return poly.scale(parts[0], -parts[1][ONE])


# --- the new parameters ---


def _finished(work: _Work) -> Solved:
    """Names for the new parameters, the ends of their ranges, and what is kept aside."""
    names = _named(work)
    bare = _made(work, names, "bare", [])
    now: dict[Param, Poly] = {w: {(v,): 1} for w, v in bare.items()}
    left = {s.key: s for t in work.todo if (s := simplified(t)) is not None}
    aside = [
        s for s in left.values() if s.kind != "nonneg" or not poly.nonneg(poly.substitute(s.polys[0], now))
    ]
    new = _made(work, names, "", aside)
    last: dict[Param, Poly] = {w: {(v,): 1} for w, v in new.items()}
    values = {v: poly.substitute(p, last) for v, p in work.values.items()}
    origins = [_origin(part, work.facts, values) for part in work.parts]
    for origin in origins:
        origin.others = tuple([o for o in origins if o is not origin])
        for v in poly.params(*origin.values.values()):
            if v not in work.old:
                v.origin = origin
    return Solved(values, tuple([s.over(last) for s in aside]), tuple(origins))


def _origin(part: list[Statement], facts: list[Statement], values: Mapping[Param, Poly]) -> Origin:
    given = tuple([(s.kind, s.polys) for s in part if s in facts])
    return Origin(given, {v: values[v] for v in params_of(part)})


def _named(work: _Work) -> dict[Param, str]:
    """What each parameter that is left is called: as the old one that it stands for, or by a new name."""
    left = poly.params(*work.values.values(), *work.ends.values())
    names = {w: work.of[w].name for w in left if w in work.of}
    taken = set(work.taken)
    for w in left:
        if w not in names:
            near = work.hints[w]
            names[w] = next(n for n in (near, *(f"{near}{i}" for i in range(1, 1000))) if n not in taken)
            taken.add(names[w])
    return names


def _made(work: _Work, names: Mapping[Param, str], remark: str, aside: list[Statement]) -> dict[Param, Param]:
    """A new parameter for each that is left; the old one itself where nothing is new about it.

    What tells it from others of its name is all that there is to know of it: the facts, and which it is.
    """
    kept = {v for s in aside for v in poly.params(*s.polys)}
    new: dict[Param, Param] = {}
    for w, name in names.items():
        old = work.of.get(w)
        changed = w in work.ends or w in kept or w.bound is not None
        if old is not None and not changed and not known_of(old) and old.least == w.least:
            new[w] = old
            continue
        texts = [*(s.key for s in work.facts), *work.old, str.__str__(w)]
        told = blake2b("\n".join(texts).encode(), digest_size=16).hexdigest()
        new[w] = Param(name, w.least, None, f"{remark}{told}")
    last: dict[Param, Poly] = {w: {(v,): 1} for w, v in new.items()}
    for w, v in new.items():
        if v not in work.old:
            bound = w.bound if w.bound is not None else work.ends.get(w)
            v.bound = None if bound is None else poly.substitute(bound, last)
    for part in components([s.over(last) for s in aside]):
        facts = [q for s in part if s.kind != "divides" for q in _both(s)]
        pairs = [(s.polys[0], s.polys[1]) for s in part if s.kind == "divides"]
        for v in params_of(part):
            v.facts, v.divides = tuple(facts), tuple(pairs)
    return new


def _both(s: Statement) -> list[Poly]:
    """Polynomials that are 0 or more iff the statement holds."""
    (p,) = s.polys
    return [p] if s.kind == "nonneg" else [p, poly.scale(p, -1)]
