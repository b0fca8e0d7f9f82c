"""conform: run records of CuTe's own answers against this package.

    {"id": "g1", "op": "coalesce", "args": ["((16,2)):((3,96))"], "result": "(16,2):(3,96)"}
    {"id": "r2", "op": "composition", "args": ["(3,4):(4,1)", "2:4"], "error": "Stride Divisibility"}

Results are compared to the letter, apart from white space and the `_` of static integers. An `error` record
agrees when LayoutError is raised. Records of tiled objects (they have a key `mma`) are compared value by
value, see tiled.py. The operations and their arguments are in operations.py; dumps of one's own CuTe
version can be fed in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..errors import Inadmissible, LayoutError, NotationError
from .operations import as_text, find_operation, has_law, read_arguments, same_text
from .tiled import is_tiled, tiled_differences

__all__ = ["Difference", "Report", "conform", "same_text"]

Record = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """One record that does not agree, or that could not be run."""

    id: str
    op: str
    args: tuple[str, ...]
    expected: str
    got: str

    def __str__(self) -> str:
        return (
            f"{self.id} {self.op}({', '.join(self.args)})\n  expected {self.expected}\n  got      {self.got}"
        )


@dataclass
class Report:
    """Counts of a run, with the records behind every count that is not agreement."""

    agreed: int = 0
    skipped: int = 0
    differing: list[Difference] = field(default_factory=list)
    unknown: list[Difference] = field(default_factory=list)
    unparsed: list[Difference] = field(default_factory=list)
    refused: list[Difference] = field(default_factory=list)
    by_operation: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        bad = len(self.differing) + len(self.unknown) + len(self.unparsed) + len(self.refused)
        return self.agreed + self.skipped + bad

    @property
    def ok(self) -> bool:
        """No difference, no unknown operation, no unparsed argument; refusals are none of these."""
        return not (self.differing or self.unknown or self.unparsed)

    @property
    def refused_ids(self) -> list[str]:
        return [refusal.id for refusal in self.refused]

    def counts(self) -> dict[str, int]:
        return {
            "records": self.total,
            "agreed": self.agreed,
            "differing": len(self.differing),
            "unknown_operation": len(self.unknown),
            "unparsed": len(self.unparsed),
            "refused": len(self.refused),
            "skipped": self.skipped,
        }

    def text(self, first: int = 10) -> str:
        """The counts, the first differences of each kind and, in the safe mode, the refused ids."""
        lines = [", ".join(f"{n} {name.replace('_', ' ')}" for name, n in self.counts().items())]
        for title, items in (
            ("differing", self.differing),
            ("unknown operation", self.unknown),
            ("unparsed", self.unparsed),
        ):
            for item in items[:first]:
                lines.append(f"{title}: {item}")
            if len(items) > first:
                lines.append(f"... and {len(items) - first} more {title}")
        if self.refused:
            lines.append("refused: " + " ".join(self.refused_ids))
        return "\n".join(lines)


def conform(source: str | PathLike[str] | Iterable[Record], checked: bool = False) -> Report:
    """Run the records of a JSONL file (or given as dictionaries) and report.

    By default the algebra runs with `unchecked=True`, as CuTe does. `checked=True` runs the safe mode: a
    record whose answer breaks its operation's law is refused (Inadmissible) and listed in `refused`, not
    compared.
    """
    report = Report()
    for i, record in enumerate(_records(source, report)):
        _run(record, str(record.get("id", f"line {i + 1}")), checked, report)
    return report


def _records(source: str | PathLike[str] | Iterable[Record], report: Report) -> Iterator[Record]:
    if not isinstance(source, (str, PathLike)):
        yield from source
        return
    with Path(fspath(source)).open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (json.JSONDecodeError, RecursionError) as error:
                report.unparsed.append(Difference(f"line {number}", "", (), "a JSON object", str(error)))
                continue
            if isinstance(record, dict):
                yield record
            else:
                report.unparsed.append(
                    Difference(f"line {number}", "", (), "a JSON object", line.strip()[:80])
                )


def _run(record: Record, name: str, checked: bool, report: Report) -> None:
    op = str(record.get("op", ""))
    report.by_operation[op] = report.by_operation.get(op, 0) + 1
    if record.get("callable") is False:
        report.skipped += 1
        return
    if is_tiled(record):
        _run_tiled(record, name, op, report)
        return
    arguments = record.get("args", [])
    arguments = arguments if isinstance(arguments, list) else [arguments]
    expected, refused = _expectation(record)

    def difference(got: str) -> Difference:
        wanted = f"a refusal ({refused})" if refused else "a result or an error"
        return Difference(name, op, tuple(map(str, arguments)), expected or wanted, got)

    operation = find_operation(op)
    if not op:
        report.unparsed.append(difference('no "op", the name of an operation'))
        return
    if operation is None:
        report.unknown.append(difference("no such operation"))
        return
    if expected is None and refused is None:
        report.unparsed.append(difference("the record has neither a result nor an error"))
        return
    try:
        if op == "swizzle_table" and expected is not None and len(arguments) == 2:
            # the dump prints 64 or 512 values, whatever its n says
            arguments = [arguments[0], str(len(expected.split()))]
        values = read_arguments(operation.kinds, arguments)
        if op == "layout_table" and expected is not None and values[1] != len(expected.split()):
            report.differing.append(difference(f"{values[1]} values, where the record lists another number"))
            return
    except NotationError as error:
        report.unparsed.append(difference(str(error)))
        return
    except LayoutError as error:  # a swizzle that CuTe refuses too
        _settle(report, difference, expected, None, f"LayoutError: {error}")
        return
    try:
        got = as_text(operation.answer(_caller(not checked), *values))
    except Inadmissible as error:
        if checked and expected is not None:
            report.refused.append(difference(str(error)))
        else:
            _settle(report, difference, expected, None, f"Inadmissible: {error}")
    except LayoutError as error:
        _settle(report, difference, expected, None, f"LayoutError: {error}")
    except Exception as error:  # any other exception is a defect, and the record is where it shows
        report.differing.append(difference(f"{type(error).__name__}: {error}"))
    else:
        _settle(report, difference, expected, got, got)


def _settle(
    report: Report, difference: Callable[[str], Difference], expected: str | None, got: str | None, shown: str
) -> None:
    if (got is None) if expected is None else (got is not None and same_text(expected, got)):
        report.agreed += 1
    else:
        report.differing.append(difference(shown))


def _caller(unchecked: bool) -> Callable[..., Any]:
    def call(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        if unchecked and has_law(function):
            return function(*arguments, unchecked=True, **options)
        return function(*arguments, **options)

    return call


def _expectation(record: Record) -> tuple[str | None, str | None]:
    """What CuTe answered: (text, None), or (None, why it refused).

    Files that compare CuTe with another implementation keep CuTe's side under `cpp_4_2_0` or `cpp_error`.
    """
    for key in ("result", "cpp_4_2_0"):
        if record.get(key) is not None:
            value = record[key]
            if isinstance(value, list):
                return " ".join(map(str, value)), None
            return as_text(value), None
    for key in ("error", "cpp_error"):
        if record.get(key) is not None:
            return None, str(record[key])
    return None, None


def _run_tiled(record: Record, name: str, op: str, report: Report) -> None:
    keys = ("mma", "atom", "perm", "op", "copy", "tensor")
    arguments = tuple(str(record[key]) for key in keys if key in record)
    try:
        differences = tiled_differences(record)
    except NotationError as error:
        report.unparsed.append(Difference(name, op, arguments, "a tiled record", str(error)))
        return
    except Exception as error:  # any other exception is a defect, and the record is where it shows
        report.differing.append(
            Difference(name, op, arguments, "a tiled record", f"{type(error).__name__}: {error}")
        )
        return
    if differences:
        key, expected, got = differences[0]
        more = f" (and {len(differences) - 1} more values)" if len(differences) > 1 else ""
        report.differing.append(Difference(name, op, arguments, f"{key} = {expected}", f"{got}{more}"))
    else:
        report.agreed += 1
