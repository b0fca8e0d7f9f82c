"""Every theorem of proofs/ has mutants, and they are refuted; `make mutation` tries all of them."""

from pathlib import Path

import pytest

from symlayout import Layout
from symlayout.theory import Theorem, load, theorems
from tests.mutation.kill import SAY_LESS, kill
from tests.mutation.mutants import changes, mutants

ALL = {
    f"{module.__name__.rpartition('.')[2]}.{stated.name}": stated
    for module in load(Path(__file__).parent.parent / "proofs")
    for stated in theorems(module)
    if stated.kind == "theorem"
}
FIRST = 3  # mutants of a theorem that are tried here


def test_changes() -> None:
    found = {(says, str(changed)) for says, changed in changes(Layout((4, 8), (2, 16)))}
    assert found == {
        ("a stride off by one", "(4,8):(3,16)"),
        ("a stride off by one", "(4,8):(2,17)"),
        ("swapped modes", "(4,8):(16,2)"),
        ("a missing lane bit", "((2,2),8):((2,0),16)"),
        ("a missing lane bit", "(4,(4,2)):(2,(16,0))"),
    }


@pytest.mark.parametrize("name", ALL)
def test_the_first_mutants_are_refuted(name: str) -> None:
    found = kill(ALL[name], FIRST)
    assert found.tried, f"no mutant of {name}: {[m.says for m in mutants(ALL[name])]}"
    assert found.refuted, found.survivors
    if name not in SAY_LESS:
        assert not [text for text in found.survivors if text.endswith("(proved)")]


def test_those_that_say_less_exist() -> None:
    assert set(SAY_LESS) <= set(ALL)
    assert all(isinstance(ALL[name], Theorem) for name in SAY_LESS)
