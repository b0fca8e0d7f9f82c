"""What a cross-check says, in the words of the proof."""

from __future__ import annotations

from .crosscheck import CrossCheck
from .outcome import Outcome

AGREE, WRONG_VIEW, DISAGREE = 0, 1, 4  # exit codes: as stated, refuted, model and machine disagree


def exit_code(check: CrossCheck) -> int:
    """4 where machine and model differ, or the control was not seen; 1 where retile is wrong, as predicted;
    else 0."""
    if not check.passed:
        return DISAGREE
    return AGREE if check.retile.right else WRONG_VIEW


def text(check: CrossCheck) -> str:
    """The report for people."""
    c = check.configuration
    lines = [
        f"{c['mma']}",
        f"{c['copy']} as {c['instruction']}, {c['operand']} = {c['tensor']}",
        f"on {check.backend}",
    ]
    for outcome in check.outcomes:
        lines += ["", *_outcome(outcome, "st" == c["instruction"][:2])]
    lines += ["", _verdict(check)]
    return "\n".join(lines)


def _outcome(o: Outcome, store: bool) -> list[str]:
    places, what = ("memory", "C") if store else ("registers", "D")
    wrong = f"{o.wrong} of {o.places} hold another element than the mma has there" if o.wrong else "all right"
    lines = [f"{o.title}: {o.view}", f"  {places:9}  predicted: {wrong}"]
    lines += [f"             {o.first_wrong}"] if o.first_wrong else []
    same = f"the same, every {'element of shared memory' if store else 'slot of every thread'}"
    lines.append(f"             observed:  {f'{o.unlike} differ' if o.unlike else same}")
    if o.first:
        f = o.first
        lines.append(f"             first at {f.where}: predicted {f.predicted}, observed {f.observed}")
    for kind, (size, bad, unlike) in o.products.items():
        result = f"{bad} of {size} elements of {what} are wrong" if bad else f"{what} is right"
        lines.append(f"  {kind:9}  {result}, {f'{unlike} not as predicted' if unlike else 'as predicted'}")
    return lines


def _verdict(check: CrossCheck) -> str:
    what = "The machine" if check.hardware else "The emulator, which is not hardware,"
    if not check.as_predicted:
        return f"DISAGREEMENT: {what} does not do what the model says."
    if not check.passed:
        return "NO CONTROL: no wrong view was seen to be wrong, so the agreement says nothing."
    if check.retile.right:
        return f"{what} agrees: retile is right, and the wrong view beside it is wrong as predicted."
    return f"{what} agrees: CuTe's retile is wrong as predicted, and the proven view beside it is right."
