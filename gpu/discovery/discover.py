"""The fragment of an instruction, found out from the hardware alone, and held against CuTe and the PTX ISA.

**Moves** (`moves`): every element of shared memory, or of the registers, holds its own name; what comes out
says which lane's row and which column each part of each register is. Nothing is left open.

**Matrix instructions** (`mma_probe`, `fragments`): A holds a single one, B holds a single one. Few pairs give
the fragments under the assumption that they are linear over bits, all pairs confirm them. What an mma cannot
say alone, the names of k, of rows and of columns, is taken from the memory coordinates that ldmatrix brings
to the same lanes and registers; where ldmatrix cannot load the operands (64-bit elements, Volta's quad pairs,
one thread) the names are the manual's, and the row says so.

Every atom of the catalogue that the device can run is compared with what was seen (`census`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from symlayout import LayoutError, atoms, layout_from_table
from symlayout.atoms import sm80
from symlayout.atoms.atom import CopyAtom, MmaAtom

from ..element import Array
from .census import asked, resolve
from .fragments import Fragments
from .machines import Emulated, Machine, Refused, manual_fragments
from .mma_form import Form, read_form
from .mma_probe import cute_fragment, predicted_digest, probe
from .moves import MOVES, ZERO, cute

# Traits that say something else than the instruction does; any other that does is news.
KNOWN_TO_DIFFER = {
    "SM75_U32x1_MOVM_T": "the trait has one layout on both sides, as if it did not transpose",
    **{atom.name: atom.note for atom in sm80.VARIANTS},
}
NO_INSTRUCTION = "dp2a.s32.s32"  # CuTe's SM61_DP2A; PTX has dp2a.lo and dp2a.hi only
# What a row says beside what was seen, all of which follows from it; `refused` apart, it is a device's word.
TOLD = ("instruction", "atom", "asked", "few", "labels", "cute", "manual")
KERNELS = ("moves", "copies", "onehot")


@dataclass(frozen=True)
class Agreement:
    """An instruction: what it was seen to do, and whether CuTe's trait and the manual say the same."""

    instruction: str
    atom: str
    name: str  # what was asked for
    asked: int  # places, or pairs of places
    seen: str  # digest of what was observed
    cute: bool
    manual: bool
    found: str  # the layout of what was seen, where there is one

    @property
    def agree(self) -> bool:
        return self.cute and self.manual


@dataclass(frozen=True)
class Row(Agreement):
    """An instruction with every atom that issues it. `cute` says that none of them differs."""

    atoms: tuple[str, ...]
    few: int = 0  # pairs from which the fragments were guessed; all `asked` confirmed them
    labels: str = ""  # where the names of rows, columns and k come from
    unlike: tuple[str, ...] = ()  # who says something else, and where first
    refused: str = ""  # why the device does not have the instruction

    @property
    def differing(self) -> tuple[str, ...]:
        """The atoms whose trait says something else than was seen."""
        lines = tuple(line.split(": ")[0] for line in self.unlike)
        return self.atoms if self.refused else tuple(atom for atom in self.atoms if atom in lines)

    @property
    def as_expected(self) -> bool:
        """The machine does what the model says: the manual, and CuTe but for what is known to differ."""
        if self.refused:
            return self.name == NO_INSTRUCTION or ".target" in self.refused
        return self.manual and {*self.differing} == {*KNOWN_TO_DIFFER} & {*self.atoms}


def discover(name: str, machine: Machine) -> Row:
    """Ask a machine about `ldmatrix.x4.trans`, `mma.sync.aligned...`, or an atom. Raises UnsupportedError
    with the nearest names for another name."""
    instruction, issued_by = resolve(name)
    return _asked(instruction, issued_by, machine)


def discover_all(machine: Machine) -> Iterator[Row]:
    """Every instruction of `census.asked`, in its order; the kernels are compiled together first."""
    machine.prepare(asked())
    for instruction, issued_by in asked().items():
        yield _asked(instruction, issued_by, machine)


def _asked(instruction: str, issued_by: tuple[str, ...], machine: Machine) -> Row:
    first = issued_by[0] if issued_by else ""
    try:
        if instruction in MOVES:
            return _move(instruction, issued_by, first, machine)
        return _mma(read_form(instruction), issued_by, first, machine)
    except Refused as error:
        return Row(instruction, first, instruction, 0, "", False, False, "", issued_by, refused=str(error))


# ── moves ──────────────────────────────────────────────────────────────────────────────────────────────────


def _move(name: str, issued_by: tuple[str, ...], first: str, machine: Machine) -> Row:
    seen = machine.moved(name)
    says = {"the manual": MOVES[name].manual(), **{atom: _cute(atom) for atom in issued_by}}
    unlike = tuple(_first_move(who, seen, table) for who, table in says.items() if (table != seen).any())
    cute_agrees = all((says[atom] == seen).all() for atom in issued_by)
    manual_agrees = bool((says["the manual"] == seen).all())
    found = move_text(name, seen)
    return Row(
        name,
        first,
        name,
        seen.size,
        digest(seen),
        cute_agrees,
        manual_agrees,
        found,
        issued_by,
        unlike=unlike,
    )


def move_text(name: str, seen: Array) -> str:
    """The layout (lane, part) -> name of what was seen."""
    count = int(MOVES[name].defines.get("BYTES", str(seen.shape[1])))
    left = seen[:, count:]
    zeros = ", and zeros where nothing is read" if left.size and (left == ZERO).all() else ""
    return layout_text(seen[:, :count] if zeros else seen) + zeros


def _cute(name: str) -> Array:
    atom = atoms.get(name)
    assert isinstance(atom, CopyAtom)
    return cute(atom)


def _first_move(who: str, seen: Array, says: Array) -> str:
    lane, part = (int(x) for x in np.argwhere(says != seen)[0])
    count = int((says != seen).sum())
    first = f"first lane {lane}, part {part}: {says[lane, part]}, seen {seen[lane, part]}"
    return f"{who}: {count} of {seen.size}, {first}"


# ── mma ────────────────────────────────────────────────────────────────────────────────────────────────────


def _mma(form: Form, issued_by: tuple[str, ...], first: str, machine: Machine) -> Row:
    saw = probe(form, machine)
    unlike = [f"the silicon: {complaint}" for complaint in saw.complaints]
    says = {"the manual": manual_fragments(form), **{atom: cute_fragments(atom, form) for atom in issued_by}}
    differing = {}
    for who, fragments in says.items():
        differing[who] = saw.fragments is None or fragments is None
        if saw.fragments is not None and fragments is not None:
            lines = _first_mma(form, who, saw.fragments, fragments)
            differing[who] = bool(lines)
            unlike += lines
        elif fragments is None:
            unlike.append(f"{who}: other threads or another number of values than the instruction")
    return Row(
        form.text,
        first,
        form.text,
        saw.asked,
        saw.seen,
        cute=not any(differing[atom] for atom in issued_by),
        manual=not differing["the manual"] and not saw.complaints,
        found="" if saw.fragments is None else fragments_text(form, saw.fragments),
        atoms=issued_by,
        few=saw.few,
        labels=saw.labels,
        unlike=tuple(unlike),
    )


def cute_fragments(name: str, form: Form) -> Fragments | None:
    """An atom's trait as fragments; None where it has other lanes or other numbers of values."""
    atom = atoms.get(name)
    assert isinstance(atom, MmaAtom)
    lanes = tuple(int(atom.thr_id(t)) for t in range(int(atom.thr_id.size())))
    a, b, c = (cute_fragment(atom, operand) for operand in "ABC")
    sizes = tuple(len(x) for x in (a, b, c))
    same = lanes == form.lanes and sizes == tuple(form.places(operand) for operand in "ABC")
    return Fragments(a, b, c) if same else None


def _first_mma(form: Form, who: str, seen: Fragments, says: Fragments) -> list[str]:
    """The first place of each operand at which somebody says something else than was seen."""
    lines = []
    manual = manual_fragments(form)
    for operand, names in (("A", "row, k"), ("B", "column, k"), ("C", "row, column")):
        differ = (seen.of(operand) != says.of(operand)).any(axis=1)
        if not differ.any():
            continue
        place = int(differ.argmax())
        lane, value = divmod(place, form.values(operand))
        here, there, printed = (tuple(map(int, x.of(operand)[place])) for x in (seen, says, manual))
        lines.append(
            f"{who}: {int(differ.sum())} of {len(differ)} places of {operand}, "
            f"first lane {form.lanes[lane]}, value {value}: ({names}) = {there}, seen {here}, "
            f"the manual {printed}"
        )
    return lines


def fragments_text(form: Form, fragments: Fragments) -> str:
    """The layouts (lane, value) -> column-major index in (M,K), (N,K), (M,N)."""
    texts = []
    for operand in "ABC":
        rows, of = form.tile(operand)[0], fragments.of(operand)
        index = (of[:, 0] + rows * of[:, 1]).reshape(len(form.lanes), -1)
        texts.append(f"{operand} {layout_text(index)}")
    return ", ".join(texts)


# ── what is recorded ───────────────────────────────────────────────────────────────────────────────────────


def digest(*tables: Array) -> str:
    """What a table of observations is recorded as."""
    joined = b"".join(np.ascontiguousarray(t).astype("<i8").tobytes() for t in tables)
    return hashlib.sha256(joined).hexdigest()


def layout_text(seen: Array) -> str:
    """The layout (lane, value) -> name of [lane, value]."""
    try:
        return str(layout_from_table([int(x) for x in seen.T.reshape(-1)], seen.shape))
    except LayoutError as error:
        return f"no layout: {str(error).splitlines()[0]}"


def row_of(entry: dict[str, Any]) -> Row:
    """A recorded row. Raises KeyError for one of an older kind."""
    held: dict[str, Any] = {field.name: entry[field.name] for field in fields(Row)}
    return Row(**{**held, "atoms": tuple(held["atoms"]), "unlike": tuple(held["unlike"])})


@cache
def predictions(name: str) -> dict[str, str]:
    """What the manual's formulas say of an instruction: the digest and the layouts that a record would
    have."""
    if name in MOVES:
        says = MOVES[name].manual()
        return {"seen": digest(says), "found": move_text(name, says)}
    form = read_form(name)
    return {"seen": predicted_digest(form), "found": fragments_text(form, manual_fragments(form))}


def differing(content: dict[str, Any]) -> list[str]:
    """What differs between recorded rows and today's predictions of them."""
    try:
        rows = [row_of(entry) for entry in content["fragments"]]
    except KeyError:
        return ["rows of an older kind: run `gpu discover --record` on the device again"]
    refused = [row for row in rows if row.refused and not row.as_expected]
    return [
        *(f"{row.name}: a refusal that was not expected: {row.refused}" for row in refused),
        *(line for row in rows if not row.refused for line in _row_differs(row)),
    ]


def _row_differs(row: Row) -> list[str]:
    says = predictions(row.name)
    lines = []
    if says["seen"] != row.seen:
        lines.append(f"{row.name}: the manual's formula says something else")
    if says["found"] != row.found:
        lines.append(f"{row.name}: the manual has {says['found']}, recorded is {row.found}")
    if not row.manual or row.cute == bool(row.differing):
        lines.append(f"{row.name}: what it says of the manual and of CuTe is not what it shows")
    known = asked().get(row.name, ())
    if row.atoms != known and not (len(row.atoms) == 1 and row.atoms[0] in known):
        return [*lines, f"{row.name}: recorded are the atoms {row.atoms}, and today's are {known}"]
    emulated = _asked(row.name, row.atoms, Emulated())
    lines += [
        f"{row.name}: {key} is {getattr(row, key)!r}, and {getattr(emulated, key)!r} today"
        for key in TOLD
        if getattr(row, key) != getattr(emulated, key)
    ]
    for atom in row.atoms:
        recorded = atom not in row.differing
        if _agrees_with_the_manual(row.name, atom) != recorded:
            lines.append(f"{row.name}: {atom} {'agreed' if recorded else 'differed'}, and today does not")
    return lines


def _agrees_with_the_manual(name: str, atom: str) -> bool:
    """Whether an atom's trait says what the manual says, and, where that was seen, the silicon."""
    if name in MOVES:
        return bool((_cute(atom) == MOVES[name].manual()).all())
    form = read_form(name)
    cute, manual = cute_fragments(atom, form), manual_fragments(form)
    return cute is not None and not _first_mma(form, atom, manual, cute)
