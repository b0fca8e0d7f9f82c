"""`symlayout prove retile`."""

import pytest

from .conftest import MMA, Run

GATHER = (
    "--copy",
    "SM75_U32x4_LDSM_N",
    "--operand",
    "B",
    "--permutation",
    "16,8,32",
    "--tensor",
    "(32,32):(32,1)",
)
SWAPPED = ("--copy", "UniversalCopy<uint32_t>", "--operand", "B", "--permutation", "16,(8,2,2):(1,16,8),16")


@pytest.mark.parametrize(
    "options, view",
    [
        (("--copy", "SM75_U32x1_LDSM_N", "--operand", "A"), "((2,4),1,1):((1,2),0,0)"),
        (("--copy", "SM75_U32x1_LDSM_N", "--operand", "B"), "((2,2),1,1):((1,2),0,0)"),
        (("--copy", "SM75_U32x2_LDSM_N", "--operand", "b"), "((4,1),1,1):((1,0),0,0)"),
        (GATHER, "((8,1),4,1):((1,0),8,0)"),
        (
            ("--copy", "SM75_U32x4_LDSM_N", "--operand", "B", "--atoms", "2,4,1", "--permutation", "_,64,_"),
            "((8,1),1,1):((1,0),0,0)",
        ),
    ],
)
def test_the_article_is_proved(run: Run, options: tuple[str, ...], view: str) -> None:
    outcome = run("prove", "retile", "--mma", MMA, *options)
    assert outcome.code == 0
    operand, subject = options[3].upper(), "load" if "--tensor" in options else "view retile_D"
    assert f"Proved: the {subject} of {operand} is correct: {MMA}, {options[1]}" in outcome.out
    assert f"= {view} " in outcome.out
    assert outcome.err == ""


def test_json_of_a_proof(run: Run) -> None:
    data = run("prove", "retile", "--mma", MMA, *GATHER, "--format", "json").data
    assert data["command"] == "prove retile"
    assert data["verdict"] == "proved"
    assert data["fragment"] == "((2,2),4,2):((1,2),8,4)"
    assert data["view"] == "((8,1),4,1):((1,0),8,0)"
    assert data["configuration"]["tile_mnk"] == [16, 8, 32]
    assert data["configuration"]["tensor"] == "(32,32):(32,1)"
    assert data["obligations"] > 0
    assert data["right_view"] is None


def test_points_outside_the_tensor_are_noted(run: Run) -> None:
    options = ("--copy", "SM75_U32x4_LDSM_N", "--operand", "A", "--subject", "view")
    outcome = run("prove", "retile", "--mma", MMA, *options, "--tensor", "(7,13):(13,1)")
    assert outcome.code == 0
    assert (
        "note: the tensor (7,13) is not a multiple of the tile (16,16): 7 % 16 = 7, 13 % 16 = 13"
        in outcome.out
    )
    assert "points outside the tensor" in outcome.out
    assert "note" not in run("prove", "retile", "--mma", MMA, *options, "--tensor", "(32,16):(16,1)").out


def test_memory_that_the_copy_cannot_move_is_noted(run: Run) -> None:
    """CuTe refuses this one at copy(): src failed to vectorize. Of the view it is a note."""
    options = ("--copy", "SM75_U16x4_LDSM_T", "--operand", "B")
    view = ("--subject", "view")
    outcome = run("prove", "retile", "--mma", MMA, *options, "--tensor", "(8,16):(16,1)", *view)
    assert outcome.code == 0
    assert "note: the verdict is about registers. copy() does not compile" in outcome.out
    assert "offset 16 is not 0 + 1" in outcome.out
    (note,) = run("prove", "retile", "--mma", MMA, *options, "--format", "json").data["notes"]
    assert "SM75_U32x2_LDSM_N is the instruction for it" in note
    assert "note" not in run("prove", "retile", "--mma", MMA, *options, "--tensor", "(8,16):(1,8)").out


def test_cutes_silent_failure_is_refuted_with_the_right_view(run: Run) -> None:
    """CuTe compiles this retile_D, and half of all registers get a wrong element."""
    outcome = run("prove", "retile", "--mma", MMA, *SWAPPED)
    assert outcome.code == 1
    assert "Refuted: the view retile_D of B is correct" in outcome.out
    assert "256 of 512 registers" in outcome.out
    assert "B(8,0)" in outcome.out
    assert "B(16,0)" in outcome.out
    data = run("prove", "retile", "--mma", MMA, *SWAPPED, "--format", "json").data
    assert data["exit_code"] == 1
    assert data["witness"]["thread"] == 0
    assert 4 in data["witness"].values()
    assert data["left"] == [8, 0]
    assert data["right"] == [16, 0]
    assert data["minimal"] is True
    assert data["replayed"] is True
    assert data["failures"] == 256
    assert data["view"] == "((2,(2,2,2)),1,1):((1,(2,4,8)),0,0)"
    assert data["right_view"] == "((2,(2,2,2)),1,1):((1,(2,8,4)),0,0)"
    assert data["right_view_verdict"] == "proved"
    assert [check["verdict"] for check in data["checks"]] == [
        "proved"
    ] * 4  # the article's checks do not see it


def test_a_copy_that_cute_refuses_is_refuted_by_its_figures(run: Run) -> None:
    arguments = ("prove", "retile", "--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "B")
    outcome = run(*arguments)
    assert outcome.code == 1
    assert "CuTe refuses it" in outcome.out
    assert "4 % 8 = 4" in outcome.out
    data = run(*arguments, "--format", "json").data
    assert data["verdict"] == "refuted"
    assert data["witness"] == {"TiledNumThr": 32, "AtomNumThr": 32, "TiledNumVal": 4, "AtomNumVal": 8}
    assert data["part"] == "TiledNumVal % AtomNumVal = 0"
    assert (data["left"], data["right"]) == (4, 0)
    assert data["view"] is None
    assert data["configuration"]["copy_atom"] == "SM75_U32x4_LDSM_N"


STORE = ("--copy", "SM90_U32x4_STSM_N", "--operand", "C", "--permutation", "16,16,16")


def test_a_store_has_its_registers_on_side_s(run: Run) -> None:
    outcome = run("prove", "retile", "--mma", MMA, *STORE)
    assert outcome.code == 0
    assert "retile_S(tCrC)" in outcome.out


def test_a_refused_store_is_one_through_retile_s(run: Run) -> None:
    options = ("--mma", MMA, "--copy", "SM90_U32x4_STSM_N", "--operand", "C", "--type", "half_t")
    outcome = run("prove", "retile", *options)
    assert outcome.code == 1
    assert outcome.out.startswith("Refuted: the view retile_S of C is correct")


def test_stmatrix_through_retile_d_is_refuted(run: Run) -> None:
    outcome = run("prove", "retile", "--mma", MMA, *STORE, "--side", "D")
    assert outcome.code == 1
    assert "retile_D of C" in outcome.out
    assert "fails  Dst = Ref in SM90_U32x4_STSM_N" in outcome.out
    assert "holds  TiledNumVal % AtomNumVal = 0" in outcome.out


def test_volta_quad_pairs(run: Run) -> None:
    options = ("--copy", "DefaultCopy", "--operand", "A")
    assert run("prove", "retile", "--mma", "SM70_8x8x4_F32F16F16F32_TN", *options).code == 0


def test_the_options_may_stand_in_any_order(run: Run) -> None:
    assert run("prove", "--format", "json", "retile", "--mma", MMA, *GATHER).data["verdict"] == "proved"


def test_the_value_type_of_the_copy(run: Run) -> None:
    options = ("--copy", "UniversalCopy<uint128_t>", "--operand", "C", "--type")
    assert run("prove", "retile", "--mma", MMA, *options, "half_t").code == 1  # 8 values, a thread has 4
    assert run("prove", "retile", "--mma", MMA, *options, "float").code == 0
    outcome = run(
        "prove", "retile", "--mma", MMA, "--copy", "SM75_U32x1_LDSM_N", "--operand", "A", "--type", "double"
    )
    assert outcome.code == 1
    assert "a thread holds 32 bits, which must be whole elements" in outcome.out
