"""Conditions on sizes: derived by comparing canonical forms, and proved both ways."""

import pytest

from symlayout import Layout, LayoutError, dims
from symlayout.conditions import agree_iff, divide_against_retile, first_difference
from symlayout.parametric import at

M, N, K = dims("M N K")


def test_the_divide_agrees_iff() -> None:
    _, _, regimes = divide_against_retile()
    assert [str(r.condition) for r in regimes] == ["G = 1", "N = 1"]
    assert all(r.condition.proved for r in regimes)
    assert str(regimes[0].divided) == "((V,G),(n,G*K)):((1,G*K*V),(G*G*K*V,V))"
    with pytest.raises(LayoutError, match="agree for all sizes"):
        agree_iff(Layout((N, K), (1, N)), Layout(N * K))


def test_a_condition_by_hand() -> None:
    """(N,K):(1,2*N) goes on in itself only where N or K is 1, and then is N*K:1 only where K is."""
    condition = agree_iff(Layout((N, K), (1, 2 * N)), Layout(N * K))
    assert condition.ones == ("K",)
    assert str(condition) == "K = 1"
    assert condition.proved
    assert (condition.index, condition.left, condition.right) == (N, 2 * N, N)
    assert condition.obligations > 0


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("g", [1, 2, 3, 4])
def test_on_integers(n: int, g: int) -> None:
    """The derived condition at V = 2, K = 2, where CuTe's divide has an answer."""
    _, _, regimes = divide_against_retile()
    by_g, by_n = regimes
    for regime, name, whole, part in ((by_g, "n", n, g), (by_n, "g", g, n)):
        if whole % part:
            continue
        values = {"V": 2, "K": 2, "N": n, "G": g, name: whole // part}
        same = at(regime.divided, values).canonical() == at(regime.view, values).canonical()
        assert same == (n == 1 or g == 1), f"N = {n}, G = {g}"


def test_the_first_difference() -> None:
    assert first_difference(Layout((4, N), (1, 8)), Layout((4, N), (1, 16))) == (4, 8, 16)
    assert first_difference(Layout((N, M), (1, 2 * N)), Layout((2 * N, M), (1, 4 * N))) == (N, 2 * N, N)
