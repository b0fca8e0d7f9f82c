"""Theorems as functions, files of them, and the printed forms in their comments."""

from inspect import unwrap
from pathlib import Path

import pytest

from symlayout import assume
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


HEAD = "from symlayout import Layout, equal, refutation, theorem\nfrom symlayout import theory\n\n\n"
TRUE = '@theorem(a=8)\ndef holds(a):\n    """a = a."""\n    return equal(a, a)\n\n\n'
FALSE = '@theorem(a=8)\ndef {}(a):\n    """a = 0 (false)."""\n    return equal(a, 0)\n\n\n'
BARE = FALSE.format("f").partition("\n")[2]
UNDER = "@{}(a=8)\n" + FALSE.format("inside").partition("\n")[2]


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    "text, name",
    [
        (FALSE.format("holds") + TRUE, "holds"),
        (TRUE + FALSE.format("hidden") + "def hidden(a):\n    return a\n", "hidden"),
        (TRUE + FALSE.format("hidden") + "hidden = 5\n", "hidden"),
        (TRUE + FALSE.format("hidden") + "del hidden\n", "hidden"),
        (TRUE + "class Group:\n" + indented(FALSE.format("inside")), "inside"),
        (TRUE + "def group():\n" + indented(FALSE.format("inside")), "inside"),
        (TRUE + "def group():\n" + indented(FALSE.format("inside")) + "group()\n", "inside"),
        (TRUE + "if Layout(2, 1) != Layout(2, 1):\n" + indented(FALSE.format("inside")), "inside"),
        (TRUE + "for k in (1, 2):\n" + indented(FALSE.format("twice")), "twice"),
        (TRUE + "try:\n    pass\nexcept ValueError:\n" + indented(FALSE.format("inside")), "inside"),
        (TRUE + "t = theorem\ndef group():\n" + indented(UNDER.format("t")), "inside"),
        (TRUE + "def group():\n" + indented(UNDER.format("theory.theorem")), "inside"),
        (
            TRUE + "def group():\n    from symlayout import theorem as t\n"
            + indented(UNDER.format("t")),
            "inside",
        ),
        (TRUE + BARE + "theorem(a=8)(f)\n", "f"),
        (TRUE + BARE + "kept = [theorem(a=8)(f)]\n", "f"),
    ],
)  # fmt: skip
def test_a_theorem_that_would_not_be_run_is_named(tmp_path: Path, text: str, name: str) -> None:
    file = tmp_path / "hides_one.py"
    file.write_text(HEAD + text)
    with pytest.raises(LayoutError, match=rf"hides_one\.py:\d+: the theorem {name} is not run"):
        theorems(load(file)[0])


@pytest.mark.parametrize(
    "text, names",
    [
        (TRUE + "again = holds\n", ["holds"]),
        (TRUE.replace("def holds", "def _holds"), ["_holds"]),
        (TRUE + FALSE.format("f") + "g = f\ndel f\n", ["holds", "f"]),
        (TRUE + "if Layout(2, 1) == Layout(2, 1):\n" + indented(FALSE.format("inside")), ["holds", "inside"]),
        (BARE + "t, u = theorem(a=8)(f), theorem(a=9)(f)\n", ["f", "f"]),
        (TRUE + FALSE.format("also").replace("@theorem", "@theory.theorem"), ["holds", "also"]),
    ],
)  # fmt: skip
def test_a_theorem_is_run_under_any_name_that_leads_to_it(
    tmp_path: Path, text: str, names: list[str]
) -> None:
    file = tmp_path / "all_of_them.py"
    file.write_text(HEAD + text)
    assert [t.name for t in theorems(load(file)[0])] == names


def test_theorems_of_another_file_are_its_own(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "first.py").write_text(HEAD + TRUE)
    (tmp_path / "second.py").write_text(HEAD + "from .first import holds\n\n\n" + FALSE.format("fails"))
    (tmp_path / "_makes.py").write_text(
        HEAD + "def make(n):\n" + indented(FALSE.format("made")) + "    return made\n"
    )
    (tmp_path / "third.py").write_text("from ._makes import make\n\none, two = make(1), make(2)\n")
    first, second, third = load(tmp_path)
    assert [t.name for t in theorems(first)] == ["holds"]
    assert [t.name for t in theorems(second)] == ["fails"]
    assert [t.name for t in theorems(third)] == ["made", "made"], "of no other file, so they are run here"


@pytest.mark.parametrize(
    "witness, message",
    [
        ({"a": True}, "the witness a = True is not an integer"),
        ({"a": 1.0}, "the witness a = 1.0 is not an integer"),
        ({"a": "1"}, "the witness a = '1' is not an integer"),
        ({"a": None}, "the witness a = None is not an integer"),
        ({}, "does not say what a is"),
        ({"b": 1}, "does not say what a is"),
        ({"a": 8}, "the witness a = 8 is not in 0 <= a < 8"),
        ({"a": -1}, "the witness a = -1 is not in 0 <= a < 8"),
        ({"a": 1, "i": 2.0}, "the witness i = 2.0 is not an integer"),
    ],
)
def test_a_witness_is_a_point_of_the_quantifiers(witness: dict[str, object], message: str) -> None:
    with pytest.raises(LayoutError, match=f"nonzero: .*{message}"):

        @refutation(witness=witness, a=8)
        def nonzero(a: Int) -> Claim:
            """a = 0 (false)."""
            return equal(a, 0)


@pytest.mark.parametrize("witness", [[1], None, 1, "a", ({"a": 1},)])
def test_a_witness_says_what_each_digit_is(witness: object) -> None:
    with pytest.raises(LayoutError, match="a witness says what each digit is"):
        refutation(witness=witness, a=8)  # type: ignore[arg-type]


def test_a_witness_names_what_the_claim_has() -> None:
    @refutation(witness={"a": 1, "b": 1}, a=8)
    def nonzero(a: Int) -> Claim:
        """a = 0 (false)."""
        return equal(a, 0)

    with pytest.raises(LayoutError, match=r"the stated witness names a, b; a counterexample .* names a"):
        nonzero.prove()


def test_a_theorem_is_a_function() -> None:
    with pytest.raises(LayoutError, match="a theorem is a function under"):
        theorem(a=2)(len)  # type: ignore[arg-type]


def test_the_front_door_has_both_decorators() -> None:
    import symlayout

    assert unwrap(symlayout.theorem) is theorem
    assert unwrap(symlayout.refutation) is refutation
    assert {"theorem", "refutation"} <= set(symlayout.__all__)


def test_a_refutation_may_be_over_parameters() -> None:
    n = assume("N % 4 == 0")["N"]

    @refutation(a=n, witness={"n": 2, "a": 4})
    def wraps(a: Int) -> Claim:
        """a % 4 = a, up to 4."""
        return equal(a % 4, a)

    assert wraps.as_stated(wraps.prove())
