"""What every command of `gpu` does with a file that it cannot write."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    assert capsys.readouterr().err == f"symlayout gpu: {said(words[-1])}: File '{tmp_path}' is a directory.\n"


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("discover", "ldmatrix.x4", *EMULATOR, "--record", "/dev/null/x.json") == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("symlayout gpu: /dev/null")
    assert "Not a directory" in last or "File exists" in last


def exit_code(*words: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(list(words))
    return int(stopped.value.code or 0)


def said(option: str) -> str:
    return f"Invalid value for '{option}'"
