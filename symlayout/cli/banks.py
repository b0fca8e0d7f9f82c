"""`symlayout prove banks`: is every phase of a copy's accesses to shared memory served in one wavefront?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from ..dim import Dim
from ..domain import Contradiction, Domain, assume
from ..errors import LayoutError, NeedFact
from .answer import answer, format_option
from .belief import Belief, belief, belief_options
from .configuration import Configuration, Request, memory_options
from .parameters import in_the_request, names_in, original, refuse_impossible

if TYPE_CHECKING:
    from ..claim import Claim
    from ..verdict import Verdict


@click.command()
@memory_options
@click.option(
    "--wavefronts",
    "exactly",
    type=click.IntRange(min=1),
    metavar="N",
    help="Prove that every phase takes exactly N wavefronts.",
)
@click.option(
    "--at-most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Prove that no phase takes more than N wavefronts.",
)
@belief_options("Write why the verdict should be believed to FILE, for `symlayout recheck`.", "FILE")
@click.option(
    "--assume",
    "facts",
    metavar="FACTS",
    default="",
    help='What is known of the names in --tensor, each 1 or more: "ld % 16 == 8, M % 64 == 0".',
)
@format_option
def banks(
    form: str,
    certificate: str | None,
    rechecked: bool,
    facts: str,
    exactly: int | None,
    at_most: int | None,
    **options: str,
) -> int:
    """Prove that a copy has no bank conflicts in a tensor in shared memory, or refute it.

    For every step of the copy, every warp and every phase of an access: addresses are aligned, and no two
    lanes want different 4-byte words of one bank. A refutation names the first phase that takes more than one
    wavefront, two of its lanes, their elements and bytes, how many phases are like that, and, where one is
    easily found and proved, a swizzle and a padding that help. The tensor begins at a multiple of 128 bytes.

    The tensor's strides and sizes may be names: then it is proved for all of them, refuted at the smallest,
    or what has to be assumed is named.

    Exit code 0 proved, 1 refuted, 3 unknown.

    \b
    symlayout prove banks --mma SM80_16x8x16_F32F16F16F32_TN --copy SM75_U32x4_LDSM_N \\
        --operand A --tensor "Sw<3,3,3> o 0 o (64,64):(64,1)"
    symlayout prove banks ... --tensor "(64,64):(ld,1)" --assume "ld % 16 == 8"
    symlayout prove banks ... --tensor "(64,64):(64,1)" --wavefronts 8
    """
    if exactly is not None and at_most is not None:
        raise click.UsageError("--wavefronts and --at-most are two claims; give one of them")
    request = Request(side="auto", **options)
    mma = request.tiled_mma()
    said = f"{request.copy_atom} in {request.tensor or 'one tile'}"
    try:
        domain = assume(*([facts] if facts else []), taken=names_in(request))
        refuse_impossible(domain)
    except Contradiction as error:
        return _vacuous(form, request, facts, f"bank conflicts of {said}, with {facts}", error)
    try:
        configuration = request.copied(mma, domain, shared=True)
        claim = _claim(configuration, exactly, at_most)
    except NeedFact as error:
        fact = in_the_request(error.fact, domain) or error.fact
        raise NeedFact(str(error), f"{facts}, {fact}" if facts and fact else fact) from None
    with belief(rechecked) as sure:
        return _decided(form, configuration, domain, claim, sure, certificate, facts, request.units())


def _claim(c: Configuration, exactly: int | None, at_most: int | None) -> Claim:
    from ..bank_claim import at_most_wavefronts, conflict_free, wavefronts

    if exactly is not None:
        return wavefronts(c.copy, c.memory, exactly)
    if at_most is not None:
        return at_most_wavefronts(c.copy, c.memory, at_most)
    return conflict_free(c.copy, c.memory)


def _decided(
    form: str,
    c: Configuration,
    domain: Domain,
    claim: Claim,
    sure: Belief,
    certificate: str | None,
    facts: str,
    units: list[str],
) -> int:
    from ..decide import prove
    from ..smem import access_of

    verdict = prove(claim)
    believed = sure.of(claim, verdict, certificate)
    counts = {} if c.over_parameters else _counts(c)
    lines = [c.text(), *([f"where {domain}"] if str(domain) else []), "", str(verdict)]
    at = original(verdict, domain)
    lines += [f"  the counterexample is {at}"] if at else []
    lines += _where_it_holds(verdict, domain)
    fact = getattr(verdict, "missing_fact", "")
    if fact:
        wanted = in_the_request(fact, domain) or fact
        lines.append(f'  assume it: --assume "{f"{facts}, " if facts else ""}{wanted}"')
    if counts and verdict.name == "proved":
        lines.append("  {accesses} accesses of {phases} phases take {wavefronts} wavefronts".format(**counts))
    notes = [*units, *([] if c.over_parameters else c.outside())]
    lines += ["", *(f"note: {note}" for note in notes)] if notes else []
    lines += ["", *more] if (more := believed.lines()) else []
    data = {
        "command": "prove banks",
        "subject": "banks",
        **_without_certificate(verdict),
        **believed.data(),
        "exit_code": believed.exit_code(verdict.exit_code),
        "configuration": c.data(),
        "instruction": access_of(c.copy, c.memory).instruction,
        "assumed": facts,
        "notes": notes,
        **dict.fromkeys(("accesses", "phases", "wavefronts")),
        **counts,
    }
    return answer(form, "\n".join(lines), data)


def _where_it_holds(verdict: Verdict, domain: Domain) -> list[str]:
    """For which of the tensor's own parameters the claim holds, where the refutation says it of new ones."""
    found = re.search(r"it holds where (\w+) % (\d+) is ([\d or]+)", getattr(verdict, "explanation", ""))
    if found is None:
        return []
    name, m, residues = found[1], int(found[2]), [int(r) for r in found[3].split(" or ")]
    for old, value in domain.values.items():
        if isinstance(value, Dim) and [v.name for v in value.params()] == [name] != [old]:
            at = [value.evaluate({name: r}) for r in (*residues, m, 0, 2 * m)]
            *starts, once, none, twice = at
            if once - none == twice - once:  # it grows evenly
                step = once - none
                words = " or ".join(str(x) for x in sorted(start % step for start in starts))
                return [f"  it holds where {old} % {step} is {words}"]
    return []


def _counts(c: Configuration) -> dict[str, int]:
    """Of the whole copy, by plain counting; empty where an address is not aligned."""
    from ..smem import Accesses, access_of

    access, counts = access_of(c.copy, c.memory), {"accesses": 0, "phases": 0, "wavefronts": 0}
    try:
        for _, _, named, alike in Accesses(c.copy, c.memory).alike():
            counts["accesses"] += alike
            counts["phases"] += alike * len(access.phases(named))
            counts["wavefronts"] += alike * access.wavefronts(named)
    except LayoutError:
        return {}
    return counts


def _vacuous(form: str, request: Request, facts: str, says: str, error: Contradiction) -> int:
    from ..verdict import Vacuous

    verdict = Vacuous(says, str(error))
    data = {
        "command": "prove banks",
        "subject": "banks",
        **verdict.to_json(),
        "configuration": {**request.__dict__},
        "instruction": None,
        "assumed": facts,
        "notes": [],
        **dict.fromkeys(("accesses", "phases", "wavefronts")),
    }
    return answer(form, str(verdict), data)


def _without_certificate(verdict: Verdict) -> dict[str, Any]:
    data = verdict.to_json()
    if "certificate" in data:
        data["obligations"] = len(data.pop("certificate"))
    return data
