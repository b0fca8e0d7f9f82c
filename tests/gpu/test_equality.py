"""The enumeration's answers against everything that they are held against, and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from gpu.cli.equal import ask_equal, exit_code
from gpu.element import Array
from gpu.equality import equality
from gpu.equality.equality import CHUNK, Emulator, Seen, compare, walk
from gpu.reading import read_tensor


def layouts(a: str, b: str) -> tuple[Any, Any]:
    return read_tensor(a), read_tensor(b)


class Short(Emulator):
    """A machine that leaves the last coordinate out."""

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        return Seen(*walk(a, b, int(a.size()) - 1))


class Blind(Emulator):
    """A machine that finds everything equal."""

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        return Seen(None, 0)


class Miscounting(Emulator):
    """A machine that counts one too many."""

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        seen = super().enumerate(a, b)
        return replace(seen, differing=seen.differing + 1)


class Late(Emulator):
    """A machine that reports the second difference as the first."""

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        seen = super().enumerate(a, b)
        assert seen.first is not None
        return replace(seen, first=seen.first + 1)


class Shaking(Emulator):
    """A machine whose runs differ."""

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        return replace(super().enumerate(a, b), steady=False)


class Wrong(Emulator):
    """A machine whose values are off at one coordinate that is looked at."""

    def values(self, a: Any, b: Any, coordinates: list[int]) -> Array:
        seen = super().values(a, b, coordinates)
        seen[-1, 1] += 1
        return seen


LAST = ("Sw<1,0,6> o 1 o 64:1", "Sw<0,0,0> o 1 o 64:1")  # differ at 63 alone
MANY = ("(4,8):(8,1)", "(8,4):(1,8)")


OTHERS = (Blind, Miscounting, Late, Shaking, Wrong)


@pytest.mark.parametrize(
    "machine, pair", [(Short, LAST), *((machine, pair) for machine in OTHERS for pair in (LAST, MANY))]
)
def test_a_machine_that_does_something_else_is_a_disagreement(
    machine: type[Emulator], pair: tuple[str, str]
) -> None:
    a, b = layouts(*pair)
    assert exit_code(compare(a, b, Emulator())) == 1
    answer = compare(a, b, machine())
    assert answer.unlike
    assert exit_code(answer) == 4


def test_an_engine_that_takes_too_long_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equality, "PATIENCE", 0.01)
    a, b = layouts("Sw<3,10,3> o 0 o (3,5,7,1000):(1,3,15,105)", "Sw<2,10,4> o 0 o 105000:1")
    answer = compare(a, b, Emulator())
    assert answer.second.engine == ""
    assert exit_code(answer) == 1


def test_numpy_walks_across_its_chunks() -> None:
    a, b = layouts(f"({CHUNK},3):(1,{CHUNK})", f"({CHUNK},3):(1,{CHUNK + 1})")
    assert walk(a, b, 3 * CHUNK) == (CHUNK, 2 * CHUNK)


# ── the command ────────────────────────────────────────────────────────────────────────────────────────────


def said(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(ask_equal, [*words, "--backend", "emulator"], standalone_mode=False)
    return result.return_value if result.exception is None else -1, result.output


def test_what_the_command_says() -> None:
    code, output = said("((4,2),8):((1,4),8)", "64:1")
    assert (code, "  equal\n" in output, "not hardware" in output) == (0, True, True)
    code, output = said(*MANY)
    assert code == 1
    assert "first difference: ((4,8):(8,1))(1) = 8, ((8,4):(1,8))(1) = 1\n  30 of 32 values differ" in output
    assert "canonical says the same" in output
    code, output = said("8:1", "9:1")
    assert (code, output) == (1, "the sizes differ: 8:1 has 8 elements, 9:1 has 9\n")
    code, output = said("68719476736:1", "(8,8589934592):(1,8)")
    assert code == 3
    assert "more than the 268435456 that this machine enumerates" in output


@pytest.mark.parametrize(
    "words", [["8:1"], ["8:1", "8:1", "8:1"], ["8:1", "8:1", "--record", "x"], ["--bench"]]
)
def test_words_that_do_not_go_together_are_refused(words: list[str]) -> None:
    result = CliRunner().invoke(ask_equal, [*words, "--backend", "emulator"])
    assert result.exit_code == 2
    assert "Error" in result.output


def test_json_has_the_answer() -> None:
    code, output = said(*LAST, "--format", "json")
    answer = json.loads(output)
    assert code == answer["exit_code"] == 1
    assert (answer["first"], answer["values"], answer["differing"]) == (63, [65, 64], 1)
    assert answer["engine"] == "agreement"
