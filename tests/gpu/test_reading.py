"""The reader of the command line of a machine without lark agrees with the grammar."""

from __future__ import annotations

import pytest

from gpu.reading import read, read_tensor
from symlayout import NotationError, parse

TEXTS = [
    "16",
    "(32,32):(32,1)",
    "((2,2),8):((1,2),4)",
    "4:-1",
    "16,(8,2,2):(1,16,8),16",
    "_,_,32",
]


@pytest.mark.parametrize("text", TEXTS)
def test_both_readers_agree(text: str) -> None:
    assert read(text) == parse(text)


def test_tensors() -> None:
    assert str(read_tensor("(16,64)")) == "(16,64):(64,1)"
    assert read_tensor("Sw<3,3,3> o 0 o (16,64):(64,1)") == parse("Sw<3,3,3> o 0 o (16,64):(64,1)")


@pytest.mark.parametrize(
    "text",
    ["(16,(16", "", "f(3)", "1+1", "a", "(1,2):(3)", "__import__('os')", "1:2:3", "[1]", "'x'", "(" * 500],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises((NotationError, ValueError)):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "16",
        "(2,3,4)",
        "Sw<3,3> o 0 o 8:1",
        "Sw<a,b,c> o 0 o 8:1",
        "x o y",
        "Sw<3,3,3> o 0 o (16,16)",
        "Sw<3,3,3> o 0 o 5",
        "Sw<3,3,---3> o 0 o (16,64):(64,1)",
        "Sw<3,3,3> o --1 o (16,64):(64,1)",
        "8:1 o 0 o (16,64):(64,1)",
    ],
)
def test_what_is_no_tensor_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_tensor(text)
