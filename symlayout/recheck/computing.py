"""Walk the points of one part of a certificate with `evaluator`, as far as is sensible."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .. import evaluator
from ..errors import NotationError

MOST_POINTS = 1 << 17  # of the digits of a domain; indices of maps come on top
SMALL = 8  # how far a digit without an end goes: instances, no proof
MOST_SMALL = 2000  # choices of such digits
MOST_INSTANCES = 20_000  # and points with them
LARGE = 64  # and as many points with such digits below 4, 8, 16, ...


@dataclass(frozen=True)
class Computed:
    """How many points were computed (indices of maps count), at how many of the domain's the part speaks, and
    the first failure."""

    points: int = 0
    spoke: int = 0
    whole: bool = True  # the whole domain
    failure: dict[str, int] | None = None
    unstated: str = ""  # why there is nothing to compute
    too_large: bool = False

    def where(self, part: Mapping[str, Any]) -> str:
        place = ", ".join(f"{k} = {v}" for k, v in (self.failure or {}).items())
        return f"{part['says']}\n  is false{' at ' if place else ''}{place}"


def compute(
    part: Mapping[str, Any], domain: list[dict[str, Any]], at: Mapping[str, Any] | None = None
) -> Computed:
    """Every point of a bounded domain, the first ones of any other. `at` is a witness: in a domain that is
    not computed as a whole it is the one point that is.

    Raises NotationError for words that are not of the language.
    """
    if part["kind"] == "unstated":
        return Computed(unstated=f"there are no words for it to be computed from: {part['why']}")
    try:
        return _compute(part, digits_of(part, domain), at)
    except OverflowError as error:
        return Computed(whole=False, too_large=True, unstated="" if at is None else f"not computed: {error}")
    except (evaluator.Malformed, NameError, TypeError, ZeroDivisionError) as error:
        raise NotationError(f"no part of a claim: {error}") from None


def digits_of(part: Mapping[str, Any], domain: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of the whole claim, and those of the part itself."""
    return [*domain, *part.get("digits", ())]


def _compute(part: Mapping[str, Any], domain: list[dict[str, Any]], at: Mapping[str, Any] | None) -> Computed:
    endless = [digit["name"] for digit in domain if digit["below"] is None]
    most = MOST_INSTANCES if endless else MOST_POINTS
    few = max(2, min(SMALL, int(MOST_SMALL ** (1 / max(1, len(endless))))))
    tried = [{**d, "below": f"{d['from']} + {few}"} if d["name"] in endless else d for d in domain]
    points = list(islice(evaluator.points(tried, {}), most + 1))
    whole = not endless and len(points) <= most
    names = [digit["name"] for digit in domain]
    if at is not None and not whole and all(type(at.get(name)) is int for name in names):
        points = [{name: at[name] for name in names}]
    elif endless and part["kind"] == "relations":  # maps of such sizes cannot be tabulated
        points += _large(domain)
    spoke, each = 0, 1
    for n, point in enumerate(points, 1):
        speaks, failure = evaluator.at(part, point)
        if speaks and not spoke:
            each = _indices(part, point)
        spoke += speaks
        if failure is not None:
            return Computed(n * each, spoke, whole, {**point, **failure})
    return Computed(len(points) * each, spoke, whole)


def _large(domain: list[dict[str, Any]]) -> Iterator[dict[str, int]]:
    """Points far out, the same ones every time: a claim that is true of small numbers only shows there."""
    choice = random.Random(0)
    for k in range(LARGE):
        point: dict[str, int] = {}
        for digit in domain:
            low = evaluator.number(str(digit["from"]), point)
            below = low + (4 << k) if digit["below"] is None else evaluator.number(str(digit["below"]), point)
            if below <= low:
                break
            point[digit["name"]] = choice.randrange(low, below)
        else:
            yield point


def _indices(part: Mapping[str, Any], point: Mapping[str, int]) -> int:
    """At how many indices of its own a part is computed at one point of the domain."""

    def size(field: str) -> int:
        return len(next(iter(evaluator.table(part[field], point).values())))

    match part["kind"]:
        case "delivered":
            return size("threads") * size("view")
        case "disjoint":
            return size("a") + size("b")
        case "equal maps":
            return size("a")
        case "relations":
            return 1
    return size("map")
