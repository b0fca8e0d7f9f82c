"""The words of the manual's formulas: cases as numbers."""

from symlayout.ptx.fragment import at_least, group, in_group, outside
from symlayout.symbolic import Var, evaluate


def test_at_least_is_a_step() -> None:
    assert [at_least(i, 3) for i in range(6)] == [0, 0, 0, 1, 1, 1]
    assert [at_least(i, 0) for i in range(3)] == [1, 1, 1]


def test_outside_is_the_manual_s_otherwise() -> None:
    expected = [0, 0, 1, 1, 0, 0, 1, 1]
    assert [outside(i, (0, 2), (4, 6)) for i in range(8)] == expected
    i = Var("i", 8)
    assert [evaluate(outside(i, (0, 2), (4, 6)), {"i": n}) for n in range(8)] == expected


def test_lanes_in_groups_of_four() -> None:
    assert (group(13), in_group(13)) == (3, 1)
