"""`symlayout conform`."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from .conftest import Run

GOOD = {"id": "a", "op": "coalesce", "args": ["(2,(1,6)):(1,(6,2))"], "result": "12:1"}
WRONG = {"id": "b", "op": "size", "args": ["(2,3):(1,2)"], "result": "7"}
UNKNOWN = {"id": "c", "op": "frobnicate", "args": ["4:1"], "result": "4:1"}
UNREAD = {"id": "d", "op": "coalesce", "args": ["(4:1"], "result": "4:1"}
SKIPPED = {"id": "e", "op": "coalesce", "args": ["text"], "result": "x", "callable": False}
REFUSED = {"id": "f", "op": "upcast", "args": ["2", "8:3"], "error": "Divisibility"}
SILENT = {"id": "g", "op": "composition", "args": ["(3,2):(1,4)", "(2,2):(1,2)"], "result": "(2,2):(1,2)"}


def written(folder: Path, *records: Mapping[str, object]) -> str:
    file = folder / "records.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(file)


def test_agreement_is_exit_code_0(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, GOOD, SKIPPED, REFUSED, SILENT)
    outcome = run("conform", file)
    assert outcome.code == 0
    assert "3 agreed" in outcome.out
    assert "1 skipped" in outcome.out
    (found,) = run("conform", file, "--format", "json").data["files"]
    assert (found["file"], found["records"], found["agreed"], found["skipped"]) == (file, 4, 3, 1)
    assert found["differences"] == []


@pytest.mark.parametrize("record", [WRONG, UNKNOWN, UNREAD])
def test_anything_else_is_exit_code_1(run: Run, tmp_path: Path, record: Mapping[str, object]) -> None:
    file = written(tmp_path, GOOD, record)
    outcome = run("conform", file)
    assert outcome.code == 1
    assert str(record["op"]) in outcome.out
    data = run("conform", file, "--format", "json").data
    assert data["verdict"] == "refuted"
    assert data["files"][0]["differences"][0]["id"] == record["id"]


def test_first_limits_what_is_printed_and_not_what_is_counted(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, *[{**WRONG, "id": f"w{i}"} for i in range(5)])
    (found,) = run("conform", file, "--first", "2", "--format", "json").data["files"]
    assert found["differing"] == 5
    assert [d["id"] for d in found["differences"]] == ["w0", "w1"]


def test_checked_lists_what_the_safe_mode_refuses(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, GOOD, SILENT)
    outcome = run("conform", file, "--checked")
    assert outcome.code == 0
    assert "refused: g" in outcome.out
    assert run("conform", file, "--checked", "--format", "json").data["files"][0]["refused_ids"] == ["g"]


def test_several_files_are_named(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, GOOD)
    outcome = run("conform", file, file)
    assert outcome.code == 0
    assert [line.partition(":")[0] for line in outcome.out.splitlines()] == [file, file]


def test_a_file_that_is_no_text(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "dump.jsonl"
    file.write_bytes(b"\xff\xfe\x00\x81")
    outcome = run("conform", str(file))
    assert outcome.code == 2
    assert "is not text in UTF-8" in outcome.err


def test_a_record_without_an_operation_says_so(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "no_op.jsonl"
    path.write_text('{"args": ["4:1"], "result": "4:1"}\n')
    outcome = run("conform", str(path))
    assert outcome.code == 1
    assert 'no "op", the name of an operation' in outcome.out


def test_a_file_without_records_agrees_about_nothing(run: Run, tmp_path: Path) -> None:
    outcome = run("conform", written(tmp_path))
    assert outcome.code == 2
    assert "has no records" in outcome.err


def test_a_byte_order_mark_and_numbers_as_arguments(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    record = {"op": "composition", "args": [4, "4:1"], "result": "4:1"}
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(record).encode())
    assert run("conform", str(file)).code == 0


def test_a_table_is_no_longer_than_the_record(run: Run, tmp_path: Path) -> None:
    huge = 10**12
    records = (
        {"op": "layout_table", "args": ["4:1", huge], "result": "0 1"},
        {"op": "layout_table", "args": ["4:1", huge], "error": "x"},
        {"op": "swizzle_table", "args": ["Sw<1,2,3>", huge], "result": "0 1"},
        {"op": "swizzle_table", "args": ["Sw<1,2,3>", huge], "error": "x"},
        {"op": "swizzle_compose_table", "args": ["Sw<1,2,3>", f"{huge}:1"], "result": "0 1"},
    )
    outcome = run("conform", written(tmp_path, *records))
    assert f"{huge} values, where the record lists another number" in outcome.out
    assert f"a table of {huge} values; at most" in outcome.out
    assert "5 records, 3 agreed, 2 differing" in outcome.out
