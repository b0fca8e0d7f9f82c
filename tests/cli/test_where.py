"""`symlayout where`: by element, by lane, as tables; bad questions."""

import csv
import io
from typing import Any

import pytest

from symlayout import atoms

from .conftest import MMA, Run


def test_one_element(run: Run) -> None:
    outcome = run("where", MMA, "A", "3", "7")
    assert outcome.code == 0
    assert outcome.out == (
        f"A(3,7) of {MMA}: lane 15, register 0, half 1, slot 1\n"
        "  layout_A(15, 1) = 115 = 3 + 16 * 7, "
        "with layout_A = ((4,8),(2,2,2)):((32,1),(16,8,128))\n"
    )


def test_one_element_as_json(run: Run) -> None:
    data = run("where", MMA, "A", "3", "7", "--format", "json").data
    assert {key: data[key] for key in ("lane", "register", "part", "slot")} == {
        "lane": 15,
        "register": 0,
        "part": 1,
        "slot": 1,
    }
    assert (data["part_name"], data["element"], data["tile"], data["row_address_lane"]) == (
        "half",
        [3, 7],
        [16, 16],
        None,
    )
    assert len(data["holders"]) == 1


def test_what_a_lane_holds(run: Run) -> None:
    data = run("where", MMA, "A", "--lane", "5", "--reg", "1", "--format", "json").data
    assert [(entry["element"], entry["part"], entry["slot"]) for entry in data["elements"]] == [
        ([9, 2], 0, 2),
        ([9, 3], 1, 3),
    ]
    all_registers = run("where", MMA, "A", "--lane", "5", "--format", "json").data["elements"]
    assert [entry["slot"] for entry in all_registers] == list(range(8))


def test_the_whole_table_agrees_with_the_layout(run: Run) -> None:
    text = run("where", MMA, "B", "--all", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(text)))
    layout = atoms.mma(MMA).layout_B
    assert len(rows) == 8 * 16
    for row in rows:
        entry: dict[str, Any] = {key: int(value) for key, value in row.items()}
        assert layout(entry["lane"], entry["slot"]) == entry["n"] + 8 * entry["k"]
    data = run("where", MMA, "B", "--all", "--format", "json").data
    assert len(data["elements"]) == len(rows)


def test_tables_in_all_forms(run: Run) -> None:
    markdown = run("where", MMA, "C", "--lane", "0", "--format", "markdown").out.splitlines()
    assert markdown[0] == "| m | n | thread | warp | lane | register | part | slot |"
    assert markdown[2] == "| 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |"
    text = run("where", MMA, "C", "--lane", "0").out.splitlines()
    assert text[0] == f"C of {MMA}, 16 x 8; a register holds one value"
    assert text[1].split() == ["m", "n", "thread", "warp", "lane", "register", "part", "slot"]


def test_amd_layouts(run: Run) -> None:
    matrix = run("where", MMA, "B", "--matrix-layout", "--format", "csv").out.splitlines()
    assert matrix[0] == "n\\k," + ",".join(map(str, range(16)))
    assert matrix[4].split(",")[8] == "T15 R0.1"
    registers = run("where", MMA, "B", "--register-layout", "--format", "csv").out.splitlines()
    assert registers[0] == "thread,R0.0,R0.1,R1.0,R1.1"
    assert list(csv.reader(registers))[16] == ["15", "(3,6)", "(3,7)", "(3,14)", "(3,15)"]
    data = run("where", MMA, "B", "--register-layout", "--format", "json").data
    assert len(data["elements"]) == 128


def test_row_addresses_of_ldmatrix(run: Run) -> None:
    outcome = run("where", "SM75_U32x4_LDSM_N", "D", "9", "3")
    assert outcome.out == (
        "D(9,3) of SM75_U32x4_LDSM_N of uint16_t: "
        "lane 5, register 1, half 1, slot 3, address of the row from lane 9\n"
    )
    data = run("where", "SM75_U32x4_LDSM_N", "D", "9", "3", "--format", "json").data
    assert (data["lane"], data["row_address_lane"]) == (5, 9)
    assert "byte 6" in run("where", "SM75_U32x1_LDSM_N", "S", "5", "3").out


def test_a_tiled_mma_has_threads(run: Run) -> None:
    options = ("--atoms", "2,2,1", "--permutation", "32,32,16")
    outcome = run("where", MMA, "A", "19", "7", *options)
    assert "thread 47 (warp 1, lane 15), register 0, half 1, slot 1" in outcome.out
    assert "also thread 111 (warp 3, lane 15)" in outcome.out
    data = run("where", MMA, "A", "19", "7", *options, "--format", "json").data
    assert [holder["thread"] for holder in data["holders"]] == [47, 111]
    held = run("where", MMA, "A", "--thread", "47", "--reg", "0", *options, "--format", "json").data
    assert [19, 7] in [entry["element"] for entry in held["elements"]]
    by_warp = ("--lane", "15", "--warp", "1", "--reg", "0", "--format", "json")
    assert run("where", MMA, "A", *by_warp, *options).data["elements"] == held["elements"]


def test_operands_outside_of_registers(run: Run) -> None:
    shared = run("where", "SM90_64x16x16_F32F16F16_SS", "A", "3", "3")
    assert "shared memory, slot 195" in shared.out
    tensor = run(
        "where", "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64>", "C", "20", "3", "--format", "json"
    )
    assert tensor.data["memory"] == {"datapath": 20, "column": 3}
    assert tensor.data["lane"] is None


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((MMA, "A", "16", "0"), "A(16,0) is outside of the tile"),
        ((MMA, "A", "0", "16"), "rows 0 .. 15, columns 0 .. 15"),
        ((MMA, "A", "--", "-1", "0"), "A(-1,0) is outside of the tile"),
        ((MMA, "A", "-1", "0"), "no such option '-1'"),
        ((MMA, "A", "--lane", "40"), "no lane 40; a warp has lanes 0 .. 31"),
        ((MMA, "A", "--lane", "0", "--reg", "4"), "no register 4; there are 0 .. 3"),
        ((MMA, "A", "--thread", "32"), "thread 32 takes no part"),
        ((MMA, "Q", "1", "1"), "no operand 'Q'"),
        (("SM75_U32x1_LDSM_N", "B", "1", "1"), "no side 'B'"),
        (("SM80_16x8x16_F32F16F16F32_NT", "A", "1", "1"), "did you mean SM80_16x8x16_F32F16F16F32_TN"),
        ((MMA, "A"), "ask with an element"),
        ((MMA, "A", "1"), "an element has two coordinates, here are 1"),
        ((MMA, "A", "1", "2", "3"), "here are 3"),
        ((MMA, "A", "x", "7"), "not a valid integer"),
        ((MMA, "A", "1", "2", "--all"), "ask with an element"),
        ((MMA, "A", "--reg", "1"), "ask with an element"),
        ((MMA, "A", "1", "2", "--type", "half_t"), "types are its own"),
        ((MMA, "A", "1", "2", "--atoms", "2,2,1", "--type", "half_t"), "types are its own"),
        ((MMA, "A", "1", "2", "--permutation", "8"), "smaller than"),
        (("SM75_U32x1_LDSM_N", "D", "1", "2", "--type", "double"), "not valid for"),
        (("SM75_U32x1_LDSM_N", "D", "1", "2", "--atoms", "1,1,1"), "copy atom"),
        (("SM90_64x16x16_F32F16F16_SS", "A", "--lane", "0"), "no thread holds it"),
        (("SM100_UTCCP_4dp256bit_1cta", "S", "0", "0"), "no thread holds it"),
        ((MMA, "A", "1", "2", "--format", "xml"), "'xml' is not one of"),
    ],
)
def test_bad_questions(run: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = run("where", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_bad_questions_as_json(run: Run) -> None:
    data = run("where", MMA, "A", "16", "0", "--format", "json").data
    assert (data["verdict"], data["exit_code"], data["command"]) == ("bad input", 2, "where")
