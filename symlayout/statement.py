"""Claims in words that stand alone: a certificate keeps them, `evaluator` computes them without this package.

A part of a claim is an object: `says` (the same in a sentence, sentence.py), `given` (relations under which
it speaks), a `kind`, and

| kind | fields | holds when |
|---|---|---|
| `relations` | `hold`: `["a % 4 * 16 + b = 3", ...]`, `digits` | each is true, for all digits of its own |
| `equal maps` | `a`, `b` | they have one size, and equal values at every index |
| `within` | `map`, `low`, `below` | low <= value < below, at every index |
| `aligned` | `map`, `by` | `by` divides every value |
| `injective` | `map` | no two indices share a value |
| `disjoint` | `a`, `b` | no value of a is one of b |
| `covers` | `map`, `n`, `times` (or null) | each of 0 .. n-1 is a value (exactly so often) |
| `delivered` | `threads`, `fragment`, `view`, `expected`, `delivered` | every view(x) is a fragment(v), and
then expected(l, v) = delivered(threads(l), x), one map a coordinate: see retile_claim |
| `spread` | `map`, `lanes`, `unit`, `classes`, `low`, `high`, `each_lane`, `groups` | of each group of
`lanes` values, the units (value // unit) of one remainder modulo `classes` are `low` to `high` where they are
most: different ones, or those of different lanes |
| `unstated` | `why` | no words for it are known: its obligations are all that can be checked |

Integers and expressions are text, as Python would read them. A map is the text that CuTe prints,
`((2,2),8):((1,2),4)`: strides like `1@0` make coordinates, `Sw<3,3,3> o 0 o ` in front swizzles; or it is
`{"offset": text, "layout": map}`. Text may name the digits of the domain, each a `{"name": "a", "from": 0,
"below": 8}`, without an end when `below` is null.
"""

from __future__ import annotations

import re
from functools import singledispatch
from typing import Any

from .claim import Claim, Pointwise
from .errors import UnsupportedError
from .formula import Relation
from .layout import Layout
from .map_claims import Covers, Disjoint, EqualMaps, EveryValue, Injective
from .quantified import ForAll
from .sentence import LETTERS, phrase
from .spread_claim import Spread
from .swizzle import ComposedLayout, Swizzle
from .symbolic import Expr, Int, Var

Statement = dict[str, Any]
MOST_NODES = 20_000  # of one expression, written out: shared subexpressions are not shared in text


def statement(claim: Claim) -> Statement:
    """One part of a claim in the words above."""
    try:
        found = {"given": [relation(r) for r in claim.premises], **states(claim)}
    except UnsupportedError as error:
        found = {"given": [], "kind": "unstated", "why": str(error)}
    return {"says": phrase(found), **found}


@singledispatch
def states(claim: Claim) -> Statement:
    """The kind of a claim, with its fields; claims defined elsewhere register themselves, or are stated by
    their one obligation. Raises UnsupportedError."""
    found = claim.obligations()
    if len(found) != 1 or not claim.enough():
        raise UnsupportedError(f"{type(claim).__name__} has no words of its own")
    return {
        "kind": "relations",
        "given": [relation(r) for r in found[0].premises],
        "hold": [relation(r) for r in found[0].goals],
        "digits": [digit(v.name, v.lower, v.bound) for v in found[0].digits],
    }


@states.register
def _(claim: Pointwise) -> Statement:
    return {"kind": "relations", "hold": [relation(r) for r in claim.goals], "digits": []}


@states.register
def _(claim: ForAll) -> Statement:
    return {**states(claim.claim), "digits": [digit(v.name, v.lower, v.bound) for v in claim.digits]}


@states.register
def _(claim: EqualMaps) -> Statement:
    return {"kind": "equal maps", "a": the_map(claim.a), "b": the_map(claim.b)}


@states.register
def _(claim: EveryValue) -> Statement:
    names = ("low", "below") if claim.kind == "within" else ("by",)
    return {
        "kind": claim.kind,
        "map": the_map(claim.layout),
        **{name: integer(x) for name, x in zip(names, claim.bounds, strict=True)},
    }


@states.register
def _(claim: Injective) -> Statement:
    return {"kind": "injective", "map": the_map(claim.layout)}


@states.register
def _(claim: Disjoint) -> Statement:
    return {"kind": "disjoint", "a": the_map(claim.a), "b": the_map(claim.b)}


@states.register
def _(claim: Covers) -> Statement:
    times = None if claim.times is None else integer(claim.times)
    return {"kind": "covers", "map": the_map(claim.layout), "n": integer(claim.n), "times": times}


@states.register
def _(claim: Spread) -> Statement:
    counts = {"lanes": claim.lanes, "unit": claim.unit, "classes": claim.classes}
    return {
        "kind": "spread",
        "map": the_map(claim.layout),
        **{name: integer(n) for name, n in (counts | {"low": claim.low, "high": claim.high}).items()},
        "each_lane": claim.each_lane,
        "groups": [
            {"name": name, "size": integer(n)} for name, n in zip(claim.names, claim.groups(), strict=True)
        ],
    }


def digit(name: str, least: Any, below: Any) -> dict[str, Any]:
    """A digit of a domain; an end that is not a number is an expression in digits before it."""
    end = below if below is None or type(below) is int else integer(below)
    return {"name": plain(str(name)), "from": least, "below": end}


def plain(text: str) -> str:
    """Names without the points of `i.0`, which are not part of a name in Python, and without letters that
    look like others."""
    return re.sub(f"[^{LETTERS}]", _spelled_out, text.replace(".", "_"))


def _spelled_out(letter: re.Match[str]) -> str:
    return f"_{ord(letter[0]):x}" if f"a{letter[0]}".isidentifier() else letter[0]


def relation(r: Relation) -> str:
    """`a % 4 = a`. Raises UnsupportedError for an expression too long to be written out."""
    return f"{integer(r.left)} {r.op} {integer(r.right)}"


def integer(x: Int) -> str:
    """The text of an integer or an expression, in Python's syntax."""
    if isinstance(x, Expr) and _nodes(x, {}) > MOST_NODES:
        raise UnsupportedError(f"an expression of more than {MOST_NODES} terms")
    return plain(str(x))


def _nodes(x: Any, known: dict[int, int]) -> int:
    """How many nodes an expression has once it is written out."""
    if not isinstance(x, Expr) or isinstance(x, Var):
        return 1
    if id(x) not in known:
        known[id(x)] = 1 + sum(_nodes(a, known) for a in x.args)
    return known[id(x)]


def the_map(x: Any) -> Any:
    """A layout, a swizzled one, or a view. Raises UnsupportedError for anything else that answers for
    coordinates."""
    if isinstance(x, Layout):
        return str(x)
    if isinstance(x, ComposedLayout):
        inner = the_map(x.layout)
        if isinstance(inner, str) and isinstance(x.swizzle, Swizzle):
            return f"{x.swizzle} o {coordinate(x.offset)} o {inner}"
    elif hasattr(x, "offset") and hasattr(x, "layout"):
        return {"offset": coordinate(x.offset), "layout": the_map(x.layout)}
    raise UnsupportedError(f"{x} is not a layout that is written down as text")


def coordinate(x: Any) -> str:
    """An integer, or a nested coordinate in Python's syntax, where `(5,)` is not `5`."""
    if isinstance(x, tuple):
        return f"({','.join(map(coordinate, x))}{',' * (len(x) == 1)})"
    return integer(x)
