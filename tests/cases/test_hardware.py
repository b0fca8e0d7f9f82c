"""Public reports about atoms, partitions, permutations and copies: what the reporter would ask, in one or two
calls, and the right answer. hardware.jsonl has the reports; each has the test of its name."""

import json
from pathlib import Path
from typing import Any

import pytest

from symlayout import (
    Layout,
    LayoutError,
    Proved,
    Refuted,
    Swizzle,
    aligned,
    all_of,
    atoms,
    bijective,
    composition,
    equal,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_mma,
    prove,
    tile_to_shape,
    within,
)
from symlayout.atoms.atom import MmaAtom
from symlayout.memory_claim import addresses_aligned, contiguous, memory_correct, whole_instructions
from symlayout.ownership import contiguous_permutation, owned
from symlayout.ptx import mma as ptx_mma
from symlayout.verdict import Verdict

SM80 = "SM80_16x8x16_F32F16F16F32_TN"
FOUR_WARPS = make_tiled_mma(SM80, (4, 1, 1), (64, 16, 16))


def refuted(verdict: Verdict) -> Refuted:
    assert isinstance(verdict, Refuted), str(verdict)
    return verdict


def test_every_report_has_its_test() -> None:
    with Path(__file__).with_name("hardware.jsonl").open(encoding="utf-8") as lines:
        reports = [json.loads(line)["id"] for line in lines]
    tests = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert tests - {"every_report_has_its_test"} == {r.replace("-", "_") for r in reports}


def test_legacy_vallayout() -> None:
    """The third argument was a repeat of values once; now it is a permutation, and the tile has two rows."""
    atom, repeat = "SM80_16x8x16_F16F16F16F16_TN", Layout((1, 2, 1))
    message = r"permutation M = 2 is smaller than 2 warps x 16\n.*\n.* the tile holds 32 or a multiple of it"
    with pytest.raises(LayoutError, match=message):
        make_tiled_mma(atom, (2, 2, 1), repeat)

    mma = make_tiled_mma(atom, (2, 2, 1), repeat, unchecked=True)
    assert mma.tile_size_mnk == (2, 16, 16)
    said = refuted(prove(make_tiled_copy_A("SM75_U32x4_LDSM_N", mma).retile_correct(mma, "A", (128, 32))))
    assert "partition has 1024 values, view has 64; by mode (8,64,2) and (8,4,2)" in said.explanation
    with pytest.raises(LayoutError, match="TiledCopy uses too few vals"):
        make_tiled_copy_B("SM75_U32x4_LDSM_N", mma)
    assert prove(make_tiled_copy_B("SM75_U32x2_LDSM_N", mma).retile_correct(mma, "B", (128, 32)))


def test_opaque_copy_assert() -> None:
    """CuTe's only word is "static assertion failed" in copy(); the tile is too small for two warps."""
    with pytest.raises(LayoutError, match="permutation M = 16 is smaller than 2 warps x 16"):
        make_tiled_mma(SM80, (2, 2, 1), (16, 32, 16))
    mma = make_tiled_mma(SM80, (2, 2, 1), (16, 32, 16), unchecked=True)
    said = refuted(prove(make_tiled_copy_A("SM75_U32x4_LDSM_N", mma).retile_correct(mma, "A", (128, 32))))
    assert "by mode (8,8,2) and (8,4,2)" in said.explanation  # the copy has 8 steps in M
    assert "view has 64" in said.explanation  # the fragment has 4


def test_ldsm_x4_criteria() -> None:
    """ldmatrix.x4 is legal here; but a loop over the fragment's K blocks runs past the copy's view."""
    mma = make_tiled_mma(SM80, (8, 1, 1), (128, Layout((2, 8), (1, 2)), Layout((2, 16), (1, 2))))
    copy = make_tiled_copy_A("SM75_U32x4_LDSM_N", mma)
    assert prove(copy.retile_correct(mma, "A", (128, 64)))
    fragment = mma.fragment_A((128, 64))
    said = refuted(prove(equal(copy.retile_D(fragment)[2].size(), fragment[2].size())))
    assert (said.left, said.right) == (2, 4)
    # what the report prints, and the usual tile, with which both count four
    source = copy.get_slice(0).partition_S(Layout((128, 64), (64, 1))).layout
    assert str(source) == "((8,2),1,2):((1,16),0,32)"
    usual = make_tiled_mma(SM80, (8, 1, 1), (128, 16, 16))
    assert make_tiled_copy_A("SM75_U32x4_LDSM_N", usual).retile_D(usual.fragment_A((128, 64)))[2].size() == 4


@pytest.mark.parametrize(
    "atom, name, tensor, fragment, view",
    [
        # V transposed of head dimension 96 and 32 (32 columns a swizzle atom), and K on Turing
        (
            SM80,
            "SM75_U16x8_LDSM_T",
            Layout(((8, 2, 2, 3), (16, 4)), ((16, 1536, 6144, 512), (1, 128))),
            "((2,2),(2,2,3),4):((1,2),(48,96,16),4)",
            "(((4,2),1),(2,3),4):(((1,48),0),(96,16),4)",
        ),
        (
            SM80,
            "SM75_U16x8_LDSM_T",
            Layout(((8, 2, 2), (16, 8)), ((16, 1024, 4096), (1, 128))),
            "((2,2),(2,2),8):((1,2),(32,64),4)",
            "(((4,2),1),2,8):(((1,32),0),64,4)",
        ),
        (
            "SM75_16x8x8_F32F16F16F32_TN",
            "SM75_U32x4_LDSM_N",
            Layout((128, (8, 8)), (8, (1, 1024))),
            "(2,16,8):(1,2,32)",
            "(((4,2),1),8,4):(((1,32),0),4,64)",
        ),
    ],
    ids=["hd96", "hd32", "turing"],
)
def test_retile_nontrivial(atom: str, name: str, tensor: Layout, fragment: str, view: str) -> None:
    """Views of real kernels that are not a divide, all correct; no copy fills 8 registers in a row."""
    mma = make_tiled_mma(atom, (4, 1, 1), (64, 16, 16))
    copy = make_tiled_copy_B(name, mma)
    assert str(mma.fragment_B(tensor)) == fragment
    found = copy.retile_D(mma.fragment_B(tensor))
    assert str(found) == view
    assert prove(copy.retile_correct(mma, "B", tensor))
    said = refuted(prove(lambda a: equal(found(a, 0, 0), a), a=8))
    assert said.witness == {"a": 4}
    assert said.left == (48 if "48" in view else 32)


def test_ldsm_n_on_transposed() -> None:
    """ldmatrix without .trans where N is contiguous: CuTe accepts it, and 7 of 8 values are wrong."""
    n_major = composition(Swizzle(3, 3, 3), Layout((64, 64), (1, 64)))
    copy = make_tiled_copy_B("SM75_U32x4_LDSM_N", FOUR_WARPS)
    said = refuted(prove(contiguous(copy, n_major)))
    assert (said.failures, said.instances) == (14336, 16384)
    assert said.witness == {"thread": 0, "step": 0, "value": 1}
    assert "value 1 wants (0,1) and gets (1,0)" in said.explanation
    assert "lane 0 has it as value 1" in said.explanation
    assert "SM75_U16x8_LDSM_T is the instruction for it (proved)" in said.explanation
    assert refuted(prove(addresses_aligned(copy, n_major))).failures == 1792
    # the mirror mistake: .trans where K is contiguous
    k_major = composition(Swizzle(3, 3, 3), Layout((64, 64), (64, 1)))
    said = refuted(prove(contiguous(make_tiled_copy_B("SM75_U16x8_LDSM_T", FOUR_WARPS), k_major)))
    assert said.failures == 14336
    assert "value 1 wants (1,0) and gets (0,1)" in said.explanation
    assert "lane 4 has it as value 0" in said.explanation
    assert "SM75_U32x4_LDSM_N is the instruction for it (proved)" in said.explanation


def test_padding_misaligns() -> None:
    """A row stride of 68 halves: every second row address is 8 bytes off."""
    copy = make_tiled_copy_A("SM75_U32x4_LDSM_N", FOUR_WARPS)
    said = refuted(prove(memory_correct(copy, Layout((128, 64), (68, 1)))))
    assert said.failures == 512
    assert said.witness == {"thread": 1, "step": 0}
    assert "element (1,0), byte 136: 136 % 16 = 8" in said.explanation
    assert "padded to (128,64):(72,1) it is right (proved)" in said.explanation
    for stride in (72, 64):
        assert prove(memory_correct(copy, Layout((128, 64), (stride, 1))))


def test_assumed_alignment() -> None:
    """Columns of floats, 129 apart: column 1 begins 4 bytes off. A multiple of four is legal for every ld."""
    said = refuted(prove(lambda column: aligned(4 * 129 * column, 16), column=4))
    assert said.witness == {"column": 1}
    assert said.left == 516
    legal = prove(lambda quarter, column: aligned(4 * (4 * quarter) * column, 16), quarter=1024, column=1024)
    assert isinstance(legal, Proved)


def test_too_few_vals() -> None:
    """sgemm's copy layout with half: four values are half of what a 16-byte instruction moves."""
    atom = atoms.copy("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>").with_type("half_t")
    message = r"too few vals.*: 4 % 8 = 4\n.* has 8 vals of half_t; .* has 4\n"
    with pytest.raises(LayoutError, match=message + r".*values \(8,1\) with threads \(16,8\)"):
        make_tiled_copy(atom, (32, 8), (4, 1))
    assert make_tiled_copy(atom, (16, 8), (8, 1)).num_val == 8


def test_copy_dst_too_small() -> None:
    """A 16-byte instruction into a slice of two floats writes over the next column."""
    atom = atoms.copy("UniversalCopy<uint128_t>").with_type("float")
    assert prove(whole_instructions(atom, (4, 3)))
    said = refuted(prove(whole_instructions(atom, (2, 3))))
    assert (said.left, said.right) == (8, 16)
    assert "the first element that it overwrites is (0,1)" in said.explanation


def test_tile_copy_rank() -> None:
    """A 128x32 tile and 256 threads: where are the two copies? The tiler is 128x16, in 1x2 steps."""
    copy = make_tiled_copy(atoms.copy("UniversalCopy<half_t>"), (16, 16), (8, 1))
    assert copy.tiler_mn == (128, 16)
    assert str(copy.get_slice(0).partition_S(Layout((128, 32))).layout) == "((1,8),1,2):((0,1),0,2048)"
    assert prove(bijective(copy.layout_tv))
    wide = make_tiled_copy(atoms.copy("UniversalCopy<uint128_t>").with_type("half_t"), (16, 16), (8, 1))
    for side in ("S", "D"):
        assert prove(memory_correct(wide, Layout((128, 32)), side=side))


def test_sm70_perm() -> None:
    """Which permutation of M gives thread 0 the rows 0 to 7?"""

    def tiled(permutation: Any) -> Any:
        atom = "SM70_8x8x4_F32F16F16F32_NT"
        return make_tiled_mma(atom, Layout((2, 2), (2, 1)), (permutation, 32, 4))

    assert str(contiguous_permutation(tiled(32), "A", "M")) == "(4,4,2):(1,8,4)"
    assert owned(tiled(32), "A", 0, "M") == (0, 1, 2, 3, 16, 17, 18, 19)
    assert owned(tiled(Layout((4, 4, 2), (1, 8, 4))), "A", 0, "M") == tuple(range(8))
    assert owned(tiled(Layout((4, 2, 4), (1, 16, 4))), "A", 0, "M") == (0, 1, 2, 3, 8, 9, 10, 11)


def test_wgmma_n8_rank() -> None:
    """Two layouts of C for m64n8k16: equal as functions, of different profile."""
    two = Layout(((4, 8, 4), (2, 2)), ((128, 1, 16), (64, 8)))
    three = atoms.mma("SM90_64x8x16_F32F16F16_SS").layout_C
    assert str(three) == "((4,8,4),(2,2,1)):((128,1,16),(64,8,512))"
    assert prove(all_of(equal(two, three), bijective(three, 512)))
    assert two != three
    assert (two[1].rank(), three[1].rank()) == (2, 3)


def test_custom_atom_k_order() -> None:
    """A copy of 64 lanes whose K order is not the MMA's: lane 16 gets 4, 5, 6, 7 and wants 2, 3, 10, 11."""
    a, c = Layout(((16, 4), 2), ((1, 32), 16)), Layout(((16, 4), 4), ((1, 64), 16))
    registers = (("float", 4), ("float", 2), ("float", 2), ("float", 4))
    atom = MmaAtom("custom", (16, 16, 8), Layout(64), a, a, c, *("float",) * 4, *registers, "none")
    copied = Layout(((16, 4), (2, 2)), ((1, 64), (16, 32)))
    mma = make_tiled_mma(atom, permutation=(None, None, 16))
    said = refuted(prove(lambda v, lane: equal(copied(lane, v), mma.layout_A_TV(lane, v)), v=4, lane=64))
    assert said.witness == {"v": 0, "lane": 16}
    assert (said.left // 16, said.right // 16) == (4, 2)
    assert owned(mma, "A", 16, "K") == (2, 3, 10, 11)
    permutation = contiguous_permutation(mma, "A", "K")
    assert str(permutation) == "(2,4,2):(1,4,2)"
    repaired = make_tiled_mma(atom, permutation=(None, None, permutation))
    assert prove(all_of(equal(repaired.layout_A_TV, copied), equal(repaired.layout_B_TV, copied)))


def test_qk_pv_register_order() -> None:
    """S as the A operand of the second product: slot v of A is slot v % 4 of the C tile v / 4."""
    instruction = ptx_mma("m16n8k16", "f16")

    def accumulated(lane: Any, v: Any) -> Any:
        row, column = instruction.C(lane, v % 4)
        return row, column + 8 * (v // 4)

    assert prove(lambda lane, v: equal(instruction.A(lane, v), accumulated(lane, v)), lane=32, v=8)
    swapped = Layout((2, 2, 2), (1, 4, 2))  # 0 1 4 5 2 3 6 7
    said = refuted(
        prove(lambda lane, v: equal(instruction.A(lane, v), accumulated(lane, swapped(v))), lane=32, v=8)
    )
    assert said.witness == {"lane": 0, "v": 2}
    assert (said.left, said.right) == ((8, 0), (0, 8))
    assert (said.failures, said.instances) == (128, 256)


@pytest.mark.parametrize("k, divisor, right", [(8, 2, True), (8, 1, False), (16, 2, True)])
def test_ldmatrix_origin(k: int, divisor: int, right: bool) -> None:
    """Register r of A comes from the 8x8 block at (8(r % 2), 8(r / 2)); dividing K by 8 instead of M is right
    for K = 16 only."""
    a = ptx_mma(f"m16n8k{k}", "f16").A
    verdict = prove(
        lambda r, lane, half: equal(
            a(lane, 2 * r + half),
            (8 * (r % divisor) + lane // 4, 8 * (r // divisor) + 2 * (lane % 4) + half),
        ),
        r=k // 4,
        lane=32,
        half=2,
    )
    if right:
        assert isinstance(verdict, Proved)
    else:
        said = refuted(verdict)
        assert said.witness == {"r": 1, "lane": 0, "half": 0}
        assert (said.left, said.right, said.failures) == ((8, 0), (0, 8), 64)


def test_c_fragment_bijection() -> None:
    """An offset into row-major C, written by hand everywhere, is the accumulator's and a bijection."""
    c = ptx_mma("m16n8k16", "f16").C
    assert prove(
        lambda lane, j: equal(
            (lane // 4 + 8 * (j >> 1)) * 8 + 2 * (lane % 4) + (j & 1), 8 * c(lane, j)[0] + c(lane, j)[1]
        ),
        lane=32,
        j=4,
    )
    assert prove(bijective(Layout(((4, 8), (2, 2)), ((2, 8), (1, 64))), 128))


def test_triton_slice_mmav2() -> None:
    """The linear layout of eight rows of an MMAv2 tile: bases of the lanes and of the register."""
    old = Layout(((2, 2, 2, 2, 2), 2), ((0, 0, 1, 2, 0), 4))
    new = Layout(((2, 2, 2, 2, 2), 2), ((0, 0, 1, 2, 4), 0))
    c = ptx_mma("m8n8k16", "s8").C
    said = refuted(prove(lambda lane: equal(old(lane, 0), c(lane, 0)[0]), lane=32))
    assert said.witness == {"lane": 16}
    assert (said.left, said.right, said.failures) == (0, 4, 16)
    assert prove(lambda lane, register: equal(new(lane, register), c(lane, register)[0]), lane=32, register=2)


def test_sycl_perm_contiguous() -> None:
    """8x4 sub-groups, each with rows 32s to 32s + 31 and columns 64c to 64c + 63."""
    rows, columns = Layout((8, 8, 4), (1, 32, 8)), Layout((16, 4, 4), (1, 64, 16))
    assert prove(all_of(bijective(rows, 256), bijective(columns, 256)))
    assert prove(lambda s, r, k: within(rows((r, s, k)), 32 * s, 32 * s + 32), s=8, r=8, k=4)
    assert prove(lambda c, r, k: within(columns((r, c, k)), 64 * c, 64 * c + 64), c=4, r=16, k=4)


def test_fa2_atom_width() -> None:
    """A swizzle atom as wide as head dimension 128 delivers correctly, whatever the comment says."""
    wide = composition(Swizzle(3, 3, 3), Layout((8, 128), (128, 1)))
    query = tile_to_shape(wide, (128, 128))
    copy = make_tiled_copy_A("SM75_U32x4_LDSM_N", FOUR_WARPS)
    assert prove(all_of(copy.retile_correct(FOUR_WARPS, "A", query.layout), memory_correct(copy, query)))
    values = composition(Swizzle(3, 3, 3), Layout((128, 64), (1, 128)))  # V transposed
    copy = make_tiled_copy_B("SM75_U16x8_LDSM_T", FOUR_WARPS)
    assert prove(all_of(copy.retile_correct(FOUR_WARPS, "B", values.layout), memory_correct(copy, values)))
