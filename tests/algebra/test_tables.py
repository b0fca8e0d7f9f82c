"""layout_from_table and layout_of: there and back, or refused at the least entry that no layout reaches."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symlayout import (
    ComposedLayout,
    Inadmissible,
    Layout,
    LayoutError,
    Swizzle,
    compatible,
    layout_from_table,
    layout_of,
    parse,
)
from tests import strategies as make
from tests.every_pair import table
from tests.oracle import pairs

thorough = settings(max_examples=200, deadline=None, derandomize=True)


@thorough
@given(make.layouts())
def test_a_layout_is_found_in_its_own_table(layout: Layout) -> None:
    values = table(layout)
    bare = layout_from_table(values)
    assert table(bare) == values
    assert bare.canonical() == layout.canonical()
    shaped = layout_from_table(values, layout.shape)
    assert compatible(layout.shape, shaped.shape)
    assert table(shaped) == values
    assert layout_from_table(np.array(values), layout.shape) == shaped


@pytest.mark.parametrize("n, entries", [(4, range(-2, 5)), (6, range(-1, 3))])
def test_every_small_table(n: int, entries: range) -> None:
    """All tables with these entries, against every layout of that size (tests/oracle/pairs.py)."""
    rows = np.array([(0, *rest) for rest in itertools.product(entries, repeat=n - 1)], dtype=np.int64)
    found = 0
    for row, reach in zip(rows.tolist(), pairs.reached(rows, (n,)).tolist(), strict=True):
        try:
            layout = layout_from_table(row)
        except Inadmissible as e:
            error: Inadmissible | None = e
        else:
            error = None
        if error is None:
            found += 1
            assert (reach, table(layout)) == (n, row)
        else:
            assert (error.index, error.want) == (reach, row[reach])
    assert found > 10


def test_what_a_refusal_says() -> None:
    with pytest.raises(Inadmissible, match="no layout has these values: entry 3 is 2, and those") as refusal:
        layout_from_table([0, 1, 3, 2])
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (3, 2, 4)
    with pytest.raises(Inadmissible, match="a layout starts at 0") as refusal:
        layout_from_table([1, 2])
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (0, 1, 0)
    with pytest.raises(Inadmissible, match=r"entry 3, coordinate \(1,1\), is 4"):
        layout_from_table([0, 1, 2, 4], (2, 2))
    with pytest.raises(Inadmissible, match="ends after 4 steps, which do not divide the 6 left"):
        layout_from_table([0, 1, 2, 3, 9, 10])


def test_a_mode_is_split_where_one_stride_is_not_enough() -> None:
    assert str(layout_from_table([0, 1, 4, 5], 4)) == "(2,2):(1,4)"
    assert str(layout_from_table([0, 2, 1, 3, 8, 10, 9, 11], (4, 2))) == "((2,2),2):((2,1),8)"
    assert str(layout_from_table([0])) == "1:0"


@pytest.mark.parametrize(
    "values", [[0, 1.5], [0, None], [0, True], ["0", 1], [0.0] * 5000, 7, np.zeros((2, 2), int)]
)
def test_tables_that_are_none(values: object) -> None:
    with pytest.raises(LayoutError) as refusal:
        layout_from_table(values)
    assert not isinstance(refusal.value, Inadmissible)


@pytest.mark.parametrize("shape", [3, (2, 3), (4, 0), (4, 1.0)])
def test_shapes_that_do_not_fit(shape: object) -> None:
    with pytest.raises(LayoutError, match="4 values for the shape"):
        layout_from_table([0, 1, 2, 3], shape)


def test_numbers_beyond_numpy() -> None:
    step = 1 << 70
    assert layout_from_table([0, step, 1, step + 1]) == Layout((2, 2), (step, 1))
    assert layout_from_table([i * step for i in range(5000)]) == Layout(5000, step)


SWIZZLED = [
    ("Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("Sw<2,1,3> o 16 o ((4,2),16):((1,64),4)"),
    ("Sw<1,0,-2> o 0 o (4,8):(8,1)"),
    ("Sw<2,3,3> o 0 o (12,64):(64,1)"),
    ("Sw<3,4,3> o 0 o (128,64):(64,1)"),
    ("Sw<0,0,0> o 5 o (4,3):(3,1)"),
]


@pytest.mark.parametrize("text", SWIZZLED)
def test_a_swizzle_is_found(text: str) -> None:
    hidden = parse(text)
    values = [hidden(i) for i in range(hidden.size())]
    found = layout_from_table(values, hidden.shape, swizzled=True)
    assert isinstance(found, ComposedLayout)
    assert [found(i) for i in range(found.size())] == values
    assert found.swizzle.b <= hidden.swizzle.b
    assert compatible(hidden.shape, found.shape)
    with pytest.raises(Inadmissible):
        layout_from_table(values)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    make.swizzles(),
    make.layouts(largest=200).filter(lambda x: min(table(x)) >= 0),
    st.sampled_from((0, 8, 64)),
)
def test_any_swizzled_layout_is_found(swizzle: Swizzle, layout: Layout, offset: int) -> None:
    values = [swizzle(offset + v) for v in table(layout)]
    found = layout_from_table(values, swizzled=True)
    assert [found(i) for i in range(len(values))] == values


def test_no_swizzle_helps() -> None:
    values = random.Random(1).sample(range(64), 64)
    values[values.index(0)], values[0] = values[0], 0
    with pytest.raises(Inadmissible, match=r"nor does one under any of the \d+ swizzles") as refusal:
        layout_from_table(values, swizzled=True)
    assert refusal.value.want == values[refusal.value.index]  # type: ignore[call-overload]


def test_a_plain_layout_needs_no_swizzle() -> None:
    assert layout_from_table([0, 1, 8, 9], swizzled=True) == Layout((2, 2), (1, 8))


def test_layout_of() -> None:
    assert layout_of(lambda m, k: 64 * m + k, (8, 4)) == Layout((8, 4), (64, 1))
    assert layout_of(lambda i: 3 * i, 7) == Layout(7, 3)
    assert layout_of(lambda m, k: 2 * m[0] + m[1] + 8 * k, ((2, 2), 4)) == parse("((2,2),4):((2,1),8)")
    assert layout_of(lambda m, k: 64 * m + k, (1024, 512), vectorized=True) == Layout((1024, 512), (64, 1))
    assert layout_of(lambda m, k: 2 * m[0] + m[1] + 8 * k, ((2, 2), 4), vectorized=True) == parse(
        "((2,2),4):((2,1),8)"
    )
    swizzle = Swizzle(3, 3, 3)
    found = layout_of(lambda r, c: swizzle(64 * r + c), (8, 64), swizzled=True)
    assert found == ComposedLayout(swizzle, 0, Layout((8, 64), (64, 1)))
    with pytest.raises(Inadmissible, match=r"coordinate \(3,0\)") as refusal:
        layout_of(lambda m, k: m * m + k, (4, 4))
    assert (refusal.value.index, refusal.value.want, refusal.value.got) == (3, 9, 5)
    with pytest.raises(LayoutError, match="sizes are integers, 1 or more"):
        layout_of(lambda i: i, 0)
