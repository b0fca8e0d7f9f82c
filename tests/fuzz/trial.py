"""One claim of any kind, asked of symlayout and judged: a complaint, or nothing.

Layouts and layouts over parameters are built here and counted (`complaint`); every other kind is a line of
text that is run as it stands, so that what a complaint prints is what was asked.
"""

from __future__ import annotations

import math
import operator
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import symlayout
from symlayout import ComposedLayout, EngineDisagreement, Layout, Swizzle, SymlayoutError, decide, dims
from symlayout import claims as stated_claims
from symlayout.verdict import Proved, Refuted, Verdict

from .algebra import algebra
from .bodies import body
from .case import Case, Error, outcome
from .descriptors import descriptor
from .facts import facts
from .forged import forged
from .made_up import KINDS, MadeUp, Plain, made_up
from .over_parameters import OverParameters, PlainOver, Poly, over_parameters
from .retiles import retile

OVER_EACH = 16  # of the claims about layouts one in so many is about parameters
JUDGED_EACH = 64  # one claim in so many is also put before z3, if it is about layouts
COMPUTED_EACH = 16  # one in so many is also walked point by point inside `prove`
LINES: dict[str, Callable[[int], Case]] = {
    "body": body,
    "facts": facts,
    "algebra": algebra,
    "retile": retile,
    "descriptor": descriptor,
    "forged": forged,
}
SHARES = {"layouts": 36, "body": 16, "facts": 2, "algebra": 8, "retile": 1, "descriptor": 1}  # of 64
LAST = "forged"  # takes the last turn of the layouts
HOME = str(Path(symlayout.__file__).parent)


@cache
def slots() -> tuple[str, ...]:
    """The kind of claim number k % 64: kinds with few shares do not stand in a row."""
    places = [(k / n, kind) for kind, n in SHARES.items() for k in range(n)]
    return tuple(kind for _, kind in sorted(places))


def kind_of(seed: int) -> str:
    turn = seed % len(slots())
    return LAST if turn == len(slots()) - 1 else slots()[turn]


def numbered(seed: int) -> MadeUp | OverParameters | Case:
    """The claim with that number."""
    if kind_of(seed) != "layouts":
        return LINES[kind_of(seed)](seed)
    return over_parameters(seed) if over(seed) else made_up(seed)


def over(seed: int) -> bool:
    return kind_of(seed) == "layouts" and seed // 64 % OVER_EACH == seed % OVER_EACH


def value(x: int | Poly) -> Any:
    """An int, or the Dim of a polynomial."""
    n, k = dims("N K")
    return sum(c * n**p * k**q for (p, q), c in x.terms) if isinstance(x, Poly) else x


def build(x: Plain | PlainOver) -> Any:
    sizes, strides, offset = tuple(map(value, x.sizes)), tuple(map(value, x.strides)), value(x.offset)
    inside = Layout(sizes[0], strides[0]) if len(sizes) == 1 else Layout(sizes, strides)
    if isinstance(offset, int) and offset == 0 and x.swizzle == (0, 0, 0):
        return inside
    return ComposedLayout(Swizzle(*x.swizzle), offset, inside)


def complaint(
    claim: MadeUp | OverParameters, engine: str = "fast", confirm_up_to: int = 0
) -> tuple[str, str]:
    """What the verdict is, and what is wrong with it: empty if nothing is.

    Without `confirm_up_to` nothing inside `prove` walks the points, so the engines stand alone.
    """
    stated = getattr(stated_claims, claim.kind)(*map(build, claim.layouts))
    try:
        verdict = decide.prove(stated, engine=engine, confirm_up_to=confirm_up_to, time_limit=5.0)
    except EngineDisagreement as error:
        return "disagreement", str(error)
    except Exception as error:
        return "fault", f"ends in {error_of(error)}"
    if isinstance(claim, OverParameters):
        return verdict.name, _wrong_over(claim, verdict)
    return verdict.name, _wrong(claim, verdict)


def _wrong(claim: MadeUp, verdict: Verdict) -> str:
    truth = claim.fails_first()
    if isinstance(verdict, Proved):
        return "" if truth is None else f"proved by {verdict.engine}, but it fails at {truth}"
    if isinstance(verdict, Refuted):
        if truth is None:
            return f"refuted at {verdict.witness}, but it holds"
        if verdict.minimal and dict(verdict.witness) != truth:
            return f"refuted at {verdict.witness}, but it fails first at {truth}"
        return "" if verdict.replayed else "refuted without computing the witness anew"
    return ""


def _wrong_over(claim: OverParameters, verdict: Verdict) -> str:
    """Proved must hold at every instance that is counted; Refuted is counted at the parameters it names."""
    if isinstance(verdict, Proved):
        failed = claim.fails_somewhere()
        return "" if failed is None else f"proved by {verdict.engine}, but it fails at {failed}"
    if isinstance(verdict, Refuted):
        values = {name: verdict.witness.get(name, 1) for name in "NK"}
        place = {name: x for name, x in verdict.witness.items() if name not in values}
        return _wrong(claim.at(values), replace(verdict, witness=place))
    return ""


def reproduce(seed: int, engine: str = "fast", confirm_up_to: int = 0) -> str:
    """The lines that show a complaint again, after `from symlayout import *`."""
    again = f"# python -m tests.fuzz --seed {seed} --claims 1"
    claim = numbered(seed)
    if isinstance(claim, Case):
        return f"{claim.text()}  {again}"
    given = 'N, K = dims("N K"); ' if over(seed) else ""
    return f"{given}prove({claim.text()}, engine={engine!r}, confirm_up_to={confirm_up_to})  {again}"


def error_of(error: Exception) -> Error:
    """A refusal is an error in the package's words; a TypeError that it raises itself; or what Python says to
    the author's own arithmetic outside of a body, which the package does not see. The rest are faults."""
    name, text = type(error).__name__, str(error)
    if isinstance(error, SymlayoutError):
        return Error(name, text, not isinstance(error, EngineDisagreement))
    frames = traceback.extract_tb(error.__traceback__)
    outside = not any(frame.filename.startswith(HOME) for frame in frames)
    raised = frames[-1].filename.startswith(HOME) and (frames[-1].line or "").startswith("raise")
    return Error(name, text, outside or (isinstance(error, TypeError) and raised))


@cache
def names() -> dict[str, Any]:
    """What `from symlayout import *` gives, with the two modules that bodies use."""
    found = {name: getattr(symlayout, name) for name in symlayout.__all__}
    return {**found, "atoms": symlayout.atoms, "math": math, "operator": operator}


def ask(case: Case) -> tuple[str, str]:
    """The word under which the answer is counted, and what is wrong with it."""
    space = dict(names())
    space["prove"] = decide.prove
    got: Any
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # `a is 3` is what somebody may write
            exec(case.given, space)
            got = eval(case.line, space)
    except Exception as error:
        got = error_of(error)
    try:
        return outcome(got), case.judge(got)
    except Exception as error:  # an answer of which the judge can make nothing is a wrong one
        return outcome(got), f"{got!r} cannot be judged: {error!r}"


def trials(seeds: Iterable[int]) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and the complaints, each with its line."""
    verdicts: Counter[str] = Counter()
    complaints: list[str] = []
    for seed in seeds:
        claim = numbered(seed)
        if isinstance(claim, Case):
            name, wrong = ask(claim)
            verdicts[f"{claim.kind} {name}"] += 1
            if wrong:
                complaints.append(f"{reproduce(seed)}\n    {wrong}")
            continue
        kind = f"{claim.kind} over parameters" if isinstance(claim, OverParameters) else claim.kind
        for engine, confirm_up_to in ways(seed):
            name, wrong = complaint(claim, engine, confirm_up_to)
            if (engine, confirm_up_to) == ("fast", 0):
                verdicts[f"{kind} {name}"] += 1
            if wrong:
                complaints.append(f"{reproduce(seed, engine, confirm_up_to)}\n    {wrong}")
    return verdicts, complaints


def ways(seed: int) -> list[tuple[str, int]]:
    """With which engine a claim about layouts is asked, and up to how many points are walked."""
    found = [("fast", 0)]
    turn = seed // 64 + seed
    if turn % COMPUTED_EACH == 0:
        found.append(("fast", 1 << 16))
    if turn % JUDGED_EACH == 3:
        found.append(("", 0))
    return found


__all__ = ["KINDS", "ask", "complaint", "kind_of", "numbered", "over", "reproduce", "trials"]
