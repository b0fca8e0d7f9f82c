"""Forged certificates among the other claims: `tests.forge` makes and judges them, `make forge` in number."""

from __future__ import annotations

from functools import cache
from typing import Any

from .case import Case, Error, fault

CLAIMS = 12  # whose certificates are forged here


@cache
def pool() -> Any:
    """The certificates, made once in a process."""
    from tests.forge.pool import claims_made_up

    return claims_made_up(CLAIMS)


def forged(seed: int) -> Case:
    """The forgery with that number."""
    given = "from tests.forge.judge import forge\nfrom tests.fuzz.forged import pool\n"
    return Case("forged", f"forge([{seed}], pool())", _judge, given)


def _judge(got: Any) -> str:
    """None that counting finds false is confirmed: the complaints of tests.forge."""
    return fault(got) if isinstance(got, Error) else "; ".join(got[1])
