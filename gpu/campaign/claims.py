"""What the prover is asked about a pair: does every register that the mma reads hold the element it wants?

For all warps, lanes, matrices, copies and values, in digits of their own: the offset that the PTX ISA's
formula of `ldmatrix` takes the value from, through the address that the lane of its row names, is the offset
at which the writer put the element that the mma reads from the slot which the value goes to. Two offsets
instead of two elements: a writer's layout has each offset once. Where slots are changed, that every register
is written is part of the question.

Permuted tiles are asked as `copy.retile_correct`. Nothing here is numpy, and no table of `base`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symlayout import (
    Claim,
    LayoutError,
    Proved,
    Refuted,
    Verdict,
    all_of,
    equal,
    prove,
    ptx,
    within,
)
from symlayout.claim import Pointwise
from symlayout.formula import Relation
from symlayout.symbolic import Expr, Var

from ..plan import LoadPlan
from .base import WIDEST_UNIT, Maps
from .space import Pair

POINTS = 1 << 8  # computed one by one beside the solver; up to 64 times as many with numpy
CELLS = 2  # 16-bit cells of a 32-bit register

# the parts of the claim; a name keeps `prove` from spelling out the formulas
RIGHT = "every register holds the element that the mma reads there"
INSIDE = "every value goes to a register that the mma reads"
ONCE = "no two values go to one register"


@dataclass(frozen=True)
class Question:
    """A claim, or a body with its quantifiers, as `prove` takes them."""

    claim: Claim | Callable[..., Claim]
    digits: dict[str, Any]  # how many values each has

    def asked(self, engine: str) -> Verdict:
        if isinstance(self.claim, Claim):
            return prove(self.claim, engine=engine)
        return prove(self.claim, engine=engine, confirm_up_to=POINTS, **self.digits)


def questions(pair: Pair) -> tuple[Question, ...]:
    """All of which must be proved for the pair to be harmless; the likeliest to fail first."""
    maps = pair.mutation.asked(pair.base)
    if isinstance(maps, Claim):
        return (Question(maps, {}),)
    plan = pair.base.right
    once = maps.value is pair.base.maps.value  # the right view's, which hits each register once
    if once or plan.fragment.size() == 1:
        return (_delivered(plan, maps),)
    return (_delivered(plan, maps), _each_once(plan, maps))


def _delivered(plan: LoadPlan, maps: Maps) -> Question:
    """Every value lies where the element was written that the mma reads from the value's register."""
    bits = plan.element.bits
    unit = min(bits, WIDEST_UNIT)
    parts, per_cell = bits // unit, WIDEST_UNIT // unit
    registers, values, warps = int(plan.fragment.size()), plan.values, plan.threads // 32

    def wants(t: Any, x: Any, part: Any, at: Any) -> Claim:
        """Value x of all copies comes from the place `at`, in units: is it the right one?"""
        right = same(at, maps.held(t, maps.value(x)) * parts + part).named(RIGHT)
        if maps.slot is None:
            return right
        return all_of(right, within(maps.slot(x), 0, registers).named(INSIDE))

    if not plan.instruction.matrices:

        def value_by_value(w: Any, lane: Any, a: Any, g: Any) -> Claim:
            t = lane + 32 * w
            return wants(t, a + values * g, 0, maps.address(t, g, a) * parts)

        return Question(value_by_value, {"w": warps, "lane": 32, "a": values, "g": plan.steps})

    move = ptx.MOVES["ldmatrix.m8n8.trans.b16" if maps.trans else "ldmatrix.m8n8.b16"]

    def by_matrix(w: Any, i: Any, j: Any, m: Any, half: Any, e: Any, g: Any) -> Claim:
        lane = 4 * i + j
        row, column = move.element(lane, 0, half)
        named = move.rows * m + row + 32 * w
        at = maps.address(named, g, 0) * parts + column * per_cell + e
        # with two cells an element, register m is value m; else a register holds two cells of values
        a, part = (m, half) if parts == CELLS else ((CELLS * m + half) * per_cell + e, 0)
        return wants(lane + 32 * w, a + values * g, part, at)

    digits = {"w": warps, "i": 8, "j": 4, "m": plan.instruction.matrices, "half": CELLS}
    return Question(by_matrix, {**digits, "e": per_cell, "g": plan.steps})


def _each_once(plan: LoadPlan, maps: Maps) -> Question:
    """No two values go to one register: there are as many values as registers, so each is written."""
    where = maps.slot or maps.value
    count = int(plan.fragment.size())

    def body(x: Any, d: Any) -> Claim:
        first, other = where(x), where((x + 1 + d) % count)
        return Pointwise((Relation("!=", first, other),), (first, other), label=ONCE)

    return Question(body, {"x": count, "d": count - 1})


def same(a: Any, b: Any) -> Claim:
    """a = b, with the lowest bit of both turned over: the same claim, but one that the solver is asked in
    bit-vectors, in which these maps take it a tenth of the time that integers take."""
    return equal(a ^ 1, b ^ 1)


def key(question: Question) -> str:
    """What makes two questions the same: their statement, in digits, with the digits' bounds."""
    if isinstance(question.claim, Claim):
        return repr(question.claim)
    names = inspect.signature(question.claim).parameters
    stated = question.claim(**{name: Var(name, question.digits[name]) for name in names})
    lines: dict[str, int] = {}
    sides = [
        [r.op, _line(r.left, lines, {}), _line(r.right, lines, {})]
        for part in stated.parts()
        if isinstance(part, Pointwise)
        for r in (*part.premises, *part.goals)
    ]
    return f"{question.digits} {list(lines)} {sides}"


def _line(x: Any, lines: dict[str, int], known: dict[int, str]) -> str:
    """An expression as a program of one operation a line; what occurs many times in it stands once."""
    if not isinstance(x, Expr):
        return str(x)
    if isinstance(x, Var):
        return x.name
    if id(x) not in known:
        text = f"{x.op} {' '.join(_line(a, lines, known) for a in x.args)}"
        known[id(x)] = f"@{lines.setdefault(text, len(lines))}"
    return known[id(x)]


def harmless(pair: Pair, engine: str, known: dict[str, bool]) -> bool:
    """The prover's verdict; equal questions are asked once. Raises LayoutError where it has none, and
    EngineDisagreement where the solver and an engine differ."""
    for question in questions(pair):
        text = key(question)
        if text not in known:
            verdict = question.asked(engine)
            if not isinstance(verdict, (Proved, Refuted)):
                raise LayoutError(f"{pair}: neither proved nor refuted\n  {verdict}")
            known[text] = isinstance(verdict, Proved)
        if not known[text]:
            return False
    return True
