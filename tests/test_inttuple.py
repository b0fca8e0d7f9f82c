"""Nested integers: the divisions, the two unrollings and the orders on shapes."""

from __future__ import annotations

import itertools

import pytest

from symlayout.errors import LayoutError
from symlayout.inttuple import (
    UNDEFINED,
    ceil_div,
    compact_col_major,
    compact_row_major,
    compatible,
    congruent,
    crd2idx,
    evenly_divides,
    flatten,
    idx2crd,
    product,
    product_like,
    shape_div,
    show,
    unflatten,
    unwrap,
    weakly_congruent,
)
from symlayout.truncation import tdiv

SHAPES = [6, (4,), (4, 2), (2, (3, 2)), ((2, 2), (1, (3,))), (1, 5, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_index_and_its_coordinate_are_inverse(shape: object) -> None:
    for i in range(product(shape)):
        crd = idx2crd(i, shape)
        assert congruent(crd, shape)
        assert crd2idx(crd, shape) == i
        assert crd2idx(crd, shape, compact_col_major(shape)) == i


@pytest.mark.parametrize("shape", SHAPES)
def test_compact_strides_reach_every_element_once(shape: object) -> None:
    for stride in (compact_col_major(shape), compact_row_major(shape)):
        values = {crd2idx(i, shape, stride) for i in range(product(shape))}
        assert values == set(range(product(shape)))


def test_the_last_mode_is_not_bounded() -> None:
    assert idx2crd(9, (4, 2)) == (1, 2)
    assert crd2idx(9, (4, 2), (1, 10)) == 21


def test_negative_indices_divide_toward_zero_as_in_cpp() -> None:
    assert crd2idx(-1, (4, 4), (4, 1)) == -4
    assert [tdiv(a, b) for a, b in [(7, 2), (-7, 2), (7, -2), (-7, -2), (-6, 3)]] == [3, -3, -3, 3, -2]


def test_a_coordinate_that_needs_a_division_by_zero_is_undefined() -> None:
    assert idx2crd(1, (4, 2), (0, 1)) == (UNDEFINED, 1)
    assert show(idx2crd(1, (1, 2), (0, 0))) == "(0,?)"
    assert str(UNDEFINED + 1) == str(2 * UNDEFINED) == "?"


def test_an_int_divides_a_tuple_with_carry() -> None:
    assert ceil_div((3, 4), 2) == (2, 4)
    assert ceil_div((10, 12), 6) == (2, 12)
    assert shape_div((4, 5, 6), 40) == (1, 1, 3)
    assert ceil_div((5, 8), (2,)) == (3, 8)


def test_shape_div_wants_one_to_divide_the_other() -> None:
    assert shape_div(6, 3) == 2
    assert shape_div(3, 6) == 1
    with pytest.raises(LayoutError, match="Divisibility Condition: 4 and 6"):
        shape_div(4, 6)


def test_flatten_and_unflatten() -> None:
    for shape in SHAPES:
        assert unflatten(flatten(shape), shape) == shape
    with pytest.raises(LayoutError, match="3 leaves"):
        unflatten((1, 2, 3), (0, 0))
    assert unwrap(((3,),)) == 3
    assert unwrap((3, 4)) == (3, 4)


def test_orders_on_shapes() -> None:
    for a, b in itertools.product(SHAPES, repeat=2):
        if congruent(a, b):
            assert weakly_congruent(a, b)
            assert weakly_congruent(b, a)
        if compatible(a, b):
            assert product(a) == product(b)
            assert weakly_congruent(a, b)
    assert compatible(6, (2, 3))
    assert not compatible((2, 3), 6)
    assert compatible((6, 4), ((2, 3), (2, 2)))
    assert weakly_congruent((6, 4), ((2, 3), 4))
    assert not weakly_congruent(((2, 3), 4), (6, 4))


def test_product_like_and_evenly_divides() -> None:
    assert product_like(((2, 3), 4), (0, 0)) == (6, 4)
    assert evenly_divides((8, 6), (2, 3))
    assert not evenly_divides((8, 6), (3, 2))
    assert not evenly_divides(8, (2, 2))
