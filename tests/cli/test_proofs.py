"""`symlayout prove PATH...`."""

from pathlib import Path
from textwrap import dedent

import pytest

from .conftest import Run

HEAD = "from symlayout.claims import equal\nfrom symlayout.theory import refutation, theorem\n\n"
TRUE = '@theorem(a=4, b=3)\ndef commutes(a, b):\n    """a + b = b + a."""\n    return equal(a + b, b + a)\n\n'
FALSE = '@theorem(a=8)\ndef is_below(a):\n    """a % 4 = a."""\n    return equal(a % 4, a)\n\n'
PINNED = (
    '@refutation(a=8, witness={"a": 4})\ndef wraps(a):\n    """a % 4 = a."""\n    return equal(a % 4, a)\n\n'
)
ASTRAY = (
    '@refutation(a=8, witness={"a": 5})\ndef wraps(a):\n    """a % 4 = a."""\n    return equal(a % 4, a)\n\n'
)
HOLDS = (
    '@refutation(a=3, witness={"a": 1})\ndef wraps(a):\n    """a % 4 = a."""\n    return equal(a % 4, a)\n\n'
)
BROKEN = '@theorem(a=2)\ndef stumbles(a):\n    """a is a."""\n    return equal(a.nothing, a)\n\n'


def written(folder: Path, *parts: str) -> str:
    file = folder / "stated.py"
    file.write_text(HEAD + "".join(parts), encoding="utf-8")
    return str(file)


def test_all_as_stated(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, TRUE, PINNED)
    outcome = run("prove", file)
    assert outcome.code == 0
    assert "1 proved, 1 refuted as stated, in " in outcome.out
    data = run("prove", file, "--format", "json").data
    assert (data["verdict"], data["as_stated"], data["total"]) == ("as stated", 2, 2)
    first, second = data["theorems"]
    assert first["module"] == "stated"
    assert (first["name"], first["kind"], first["verdict"]) == ("commutes", "theorem", "proved")
    assert (second["name"], second["kind"], second["verdict"], second["exit_code"]) == (
        "wraps",
        "refutation",
        "refuted",
        0,
    )
    assert second["witness"] == {"a": 4}


@pytest.mark.parametrize(
    "part, words",
    [
        (FALSE, ["refuted, not as stated", "at a = 4"]),
        (ASTRAY, ["refuted, not as stated", "stated: a refutation at a = 5"]),
        (HOLDS, ["proved, not as stated", "stated: a refutation at a = 1"]),
    ],
)
def test_not_as_stated(run: Run, tmp_path: Path, part: str, words: list[str]) -> None:
    outcome = run("prove", written(tmp_path, TRUE, part))
    assert outcome.code == 1
    for word in [*words, "1 NOT as stated"]:
        assert word in outcome.out


def test_an_error_of_the_author_is_one_row_and_bad_input(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, BROKEN, TRUE)
    outcome = run("prove", file)
    assert outcome.code == 2
    assert "line 7: LayoutError: prove: the body raised AttributeError" in outcome.out
    assert "1 proved" in outcome.out
    assert "Traceback" not in outcome.out + outcome.err
    stumbles, commutes = run("prove", file, "--format", "json").data["theorems"]
    assert (stumbles["verdict"], stumbles["exit_code"]) == ("error", 2)
    assert commutes["verdict"] == "proved"


@pytest.mark.parametrize(
    "text, message",
    [
        ("def f(:\n", "line 1: SyntaxError"),
        ("x = 1\nimport nowhere_to_be_found\n", "line 2: ModuleNotFoundError"),
        ("raise RuntimeError('no')\n", "line 1: RuntimeError: no"),
        ("raise SystemExit(0)\n", "line 1: SystemExit: 0"),
        ("import sys\nsys.exit()\n", "line 2: SystemExit"),
        ("x = 1\n", "no theorem"),
        ("from symlayout import Layout\n\nL = Layout((4, 2), (1,))\n", "not congruent"),
    ],
)
def test_a_file_that_does_not_run(run: Run, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "stated.py"
    file.write_text(text, encoding="utf-8")
    outcome = run("prove", str(file))
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    "where", ["True", "isinstance(a, int)", "a is not None and isinstance(a, int) and a > 90"]
)
def test_a_body_that_ends_the_program_proves_nothing(run: Run, tmp_path: Path, where: str) -> None:
    file = tmp_path / "stated.py"
    text = f"""
        from symlayout import equal, theorem
        @theorem(a=100)
        def leaves(a):
            'It ends with 0, as a proof does.'
            if {where}:
                raise SystemExit(0)
            return equal(a, a)
        """
    file.write_text(dedent(text), encoding="utf-8")
    outcome = run("prove", str(file))
    assert outcome.code == 2
    assert "SystemExit: 0" in outcome.out


def test_a_file_without_theorems_among_others(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n", encoding="utf-8")
    outcome = run("prove", written(tmp_path, TRUE), str(empty))
    assert (outcome.code, outcome.out) == (2, "")
    assert "empty.py: no theorem" in outcome.err


def test_a_theorem_that_another_function_hides_is_bad_input(run: Run, tmp_path: Path) -> None:
    outcome = run("prove", written(tmp_path, TRUE.replace("a + b", "a - b"), TRUE))
    assert (outcome.code, outcome.out) == (2, "")
    assert "is not run" in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    "condition, message",
    [
        ("type(a) is int", "on plain integers: 5 = 0"),
        ("a == 2", "cannot branch on a symbol"),
        ("a in {2, 3}", "stands for many integers"),
        ("len(str(a)) == 3", "stands for many integers"),
    ],
)
def test_a_body_that_takes_one_branch_for_all_is_bad_input(
    run: Run, tmp_path: Path, condition: str, message: str
) -> None:
    silent = (
        '@theorem(a=1 << 40)\ndef silent(a):\n    """0 = 0."""\n    '
        f"return equal(5 if {condition} else 0, 0)\n\n"
    )
    outcome = run("prove", written(tmp_path, silent, TRUE))
    assert outcome.code == 2
    assert message in outcome.out
    assert "1 proved" in outcome.out


def test_an_empty_folder(run: Run, tmp_path: Path) -> None:
    outcome = run("prove", str(tmp_path))
    assert outcome.code == 2
    assert "no proofs" in outcome.err


def test_the_articles_theorems_are_found_without_a_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("prove", "proofs/operand_a.py")
    assert outcome.code == 0
    assert "retile_groups_pairs" in outcome.out


def test_all_theorems_of_the_article(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent.parent)
    data = run("prove", "proofs/", "--format", "json").data
    assert data["as_stated"] == data["total"] > 30
    assert data["exit_code"] == 0
