"""Which values of parameters are meant: those that meet every fact as it was given.

A parameter that `assume` made leads back to the facts that it was made of (`Param.origin`). A point of the
new parameters is worked back into the old ones, and there all facts are computed on plain integers: so no
witness breaks a fact, whatever became of the facts on the way. Parameters that the facts tie to those of a
claim are given values as well.

The same facts can be put to a solver: `domain_of` as the premises of an obligation, over the new parameters,
and `given_facts` as they were written, over the old ones, to see that they can be met at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, product

from . import polynomial as poly
from .domain import origins
from .fact import holds
from .formula import Obligation, Relation
from .names import Inner
from .polynomial import ONE, Param, Poly
from .symbolic import Int, Var

EACH = 3  # values of a parameter that are tried
CHOICES = 81  # choices of parameters that are tried
MOST_VARIED = 6  # parameters that are not at their least value
WIDE = 5000  # choices that are looked at where few of the small ones meet the facts

Values = dict[str, int]  # by the parameters themselves


def connected(params: Iterable[Param]) -> tuple[Param, ...]:
    """These parameters, and those that facts tie to them."""
    params = tuple(params)
    known = origins(params)
    tied = poly.params(*(p for o in known for p in o.values.values()))
    old = {v for o in known for v, p in o.values.items() if p != {(v,): 1}}
    named: list[Poly] = [{(v,): 1} for v in (*params, *tied)]
    found = poly.closure(*named)
    return tuple(dict.fromkeys([*params, *(v for v in found if v not in old)]))


def unrelated(params: Iterable[Param]) -> list[tuple[Param, ...]]:
    """The other parameters of the same facts, as far as they are not tied to these: what belongs together,
    together."""
    known = origins(params)
    seen = {id(o) for o in known}
    found = []
    waiting = [other for o in known for other in o.others]
    while waiting:
        o = waiting.pop()
        if id(o) not in seen:
            group = poly.params(*o.values.values())
            tied = origins(group)
            seen |= {id(t) for t in tied} | {id(o)}
            waiting += [other for t in (o, *tied) for other in t.others]
            found.append(group)
    return found


def worked_back(values: Mapping[str, int]) -> Values | None:
    """Values of connected parameters, with those of the parameters that the facts were given about; None
    where they contradict each other or one is missing."""
    params = [v for v in values if isinstance(v, Param)]
    known: Values = {v: values[v] for v in params}
    waiting = origins(params)
    while waiting:
        ready = [o for o in waiting if all(v in known for p in o.values.values() for v in poly.params(p))]
        if not ready:
            return None  # a parameter without a value: nothing is known to be met
        for o in ready:
            for old, p in o.values.items():
                x = poly.evaluate(p, known)
                if known.setdefault(old, x) != x:
                    return None
        waiting = [o for o in waiting if o not in ready]
    return known


def meets(values: Mapping[str, int]) -> bool:
    """Whether values of connected parameters keep every range and every fact, as it was given."""
    known = worked_back(values)
    if known is None:
        return False
    facts = [fact for o in origins([v for v in values if isinstance(v, Param)]) for fact in o.facts]
    return all(_in_range(v, known) for v in known if isinstance(v, Param)) and all(
        holds(kind, [poly.evaluate(p, known) for p in polys]) for kind, polys in facts
    )


def _in_range(v: Param, known: Mapping[str, int]) -> bool:
    x = known[v]
    return (
        v.least <= x
        and (v.bound is None or x < poly.evaluate(v.bound, known))
        and all(poly.evaluate(f, known) >= 0 for f in v.facts)
        and all(holds("divides", [poly.evaluate(p, known) for p in pair]) for pair in v.divides)
    )


def completed(values: Mapping[str, int]) -> Values | None:
    """The values with some for the parameters that are tied to these, so that all facts are met; None where
    small ones do not do."""
    params = [v for v in values if isinstance(v, Param)]
    missing = [v for v in connected(params) if v not in values]
    for more in islice(_near(missing), CHOICES):
        found: Values = {**{v: values[v] for v in params}, **more}
        if meets(found):
            return found
    return None


def _near(params: list[Param]) -> Iterator[Values]:
    """Values near the least: all least first."""
    for step in _steps(min(len(params), 4), EACH):
        yield _stepped(tuple(params), step)


def instances(params: tuple[Param, ...]) -> Iterator[Values]:
    """Values of parameters that meet all facts: all least, then those of which the largest is one more than
    its least value, and so on, lexicographically in between; then the greatest that a parameter with an end
    can have. Where the facts leave few of these, greater ones are looked at."""
    count = 0
    alone = _alone(params)
    for step in chain(_steps(len(params), EACH), _last_steps(params[:MOST_VARIED])):
        values = _stepped(params, step)
        if all(_in_range(v, values) for v in alone) and completed(values) is not None:
            yield values
            count += 1
            if count == CHOICES:
                return
    wanted = EACH**3 if any(v.facts or v.divides for v in params) else EACH
    if count < wanted:
        each = next(n for n in (64, 16, 8, 5, EACH) if n ** min(len(params), MOST_VARIED) <= WIDE)
        for step in _steps(len(params), each):
            values = _stepped(params, step)
            near = max(step) < EACH  # which were looked at
            if not near and all(_in_range(v, values) for v in alone) and completed(values) is not None:
                yield values
                count += 1
                if count == wanted:
                    return


def _steps(count: int, each: int) -> list[tuple[int, ...]]:
    """How far the first few of so many parameters are from their least values, the smallest steps first."""
    found = product(range(each), repeat=min(count, MOST_VARIED))
    return sorted(found, key=lambda s: (max(s, default=0), s))


def _stepped(params: tuple[Param, ...], step: tuple[int, ...]) -> Values:
    steps = (*step, *(0 for _ in params[len(step) :]))
    return {v: v.least + n for v, n in zip(params, steps, strict=True)}


def _alone(params: tuple[Param, ...]) -> list[Param]:
    """Those whose ranges and facts speak of no others than these."""
    return [v for v in params if set(poly.closure({(v,): 1})) <= set(params)]


def _last_steps(params: tuple[Param, ...]) -> Iterator[tuple[int, ...]]:
    """One parameter at the end of its range, if that is an integer, the others near their least values."""
    for k, v in enumerate(params):
        end = None if v.bound is None else poly.as_int(v.bound)
        if end is not None and end - 1 - v.least >= EACH:
            for others in product((0, 1), repeat=len(params) - 1):
                yield (*others[:k], end - 1 - v.least, *others[k:])


# --- for a solver ---


def domain_of(params: Iterable[Param]) -> tuple[tuple[Var, ...], tuple[Relation, ...]]:
    """The digits of an obligation, least value declared, and the ends and facts as premises."""
    digits: list[Var] = []
    premises: dict[str, tuple[Relation, ...]] = {}
    quotients: dict[str, Var] = {}
    for v in params:
        digits.append(_open_digit(v))
        if v.bound is not None and poly.as_int(v.bound) is None:
            premises[f"end {str.__str__(v)}"] = (Relation("<", digits[-1], open_tree(v.bound)),)
        for f in v.facts:
            premises[f"fact {poly.key(f)}"] = (Relation("<=", 0, open_tree(f)),)
        for n, p in v.divides:
            text = f"{poly.key(n)} | {poly.key(p)}"
            premises[text] = (_divided(text, n, p, quotients),)
    found = tuple(r for relations in premises.values() for r in relations)
    return (*digits, *quotients.values()), found


def _divided(text: str, n: Poly, p: Poly, quotients: dict[str, Var], word: str = "multiple") -> Relation:
    """That n divides p, with a digit of its own for the quotient where n is not a number."""
    known = poly.as_int(n)
    if known is not None:
        return Relation("=", open_tree(p) % known, 0)
    q = quotients.setdefault(text, Var(Inner(f"{word}.{len(quotients)}"), None, None))
    return Relation("=", open_tree(p), open_tree(n) * q)


def _open_digit(v: Param) -> Var:
    return Var(v, poly.as_int(v.bound) if v.bound is not None else None, v.least)


def open_tree(p: Poly) -> Int:
    """A polynomial over digits that are declared by their least value (and an integer end) alone."""
    total: Int = 0
    for m, c in sorted(p.items(), key=lambda item: (item[0] == ONE, len(item[0]), item[0])):
        term: Int = c if not m else abs(c)
        for v in m:
            term = _open_digit(v) * term
        total = total - term if c < 0 and m else total + term
    return total


def given_facts(params: Iterable[Param]) -> Obligation:
    """That no values meet the facts, as they were given: an obligation that fails where they can be met."""
    params = tuple(params)
    known = origins(params)
    old = [v for o in known for v in o.values]
    named: list[Poly] = [{(v,): 1} for v in (*connected(params), *old)]
    digits, premises = domain_of(poly.closure(*named))
    quotients: dict[str, Var] = {}
    for o in known:
        premises += tuple(
            [Relation("=", open_tree({(v,): 1}), open_tree(p)) for v, p in o.values.items() if p != {(v,): 1}]
        )
        premises += tuple([_stated(kind, polys, quotients) for kind, polys in o.facts])
    never = (Relation("=", 0, 1),)
    all_digits = (*digits, *quotients.values())
    return Obligation("the facts can be met", all_digits, premises, never, may_be_empty=True)


def _stated(kind: str, polys: tuple[Poly, ...], quotients: dict[str, Var]) -> Relation:
    if kind == "divides":
        n, p = polys
        return _divided(f"{poly.key(n)} | {poly.key(p)}", n, p, quotients, "given")
    (p,) = polys
    return Relation("<=" if kind == "nonneg" else "=", 0, open_tree(p))


def facts_in_words(params: Iterable[Param]) -> str:
    """The facts behind some parameters, over the old ones."""
    texts = []
    for o in origins(params):
        for kind, polys in o.facts:
            shown = [f"({poly.show(p)})" if len(p) > 1 and kind == "divides" else poly.show(p) for p in polys]
            texts.append(" | ".join(shown) if kind == "divides" else f"{shown[0]}{_SIGN[kind]}")
    return ", ".join(dict.fromkeys(texts))


_SIGN = {"nonneg": ">=0", "zero": "=0"}
