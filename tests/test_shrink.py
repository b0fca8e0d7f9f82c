"""shrink: the smallest sizes with the same failure."""

import pytest

from symlayout import ComposedLayout, Layout, Swizzle
from symlayout.claims import aligned, bijective, covers, disjoint, equal, injective, within
from symlayout.errors import LayoutError
from symlayout.shrink import shrink


def test_a_collision() -> None:
    claim, verdict = shrink(injective(Layout((64, 128), (127, 1))))
    assert str(claim) == "(2,128):(127,1) is injective"
    assert verdict.witness == {"i": 1, "j": 254}
    claim, verdict = shrink(injective(Layout((64, 4, 64), (1, 16, 256))))
    assert str(claim) == "(17,2):(1,16) is injective"


def test_a_difference_keeps_equal_sizes() -> None:
    claim, verdict = shrink(equal(Layout((64, 2, 64), (1, 65, 128)), Layout(8192, 1)))
    assert str(claim) == "2:65 = 2:1 as functions"
    assert verdict.witness == {"i": 1}
    far = shrink(equal(Layout((3, 1 << 20), (1, 3)), Layout((1 << 20, 3), (1, (1 << 20) + 1))))
    assert str(far[0]) == "3:1 = 3:1048577 as functions"


def test_sizes_that_differ() -> None:
    claim, verdict = shrink(equal(Layout((8, 8), (8, 1)), Layout(63, 1)))
    assert str(claim) == "1:0 = 2:1 as functions"
    assert verdict.witness == {}


def test_ranges_multiples_meetings_and_covers() -> None:
    assert str(shrink(within(Layout((64, 128), (128, 1)), 0, 8190))[0]) == "0 <= (64,127):(128,1) < 8190"
    assert str(shrink(aligned(Layout((64, 16), (128, 4)), 8))[0]) == "8 divides every value of 2:4"
    assert str(shrink(disjoint(Layout(4096, 2), Layout(4096, 3)))[0]) == "1:0 and 1:0 share no value"
    assert str(shrink(covers(Layout((4, 2), (1, 2)), 7))[0]) == "1:0 hits each of 0 .. 6"


def test_the_failing_part_of_a_conjunction() -> None:
    claim, verdict = shrink(bijective(Layout((32, 32), (1, 31))))
    assert "is injective" in str(claim)
    assert verdict.witness == {"i": 31, "j": 32}
    assert str(claim) == "(32,2):(1,31) is injective"


def test_a_swizzle_stays() -> None:
    claim, _ = shrink(injective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8, 8), (1, 4, 64)))))
    assert str(claim) == "Sw<2,0,3> o 0 o (5,2):(1,4) is injective"


def test_what_cannot_be_shrunk() -> None:
    with pytest.raises(LayoutError, match="is not refuted, it is proved"):
        shrink(injective(Layout(4, 1)))
    with pytest.raises(LayoutError, match="is about no layout of integers"):
        shrink(equal(3, 4))
