"""Swizzles and swizzled layouts."""

from __future__ import annotations

import pickle

import pytest

from symlayout import ComposedLayout, Layout, LayoutError, Swizzle, composition, get, make_swizzle

SWIZZLES = [Swizzle(3, 3, 3), Swizzle(2, 0, 2), Swizzle(1, 2, 4), Swizzle(2, 1, -3), Swizzle(0, 4, 3)]


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_a_swizzle_undoes_itself_and_permutes(swizzle: Swizzle) -> None:
    assert all(swizzle(swizzle(x)) == x for x in range(2048))
    assert sorted(swizzle(x) for x in range(2048)) == list(range(2048))


@pytest.mark.parametrize("swizzle", SWIZZLES[:-1], ids=str)
def test_only_the_z_bits_change_and_only_by_the_y_bits(swizzle: Swizzle) -> None:
    for x in range(2048):
        assert (swizzle(x) ^ x) & ~swizzle.zzz_mask == 0
        if x & swizzle.yyy_mask == 0:
            assert swizzle(x) == x
    assert make_swizzle(swizzle.yyy_mask, swizzle.zzz_mask) == swizzle


def test_the_masks_of_the_ldmatrix_swizzle() -> None:
    swizzle = Swizzle(3, 3, 3)
    assert (swizzle.yyy_mask, swizzle.zzz_mask) == (0b111000000, 0b111000)
    assert [swizzle(64 * row) for row in range(4)] == [0, 72, 144, 216]


def test_bits_that_do_not_fit_are_refused() -> None:
    for b, m, s in [(-1, 0, 0), (1, -1, 1), (3, 0, 2), (2, 0, -1)]:
        with pytest.raises(LayoutError, match="the bits do not fit"):
            Swizzle(b, m, s)
    for y, z in [(0b11, 0b1), (0b101, 0b11), (0b110, 0b011)]:
        with pytest.raises(LayoutError, match="make_swizzle"):
            make_swizzle(y, z)


def test_absurd_bits_are_refused_before_a_mask_is_made() -> None:
    """An offset has 64 bits."""
    for b, m, s in [
        (10**9, 0, 10**9),
        (1, 10**9, 1),
        (1, 0, 10**9),
        (1, 0, -(10**9)),
        (0, 65, 0),
        (20, 25, 20),
    ]:
        with pytest.raises(LayoutError, match="an offset has 64 bits"):
            Swizzle(b, m, s)
    assert Swizzle(20, 24, 20)(1 << 44) == (1 << 44) + (1 << 24)
    for wrong in (1.0, "1", True, None):
        with pytest.raises(LayoutError, match="is not an integer"):
            Swizzle(1, 0, wrong)  # type: ignore[arg-type]


def test_a_swizzled_layout_is_the_swizzle_of_its_layout() -> None:
    swizzle, layout = Swizzle(3, 3, 3), Layout((8, 64), (64, 1))
    swizzled = composition(swizzle, layout)
    assert str(swizzled) == "Sw<3,3,3> o 0 o (8,64):(64,1)"
    assert all(swizzled(i) == swizzle(layout(i)) for i in range(512))
    assert (swizzled.size(), swizzled.cosize(), swizzled.rank(), swizzled.depth()) == (512, 512, 2, 1)
    assert swizzled(3, 5) == swizzle(3 * 64 + 5)
    assert pickle.loads(pickle.dumps(swizzled)) == swizzled
    assert str(get(swizzled, 1)) == "Sw<3,3,3> o 0 o 64:1"


def test_slicing_moves_what_is_fixed_into_the_offset() -> None:
    swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))
    row = swizzled(3, None)
    assert str(row) == "Sw<3,3,3> o 192 o (64):(1)"
    assert all(row(k) == swizzled(3, k) for k in range(64))


def test_a_swizzle_of_no_bits_is_plain() -> None:
    assert composition(Swizzle(0, 4, 3), Layout(8)) == Layout(8)
    assert Swizzle(0, 4, 3)(12345) == 12345


def test_swizzles_merge_when_their_shift_is_the_same() -> None:
    merged = composition(Swizzle(1, 3, 3), Swizzle(1, 4, 3))
    assert merged == Swizzle(2, 3, 3)
    with pytest.raises(LayoutError, match="same shift"):
        composition(Swizzle(1, 3, 3), Swizzle(1, 3, 4))
