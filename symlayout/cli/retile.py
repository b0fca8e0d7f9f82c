"""`symlayout prove retile`: does every thread's copy put each element into the register from which the MMA
reads it?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..errors import LayoutError
from .answer import answer, format_option
from .belief import Belief, belief, belief_options
from .configuration import Configuration, CopyRefused, Request, configuration_options
from .shrinking import data as shrunk_data
from .shrinking import lines as shrunk_lines
from .shrinking import shrink_option, shrunk
from .subjects import Subject, asked, subject_option

if TYPE_CHECKING:
    from ..verdict import Verdict


@click.command()
@configuration_options
@belief_options("Write why the verdict should be believed to FILE, for `symlayout recheck`.", "FILE")
@click.option(
    "--assume",
    metavar="FACTS",
    help='What is known of the names in --tensor, each 1 or more: "M % 32 == 0, 16 | K, ld >= K".',
)
@subject_option
@shrink_option
@format_option
def retile(
    form: str,
    certificate: str | None,
    rechecked: bool,
    assume: str | None,
    subject: str,
    shrinks: bool,
    **options: str,
) -> int:
    """Prove that CuTe's retile is correct, for all threads and all values; or refute it.

    The view: for every thread t, value a and copy g the MMA reads from register R(a,g) the element that the
    copy delivers there, and R hits every register once. A refutation names the first thread and register that
    go wrong, the element wanted and the element got, and the right view where there is one. A copy that CuTe
    itself refuses is refuted too, with its figures.

    With --tensor it is asked about the load (or store) as a whole: the view, and the side in memory. Each
    access moves neighbours from an aligned address, every element of the tensor is moved, and none outside.
    Verdict and exit code are those of the worst. --subject view asks about the view alone.

    The tensor's sizes and strides may be names: then it is proved for all of them, refuted at the smallest,
    or what has to be assumed is named.

    Exit code 0 proved, 1 refuted, 3 unknown.

    \b
    symlayout prove retile --mma SM80_16x8x16_F32F16F16F32_TN --copy SM75_U32x4_LDSM_N \\
        --operand B --permutation 16,8,32 --tensor "(32,32):(32,1)"
    symlayout prove retile ... --tensor "(N,K)" --assume "N % 8 == 0, K % 32 == 0"
    """
    about, request = asked(subject, Request(**options))
    mma = request.tiled_mma()
    if assume or request.over_parameters():
        from .parameters import prove_over_parameters

        with belief(rechecked) as sure:
            return prove_over_parameters(form, request, mma, about, assume or "", sure, certificate)
    try:
        configuration = request.configuration(mma)
    except CopyRefused as error:
        return _refused(form, request, about, error, error.figures, bool(certificate or rechecked))
    try:
        view = configuration.view
    except LayoutError as error:
        return _refused(form, request, about, error, {}, bool(certificate or rechecked))
    with belief(rechecked) as sure:
        return _decided(form, configuration, about, view, sure, certificate, request, shrinks)


def _decided(
    form: str,
    c: Configuration,
    about: Subject,
    view: Any,
    sure: Belief,
    certificate: str | None,
    request: Request,
    shrinks: bool,
) -> int:
    from ..decide import prove

    claim = about.claim(c, view)
    verdict = prove(claim, says=about.statement(request, c.memory))
    believed = sure.of(claim, verdict, certificate)
    parts = about.parts(claim, verdict)
    of_view = next((p.verdict for p in parts if p.name == "view"), verdict)
    wrong_view = of_view.exit_code == 1 and about.name != "memory"
    right, right_verdict = _right_view(c, view) if wrong_view else (None, None)
    lines = [
        c.text(),
        "",
        f"{c.fragment_name} = {c.fragment}",
        f"{c.view_name} = {view}    {c.retile}({c.fragment_name})",
        "",
        about.headline(verdict, parts),
    ]
    if right is not None and right_verdict is not None and "right view" not in str(verdict):
        lines += [
            "",
            f"right view: {right}",
            f"  {right_verdict.name}: every register gets what its mma reads",
        ]
    checks = _checks(c) if wrong_view else []
    lines += _check_lines(checks)
    notes = _notes(c, about)
    lines += ["", *(f"note: {note}" for note in notes)] if notes else []
    lines += ["", *more] if (more := believed.lines()) else []
    smaller = shrunk(request, partial(_failure, about)) if shrinks and verdict.exit_code == 1 else None
    lines += shrunk_lines(request, smaller) if smaller is not None else []
    data = {
        "command": "prove retile",
        "subject": about.name,
        "parts": [part.data() for part in parts],
        **_without_certificate(verdict),
        **believed.data(),
        "exit_code": believed.exit_code(verdict.exit_code),
        "configuration": c.data(),
        "fragment": str(c.fragment),
        "view": str(view),
        "right_view": None if right is None else str(right),
        "right_view_verdict": None if right_verdict is None else right_verdict.name,
        "checks": checks,
        "notes": notes,
        **({} if smaller is None else {"shrunk": shrunk_data(smaller)}),
    }
    return answer(form, "\n".join(lines), data)


def _notes(c: Configuration, about: Subject) -> list[str]:
    """What a verdict on the view does not say: points outside the tensor, and memory that the copy cannot
    move. A load has both among its parts."""
    from ..decide import prove
    from ..load_claim import goes
    from ..memory_claim import contiguous
    from ..verdict import Refuted

    if about.name != "view":
        return []
    notes = c.outside()
    if not goes(c.copy, c.side):
        return notes  # then the copy's other side is asked about, which is registers as well
    memory = prove(contiguous(c.copy, c.memory, side="S" if c.side == "D" else "D"))
    if isinstance(memory, Refuted):
        why = "\n".join(f"  {line.strip()}" for line in memory.explanation.splitlines())
        notes.append(
            "the verdict is about registers. "
            f"copy() does not compile, or moves other elements, for {c.memory}:\n{why}"
        )
    return notes


def _failure(about: Subject, c: Configuration) -> str | None:
    """The part of the claim that a configuration breaks, whatever its tensor; None if it breaks none."""
    from ..decide import prove
    from ..verdict import Refuted

    verdict = prove(about.claim(c, c.view))
    return verdict.part.replace(str(c.memory), "the tensor") if isinstance(verdict, Refuted) else None


def _right_view(configuration: Configuration, view: Any) -> tuple[Any, Verdict | None]:
    """The view that is right where CuTe's is not, and the proof of it; (None, None) when there is none."""
    from ..decide import prove

    try:
        right = configuration.delivery(view).right_view()
    except LayoutError:
        return None, None
    return right, prove(configuration.claim(right))


def _checks(c: Configuration) -> list[dict[str, Any]]:
    """What CuTe takes for granted, each decided: it shows which assumption a refuted configuration breaks."""
    from ..checklist import checklist
    from ..decide import prove
    from ..tiled_mma import as_tensor

    shape = as_tensor(c.operand, c.tensor).shape
    found = []
    for claim in checklist(c.copy, c.mma, c.operand, shape, c.side)[:4]:  # the fifth is the whole claim
        verdict = prove(claim)
        words = getattr(verdict, "explanation", "").strip().splitlines()
        found.append(
            {"check": str(claim), "verdict": verdict.name, "says": words[-1].strip() if words else ""}
        )
    return found


def _check_lines(checks: list[dict[str, Any]]) -> list[str]:
    if not checks:
        return []
    lines = ["", "what CuTe assumes, checked one by one"]
    for check in checks:
        word = "holds" if check["verdict"] == "proved" else "fails"
        says = f": {check['says']}" if check["says"] else ""
        lines.append(f"  {word}  {check['check']}{says}")
    if all(check["verdict"] == "proved" for check in checks):
        lines.append("  none sees it: CuTe also takes the order of the fragment's other modes for granted")
    return lines


def _refused(
    form: str,
    request: Request,
    about: Subject,
    error: LayoutError,
    figures: dict[str, int],
    certificate: bool,
) -> int:
    """CuTe's assertions stop the configuration before there is a view: refuted by its own figures."""
    from ..verdict import Refuted

    broken = [
        (f"{tiled} % {atom}", figures[tiled] % figures[atom])
        for tiled, atom in (("TiledNumThr", "AtomNumThr"), ("TiledNumVal", "AtomNumVal"))
        if figures and figures[tiled] % figures[atom]
    ]
    verdict = Refuted(
        about.statement(request, request.tensor or "one tile"),
        witness=dict(figures),
        left=broken[0][1] if broken else None,
        right=0 if broken else None,
        part=f"{broken[0][0]} = 0" if broken else "CuTe makes this view",
        explanation=f"CuTe refuses it: {error}",
    )
    data = {
        "command": "prove retile",
        "subject": about.name,
        "parts": [],
        **_without_certificate(verdict),
        "configuration": replace(request).__dict__,
        "fragment": None,
        "view": None,
        "right_view": None,
        "right_view_verdict": None,
        "checks": [],
        **({"certificate": None} if certificate else {}),
    }
    none = "\n\nno certificate: CuTe makes no view that could be claimed to be right" if certificate else ""
    return answer(form, str(verdict) + none, data)


def _without_certificate(verdict: Verdict) -> dict[str, Any]:
    data = verdict.to_json()
    if "certificate" in data:
        data["obligations"] = len(data.pop("certificate"))
    return data
