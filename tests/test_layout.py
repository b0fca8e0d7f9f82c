"""Layout as a value and as a function."""

from __future__ import annotations

import itertools
import pickle

import pytest

from symlayout import Layout, LayoutError, crd2idx, make_identity_layout
from symlayout.inttuple import idx2crd

LAYOUTS = [
    Layout(8, 1),
    Layout((4, 2), (1, 10)),
    Layout((4, (2, 2)), (2, (1, 8))),
    Layout(((2, 2), 3, 1), ((4, 1), -2, 7)),
    Layout((4, 2), (0, 1)),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_all_coordinates_of_one_element_agree(layout: Layout) -> None:
    for i in range(layout.size()):
        nested = idx2crd(i, layout.shape)
        assert layout(nested) == layout(i)
        if layout.rank() > 1:
            modes = idx2crd(i, tuple(m.size() for m in layout))
            assert layout(*modes) == layout(i)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_the_canonical_form_is_the_same_function(layout: Layout) -> None:
    modes = layout.canonical()
    assert all(s > 1 for s, _ in modes)
    for (s, d), (_, nxt) in itertools.pairwise(modes):
        assert s * d != nxt
    flat = Layout(tuple(s for s, _ in modes) or 1, tuple(d for _, d in modes) or 0)
    assert [flat(i) for i in range(layout.size())] == [layout(i) for i in range(layout.size())]


def test_equal_functions_have_one_canonical_form() -> None:
    assert Layout((2, 4), (1, 2)).canonical() == Layout(8).canonical() == Layout((2, (2, 1, 2))).canonical()
    assert Layout((2, 4), (1, 3)).canonical() != Layout(8).canonical()


def test_a_layout_is_a_value() -> None:
    a, b = Layout((4, 2), (1, 10)), Layout((4, 2), (1, 10))
    assert a == b
    assert hash(a) == hash(b)
    assert a != Layout((4, 2), (1, 8))
    assert a != "(4,2):(1,10)"
    assert pickle.loads(pickle.dumps(a)) == a
    with pytest.raises(AttributeError, match="does not change"):
        a.shape = 3
    with pytest.raises(AttributeError, match="does not change"):
        a[0].stride = 3


def test_printing() -> None:
    assert str(Layout(((2, 2), (3,)), ((1, 2), (4,)))) == "((2,2),(3)):((1,2),(4))"
    assert str(Layout((4, 1, 2))) == "(4,1,2):(1,0,4)"
    assert repr(Layout((4, 2), (1, 10))) == "Layout((4, 2), (1, 10))"
    assert eval(repr(LAYOUTS[3])) == LAYOUTS[3]


def test_modes() -> None:
    layout = Layout((4, (2, 3)), (2, (1, 8)))
    assert len(layout) == 2
    assert [str(m) for m in layout] == ["4:2", "(2,3):(1,8)"]
    assert layout[1, 1] == Layout(3, 8)
    assert layout[-1] == layout[1]
    assert list(Layout(4, 2)) == [Layout(4, 2)]
    with pytest.raises(LayoutError, match="rank 2"):
        layout[2]
    assert (layout.size(), layout.cosize(), layout.rank(), layout.depth()) == (24, 24, 2, 2)


def test_slicing_keeps_the_open_modes() -> None:
    layout = Layout(((8, 2), 2), ((16, 128), 1))
    assert str(layout(None, 1)) == "((8,2)):((16,128))"
    assert str(layout((None, 0), None)) == "(8,2):(16,1)"
    assert layout(None) == layout
    with pytest.raises(LayoutError, match="Mismatched Ranks"):
        layout(None, 1, 1)


def test_what_is_no_layout_is_refused() -> None:
    for shape, stride in [((2, 3), (1, 2, 6)), ((2, (3, 2)), (1, 2)), (4, (1,)), ((4,), 1)]:
        with pytest.raises(LayoutError, match="not congruent"):
            Layout(shape, stride)
    for shape in (0, -3, (4, 0), (2, (3, -1))):
        with pytest.raises(LayoutError, match="sizes are 1 or more"):
            Layout(shape)
    for text in ("4", 2.0, True, None, (4, "2")):
        with pytest.raises(LayoutError, match="is not an integer"):
            Layout(text)


def test_a_coordinate_that_does_not_fit_is_refused() -> None:
    with pytest.raises(LayoutError, match="3 entries against rank 2"):
        Layout((4, 2), (1, 10))(1, 2, 3)
    with pytest.raises(LayoutError, match="does not fit"):
        Layout((4, 2), (1, 10))((1, 2), 1)


def test_negative_indices_divide_towards_zero_as_in_cpp() -> None:
    layout = Layout((4, 4), (4, 1))
    assert [layout(i) for i in (-1, -4, -5)] == [-4, -1, -5]
    assert [crd2idx(i, layout) for i in (-1, -4, -5)] == [-4, -1, -5]
    assert idx2crd(-6, (4, 4)) == (-2, -1)


def test_the_identity_layout_returns_its_coordinate() -> None:
    layout = make_identity_layout((4, (2, 3)))
    assert str(layout) == "(4,(2,3)):(1@0,(1@0@1,1@1@1))"
    for i in range(layout.size()):
        assert layout(i) == idx2crd(i, (4, (2, 3)))
    assert layout.cosize() == 24


def test_sizes_may_be_huge() -> None:
    n = 10**30
    layout = Layout((n, n), (n, 1))
    assert layout.size() == n * n
    assert layout(n + 3) == 3 * n + 1
