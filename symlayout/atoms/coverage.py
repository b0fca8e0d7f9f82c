"""How a thread-value layout meets its tile: every element once, or every element k times.

    coverage(atoms.SM80_16x8x16_F32F16F16F32_TN.layout_A)   each of 256 elements once
    coverage(atoms.SM75_U32x1_LDSM_N.bits_src)              each of 1024 elements 4 times

The count is read off the strides and promises nothing; `claim` states it, and `prove` decides it for all
lanes and values. A layout that skips elements evenly (`every` of 32: a copy of whole datapaths) is stated as
that multiple of one that skips none.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import NamedTuple

from ..claims import Claim, aligned, all_of, bijective, covers
from ..inttuple import flatten_to_tuple
from ..layout import Layout
from .atom import CopyAtom, MmaAtom


class Coverage(NamedTuple):
    """What the strides say: `elements` different ones, each `times` over, in steps of `every`."""

    elements: int
    times: int
    every: int

    def __str__(self) -> str:
        often = "once" if self.times == 1 else f"{self.times} times"
        steps = "" if self.every == 1 else f", {self.every} apart,"
        return f"each of {self.elements} elements{steps} {often}"


def coverage(layout: Layout) -> Coverage:
    """The count for a layout of integer sizes and strides."""
    modes = list(zip(flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride), strict=True))
    times, step = 1, 0
    for size, stride in modes:
        if stride == 0:
            times *= size
        elif size > 1:
            step = gcd(step, stride)
    return Coverage(layout.size() // times, times, step or 1)


def claim(name: str, layout: Layout, size: int | None) -> Claim:
    """That `layout` hits each element of a tile of `size` equally often; None stands for the layout's own
    count."""
    found = coverage(layout)
    elements = found.elements if size is None else size
    label = f"{name}{': ' if name else ''}{layout} hits {found._replace(elements=elements)}"
    if found.every > 1:
        return all_of(
            aligned(layout, found.every), covers(_divided(layout, found.every), elements, found.times)
        ).named(label)
    if found.times > 1:
        return covers(layout, elements, found.times).named(label)
    return bijective(layout, elements).named(label)


def distinct_claims(atoms: Iterable[MmaAtom | CopyAtom]) -> dict[Claim, list[str]]:
    """The claims of all these atoms, each once, with the operands that it is about: `NAME A`, `NAME Src`.

    Many instructions share a fragment: the 2800 names of the catalogue make some 320 claims.
    """
    found: dict[str, tuple[Claim, list[str]]] = {}
    for atom in atoms:
        for stated in atom.claims():
            who, _, says = stated.label.rpartition(": ")
            found.setdefault(says, (stated.named(says), []))[1].append(who)
    return dict(found.values())


def _divided(layout: Layout, step: int) -> Layout:
    def divide(stride: int | tuple[int, ...]) -> int | tuple[int, ...]:
        return tuple(divide(s) for s in stride) if isinstance(stride, tuple) else stride // step  # type: ignore[misc]

    return Layout(layout.shape, divide(layout.stride))
