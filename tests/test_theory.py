"""Theorems as functions, files of them, and the printed forms in their comments."""

from pathlib import Path

import pytest

from symlayout.claims import Claim, equal
from symlayout.errors import LayoutError, NotationError
from symlayout.symbolic import Int
from symlayout.theory import check, load, printed_forms, refutation, theorem, theorems

FILE = '''
"""Two theorems and a refutation."""
from symlayout import Layout
from symlayout.claims import equal
from symlayout.theory import refutation, theorem

L = Layout((2, 4), (1, 2))  # (2,4):(1,2)
M = Layout((2, 4), (4, 1))  # (2,4):(4,2)


@theorem(a=2, b=4)
def second(a, b):
    """L counts."""
    return equal(L(a, b), a + 2 * b)


@refutation(a=8, witness={"a": 4})
def first(a):
    """a % 4 = a (false)."""
    return equal(a % 4, a)


@theorem(a=8)
def wrong(a):
    """a % 4 = a."""
    return equal(a % 4, a)


@refutation(a=8, witness={"a": 5})
def pinned_elsewhere(a):
    """a % 4 = a (false)."""
    return equal(a % 4, a)


@refutation(a=4, witness={"a": 0})
def true_after_all(a):
    """a % 4 = a (false)."""
    return equal(a % 4, a)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "claims_of_mine.py").write_text(FILE)
    (tmp_path / "_not_proofs.py").write_text("raise RuntimeError")
    return tmp_path


def test_outcomes_come_in_the_order_of_the_text(folder: Path) -> None:
    outcomes = list(check(load(folder)))
    assert [(o.theorem.name, o.verdict.name, o.as_stated, o.exit_code) for o in outcomes] == [
        ("second", "proved", True, 0),
        ("first", "refuted", True, 0),
        ("wrong", "refuted", False, 1),
        ("pinned_elsewhere", "refuted", False, 1),
        ("true_after_all", "proved", False, 1),
    ]
    assert outcomes[0].theorem.statement == "L counts."
    assert [o.theorem.kind for o in outcomes[:2]] == ["theorem", "refutation"]
    data = outcomes[1].to_json()
    assert (data["name"], data["as_stated"], data["witness"]) == ("first", True, {"a": 4})


def test_one_file_can_be_loaded(folder: Path) -> None:
    (module,) = load(folder / "claims_of_mine.py")
    assert [t.name for t in theorems(module)][:2] == ["second", "first"]


def test_a_package_may_import_relatively(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "names.py").write_text("from symlayout import Layout\n\nL = Layout(8, 1)\n")
    (tmp_path / "use.py").write_text(
        "from symlayout.claims import equal\nfrom symlayout.theory import theorem\n\n"
        "from .names import L\n\n\n"
        '@theorem(a=8)\ndef identity(a):\n    """L(a) = a."""\n    return equal(L(a), a)\n'
    )
    assert [o.as_stated for o in check(load(tmp_path))] == [True]
    assert [o.as_stated for o in check(load(tmp_path / "use.py"))] == [True]


def test_printed_forms_are_read_from_the_comments(folder: Path) -> None:
    (module,) = load(folder)
    forms = [(f.name, f.claimed, f.printed) for f in printed_forms(module)]
    assert forms == [("L", "(2,4):(1,2)", "(2,4):(1,2)"), ("M", "(2,4):(4,2)", "(2,4):(4,1)")]


def test_a_module_name_can_be_given() -> None:
    (module,) = load("symlayout.theory")
    assert theorems(module) == []


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"no proofs, no \*.py in this folder"):
        load(tmp_path)
    with pytest.raises(NotationError, match=r"nowhere\.py: no such file"):
        load("nowhere.py")
    with pytest.raises(NotationError, match="a/b: no such file or folder"):
        load("a/b")


def test_a_theorem_needs_a_statement() -> None:
    with pytest.raises(LayoutError, match="silent: a theorem needs its statement as a docstring"):

        @theorem(a=2)
        def silent(a: Int) -> Claim:
            return equal(a, a)


def test_a_theorem_can_be_called() -> None:
    @refutation(a=8, witness={"a": 4})
    def short(a: Int) -> Claim:
        """a % 4 = a (false)."""
        return equal(a % 4, a)

    assert short(3).failure() is None
    assert short(5).failure() is not None
    assert short.as_stated(short.prove())


def test_the_front_door_has_both_decorators() -> None:
    import symlayout

    assert symlayout.theorem is theorem
    assert symlayout.refutation is refutation
    assert {"theorem", "refutation"} <= set(symlayout.__all__)
