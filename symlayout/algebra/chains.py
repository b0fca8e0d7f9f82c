"""Whether one composed map gives the values of a chain of others: the laws of operations on ComposedLayouts.

Integer maps are decided by agreement.py, whatever their size. Where coordinates pass through, up to
ENUMERATED indices are looked at one by one.
"""

from __future__ import annotations

from typing import Any

from ..basis import ScaledBasis
from ..dim import is_symbolic, undecided
from ..errors import Inadmissible, UnsupportedError
from ..inttuple import flatten_to_tuple, product, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .agreement import Chain, least_index

ENUMERATED = 1 << 16
IDENTITY = Layout._make(1, 1)


def check_same(name: str, r: Any, chain: Chain, **named: Any) -> None:
    """`R(i) = chain(i)` for all i below size(R), the chain's maps outermost first. Raises Inadmissible with
    the least i, `.want` of the chain and `.got` of R.
    """
    i = least_difference_of(name, r.shape, (r,), chain)
    if i is None:
        return
    want, got = at(chain, i), r(i)
    spelled = "".join(f"{letter}(" for letter in list(named)[: len(chain)]) + str(i) + ")" * len(chain)
    lines = [
        f"{name}: the answer R breaks its law: R({i}) = {show(got)}, {spelled} = {show(want)}",
        *(f"{letter} = {show(x)}" for letter, x in named.items()),
        "unchecked=True gives CuTe's answer R",
    ]
    raise Inadmissible("\n  ".join(lines), i, want, got)


def at(chain: Chain, i: Any) -> Any:
    """The value of a chain at one index."""
    for f in reversed(chain):
        i = f(i)
    return i


def check_injective(name: str, block: Any, r: Any) -> None:
    """R is injective if the block is, both composed and looked at one by one."""
    n = max(product(block.shape), product(r.shape))
    if is_symbolic((block.shape, r.shape)) or n > ENUMERATED:
        raise UnsupportedError(
            f"{name}: the outer map of {block} may send two elements to one offset, and up to {ENUMERATED} "
            "are looked at\n  unchecked=True gives CuTe's answer without this check"
        )
    if _first_repeat(block) is not None:
        return
    repeat = _first_repeat(r)
    if repeat is None:
        return
    i, j = repeat
    raise Inadmissible(
        f"{name}: two elements share the offset {show(r(i))}: R({j}) = R({i}) = {show(r(i))}\n"
        f"  block = {block}, R = {r}\n"
        "  the block is injective; its outer map is not, on what the copies reach; unchecked=True gives R",
        i,
        f"an offset not used before i = {i}",
        r(i),
    )


def _first_repeat(x: Any) -> tuple[int, int] | None:
    """The least index that repeats a value, and the index that had it first."""
    seen: dict[Any, int] = {}
    for i in range(product(x.shape)):
        if (j := seen.setdefault(x(i), i)) != i:
            return i, j
    return None


def least_difference_of(name: str, shape: Any, a: Chain, b: Chain) -> int | None:
    """The least index into `shape` at which two chains differ, or None. Raises NeedFact for parameters and
    UnsupportedError where more indices than ENUMERATED would have to be looked at.
    """
    if decidable(name, Layout._make(shape, shape), *a, *b):
        return least_index(flatten_to_tuple(shape), [(1, a), (-1, b)])
    n = product(shape)
    if n > ENUMERATED:
        raise UnsupportedError(
            f"{name}: {n} values are coordinates, and up to {ENUMERATED} of them are compared\n"
            "  unchecked=True gives CuTe's answer without this check"
        )
    return next((i for i in range(n) if at(a, i) != at(b, i)), None)


def decidable(name: str, *maps: Any) -> bool:
    """Whether all strides and offsets are integers, so that agreement.py decides. Raises NeedFact where one
    is a parameter.
    """
    parts = tuple([part for f in maps for part in _parts(f)])
    if is_symbolic(parts):
        raise undecided(name, ", ".join(map(str, maps)))
    return all(isinstance(x, int) for x in parts)


def _parts(f: Any) -> list[Any]:
    """The sizes, strides and offsets of a map; a coordinate gives a basis stride and what is in it."""
    if isinstance(f, ComposedLayout):
        return [*_parts(f.swizzle), *_of_offset(f.offset), *_parts(f.layout)]
    if isinstance(f, Swizzle):
        return []
    parts = list(flatten_to_tuple(f.shape))
    for d in flatten_to_tuple(f.stride):
        parts += [d, d.value] if isinstance(d, ScaledBasis) else [d]
    return parts


def _of_offset(offset: Any) -> list[Any]:
    return [ScaledBasis(1, (0,)), *flatten_to_tuple(offset)] if isinstance(offset, tuple) else [offset]
