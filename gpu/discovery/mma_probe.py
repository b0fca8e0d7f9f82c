"""One matrix instruction, asked: few pairs, all pairs, the names that ldmatrix brings. See `fragments`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from symlayout.atoms.atom import MmaAtom

from ..element import Array
from ..maps import table
from .fragments import (
    NOWHERE,
    Fragments,
    Pairs,
    Unclear,
    anchor,
    differing_pairs,
    from_all,
    from_few,
    probed,
)
from .machines import Emulated, Machine, manual_fragments
from .mma_form import Form

MANUAL = "the manual's order"


@dataclass(frozen=True)
class Discovery:
    """What a machine showed of one instruction."""

    fragments: Fragments | None  # None where no fragments fit
    labels: str  # where the names of rows, columns and k come from
    few: int  # pairs asked for the guess; 0 where it had to be read off all pairs
    asked: int  # pairs asked in all
    seen: str  # digest of all pairs
    complaints: tuple[str, ...]  # what does not fit together


def all_places(form: Form, operand: str) -> Array:
    """Those of a whole warp."""
    return np.arange(32 * form.values(operand))


def places_of(form: Form, operand: str, product: int = 0) -> Array:
    """The places of a warp that are those of one of its products, in the order of the product's own."""
    values = form.values(operand)
    return np.asarray((form.group(product)[:, None] * values + np.arange(values)).reshape(-1))


def digest_of_pairs(seen: Pairs) -> str:
    """Under what the probe of all pairs is recorded."""
    held = seen.met.astype(np.uint8).tobytes(), seen.where.astype("<u2").tobytes()
    return hashlib.sha256(b"".join(held)).hexdigest()


def probe(form: Form, machine: Machine) -> Discovery:
    """Ask a machine about an instruction. Raises Refused where the machine does not have it."""
    few_a, few_b = (places_of(form, x)[probed(form.places(x))] for x in "AB")
    few = _in_product(form, machine.pairs(form, few_a, few_b))
    every = machine.pairs(form, all_places(form, "A"), all_places(form, "B"))
    seen, complaints = one_product(form, every)
    asked, digest = int(few.met.size), digest_of_pairs(every)
    try:
        found, guessed = _fragments(form, few, seen), True
        if found is None:
            found, guessed = from_all(seen, form.places("C")), False
            if wrong := differing_pairs(found, seen):
                complaints.append(f"no fragments show what was seen: {wrong} of {seen.met.size} pairs differ")
        if not guessed:
            complaints.append("not linear over the bits of lane and value")
        named, labels = _named(form, found, machine, complaints)
    except Unclear as error:
        complaints.append(str(error))
        return Discovery(None, "", 0, every.met.size, digest, tuple(complaints))
    return Discovery(named, labels, asked if guessed else 0, every.met.size, digest, tuple(complaints))


def _fragments(form: Form, few: Pairs, seen: Pairs) -> Fragments | None:
    """The linear guess where all pairs confirm it."""
    try:
        guess = from_few(few, form.places("C"))
    except Unclear:
        return None
    return None if differing_pairs(guess, seen) else guess


def one_product(form: Form, every: Pairs) -> tuple[Pairs, list[str]]:
    """The pairs of the first of a warp's products, and what the others do otherwise."""
    complaints = []
    seen = [
        _in_product(form, _chosen(every, places_of(form, "A", g), places_of(form, "B", g)), g)
        for g in range(form.groups)
    ]
    across = int((every.met > 0).sum()) - sum(int((s.met > 0).sum()) for s in seen)
    if across:
        complaints.append(f"{across} pairs meet that belong to different products")
    for g, other in enumerate(seen):
        if (other.met != seen[0].met).any() or (other.where != seen[0].where).any():
            complaints.append(f"product {g} of the warp does otherwise than product 0")
    return seen[0], complaints


def _chosen(every: Pairs, a: Array, b: Array) -> Pairs:
    if len(a) == every.met.shape[0] and len(b) == every.met.shape[1]:
        return every
    return Pairs(every.met[np.ix_(a, b)], every.where[np.ix_(a, b)])


def _in_product(form: Form, seen: Pairs, product: int = 0) -> Pairs:
    """The same with places of C numbered in the product; NOWHERE where another product lights up."""
    if form.groups == 1:
        return seen
    own = np.full(NOWHERE + 1, NOWHERE, dtype=np.uint16)
    own[places_of(form, "C", product)] = np.arange(form.places("C"))
    return Pairs(seen.met, own[seen.where])


# ── names ──────────────────────────────────────────────────────────────────────────────────────────────────


def _named(form: Form, found: Fragments, machine: Machine, complaints: list[str]) -> tuple[Fragments, str]:
    """With the names that ldmatrix brings, where it can load both operands, else with the manual's."""
    manual = manual_fragments(form)
    try:
        a, b = (labels_of_ldmatrix(form, operand, machine) for operand in "AB")
        by_ldmatrix = None if a is None or b is None else anchor(found, a, b)
    except Unclear as error:
        complaints.append(f"the names that ldmatrix brings do not fit: {error}")
        by_ldmatrix = None
    anchored, labels = by_ldmatrix or anchor(found, manual.A, manual.B), MANUAL
    if by_ldmatrix:
        labels = ", ".join(dict.fromkeys(f"ldmatrix.x{form.registers(operand)}" for operand in "AB"))
    if anchored.misfits:
        operand, place = anchored.misfits[0]
        lane, value = divmod(place, form.values(operand))
        complaints.append(
            f"{len(anchored.misfits)} places have another name by {labels} than those which they meet with, "
            f"the first in {operand} at lane {form.lanes[lane]}, value {value}"
        )
    return anchored.fragments, labels


def labels_of_ldmatrix(form: Form, operand: str, machine: Machine) -> Array | None:
    """[place, 2]: row and k of the element that ldmatrix brings to each place of a warp's A or B.

    The tile lies in shared memory with K contiguous, (M,K) or (N,K); lane 8m + r names the 16 bytes of row
    8 * (m % (rows / 8)) + r that begin at byte 16 * (m / (rows / 8)). None where ldmatrix cannot load the
    tile: elements of 64 bits, quad pairs, one thread, or an operand whose other index is contiguous.
    """
    rows, columns = form.tile(operand)
    bits, registers = form.bits(operand), form.registers(operand)
    if (
        form.groups > 1
        or bits > 32
        or ".row.col." not in form.text
        or rows * columns * bits != 1024 * registers
    ):
        return None
    seen = machine.moved(f"ldmatrix.x{registers}").reshape(32, registers, 2)
    if bits == 32:
        name = seen[:, :, :1]
        if (seen[:, :, 1:] != name + 1).any() or (name % 2).any():
            raise Unclear("ldmatrix does not keep the halves of 32-bit elements together")
        column = name % 8 // 2
    else:
        per_half = 16 // bits
        name = np.repeat(seen, per_half, axis=2)
        column = name % 8 * per_half + np.tile(np.arange(per_half), 2)
    matrix, row = name // 64, name // 8 % 8
    blocks = rows // 8
    labels = np.stack([8 * (matrix % blocks) + row, matrix // blocks * (128 // bits) + column], axis=-1)
    return labels.reshape(-1, 2)


# ── who says what ──────────────────────────────────────────────────────────────────────────────────────────


def cute_fragment(atom: MmaAtom, operand: str) -> Array:
    """[place, 2]: (row, column) in the operand's tile by CuTe's trait, (M,K), (N,K) or (M,N)."""
    layout = atom.layout(operand)
    index = table(layout).reshape(int(layout[1].size()), int(layout[0].size())).T.reshape(-1)
    rows = atom.tile(operand)[0]
    return np.stack([index % rows, index // rows], axis=1)


def predicted_digest(form: Form) -> str:
    """The digest that the manual's formulas predict for the probe of all pairs."""
    return digest_of_pairs(Emulated().pairs(form, all_places(form, "A"), all_places(form, "B")))
