"""`symlayout prove retile` over parameters: proved for all, refuted at the smallest, or what is missing.

A fact that is missing is assumed on trial, and then the next: what is reported is all that the proof needs,
and that the claim holds (or fails) with it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..dim import Dim
from ..domain import Contradiction, Domain, assume, read_facts
from ..errors import LayoutError, NeedFact, NotationError, SymlayoutError, UnsupportedError
from ..inttuple import flatten_to_tuple
from ..names import together
from ..polynomial import params
from .answer import answer
from .belief import Outcome
from .configuration import Configuration, CopyRefused, Request

if TYPE_CHECKING:
    from ..tiled_mma import TiledMMA
    from ..verdict import Verdict
    from .belief import Belief
    from .subjects import Part, Subject

MOST_FACTS = 8  # that are tried one after the other


def prove_over_parameters(
    form: str,
    request: Request,
    mma: TiledMMA,
    about: Subject,
    facts: str,
    sure: Belief,
    certificate: str | None,
) -> int:
    """Decide it, print the verdict, return the exit code."""
    from ..verdict import Unknown, Vacuous

    said = about.statement(request, request.tensor)
    for_all = "" if about.name != "view" else f", for all {request.tensor}"
    given = f"{said}{for_all}" + (f" with {facts}" if facts else "")
    known = [facts] if facts else []
    missing: list[str] = []
    helps = ""
    none = partial(_no_certificate, bool(certificate or sure.asked))
    try:
        taken = names_in(request)
        domain = assume(*known, taken=taken)
        refuse_impossible(domain)
        while True:
            try:
                c, view, verdict = _decide(request, mma, about, domain, given)
                break
            except NeedFact as error:
                fact = in_the_request(error.fact, domain)
                if len(missing) == MOST_FACTS or fact in missing or not fact:
                    found = _smallest_failure(request, mma, about, assume(*known, taken=taken), given)
                    verdict = _either(found, Unknown(given, str(error), fact or error.fact))
                    return _print(form, request, about, facts, verdict, None, [], none(verdict))
                missing.append(fact)
                domain = assume(*known, *missing, taken=taken)
    except Contradiction as error:
        verdict = Vacuous(given, str(error))
        return _print(form, request, about, facts, verdict, None, [], none(verdict))
    except CopyRefused as error:
        verdict = _refused(given, error)
        return _print(form, request, about, facts, verdict, None, [], none(verdict, "CuTe makes no copy"))
    lines = [
        c.text(),
        *([f"where {domain}"] if str(domain) else []),
        "",
        f"{c.fragment_name} = {c.fragment}",
        f"{c.view_name} = {view}    {c.retile}({c.fragment_name})",
    ]
    parts: list[Part] = []
    claim = None
    if missing and verdict.name == "refuted":  # where it fails with more facts it fails with fewer
        more = _what_would_help(request, mma, about, [*known, *missing], given)
        helps = ", ".join([*missing, more]) if more else ""
        verdict = _either(_smallest_failure(request, mma, about, assume(*known, taken=taken), given), verdict)
    elif missing:
        wanted = ", ".join(missing)
        outcome = "it is proved for all" if verdict.name == "proved" else "it is not known either"
        reason = f"assuming {wanted} {outcome}\n{_inner(verdict)}"
        found = _smallest_failure(request, mma, about, assume(*known, taken=taken), given)
        verdict = _either(found, Unknown(given, reason, wanted))
    if missing and _elsewhere(verdict, domain):  # what was made on trial is not what is refuted
        lines = [f"{request.mma}, {request.copy_atom}, {request.operand} = {request.tensor}"]
    elif not missing:
        claim = about.claim(c, view) if view is not None else None
        parts = about.parts(claim, verdict) if claim is not None else []
        if verdict.name == "refuted":
            helps = _what_would_help(request, mma, about, known, given)
    why = "CuTe makes no view" if view is None else ""
    believed = none(verdict, why) if claim is None else sure.of(claim, verdict, certificate)
    return _print(form, request, about, facts, verdict, (c, view, domain), lines, believed, helps, parts)


def _no_certificate(asked: bool, verdict: Verdict, why: str = "") -> Outcome:
    """Why there is none of a verdict that is not on the claim over parameters."""
    if not asked:
        return Outcome()
    small = "it is refuted at single values of the parameters, and a certificate is of the claim for all"
    return Outcome(none=why or (small if verdict.name == "refuted" else f"the verdict is {verdict.name}"))


def _either(found: Verdict | None, other: Verdict) -> Verdict:
    """A verdict counts as true when it is Proved alone, so `or` would drop a refutation."""
    return other if found is None else found


def _what_would_help(request: Request, mma: TiledMMA, about: Subject, known: list[str], says: str) -> str:
    """Facts with which a refuted load is proved: that strides are multiples of what an access moves. Empty
    where they do not suffice."""
    from ..access_width import access_width
    from ..tiled_mma import as_tensor

    if about.name == "view":
        return ""
    c = request.configuration(mma, assume(*known))
    unit = access_width(c.copy, c.memory, "D" if c.side == "S" else "S").values
    tensor = as_tensor(request.operand, request.read_tensor())
    inside: Any = getattr(tensor, "layout", tensor)
    strides = [d for d in flatten_to_tuple(inside.stride) if isinstance(d, Dim)]
    facts = list(dict.fromkeys(f"{unit} | {d}" for d in strides))
    for wanted in (*facts, ", ".join(facts)):
        try:
            if _decide(request, mma, about, assume(*known, wanted), says)[2].name == "proved":
                return wanted
        except (SymlayoutError, Contradiction):
            continue  # not a fact about names, or one that contradicts the others
    return ""


def _decide(
    request: Request, mma: TiledMMA, about: Subject, domain: Domain, says: str
) -> tuple[Configuration, Any, Verdict]:
    from ..decide import prove
    from ..verdict import Refuted

    c = request.configuration(mma, domain)
    try:
        view = c.view
    except NeedFact:
        raise
    except LayoutError as error:
        return c, None, Refuted(says, part="CuTe makes this view", explanation=f"CuTe refuses it: {error}")
    return c, view, prove(about.claim(c, view), says=says)


def _refused(says: str, error: CopyRefused) -> Verdict:
    from ..verdict import Refuted

    return Refuted(says, dict(error.figures), explanation=f"CuTe refuses it: {error}")


def refuse_impossible(domain: Domain) -> None:
    """Raises Contradiction where no values meet facts that were set aside, about whatever parameters: the
    tensor need not show them."""
    from ..decide import TIME_LIMIT
    from ..possible import impossible

    facts = impossible(domain, TIME_LIMIT) if domain.side else ""
    if facts:
        raise Contradiction(f"assume: no values meet the facts {facts}")


def names_in(request: Request) -> tuple[str, ...]:
    """The names that the tensor is written with: what `assume` makes must not print like one of them."""
    from ..parametric import parameters

    tensor = request.read_tensor()
    return tuple(
        [v.name for v in parameters((getattr(tensor, "shape", tensor), getattr(tensor, "stride", ())))]
    )


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


def _smallest_failure(
    request: Request, mma: TiledMMA, about: Subject, domain: Domain, says: str
) -> Verdict | None:
    """The refutation at the smallest parameters that fail, on integers; None if none of those tried does."""
    from ..decide import prove
    from ..parametric import instances, parameters
    from ..verdict import Refuted

    tensor = domain(request.read_tensor())
    free = parameters((getattr(tensor, "shape", tensor), getattr(tensor, "stride", ())))
    for values in instances(tuple(dict.fromkeys((*domain.params(), *free)))):
        try:
            c = request.configuration(mma, partial(_instance, domain, values))
            verdict = prove(about.claim(c, c.view), says=says)
        except (LayoutError, UnsupportedError):
            continue  # CuTe makes no view of so small a tensor
        if about.name != "view" and c.outside():
            continue  # what is missing is that the tiles are whole, and that is named
        if isinstance(verdict, Refuted):
            point = {**values, **domain.before(values)}
            where = ", ".join(f"{name} = {x}" for name, x in together(point, {}).items())
            return replace(
                verdict,
                witness=together(point, verdict.witness),
                explanation=f"at {where}\n{verdict.explanation}",
            )
    return None


def _inner(verdict: Verdict) -> str:
    return "\n".join(str(verdict).splitlines()[1:])


def _print(
    form: str,
    request: Request,
    about: Subject,
    facts: str,
    verdict: Verdict,
    made: tuple[Configuration, Any, Domain] | None,
    lines: list[str],
    believed: Outcome,
    helps: str = "",
    parts: Sequence[Part] = (),
) -> int:
    data: dict[str, Any] = verdict.to_json()
    if "certificate" in data:
        data["obligations"] = len(data.pop("certificate"))
    at = "" if made is None else original(verdict, made[2], getattr(verdict, "witness", {}))
    text = [*lines, *([""] if lines else []), about.headline(verdict, parts)]
    if at:
        text.append(f"  that is {at}")
    if helps:
        data["missing_fact"] = helps
        text.append(f"  with {helps} it is proved")
    fact = helps or getattr(verdict, "missing_fact", "")
    if fact:
        both = f"{facts}, {fact}" if facts else fact
        text.append(f'  assume it: --assume "{both}"')
    text += ["", *more] if (more := believed.lines()) else []
    data = {
        "command": "prove retile",
        "subject": about.name,
        "parts": [part.data() for part in parts],
        **data,
        **believed.data(),
        "exit_code": believed.exit_code(verdict.exit_code),
        "assumed": facts,
        "configuration": {**request.__dict__} if made is None else made[0].data(),
        "fragment": None if made is None else str(made[0].fragment),
        "view": None if made is None or made[1] is None else str(made[1]),
        "right_view": None,
        "right_view_verdict": None,
        "checks": [],
    }
    return answer(form, "\n".join(text), data)


def _elsewhere(verdict: Verdict, domain: Domain) -> bool:
    """Whether the verdict is about values that the domain does not have."""
    witness = getattr(verdict, "witness", {})
    return any(isinstance(x, int) and witness.get(name, x) != x for name, x in domain.values.items())


def original(verdict: Verdict, domain: Domain, given: Container[str] = ()) -> str:
    """The witness in the parameters that the tensor was written with: `M = 32, K = 16`. Those in `given` it
    has already, perhaps from another domain."""
    witness = getattr(verdict, "witness", {})
    if not witness:
        return ""
    found = []
    for name, value in domain.values.items():
        try:
            number = value if isinstance(value, int) else value.evaluate(witness)
        except KeyError:
            continue
        if name not in given and witness.get(name) != number:
            found.append(f"{name} = {number}")
    return ", ".join(found)
