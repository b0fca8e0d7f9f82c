"""Ask recheck about forged certificates, and compare with what counting says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from symlayout.certificate import load
from symlayout.errors import NotationError
from symlayout.recheck import Answer, Worker, recheck, solvers
from symlayout.recheck.process import Ask
from symlayout.recheck.script import Script

from .forging import Content, file_of, forged
from .truth import true

SECONDS = 0.3  # of one solver for one question


def hurried(asked: Mapping[str, Ask]) -> dict[str, Ask]:
    """Solvers with little time that remember what they did not know: the same obligation is in many files."""
    known: dict[tuple[str, str], Answer | None] = {}

    def of(name: str, ask: Ask) -> Ask:
        def answer(text: str, script: Script, _seconds: float) -> Answer | None:
            if (name, text) not in known:
                known[name, text] = ask(text, script, SECONDS)
            return known[name, text]

        return answer

    return {name: of(name, ask) for name, ask in asked.items()}


def judged(content: Content, asked: Mapping[str, Ask]) -> tuple[str, str]:
    """What becomes of one file, and the sentence that recheck prints of it."""
    try:
        report = recheck(load(file_of(content)), asked)
    except NotationError as error:
        return "bad input", str(error)
    return report.verdict, report.says


def complaint(content: Content, verdict: str, says: str) -> str:
    """Why a verdict is wrong; empty if it is not."""
    if verdict != "confirmed":
        return ""
    if not true(content):
        return f"confirmed, and counting finds it false: {says}"
    if content["claim"]["text"] not in says:
        return f"confirmed under another title: {content['claim']['text']} is not in {says}"
    return ""


def forge(numbers: Sequence[int], pool: Sequence[tuple[str, Content]]) -> tuple[Counter[str], list[str]]:
    """The verdicts on these forged certificates, and what is wrong with them. Number n is always the same."""
    counts: Counter[str] = Counter()
    complaints: list[str] = []
    with Worker() as worker:
        asked = hurried(solvers(worker))
        for n in numbers:
            rng = random.Random(n)
            (name, base), (_, other) = rng.choice(pool), rng.choice(pool)
            content, how = forged(rng, base, other)
            verdict, says = judged(content, asked)
            same = content == base
            counts["unchanged" if same else verdict] += 1
            if wrong := complaint(content, verdict, says):
                complaints.append(f"{n}: {name}, {how}: {wrong}")
    return counts, complaints


def untouched(pool: Sequence[tuple[str, Any]]) -> list[str]:
    """The names of certificates that are not confirmed as they are."""
    with Worker() as worker:
        asked = hurried(solvers(worker))
        return [name for name, content in pool if judged(content, asked)[0] != "confirmed"]
