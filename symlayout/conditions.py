"""For which sizes do two layouts over parameters agree? Derived by comparing their canonical forms.

A canonical form is unique for a function, so two layouts agree for all sizes iff their forms are the same
polynomials. Where they are not, they may still agree for some: a mode of size 1 drops out, and its neighbours
merge. `agree_iff` sets parameters to 1 until the forms coincide, takes the least such sets, and proves both
directions: that the layouts agree there, and that elsewhere they differ at the first index at which the forms
do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .claim import Pointwise
from .claims import equal
from .decide import prove
from .dim import dims, make
from .domain import Domain, assume, substitute
from .errors import LayoutError
from .formula import Relation
from .layout import Layout
from .over_parameters import parameters
from .polynomial import Param, Poly
from .symbolic import of_poly
from .verdict import Proved, Verdict

ONE_EACH: Poly = {(): 1}


@dataclass(frozen=True)
class Condition:
    """`a` and `b` agree as functions iff one of the parameters in `ones` is 1.

    `index` is where they differ otherwise, `left` and `right` their values there. `verdicts` are the proofs:
    of agreement for each of `ones`, and of the difference for the rest.
    """

    a: Layout
    b: Layout
    ones: tuple[str, ...]
    index: Any
    left: Any
    right: Any
    verdicts: tuple[Verdict, ...]

    @property
    def proved(self) -> bool:
        return all(isinstance(v, Proved) for v in self.verdicts)

    @property
    def obligations(self) -> int:
        """How many formulas z3 found unsatisfiable."""
        return sum(len(v.certificate) for v in self.verdicts if isinstance(v, Proved))

    def __str__(self) -> str:
        return " or ".join(f"{name} = 1" for name in self.ones) or "never"


def agree_iff(a: Layout, b: Layout) -> Condition:
    """The condition under which two layouts of one size, with different canonical forms, are one function.

    Raises LayoutError when the forms are the same, or when the condition is not one of this kind.
    """
    if a.canonical() == b.canonical():
        raise LayoutError(f"{a} and {b} agree for all sizes")
    params = parameters((a, b))
    ones = tuple(_least_sets(a, b, params))
    if any(len(names) > 1 for names in ones):
        raise LayoutError(f"{a} and {b} agree where several parameters are 1 at once: {ones}")
    singles = tuple([names[0] for names in ones])
    verdicts = [prove(equal(_with_ones(a, (v,)), _with_ones(b, (v,)))) for v in singles]
    more = assume(*[make({(v,): 1}) >= 2 for v in singles])
    index, left, right = first_difference(more(a), more(b))
    differ = Pointwise((Relation("!=", _expr(left), _expr(right)),), (left, right), "{0} is not {1}")
    verdicts.append(prove(differ))
    return Condition(a, b, tuple([v.name for v in singles]), index, left, right, tuple(verdicts))


def _expr(x: Any) -> Any:
    return x if isinstance(x, int) else of_poly(x.terms)


def _with_ones(x: Layout, names: Iterable[Param]) -> Layout:
    result: Layout = substitute(x, dict.fromkeys(names, ONE_EACH))
    return result


def _least_sets(a: Layout, b: Layout, params: tuple[Param, ...]) -> list[tuple[Param, ...]]:
    found: list[tuple[Param, ...]] = []
    for n in range(1, len(params) + 1):
        for names in combinations(params, n):
            if any(set(less) <= set(names) for less in found):
                continue
            if _with_ones(a, names).canonical() == _with_ones(b, names).canonical():
                found.append(names)
    return found


def first_difference(a: Layout, b: Layout) -> tuple[Any, Any, Any]:
    """The index at which the canonical forms differ first, and both values there: for sizes of modes that are
    surely ordered. Raises NeedFact where they are not."""
    index: Any = 1
    for (s, d), (t, e) in zip(a.canonical(), b.canonical(), strict=False):
        if d != e:
            return index, d, e
        if s != t:
            index = index * (s if (s <= t) is True else t)
            return index, a(index), b(index)
        index = index * s
    raise LayoutError(f"the forms of {a} and {b} differ in size alone")


@dataclass(frozen=True)
class Regime:
    """One way in which CuTe's divide has an answer: under `facts`."""

    facts: str
    domain: Domain
    divided: Layout
    view: Layout
    condition: Condition


def divide_against_retile() -> tuple[Layout, Layout, tuple[Regime, ...]]:
    """The fragment (V,N,G*K) that a load of V*G values fills in G steps of K, the view that retile makes of
    it, and what zipped_divide by V*G makes of it, where one of N and G divides the other: elsewhere it
    misses elements, or CuTe refuses.
    """
    from .algebra import zipped_divide

    v, g, n, k = dims("V G N K")
    fragment = Layout((v, n, g * k), (1, v * g * k, v))
    view = Layout(((v, g), n, k), ((1, v), v * g * k, v * g))
    regimes = []
    for facts in ("N % G == 0", "G % N == 0"):
        domain = assume(facts)
        divided = zipped_divide(domain(fragment), domain(v * g))
        condition = agree_iff(divided, domain(view))
        regimes.append(Regime(facts, domain, divided, domain(view), condition))
    return fragment, view, tuple(regimes)
