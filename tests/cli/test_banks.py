"""`symlayout prove banks`: proved, refuted in words, over parameters, and what is not an input."""

from pathlib import Path

import pytest

from .conftest import MMA, Outcome, Run

PLAIN = ("--operand", "A", "--tensor", "(64,64):(64,1)")
PITCH = ("--operand", "A", "--tensor", "(64,64):(ld,1)")


@pytest.fixture
def banks(run: Run) -> Run:
    def invoke(*words: str) -> Outcome:
        return run("prove", "banks", "--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", *words)

    return invoke


@pytest.mark.parametrize("tensor", ["(64,64):(72,1)", "Sw<3,3,3> o 0 o (64,64):(64,1)"])
def test_proved(banks: Run, tensor: str) -> None:
    found = banks("--operand", "A", "--tensor", tensor)
    assert found.code == 0
    assert f"Proved: SM75_U32x4_LDSM_N has no bank conflicts in {tensor}" in found.out
    assert "16 accesses of 64 phases take 64 wavefronts" in found.out
    data = banks("--operand", "A", "--tensor", tensor, "--format", "json").data
    assert (data["verdict"], data["phases"], data["wavefronts"]) == ("proved", 64, 64)
    assert data["instruction"] == "ldmatrix.x4"


def test_refuted(banks: Run) -> None:
    found = banks(*PLAIN)
    assert found.code == 1
    assert "lanes 0, 1, 2, 3, 4, 5, 6, 7 want different words of banks 0 to 3" in found.out
    assert "Sw<3,3,3> o 0 o (64,64):(64,1) and (64,64):(72,1) take 1 wavefront a phase (proved)" in found.out
    data = banks(*PLAIN, "--format", "json").data
    assert data["witness"] == {"step": 0, "warp": 0, "phase": 0, "lane": 0, "other": 1}
    assert (data["failures"], data["phases"], data["wavefronts"]) == (64, 64, 512)


@pytest.mark.parametrize(
    "words, code",
    [
        (("--wavefronts", "8"), 0),
        (("--wavefronts", "4"), 1),
        (("--at-most", "8"), 0),
        (("--at-most", "7"), 1),
        (("--at-most", "7", "--wavefronts", "8"), 2),
        (("--wavefronts", "0"), 2),
    ],
)
def test_other_counts(banks: Run, words: tuple[str, ...], code: int) -> None:
    assert banks(*PLAIN, *words).code == code


def test_any_pitch(banks: Run) -> None:
    found = banks(*PITCH, "--assume", "ld % 16 == 8")
    assert found.code == 0
    assert "where ld = 16*q-8" in found.out
    assert "Proved: for all q >= 1" in found.out
    data = banks(*PITCH, "--assume", "ld % 16 == 8", "--format", "json").data
    assert (data["assumed"], data["phases"]) == ("ld % 16 == 8", None)


def test_refuted_at_the_smallest_pitch(banks: Run) -> None:
    found = banks(*PITCH, "--assume", "ld % 8 == 0")
    assert found.code == 1
    assert "at q = 2, step = 0, warp = 0, phase = 0, lane = 0, other = 4" in found.out
    assert "the counterexample is ld = 16" in found.out
    assert "it holds where ld % 16 is 8" in found.out
    assert "2 % 16 = 2" in banks(*PITCH).out  # ld = 1: not even aligned
    swizzled = banks("--operand", "A", "--tensor", "Sw<3,3,3> o 0 o (64,64):(ld,1)", "--assume", "64 | ld")
    assert "it holds where ld % 128 is 64" in swizzled.out


def test_a_missing_fact_is_named(banks: Run) -> None:
    found = banks("--operand", "A", "--tensor", "(M,K):(ld,1)", "--assume", "ld % 16 == 8")
    assert found.code == 3
    assert '--assume "ld % 16 == 8, 16 | M"' in found.err
    more = "ld % 16 == 8, M % 16 == 0, K % 16 == 0"
    assert banks("--operand", "A", "--tensor", "(M,K):(ld,1)", "--assume", more).code == 0


def test_contradictory_assumptions_are_vacuous(banks: Run) -> None:
    found = banks(*PITCH, "--assume", "ld < 1")
    assert found.code == 3
    assert "Vacuous" in found.out
    assert banks(*PITCH, "--assume", "ld < 1", "--format", "json").data["verdict"] == "vacuous"


def test_certificate(banks: Run, run: Run, tmp_path: Path) -> None:
    for words in (("--wavefronts", "8"), ()):
        file = tmp_path / "banks.json"
        assert banks(*PLAIN, *words, "--certificate", str(file)).code == int(not words)
        assert run("recheck", str(file)).code == 0
    false = file.read_text().replace('"other": 1', '"other": 2')
    file.write_text(false)
    assert run("recheck", str(file)).code == 2  # damaged


def test_recheck_at_once(banks: Run) -> None:
    found = banks(*PITCH, "--assume", "ld % 64 == 0", "--wavefronts", "8", "--recheck")
    assert found.code == 0
    assert "recheck: confirmed" in found.out


@pytest.mark.parametrize(
    "words, says",
    [
        (
            ("--operand", "A", "--tensor", "Sw<3,3,30> o 0 o (64,64000000):(64000000,1)"),
            "at most 65536 that differ are walked\n  give a smaller tensor",
        ),
        (
            ("--operand", "A", "--tensor", "Sw<3,3,3> o 4 o (64,64):(ld,1)", "--assume", "64 | ld"),
            "8 values of a lane",
        ),
        (("--operand", "A", "--tensor", "(64,64):(64,1"), "--tensor"),
        (("--operand", "A", "--tensor", "(64,64):(ld,1)", "--assume", "ld is odd"), "assume"),
        (("--operand", "A", "--side", "S"), "No such option"),
    ],
)
def test_bad_input(banks: Run, words: tuple[str, ...], says: str) -> None:
    found = banks(*words)
    assert found.code == 2
    assert says in found.err or says.lower() in found.err
    assert "Traceback" not in found.err


@pytest.mark.parametrize("tensor", ["(16000000,64)", "(64,64000000)", "(16000000,64000)"])
def test_no_tensor_is_too_large(banks: Run, tensor: str) -> None:
    """One access of every kind is walked, and there are as many kinds as a swizzle's period has offsets."""
    elements = 1
    for size in tensor.strip("()").split(","):
        elements *= int(size)
    words = ("--operand", "A", "--tensor", f"{tensor}:(ld,1)", "--assume")
    refuted = banks(*words, "ld % 8 == 0")
    assert refuted.code == 1
    assert f"{elements // 256} of {elements // 256} accesses and {elements // 64} of" in refuted.out
    assert "the counterexample is ld = 16" in refuted.out
    assert banks(*words, "ld % 16 == 8").code == 0
    swizzled = banks(
        "--operand", "A", "--tensor", f"Sw<3,3,3> o 0 o {tensor}:(ld,1)", "--assume", "ld % 128 == 64"
    )
    assert swizzled.code == 0
    plain = banks("--operand", "A", "--tensor", f"{tensor}:(64008,1)", "--format", "json").data
    assert (plain["verdict"], plain["accesses"]) == ("proved", elements // 256)


def test_a_large_tensor_has_the_witness_and_counts_of_a_walk(banks: Run) -> None:
    found = banks("--operand", "A", "--tensor", "(1024,2048):(2048,1)")
    assert "at step = 0, warp = 0, phase = 0, lane = 0, other = 1" in found.out
    says = (
        "8192 of 8192 accesses and 32768 of 32768 phases are like that: 262144 wavefronts in all, 8 a phase"
    )
    assert says in found.out
    assert (
        "Sw<3,3,8> o 0 o (1024,2048):(2048,1) and (1024,2048):(2056,1) take 1 wavefront a phase" in found.out
    )


def test_a_tensor_smaller_than_the_tile_is_noted(run: Run) -> None:
    options = ("--mma", "SM80_16x8x16_F32F16F16F32_TN", "--copy", "SM75_U32x4_LDSM_N", "--operand", "A")
    outcome = run("prove", "banks", *options, "--tensor", "(8,8):(8,1)")
    note = "note: the tensor (8,8) is not a multiple of the tile (16,16): 8 % 16 = 8, 8 % 16 = 8"
    assert note in outcome.out
    assert len(run("prove", "banks", *options, "--tensor", "(8,8)", "--format", "json").data["notes"]) == 1


UNITS = "o (64,64):(64,1)"


def test_a_swizzle_of_bytes_is_not_one_of_elements(banks: Run) -> None:
    found = banks("--operand", "A", "--tensor", f"Sw<3,4,3> o smem_ptr[16b](unset) {UNITS}")
    assert found.code == 0
    assert (
        "note: Sw<3,4,3> counts bytes, as smem_ptr[16b] says: of 16-bit elements it is Sw<3,3,3>" in found.out
    )
    found = banks("--operand", "A", "--tensor", f"Sw<3,4,3> o 0 {UNITS}")
    assert found.code == 1
    assert "note: Sw<3,4,3> is read as counting elements" in found.out
    found = banks("--operand", "A", "--tensor", f"Sw<3,4,3> o smem_ptr[32b](unset) {UNITS}")
    assert found.code == 2
    assert "elements of 32 bits" in found.err


@pytest.mark.parametrize(
    "assumed, code, words",
    [
        ("ld % 16 == 8, ld % 32 == 0", 3, "Vacuous"),
        ("ld % 4 == 0, ld % 6 == 3", 3, "Vacuous"),
        ("ld % 16 == 0, ld % 32 == 8", 3, "Vacuous"),
        ("ld % 16 == 0, ld <= 15", 3, "Vacuous"),
        ("ld % 8 == 0, ld <= 8*q*q, q <= 1", 0, "where ld = 8, q = 1"),
        ("q <= 1, ld % 8 == 0, ld <= 8*q*q", 0, "where q = 1, ld = 8"),
        ("ld <= 8*q*q, q <= 1, ld % 8 == 0", 0, "where ld = 8, q = 1"),
    ],
)
def test_facts_are_a_set(banks: Run, assumed: str, code: int, words: str) -> None:
    found = banks(*PITCH, "--assume", assumed)
    assert found.code == code
    assert words in found.out


@pytest.mark.parametrize("assumed", ["ld % 16 == 24", "ld % 16 == 16", "ld % 8 == -1", "0 | ld"])
def test_remainders_that_no_division_leaves(banks: Run, assumed: str) -> None:
    found = banks(*PITCH, "--assume", assumed)
    assert (found.code, found.out) == (2, "")
    assert "assume: expected a" in found.err


@pytest.mark.parametrize("name", ["lane", "q", "let", "lambda", "step"])
def test_a_pitch_may_be_called_anything(banks: Run, name: str) -> None:
    tensor = ("--operand", "A", "--tensor", f"(64,64):({name},1)", "--assume")
    assert banks(*tensor, f"{name} % 16 == 8").code == 0
    found = banks(*tensor, f"{name} % 8 == 0")
    assert found.code == 1
    assert f"  the counterexample is {name} = 16" in found.out
