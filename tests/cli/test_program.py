"""The program as a whole: help, version, exit codes of a real process, defects, interrupts, start-up."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from symlayout import EngineDisagreement, __version__
from symlayout.cli import main, program
from symlayout.cli.program import COMMANDS

from .conftest import Run, invalid

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "symlayout"]


def process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "arguments, code",
    [
        (("eval", "4:1"), 0),
        (("eval", "composition((3,2):(1,4), (2,2):(1,2))"), 1),
        (("eval", "4:1)"), 2),
        ((), 2),
    ],
)
def test_exit_codes_of_a_process(arguments: tuple[str, ...], code: int) -> None:
    done = process(*arguments)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_main_returns_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "coalesce((2,2):(1,2))"]) == 0
    assert capsys.readouterr().out == "4:1\n"
    assert main(["eval", "4:"]) == 2


def test_version(run: Run) -> None:
    assert run("--version").out == f"symlayout {__version__}\n"


def test_help_lists_every_command(run: Run) -> None:
    outcome = run("--help")
    assert outcome.code == 0
    for name in COMMANDS:
        assert f"  {name} " in outcome.out
    assert "Exit codes: 0 as stated, 1 refuted" in outcome.out


@pytest.mark.parametrize(
    "words",
    [
        *((name,) for name in COMMANDS),
        ("prove", "retile"),
        ("prove", "banks"),
        ("refute", "divide"),
        ("trace", "retile"),
        ("prove", "proofs"),
    ],
)
def test_every_command_has_help(run: Run, words: tuple[str, ...]) -> None:
    outcome = run(*words, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: symlayout {' '.join(words)}")


def test_every_command_takes_format() -> None:
    context = click.Context(program)
    for name in COMMANDS:
        command = program.get_command(context, name)
        assert command is not None
        leaves = list(command.commands.values()) if isinstance(command, click.Group) else [command]
        for leaf in leaves:
            options = {option for parameter in leaf.params for option in parameter.opts}
            assert "--format" in options or name == "schema"


def test_the_schema_is_json_and_has_every_command(run: Run) -> None:
    schema = json.loads(run("schema").out)
    titles = {variant["title"] for variant in schema["oneOf"]}
    assert titles == {
        *(
            "prove",
            "prove retile",
            "prove banks",
            "refute divide",
            "trace retile",
            "eval",
            "explain",
            "show",
            "conform",
            "recheck",
            "where",
            "atoms",
            "error",
        )
    }
    (evaluated,) = (variant for variant in schema["oneOf"] if variant["title"] == "eval")
    assert invalid({"command": "eval"}, evaluated) is not None  # the checker of these tests does check


@pytest.mark.parametrize(
    "error, words",
    [
        (RuntimeError("the sky fell"), "RuntimeError: the sky fell"),
        (EngineDisagreement("z3 says yes, counting says no"), "z3 says yes, counting says no"),
    ],
)
def test_a_defect_is_exit_code_4(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("symlayout.render.layout_grid", fails)
    outcome = run("show", "4:1")
    assert (outcome.code, outcome.out) == (4, "")
    assert words in outcome.err
    assert "this is a defect of symlayout" in outcome.err
    assert "Traceback" not in outcome.err
    assert run("show", "4:1", "--format", "json").data["verdict"] == "defect"


def test_debug_lets_the_traceback_of_a_defect_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the sky fell")

    monkeypatch.setattr("symlayout.render.layout_grid", fails)
    with pytest.raises(RuntimeError, match="the sky fell"):
        program.run(["--debug", "show", "4:1"])


def test_debug_keeps_bad_input_short(run: Run) -> None:
    assert run("--debug", "show", "4:").code == 2


def test_out_of_memory_is_bad_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("symlayout.render.layout_grid", fails)
    outcome = run("show", "4:1")
    assert outcome.code == 2
    assert "out of memory" in outcome.err


def test_a_reader_that_leaves_is_no_error() -> None:
    running = subprocess.Popen(
        [*COMMAND, "show", "(256,256):(256,1)"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdout.readline() == "(256,256):(256,1)\n"
    running.stdout.close()
    assert running.stderr.read() == ""
    assert running.wait(timeout=30) == 141
    running.stderr.close()


def test_an_interrupt_in_a_host_program_is_exit_code_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("symlayout.render.layout_grid", interrupted)
    assert run("show", "4:1").code == 130


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What the command writes to a terminal."""
    ours, theirs = pty.openpty()
    known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TERM")}
    running = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=ROOT,
        stdout=theirs,
        stderr=theirs,
        env={**known, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    written = b""
    try:
        while block := os.read(ours, 65536):
            written += block
    except OSError:  # the other side is closed
        pass
    os.close(ours)
    assert running.wait(timeout=60) == 0
    return written.decode()


def test_a_terminal_gets_colour_unless_it_does_not_want_any() -> None:
    assert "\x1b[" in on_a_terminal("show", "(4,8):(8,1)")
    assert "\x1b[" not in on_a_terminal("show", "(4,8):(8,1)", NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal("show", "(4,8):(8,1)", TERM="dumb")


def test_a_wide_grid_is_not_wrapped_on_a_terminal() -> None:
    written = on_a_terminal("show", "(2,64):(64,1)")
    assert max(len(line) for line in written.splitlines()) > 300


PATIENT = """\
import time
from symlayout.claims import equal
from symlayout.theory import theorem

@theorem(a=2)
def takes_its_time(a):
    \"\"\"a = a.\"\"\"
    time.sleep(1.1)
    return equal(a, a)
"""


def test_a_terminal_is_told_how_far_a_long_run_is(tmp_path: Path) -> None:
    file = tmp_path / "patient.py"
    file.write_text(PATIENT, encoding="utf-8")
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", on_a_terminal("prove", str(file)))
    assert re.search(r"takes_its_time ━+ 1/1", plain)


def test_help_loads_nothing_heavy() -> None:
    heavy = [
        "z3",
        "sympy",
        "numpy",
        "lark",
        "rich",
        "symlayout.theory",
        "symlayout.render",
        "symlayout.cli.proofs",
    ]
    loaded = f"import sys; print([m for m in {heavy} if m in sys.modules])"
    code = f"from symlayout.cli import main; main(['--help']); {loaded}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_eval_and_show_load_no_solver_and_no_rich() -> None:
    for words in (["eval", "4:1"], ["show", "4:1"]):
        code = (
            f"from symlayout.cli import main; main({words}); import sys; "
            "print([m for m in ('z3', 'sympy', 'numpy', 'rich') if m in sys.modules])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == "[]"
