"""Walk the points of one item of a certificate's data with `evaluator` and `partition`, as far as is
sensible."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import evaluator
from ..errors import NotationError
from ..sentence import phrase
from . import partition

MOST_POINTS = 1 << 17  # of the digits of a domain; indices of maps come on top
SMALL = 8  # how far a digit without an end goes: instances, no proof
MOST_SMALL = 2000  # choices of such digits
MOST_INSTANCES = 20_000  # and points with them
MOST_STEPS = 1 << 19  # of looking for points
MOST_WORK = 1 << 20  # indices of maps, over all points
A_PARTITION = 1000  # indices in the time of which an mma and a copy are laid out
LARGE = 64  # and as many points with such digits below 4, 8, 16, ...

_WORD = re.compile(r"[^\W\d]\w*")
Item = Mapping[str, Any]
FAULTS = (evaluator.Malformed, NameError, TypeError, ZeroDivisionError, RecursionError)


@dataclass(frozen=True)
class Computed:
    """How many points were computed (indices of maps count), at how many of the domain's the item speaks, and
    the first failure."""

    points: int = 0
    spoke: int = 0
    whole: bool = True  # the whole domain
    failure: dict[str, int] | None = None
    unstated: str = ""  # why there is nothing to compute

    def where(self, item: Item) -> str:
        return f"{phrase(item)}\n  is false{place(self.failure or {})}"


def place(point: Mapping[str, Any]) -> str:
    """` at a = 3, b = 0`; empty for the only point that there is."""
    named = ", ".join(f"{k} = {v}" for k, v in point.items())
    return f" at {named}" if named else ""


def compute(item: Item, domain: Sequence[Item], facts: Sequence[str] = ()) -> Computed:
    """Every point of a bounded domain, the first ones of any other.

    Raises NotationError for words that are not of the language.
    """
    if item["kind"] == "unstated":
        return Computed(unstated=f"there are no words for it to be computed from: {item['why']}", whole=False)
    try:
        return _compute(item, [*domain, *item.get("digits", ())], facts)
    except FAULTS as error:
        raise NotationError(f"not a claim: {error}") from None


def _compute(item: Item, domain: Sequence[Item], facts: Sequence[str]) -> Computed:
    endless = [digit["name"] for digit in domain if digit["below"] is None]
    most = MOST_INSTANCES if endless else MOST_POINTS
    few = max(2, min(SMALL, int(MOST_SMALL ** (1 / max(1, len(endless))))))
    tried = [{**d, "below": f"{d['from']} + {few}"} if d["name"] in endless else d for d in domain]
    points, all_of_them = _first(tried, most)
    whole = not endless and all_of_them
    if not whole and item["kind"] == "relations":  # maps of such sizes cannot be tabulated
        points += _large(domain)
    computed = spoke = work = 0
    unstated = ""
    each = 0
    reading = _reading(item, facts)
    tabulated = True
    once = not names_in(item) & {digit["name"] for digit in domain}
    for point in points:
        if once and spoke:  # it says the same at every point
            whole = tabulated
            break
        if work > MOST_WORK:
            whole = False
            break
        try:
            speaks, failure, each = _at(item, point, facts, each)
        except OverflowError:  # it speaks there, and is too large to be tabulated
            speaks, failure, whole, tabulated = True, None, False, False
        except partition.Unknown as error:
            speaks, failure, whole, tabulated, unstated = True, None, False, False, str(error)
        else:
            computed += each or 1
            work += each + reading + A_PARTITION * (item["kind"] in partition.KINDS)
        spoke += speaks
        if failure is not None:
            return Computed(computed, spoke, whole, {**point, **failure})
    return Computed(computed, spoke, whole, unstated=unstated)


def _first(domain: Sequence[Item], most: int) -> tuple[list[dict[str, int]], bool]:
    """The first points of a domain, the last digit fastest, and whether they are all: where digits have no
    values, or many, it is not looked for long."""
    found: list[dict[str, int]] = []
    for steps, point in enumerate(_walk(domain, {})):
        if len(point) == len(domain):
            found.append(point)
        if len(found) > most or steps > MOST_STEPS:
            return found, False
    return found, True


def _walk(domain: Sequence[Item], point: dict[str, int]) -> Iterator[dict[str, int]]:
    """The points of a domain, and on the way the values of its first digits."""
    yield point
    if len(point) < len(domain):
        digit = domain[len(point)]
        for value in range(*(evaluator.number(str(digit[end]), point) for end in ("from", "below"))):
            yield from _walk(domain, {**point, digit["name"]: value})


def _reading(item: Item, facts: Sequence[str]) -> int:
    """What its relations add to the work at a point."""
    relations = [*facts, *item["given"], *item.get("hold", ())]
    return len(relations) // 2 + sum(map(len, relations)) // 1024


def names_in(x: Any) -> set[str]:
    """The words in all texts of an item, those that name digits among them."""
    if isinstance(x, Mapping):
        return set().union(*map(names_in, x.values()))
    if isinstance(x, list):
        return set().union(*map(names_in, x))
    return set(_WORD.findall(x)) if isinstance(x, str) else set()


def _at(
    item: Item, point: evaluator.Env, facts: Sequence[str], each: int
) -> tuple[bool, evaluator.Point | None, int]:
    """Whether an item speaks at a point, its first failure, and at how many indices of its own it is computed
    there."""
    if not all(evaluator.holds(relation, point) for relation in (*facts, *item["given"])):
        return False, None, each
    if item["kind"] in partition.KINDS:
        failure, visited = partition.at(item, point)
        return True, failure, visited
    speaks, failure = evaluator.at(item, point)
    return speaks, failure, each or (indices(item, point) if speaks else 0)


def _large(domain: Sequence[Item]) -> Iterator[dict[str, int]]:
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


def indices(item: Item, point: Mapping[str, int]) -> int:
    """At how many indices of its own a part is computed at one point of the domain."""

    def size(field: str) -> int:
        return evaluator.size(item[field], point)

    match item["kind"]:
        case "delivered":
            return size("threads") * size("view")
        case "disjoint":
            return size("a") + size("b")
        case "equal maps":
            return size("a")
        case "relations":
            return 1
    return size("map")
