"""Polynomials: arithmetic agrees with integers, and what is shown to be 0 or more is."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from symlayout import polynomial as poly
from symlayout.polynomial import ONE, Param, Poly

N, K, Z = Param("N"), Param("K"), Param("z", 0)
D = Param("d", 0, {(K,): 4})  # 0 <= d < 4*K
NAMES = (N, K, Z, D)

monomials = st.lists(st.sampled_from(NAMES), max_size=3).map(lambda m: tuple(sorted(m)))
polynomials = st.dictionaries(monomials, st.integers(-9, 9).filter(bool), max_size=4)


def points() -> list[dict[str, int]]:
    found = []
    for n, k, z in product((1, 2, 5), (1, 2, 3), (0, 1, 4)):
        found += [{"N": n, "K": k, "z": z, "d": d} for d in (0, 1, 4 * k - 1)]
    return found


POINTS = points()


def at(p: Poly, values: dict[str, int]) -> int:
    return poly.evaluate(p, {v: values[v.name] for v in poly.closure(p)})


@settings(max_examples=150, deadline=None)
@given(polynomials, polynomials)
def test_sums_and_products_are_those_of_the_values(p: Poly, q: Poly) -> None:
    for values in POINTS:
        a, b = at(p, values), at(q, values)
        assert at(poly.add(p, q, -3), values) == a - 3 * b
        assert at(poly.multiply(p, q), values) == a * b
        assert at(poly.scale(p, 7), values) == 7 * a
    assert 0 not in poly.multiply(p, q).values()


@settings(max_examples=150, deadline=None)
@given(polynomials, polynomials.filter(bool))
def test_division_takes_multiples_out(p: Poly, s: Poly) -> None:
    q, r = poly.divide(p, s)
    assert poly.add(poly.multiply(s, q), r) == p
    assert poly.divide(poly.multiply(p, s), s) == (p, {})


@settings(max_examples=200, deadline=None)
@given(polynomials)
def test_nonneg_is_never_wrong(p: Poly) -> None:
    if poly.nonneg(p):
        assert all(at(p, values) >= 0 for values in POINTS), poly.show(p)


def test_nonneg_finds_what_the_calculus_needs() -> None:
    n: Poly = {(N,): 1}
    k: Poly = {(K,): 1}
    nk: Poly = {(K, N): 1}
    assert poly.nonneg(poly.add(nk, n, -1))  # N*K >= N
    assert poly.nonneg({(K,): 4, (D,): -1, ONE: -1})  # d <= 4*K - 1
    assert poly.nonneg({(D,): 1})
    assert not poly.nonneg({(D,): 1, ONE: -1})
    assert not poly.nonneg(poly.add(n, k, -1))
    i = Param("i", 0, {(N,): 1})
    # K*N - 1 - (K*i + K - 1) >= 0, which needs the product K*(N - 1 - i)
    assert poly.nonneg({(K, N): 1, (K, i): -1, (K,): -1})


def test_facts_are_tried() -> None:
    fact: Poly = {ONE: 64, (K, N): -1}
    a, b = Param("N", 1, None, "+"), Param("K", 1, None, "+")
    for v in (a, b):
        v.facts = ({ONE: 64, (b, a): -1},)
    assert poly.nonneg({ONE: 70, (b, a): -1})
    assert not poly.nonneg({ONE: 70, (K, N): -1}), "parameters of the same name without the fact"
    assert fact


def test_parameters_are_told_apart_by_what_is_known_of_them() -> None:
    assert Param("K") == Param("K")
    assert Param("K") != Param("K", 0)
    assert Param("K", 0, {ONE: 8}) != Param("K", 0, {ONE: 9})
    assert poly.closure({(D,): 1}) == (K, D), "what a bound needs comes first"


def test_show() -> None:
    assert poly.show({}) == "0"
    assert poly.show({(K, N): 2, (N,): -1, ONE: 1}) == "2*K*N-N+1"
    assert poly.show({(K, K): 1}) == "K*K"
