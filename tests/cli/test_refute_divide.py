"""`symlayout refute divide`."""

import pytest

from .conftest import MMA, Run

GATHER = (
    *("refute", "divide", "--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "B"),
    *("--permutation", "16,8,32", "--tensor", "(32,32):(32,1)"),
)
OF_A = ("refute", "divide", "--mma", MMA, "--copy", "SM75_U32x1_LDSM_N", "--operand", "A")


@pytest.mark.parametrize("tiler", [("--tiler", "8"), ("--tiler", "8:1"), ()])
def test_the_direct_divide_walks_along_n(run: Run, tiler: tuple[str, ...]) -> None:
    outcome = run(*GATHER, *tiler)
    assert outcome.code == 0  # as stated: the refutation stands
    for text in (
        "Refuted, as stated: zipped_divide(tCrB, 8",
        "first difference at index 4: value a = 4 of copy 0",
        "zipped_divide has register 8    tCrB(0,1,0): V 0, N 1, K 0",
        "retile_D      has register 4    tCrB(0,0,1): V 0, N 0, K 1",
        "zipped_divide 0 1 2 3 8 9 10 11\n",
        "retile_D      0 1 2 3 4 5 6 7\n",
        "the divide walks along N instead of K",
        "the tiler (4,1,2) repairs it",
    ):
        assert text in outcome.out


def test_json_of_a_refutation(run: Run) -> None:
    data = run(*GATHER, "--tiler", "8", "--format", "json").data
    assert data["verdict"] == "refuted"
    assert data["as_stated"] is True
    assert data["witness"] == {"i": 4, "a": 4, "copy": 0, "coordinate": [4, 0, 0]}
    assert data["got"] == {"register": 8, "modes": {"V": 0, "N": 1, "K": 0}}
    assert data["want"] == {"register": 4, "modes": {"V": 0, "N": 0, "K": 1}}
    assert data["registers"] == {"divide": [0, 1, 2, 3, 8, 9, 10, 11], "retile": list(range(8))}
    assert data["repair"] == "(4,1,2)"


def test_the_repaired_tiler_cannot_be_refuted(run: Run) -> None:
    outcome = run(*GATHER, "--tiler", "(4,1,2)")
    assert outcome.code == 1
    assert "Not refuted" in outcome.out
    data = run(*GATHER, "--tiler", "(4,1,2)", "--format", "json").data
    assert (data["verdict"], data["as_stated"], data["got"], data["repair"]) == ("proved", False, None, None)


@pytest.mark.parametrize("options", [("--tiler", "2"), ("--tiler", "<2>", "--by", "logical_divide")])
def test_of_a_the_divides_agree(run: Run, options: tuple[str, ...]) -> None:
    assert run(*OF_A, *options).code == 1


def test_a_tiler_that_covers_too_much_differs_in_size(run: Run) -> None:
    outcome = run(*OF_A, "--tiler", "3")
    assert outcome.code == 0
    assert "(3,3):(1,3) has 9 elements, ((2,4),1,1):((1,2),0,0) has 8" in outcome.out
    assert run(*OF_A, "--tiler", "3", "--format", "json").data["witness"] == {}
