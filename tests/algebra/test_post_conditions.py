"""What each operation promises, checked by enumeration on layouts that hypothesis makes up.

The oracle is plain evaluation of the arguments; no operation is checked against another one of ours.
"""

from __future__ import annotations

from hypothesis import assume, given

import symlayout as s
from symlayout import Layout, LayoutError
from tests.strategies import layouts


def values(layout: Layout, n: int | None = None) -> list[int]:
    return [layout(i) for i in range(layout.size() if n is None else n)]


@given(layouts())
def test_coalesce_is_the_same_function_and_flat(layout: Layout) -> None:
    result = s.coalesce(layout)
    assert values(result) == values(layout)
    assert result.depth() <= 1
    assert s.coalesce(result) == result


@given(layouts())
def test_extended_coalesce_is_the_same_function_beyond_the_domain(layout: Layout) -> None:
    n = 4 * layout.size()
    assert values(s.detail_coalesce_x(layout), n) == values(layout, n)


@given(layouts())
def test_filter_keeps_the_values_and_nullspace_counts_their_repeats(layout: Layout) -> None:
    filtered, null = s.filter(layout), s.nullspace(layout)
    assert set(values(filtered)) == set(values(layout))
    assert filtered.size() * null.size() == layout.size()
    assert all(layout(null(i)) == 0 for i in range(null.size()))


@given(layouts(), layouts())
def test_composition_is_one_after_the_other(a: Layout, b: Layout) -> None:
    try:
        result = s.composition(a, b)
    except LayoutError:
        assume(False)
    assert s.compatible(b, result)
    assert values(result) == [a(b(i)) for i in range(b.size())]


@given(layouts())
def test_right_inverse(layout: Layout) -> None:
    inverse = s.right_inverse(layout)
    assert [layout(inverse(i)) for i in range(inverse.size())] == list(range(inverse.size()))


@given(layouts())
def test_left_inverse(layout: Layout) -> None:
    try:
        inverse = s.left_inverse(layout)
    except LayoutError:
        assume(False)
    assert [layout(inverse(x)) for x in values(layout)] == values(layout)


@given(layouts(), layouts())
def test_the_common_layout_is_contiguous_in_both(a: Layout, b: Layout) -> None:
    try:
        common = s.max_common_layout(a, b)
    except LayoutError:
        assume(False)
    n = common.size()
    assert [b(common(i)) for i in range(n)] == list(range(n))
    assert [a(common(i)) for i in range(n)] == list(range(n))


@given(layouts(max_stride=8))
def test_upcast_counts_the_same_elements(layout: Layout) -> None:
    layout = s.coalesce(layout)  # a mode of a longer run has strides of its own that need not divide
    assume(min(values(layout)) >= 0)
    for k in range(1, s.max_alignment(layout) + 1):
        try:
            up = s.upcast(k, layout)
        except LayoutError:  # also for divisors of max_alignment: 6 for (2,3):(3,1), and 2 divides no 3
            continue
        assert s.upcast(layout, k) == up
        if s.max_alignment(layout) % k == 0:
            assert {x // k for x in values(layout)} == set(values(up))


@given(layouts())
def test_downcast_counts_the_parts_of_each_element(layout: Layout) -> None:
    layout = s.coalesce(layout)
    # CuTe widens every mode of stride 1 or -1, also a second one and one of size 1
    assume(sum(abs(d) == 1 for _, d in layout.canonical()) == 1)
    try:
        down = s.downcast(2, layout)
    except LayoutError:
        assume(False)
    assume(min(values(layout)) >= 0)
    assert set(values(down)) == {2 * x + k for x in values(layout) for k in (0, 1)}
