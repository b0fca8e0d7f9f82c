"""`symlayout prove retile` over parameters: proved for all, refuted at the smallest, or what is missing.

A fact that is missing is assumed on trial, and then the next: what is reported is all that the proof needs,
and that the claim holds (or fails) with it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..domain import Contradiction, Domain, assume, read_facts
from ..errors import LayoutError, NeedFact, NotationError, UnsupportedError
from ..polynomial import params
from .answer import answer
from .configuration import Configuration, CopyRefused, Request

if TYPE_CHECKING:
    from ..tiled_mma import TiledMMA
    from ..verdict import Verdict
    from .belief import Belief

MOST_FACTS = 8  # that are tried one after the other


def prove_over_parameters(
    form: str, request: Request, mma: TiledMMA, facts: str, sure: Belief, certificate: str | None
) -> int:
    """Decide it, print the verdict, return the exit code."""
    from ..verdict import Unknown, Vacuous

    said = f"retile of {request.operand} is correct: {request.mma}, {request.copy_atom}"
    given = f"{said}, for all {request.tensor}" + (f" with {facts}" if facts else "")
    known = [facts] if facts else []
    missing: list[str] = []
    try:
        domain = assume(*known)
        while True:
            try:
                c, view, verdict = _decide(request, mma, domain, given)
                break
            except NeedFact as error:
                fact = in_the_request(error.fact, domain)
                if len(missing) == MOST_FACTS or fact in missing or not fact:
                    found = _smallest_failure(request, mma, assume(*known), given)
                    verdict = found or Unknown(given, str(error), fact or error.fact)
                    return _print(form, request, facts, verdict, None, [])
                missing.append(fact)
                domain = assume(*known, *missing)
    except Contradiction as error:
        return _print(form, request, facts, Vacuous(given, str(error)), None, [])
    except CopyRefused as error:
        return _print(form, request, facts, _refused(given, error), None, [])
    lines = [
        c.text(),
        *([f"where {domain}"] if str(domain) else []),
        "",
        f"{c.fragment_name} = {c.fragment}",
        f"{c.view_name} = {view}    {c.retile}({c.fragment_name})",
    ]
    if missing and verdict.name == "refuted":  # where it fails with more facts it fails with fewer
        verdict = _smallest_failure(request, mma, assume(*known), given) or verdict
    elif missing:
        wanted = ", ".join(missing)
        outcome = "it is proved for all" if verdict.name == "proved" else "it is not known either"
        reason = f"assuming {wanted} {outcome}\n{_inner(verdict)}"
        found = _smallest_failure(request, mma, assume(*known), given)
        verdict = found or Unknown(given, reason, wanted)
    else:
        believed = sure.of(c.claim(view), verdict, certificate)
        lines += [""] if believed.lines() else []
        lines += believed.lines()
    return _print(form, request, facts, verdict, (c, view, domain), lines)


def _decide(request: Request, mma: TiledMMA, domain: Domain, says: str) -> tuple[Configuration, Any, Verdict]:
    from ..decide import prove
    from ..verdict import Refuted

    c = request.configuration(mma, domain)
    try:
        view = c.view
    except NeedFact:
        raise
    except LayoutError as error:
        return c, None, Refuted(says, part="CuTe makes this view", explanation=f"CuTe refuses it: {error}")
    return c, view, prove(c.claim(view), says=says)


def _refused(says: str, error: CopyRefused) -> Verdict:
    from ..verdict import Refuted

    return Refuted(says, dict(error.figures), explanation=f"CuTe refuses it: {error}")


def in_the_request(fact: str, domain: Domain) -> str:
    """The fact in the names that the tensor was written with; empty where that is not possible."""
    try:
        named = {v.name for f in read_facts(fact) for v in params(*f.polys)}
    except (NotationError, AttributeError):
        return ""
    new = {v.name for v in domain.params()}
    return domain.original(fact) if named & new else fact


def _instance(domain: Domain, values: dict[str, int], tensor: Any) -> Any:
    from ..parametric import at

    return at(domain(tensor), values)


def _smallest_failure(request: Request, mma: TiledMMA, domain: Domain, says: str) -> Verdict | None:
    """The refutation at the smallest parameters that fail, on integers; None if none of those tried does."""
    from ..decide import prove
    from ..parametric import at, instances, parameters
    from ..verdict import Refuted

    tensor = domain(request.read_tensor())
    free = parameters((getattr(tensor, "shape", tensor), getattr(tensor, "stride", ())))
    for values in instances(tuple(dict.fromkeys((*domain.params(), *free)))):
        try:
            c = request.configuration(mma, partial(_instance, domain, values))
            verdict = prove(c.claim(c.view), says=says)
        except (LayoutError, UnsupportedError):
            continue  # CuTe makes no view of so small a tensor
        if isinstance(verdict, Refuted):
            old = {name: at(value, values) for name, value in domain.values.items()}
            where = ", ".join(f"{name} = {x}" for name, x in {**values, **old}.items())
            return replace(
                verdict,
                witness={**values, **old, **verdict.witness},
                explanation=f"at {where}\n{verdict.explanation}",
            )
    return None


def _inner(verdict: Verdict) -> str:
    return "\n".join(str(verdict).splitlines()[1:])


def _print(
    form: str,
    request: Request,
    facts: str,
    verdict: Verdict,
    made: tuple[Configuration, Any, Domain] | None,
    lines: list[str],
) -> int:
    data: dict[str, Any] = verdict.to_json()
    if "certificate" in data:
        data["obligations"] = len(data.pop("certificate"))
    at = "" if made is None else original(verdict, made[2])
    text = [*lines, *([""] if lines else []), str(verdict)]
    if at:
        text.append(f"  that is {at}")
    fact = getattr(verdict, "missing_fact", "")
    if fact:
        both = f"{facts}, {fact}" if facts else fact
        text.append(f'  assume it: --assume "{both}"')
    data = {
        "command": "prove retile",
        **data,
        "assumed": facts,
        "configuration": {**request.__dict__} if made is None else made[0].data(),
        "fragment": None if made is None else str(made[0].fragment),
        "view": None if made is None or made[1] is None else str(made[1]),
        "right_view": None,
        "right_view_verdict": None,
        "checks": [],
    }
    return answer(form, "\n".join(text), data)


def original(verdict: Verdict, domain: Domain) -> str:
    """The witness in the parameters that the tensor was written with: `M = 32, K = 16`."""
    witness = getattr(verdict, "witness", {})
    if not witness:
        return ""
    found = []
    for name, value in domain.values.items():
        try:
            number = value if isinstance(value, int) else value.evaluate(witness)
        except KeyError:
            continue
        if witness.get(name) != number:
            found.append(f"{name} = {number}")
    return ", ".join(found)
