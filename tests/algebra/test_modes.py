"""Modes taken, grouped, padded, zipped; the constructors."""

from __future__ import annotations

import pytest

import symlayout as s
from symlayout import Layout, LayoutError, parse


def test_taking_and_grouping() -> None:
    layout = parse("(2,(3,4),5):(1,(2,6),24)")
    assert str(s.take(layout, 1, 3)) == "((3,4),5):((2,6),24)"
    assert str(s.select(layout, 2, 0)) == "(5,2):(24,1)"
    assert str(s.group(layout, 0, 2)) == "((2,(3,4)),5):((1,(2,6)),24)"
    assert str(s.flatten(layout)) == "(2,3,4,5):(1,2,6,24)"
    assert s.unflatten(s.flatten(layout), layout.shape) == layout
    assert str(s.replace(layout, 1, Layout(7, 9))) == "(2,7,5):(1,9,24)"
    assert str(s.get(layout, 1, 0)) == "3:2"


@pytest.mark.parametrize(
    "call",
    [
        lambda x: s.take(x, 1, 1),
        lambda x: s.take(x, 0, 4),
        lambda x: s.select(x, 3),
        lambda x: s.group(x, 1, 4),
        lambda x: s.replace(x, 3, Layout(1)),
        lambda x: s.get(x, 3),
        lambda x: s.unflatten(x, (1, 1)),
    ],
)
def test_modes_that_are_not_there_are_refused(call: object) -> None:
    with pytest.raises(LayoutError):
        call(Layout((2, 3, 5)))  # type: ignore[operator]


def test_padding() -> None:
    layout = Layout(4, 2)
    assert str(s.append(layout, Layout(3, 8))) == "(4,3):(2,8)"
    assert str(s.prepend(layout, Layout(3, 8))) == "(3,4):(8,2)"
    assert str(s.append(layout, n=3)) == "(4,1,1):(2,0,0)"
    assert str(s.prepend(layout, n=3)) == "(1,1,4):(0,0,2)"
    assert s.append(layout, n=1) == layout
    assert s.append(Layout((2, 2, 2)), n=3) == Layout((2, 2, 2))


def test_zip_is_a_transpose() -> None:
    layout = parse("((2,3),(4,5)):((1,2),(6,24))")
    assert str(s.zip(layout)) == "((2,4),(3,5)):((1,6),(2,24))"
    assert s.zip(s.zip(layout)) == layout
    with pytest.raises(LayoutError, match="Mismatched Ranks"):
        s.zip(parse("((2,3),4):((1,2),6)"))


def test_constructors() -> None:
    assert str(s.make_layout((4, 8))) == "(4,8):(1,4)"
    assert str(s.make_layout((4, (2, 3)), "LayoutRight")) == "(4,(2,3)):(6,(3,1))"
    assert str(s.make_layout(Layout(4, 2), Layout((2, 2)))) == "(4,(2,2)):(2,(1,2))"
    assert str(s.make_ordered_layout((2, 3, 5), (2, 0, 1))) == "(2,3,5):(15,1,3)"
    assert str(s.make_layout_like(parse("(4,2,8):(16,0,1)"))) == "(4,2,8):(8,0,1)"
    assert str(s.make_fragment_like(parse("((2,2),2,2):((1,256),512,16)"))) == "((2,2),2,2):((1,2),8,4)"
    with pytest.raises(LayoutError, match="Need equal rank"):
        s.make_ordered_layout((2, 3), (0, 1, 2))
    with pytest.raises(LayoutError):
        s.make_layout(Layout(4), 3)


def test_the_fragment_follows_the_order_of_the_tensor() -> None:
    row = s.make_fragment_like(parse("((2,2),2,2):((1,8),256,16)"))
    col = s.make_fragment_like(parse("((2,2),2,2):((16,128),8,256)"))
    assert (str(row), str(col)) == ("((2,2),2,2):((1,2),8,4)", "((2,2),2,2):((1,2),4,8)")


def test_coshape_and_cosize() -> None:
    assert s.cosize(Layout((4, 2), (1, -10))) == 14
    assert s.coshape(s.make_identity_layout((4, (2, 3)))) == (4, (2, 3))
    assert s.cosize(s.make_identity_layout((4, (2, 3)))) == 24


def test_slices_take_their_arguments_in_either_order() -> None:
    layout = Layout((4, 8), (8, 1))
    assert s.slice_((None, 3), layout) == s.slice_(layout, (None, 3)) == Layout((4,), (8,))
    assert s.dice((None, 3), layout) == s.dice(layout, (None, 3)) == Layout((8,), (1,))


def test_coordinates() -> None:
    assert s.crd2idx((1, 2), Layout((4, 8), (8, 1))) == 10
    assert s.crd2idx((1, 2), (4, 8)) == 9
    assert s.idx2crd(9, (4, 8)) == (1, 2)
    assert s.idx2crd(10, (4, 8), (8, 1)) == (1, 2)
