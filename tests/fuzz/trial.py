"""One made-up claim, asked of `prove` and counted by hand: a complaint, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.claims import Claim, bijective, disjoint, equal, injective
from symlayout.decide import prove
from symlayout.errors import EngineDisagreement
from symlayout.verdict import Proved, Refuted, Verdict

from .made_up import MadeUp, Plain, made_up

JUDGED_EACH = 64  # one claim in so many is also put before z3
STATES: dict[str, Callable[..., Claim]] = {
    "equal": equal,
    "injective": injective,
    "bijective": bijective,
    "disjoint": disjoint,
}


def build(x: Plain) -> Any:
    one = len(x.sizes) == 1
    inside = Layout(x.sizes[0], x.strides[0]) if one else Layout(x.sizes, x.strides)
    if x.offset == 0 and x.swizzle == (0, 0, 0):
        return inside
    return ComposedLayout(Swizzle(*x.swizzle), x.offset, inside)


def complaint(claim: MadeUp, engine: str = "fast", confirm_up_to: int = 0) -> tuple[str, str]:
    """What the verdict is, and what is wrong with it: empty if nothing is.

    Without `confirm_up_to` nothing inside `prove` walks the points, so the engines stand alone.
    """
    stated = STATES[claim.kind](*map(build, claim.layouts))
    try:
        verdict = prove(stated, engine=engine, confirm_up_to=confirm_up_to, time_limit=5.0)
    except EngineDisagreement as error:
        return "disagreement", str(error)
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


def reproduce(seed: int, engine: str, confirm_up_to: int) -> str:
    """The line that shows a complaint again."""
    text = made_up(seed).text()
    return (
        f"prove({text}, engine={engine!r}, confirm_up_to={confirm_up_to})"
        f"  # python -m tests.fuzz --seed {seed} --claims 1"
    )


def trials(seeds: Iterable[int]) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and the complaints, each with its line."""
    verdicts: Counter[str] = Counter()
    complaints: list[str] = []
    for seed in seeds:
        claim = made_up(seed)
        ways = [("fast", 0), ("fast", 1 << 16)] if seed % 16 == 0 else [("fast", 0)]
        if seed % JUDGED_EACH == 0:
            ways.append(("", 0))
        for engine, confirm_up_to in ways:
            name, wrong = complaint(claim, engine, confirm_up_to)
            if (engine, confirm_up_to) == ("fast", 0):
                verdicts[f"{claim.kind} {name}"] += 1
            if wrong:
                complaints.append(f"{reproduce(seed, engine, confirm_up_to)}\n    {wrong}")
    return verdicts, complaints
