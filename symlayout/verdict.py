"""Verdicts: what is known about a claim, as plain data, ordered from the worst.

    Refuted < Unknown < Bounded < Vacuous < Proved

so the verdict on several claims is the `min` of theirs. Exit codes of the command line: 0 as stated, 1
refuted, 2 bad input, 3 unknown, bounded or vacuous, 4 two engines disagree (an `EngineDisagreement`, never
a verdict).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

BAD_INPUT = 2
ENGINES_DISAGREE = 4


@dataclass(frozen=True)
class Verdict:
    """Base of the five verdicts; `claim` is the statement in words."""

    claim: str

    name: ClassVar[str] = "verdict"
    rank: ClassVar[int] = -1
    exit_code: ClassVar[int] = 3

    def __lt__(self, other: Verdict) -> bool:
        return self.rank < other.rank

    def __le__(self, other: Verdict) -> bool:
        return self.rank <= other.rank

    def __gt__(self, other: Verdict) -> bool:
        return self.rank > other.rank

    def __ge__(self, other: Verdict) -> bool:
        return self.rank >= other.rank

    def __bool__(self) -> bool:
        """True for Proved alone."""
        return isinstance(self, Proved)

    def to_json(self) -> dict[str, Any]:
        """`{"verdict": name, "exit_code": n, ...}` and the fields, all of JSON's own types."""
        return {"verdict": self.name, "exit_code": self.exit_code, **_plain(asdict(self))}


@dataclass(frozen=True)
class Refuted(Verdict):
    """The claim is false at `witness`, where the left side has the value `left` and the right side `right`.

    `minimal`: no lexicographically smaller witness exists, in the order of the quantifiers. `replayed`: the
    failure was computed again on plain integers, without a solver. `explanation` is the witness in the
    engineer's words.
    """

    witness: dict[str, Any] = field(default_factory=dict)
    left: Any = None
    right: Any = None
    part: str = ""
    minimal: bool = True
    replayed: bool = True
    explanation: str = ""
    failures: int | None = None
    instances: int | None = None

    name: ClassVar[str] = "refuted"
    rank: ClassVar[int] = 0
    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        head = f"Refuted: {self.claim}"
        return f"{head}\n{_indent(self.explanation)}" if self.explanation else head


@dataclass(frozen=True)
class Unknown(Verdict):
    """Nothing is known; `missing_fact` would help, if one was found."""

    reason: str = ""
    missing_fact: str = ""

    name: ClassVar[str] = "unknown"
    rank: ClassVar[int] = 1

    def __str__(self) -> str:
        fact = f"\n  it would help to know: {self.missing_fact}" if self.missing_fact else ""
        return f"Unknown: {self.claim}\n{_indent(self.reason)}{fact}"


@dataclass(frozen=True)
class Bounded(Verdict):
    """The claim holds at every one of `instances` points tried, up to `bound`; the solver did not confirm
    the rest."""

    bound: str = ""
    instances: int = 0
    reason: str = ""

    name: ClassVar[str] = "bounded"
    rank: ClassVar[int] = 2

    def __str__(self) -> str:
        why = f"\n{_indent(self.reason)}" if self.reason else ""
        return f"Bounded: {self.claim}\n  holds at all {self.instances} points for {self.bound}{why}"


@dataclass(frozen=True)
class Vacuous(Verdict):
    """The assumptions contradict each other, so the claim says nothing."""

    reason: str = ""

    name: ClassVar[str] = "vacuous"
    rank: ClassVar[int] = 3

    def __str__(self) -> str:
        return f"Vacuous: {self.claim}\n{_indent(self.reason)}"


@dataclass(frozen=True)
class Proved(Verdict):
    """Every obligation's negation is unsatisfiable for `engine`; `cross_checked` names what else agrees.

    `certificate` is the obligations as SMT-LIB2 texts, each to be answered `unsat`; `instances` counts the
    points that the claim speaks about.
    """

    engine: str = "z3"
    certificate: tuple[str, ...] = field(default=(), repr=False)
    cross_checked: tuple[str, ...] = ()
    instances: int = 0

    name: ClassVar[str] = "proved"
    rank: ClassVar[int] = 4
    exit_code: ClassVar[int] = 0

    def __str__(self) -> str:
        n = len(self.certificate)
        checked = f"; {', '.join(self.cross_checked)}" if self.cross_checked else ""
        return f"Proved: {self.claim}\n  {self.engine}, {n} obligation{'s' * (n != 1)}{checked}"


def worst(verdicts: list[Verdict]) -> Verdict:
    """The least of several verdicts, the first of them on a tie. Raises ValueError for none."""
    return min(verdicts, key=lambda v: v.rank)


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {str(k): _plain(v) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return [_plain(v) for v in x]
    return x if isinstance(x, (str, int, float, bool)) or x is None else str(x)


def _indent(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
