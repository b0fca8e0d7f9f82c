"""Guesses at better tensors: a swizzle and padding, none where the tensor is not a stack of rows."""

import pytest

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.bank_repair import padded, swizzled


@pytest.mark.parametrize(
    "tensor, bits, swizzle",
    [
        (Layout((64, 64), (64, 1)), 16, "Sw<3,3,3>"),
        (Layout((64, 32), (32, 1)), 16, "Sw<2,3,3>"),
        (Layout((64, 16), (16, 1)), 16, "Sw<1,3,3>"),
        (Layout((64, 128), (128, 1)), 16, "Sw<3,3,4>"),
        (Layout((64, 128), (1, 64)), 16, "Sw<3,3,3>"),
        (Layout((64, 128), (128, 1)), 8, "Sw<3,4,3>"),
        (Layout((32, 32), (32, 1)), 32, "Sw<3,2,3>"),
        (ComposedLayout(Swizzle(1, 3, 3), 0, Layout((64, 64), (64, 1))), 16, "Sw<3,3,3>"),
    ],
)
def test_swizzles(tensor: Layout, bits: int, swizzle: str) -> None:
    (found,) = swizzled(tensor, bits)
    assert str(found.swizzle) == swizzle
    assert isinstance(found.layout, Layout)


def test_padding() -> None:
    found = [str(t) for t in padded(Layout((64, (8, 8)), (64, (1, 8))), 8)]
    assert found == []
    assert [str(t) for t in padded(Layout((64, 64), (64, 1)), 8)] == [
        "(64,64):(72,1)",
        "(64,64):(80,1)",
        "(64,64):(96,1)",
    ]
    assert next(padded(Layout((64, 64), (1, 64)), 8)) == Layout((64, 64), (1, 72))


@pytest.mark.parametrize("tensor", [Layout((64, 64), (0, 1)), Layout(64), Layout((8, 8), (2, 16))])
def test_no_rows(tensor: Layout) -> None:
    assert list(swizzled(tensor, 16)) == list(padded(tensor, 8)) == []


def test_no_power_of_two() -> None:
    assert not list(swizzled(Layout((64, 64), (72, 1)), 16))
    assert not list(swizzled(Layout((64, 64), (64, 1)), 6))
