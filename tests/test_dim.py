"""Dims: decided where the ranges decide, a fact where they do not, integers where nothing is left."""

import pickle
import subprocess
import sys
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symlayout import Layout, LayoutError, NeedFact, dims
from symlayout.dim import Dim, Fact, Remainder, ascending, at_least, is_symbolic
from symlayout.errors import NotAnInteger
from symlayout.sympy_edge import from_sympy, to_sympy

M, N, K = dims("M N K")


@st.composite
def sizes(draw: st.DrawFn) -> Any:
    """Polynomials in N and K."""
    terms = draw(st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 2), st.integers(0, 2)), max_size=4))
    return sum((c * N**i * K**j for c, i, j in terms), 0)


def value(x: Any, n: int, k: int) -> int:
    result: int = x if isinstance(x, int) else x.evaluate({"N": n, "K": k})
    return result


@settings(max_examples=150, deadline=None)
@given(sizes(), sizes())
def test_what_is_decided_is_so(a: Any, b: Any) -> None:
    for n, k in ((1, 1), (1, 4), (3, 2), (7, 5)):
        x, y = value(a, n, k), value(b, n, k)
        assert value(a + b, n, k) == x + y
        assert value(a - b, n, k) == x - y
        assert value(a * b, n, k) == x * y
        for answer, truth in ((a < b, x < y), (a <= b, x <= y), (a > b, x > y), (a >= b, x >= y)):
            assert isinstance(answer, Fact) or answer == truth
        try:
            assert (a == b) == (x == y), "decided for all values"
        except NeedFact:
            pass
        try:
            q = a // b
        except (NeedFact, LayoutError, ZeroDivisionError):
            continue
        assert value(q, n, k) == x // y
        assert value(a % b, n, k) == x % y


def test_decisions() -> None:
    assert N + 1 > N
    assert N * K >= N
    assert not N < 1
    assert (8 * K) // 4 == 2 * K
    assert (8 * K) % 4 == 0
    assert (4 * K - 1) // 4 == K - 1
    assert (4 * K - 1) % 4 == 3
    assert (M * N + N) // (M + 1) == N
    assert divmod(N * K, K) == (N, 0)
    assert -(-(4 * K) // 4) == K
    assert abs(-N) == N
    assert bool(N)
    assert type(K - K + 3) is int


@pytest.mark.parametrize(
    "ask, fact",
    [
        (lambda: bool(N >= 8), "N>=8"),
        (lambda: N // 8, "8 | N"),
        (lambda: divmod(N, 8)[0], "8 | N"),
        (lambda: divmod(N, 8)[1], "8 | N"),
        (lambda: divmod(K + 3, 4), "4 | (K-1)"),
        (lambda: divmod(7, K), "K | 7"),
        (lambda: bool(K % 16 == 0), "16 | K"),
        (lambda: bool((2 * K) % 16 != 0), "8 | K"),
        (lambda: (8 * K) // (4 * N), "N | 2*K"),
        (lambda: -K // 16, "16 | K"),
        (lambda: (K % 16) + 1, "16 | K"),
        (lambda: 4 // (N - 1), "N-1>=1"),
        (lambda: bool(N - 1), "N-1>0"),
        (lambda: Layout(N - 1, 1), "N-1>=1"),
        (lambda: sorted([N, K]), "K<N"),
    ],
)
def test_what_is_missing_is_named(ask: Any, fact: str) -> None:
    with pytest.raises(NeedFact) as caught:
        ask()
    assert caught.value.fact == fact
    assert fact in str(caught.value)


def test_equality_is_decided_for_all_values() -> None:
    assert N != 0
    assert N + K != K
    assert N * K == K * N
    assert pickle.loads(pickle.dumps(2 * N + 1)) == 2 * N + 1
    for ask in (lambda: N == 1, lambda: N != 1, lambda: N == K, lambda: N in (1, 2)):
        with pytest.raises(NeedFact, match="this depends on whether N == "):
            ask()


def test_a_dim_is_no_key_but_in_the_packages_own_tables() -> None:
    for ask in (lambda: hash(N), lambda: {N: 1}, lambda: N in {1, 2}, lambda: {1: 5}.get(N)):
        with pytest.raises(NotAnInteger, match="`N` stands for many integers"):
            ask()
    own: dict[str, object] = {"__name__": "symlayout.somewhere", "N": N, "K": K}
    exec("found = {N * 2: 1}[N + N]; same = (N == 1, N == K, hash(N * K) == hash(K * N))", own)
    assert (own["found"], own["same"]) == (1, (False, False, True)), "compared to the letter"


def test_facts() -> None:
    fact = K % 16 == 0
    assert isinstance(K % 16, Remainder)
    assert isinstance(fact, Fact)
    assert str(fact) == "16 | K"
    assert str(~fact) == "not 16 | K"
    assert str(~(N >= 8)) == str(N < 8).replace("N<8", str(~(N >= 8)))


def test_order() -> None:
    assert ascending([4 * K, 1, 2]) == [1, 2, 0]
    assert ascending([K, 1]) == [1, 0], "1 <= K is enough"
    assert ascending([3, 1, 2]) == [1, 2, 0]
    with pytest.raises(NeedFact):
        ascending([N, K])
    assert not at_least(1, N), "1 >= N may be so, 1 > N never"
    assert at_least(N, 1)
    assert at_least(4, 4)
    assert not at_least(3, 4)


def test_no_integer() -> None:
    with pytest.raises(TypeError, match="`N` stands for many integers"):
        range(N)
    with pytest.raises(ZeroDivisionError):
        N // 0
    with pytest.raises(LayoutError, match="only positive divisors"):
        N // -2
    with pytest.raises(LayoutError, match="'2N' is not a name"):
        dims("2N")
    assert is_symbolic((1, (2, N)))
    assert not is_symbolic((1, (2, 3)))


def test_layouts_print_and_measure() -> None:
    layout = Layout((4, N, 2 * K), (1, 8 * K, 4))
    assert str(layout) == "(4,N,2*K):(1,8*K,4)"
    assert layout.size() == 8 * N * K
    assert layout.cosize() == 8 * N * K
    assert str(Layout((4, N, K))) == "(4,N,K):(1,4,4*N)"
    assert layout(1, 0, K - 1) == 4 * K - 3


def test_sympy_at_the_edge() -> None:
    n, k = sympy.symbols("N K", positive=True, integer=True)
    layout = Layout((4, n, 2 * k), (1, 8 * k, 4))
    assert layout == Layout((4, N, 2 * K), (1, 8 * K, 4))
    assert to_sympy(layout.stride) == (1, 8 * k, 4)
    assert sympy.sympify(2 * K + 1) == 2 * k + 1
    assert from_sympy(sympy.Integer(5)) == 5
    assert isinstance(from_sympy(n * k + 3), Dim)
    for wrong in (n / 2, sympy.sqrt(n), 1 / n):
        with pytest.raises(LayoutError):
            from_sympy(wrong)


def test_sympy_is_not_loaded() -> None:
    code = (
        "import sys; from symlayout import *; N, K = dims('N K'); "
        "zipped_divide(Layout((32 * N, 16 * K)), (32, 16)); print('sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
