"""One made-up claim, asked of `prove` and counted by hand: a complaint, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from symlayout import ComposedLayout, Layout, Swizzle, dims
from symlayout.claims import Claim, bijective, disjoint, equal, injective
from symlayout.decide import prove
from symlayout.errors import EngineDisagreement
from symlayout.verdict import Proved, Refuted, Verdict

from .made_up import MadeUp, Plain, made_up
from .over_parameters import OverParameters, PlainOver, Poly, over_parameters

JUDGED_EACH = 64  # one claim in so many is also put before z3
OVER_PARAMETERS_EACH = 32  # one claim in so many is about parameters, and every second of them put before z3
N, K = dims("N K")
STATES: dict[str, Callable[..., Claim]] = {
    "equal": equal,
    "injective": injective,
    "bijective": bijective,
    "disjoint": disjoint,
}


def numbered(seed: int) -> MadeUp | OverParameters:
    """The claim with that number."""
    return over_parameters(seed) if over(seed) else made_up(seed)


def over(seed: int) -> bool:
    return seed % OVER_PARAMETERS_EACH == 5


def value(x: int | Poly) -> Any:
    """An int, or the Dim of a polynomial."""
    return sum(c * N**n * K**k for (n, k), c in x.terms) if isinstance(x, Poly) else x


def build(x: Plain | PlainOver) -> Any:
    sizes, strides, offset = tuple(map(value, x.sizes)), tuple(map(value, x.strides)), value(x.offset)
    inside = Layout(sizes[0], strides[0]) if len(sizes) == 1 else Layout(sizes, strides)
    if type(offset) is int and offset == 0 and x.swizzle == (0, 0, 0):
        return inside
    return ComposedLayout(Swizzle(*x.swizzle), offset, inside)


def complaint(
    claim: MadeUp | OverParameters, engine: str = "fast", confirm_up_to: int = 0
) -> tuple[str, str]:
    """What the verdict is, and what is wrong with it: empty if nothing is.

    Without `confirm_up_to` nothing inside `prove` walks the points, so the engines stand alone.
    """
    stated = STATES[claim.kind](*map(build, claim.layouts))
    try:
        verdict = prove(stated, engine=engine, confirm_up_to=confirm_up_to, time_limit=5.0)
    except EngineDisagreement as error:
        return "disagreement", str(error)
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


def reproduce(seed: int, engine: str, confirm_up_to: int) -> str:
    """The line that shows a complaint again."""
    given = 'N, K = dims("N K"); ' if over(seed) else ""
    return (
        f"{given}prove({numbered(seed).text()}, engine={engine!r}, confirm_up_to={confirm_up_to})"
        f"  # python -m tests.fuzz --seed {seed} --claims 1"
    )


def trials(seeds: Iterable[int]) -> tuple[Counter[str], list[str]]:
    """How often each verdict came, and the complaints, each with its line."""
    verdicts: Counter[str] = Counter()
    complaints: list[str] = []
    for seed in seeds:
        claim = numbered(seed)
        kind = f"{claim.kind} over parameters" if over(seed) else claim.kind
        ways = [("fast", 0), ("fast", 1 << 16)] if seed % 16 == 0 else [("fast", 0)]
        if seed % JUDGED_EACH == (5 if over(seed) else 0):
            ways.append(("", 0))
        for engine, confirm_up_to in ways:
            name, wrong = complaint(claim, engine, confirm_up_to)
            if (engine, confirm_up_to) == ("fast", 0):
                verdicts[f"{kind} {name}"] += 1
            if wrong:
                complaints.append(f"{reproduce(seed, engine, confirm_up_to)}\n    {wrong}")
    return verdicts, complaints
