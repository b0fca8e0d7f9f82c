"""`symlayout show`."""

import pytest

from .conftest import MMA, Run


def test_the_grid_of_a_layout(run: Run) -> None:
    outcome = run("show", "(2,3):(3,1)")
    assert outcome.code == 0
    assert outcome.out == (
        "(2,3):(3,1)\n"
        "      0   1   2 \n"
        "    +---+---+---+\n"
        " 0  | 0 | 1 | 2 |\n"
        "    +---+---+---+\n"
        " 1  | 3 | 4 | 5 |\n"
        "    +---+---+---+\n"
    )


def test_an_expression_is_shown_by_its_value(run: Run) -> None:
    data = run("show", "composition(Sw<1,0,1>, (2,2):(2,1))", "--format", "json").data
    assert data["layout"] == "Sw<1,0,1> o 0 o (2,2):(2,1)"
    assert data["cells"] == [["0", "1"], ["3", "2"]]


@pytest.mark.parametrize("operand, shape", [("A", (16, 16)), ("b", (8, 16)), ("C", (16, 8))])
def test_the_operands_of_an_atom(run: Run, operand: str, shape: tuple[int, int]) -> None:
    data = run("show", MMA, "--operand", operand, "--format", "json").data
    assert tuple(data["tile"]) == shape
    assert (len(data["cells"]), len(data["cells"][0])) == shape
    owners = {cell for row in data["cells"] for cell in row}
    assert len(owners) == shape[0] * shape[1]
    assert data["cells"][0][:3] == ["T0 V0", "T0 V1", "T1 V0"]


def test_a_thread_value_layout_without_a_tile_is_one_row(run: Run) -> None:
    data = run("show", "(2,2):(2,1)", "--tv", "--format", "json").data
    assert (data["tile"], data["cells"]) == ([1, 4], [["T0 V0", "T0 V1", "T1 V0", "T1 V1"]])


def test_no_colour_without_a_terminal(run: Run) -> None:
    assert "\x1b" not in run("show", "(4,8):(8,1)").out
