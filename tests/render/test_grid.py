"""The grids, against what CuTe's print_layout printed."""

from pathlib import Path

import pytest

from symlayout import Layout, LayoutError, UnsupportedError, make_identity_layout, parse
from symlayout.render import MOST_CELLS, layout_grid, tv_grid

# printed by cute::print_layout (CUTLASS 4.2, g++); a blank line between layouts, no `_` before integers
PRINTED = (Path(__file__).parent / "print_layout.txt").read_text(encoding="utf-8").split("\n\n")


@pytest.mark.parametrize("printed", PRINTED, ids=[block.splitlines()[0] for block in PRINTED])
def test_two_modes_are_printed_as_cute_prints_them(printed: str) -> None:
    layout = parse(printed.splitlines()[0])
    assert layout_grid(layout).text().splitlines() == printed.removesuffix("\n").splitlines()


def test_one_mode_is_a_row() -> None:
    assert layout_grid(parse("3:5")).text() == (
        "3:5\n       0    1    2 \n    +----+----+----+\n 0  |  0 |  5 | 10 |\n    +----+----+----+\n"
    )


def test_of_more_modes_the_first_gives_the_rows() -> None:
    grid = layout_grid(parse("(2,2,3):(1,2,4)"))
    assert grid.cells == tuple(tuple(str(m + 2 * n) for n in range(6)) for m in range(2))
    assert grid.notes == ("rows: mode 0, 2; columns: the other modes, (2,3)",)
    assert grid.text().endswith(grid.notes[0] + "\n")


def test_a_swizzled_layout_of_three_modes() -> None:
    layout = parse("Sw<2,0,2> o 0 o (4,2,2):(4,1,2)")
    grid = layout_grid(layout)
    assert grid.cells[1] == tuple(str(layout(1, (n % 2), n // 2)) for n in range(4))


def test_coordinates_are_as_wide_as_they_are() -> None:
    grid = layout_grid(make_identity_layout((2, 11)))
    assert grid.cells[1][10] == "(1,10)"
    assert grid.width == len("(1,10)")


@pytest.mark.parametrize("layout", ["(100000,100000):(1,100000)", "65537:1", "(2,32769):(1,2)"])
def test_a_large_layout_is_refused_before_it_is_walked(layout: str) -> None:
    with pytest.raises(UnsupportedError, match=rf"too large to print\n.*at most {MOST_CELLS} cells"):
        layout_grid(parse(layout))


@pytest.mark.parametrize("value", [4, (1, 2), None])
def test_what_is_no_layout_is_refused(value: object) -> None:
    with pytest.raises(UnsupportedError, match="is not a layout"):
        layout_grid(value)


def test_thread_values_of_an_mma_operand() -> None:
    # B of SM80_16x8x16: lane 5 holds B(1, 2), B(1, 3), B(1, 10), B(1, 11)
    grid = tv_grid(parse("((4,8),(2,2)):((16,1),(8,64))"), (8, 16))
    assert [grid.cells[1][k] for k in (2, 3, 10, 11)] == ["T5 V0", "T5 V1", "T5 V2", "T5 V3"]
    assert len({cell for row in grid.cells for cell in row}) == 128
    assert grid.shades[1][2] == 5


def test_shared_and_missing_elements() -> None:
    grid = tv_grid(Layout((4, 2), (0, 1)), (1, 3))
    assert grid.cells == (("T0 V0 +3", "T0 V1 +3", ""),)


def test_a_tv_layout_outside_the_tile_names_the_first_thread() -> None:
    with pytest.raises(LayoutError, match="thread 0, value 1 is element 8, and the tile"):
        tv_grid(Layout((4, 2), (1, 8)), (2, 4))


@pytest.mark.parametrize("layout", ["4:1", "(2,2,2):(1,2,4)"])
def test_a_tv_layout_has_two_modes(layout: str) -> None:
    with pytest.raises(LayoutError, match="exactly two modes"):
        tv_grid(parse(layout), (2, 4))


def test_colour_changes_no_character() -> None:
    grid = layout_grid(parse("(4,8):(8,1)"))
    assert grid.coloured().plain == grid.text()
    assert len({span.style for span in grid.coloured().spans}) == 8


def test_values_beyond_an_int32_stay_in_their_columns() -> None:
    lines = layout_grid(Layout((2, 8), (1, 10**30))).text().splitlines()
    assert len({len(line.rstrip()) for line in lines[1:] if "+" in line or "|" in line}) == 1
