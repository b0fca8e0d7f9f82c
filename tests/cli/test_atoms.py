"""`symlayout atoms`: the list, the search, and one atom in detail."""

import pytest

from symlayout import atoms

from .conftest import MMA, Run


def test_the_whole_list(run: Run) -> None:
    outcome = run("atoms")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].split() == ["atom", "MxNxK", "D", "A", "B", "C", "PTX", "arguments"]
    assert [line for line in lines if line.startswith(MMA)]
    assert [line for line in lines if line.startswith("SM90_64x{8..256}x16_F32F16F16_SS ")]
    assert lines[-1].startswith(f"{len(atoms.names())} atoms in ")
    data = run("atoms", "--format", "json").data
    assert [atom["name"] for atom in data["atoms"]] == atoms.names()


def test_by_words(run: Run) -> None:
    outcome = run("atoms", "16x8x16", "bf16")
    assert "SM80_16x8x16_F32BF16BF16F32_TN" in outcome.out
    assert outcome.out.splitlines()[-1].startswith("1 atom;")
    data = run("atoms", "16x8x16 f16 mma", "--format", "json").data
    assert [atom["name"] for atom in data["atoms"]] == ["SM80_16x8x16_F16F16F16F16_TN", MMA]


def test_one_mma_in_detail(run: Run) -> None:
    out = run("atoms", MMA).out
    for text in (
        f"{MMA}: D = A * B + C, 16x8x16",
        "PTX      mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "header   cute/atom/mma_traits_sm80.hpp",
        "A (M,K)  ((4,8),(2,2,2)):((32,1),(16,8,128))",
        "half_t, 16 bits, in registers, uint32_t x 4",
        "shared with SM80_16x8x16_F16F16F16F16_TN, SM80_16x8x16_F32BF16BF16F32_TN",
        "A: ((4,8),(2,2,2)):((32,1),(16,8,128)) over (16,16)",
        " 3  | T12 V0 | T12 V1 | T13 V0 |",
        "C: ((4,8),(2,2)):((32,1),(16,8)) over (16,8)",
    ):
        assert text in out, text
    (data,) = run("atoms", MMA, "--format", "json").data["atoms"]
    assert data["shape_mnk"] == [16, 8, 16]
    assert data["registers"] == {
        "D": ["float", 4],
        "A": ["uint32_t", 4],
        "B": ["uint32_t", 2],
        "C": ["float", 4],
    }
    assert MMA in data["sharing"]["A"]


def test_the_picture_can_be_left_out(run: Run) -> None:
    assert "+---" not in run("atoms", MMA, "--no-draw").out


def test_atoms_whose_operands_are_elsewhere(run: Run) -> None:
    out = run("atoms", "SM90_64x128x16_F32F16F16_SS").out
    assert "in shared memory, uint64_t x 1" in out
    assert "C has 64 x 128 elements, too many to draw" in out
    assert "in tensor memory" in run("atoms", "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64>").out
    scaled = "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,32>"
    assert "SFB      ((4,8),32):((0,1),8)" in run("atoms", scaled, "--no-draw").out


def test_the_repaired_int4_says_so(run: Run) -> None:
    out = run("atoms", "SM80_16x8x32_S32S4S4S32_TN", "--no-draw").out
    assert "note     CUTLASS 4.2 gives B the layout ((4,8),(8)):((32,1),(8))" in out
    assert (
        "B (N,K)  ((4,8),(8)):((32,1),(8))"
        in run("atoms", "SM80_16x8x32_S32S4S4S32_TN_CUTE_4_2", "--no-draw").out
    )


def test_one_copy_in_detail(run: Run) -> None:
    out = run("atoms", "SM75_U32x2_LDSM_N").out
    assert "ldmatrix.sync.aligned.x2.m8n8.shared.b16" in out
    assert "Dst bits (32,(32,2)):(32,(1,1024)), uint32_t x 2" in out
    assert " 9  |  T4 V2 |  T4 V3 |" in out
    (data,) = run("atoms", "SM75_U32x2_LDSM_N", "--format", "json").data["atoms"]
    assert (data["kind"], data["src"]) == ("copy", "((16,2),128):((128,0),1)")
    assert run("atoms", "UniversalCopy<float>").code == run("atoms", "SM100_UTCCP_4dp256bit_1cta").code == 0


@pytest.mark.parametrize(
    "pattern, message",
    [
        ("zzz", "no atom has all of 'zzz'"),
        ("SM80_16x8x16_F32F16F16F32_NT", "did you mean SM80_16x8x16_F32F16F16F32_TN"),
        ("SM90_64x12x16_F32F16F16_SS<GMMA::Major::K>", "N = 12"),
        ("SM120_16x8x32_TN<half_t,half_t,float>", "not one of float_e2m1_t"),
    ],
)
def test_bad_patterns(run: Run, pattern: str, message: str) -> None:
    outcome = run("atoms", pattern)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_a_template_without_arguments_lists_its_instances(run: Run) -> None:
    out = run("atoms", "SM100_MMA_F16BF16_SS").out
    assert "<half_t,half_t,float,128,256,UMMA::Major::K,UMMA::Major::K>" in out
