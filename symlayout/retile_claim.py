"""The claim that a retile is correct, stated for a prover.

    for all threads l, register values v, delivered values x:  R(x) = F(v)  implies  P(l, v) = D(T(l), x)

with the maps of delivery.py. Asked as a relation, without the inverse of F, every side is a plain sum of
digits times strides, and no quotient is left. That R hits every register exactly once, and that the sizes
agree mode by mode, are parts of the claim in front of it: the most obvious way to fail first.

This file states; `prove` decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from .algebra import product_each
from .claim import AllOf, Claim, Failure, Pointwise, values
from .claims import bijective
from .delivery import Delivery
from .dim import is_symbolic
from .errors import LayoutError, UnsupportedError
from .formula import Obligation, Relation
from .inttuple import flatten_to_tuple, idx2crd, show
from .layout import Layout
from .map_claims import at_digits, common_radix, coordinate_in, digits, index_of
from .retile_parameters import delivered_parts
from .statement import Statement, states, the_map
from .symbolic import Int, Var

MODES = {"A": ("V", "M", "K"), "B": ("V", "N", "K"), "C": ("V", "M", "N")}


def retile_claim(
    delivery: Delivery,
    operand: str,
    side: str,
    names: str = "",
    remedy: str = "",
    *,
    view: Layout | None = None,
    about: About | None = None,
) -> Claim:
    """The whole claim: sizes, registers, and who gets what. `names` says which mma and copy it is about,
    `remedy` what to do when the view and the partition have different sizes; `view` is asked about instead
    of CuTe's. `about` is what the delivery was made of, from which a certificate states it anew."""
    if view is not None:
        delivery = replace(delivery, view=view)
    registers = delivery.fragment.size()
    symbolic = is_symbolic((delivery.fragment.shape, delivery.view.shape))
    exact = Delivered(delivery, operand, side).named(
        "every thread finds in every register what its mma reads there"
    )
    parts = (
        _same_sizes("partition", delivery.delivered[0][1], "view", delivery.view, remedy),
        _same_sizes("the mma's partition", delivery.expected[0][1], "fragment", delivery.fragment, ""),
        bijective(delivery.fragment).named("the fragment keeps each value in a register of its own"),
        bijective(delivery.view, onto=registers).named(
            f"the view hits each of {registers} registers exactly once"
        ),
        *(delivered_parts(delivery, exact) if symbolic else (exact,)),
    )
    named = f": {names}" if names else ""
    return RetileCorrect(parts, delivery=delivery, operand=operand, side=side, about=about).named(
        f"retile_{side} of {operand} is correct{named}"
    )


class About:
    """The copy, the mma and the tensor of a delivery; no dataclass, because a claim over parameters is made
    anew for their values, and these stay."""

    def __init__(self, copy: Any, mma: Any, tensor: Any) -> None:
        self.copy, self.mma, self.tensor = copy, mma, tensor


@dataclass(frozen=True)
class RetileCorrect(AllOf):
    """All that makes a retile correct."""

    delivery: Delivery = field(kw_only=True)
    operand: str = field(kw_only=True)
    side: str = field(kw_only=True)
    about: About | None = field(kw_only=True, default=None)


@dataclass(frozen=True)
class SameSizes(Pointwise):
    """Two layouts have equal sizes mode by mode; `remark` says it in words when they have not."""

    remark: str = ""

    def failure(self) -> Failure | None:
        found = super().failure()
        return None if found is None else replace(found, says=self.remark)


def _same_sizes(a: str, x: Layout, b: str, y: Layout, remedy: str) -> Claim:
    left, right = product_each(x.shape), product_each(y.shape)
    n = max(len(left), len(right))
    goals = tuple(
        Relation("=", p, q)
        for p, q in zip(left + (1,) * (n - len(left)), right + (1,) * (n - len(right)), strict=True)
    )
    says = f"{a} has {x.size()} values, {b} has {y.size()}; by mode {show(left)} and {show(right)}"
    remark = f"{says}\n  {b} {y}" + (f"\n  {remedy}" if remedy else "")
    return SameSizes(goals, (left, right), says, remark).named(f"{a} and {b} have equal sizes")


@dataclass(frozen=True)
class Delivered(Claim):
    """Every element goes to the register in which the mma reads it. The witness is the least (thread,
    value)."""

    delivery: Delivery
    operand: str
    side: str

    def text(self) -> str:
        return f"retile_{self.side} of {self.operand} delivers every element to its register"

    def instances(self) -> int:
        return int(self.delivery.threads.size() * self.delivery.view.size())

    def _radices(self) -> tuple[tuple[int, ...], ...]:
        """Sizes of the digits of logical thread, hardware thread, fragment value and delivered value.

        Where logical threads are hardware threads, as in all but Volta's quad pairs, the two share digits.
        """
        d, sizes = self.delivery, flatten_to_tuple
        logical = (sizes(d.threads.shape), sizes(d.expected[0].shape[0]))
        hardware = sizes(d.delivered[0].shape[0])
        value = _radix(sizes(d.fragment.shape), sizes(d.expected[0].shape[1]))
        moved = _radix(sizes(d.view.shape), sizes(d.delivered[0].shape[1]))
        if d.threads.size() == prod(hardware) and d.threads.canonical() == ((prod(hardware), 1),):
            shared = common_radix(*logical, hardware)
            if shared is not None:
                return shared, shared, value, moved
        return _radix(*logical), hardware, value, moved

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        """The copy has every thread of the mma, and the relation of the module's text for each coordinate."""
        d = self.delivery
        radices = self._radices()
        names = "ttvx" if radices[0] is radices[1] else "ltvx"
        logical, thread, held, moved = (digits(r, n) for r, n in zip(radices, names, strict=True))
        on = _at(d.threads, radices[0], logical)
        known = Obligation(
            f"{self}: the copy has every thread of the mma",
            free + logical[::-1],
            self.premises,
            (Relation("<=", 0, on), Relation("<", on, prod(radices[1]))),
        )
        meets: tuple[Relation, ...] = (
            Relation("=", _at(d.view, radices[3], moved), _at(d.fragment, radices[2], held)),
        )
        order = free + thread[::-1] + moved[::-1] + held[::-1]
        if [v.name for v in logical] != [v.name for v in thread]:
            meets += (Relation("=", _index(radices[1], thread), on),)
            order += logical[::-1]
        goals = tuple(
            Relation(
                "=",
                _at(p[0], radices[0], logical) + _at(p[1], radices[2], held),
                _at(c[0], radices[1], thread) + _at(c[1], radices[3], moved),
            )
            for p, c in zip(d.expected, d.delivered, strict=True)
        )
        return (known, Obligation(str(self), order, self.premises + meets, goals))

    def search(self, free: tuple[Var, ...] = ()) -> Obligation:
        return self.obligations(free)[1]

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        _, thread, _, moved = self._radices()
        return {"thread": index_of(thread, "t", model), "value": index_of(moved, "x", model)}

    def failure(self) -> Failure | None:
        """Walks every thread and value over tables; delivery.fault, which does not, is checked against this
        by tests."""
        if not self._premises_hold():
            return None
        d = self.delivery
        value_in = {slot: v for v, slot in enumerate(values(d.fragment))}
        moved = values(d.view)
        expected = list(zip(*(values(p) for p in d.expected), strict=True))
        delivered = list(zip(*(values(c) for c in d.delivered), strict=True))
        lanes, threads = d.threads.size(), d.delivered[0][0].size()
        wrong = 0
        first: tuple[int, int] | None = None
        order = values(d.threads)
        if order == list(range(threads)):  # whole columns of the tables, while they agree
            held = [value_in.get(slot, -1) * lanes for slot in moved]
            if min(held) >= 0 and all(
                expected[v : v + lanes] == delivered[threads * x : threads * x + threads]
                for x, v in enumerate(held)
            ):
                return None
        for thread, lane in sorted((t, i) for i, t in enumerate(order)):
            for x, slot in enumerate(moved):
                v = value_in.get(slot)
                if (
                    v is None
                    or thread >= threads
                    or expected[lane + lanes * v] != delivered[thread + threads * x]
                ):
                    wrong += 1
                    first = first or (thread, x)
        if first is None:
            return None
        found = self.failure_at({"thread": first[0], "value": first[1]})
        assert found is not None, "tables and evaluation by coordinate agree"
        says = f"{found.says}\n{wrong} of {self.instances()} registers hold a wrong element"
        return replace(found, count=wrong, says=says)

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        d, thread, x = self.delivery, witness["thread"], witness["value"]
        lane = values(d.threads).index(thread)
        slot, slots = d.view(x), values(d.fragment)
        got = tuple(c((thread, x)) for c in d.delivered)
        name = f"{self.operand}{show(got)}"
        verb = f"writes {name} there" if self.side == "D" else f"takes {name} from there"
        shown = f"{show(idx2crd(x, d.view.shape))} of the view     {d.view}"
        where = {"thread": thread, "value": x, "slot": slot}
        if slot not in slots:
            return Failure(
                where, None, got, f"register {slot} is not a register of the fragment; it is\n  {shown}"
            )
        v = slots.index(slot)
        want = tuple(p((lane, v)) for p in d.expected)
        if want == got and thread < d.delivered[0][0].size():
            return None
        at = idx2crd(v, product_each(d.fragment.shape))
        letters = ", ".join(f"{m} {c}" for m, c in zip(MODES[self.operand], at, strict=False))
        held = f"{show(at)} of the fragment {d.fragment}: {letters}"
        width = max(held.index(" of"), shown.index(" of"))
        held, shown = (" " * (width - s.index(" of")) + s for s in (held, shown))
        says = (
            f"register {slot} is\n  {held}\n  {shown}\n"
            f"the mma has {self.operand}{show(want)} there, the copy {verb}"
        )
        return Failure(where, want, got, says)

    def repair(self) -> tuple[str, Claim] | None:
        """The view that is right, if there is one, with the claim that it is."""
        try:
            view = self.delivery.right_view()
        except LayoutError:
            return None
        if view == self.delivery.view:
            return None
        return f"the right view is {view}", retile_claim(self.delivery, self.operand, self.side, view=view)


@states.register
def _(claim: Delivered) -> Statement:
    d = claim.delivery
    maps = {"threads": d.threads, "fragment": d.fragment, "view": d.view}
    sides = {"expected": d.expected, "delivered": d.delivered}
    return {
        "kind": "delivered",
        **{name: the_map(m) for name, m in maps.items()},
        **{name: [the_map(m) for m in side] for name, side in sides.items()},
    }


def _radix(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    radix = common_radix(*shapes)
    if radix is None:
        raise UnsupportedError(f"retile: no digits are common to {' and '.join(map(show, shapes))}")
    return radix


def _at(layout: Layout, radix: tuple[int, ...], found: tuple[Var, ...]) -> Any:
    return at_digits(layout, coordinate_in(flatten_to_tuple(layout.shape), radix, found))


def _index(radix: tuple[int, ...], found: tuple[Var, ...]) -> Int:
    index: Int = 0
    weight = 1
    for r, digit in zip(radix, found, strict=True):
        index = index + digit * weight
        weight *= r
    return index
