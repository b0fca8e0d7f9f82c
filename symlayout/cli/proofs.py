"""`symlayout prove PATH...`: every theorem of files and folders, as a table with verdicts and times."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from ..errors import NotationError, SymlayoutError
from .answer import answer, format_option
from .belief import Belief, Outcome, belief, belief_options
from .exits import AS_STATED, BAD_INPUT, DEFECT, INTERRUPTED, REFUTED, UNDECIDED, exit_code
from .interrupt import so_far
from .progress import Bar
from .table import coloured, print_coloured

if TYPE_CHECKING:
    from ..theory import Theorem
    from ..verdict import Verdict

WORST_FIRST = (DEFECT, BAD_INPUT, REFUTED, UNDECIDED, AS_STATED)


@dataclass(frozen=True)
class Row:
    """One theorem and what became of it: a verdict, or an error on the way to one."""

    module: str
    theorem: Theorem
    seconds: float
    verdict: Verdict | None = None
    error: str = ""
    exit_code: int = 0
    believed: Outcome = field(default_factory=Outcome)

    @property
    def as_stated(self) -> bool:
        return self.exit_code == AS_STATED

    @property
    def outcome(self) -> str:
        """A word or two for the table."""
        if self.verdict is None:
            return "error"
        if self.believed.exit_code(AS_STATED) != AS_STATED and self.believed.report is not None:
            return f"{self.verdict.name}, recheck: {self.believed.report.verdict}"
        if self.theorem.kind == "refutation" and self.as_stated:
            return "refuted as stated"
        return self.verdict.name if self.as_stated else f"{self.verdict.name}, not as stated"

    def data(self) -> dict[str, Any]:
        stated = self.theorem
        verdict: dict[str, Any] = {"verdict": "error", "message": self.error}
        if self.verdict is not None:
            verdict = self.verdict.to_json()
            if "certificate" in verdict:
                verdict["obligations"] = len(verdict.pop("certificate"))
        return {
            "module": self.module,
            "name": stated.name,
            "kind": stated.kind,
            "statement": stated.statement,
            **verdict,
            **self.believed.data(),
            "as_stated": self.as_stated,
            "exit_code": self.exit_code,
            "seconds": round(self.seconds, 6),
        }


@click.command(hidden=True)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@belief_options("Write why to believe each verdict that is as stated to FOLDER, a file each.", "FOLDER")
@format_option
def proofs(form: str, certificate: str | None, rechecked: bool, paths: tuple[str, ...]) -> int:
    """Prove every theorem of the files and folders; `proofs` without such a folder is the article's.

    Proof files are Python and are run. Exit code 0 when all is as stated.
    """
    start = time.perf_counter()
    rows: list[Row] = []
    stated = [found for path in paths for found in _stated(path)]
    said = partial(_answer, form, rows, len(stated), start)
    with so_far(said), belief(rechecked) as sure, Bar("proving", len(stated)) as bar:
        for row in _proved(stated, sure, certificate):
            rows.append(row)
            bar.tick(row.theorem.name)
    return said()


def _answer(form: str, rows: Sequence[Row], total: int, start: float) -> int:
    """Print the theorems that are done, all of them or those before an interruption."""
    seconds = time.perf_counter() - start
    code = next((c for c in WORST_FIRST if any(row.exit_code == c for row in rows)), AS_STATED)
    whole = len(rows) == total
    data = {
        "command": "prove",
        "verdict": ("as stated" if code == AS_STATED else "not as stated") if whole else "interrupted",
        "exit_code": code if whole else INTERRUPTED,
        "theorems": [row.data() for row in rows],
        "as_stated": sum(row.as_stated for row in rows),
        "total": total,
        "seconds": round(seconds, 6),
    }
    if form == "json":
        return answer(form, "", data)
    if rows:
        _print_table(rows)
    print(_summary(rows, seconds) if whole else f"after {len(rows)} of {total}: {_summary(rows, seconds)}")
    return code


def load(path: str) -> list[ModuleType]:
    """The proof modules at a path. Raises NotationError for a path that does not exist and for a file that
    does not run."""
    from .. import theory

    if not path.strip():  # which Path reads as the current folder
        raise NotationError("prove: an empty path; name a proof file or a folder of them, . for this one")
    where = Path(path) if Path(path).exists() else _shipped(path)
    try:
        return theory.load(where)
    except SymlayoutError:
        raise
    except (Exception, SystemExit) as error:  # a file that ends the program proves nothing
        raise NotationError(
            f"{path} does not run\n  {_where(error)}{type(error).__name__}: {error}"
        ) from error


def _shipped(path: str) -> Path:
    """The article's proofs: inside the package once that is installed, beside it in a checkout."""
    name = path.replace(".", "/").removesuffix("/py").removeprefix("symlayout/").rstrip("/")
    folder, _, module = name.partition("/")
    if folder == "proofs":
        package = Path(__file__).parent.parent
        for home in (package, package.parent):
            found = home / "proofs" / f"{module}.py" if module else home / "proofs"
            if found.exists():
                return found
    raise NotationError(f"{path}: no such file or folder")


def _stated(path: str) -> list[tuple[ModuleType, Theorem]]:
    """The theorems at a path. Raises NotationError where there are none, LayoutError for one that would not
    be run."""
    from .. import theory

    found = [(module, theorem) for module in load(path) for theorem in theory.theorems(module)]
    if not found:
        raise NotationError(
            f"{path}: no theorem; a theorem is a function under @theorem(...) or @refutation(...)"
        )
    return found


def _proved(stated: Sequence[tuple[ModuleType, Theorem]], sure: Belief, folder: str | None) -> Iterator[Row]:
    for module, theorem in stated:
        name = Path(module.__file__ or module.__name__).stem
        start = time.perf_counter()
        try:
            verdict = theorem.prove()
        except Exception as error:
            own = module.__file__ or ""
            code = exit_code(error)
            if code == DEFECT and not isinstance(error, SymlayoutError) and _innermost(error) == own:
                code = BAD_INPUT  # the author's own text raised it
            text = (
                f"{_where(error.__cause__ or error)}{type(error).__name__}: {error}"
                if code == BAD_INPUT
                else f"{type(error).__name__}: {error}"
            )
            yield Row(name, theorem, time.perf_counter() - start, error=text, exit_code=code)
            continue
        seconds = time.perf_counter() - start
        code = AS_STATED if theorem.as_stated(verdict) else verdict.exit_code or REFUTED
        believed = Outcome()
        if code == AS_STATED:
            full = f"{name}.{theorem.name}"
            file = None if folder is None else Path(folder) / f"{full}.json"
            believed = sure.of(theorem.body, verdict, file, theorem.quantifiers, full)
        yield Row(name, theorem, seconds, verdict, exit_code=believed.exit_code(code), believed=believed)


def _innermost(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].filename if frames else ""


def _where(error: BaseException) -> str:
    """`line 7: ` of the last frame that lies in a proof file; a syntax error knows its own line."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: "
    package = str(Path(__file__).parent.parent)
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if not f.filename.startswith((package, "<frozen"))
    ]
    return f"line {frames[-1].lineno}: " if frames else ""


def _print_table(rows: Sequence[Row]) -> None:
    from rich.text import Text

    table = coloured("theorem", "statement", "verdict", "time", wide="statement")
    shown = ""
    for row in rows:
        if row.module != shown:
            shown = row.module
            table.add_row(Text(shown, style="bold"), "", "", "")
        style = "green" if row.as_stated else "red"
        table.add_row(
            Text("  " + row.theorem.name),
            Text(row.theorem.statement),
            Text(row.outcome, style=style),
            duration(row.seconds),
        )
    print_coloured(table)


def _summary(rows: Sequence[Row], seconds: float) -> str:
    proved = sum(row.as_stated and row.theorem.kind == "theorem" for row in rows)
    refuted = sum(row.as_stated and row.theorem.kind == "refutation" for row in rows)
    other = [row for row in rows if not row.as_stated]
    counts = [f"{proved} proved", f"{refuted} refuted as stated"]
    counts += [f"{len(other)} NOT as stated"] if other else []
    reports = [row.believed.report for row in rows if row.believed.report is not None]
    counts += [f"{sum(r.exit_code == AS_STATED for r in reports)} rechecked"] if reports else []
    written = [row.believed.file for row in rows if row.believed.file]
    lines = [f"{', '.join(counts)}, in {duration(seconds)}"]
    lines += [f"{len(written)} certificates in {Path(written[0]).parent}"] if written else []
    for row in other:
        text = str(row.verdict) if row.verdict is not None else row.error
        lines += ["", f"{row.module}.{row.theorem.name}"]
        lines += [f"  {line}" for line in (*text.splitlines(), *row.believed.lines())]
        if row.theorem.expected is not None:
            lines.append(
                "  stated: a refutation at "
                + ", ".join(f"{k} = {v}" for k, v in row.theorem.expected.items())
            )
    return "\n".join(lines)


def duration(seconds: float) -> str:
    """`12 ms`, `1.4 s`."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
