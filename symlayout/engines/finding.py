"""What an engine answers when it is asked about one part of a claim.

| answer | means |
|---|---|
| `Holds` | the claim holds if every one of these obligations does; a solver is still to say so |
| `Fails` | the claim fails at this point; it is still to be computed there |
| `Walked` | every point was computed and none fails; a proof by counting, with nothing for a solver |
| `Tried` | some points were computed and none fails |
| `Open` | the engine cannot say; an empty reason means that the claim is not of its kind |

An engine never has the last word: `decide` has a solver check what `Holds` rests on, and computes anew where
`Fails` points to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..formula import Obligation


@dataclass(frozen=True, slots=True)
class Holds:
    """The obligations together imply the claim. The engine's docstring has the step from them to it."""

    obligations: tuple[Obligation, ...]


@dataclass(frozen=True, slots=True)
class Fails:
    """A counterexample: `point` has the digits that `prove` quantifies, `witness` those of the claim's own
    domain, in its own words. `minimal`: no smaller one exists. `failures` is how many there are, if that is
    known."""

    witness: Mapping[str, Any]
    point: Mapping[str, int] = field(default_factory=dict)
    minimal: bool = True
    failures: int | None = None


@dataclass(frozen=True, slots=True)
class Walked:
    """All `points` points of the claim were computed, and it holds at each."""

    points: int


@dataclass(frozen=True, slots=True)
class Tried:
    """The claim holds at all `points` points up to `bound`, which are not all there are."""

    points: int
    bound: str


@dataclass(frozen=True, slots=True)
class Open:
    """No answer; `reason` says why when the claim is of the engine's kind, `fact` would help. `points` are
    values of parameters at which the claim may fail, `holds` says for which it does not."""

    reason: str = ""
    fact: str = ""
    points: tuple[Mapping[str, int], ...] = ()
    holds: str = ""


Finding: TypeAlias = Holds | Fails | Walked | Tried | Open
