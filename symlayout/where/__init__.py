"""Where is A(3,7)? Which lane and register hold an element of an instruction's operand, and the reverse.

    f = fragment("SM80_16x8x16_F32F16F16F32_TN", "A")
    f.places(3, 7)                  lane 15, register 0, part 1 (a half), slot 1
    f.elements(lane=5, register=1)  A(9,2), A(9,3)
    f.table()                       all of it

What the numbers count:

| | |
|---|---|
| `thread` | hardware thread: of the warp, the warpgroup, or all threads of a tiled MMA |
| `lane`, `warp` | thread % 32 and thread / 32 |
| `register` | the operand register of the instruction, as PTX numbers them |
| `part` | which half, byte, nibble or bit of the register, from the low end; 0 if it holds one value |
| `slot` | the value's index in the thread: mode 1 of the thread-value layout, column-major |

A register has 32 bits, and holds one float or several packed values; 64 where PTX has a `.f64` operand; and
what CuTe passes as one value (complex<double>, uint128_t) counts as one register.

Elements are (m,k) of A, (n,k) of B, (m,n) of C; of a copy (row, column) of the memory side, whose rows are
what one lane addresses (ldmatrix, stmatrix), a datapath of tensor memory, or all that the instruction moves.
Sparse A counts K before compression: of a group of neighbours half are stored, in the part that is named, and
the metadata says which. An operand in shared memory has no lane and no register, only a slot; one in tensor
memory has a datapath and a column.

Answers are read off the layouts of the catalogue, and nothing else. The questions are those of AMD's matrix
instruction calculator: get-register, matrix-entry, register-layout, matrix-layout.
"""

from __future__ import annotations

from .. import atoms
from ..atoms.atom import CopyAtom, MmaAtom
from ..atoms.value_types import sparse, value_bits
from ..errors import UnsupportedError
from ..layout import Layout
from ..tiled_mma import TiledMMA
from .copies import copy_fragment
from .fragment import Element, Fragment, Place

__all__ = ["Element", "Fragment", "Place", "fragment", "tiled_fragment"]


def fragment(atom: str | MmaAtom | CopyAtom, operand: str, value_type: str = "") -> Fragment:
    """The fragment of an MMA's operand `A`, `B`, `C` (`D` is C), or of a copy's side `S` or `D`.

    `value_type` is what a copy moves; the default is the instruction's own, `.b16` for ldmatrix. Raises
    UnsupportedError for an unknown atom or operand, LayoutError for a type that the copy cannot move.
    """
    found = atoms.get(atom) if isinstance(atom, str) else atom
    if isinstance(found, CopyAtom):
        return copy_fragment(found, operand, value_type)
    if value_type:
        raise UnsupportedError(f"{found}: an MMA's types are its own; only a copy is asked with one")
    name = _operand(found, operand)
    held, (register, _) = found.storage(name), found.registers(name)
    layout, thr_id = found.layout(name), found.thr_id
    lanes: tuple[int | None, ...] = tuple(thr_id(t) for t in range(thr_id.size()))
    if held != "registers":  # a descriptor or an address, the same for all threads of a CTA
        lanes = (None,) * (len(lanes) if len(lanes) <= 2 else 1)
    return Fragment(
        found.name,
        name,
        found.tile(name),
        layout,
        lanes,
        found.slot_bits(name),
        value_bits(register) if held == "registers" else None,
        group_bits=_group(found, name),
        memory=None if held == "registers" else (held, found),
        note=_note(found, name, held),
    )


def tiled_fragment(mma: TiledMMA, operand: str) -> Fragment:
    """The fragment of a tiled MMA's operand over one tile, with the threads of all atoms.

    The slots are the registers of `mma.fragment(operand, tile)`, K contiguous.

    Raises UnsupportedError for an operand that no thread holds.
    """
    atom = mma.atom
    one = fragment(atom, operand)
    if one.register_bits is None:
        raise UnsupportedError(f"{one}: no thread holds it\n  {one.note}")
    tile = mma.tile_shape(one.operand)
    layout = mma.by_logical_thread(one.operand, Layout(tile))
    vmnk = mma.thr_layout_vmnk
    registers = mma.fragment(one.operand, tile)
    return Fragment(
        str(mma),
        one.operand,
        tile,
        layout,
        tuple(vmnk(t) for t in range(vmnk.size())),
        one.slot_bits,
        one.register_bits,
        slots=tuple(registers(v) for v in range(registers.size())),
        group_bits=one.group_bits,
        note=one.note,
    )


def _operand(atom: MmaAtom, operand: str) -> str:
    name = {"D": "C"}.get(operand.upper(), operand.upper())
    if name not in ("A", "B", "C"):
        raise UnsupportedError(
            f"{atom}: no operand {operand!r}; an MMA has A (M,K), B (N,K) and C or D (M,N)"
        )
    return name


def _group(atom: MmaAtom, operand: str) -> int | None:
    """The bits that a group of sparse values shares: two of four halves fill a word, of four bytes a half."""
    parts = sparse(atom.type(operand))
    if parts is None or atom.storage(operand) != "registers":
        return None
    return 32 if value_bits(parts[1]) >= 16 else 16


def _note(atom: MmaAtom, operand: str, held: str) -> str:
    if held == "shared memory":
        return f"{atom.elsewhere(operand)}; the slot counts its tile column-major"
    if held == "tensor memory":
        return f"{atom.elsewhere(operand)}; SM100_TMEM_LOAD_* brings it to registers"
    if sparse(atom.type(operand)) is not None:
        return (
            f"{operand} is sparse: half of each group of neighbours in K is stored, the metadata says which"
        )
    return atom.note
