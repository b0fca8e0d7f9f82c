"""Laws 2 and 5 said of the answer alone, for answers that are not CuTe's to the letter.

laws.py judges CuTe's own steps inside a divide or a product; an answer over parameters at one of their values
may be another layout that does the same.
"""

from . import cute, laws
from .laws import Broken
from .maps import Layout, Pair, compatible, is_tuple, size, value
from .records import padded, part, rank


def values(layout: Pair) -> list[int]:
    return [value(layout, i) for i in range(size(layout[0]))]


def coalesce(a: Pair, result: Pair) -> Broken | None:
    """The same function from as many indices."""
    return laws.with_shape(a, result[0], result)


def divide(a: Pair, tile: Broken | None, result: Pair) -> Broken | None:
    """Law 2 in values: the tile is right (`tile` says what is wrong with it) and every element of a is met:
    exactly once where a is injective and the answer as long as a."""
    if tile:
        return tile
    missed = set(values(a)) - set(values(result))
    return Broken(None, min(missed), None, "missed") if missed else None


def product(a: Pair, b: Pair, block: Pair, copies: Pair) -> Broken | None:
    """Law 5: the block is a, copies(j) depends on b(j) alone, in its order, and where b has different values
    the copies of an injective a share nothing."""
    if not compatible(b[0], copies[0]):
        return Broken(None, b[0], copies[0], "shape")
    broken = coalesce(a, block)
    if broken:
        return broken
    steps: dict[int, int] = {}
    for j in range(size(b[0])):
        at, step = value(b, j), value(copies, j)
        if steps.setdefault(at, step) != step:
            return Broken(j, steps[at], step, "value")
    ordered = [steps[at] for at in sorted(steps)]
    if ordered != sorted(set(ordered)) or steps.get(0, 0) != 0:
        return Broken(None, sorted(set(ordered)), ordered, "order")
    own = values(cute.filter_zeros(a))
    if len(set(own)) == len(own):
        seen: set[int] = set()
        for step in ordered:
            for x in own:
                if x + step in seen:
                    return Broken(None, "a new index", x + step, "overlap")
                seen.add(x + step)
    return None


def ranked_product(a: Pair, b: Pair, result: Pair, block: int) -> Broken | None:
    """Law 5 of blocked_product (`block` 0) and raked_product (1): each mode is a pair of a's mode and b's."""
    r = max(rank(a), rank(b))
    a, b = padded(a, r), padded(b, r)
    pairs = [part(result, (k,)) for k in range(r)] if is_tuple(result[0][0]) else [result]
    ours, theirs = ([part(p, (side,)) for p in pairs] for side in (block, 1 - block))
    for k, mine in enumerate(ours):
        broken = coalesce(part(a, (k,)) if is_tuple(a[0]) else a, mine)
        if broken:
            return broken
    return product(a, b, joined(ours, a), joined(theirs, b))


def joined(parts: list[Pair], like: Pair) -> Pair:
    return Layout((tuple(p[0] for p in parts), tuple(p[1] for p in parts))) if is_tuple(like[0]) else parts[0]
