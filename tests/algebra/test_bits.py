"""The law of upcast, downcast and recast against the bits themselves, set by set (tests/oracle/laws.py)."""

import itertools
from math import gcd
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symlayout import (
    ComposedLayout,
    Inadmissible,
    Layout,
    LayoutError,
    Swizzle,
    UnsupportedError,
    composition,
    downcast,
    parse,
    recast_layout,
    upcast,
)
from tests import strategies as make
from tests.oracle import laws
from tests.oracle.maps import Layout as Pair
from tests.oracle.maps import Swizzled

thorough = settings(max_examples=300, deadline=None, derandomize=True)


def plain(x: Any) -> Any:
    """A layout of ours as the oracle writes it."""
    if isinstance(x, ComposedLayout):
        return Swizzled((x.swizzle.b, x.swizzle.m, x.swizzle.s), x.offset, plain(x.layout))
    return Pair((x.shape, x.stride))


def judged(old: int, new: int, x: Any) -> bool | None:
    """Whether the safe mode accepts the recast, held against enumeration; None where CuTe refuses."""
    try:
        answer = recast_layout(old, new, x, unchecked=True)
    except LayoutError:
        return None
    broken = laws.cast(plain(x), old, new, plain(answer))
    try:
        recast_layout(old, new, x)
    except Inadmissible as e:
        error: Inadmissible | None = e
    else:
        error = None
    if broken is None:
        assert error is None, f"{x}, {old} to {new} bits: refused although right: {error}"
        return True
    assert error is not None, f"{x}, {old} to {new} bits: accepted although wrong: {broken}"
    assert (error.index, error.want, error.got) == (broken.index, broken.want, broken.got)
    return False


WIDTHS = [
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 6),
    (2, 1),
    (3, 1),
    (2, 3),
    (3, 2),
    (3, 4),
    (4, 3),
    (6, 8),
    (6, 16),
    (16, 6),
]


def test_every_small_layout() -> None:
    """One and two modes, all signs: both ways right."""
    strides = (-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8, 12)
    modes = list(itertools.product((1, 2, 3, 4), strides))
    layouts = [Layout(*mode) for mode in modes]
    layouts += [Layout((s, t), (d, e)) for (s, d), (t, e) in itertools.product(modes[::2], modes[1::3])]
    verdicts = [judged(old, new, x) for x in layouts for old, new in WIDTHS]
    assert verdicts.count(True) > 1000
    assert verdicts.count(False) > 800


@thorough
@given(make.layouts(), st.sampled_from(WIDTHS))
@example(parse("4:-1"), (1, 4))
@example(parse("(8,4):(1,8)"), (6, 16))
@example(parse("(1,6,2,1):(1,2,1,1)"), (3, 1))
def test_casts(x: Layout, widths: tuple[int, int]) -> None:
    judged(*widths, x)


@thorough
@given(
    make.swizzles(), make.layouts(), st.sampled_from([(1, 2), (1, 4), (2, 1), (4, 1), (8, 16)]), st.booleans()
)
@example(Swizzle(2, 0, -2), parse("((2,8),(1)):((0,1),(0))"), (1, 4), False)
def test_casts_of_swizzled_layouts(s: Swizzle, x: Layout, widths: tuple[int, int], shifted: bool) -> None:
    swizzled = composition(s, x)
    if shifted and isinstance(swizzled, ComposedLayout):
        swizzled = ComposedLayout(swizzled.swizzle, 16, swizzled.layout)
    judged(*widths, swizzled)


def test_what_a_refusal_says() -> None:
    with pytest.raises(Inadmissible) as refusal:
        upcast(4, parse("4:-1"))  # elements 0, -1, -2, -3 lie in the groups 0 and -1
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (-1, 1, 0)
    assert "the new element -1 is touched by L and missing in R" in str(refusal.value)
    assert "holds the old elements -4..-1" in str(refusal.value)
    assert upcast(4, parse("4:-1"), unchecked=True) == Layout(1, -1)
    with pytest.raises(Inadmissible) as refusal:
        downcast(2, parse("((1),(8),2):((1),(1),8)"))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (32, 0, 1)
    assert "bits of the old element 16" in str(refusal.value)
    with pytest.raises(Inadmissible, match=r"^recast_layout: R covers other bits than L"):
        recast_layout("6bit", "half", parse("(8,4):(1,8)"))


def test_right_casts_pass_as_they_are() -> None:
    assert upcast(2, parse("8:1")) == upcast(parse("8:1"), 2) == Layout(4, 1)
    assert upcast(2, parse("(((8),(4),1)):(((-2),(-16),-32))")) == parse("(((8),(4),1)):(((-1),(-8),-16))")
    assert downcast(2, parse("(4,3):(1,-8)")) == parse("(8,3):(1,-16)")
    assert recast_layout("half", "float", parse("(8,8):(1,8)")) == parse("(4,8):(1,4)")
    assert recast_layout(16, 16, parse("(3,5):(2,7)")) == parse("(3,5):(2,7)")


def test_sizes_do_not_matter() -> None:
    n = 1 << 40
    assert upcast(4, Layout((n, n), (1, n))) == Layout((n // 4, n), (1, n // 4))
    with pytest.raises(Inadmissible) as refusal:
        upcast(4, Layout((n, 2), (1, 2)))  # the elements n and n+1 of the last group
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (n // 4, 1, 0)


def test_a_swizzle_across_the_new_border_is_looked_at_one_by_one() -> None:
    small = ComposedLayout(Swizzle(2, 0, -2), 0, Layout(64))
    answer = upcast(2, small)
    assert {answer(j) for j in range(answer.size())} == {small(i) // 2 for i in range(64)}
    with pytest.raises(UnsupportedError, match="up to 1048576 elements"):
        upcast(2, ComposedLayout(Swizzle(2, 0, -2), 0, Layout(1 << 30)))
    huge = ComposedLayout(Swizzle(2, 1, -2), 0, Layout(1 << 30))
    assert upcast(2, huge).size() == 1 << 29
    assert gcd(huge.size(), 2) == 2
