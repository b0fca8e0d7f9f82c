"""`--shrink` of `prove retile` and `refute divide`."""

from .conftest import MMA, Run

GATHER = ("--copy", "SM75_U32x4_LDSM_N", "--operand", "B", "--permutation", "16,8,32")
PERMUTED = (
    *("--copy", "SM75_U32x4_LDSM_N", "--operand", "B", "--atoms", "2,1,1"),
    *("--permutation", "32,(8,2,2):(1,16,8),16", "--tensor", "(64,32):(32,1)"),
)


def test_a_divide_is_shrunk_to_two_steps_of_n(run: Run) -> None:
    arguments = ("refute", "divide", "--mma", MMA, *GATHER, "--tensor", "(32,64):(64,1)", "--shrink")
    outcome = run(*arguments)
    assert outcome.code == 0
    assert outcome.out.rstrip().endswith(
        'the smallest that fails in this way: --permutation "_,_,32" --tensor "(16,32):(64,1)"'
    )
    data = run(*arguments, "--format", "json").data
    assert data["shrunk"] == {"atoms": "1,1,1", "permutation": "_,_,32", "tensor": "(16,32):(64,1)"}


def test_a_retile_is_shrunk_and_fails_in_the_same_part(run: Run) -> None:
    outcome = run("prove", "retile", "--mma", MMA, *PERMUTED, "--shrink")
    assert outcome.code == 1
    line = outcome.out.rstrip().splitlines()[-1]
    assert line == 'the smallest that fails in this way: --permutation "_,(2,2,2):(1,16,8),_"'
    again = run(
        "prove", "retile", "--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "B",
        "--permutation", "_,(2,2,2):(1,16,8),_", "--shrink", "--format", "json",
    )  # fmt: skip
    assert again.data["part"] == "every thread finds in every register what its mma reads there"
    assert again.data["shrunk"] == {
        "atoms": "1,1,1",
        "permutation": "_,(2,2,2):(1,16,8),_",
        "tensor": None,
    }


def test_nothing_to_shrink_where_it_is_proved(run: Run) -> None:
    outcome = run("prove", "retile", "--mma", MMA, *GATHER, "--shrink", "--format", "json")
    assert outcome.code == 0
    assert "shrunk" not in outcome.data
