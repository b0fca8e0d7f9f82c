"""Claims: what can be said about integer expressions and layouts, to be decided by `prove`.

| claim | says |
|---|---|
| `equal(a, b)` | two expressions, nested coordinates, or layouts (as functions on one domain) have equal
values |
| `within(x, lo, hi)` | `lo <= x < hi`, for an expression or every value of a layout |
| `aligned(x, n)` | n divides x, for an expression or every value of a layout |
| `injective(L)` | different coordinates have different values |
| `bijective(L)`, `bijective(L, onto=n)` | injective and onto `0 .. n-1`, with n = size(L) |
| `covers(L, n)`, `covers(L, n, times=k)` | every one of `0 .. n-1` is a value of L (exactly k times each) |
| `disjoint(A, B)` | no value of A is a value of B |
| `all_of(p, q, ...)` | all of them, tried in that order |

`claim.given(premise, ...)` weakens a claim by premises, themselves claims about expressions. A claim about
layouts quantifies over their domain, `0 <= i < size(L)`; the digits of expressions are quantified by
`prove` or `@theorem`.
"""

from __future__ import annotations

from typing import Any

from .claim import AllOf, Claim, Pointwise, is_map, show_side
from .dim import Dim
from .errors import LayoutError
from .formula import Relation
from .map_claims import Covers, Disjoint, EqualMaps, EveryValue, Injective
from .symbolic import Expr, Int, of_poly

__all__ = ["Claim", "aligned", "all_of", "bijective", "covers", "disjoint", "equal", "injective", "within"]


def all_of(*claims: Claim) -> Claim:
    """The conjunction of claims. Raises TypeError for anything else."""
    for c in claims:
        if not isinstance(c, Claim):
            raise TypeError(f"all_of: {c!r} is not a claim; equal(a, b) states one")
    if not claims:
        raise LayoutError("all_of: no claims, which would state nothing")
    return AllOf(claims)


def equal(left: Any, right: Any) -> Claim:
    """`left` and `right` have equal values everywhere.

    Two integers or expressions; two coordinates of one nesting; or two layouts, as functions on `0 <= i <
    size`, which also compares their sizes. Raises LayoutError when the two sides cannot be compared.
    """
    if is_map(left) and is_map(right):
        return EqualMaps(left, right)
    if is_map(left) or is_map(right):
        raise LayoutError(
            f"equal: a layout against {show_side(right if is_map(left) else left)}; evaluate it first"
        )
    goals = tuple(Relation("=", a, b) for a, b in _pairs(left, right, left, right))
    if not goals:
        raise LayoutError(
            f"equal: {show_side(left)} against {show_side(right)}: no integers on either side, which would "
            "state nothing"
        )
    return Pointwise(goals, (left, right))


def within(x: Any, lo: Int, hi: Int) -> Claim:
    """`lo <= x < hi`, for an expression, or for every value of a layout."""
    _integers("within", lo, hi)
    if is_map(x):
        return EveryValue(x, "within", (lo, hi))
    _integers("within", x)
    goals = (Relation("<=", lo, x), Relation("<", x, hi))
    return Pointwise(goals, (x, (lo, hi)), "{2[0]} <= {0} < {2[1]}")


def aligned(x: Any, n: int) -> Claim:
    """n divides x, for an expression, or for every value of a layout."""
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise LayoutError(f"aligned: to multiples of {n!r}; a positive integer is needed")
    if is_map(x):
        return EveryValue(x, "aligned", (n,))
    _integers("aligned", x)
    if isinstance(x, Dim):
        return Pointwise((Relation("=", of_poly(x.terms) % n, 0),), (x, n), "{1} divides {0}")
    return Pointwise((Relation("=", x % n, 0),), (x, n), "{1} divides {0}")


def injective(layout: Any) -> Claim:
    """Different coordinates of the layout's domain have different values."""
    return Injective(_map("injective", layout))


def bijective(layout: Any, onto: int | None = None) -> Claim:
    """Injective, and its values are exactly `0 .. onto - 1` (the layout's size if not given).

    By counting: an injective map of n coordinates into n values reaches all of them.
    """
    _map("bijective", layout)
    n = layout.size() if onto is None else onto
    _integers("bijective", n)
    sizes = equal(layout.size(), n).named(f"{show_side(layout)} has {n} coordinates")
    return AllOf((sizes, within(layout, 0, n), injective(layout))).named(
        f"{show_side(layout)} reaches each of 0 .. {n - 1} exactly once"
    )


def covers(layout: Any, n: int, times: int | None = None) -> Claim:
    """Each of `0 .. n-1` is a value of the layout, exactly `times` times if that is given."""
    _integers("covers", n, 1 if times is None else times)
    if isinstance(n, int) and (n < 1 or (times is not None and times < 1)):
        raise LayoutError(f"covers: 0 .. n-1 with n = {n}, times = {times}: nothing to reach")
    return Covers(_map("covers", layout), n, times)


def disjoint(a: Any, b: Any) -> Claim:
    """No value of layout a is a value of layout b."""
    return Disjoint(_map("disjoint", a), _map("disjoint", b))


def _map(name: str, x: Any) -> Any:
    if not is_map(x):
        raise LayoutError(f"{name}: {show_side(x)} is not a layout")
    return x


def _integers(name: str, *xs: Any) -> None:
    for x in xs:
        if not _is_integer(x):
            raise LayoutError(f"{name}: {show_side(x)} is not an integer")


def _is_integer(x: Any) -> bool:
    """An integer or an expression; Python's True and False are not, though they count as 1 and 0."""
    return isinstance(x, (int, Expr, Dim)) and not isinstance(x, bool)


def _pairs(a: Any, b: Any, left: Any, right: Any) -> list[tuple[Int, Int]]:
    """The leaves of two coordinates side by side; a missing entry of a coordinate sum counts as 0, as in
    ArithTuple."""
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        if len(a) != len(b):
            raise LayoutError(
                f"equal: {show_side(left)} against {show_side(right)}: {len(a)} entries against {len(b)}"
            )
        return [p for x, y in zip(a, b, strict=True) for p in _pairs(x, y, left, right)]
    for x in (a, b):
        if not _is_integer(x):
            raise LayoutError(
                f"equal: {show_side(left)} against {show_side(right)}: {show_side(x)} is not an integer"
            )
    return [(a, b)]
