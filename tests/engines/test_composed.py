"""The map around a layout counts as injective only where it is: a swizzle, or one that is proved so."""

from itertools import product
from typing import Any

import pytest

from symlayout import Bounded, ComposedLayout, Layout, Proved, Refuted, Swizzle, assume, dims, prove
from symlayout.claim import Claim
from symlayout.claims import aligned, bijective, covers, disjoint, equal, injective, within

K, M = dims("K M")
IDENTITY = Layout((4, 4), (4, 1))
FOLDS = Layout((4, 4), (0, 1))


@pytest.mark.parametrize(
    "layout",
    [
        ComposedLayout(Layout((1000, 1000), (1, 0)), 0, Layout(K, 1)),
        ComposedLayout(Layout((2, 8), (0, 1)), 0, Layout((K,), (1,))),
        ComposedLayout(Swizzle(1, 0, 3), 0, ComposedLayout(Layout((2, 8), (0, 1)), 0, Layout(K, 1))),
        ComposedLayout(Layout((M, K), (K, 1)), 1, Layout(M * K, 1)),  # the last index lies outside
        ComposedLayout(Layout((M, 2), (1, 1)), 0, Layout(2 * M, 1)),
    ],
)
def test_an_outer_map_that_folds_is_not_injective(layout: ComposedLayout) -> None:
    for engine in ("", "calculus", "fast"):
        assert not isinstance(prove(injective(layout), engine=engine), Proved)
        assert not isinstance(prove(bijective(layout), engine=engine), Proved)


def test_where_an_outer_map_folds() -> None:
    late = prove(injective(ComposedLayout(Layout((1000, 1000), (1, 0)), 0, Layout(K, 1))))
    assert isinstance(late, Refuted)
    assert late.witness == {"K": 1001, "i": 0, "j": 1000}
    verdict = prove(injective(ComposedLayout(Layout((2, 8), (0, 1)), 0, Layout((K,), (1,)))))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"K": 2, "i": 0, "j": 1}


@pytest.mark.parametrize(
    "layout",
    [
        ComposedLayout(Layout((M, K), (K, 1)), 0, Layout(M * K, 1)),
        ComposedLayout(Layout((8, 8), (8, 1)), 0, assume("K <= 64")(Layout(K, 1))),
        ComposedLayout(Swizzle(2, 0, 3), 8, ComposedLayout(Swizzle(1, 0, 3), 0, Layout((K, 4), (4, 1)))),
        ComposedLayout(Swizzle(2, 0, 3), 0, ComposedLayout(Layout((M, K), (K, 1)), 0, Layout(M * K, 1))),
    ],
)
def test_injective_through_and_through(layout: ComposedLayout) -> None:
    verdict = prove(injective(layout))
    assert isinstance(verdict, Proved)
    assert verdict.engine.startswith("calculus, ")


OUTER: list[Any] = [
    IDENTITY,
    FOLDS,
    Layout((2, 8), (8, 1)),
    Swizzle(1, 0, 2),
    Swizzle(2, 0, -2),
    ComposedLayout(Swizzle(1, 0, 2), 1, Layout((4, 4), (1, 4))),
    ComposedLayout(FOLDS, 0, Layout(16, 1)),
]
INNER: list[Any] = [
    Layout((4, 2), (1, 4)),
    Layout((4, 2), (2, 1)),
    Layout(6, 2),
    ComposedLayout(Swizzle(1, 0, 2), 0, Layout((2, 4), (4, 1))),
    ComposedLayout(IDENTITY, 2, Layout((2, 4), (1, 2))),
]


@pytest.mark.parametrize("outer, inner", list(product(OUTER, INNER)))
def test_integers_as_counting_has_it(outer: Any, inner: Any) -> None:
    """Every claim about every composition, with the points computed and without, against a list of values."""
    layout = ComposedLayout(outer, 1, inner)
    values = [outer(1 + inner(i)) for i in range(inner.size())]
    n = len(values)
    other = ComposedLayout(outer, 0, inner)
    beside = [outer(inner(i)) for i in range(n)]
    claims: list[tuple[Claim, bool]] = [
        (injective(layout), len(set(values)) == n),
        (bijective(layout), sorted(values) == list(range(n))),
        (covers(layout, n), set(range(n)) <= set(values)),
        (within(layout, 0, n), all(0 <= x < n for x in values)),
        (aligned(layout, 2), all(x % 2 == 0 for x in values)),
        (equal(layout, other), values == beside),
        (disjoint(layout, other), not set(values) & set(beside)),
    ]
    for (stated, right), most in product(claims, (0, 1 << 16)):
        verdict = prove(stated, confirm_up_to=most)
        assert not isinstance(verdict, Refuted if right else Proved), f"{stated}: {verdict}"
        assert isinstance(verdict, (Proved, Bounded) if right else Refuted) or not most, (
            f"{stated}: {verdict}"
        )
