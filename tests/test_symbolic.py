"""Expressions over digits: exact values, ranges that hold, a normal form that changes nothing."""

import subprocess
import sys
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings

from symlayout.claims import equal
from symlayout.decide import prove
from symlayout.errors import NeedFact, UnsupportedError
from symlayout.layout import Layout
from symlayout.normal import constant, identical, simplify
from symlayout.swizzle import Swizzle
from symlayout.symbolic import Expr, Int, Var, evaluate, leaves, same_tree, span, variables
from symlayout.verdict import Proved
from tests.expressions import DIGITS, expressions, points

a, b, lane = Var("a", 2), Var("b", 4), Var("lane", 32)


@settings(max_examples=400, deadline=None)
@given(expressions())
def test_values_stay_in_the_range_and_in_the_normal_form(x: Int) -> None:
    lo, hi = span(x)
    normal = simplify(x)
    normal_lo, normal_hi = span(normal)
    for point in points(*DIGITS):
        value = evaluate(x, point)
        assert (lo is None or lo <= value) and (hi is None or value <= hi), f"{x} = {value} at {point}"  # noqa: PT018
        assert evaluate(normal, point) == value, f"simplify({x}) = {normal} differs at {point}"
        assert normal_lo is None or normal_lo <= value
        assert normal_hi is None or value <= normal_hi


@settings(max_examples=300, deadline=None)
@given(expressions(), expressions())
def test_identical_implies_equal_values(x: Int, y: Int) -> None:
    assert identical(x, x)
    if identical(x, y):
        for point in points(*DIGITS):
            assert evaluate(x, point) == evaluate(y, point), f"{x} and {y} differ at {point}"


@pytest.mark.parametrize(
    "x, text",
    [
        ((a + 2 * b) % 2, "a"),
        ((a + 2 * b) // 2, "b"),
        ((a + 2 * b) // 4, "b//2"),
        ((a + 2 * b) % 4, "2*(b%2) + a"),
        (5 * lane // 5, "lane"),
        ((lane % 8) // 2, "lane//2%4"),
        (lane // 4 // 2, "lane//8"),
        (lane % 8 % 4, "lane%4"),
        (lane // 32, "0"),
        (lane % 32, "lane"),
        ((32 + lane) // 32, "1"),
        (lane - lane, "0"),
    ],
)
def test_normal_form(x: Int, text: str) -> None:
    assert str(simplify(x)) == text


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_sums_divided_have_their_values(n: int) -> None:
    """Every small sum: what is left of it under the divisor may be just below 0, or just n."""
    at = points(a, b)
    for c, d, k in product(range(-n, n + 1), (-n - 1, -1, 1, n - 1, n), (-n, -1, 0, 1, n - 1)):
        x = a * c + b * d + k
        for e in (x // n, x % n):
            normal = simplify(e)
            for point in at:
                assert evaluate(normal, point) == evaluate(e, point), f"simplify({e}) = {normal} at {point}"


def test_identities_over_remainders() -> None:
    assert identical(4 * (lane // 4) + lane % 4, lane)
    assert identical(16 * (lane // 16) + 4 * (lane // 4 % 4) + lane % 4, lane)
    assert not identical(4 * (lane // 4) + lane % 8, lane)
    assert constant((a + 2 * b) // 8) == 0
    assert constant(lane // 4) is None


def test_the_tree_is_what_was_written() -> None:
    x = (a + 2 * b) % 2
    assert isinstance(x, Expr)
    assert str(x) == "(a + 2*b)%2"
    assert x == (a + 2 * b) % 2
    assert x._hash == ((a + 2 * b) % 2)._hash  # type: ignore[union-attr]
    assert not same_tree(x, a), "sameness of trees, not of values"


def test_ints_stay_ints_and_neutral_elements_vanish() -> None:
    assert type(Layout((4, 8), (8, 1))(13)) is int
    assert a + 0 is a
    assert 0 + a is a
    assert a * 1 is a
    assert a * 0 == 0
    assert type(a * 0) is int
    assert a // 1 is a
    assert a % 1 == 0
    assert a ^ 0 is a
    assert a & 0 == 0


@pytest.mark.parametrize(
    "layout",
    [
        Layout(((4, 8), (2, 2)), ((16, 1), (8, 64))),
        Layout(((2, 2, 2), 1, 1), ((1, 2, 4), 0, 0)),
        Layout((3, 5), (7, 2)),
        Layout(((2, 3), 4), ((1, 40), 3)),
    ],
)
def test_a_layout_of_a_digit_is_the_layout_at_every_value(layout: Layout) -> None:
    i = Var("i", layout.size())
    answer = layout(i)
    for n in range(layout.size()):
        assert evaluate(answer, {"i": n}) == layout(n)


def test_a_swizzle_of_a_digit() -> None:
    i = Var("i", 1024)
    for swizzle in (Swizzle(3, 3, 3), Swizzle(2, 4, 3), Swizzle(2, 0, -2)):
        answer = swizzle(i)
        assert all(evaluate(answer, {"i": n}) == swizzle(n) for n in range(1024))


def test_a_digit_is_no_truth_value_and_no_index() -> None:
    with pytest.raises(TypeError, match=r"`a` stands for many integers[^$]*state a claim, equal\(a, b\)"):
        bool(a)
    with pytest.raises(TypeError, match=r"`a` stands for many integers[^$]*one integer is needed here"):
        [1, 2][a]
    with pytest.raises(NeedFact, match="`a` is below `b` for some values and not for others"):
        a < b  # noqa: B015
    assert bool(a + 1)
    assert a < 2
    assert a <= b + 1
    assert not a > 1
    assert a >= 0


def test_division_needs_a_positive_int() -> None:
    with pytest.raises(UnsupportedError, match="division by a symbol needs facts about it"):
        a // b
    with pytest.raises(UnsupportedError, match="division by a symbol"):
        7 % b
    with pytest.raises(ZeroDivisionError):
        a % 0
    with pytest.raises(UnsupportedError, match="only positive divisors"):
        a // -2
    with pytest.raises(TypeError):
        a // 0.5


def test_digits() -> None:
    assert variables(a + b * 2, b - lane) == (a, b, lane)
    with pytest.raises(ValueError, match="two digits are called a"):
        variables(a, Var("a", 3))
    with pytest.raises(ValueError, match="x ranges over nothing"):
        Var("x", 0)
    assert span(Var("p", None)) == (0, None)
    assert span(Var("p", None) * 3 + 1) == (1, None)
    assert span(Var("p", None) - 1) == (-1, None)
    assert list(leaves((1, (a, 2), [3]))) == [1, a, 2, 3]
    assert (a + 2 * b).evaluate({"a": 1, "b": 3}) == 7  # type: ignore[union-attr]


def test_no_solver_and_no_algebra_package_is_loaded() -> None:
    code = (
        "import sys, symlayout.normal, symlayout.claims, symlayout.decide, symlayout.theory;"
        "import symlayout.checklist;"
        "print([m for m in ('z3', 'sympy', 'numpy', 'lark', 'rich') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def test_python_code_cannot_branch_on_a_symbol() -> None:
    """A branch would be taken once for all values, and the claim proved for those of one branch only."""
    asks: list[Callable[[], object]] = [
        lambda: a == 1,
        lambda: a != 1,
        lambda: a in (1, 2),
        lambda: 5 if a == 1 else a,
        lambda: a == b,
    ]
    for ask in asks:
        with pytest.raises(NeedFact, match="cannot branch on a symbol"):
            ask()
    assert a != 2, "a is 0 or 1"
    assert 2 * b + 5 != b
    assert a == a + 0


def test_the_refusal_names_both_sides_within_a_body_too() -> None:
    with pytest.raises(NeedFact, match="`b` is below `a` for some values and not for others"):
        prove(lambda a, b: equal(min(a, b), a), a=2, b=2)


def test_true_counts_as_one() -> None:
    for x in (a + True, True + a, a & True, lane // True, b * True):
        assert "True" not in str(x)
    assert isinstance(prove(lambda a: equal(a + True, a + 1), a=2), Proved)


def test_what_is_printed_reads_back_as_what_it_is() -> None:
    p, q, r = Var("p", 50), Var("q", 9), Var("r", 9)
    texts = {
        "-((p + 2)//3)": -((p + 2) // 3),
        "-(p%3)": -(p % 3),
        "-(p//3*q)": -((p // 3) * q),
        "-2*p": -(2 * p),
        "(64*p + q) ^ (p//2)": (64 * p + q) ^ (p // 2),
        "p ^ q ^ r": p ^ q ^ r,
        "(p & q) | r": (p & q) | r,
        "2*(p ^ q)": (p ^ q) * 2,
        "(p ^ 3) + 1": (p ^ 3) + 1,
        "p - (-q)": p - (-q),
    }
    for text, expression in texts.items():
        assert str(expression) == text
        for point in ({"p": 17, "q": 5, "r": 8}, {"p": 48, "q": 2, "r": 3}, {"p": 1, "q": 8, "r": 0}):
            assert eval(text, {}, dict(point)) == evaluate(expression, point)


def test_expressions_that_differ_by_minus_one_and_minus_two_are_two_keys() -> None:
    own = {"__name__": "symlayout.somewhere", "x": Var("x", 8)}  # of the package's own tables
    assert eval("len({x + (-1): 1, x + (-2): 2})", own) == 2
