"""Where an element is: against the layouts, both ways, for every atom; and by hand from the PTX manual."""

import json
from pathlib import Path

import pytest

from symlayout import LayoutError, SymlayoutError, UnsupportedError, atoms, make_tiled_mma
from symlayout.atoms.atom import CopyAtom, MmaAtom
from symlayout.atoms.value_types import value_bits
from symlayout.layout import Layout
from symlayout.where import Element, Fragment, Place, fragment, tiled_fragment

GOLDEN = Path(__file__).parent / "golden"
MMA = "SM80_16x8x16_F32F16F16F32_TN"


def recorded(kind: str) -> list[str]:
    lines = (GOLDEN / f"atoms_{kind}.jsonl").read_text().splitlines()
    return [json.loads(line)["name"] for line in lines]


def one(f: Fragment, i: int, j: int) -> Place:
    (place,) = f.places(i, j)
    return place


def shape_of(place: Place) -> tuple[int | None, int | None, int | None, int]:
    return (place.lane, place.register, place.part, place.slot)


@pytest.mark.parametrize(
    "name, operand, element, lane, register, part, slot",
    [
        # mma.m16n8k16, f16: groupID = lane / 4, threadID_in_group = lane % 4
        (MMA, "A", (3, 7), 15, 0, 1, 1),
        (MMA, "A", (11, 7), 15, 1, 1, 3),
        (MMA, "A", (3, 15), 15, 2, 1, 5),
        (MMA, "B", (3, 7), 15, 0, 1, 1),
        (MMA, "B", (3, 8), 12, 1, 0, 2),
        (MMA, "C", (3, 7), 15, 1, 0, 1),
        (MMA, "D", (11, 6), 15, 2, 0, 2),
        # f16 accumulators are packed
        ("SM80_16x8x16_F16F16F16F16_TN", "C", (11, 7), 15, 1, 1, 3),
        # m16n8k8 tf32: a1 is row + 8, a2 is column + 4
        ("SM80_16x8x8_F32TF32TF32F32_TN", "A", (11, 2), 14, 1, 0, 1),
        ("SM80_16x8x8_F32TF32TF32F32_TN", "A", (3, 6), 14, 2, 0, 2),
        # m8n8k4 f64: one 64-bit register
        ("SM80_8x8x4_F64F64F64F64_TN", "A", (3, 2), 14, 0, 0, 0),
        ("SM80_8x8x4_F64F64F64F64_TN", "C", (3, 5), 14, 1, 0, 1),
        # m16n8k32 s8: four bytes a register
        ("SM80_16x8x32_S32S8S8S32_TN", "A", (3, 6), 13, 0, 2, 2),
        ("SM80_16x8x32_S32S8S8S32_TN", "A", (11, 22), 13, 3, 2, 14),
        ("SM80_16x8x32_S32S8S8S32_TN", "B", (3, 22), 13, 1, 2, 6),
        # m16n8k64 s4: eight nibbles; m16n8k32 s4 where CUTLASS 4.2 is wrong
        ("SM80_16x8x64_S32S4S4S32_TN", "A", (3, 13), 13, 0, 5, 5),
        ("SM80_16x8x32_S32S4S4S32_TN", "B", (3, 13), 13, 0, 5, 5),
        # m8n8k128 b1
        ("SM80_8x8x128_S32U1U1S32_TN_XORPOPC", "A", (3, 100), 15, 0, 4, 4),
        # m8n8k4 on a quad pair: rows 4 to 7 are lanes 16 to 19
        ("SM70_8x8x4_F32F16F16F32_TN", "A", (6, 3), 18, 1, 1, 3),
        # 4-bit floats lie in a byte each
        ("SM120_16x8x32_TN<float_e2m1_t,float_e2m1_t,float>", "A", (3, 6), 13, 0, 2, 2),
        ("SM61_DP4A", "B", (0, 2), 0, 0, 2, 2),
    ],
)
def test_by_hand(
    name: str, operand: str, element: Element, lane: int, register: int, part: int, slot: int
) -> None:
    assert shape_of(one(fragment(name, operand), *element)) == (lane, register, part, slot)


def test_what_a_part_is() -> None:
    names = {
        "whole": (MMA, "C"),
        "half": (MMA, "A"),
        "byte": ("SM80_16x8x32_S32S8S8S32_TN", "A"),
        "nibble": ("SM80_16x8x64_S32S4S4S32_TN", "A"),
        "bit": ("SM80_8x8x128_S32U1U1S32_TN_XORPOPC", "A"),
    }
    assert {fragment(*asked).part_name for asked in names.values()} == set(names)
    for part_name, asked in names.items():
        assert fragment(*asked).part_name == part_name


def distinct() -> dict[str, tuple[str, str]]:
    """One atom and operand for each way in which a thread of some recorded atom holds a tile."""
    found = {}
    for name in recorded("mma"):
        atom = atoms.mma(name)
        for operand in "ABC":
            width = value_bits(atom.registers(operand)[0])
            held = (atom.storage(operand), width, atom.slot_bits(operand), atom.type(operand)[:6] == "sparse")
            key = (atom.thr_id, atom.layout(operand), atom.tile(operand), *held)
            found[key] = (name, operand)
    return {f"{operand} of {name}": (name, operand) for name, operand in found.values()}


@pytest.mark.parametrize("name, operand", distinct().values(), ids=distinct().keys())
def test_mma_both_ways(name: str, operand: str) -> None:
    atom = atoms.mma(name)
    f, layout, rows = fragment(atom, operand), atom.layout(operand), atom.tile(operand)[0]
    step = 1
    if atom.storage(operand) != "registers":  # a block of memory: a sample will do
        step = layout[1].size() // 61
    table = set(f.table()) if step <= 67 else set()
    for t in range(len(f.threads)):  # forth: what thread t has as value v is there, according to the layout
        thread = atom.thr_id(t) if atom.storage(operand) == "registers" else None
        for v in range(0, layout[1].size(), step):
            number = layout(t, v)
            element = (number % rows, number // rows)
            if (t + v // step) % 17 == 0:
                places = f.places(*element)
                assert (thread, v) in [(p.thread, p.slot) for p in places]
                assert not table or {(element, p) for p in places} <= table
    assert not table or len(table) == len(f.threads) * layout[1].size()
    if atom.storage(operand) != "registers":
        return
    bits, register_bits = atom.slot_bits(operand), value_bits(atom.registers(operand)[0])
    logical = {thread: t for t, thread in enumerate(f.threads)}
    for (i, j), place in table:  # back: the place leads to the element
        assert place.register is not None
        assert place.part is not None
        assert layout(logical[place.thread], place.slot) == i + rows * j
        assert place.register == place.slot * bits // register_bits
        if f.group_bits is None and bits < register_bits:
            assert place.slot == place.register * (register_bits // bits) + place.part
        assert 0 <= place.register < atom.registers(operand)[1]
    for thread in f.threads[::21]:
        listed = f.elements(thread=thread)
        assert [p.slot for _, p in listed] == list(range(layout[1].size()))
        for register in range(f.registers):
            part = f.elements(thread=thread, register=register)
            assert part == tuple(entry for entry in listed if entry[1].register == register)
            assert len(part) == len(listed) // f.registers


def distinct_copies() -> list[str]:
    found = {}
    for name in recorded("copy"):
        atom = atoms.copy(name)
        found[atom.bits_src, atom.bits_dst, atom.registers_S, atom.registers_D, atom.ptx[-4:]] = name
    return list(found.values())


@pytest.mark.parametrize("name", distinct_copies())
def test_copy_both_ways(name: str) -> None:
    atom = atoms.copy(name)
    if "UTCCP" in name:
        with pytest.raises(UnsupportedError, match="no thread"):
            fragment(atom, "S")
        return
    source, destination = fragment(atom, "S"), fragment(atom, "D")
    assert source.tile == destination.tile
    typed = atom.with_type(source.name.rpartition(" of ")[2])
    elements: dict[Element, set[int]] = {}  # element -> its number, by either side's layout
    for f, layout in ((source, typed.layout_src), (destination, typed.layout_dst)):
        for element, place in f.table():
            logical = 0 if place.thread is None else f.threads.index(place.thread)
            elements.setdefault(element, set()).add(layout(logical, place.slot))
        rows, columns = f.tile
        assert {element for element, _ in f.table()} == {(i, j) for i in range(rows) for j in range(columns)}
        if f.register_bits is not None:
            for thread in (f.threads[0], f.threads[-1]):
                listed = f.elements(thread=thread)
                assert [p.slot for _, p in listed] == list(range(layout[1].size()))
    assert all(len(numbers) == 1 for numbers in elements.values()), "both sides move the same bits"


def test_ldmatrix_by_hand() -> None:
    x4 = fragment("SM75_U32x4_LDSM_N", "D")
    assert x4.tile == (32, 8)
    place = one(x4, 9, 3)  # row 1 of matrix 1: lane 4*1 + 3/2, register 1
    assert (*shape_of(place), place.row_address_lane) == (5, 1, 1, 3, 9)
    trans = one(fragment("SM75_U16x8_LDSM_T", "D"), 9, 3)  # transposed: lane 4*3 + 1/2
    assert (*shape_of(trans), trans.row_address_lane) == (12, 1, 1, 3, 9)
    x1 = fragment("SM75_U32x1_LDSM_N", "S")
    address = one(x1, 5, 3)  # the lanes beyond 7 give no address
    assert (address.lane, address.register, dict(address.memory)) == (5, None, {"byte": 6})
    stored = one(fragment("SM90_U32x2_STSM_N", "S"), 12, 7)
    assert (*shape_of(stored), stored.row_address_lane) == (19, 1, 1, 3, 12)


def test_copies_of_other_types_and_memories() -> None:
    words = fragment("SM75_U32x4_LDSM_N", "D", "float")
    assert (words.tile, words.part_name) == ((32, 4), "whole")
    assert shape_of(one(words, 9, 3)) == (7, 1, 0, 1)
    with pytest.raises(LayoutError, match="not valid for"):
        fragment("SM75_U32x4_LDSM_N", "D", "double")
    tensor = fragment("SM100_TMEM_LOAD_16dp256b1x", "D")
    assert tensor.tile == (16, 8)  # datapaths, 32-bit columns
    assert shape_of(one(tensor, 9, 3)) == (5, 3, 0, 3)
    result = fragment("SM75_U32x1_MOVM_T", "D")
    assert "transposed" in result.note


def test_operands_that_no_thread_holds() -> None:
    shared = fragment("SM90_64x16x16_F32F16F16_SS", "A")
    assert one(shared, 3, 2) == Place(None, None, None, 3 + 64 * 2)
    assert "descriptor" in shared.note
    with pytest.raises(UnsupportedError, match="no thread holds it"):
        shared.elements(lane=0)
    pair = fragment("SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,128,64>", "C")
    assert dict(one(pair, 70, 40).memory) == {"cta": 1, "datapath": 6 + 64, "column": 8}
    half = fragment("SM100_MMA_F16BF16_SS<half_t,half_t,float,64,64>", "C")
    assert dict(one(half, 20, 3).memory) == {"datapath": 36, "column": 3}
    packed = fragment("SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64>", "A")
    assert dict(one(packed, 20, 3).memory) == {"datapath": 20, "column": 1, "part": 1}


def test_sparse_values_share_their_part() -> None:
    f = fragment("SM90::GMMA::SPARSE::GMMA_64x8x64_S32S8S8_RS_TN", "A")
    group = [one(f, 0, k) for k in range(4)]  # two of these four bytes are stored, in one half
    assert {(p.lane, p.register, p.part) for p in group} == {(0, 0, 0)}
    assert (one(f, 0, 4).part, f.part_name) == (1, "half")
    assert "metadata" in f.note


@pytest.mark.parametrize(
    "name, atom_layout, permutation",
    [
        (MMA, (2, 2, 1), (32, 32, 16)),
        (MMA, (1, 1, 1), (16, Layout((8, 2, 2), (1, 16, 8)), 16)),
        (MMA, (2, 1, 2), None),
        ("SM70_8x8x4_F32F16F16F32_NT", (2, 2, 1), None),
        ("SM80_16x8x32_S32S8S8S32_TN", (4, 1, 1), (64, 16, 32)),
        ("SM90_64x16x16_F32F16F16_RS", (2, 1, 1), None),
    ],
)
def test_tiled_both_ways(name: str, atom_layout: tuple[int, int, int], permutation: object) -> None:
    mma = make_tiled_mma(name, atom_layout, permutation)
    for operand in "AC" if "SM90" in name else "ABC":
        f = tiled_fragment(mma, operand)
        tile = Layout(f.tile)
        registers = mma.fragment(operand, f.tile)
        for thread in mma.thread_ids():  # forth: CuTe's partition of the tile, value by value
            part = mma.get_slice(thread).partition(operand, tile)
            for v in range(part.size()):
                number = part(v)
                element = (number % f.tile[0], number // f.tile[0])
                assert (thread, registers(v)) in [(p.thread, p.slot) for p in f.places(*element)]
        holders = [(p.thread, p.slot) for _, p in f.table()]  # back: nobody else, and nothing twice
        assert len(holders) == len(set(holders)) == len(mma.thread_ids()) * registers.size()


def test_tiled_by_hand() -> None:
    mma = make_tiled_mma(MMA, (2, 2, 1), (32, 32, 16))
    places = tiled_fragment(mma, "A").places(19, 7)  # rows 16 to 31: the second warp in M, and its twin in N
    assert [(p.thread, p.warp, *shape_of(p)) for p in places] == [
        (47, 1, 15, 0, 1, 1),
        (111, 3, 15, 0, 1, 1),
    ]
    b = tiled_fragment(mma, "B").places(19, 8)  # the second step in N: registers 2, 3 hold it
    assert [(p.thread, p.register) for p in b] == [(12, 3), (44, 3)]


@pytest.mark.parametrize(
    "ask, why",
    [
        (lambda: fragment(MMA, "A").places(16, 0), r"A\(16,0\) is outside of the tile"),
        (lambda: fragment(MMA, "A").places(0, -1), "outside of the tile"),
        (lambda: fragment(MMA, "A").elements(lane=40), "no lane 40"),
        (lambda: fragment(MMA, "A").elements(lane=-1), "no lane -1"),
        (lambda: fragment(MMA, "A").elements(lane=3, warp=1), "thread 35 takes no part; those are 0-31"),
        (lambda: fragment(MMA, "A").elements(thread=40), "thread 40 takes no part"),
        (lambda: fragment("SM70_8x8x4_F32F16F16F32_TN", "A").elements(lane=5), "those are 0-3, 16-19"),
        (lambda: fragment(MMA, "A").elements(lane=3, register=4), "no register 4; there are 0 .. 3"),
        (lambda: fragment(MMA, "A").elements(register=1), "which lane"),
        (lambda: fragment(MMA, "X"), "no operand 'X'"),
        (lambda: fragment(MMA, "A", "half_t"), "types are its own"),
        (lambda: fragment("SM75_U32x1_LDSM_N", "A"), "no side 'A'"),
        (lambda: fragment("SM80_16x8x16", "A"), "did you mean"),
        (lambda: tiled_fragment(make_tiled_mma("SM90_64x16x16_F32F16F16_SS"), "A"), "no thread holds it"),
    ],
)
def test_bad_questions(ask: object, why: str) -> None:
    assert callable(ask)
    with pytest.raises(SymlayoutError, match=why):
        ask()


def test_whatever_is_listed_can_be_asked() -> None:
    for name in atoms.names()[::211]:
        atom = atoms.get(name)
        if "UTCCP" in name:
            continue
        for operand in "ABC" if isinstance(atom, MmaAtom) else "SD":
            assert fragment(atom, operand).places(0, 0)
        assert isinstance(atom, (MmaAtom, CopyAtom))
