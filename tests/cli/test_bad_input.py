"""Bad input: one message on standard error, exit code 2, no output, no traceback."""

from pathlib import Path

import pytest

from .conftest import MMA, Run

HUGE = "1" + "0" * 30


def retile(
    *options: str, mma: str = MMA, copy: str = "SM75_U32x1_LDSM_N", operand: str = "A"
) -> tuple[str, ...]:
    return ("prove", "retile", "--mma", mma, "--copy", copy, "--operand", operand, *options)


CASES = [
    # the text is not a notation; the message points at the column
    (("eval", "(4,8"), "the '(' at column 1 is never closed"),
    (("eval", "4,8)"), "')' closes a bracket that was never opened"),
    (("eval", "((2,2),4:(1,2)"), "never closed"),
    (("eval", "(4,8]:(8,1)"), "expected ')' for the '(' at column 1"),
    (("eval", ""), "nothing to read"),
    (("eval", "4:"), "the text ends here"),
    (("eval", ":4"), "unexpected ':'"),
    (("eval", "(4,8):(8,1):2"), "unexpected ':'"),
    (("eval", "(4;8):(8,1)"), "unexpected character ';'"),
    (("eval", "4.5:1"), "unexpected"),
    (("eval", "(4,8):(?{div=0},1)"), "expected ?, ?{div=8}"),
    (("eval", "(" * 200 + "1" + ")" * 200), "more than 64 brackets"),
    (("eval", "9" * 5000 + ":1"), "an integer of 5000 digits"),
    (("eval", "__import__('os').system('true')"), "unexpected character"),
    (("eval", "open(1)"), "unknown function 'open'"),
    (("eval", "zipped_divid((4,4):(1,4), 2)"), "did you mean zipped_divide"),
    (("eval", "composition((4,4):(1,4))"), "missing a required argument"),
    (("eval", "composition((4,4):(1,4), 2, 3, 4, 5)"), "too many"),
    (("eval", "append(4:1, n=1000000000)"), "at most 1000"),
    (retile("--tensor", str(tuple(range(1, 1999)))), "an integer of more digits than are printed, 4300"),
    # the layout makes no sense
    (("eval", "(4,8):(8)"), "shape and stride are not congruent"),
    (("eval", "((2,2),8):(8,1)"), "not congruent"),
    (("eval", "(0,4):(1,4)"), "0 is not a size: sizes are 1 or more"),
    (("eval", "(4,-8):(1,4)"), "-8 is not a size"),
    (("eval", "Sw<-1,0,0>"), "the bits do not fit"),
    (("eval", "Sw<3,0,2>(4)"), "the bits do not fit"),
    (("eval", "get((4,8):(8,1), 7)"), "rank 2"),
    (("eval", "upcast(0, 8:1)"), "0"),
    # CuTe refuses
    (("eval", "upcast<2>(8:3)"), "Divisibility"),
    (("explain", "composition((4,4,2):(1,8,4), 3:3)"), "Divisibility"),
    # show
    (("show", "(100000,100000):(1,100000)"), "too large to print"),
    (("show", f"({HUGE},{HUGE}):(1,{HUGE})"), "too large to print"),
    (("show", f"{HUGE}:1", "--tv"), "two modes"),
    (("show", f"({HUGE},2):(1,2)", "--tv"), "too large to print"),
    (("show", "(4,8)"), "is not a layout"),
    (("show", "Sw<3,3,3>"), "is not a layout"),
    (("show", "(4,2):(1,4)", "--tv", "--tile", "2,2"), "leaves the tile"),
    (("show", "(4,2):(1,4)", "--tile", "2,2,2"), "two modes"),
    (("show", "(4,2):(1,4)", "--tile", "0,8"), "0 is not a size"),
    (("show", "SM80_16x8x16", "--operand", "A"), "unknown atom"),
    (("show", "SM75_U32x1_LDSM_N", "--operand", "A"), "is a copy atom"),
    # configurations
    (retile(mma="SM80_16x8x16_F32F16F16F32"), "did you mean SM80_16x8x16_F32F16F16F32_TN"),
    (retile(copy="SM75_U32x1_LDSM"), "did you mean SM75_U32x1_LDSM_N"),
    (retile(mma="nonsense"), "unknown atom 'nonsense'"),
    (retile(mma="SM75_U32x1_LDSM_N"), "is a copy atom"),
    (retile(copy=MMA), "is an MMA atom"),
    (retile(operand="D"), "'D' is not one of A, B, C"),
    (("show", MMA, "--operand", "D"), "'D' is not one of A, B, C"),
    (retile("--side", "X"), "is not one of"),
    (retile("--type", "halff"), "halff"),
    (retile("--atoms", "2,2"), None),  # two modes are allowed: K is 1
    (retile("--atoms", "2,2,1,1"), "rank-3"),
    (retile("--atoms", "2,0,1"), "0 is not a size"),
    (retile("--atoms", "(2,2"), "--atoms: the '('"),
    (retile("--atoms", "100000,100000,1"), "a thread block has at most 1024"),
    (retile("--permutation", "16,8,16,4"), "rank-3"),
    (retile("--permutation", "8,8,16"), "permutation M = 8 is smaller than 1 warp x 16"),
    (
        retile("--atoms", "2,1,1", "--permutation", "16,8,16"),
        "permutation M = 16 is smaller than 2 warps x 16",
    ),
    (retile("--permutation", "24,8,16"), "24 % 16 = 8"),
    *[  # what CuTe may compile and we do not model: M, N and K alike, whatever is asked
        ((*command, *retile("--permutation", tile, *more, operand=operand)[2:]), "symlayout refuses")
        for command in (("prove", "retile"), ("trace", "retile"), ("refute", "divide"))
        for operand, tile, more in (
            ("A", "24,8,16", ()),
            ("B", "16,12,16", ()),
            ("A", "16,8,24", ()),
            ("A", "16,8,16", ("--atoms", "1,1,2")),
        )
    ],
    (retile("--permutation", "16,8,24", "--tensor", "(M,K)"), "symlayout refuses"),
    (retile("--permutation", "0,8,16"), "0"),
    (retile("--permutation", "-16,8,16"), "-16"),
    (retile("--permutation", "16,(8,2:(1,8),16"), "--permutation:"),
    (retile("--permutation", f"16,8,{HUGE}"), "large"),
    (retile("--tensor", "(32,32):(32)"), "--tensor: shape and stride are not congruent"),
    (retile("--tensor", "32"), "is not a tensor"),
    (retile("--tensor", "32:1"), "rank 1"),
    (retile("--tensor", "(0,16):(16,1)"), "0 is not a size"),
    (retile("--tensor", f"({HUGE},{HUGE}):({HUGE},1)"), "too large to check"),
    (retile("--tensor", "(1000000000,16):(16,1)"), "too large to check"),
    (retile("--tensor", "(16,16):(16,1"), "--tensor: the '(' at column 9"),
    # pointers to where the copy does not go
    (
        retile("--tensor", "gmem_ptr[16b](unset) o (16,16):(16,1)"),
        "gmem_ptr[16b] points to global memory, and SM75_U32x1_LDSM_N goes to shared memory",
    ),
    (
        retile("--tensor", "rmem_ptr[16b](unset) o (16,16):(16,1)"),
        "points to registers; --tensor is the side",
    ),
    (retile("--tensor", "tmem_ptr[16b](0x0) o (16,16):(16,1)"), "points to tensor memory; --tensor is the"),
    (
        ("prove", "banks", *retile()[2:], "--tensor", "gmem_ptr[16b](unset) o (16,16):(16,1)"),
        "points to global memory, and only shared memory has banks",
    ),
    (("refute", "divide", *retile()[2:], "--tiler", "0"), "--tiler: 0 is not a size"),
    (("refute", "divide", *retile()[2:], "--tiler", "(4,1,2,3)"), "Too many modes"),
    (("refute", "divide", *retile()[2:], "--tiler", "(4,"), "--tiler:"),
    (("refute", "divide", *retile()[2:], "--by", "divide"), "is not one of"),
    # facts beyond what is read
    (retile("--tensor", "(M,K)", "--assume", "K >= " + "*".join("M" * 1500)), "too many parts"),
    (retile("--tensor", "(M,K)", "--assume", "K >= " + "*".join("M" * 3000)), "at most 4000 are read"),
    (retile("--tensor", "(M,K)", "--assume", "K >= " + "9" * 6000), "at most 4000 are read"),
    (retile("--tensor", "(M,K)", "--assume", ", ".join(f"K >= {k}" for k in range(99))), "at most 32"),
    (
        retile("--tensor", "(M,K)", "--assume", "*".join(f"(M+K+{k})" for k in range(30)) + ">= 1"),
        "100 terms",
    ),
    (retile("--tensor", "(M,K)", "--assume", "K ** 100000000 >= 1"), "expected"),
    (retile("--tensor", "(M,K)", "--assume", "(" * 1500 + "K" + ")" * 1500 + " >= 1"), "assume"),
    # the command line itself
    (("prove", "retile"), "missing option '--mma'"),
    (("prove", "nowhere/"), "nowhere/: no such file or folder"),
    (("prove", "json"), "json: no such file or folder"),
    (("prove", ""), "an empty path"),
    (("prove", " "), "an empty path"),
    (("proof",), "did you mean prove"),
    (("eval", "4:1", "--format", "xml"), "is not one of"),
    (("eval",), "missing argument"),
    (("show", "4:1", "--colour"), "no such option"),
    (("conform", "nowhere.jsonl"), "No such file"),
    (("conform", str(Path(__file__).parent)), "is a folder"),
]


@pytest.mark.parametrize("arguments, message", CASES, ids=[" ".join(a)[:70] for a, _ in CASES])
def test_one_message_and_exit_code_2(run: Run, arguments: tuple[str, ...], message: str | None) -> None:
    outcome = run(*arguments)
    if message is None:
        assert outcome.code != 2
        return
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("symlayout: ")
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert "defect" not in outcome.err
    assert len(outcome.err) < 1500


@pytest.mark.parametrize("arguments", [a for a, message in CASES if message], ids=lambda a: " ".join(a)[:70])
def test_json_says_the_same(run: Run, arguments: tuple[str, ...]) -> None:
    if "xml" in arguments:
        return
    outcome = run(*arguments, "--format", "json")
    data = outcome.data
    assert (data["verdict"], data["exit_code"]) == ("bad input", 2)
    assert f"symlayout: {data['message']}\n" == outcome.err
    assert data["command"].split()[0] in (*arguments[:1], "")


def test_the_caret_stands_under_the_column(run: Run) -> None:
    outcome = run("eval", "coalesce((4,0):(8,1))")
    assert outcome.err.splitlines()[1:] == ["  coalesce((4,0):(8,1))", "              ^"]
    data = run("eval", "coalesce((4,0):(8,1))", "--format", "json").data
    assert (data["error"], data["column"]) == ("NotationError", 12)
    assert data["text"] == "coalesce((4,0):(8,1))"
