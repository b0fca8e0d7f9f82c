"""Random expressions over four small digits, for tests that try every point."""

import itertools

from hypothesis import strategies as st

from symlayout.symbolic import Int, Var

DIGITS = (Var("a", 2), Var("b", 4), Var("c", 3), Var("d", 5, -2))


def points(*digits: Var) -> list[dict[str, int]]:
    ranges = [range(v.lower or 0, v.bound or 0) for v in digits]
    return [dict(zip([v.name for v in digits], values, strict=True)) for values in itertools.product(*ranges)]


def expressions() -> st.SearchStrategy[Int]:
    """Trees over four small digits with every operation; divisors and masks are ints, as in layouts."""
    start = st.one_of(st.sampled_from(DIGITS), st.integers(-9, 9))

    def grow(inner: st.SearchStrategy[Int]) -> st.SearchStrategy[Int]:
        pair = st.tuples(inner, inner)
        divided = st.tuples(inner, st.integers(1, 12))
        return st.one_of(
            pair.map(lambda p: p[0] + p[1]),
            pair.map(lambda p: p[0] - p[1]),
            divided.map(lambda p: p[0] * p[1]),
            divided.map(lambda p: p[0] // p[1]),
            divided.map(lambda p: p[0] % p[1]),
            st.tuples(inner, st.integers(0, 15)).map(lambda p: p[0] ^ p[1]),
            st.tuples(inner, st.integers(0, 15)).map(lambda p: p[0] & p[1]),
            pair.map(lambda p: p[0] | p[1]),
        )

    return st.recursive(start, grow, max_leaves=7)
