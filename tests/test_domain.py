"""assume: facts worked into the parameters hold, and nothing that meets them is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symlayout import Domain, Layout, LayoutError, NotationError, assume, dims
from symlayout.domain import Contradiction
from symlayout.parametric import instances

M, N, K, ld = dims("M N K ld")


@pytest.mark.parametrize(
    "facts, text",
    [
        (("K % 16 == 0, ld >= K, ld % 8 == 0",), "K = 16*k, ld = 16*k+8*p, for all k >= 1, p >= 0"),
        (("ld >= K",), "ld = K+p, for all K >= 1, p >= 0"),
        (("ld % 8 == 0, ld >= K",), "ld = 8*q, for all q >= 1, 1 <= K < 8*q+1"),
        (("N <= 8, N >= 3",), "for all 3 <= N < 9"),
        (("N % 16 == 0, 64 | N, 3 | N",), "N = 192*n, for all n >= 1"),
        (("K >= 40, K % 16 == 0",), "K = 16*k, for all k >= 3"),
        (("K % N == 0",), "K = N*k, for all N >= 1, k >= 1"),
        (("K % 4 == 1",), "K = 4*k+1, for all k >= 0"),
        (("K == 2*N, N >= 2",), "K = 2*N, for all N >= 2"),
        (("N <= 1",), "N = 1"),
        (("1 <= N < 4",), "for all 1 <= N < 4"),
    ],
)
def test_printed(facts: tuple[str, ...], text: str) -> None:
    assert str(assume(*facts)) == text


def test_facts_from_dims() -> None:
    d = assume(K % 16 == 0, ld >= K, ld % 8 == 0)
    k, wide = d
    assert str(k) == "16*k"
    assert str(wide) == "16*k+8*p"
    assert d["ld"] == wide
    assert str(d(Layout((M, K), (ld, 1)))) == "(M,16*k):(16*k+8*p,1)"
    assert d(K) % 16 == 0
    assert d(ld) >= d(K)
    assert str(assume(True)) == ""


def test_what_fits_no_parameter_is_kept() -> None:
    d = assume("M*N <= 64")
    m, n = d
    assert m * n < 65
    assert not m * n >= 65
    assert "M*N" in str(d)
    assert [str(f) for f in assume("4 | A*B").side] == ["4 | A*B"]


@pytest.mark.parametrize("facts", ["K < 1", "K >= 5, K <= 4", "K == 0", "N >= 9, N % 8 == 0, N <= 15"])
def test_contradictions(facts: str) -> None:
    with pytest.raises(Contradiction):
        assume(facts)


@pytest.mark.parametrize(
    "text, words, column",
    [
        ("K +", "invalid syntax", 3),
        ("K % 0 == 0", "a positive divisor", 0),
        ("f(K) > 2", r"integers, names", 0),
        ("K != 3", "one of ==", 0),
        ("K", "a comparison", 0),
        ("N > 1, K ** 2 > 3", r"integers, names", 7),
    ],
)
def test_bad_text(text: str, words: str, column: int) -> None:
    with pytest.raises(NotationError, match=words) as caught:
        assume(text)
    assert caught.value.column == column


def test_what_is_no_fact() -> None:
    with pytest.raises(LayoutError, match="does not say what the remainder is"):
        assume(K % 16 != 0)
    with pytest.raises(LayoutError, match="is not a fact"):
        assume(3)


@pytest.mark.parametrize(
    "fact, old",
    [
        ("4 | n", "64 | N"),
        ("n >= 3", "N >= 48"),
        ("n <= 7", "N <= 112"),
        ("2*n >= 5", "N >= 48"),
        ("2 | n*m", ""),
    ],
)
def test_facts_about_new_parameters_in_terms_of_the_old(fact: str, old: str) -> None:
    assert assume("N % 16 == 0, M >= 1").original(fact) == old


ATOMS = [
    "K % 4 == 0",
    "6 | N",
    "ld >= K",
    "N >= K",
    "N <= 5",
    "K <= 2*N",
    "ld % 2 == 0",
    "K >= 3",
    "M == 2*N",
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4, unique=True))
def test_every_instance_meets_the_facts(facts: list[str]) -> None:
    try:
        d = assume(*facts)
    except Contradiction:
        return
    found = [_old(d, values) for values in instances(d.params())]
    for values in found:
        assert all(v >= 1 for v in values.values())
        assert _meets(facts, values), (str(d), values)


def test_no_small_instance_is_lost() -> None:
    """K % 16 = 0 and ld >= K and 8 | ld: the pairs up to (48, 64), by hand and by the domain."""
    d = assume("K % 16 == 0, ld >= K, ld % 8 == 0")
    wanted = {(16, 16), (16, 24), (32, 32), (32, 40), (48, 48), (16, 32), (32, 48), (48, 56), (48, 64)}
    found = {(v["K"], v["ld"]) for v in (_old(d, values) for values in instances(d.params()))}
    assert wanted == found


def _old(d: Domain, values: dict[str, int]) -> dict[str, int]:
    return {name: x if isinstance(x, int) else x.evaluate(values) for name, x in d.values.items()}


def _meets(facts: list[str], values: dict[str, int]) -> bool:
    names = {"K": 1, "N": 1, "M": 1, "ld": 1, **values}
    for fact in facts:
        if "|" in fact:
            n, name = fact.split(" | ")
            if names[name] % int(n):
                return False
        elif not eval(fact, {"__builtins__": {}}, names):
            return False
    return True
