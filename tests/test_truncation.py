"""Division that truncates towards zero, of integers, of polynomials and of expressions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from symlayout import (
    Layout,
    LayoutError,
    NeedFact,
    Proved,
    Refuted,
    Unknown,
    crd2idx,
    dims,
    equal,
    idx2crd,
    left_inverse,
    prove,
    shape_div,
    tile_to_shape,
)
from symlayout.symbolic import Expr, Int, Var, evaluate, variables
from symlayout.truncation import digits, split, tdiv, tmod


def cpp(a: int, b: int) -> tuple[int, int]:
    """The `/` and `%` of C++."""
    q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return q, a - b * q


@pytest.mark.parametrize("n", [1, 2, 3, 5, -1, -2, -3])
def test_integers(n: int) -> None:
    for i in range(-12, 13):
        assert (tdiv(i, n), tmod(i, n)) == split(i, n) == cpp(i, n)


def test_the_last_digit_takes_what_is_left() -> None:
    assert digits(-17, (2, 3, 2)) == [-1, -2, -2]
    assert digits(17, (2, 3, 2)) == [1, 2, 2]
    assert digits(-17, (2,)) == [-17]


def test_polynomials_of_one_sign_divide_and_others_ask() -> None:
    K = dims("K")
    assert split(4 * K + 3, 4) == (K, 3)
    assert split(-4 * K - 3, 4) == (-K, -3)
    assert split(4 * K - 8, 4) == (K - 2, 0)
    with pytest.raises(NeedFact, match="truncates towards zero") as error:
        split(4 * K - 5, 4)
    assert error.value.fact == "4*K-5>=0"


A, B = Var("a", 7), Var("b", 6)
BOUNDED: tuple[Int, ...] = (A - B, 3 * A - 5 * B, A - 6, A - B - 6, -B, 2 * A - 11, A * B - 9, A + B)
LAYOUTS = [
    Layout((4, 4), (4, 1)),
    Layout((3, 2, 2), (7, -5, 2)),
    Layout(((3, 1), 2), ((7, 2), 3)),
    Layout(3, 5),
]


@pytest.mark.parametrize("x", BOUNDED, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_layout_at_expressions_is_the_layout_at_their_values(x: Expr, layout: Layout) -> None:
    at, also, crd = layout(x), crd2idx(x, layout), idx2crd(x, layout)
    for a, b in product(range(7), range(6)):
        point = {"a": a, "b": b}
        i = x.evaluate(point)
        assert evaluate(at, point) == evaluate(also, point) == layout(i) == crd2idx(i, layout)
        assert values(crd, point) == idx2crd(i, layout)


def values(t: Any, point: dict[str, int]) -> Any:
    return tuple(values(x, point) for x in t) if isinstance(t, tuple) else evaluate(t, point)


N = dims("N")
DIGIT = Var("n", N)
OPEN: tuple[Any, ...] = (N - 1 - DIGIT, DIGIT - N, 2 * N - 3 * DIGIT, DIGIT - 4, 5 - DIGIT - DIGIT)


@pytest.mark.parametrize("x", OPEN, ids=str)
@pytest.mark.parametrize("layout", [*LAYOUTS, Layout((N, 3), (1, 5)), Layout((2, N, 2), (3, 1, 7))], ids=str)
def test_ranges_without_an_end(x: Expr, layout: Layout) -> None:
    at = layout(x)
    for size in range(1, 9):
        plain = Layout(here(layout.shape, size), layout.stride)
        for n in range(size):
            point = {v.name: size if str(v.name) == "N" else n for v in variables(x, at)}
            assert evaluate(at, point) == plain(x.evaluate(point))


def here(t: Any, size: int) -> Any:
    return tuple(here(x, size) for x in t) if isinstance(t, tuple) else t if isinstance(t, int) else size


def test_what_is_surely_not_negative_is_written_with_plain_floors() -> None:
    layout = Layout((4, 8), (8, 1))
    assert str(layout(DIGIT)) == "8*(n%4) + n//4"
    assert "N + (-1) - n" in str(layout(N - 1 - DIGIT))
    assert "*(N" not in str(layout(N - 1 - DIGIT))


def test_a_digit_and_a_parameter_of_one_name_are_two() -> None:
    """Their difference has no sign, though the text of it is n - n."""
    n = dims("n")
    digit = Var("n", None, 1)
    layout = Layout((2, 3), (5, 1))
    at = layout(digit - n)
    for i, j in ((1, 4), (4, 1), (3, 3), (2, 9)):
        point = {v.name: j if v.param is not None else i for v in variables(at)}
        assert evaluate(at, point) == layout(i - j)


def test_claims_about_a_layout_after_another_truncate() -> None:
    a, b = Layout((3, 2, 3), (6, 18, 1)), Layout((3, 2), (1, -6))
    verdict = prove(lambda i: equal(a(b(i)), Layout((3, 2), (6, -1))(i)), i=6)
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"i": 4}
    assert isinstance(
        prove(lambda i: equal(Layout((2, 3), (2, 1))(-i), -Layout((2, 3), (2, 1))(i)), i=6), Proved
    )
    assert isinstance(prove(lambda x, y: equal(a(x - y), -a(y - x)), x=9, y=9), Proved)
    floored = prove(lambda i: equal(Layout((4, 4), (4, 1))(i - 3), 4 * ((i - 3) % 4) + (i - 3) // 4), i=8)
    assert isinstance(floored, Refuted)
    assert floored.witness == {"i": 0}


def test_parametric_claims_truncate() -> None:
    layout = Layout((N, 3), (1, 2 * N))
    assert isinstance(prove(lambda n: equal(layout(N - 1 - n), N - 1 - n), n=N), Proved)
    wrong = prove(lambda n: equal(layout(n - N), n - N), n=N)
    assert isinstance(wrong, Refuted)
    assert wrong.witness == {"N": 1, "n": 0}


def test_a_sign_that_nothing_decides_is_unknown_and_no_fault() -> None:
    layout = Layout((2, N), (3, 1))
    verdict = prove(lambda n: equal(layout(2 * n - N), -layout(N - 2 * n)), n=N)
    assert isinstance(verdict, Unknown)


@pytest.mark.parametrize(
    "say, words",
    [
        (lambda: left_inverse(Layout((2, 4), (-4, 1))), "1 % -4 = 1\n"),
        (lambda: left_inverse(Layout((6, 4), (8, -3))), "8 % -3 = 2\n"),
        (lambda: shape_div(-7, 3), "-7 % 3 = -1, 3 % -7 = 3"),
        (lambda: tile_to_shape(Layout((4, 5), (4, -1)), (8, 10)), "4 / -5 = 0"),
    ],
)
def test_messages_divide_as_cpp_does(say: Callable[[], Any], words: str) -> None:
    with pytest.raises(LayoutError) as found:
        say()
    assert words in str(found.value)
