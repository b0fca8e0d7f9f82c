"""What `prove retile` is asked about: the view of the registers, the side in memory, or both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .configuration import Configuration, Letters, Request

if TYPE_CHECKING:
    from ..claim import Claim
    from ..verdict import Verdict

Command = TypeVar("Command", bound=Callable[..., Any])

_SIDES = {"load": "D", "store": "S"}


def subject_option(command: Command) -> Command:
    """The option `--subject`, as an argument of that name."""
    return click.option(
        "--subject",
        type=Letters("auto", "view", "memory", "load", "store"),
        metavar="auto|view|memory|load|store",
        default="auto",
        show_default=True,
        help="What is asked about: the view of the registers, the side in memory, or both as a load or a "
        "store. auto: the load or store with --tensor, the view without.",
    )(command)


@dataclass(frozen=True)
class Part:
    """One side of a load or a store, and the verdict on it."""

    name: str
    claim: Claim
    verdict: Verdict
    short: str  # the verdict in a few words

    def data(self) -> dict[str, str]:
        return {"part": self.name, "claim": str(self.claim), "verdict": self.verdict.name}


@dataclass(frozen=True)
class Subject:
    """`view`, `memory`, `load` or `store`."""

    name: str

    def statement(self, request: Request, tensor: object) -> str:
        """The sentence that is claimed, with the subject in it."""
        who = f"{request.mma}, {request.copy_atom}"
        if self.name == "view":
            return f"the view retile_{request.register_side()} of {request.operand} is correct: {who}"
        way = "to" if request.register_side() == "S" else "from"
        what = "memory side" if self.name == "memory" else self.name
        return f"the {what} of {request.operand} is correct: {who}, {way} {tensor}"

    def claim(self, c: Configuration, view: Any) -> Claim:
        """What is to be proved. Raises what `load_correct` raises."""
        if self.name == "view":
            return c.claim(view)
        from ..load_claim import load_correct, store_correct

        correct = store_correct if c.side == "S" else load_correct
        whole = correct(c.copy, c.mma, c.operand, c.tensor, view=view)
        return whole.memory if self.name == "memory" else whole

    def parts(self, claim: Claim, verdict: Verdict) -> list[Part]:
        """The verdicts on the sides of a load or a store; none for a subject that has no sides."""
        from ..decide import prove
        from ..load_claim import Moving
        from ..verdict import Proved, Refuted

        if not isinstance(claim, Moving):
            return []
        found = []
        for name, side in (("view", claim.view), ("memory", claim.memory)):
            # where the whole is proved each side of it is
            here = replace(verdict, claim=str(side)) if isinstance(verdict, Proved) else prove(side)
            short = f"the {name if name == 'view' else 'memory side'} is {_said(here)}"
            if isinstance(here, Refuted) and name == "memory":
                short = claim.in_short(self.name, here.part, here.failures)
            found.append(Part(name, side, here, short))
        return found

    def headline(self, verdict: Verdict, parts: Sequence[Part]) -> str:
        """The verdict in words; of a load that is refuted, which side of it is right and which is not."""
        text = str(verdict)
        if not parts or verdict.name != "refuted":
            return text
        said = ", ".join(part.short for part in parts)
        return text.replace("Refuted: ", f"Refuted ({said}): ", 1)


def _said(verdict: Verdict) -> str:
    return {"proved": "right", "refuted": "wrong"}.get(verdict.name, verdict.name)


def asked(subject: str, request: Request) -> tuple[Subject, Request]:
    """The subject, and the request with the side of the registers that goes with it. Raises UsageError for a
    load with its registers on the source side, and the other way round."""
    name = subject.lower()
    side = _SIDES.get(name)
    if side is not None and request.side not in ("auto", side):
        raise click.UsageError(
            f"--subject {name} has its registers on side {side}, and --side {request.side} says otherwise"
        )
    if side is not None:
        request = replace(request, side=side)
    if name == "auto":
        name = "view" if request.tensor is None else "store" if request.register_side() == "S" else "load"
    return Subject(name), request
