"""What every command of `gpu` does with files that it cannot write and words that do not go together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu.cases import HALF, X4
from gpu.cli import main

EMULATOR = ("--backend", "emulator")


@pytest.mark.parametrize(
    "words",
    [
        ("discover", "ldmatrix.x4", *EMULATOR, "--record"),
        ("wgmma", "SM90_64x8x16_F16F16F16_RS", *EMULATOR, "--record"),
        ("banks", "--record"),
        ("campaign", *EMULATOR, "--record"),
        ("campaign", "--prove"),
    ],
    ids=" ".join,
)
def test_a_folder_in_place_of_a_file_is_refused_before_anything_is_asked(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(*words, str(tmp_path)) == 2
    first = capsys.readouterr().err.splitlines()[0]
    assert first == f"symlayout: {said(words[-1])}: File '{tmp_path}' is a directory"


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("discover", "ldmatrix.x4", *EMULATOR, "--record", "/dev/null/x.json") == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("symlayout: /dev/null")
    assert "Not a directory" in last or "File exists" in last


@pytest.mark.parametrize(
    "words",
    [
        ("campaign", "--prove", "x", "--record", "y"),
        ("campaign", "--prove", "x", *EMULATOR),
        ("discover", "--recorded", *EMULATOR),
        ("banks", "--metrics", "--record", "x"),
        ("cute", "--compile-only", "--record", "x"),
    ],
    ids=" ".join,
)
def test_words_of_which_one_would_be_ignored_are_refused(words: tuple[str, ...]) -> None:
    assert exit_code(*words) == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--tensor", "(16"), 2),
        (("--copy", "nonsense"), 2),
        (("--nonsense",), 2),
        (("--tensor", "(16,16):(16,1)", *EMULATOR), 0),
    ],
    ids=str,
)
def test_json_has_the_exit_code_whatever_comes(
    words: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    retile = ("--mma", HALF, "--copy", X4, "--operand", "A")
    assert exit_code("retile", *retile, *words, "--format", "json") == code
    assert json.loads(capsys.readouterr().out)["exit_code"] == code


def test_too_many_coordinates_are_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("equal", "68719476736:1", "68719476736:1", *EMULATOR, "--format", "json") == 3
    assert json.loads(capsys.readouterr().out)["exit_code"] == 3


def test_what_nobody_foresaw_is_a_defect_and_not_a_refutation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a launch failed")

    monkeypatch.setattr("gpu.cli.discover.ask", broken)
    assert exit_code("discover", *EMULATOR) == 4
    assert "RuntimeError: a launch failed" in capsys.readouterr().err
    with pytest.raises(RuntimeError):
        main(["discover", *EMULATOR, "--debug"])


def exit_code(*words: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(list(words))
    return int(stopped.value.code or 0)


def said(option: str) -> str:
    return f"invalid value for '{option}'"
