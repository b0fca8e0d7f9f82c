"""`--certificate` and `--recheck` of the commands that prove: why their verdict should be believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..claim import Claim
    from ..recheck import Report
    from ..recheck.process import Ask
    from ..verdict import Verdict

Command = TypeVar("Command", bound=Callable[..., Any])


def belief_options(what: str, metavar: str) -> Callable[[Command], Command]:
    """Both options, as arguments `certificate` and `rechecked`; `what` says what is written where."""

    def add(command: Command) -> Command:
        again = click.option(
            "--recheck",
            "rechecked",
            is_flag=True,
            help="Show the claim anew by plain arithmetic and with cvc5, as `symlayout recheck` does.",
        )
        write = click.option("--certificate", metavar=metavar, type=click.Path(), help=what)
        return write(again(command))

    return add


@dataclass(frozen=True)
class Outcome:
    """Where the certificate went, empty if nowhere, what checking it gave, and why there is none."""

    file: str = ""
    report: Report | None = None
    none: str = ""

    def lines(self) -> list[str]:
        found = [f"certificate: {self.file}"] if self.file else []
        found += [f"no certificate: {self.none}"] if self.none else []
        if self.report is not None:
            evidence = "; ".join(filter(None, (self.report.answers, self.report.extent)))
            found.append(f"recheck: {self.report.verdict}, {evidence}")
            checked = [self.report.says, *self.report.shown] if self.report.verdict == "undecided" else []
            texts = [*checked, *(text for _, text in self.report.findings), *self.report.notes]
            found += [f"  {line}" for text in texts for line in text.splitlines()]
        return found

    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = {"certificate": self.file or None} if self.file or self.none else {}
        return found if self.report is None else {**found, "recheck": self.report.verdict}

    def exit_code(self, code: int) -> int:
        """That of the command: the verdict's own, unless the recheck is worse."""
        return code if self.report is None else max(code, self.report.exit_code)


@dataclass(frozen=True)
class Belief:
    """What is done with each verdict: solvers to check it with, none if that was not asked for."""

    asked: Mapping[str, Ask] = field(default_factory=dict)

    def of(
        self,
        claim: Claim | Callable[..., Claim],
        verdict: Verdict,
        file: str | Path | None,
        quantifiers: Mapping[str, int] | None = None,
        name: str = "",
    ) -> Outcome:
        """Write the certificate of a decided claim to `file`, if there is one, and check it. An undecided
        claim has none."""
        if not file and not self.asked:
            return Outcome()
        if verdict.name not in ("proved", "refuted"):
            return Outcome(none=f"the verdict is {verdict.name}")
        from ..certificate import certify

        found = certify(claim, verdict, quantifiers, name=name)
        if file:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            found.write(file)
        if not self.asked:
            return Outcome(str(file))
        from ..recheck import recheck

        return Outcome(str(file or ""), recheck(found, self.asked))


@contextmanager
def belief(rechecked: bool) -> Iterator[Belief]:
    """Raises MissingPackage at once when a recheck is asked for and its solver is not installed."""
    if not rechecked:
        yield Belief()
        return
    from ..recheck import Worker, solvers

    with Worker() as worker:
        yield Belief(solvers(worker))
