"""Other models of how an access is served, each as plausible as the next until it is measured.

Where `symlayout.smem` does not predict what was counted, these are tried, and those that do are named. The
accesses of `probes` tell any two of them apart, so that at most one is left.

A model is a phase length, what a lane costs in a phase, and what the profiler makes of it:

    word        the fullest bank, lanes of one word counted once    (ld and st are measured to be this one)
    lane        the fullest bank, each lane's words counted
    turns       lanes of one word go one after the other; each turn is served as distinct words are
    busiest     the word that most lanes name; banks do not matter
    addresses   distinct addresses, one after the other
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from symlayout.smem import BANKS, WORD, Access

from .probes import Probe


def _words(phase: Sequence[int], size: int) -> list[int]:
    return [w for a in phase for w in range(a // WORD, (a + size - 1) // WORD + 1)]


def _fullest(words: Sequence[int] | set[int]) -> int:
    return max(Counter(w % BANKS for w in words).values())


def _word(phase: Sequence[int], size: int) -> int:
    return _fullest(set(_words(phase, size)))


def _lane(phase: Sequence[int], size: int) -> int:
    return _fullest(_words(phase, size))


def _turns(phase: Sequence[int], size: int) -> int:
    lanes = Counter(phase)
    return sum(_word([a for a in lanes if lanes[a] > turn], size) for turn in range(max(lanes.values())))


def _busiest(phase: Sequence[int], size: int) -> int:
    return max(Counter(_words(phase, size)).values())


def _addresses(phase: Sequence[int], size: int) -> int:
    return len(set(phase))


COSTS: dict[str, Callable[[Sequence[int], int], int]] = {
    "word": _word, "lane": _lane, "turns": _turns, "busiest": _busiest, "addresses": _addresses,
}  # fmt: skip


class Model(NamedTuple):
    """One way to serve an access: `times` what the phases cost, and `plus` for each phase."""

    cost: str
    phase: int  # lanes
    times: int
    plus: int

    def wavefronts(self, p: Probe) -> int:
        size, lanes = Access(p.instruction).bytes, p.lanes
        cut = [[a for a in lanes[k : k + self.phase] if a is not None] for k in range(0, 32, self.phase)]
        return sum(self.times * COSTS[self.cost](c, size) + self.plus for c in cut if c)

    def __str__(self) -> str:
        text = f"{self.cost}, {self.phase} lanes a phase"
        text += f", times {self.times}" if self.times > 1 else ""
        return text + (f", plus {self.plus} a phase" if self.plus else "")


def models(instruction: str) -> Iterator[Model]:
    """All models of an instruction whose 32 lanes give addresses."""
    longest = min(32, 32 * WORD // Access(instruction).bytes)
    for cost in COSTS:
        for phase in (32, 16, 8, 4):
            if phase <= longest:
                yield from (Model(cost, phase, times, plus) for times in (1, 2) for plus in (0, 1))


def fitting(measured: Sequence[tuple[Probe, int]]) -> list[str]:
    """The models that give every one of these wavefronts of one instruction; if none does, the one that gives
    most, with how many."""
    found = list(models(measured[0][0].instruction))
    right = {m: sum(m.wavefronts(p) == seen for p, seen in measured) for m in found}
    exact = [str(m) for m in found if right[m] == len(measured)]
    best = max(found, key=lambda m: right[m])
    return exact or [f"none; {best} gives {right[best]} of {len(measured)}"]
