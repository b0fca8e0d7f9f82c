"""Where a copy instruction has an element: which lane's register, and which lane addresses its row in memory.

Elements are (row, column) of the memory side:

| instruction | a row |
|---|---|
| ldmatrix, stmatrix | the 16 bytes that one lane addresses, in the order of those lanes |
| tcgen05.ld, .st | a datapath of tensor memory |
| movmatrix | a row of the 8x8 matrix |
| shuffles | the two registers of a lane |
| others | all that a thread moves: one row |
"""

from __future__ import annotations

from ..atoms.atom import CopyAtom
from ..atoms.value_types import value_bits
from ..errors import UnsupportedError
from .fragment import Element, Fragment


def copy_fragment(atom: CopyAtom, operand: str, value_type: str = "") -> Fragment:
    """The fragment of side `S` (source) or `D` (destination) of a copy; see `where.fragment`."""
    side = {"SRC": "S", "DST": "D"}.get(operand.upper(), operand.upper())
    if side not in ("S", "D"):
        raise UnsupportedError(f"{atom}: no side {operand!r}; a copy has S (source) and D (destination)")
    if "UTCCP" in atom.name:
        raise UnsupportedError(f"{atom}: no thread holds it\n  it moves shared memory to tensor memory")
    typed = atom.with_type(value_type or atom.val_type or default_type(atom))
    layout = typed.layout_src if side == "S" else typed.layout_dst
    bits = value_bits(typed.val_type)
    tile, element_of, address_lanes = _rows(typed, bits)
    register, _ = atom.registers_S if side == "S" else atom.registers_D
    in_memory = _in_memory(atom, side)
    lanes: tuple[int | None, ...] = tuple(atom.thr_id(t) for t in range(atom.thr_id.size()))
    if in_memory and address_lanes:  # the lanes beyond give no address: CuTe's stride 0 repeats the others
        lanes = lanes[: len(address_lanes)]
    elif in_memory and len(lanes) == 32:  # tensor memory: one address for the warp
        lanes = (None,)
    return Fragment(
        f"{atom.name} of {typed.val_type}",
        side,
        tile,
        layout,
        lanes,
        bits,
        None if in_memory else value_bits(register),
        element_of=element_of,
        memory=("row", None) if in_memory else None,
        address_lanes=address_lanes,
        note=_note(atom, side, in_memory),
    )


def _note(atom: CopyAtom, side: str, in_memory: bool) -> str:
    if in_memory:
        return f"{side} is in memory: a lane gives its address"
    if "MOVM" in atom.name and side == "D":
        return "CUTLASS declares Src = Dst: D counts rows and columns of the result, which is transposed"
    if atom.name in ("SM100_U8x8_LDSM_T", "SM100_U8x16_LDSM_T") and side == "D":
        return "D is what CUTLASS's copy() leaves: it swaps bytes afterwards (see proofs/atoms_moves.py)"
    return ""


def default_type(atom: CopyAtom) -> str:
    """What the instruction itself calls its elements, `uint16_t` for `.b16`; else its register's type."""
    for ending, name in ((".b16", "uint16_t"), (".b8", "uint8_t"), (".b32", "uint32_t")):
        if atom.ptx.endswith(ending):
            return name
    if "b8x16" in atom.ptx:
        return "uint8_t"
    narrow = min((atom.registers_S, atom.registers_D), key=lambda r: value_bits(r[0]))
    return narrow[0]


def _in_memory(atom: CopyAtom, side: str) -> bool:
    """Whether this side is an address: a row of 16 bytes, a block of tensor memory, a vector."""
    load: dict[str, bool] = {"LDSM": True, "TMEM_LOAD": True, "LOAD_256": True}
    store = {"STSM": True, "TMEM_STORE": True, "STORE_256": True}
    if atom.name.startswith("SM80_CP_ASYNC"):
        return True
    return any(word in atom.name for word in (load if side == "S" else store))


def _rows(atom: CopyAtom, bits: int) -> tuple[Element, tuple[Element, ...] | None, tuple[int, ...]]:
    """The tile, the elements by their number, and the lanes that address the rows."""
    matrices = "LDSM" in atom.name or "STSM" in atom.name
    if matrices:
        memory = atom.layout_src if "LDSM" in atom.name else atom.layout_dst
        lane_of = {memory(lane, 0): lane for lane in reversed(range(32))}
        lanes = tuple(sorted(lane_of.values()))
        columns = memory[1].size()
        numbers = {memory(lane, c): (row, c) for row, lane in enumerate(lanes) for c in range(columns)}
        return (len(lanes), columns), tuple(numbers[n] for n in range(len(numbers))), lanes
    elements = _elements(atom)
    rows = _row_count(atom, elements * bits)
    columns = elements // rows
    return (rows, columns), tuple((n // columns, n % columns) for n in range(elements)), ()


def _elements(atom: CopyAtom) -> int:
    layout = atom.layout_ref
    return int(max(atom.layout_dst.cosize(), atom.layout_src.cosize(), layout.cosize()))


def _row_count(atom: CopyAtom, bits: int) -> int:
    if "TMEM" in atom.name:
        return 16 if "_16dp" in atom.name else 32
    if "MOVM" in atom.name:
        return 8
    return 32 if "Shuffle" in atom.name else 1
