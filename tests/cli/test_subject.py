"""The subject of a verdict: the view of the registers, the side in memory, the load or store, the banks."""

import pytest

from .conftest import MMA, Outcome, Run

WHOLE = "M % 16 == 0, K % 16 == 0, ld >= K"


@pytest.fixture
def load(run: Run) -> Run:
    def invoke(*words: str, copy: str = "SM75_U32x4_LDSM_N", operand: str = "A") -> Outcome:
        return run("prove", "retile", "--mma", MMA, "--copy", copy, "--operand", operand, *words)

    return invoke


def test_without_a_tensor_it_is_the_view(load: Run) -> None:
    found = load()
    assert found.code == 0
    assert "Proved: the view retile_D of A is correct" in found.out
    data = load("--format", "json").data
    assert (data["subject"], data["parts"]) == ("view", [])


@pytest.mark.parametrize(
    "tensor, headline",
    [
        ("(64,64):(1,64)", "the view is right, the load moves 3584 of 4096 values wrongly"),
        ("(32,32):(49,1)", "the view is right, the load is given 112 of 128 addresses that are not aligned"),
        ("(7,13):(13,1)", "the view is right, the load names 165 of 256 values outside the tensor"),
        ("(8,8):(8,1)", "the view is right, the load names 192 of 256 values outside the tensor"),
    ],
)
def test_the_load_is_refuted_though_the_view_is_right(load: Run, tensor: str, headline: str) -> None:
    found = load("--tensor", tensor)
    assert found.code == 1
    assert f"Refuted ({headline}): the load of A is correct: {MMA}, SM75_U32x4_LDSM_N, from {tensor}" in (
        found.out
    )
    data = load("--tensor", tensor, "--format", "json").data
    assert (data["verdict"], data["subject"]) == ("refuted", "load")
    assert [(p["part"], p["verdict"]) for p in data["parts"]] == [("view", "proved"), ("memory", "refuted")]
    view = load("--tensor", tensor, "--subject", "view")
    assert view.code == 0
    assert "Proved: the view retile_D of A is correct" in view.out
    memory = load("--tensor", tensor, "--subject", "memory")
    assert memory.code == 1
    assert "Refuted: the memory side of A is correct" in memory.out


def test_one_lane_in_four_gives_an_address_of_x1(load: Run) -> None:
    found = load("--tensor", "(64,64):(1,64)", copy="SM75_U32x1_LDSM_N")
    assert "the load moves 3584 of 4096 values wrongly" in found.out


def test_the_load_is_proved_as_a_whole(load: Run) -> None:
    data = load("--tensor", "(64,64):(72,1)", "--format", "json").data
    assert (data["verdict"], data["subject"]) == ("proved", "load")
    assert [(p["part"], p["verdict"]) for p in data["parts"]] == [("view", "proved"), ("memory", "proved")]


def test_a_wrong_view_over_right_memory(load: Run) -> None:
    words = ("--permutation", "16,(8,2,2):(1,16,8),16", "--tensor", "(64,32):(32,1)")
    found = load(*words, operand="B")
    assert found.code == 1
    assert "Refuted (the view is wrong, the memory side is right): the load of B is correct" in found.out
    assert load(*words, "--subject", "memory", operand="B").code == 0


def test_a_store_writes_to_the_tensor(load: Run) -> None:
    words = ("--permutation", "16,16,16", "--type", "half_t")
    found = load(*words, "--tensor", "(32,32):(32,1)", copy="SM90_U32x4_STSM_N", operand="C")
    assert found.code == 0
    assert "Proved: the store of C is correct" in found.out
    assert "to (32,32):(32,1)" in found.out
    broadcast = load(*words, "--tensor", "(32,32):(0,1)", copy="SM90_U32x4_STSM_N", operand="C")
    assert broadcast.code == 1
    plain = ("--subject", "store", "--tensor", "(32,32):(32,1)")
    found = load(*plain, copy="UniversalCopy<float>", operand="C")
    assert found.code == 0
    assert "retile_S(tCrC)" in found.out
    assert load(*plain, "--side", "D", copy="UniversalCopy<float>", operand="C").code == 2


def test_stmatrix_does_not_load(load: Run) -> None:
    words = ("--permutation", "16,16,16", "--type", "half_t", "--tensor", "(32,32):(32,1)")
    found = load(*words, "--subject", "load", copy="SM90_U32x4_STSM_N", operand="C")
    assert found.code == 1
    assert "the load of C is correct" in found.out


def test_the_alignment_of_any_pitch_is_a_theorem(load: Run) -> None:
    found = load("--tensor", "(M,K):(ld,1)", "--assume", WHOLE)
    assert found.code == 1
    assert "the view is right, the load is given some addresses that are not aligned" in found.out
    assert "that is M = 16, K = 16, ld = 17" in found.out
    assert f'--assume "{WHOLE}, 8 | ld"' in found.out
    data = load("--tensor", "(M,K):(ld,1)", "--assume", WHOLE, "--format", "json").data
    assert data["missing_fact"] == "8 | ld"
    proved = load("--tensor", "(M,K):(ld,1)", "--assume", f"{WHOLE}, 8 | ld", "--format", "json").data
    assert (proved["verdict"], proved["subject"]) == ("proved", "load")
    assert [p["verdict"] for p in proved["parts"]] == ["proved", "proved"]
    assert load("--tensor", "(M,K):(ld,1)", "--assume", WHOLE, "--subject", "view").code == 0


def test_the_wrong_major_is_refuted_for_all_sizes(load: Run) -> None:
    found = load("--tensor", "(M,K):(1,M)", "--assume", "M % 16 == 0, K % 16 == 0")
    assert found.code == 1
    assert "values are moved wrongly" in found.out
    turned = load("--tensor", "(M,K):(1,M)", "--assume", "M % 16 == 0, K % 16 == 0", copy="SM75_U16x8_LDSM_T")
    assert turned.code == 0


def test_a_missing_fact_about_the_tiles_is_named(load: Run) -> None:
    """What is refuted at M = 3 for want of whole tiles is a matter of the fact that is missing."""
    found = load("--tensor", "(M,K)", "--assume", "M >= 3, K == 32")
    assert found.code == 3
    assert "assuming 16 | M it is proved for all" in found.out


def test_a_smaller_failure_in_memory(load: Run) -> None:
    found = load("--tensor", "(64,64):(1,64)", "--shrink")
    assert found.code == 1
    assert "the smallest that fails in this way: --tensor" in found.out


def test_a_certificate_of_a_load(load: Run, run: Run, tmp_path: object) -> None:
    for tensor, code in (("(32,32):(32,1)", 0), ("(32,32):(1,32)", 1), ("(7,13):(13,1)", 1)):
        file = f"{tmp_path}/load.json"
        assert load("--tensor", tensor, "--certificate", file).code == code


def test_banks_are_a_subject(run: Run) -> None:
    words = ("--mma", MMA, "--copy", "SM75_U32x4_LDSM_N", "--operand", "A", "--tensor", "(64,64):(72,1)")
    assert run("prove", "banks", *words, "--format", "json").data["subject"] == "banks"


# --- operands that no thread holds ---

DESCRIPTORS = [
    ("SM90_64x64x16_F32F16F16_SS", "A", "shared memory"),
    ("SM90_64x64x16_F32F16F16_SS", "B", "shared memory"),
    ("SM90_64x64x16_F32F16F16_RS", "B", "shared memory"),
    ("SM90::GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS", "A", "shared memory"),
    ("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>", "A", "shared memory"),
    ("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>", "C", "tensor memory"),
    ("SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>", "A", "tensor memory"),
]


@pytest.mark.parametrize("command", ["prove retile", "prove banks", "trace retile", "refute divide"])
@pytest.mark.parametrize("mma, operand, where", DESCRIPTORS)
def test_operands_elsewhere_are_refused(run: Run, command: str, mma: str, operand: str, where: str) -> None:
    found = run(*command.split(), "--mma", mma, "--copy", "SM75_U32x4_LDSM_N", "--operand", operand)
    assert found.code == 2
    assert f"{operand} has no register fragment" in found.err
    assert where in found.err


def test_tensor_memory_has_its_own_tiling(run: Run) -> None:
    words = ("--mma", DESCRIPTORS[5][0], "--copy", "SM100_TMEM_LOAD_32dp32b1x", "--operand", "C")
    found = run("prove", "retile", *words)
    assert found.code == 2
    assert "make_tmem_copy" in found.err
    assert "too few thrs" not in found.err


def test_a_copy_past_the_registers_is_no_load(load: Run) -> None:
    found = load(copy="SM80_CP_ASYNC_CACHEALWAYS<uint32_t>")
    assert found.code == 2
    assert "past the registers" in found.err


@pytest.mark.parametrize(
    "copy", ["SM100_TMEM_LOAD_32dp32b1x", "SM100_TMEM_STORE_32dp32b1x", "SM100_UTCCP_4dp256bit_1cta"]
)
def test_tensor_memory_is_not_tiled_over_an_mma(load: Run, copy: str) -> None:
    found = load("--tensor", "(32,32):(32,1)", copy=copy, operand="C")
    assert found.code == 2
    assert "tensor memory" in found.err
