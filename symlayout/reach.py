"""That a layout reaches every value of `0 .. n-1`, by a table: for each value an index that has it.

"There is an index" is not a formula that a solver can refute at one point. With the index named it is an
equation: the digits of the index are given, and the solver works the layout's value out from them. So any
covering can be confirmed, however its values repeat, as long as the table is not too long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .formula import Relation
from .names import Inner
from .symbolic import Int, Var

MOST_TABLED = 1 << 14  # elements of a layout that is walked for its table
MOST_ENTRIES = 1 << 9  # of a table; z3 reads some thousand equations in a second


def least_indices(values: Sequence[Any], n: int, times: int | None, repeats: int) -> list[list[int]] | None:
    """For each of `0 .. n-1` the least index that has it, or all of them when they are to be `times` each.

    None when there is no such table, when other values keep the table from saying that there are no more, or
    when none is needed: the values are `0 .. n-1`, each as often as the modes of stride 0 repeat it.
    """
    if len(values) == n * repeats and len(set(values)) == n and times in (None, repeats):
        return None
    entries = n * (1 if times is None else times)
    if not 0 < entries <= MOST_ENTRIES or (times is not None and len(values) != entries):
        return None
    found: list[list[int]] = [[] for _ in range(n)]
    for i, x in enumerate(values):
        if isinstance(x, int) and 0 <= x < n and (times is not None or not found[x]):
            found[x].append(i)
    return found if all(len(indices) == (times or 1) for indices in found) else None


Table = tuple[tuple[Var, ...], tuple[Relation, ...], tuple[Relation, ...]]


def table(indices: list[list[int]], sizes: Sequence[int], value: Callable[[tuple[Int, ...]], Any]) -> Table:
    """Digits, premises that fix them to the table's indices, and goals: each entry has its value, and the
    entries of one value are at different indices."""
    found: list[Var] = []
    fixed: list[Relation] = []
    goals: list[Relation] = []
    for x, at in enumerate(indices):
        before: Int | None = None
        for r, i in enumerate(at):
            digits = tuple(Var(Inner(f"at.{x}.{r}.{k}"), s) for k, s in enumerate(sizes))
            index: Int = 0
            weight = 1
            for digit, s in zip(digits, sizes, strict=True):
                fixed.append(Relation("=", digit, i // weight % s))
                index = index + digit * weight
                weight *= s
            goals.append(Relation("=", value(digits), x))
            if before is not None:
                goals.append(Relation("<", before, index))
            before = index
            found += digits
    return tuple(found), tuple(fixed), tuple(goals)
