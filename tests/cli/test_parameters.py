"""`prove retile` and `refute divide` over parameters: proved for all, refuted at the smallest, or what is
missing."""

import pytest

from .conftest import Outcome, Run

MMA = ("--mma", "SM80_16x8x16_F32F16F16F32_TN", "--copy", "SM75_U32x4_LDSM_N")


Prove = Run


@pytest.fixture
def prove(run: Run) -> Prove:
    def invoke(*words: str) -> Outcome:
        return run("prove", "retile", *MMA, *words)

    return invoke


def test_proved_for_all_sizes(prove: Prove) -> None:
    found = prove("--operand", "A", "--tensor", "(M,K)", "--assume", "M % 32 == 0, K % 16 == 0")
    assert found.code == 0
    assert "where M = 32*m, K = 16*k, for all k >= 1, m >= 1" in found.out
    assert "tXrA = ((8,1),2*m,k):((1,0),8*k,8)" in found.out
    assert "Proved: for all m >= 1, k >= 1" in found.out


def test_padded_tensor(prove: Prove) -> None:
    found = prove(
        *("--operand", "B", "--permutation", "16,8,32", "--tensor", "(N,K):(ld,1)"),
        *("--assume", "N % 8 == 0, K % 32 == 0, ld >= K"),
        *("--subject", "view"),
    )
    assert found.code == 0
    assert "(8*n,32*k):(32*k+p,1)" in found.out


@pytest.mark.parametrize(
    "assumed, missing",
    [
        ("M % 32 == 0", "16 | K"),
        ("", "16 | M, 16 | K"),
        ("M % 8 == 0, K % 16 == 0", "16 | M"),
        ("M >= 3, K == 32", "16 | M"),
    ],
)
def test_what_is_missing_is_named(prove: Prove, assumed: str, missing: str) -> None:
    found = prove("--operand", "A", "--tensor", "(M,K)", *(("--assume", assumed) if assumed else ()))
    assert found.code == 3
    assert f"assuming {missing} it is proved for all" in found.out
    both = f"{assumed}, {missing}" if assumed else missing
    assert f'assume it: --assume "{both}"' in found.out
    again = prove("--operand", "A", "--tensor", "(M,K)", "--assume", both)
    assert again.code == 0


def test_refuted_at_the_smallest(prove: Prove) -> None:
    found = prove(
        *("--operand", "B", "--permutation", "16,(8,2,2):(1,16,8),16", "--tensor", "(N,K)"),
        *("--assume", "N % 32 == 0, K % 16 == 0"),
    )
    assert found.code == 1
    assert "at n = 1, k = 1, thread = 0, value = 4, slot = 4" in found.out
    assert "the mma has B(8,0) there, the copy writes B(16,0) there" in found.out
    assert "that is N = 32, K = 16" in found.out


def test_contradictory_assumptions_are_vacuous(prove: Prove) -> None:
    found = prove("--operand", "A", "--tensor", "(M,K)", "--assume", "M < 1")
    assert found.code == 3
    assert "Vacuous" in found.out


def test_bad_assumptions(prove: Prove) -> None:
    found = prove("--operand", "A", "--tensor", "(M,K)", "--assume", "M is large")
    assert found.code == 2
    assert "facts look like" in found.err or "assume" in found.err


@pytest.mark.parametrize("assumed", ["M % 32 == 0, K % 16 == 0", "M % 32 == 0", "M < 1"])
def test_json(prove: Prove, assumed: str) -> None:
    found = prove("--operand", "A", "--tensor", "(M,K)", "--assume", assumed, "--format", "json")
    data = found.data
    assert data["assumed"] == assumed
    assert data["exit_code"] == found.code


def test_the_derived_condition(run: Run) -> None:
    found = run("refute", "divide", "--symbolic")
    assert found.code == 0
    assert "Proved: the divide agrees with retile iff N = 1 or G = 1" in found.out
    assert "at index V the divide has register G*K*V, the retile V: they differ unless G = 1" in found.out
    data = run("refute", "divide", "--symbolic", "--format", "json").data
    assert data["agrees_iff"] == "N = 1 or G = 1"
    assert [r["agrees_iff"] for r in data["regimes"]] == ["G = 1", "N = 1"]


def test_eval_over_parameters(run: Run) -> None:
    expression = "zipped_divide((M,K):(K,1), (16,8))"
    found = run("eval", expression)
    assert found.code == 3
    assert '--assume "16 | M"' in found.err
    assert run("eval", expression, "--format", "json").data["missing_fact"] == "16 | M"
    found = run("eval", expression, "--assume", "16 | M, K % 8 == 0")
    assert found.out == "((16,8),(m,k)):((8*k,1),(128*k,8))\n"
    assert run("eval", "size((M,?{div=8}):(K,1))", "--format", "json").data["value"] == "8*M*d0"


def test_a_grid_needs_integers(run: Run) -> None:
    found = run("show", "(4,N):(1,4)")
    assert found.code == 2
    assert "has parameters" in found.err


def test_refute_divide_over_parameters(run: Run) -> None:
    gather = (*MMA, "--operand", "B", "--permutation", "16,8,32", "--tiler", "8")
    found = run("refute", "divide", *gather, "--tensor", "(16*N,32*K)")
    assert found.code == 0
    assert "first difference at index 4" in found.out
    assert "Refuted, as stated: " in found.out
    found = run("refute", "divide", *gather, "--tensor", "(8,32*K)")
    assert found.code == 1, "N = 1: they agree"
    assert run("refute", "divide", *gather, "--tensor", "(8*N,32*K)").code == 3


def test_trace_over_parameters(run: Run) -> None:
    found = run("trace", "retile", *MMA, "--operand", "A", "--tensor", "(16*M,16*K)")
    assert found.code == 0
    assert "((8,1),M,K):((1,0),8*K,8)" in found.out


@pytest.mark.parametrize(
    "tensor, assumed",
    [
        ("(J,K)", "J % 16 == 0, K % 16 == 0"),
        ("(j,k)", "j % 16 == 0, k % 16 == 0"),
        ("(thread,value)", "thread % 16 == 0, value % 16 == 0"),
        ("(x,t)", "16 | x, 16 | t"),
        ("(let,lambda)", "let % 16 == 0, lambda % 16 == 0"),
    ],
)
def test_names_of_parameters_collide_with_nothing(prove: Prove, tensor: str, assumed: str) -> None:
    found = prove("--operand", "A", "--tensor", tensor, "--assume", assumed, "--subject", "view")
    assert found.code == 0, found.out + found.err


@pytest.mark.parametrize(
    "assumed, words",
    [
        ("M % 16 == 24", "a remainder modulo 16, which is 0 to 15, not 24"),
        ("0 | M", "a positive divisor"),
        ("M % 0 == 0", "a positive divisor"),
        ("M % 8 == -1", "never negative"),
    ],
)
def test_facts_that_are_none(prove: Prove, assumed: str, words: str) -> None:
    found = prove("--operand", "A", "--tensor", "(M,K)", "--assume", assumed)
    assert found.code == 2
    assert words in found.err


def test_facts_that_nothing_meets(prove: Prove) -> None:
    """A product that has no such factors, about parameters that the tensor does not show."""
    assumed = "M % 16 == 0, K % 16 == 0, A*B == 7, A >= 2, B >= 2, A + B <= 11"
    found = prove("--operand", "A", "--tensor", "(M,K)", "--assume", assumed)
    assert found.code == 3
    assert "Vacuous" in found.out


def test_what_assume_makes_prints_like_no_name_of_the_user(run: Run) -> None:
    assert run("eval", "size((K,k))", "--assume", "16 | K").out == "16*k*k1\n"


@pytest.mark.parametrize("subject", ["memory", "load"])
def test_a_refutation_names_no_values_but_its_own(prove: Prove, subject: str) -> None:
    """A fact is tried that fixes m; the tensor that fails has another m: nothing of the trial is shown."""
    found = prove("--operand", "A", "--tensor", "((24,m),16):((16,400),1)", "--subject", subject)
    assert found.code == 1
    assert "at m = 2" in found.out
    assert "m = 1" not in found.out
