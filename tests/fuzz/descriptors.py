"""Operands that are descriptors of shared memory or addresses of tensor memory, asked for as registers.

No import of symlayout, on purpose. A and B of `*_SS`, B of `*_RS`, and all of `SM100_MMA_*` have no fragment
in registers: whoever asks for one is refused, in whatever way. A of `*_RS` has one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from .case import Case, Error, fault
from .retiles import LDSM, LDSM_T, STSM, recorded

WIDE = ("UniversalCopy<uint16_t>", "UniversalCopy<uint32_t>", "UniversalCopy<uint128_t>")
WGMMA = ("SM90_64", "SM90::GMMA")
WAYS = (
    "m.fragment_{o}(({rows}, {columns}))",
    'm.fragment("{o}", ({rows}, {columns}))',
    "m.get_slice({t}).partition_fragment_{o}(({rows}, {columns}))",
    'm.get_slice({t}).partition_fragment("{o}", Layout(({rows}, {columns}), ({columns}, 1)))',
    'prove({copy}.retile_correct(m, "{o}", ({rows}, {columns})))',
    '{copy}.delivery(m, "{o}", ({rows}, {columns}))',
    '{copy}.right_view(m, "{o}", ({rows}, {columns}))',
)


@cache
def in_memory() -> tuple[tuple[str, str], ...]:
    """(instruction, operand) of those that are in no register."""
    found = []
    for name in (*recorded("atoms_mma.jsonl"), *recorded("atoms_more.jsonl")):
        if name.startswith("SM100_MMA"):
            found += [(name, x) for x in "ABC"]
        elif "_SS" in name and name.startswith(WGMMA):
            found += [(name, "A"), (name, "B")]
        elif "_RS" in name and name.startswith(WGMMA):
            found.append((name, "B"))
    return tuple(found)


def descriptor(seed: int) -> Case:
    """The question with that number."""
    rng = random.Random(seed)
    name, operand = rng.choice(in_memory())
    copy = rng.choice((*LDSM, *LDSM_T, *STSM, *WIDE))
    rows, columns = rng.choice((64, 128, 256)), rng.choice((16, 32, 64))
    made = f'make_tiled_copy_{operand}(atoms.copy("{copy}").with_type("half_t"), m)'
    line = rng.choice(WAYS).format(o=operand, copy=made, t=rng.randrange(128), rows=rows, columns=columns)
    return Case("descriptor", line, _refused(operand), f'm = make_tiled_mma("{name}")\n')


def _refused(operand: str) -> Callable[[Any], str]:
    def judge(got: Any) -> str:
        if not isinstance(got, Error):
            return f"{str(got).splitlines()[0]}, but operand {operand} is in no register"
        return fault(got)

    return judge
