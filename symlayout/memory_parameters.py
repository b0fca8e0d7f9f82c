"""The claims of memory_claim about tensors whose sizes or strides are parameters.

Without a swizzle an offset is a sum of strides, so the values of an access are neighbours for every thread
and step if they are for the first. A swizzle that moves whole accesses keeps what lies in one together, if
it begins at a multiple of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .claim import Claim, Failure, Pointwise
from .dim import is_symbolic
from .errors import UnsupportedError
from .formula import Relation
from .inttuple import product
from .layout import Layout
from .map_claims import EveryValue, at_digits, digits, mode_sizes
from .quantified import ForAllSizes
from .spread_claim import in_units_of, inner
from .swizzle import ComposedLayout
from .symbolic import Int, Var


def contiguous_for_all(exact: Claim, offsets: Any) -> Claim:
    """`exact` itself on integers; over parameters the same for all their values. `offsets` are those over
    (thread, value, step)."""
    plain = inner(offsets)
    if not _over_parameters(plain):
        return exact
    thread, value, step = (digits(mode_sizes(plain[k]), name) for k, name in enumerate("tvs"))
    goals: tuple[Relation, ...] = (Relation("=", at_digits(plain[1], value), number(value)),)
    if plain is offsets:
        return ForAllSizes(value[::-1], Pointwise(goals, (plain, number(value))), exact)
    unit = _whole_units(offsets)
    first = at_digits(plain, (*thread, *(0 for _ in value), *step))
    goals += (Relation("=", first % unit, 0),)
    order = (*thread[::-1], *step[::-1], *value[::-1])
    return ForAllSizes(order, Pointwise(goals, (plain, number(value))), exact)


def aligned_for_all(exact: Claim, offsets: Any) -> Claim:
    """The same of the claim that addresses are aligned."""
    plain = inner(offsets)
    if not _over_parameters(plain):
        return exact
    unit = int(product(plain.shape[1])) if plain is offsets else _whole_units(offsets)
    addresses = Layout._make((plain.shape[0], plain.shape[2]), (plain.stride[0], plain.stride[2]))
    return AlignedForAll(addresses, "aligned", (unit,), exact)


def number(found: tuple[Var, ...]) -> Int:
    """The number that digits make, the first the fastest."""
    index: Int = 0
    weight = 1
    for v in found:
        index = index + v * weight
        weight *= v.bound or 1
    return index


def _over_parameters(plain: Layout) -> bool:
    return is_symbolic((plain.shape, plain.stride))


def _whole_units(offsets: ComposedLayout) -> int:
    """The values of one access. Raises UnsupportedError for a swizzle that does not keep them together."""
    unit = int(product(offsets.layout.shape[1]))
    whole = type(offsets.offset) is int and offsets.offset % unit == 0
    if not whole or in_units_of(offsets.swizzle, unit) is None:
        raise UnsupportedError(
            f"{offsets.swizzle} o {offsets.offset} does not keep the {unit} values of a lane together"
        )
    return unit


@dataclass(frozen=True)
class AlignedForAll(EveryValue):
    """Alignment whatever the parameters; `exact` says the same on integers, and knows more of a failure."""

    exact: Claim

    def instances(self) -> int:
        return self.exact.instances()

    def walked(self) -> int:
        return self.exact.walked()

    def failure(self) -> Failure | None:
        return self.exact.failure()

    def repair(self) -> tuple[str, Claim] | None:
        return self.exact.repair()
