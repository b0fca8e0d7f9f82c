"""Putting mutants before `prove`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from symlayout.decide import prove
from symlayout.errors import SymlayoutError
from symlayout.parametric import at, instances, parameters
from symlayout.question import read_question
from symlayout.theory import Theorem
from symlayout.verdict import Refuted

from .mutants import Mutant, mutants, same_statement

INSTANCES, MOST_POINTS = 24, 1 << 16  # of a mutant over parameters that `prove` does not decide

SAY_LESS = {  # theorems that hold of other layouts too, and why
    "operand_a.loads_stay_in_their_blocks": "it says in which block the values lie, not which values: lanes "
    "and values may change places inside a block",
    "parametric.row_addresses_are_aligned": "other multiples of 16 bytes are aligned as well",
    "parametric.padding_keeps_elements_apart": "more padding keeps them apart as well",
    "parametric.complement_is_ordered": "a complement with longer steps is in order as well",
    "parametric.divide_differs_otherwise": "two views differ in most ways in which one of them is changed",
    **dict.fromkeys(
        (
            *("banks.rows_of_128_bytes_take_8", "banks.rows_of_144_bytes", "banks.swizzle_of_128_bytes"),
            *("banks.half_a_swizzle", "banks.rows_of_64_bytes_take_4", "banks.swizzle_of_64_bytes"),
            *("banks.swizzle_of_256_bytes", "banks.transposing_loads", "banks.stmatrix_of_c"),
            *("banks.whole_rows", "banks.half_rows", "banks.down_a_padded_column", "banks.odd_pitch"),
            *("banks.pitch_of_whole_lines", "banks.swizzle_and_any_pitch", "banks.wide_loads_and_any_pitch"),
        ),
        "it says which banks the addresses lie in: rows may repeat, and so may what lies behind an address",
    ),
}


@dataclass(frozen=True)
class Killed:
    """How many mutants were put, how many were refuted, and the others in words.

    A mutant that cannot be stated (the change makes no layout of that kind) is not counted, nor is one that
    says what the theorem says.
    """

    tried: int = 0
    refuted: int = 0
    survivors: tuple[str, ...] = ()

    def __add__(self, other: Killed) -> Killed:
        return Killed(
            self.tried + other.tried, self.refuted + other.refuted, self.survivors + other.survivors
        )


def fails_somewhere(stated: Theorem, mutant: Mutant) -> bool:
    """Whether the mutant fails at one of its smaller instances, computed in full."""
    question = read_question(mutant.body, stated.quantifiers)
    params = parameters((question.free, question.claim))
    for values in islice(instances(params), INSTANCES):
        for digits in product(*(range(at(v.bound, values)) for v in question.free)):
            claim = at(
                question.claim, {**values, **dict(zip([v.name for v in question.free], digits, strict=True))}
            )
            if any(p.instances() <= MOST_POINTS and p.failure() is not None for p in claim.parts()):
                return True
    return False


def kill(stated: Theorem, most: int | None = None) -> Killed:
    """Every mutant of one theorem, or the first `most`. Points refute them, so no solver is asked."""
    found = Killed()
    for mutant in mutants(stated):
        if found.tried == most:
            break
        try:
            verdict = prove(mutant.body, engine="fast", **dict[str, Any](stated.quantifiers))
        except SymlayoutError:
            continue
        if isinstance(verdict, Refuted) or (verdict.name == "unknown" and fails_somewhere(stated, mutant)):
            found += Killed(1, 1)
        elif not same_statement(stated, mutant):
            found += Killed(1, 0, (f"{mutant.says} ({verdict.name})",))
    return found
