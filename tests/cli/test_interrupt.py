"""Ctrl-C and SIGTERM in the middle of work, on a terminal: the cursor is back, what was found is said, one
line `interrupted`, exit code 130 or 143, and nobody is left behind.

Every test waits for something that the program writes or a file that it opens, and only then sends the
signal; time is a last resort against hanging, and large.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from symlayout import atoms, bijective, make_tiled_copy_A, make_tiled_mma, prove
from symlayout.certificate import certify

from .conftest import MMA, Run

ROOT = Path(__file__).parent.parent.parent
LONGEST = 120.0  # seconds, on however busy a machine
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"

# the program with bars at once, and something that it waits for: a pipe whose other side never answers
PROGRAM = """
import sys
from symlayout.cli import progress, main
progress.PATIENCE = 0
{before}
sys.exit(main(sys.argv[1:]))
"""
THEOREMS = """
import os
from symlayout import equal
from symlayout.theory import theorem

@theorem(a=4)
def first(a):
    '''a = a.'''
    return equal(a, a)

@theorem(a=4)
def second(a):
    '''a + 0 = a.'''
    return equal(a + 0, a)

@theorem(a=4)
def waits(a):
    '''a = a, in the end.'''
    {waits}
    return equal(a, a)
"""


def hearing() -> None:
    """A job in the background is deaf to Ctrl-C, and so would be what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def at_a_terminal() -> None:
    """In front of the terminal that is its standard input: what is typed there can interrupt it."""
    hearing()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class OnTerminal:
    """A process whose standard streams are a terminal of its own, and what it has written there."""

    def __init__(self, code: str, *arguments: str) -> None:
        ours, theirs = pty.openpty()
        known = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM", "COLUMNS")}
        self.ours = ours
        self.written = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**known, "TERM": "xterm", "COLUMNS": "100", "PYTHONPATH": str(ROOT)},
            start_new_session=True,
            preexec_fn=at_a_terminal,
        )
        os.close(theirs)

    def _read(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + LONGEST
        while not until():
            ready, _, _ = select.select([self.ours], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"nothing came for {LONGEST} s after {self.written!r}"
            try:
                block = os.read(self.ours, 1 << 16)
            except OSError:  # the terminal's other side is closed: the process is gone
                block = b""
            if not block:
                return
            self.written += block.decode()

    def read_until(self, text: str) -> None:
        self._read(lambda: text in self.written)
        assert text in self.written, self.written

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def ends(self) -> int:
        """The exit code."""
        self._read(lambda: False)
        return self.process.wait(timeout=LONGEST)

    @property
    def plain(self) -> str:
        """Without escapes."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.written)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.ours)


@pytest.fixture
def start() -> Iterator[Callable[..., OnTerminal]]:
    running: list[OnTerminal] = []

    def begin(*arguments: str, before: str = "") -> OnTerminal:
        running.append(OnTerminal(PROGRAM.format(before=before), *arguments))
        return running[-1]

    yield begin
    for program in running:
        program.close()


def is_gone(pid: int) -> bool:
    """Whether a process that is not ours ends."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def ended_well(program: OnTerminal, number: int) -> None:
    assert program.ends() == 128 + number, program.written
    assert program.written.count("interrupted") == 1, program.written
    by = " by SIGTERM" if number == signal.SIGTERM else ""
    assert program.plain.splitlines()[-1].endswith(f"symlayout: interrupted{by}")
    assert program.written.rfind(SHOW) > program.written.rfind(HIDE)
    assert "Traceback" not in program.written
    assert "KeyboardInterrupt" not in program.written


SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])


@SIGNALS
def test_proofs_under_their_bar(start: Callable[..., OnTerminal], tmp_path: Path, number: int) -> None:
    file = tmp_path / "slow.py"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    file.write_text(THEOREMS.format(waits=f"os.close(os.open({str(pipe)!r}, os.O_RDONLY))"))
    program = start("prove", str(file))
    program.read_until("second")  # the bar names what is done; the next theorem waits for the pipe
    program.send(number)
    ended_well(program, number)
    assert HIDE in program.written, "there was a bar"
    assert "after 2 of 3: 2 proved" in program.plain
    assert re.search(r"first +a = a\. +proved", program.plain)


def test_ctrl_c_typed_at_the_terminal_reaches_everybody_and_leaves_nobody(
    start: Callable[..., OnTerminal], tmp_path: Path
) -> None:
    """A question that is with the solvers' process, which hangs."""
    pid = tmp_path / "pid"
    child = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(1000)"
    before = (
        "from symlayout import smt, solver_process; smt.SHORT = 0; solver_process.SHOWN_AFTER = 0.0; "
        f"solver_process.COMMAND = [sys.executable, '-c', {child!r}]"
    )
    file = tmp_path / "slow.py"
    file.write_text(THEOREMS.format(waits="pass"))
    program = start("prove", str(file), before=before)
    program.read_until("z3 has been at one obligation")
    os.write(program.ours, b"\x03")  # which the terminal sends to all of its foreground job
    ended_well(program, signal.SIGINT)
    assert not pid.exists() or not pid.read_text() or is_gone(int(pid.read_text()))


@SIGNALS
def test_recheck_ends_the_solvers_process(
    start: Callable[..., OnTerminal], tmp_path: Path, number: int
) -> None:
    mma = make_tiled_mma(MMA)
    copy = make_tiled_copy_A(atoms.SM75_U32x4_LDSM_N, mma)
    claim = copy.retile_correct(mma, "A", (16, 16))
    for k in range(2):
        certify(claim, prove(claim)).write(tmp_path / f"{k}.json")
    hangs = tmp_path / "worker.py"
    pid = tmp_path / "pid"
    hangs.write_text(
        f"import os, time\nopen({str(pid) + '.part'!r}, 'w').write(str(os.getpid()))\n"
        f"os.rename({str(pid) + '.part'!r}, {str(pid)!r})\ntime.sleep(1000)\n"
    )
    before = (
        "from pathlib import Path; from symlayout.recheck import process; init = process.Worker.__init__; "
        f"process.Worker.__init__ = lambda self: init(self, Path({str(hangs)!r})); process.START = 1000.0; "
        "print('begun', flush=True)"
    )
    program = start("recheck", str(tmp_path / "0.json"), str(tmp_path / "1.json"), before=before)
    program.read_until("begun")
    wait_for(pid)
    program.send(number)
    ended_well(program, number)
    assert "after 0 of 2" in program.plain
    assert is_gone(int(pid.read_text()))


def wait_for(file: Path) -> None:
    end = time.monotonic() + LONGEST
    while not file.exists():
        assert time.monotonic() < end, f"{file} does not appear"
        time.sleep(0.01)


@SIGNALS
def test_conform_says_which_files_are_done(
    start: Callable[..., OnTerminal], tmp_path: Path, number: int
) -> None:
    done, pipe = tmp_path / "done.jsonl", tmp_path / "pipe.jsonl"
    done.write_text('{"id": 1, "op": "size", "args": ["(4,8):(8,1)"], "result": "32"}\n')
    os.mkfifo(pipe)
    program = start("conform", str(done), str(pipe))
    writer = os.open(pipe, os.O_WRONLY)  # returns once the program has opened its side
    program.send(number)
    ended_well(program, number)
    os.close(writer)
    assert "done.jsonl: " in program.plain
    assert "1 of 2 files" in program.plain


@SIGNALS
def test_a_gpu_command_under_its_bar(start: Callable[..., OnTerminal], number: int) -> None:
    before = (
        "import symlayout.cli.gpu as g, threading\n"
        "d = sys.modules[g.command.commands['discover'].callback.__module__]; real = d.discover_all\n"
        "def some(machine):\n"
        "    for k, row in enumerate(real(machine)):\n"
        "        if k == 3: threading.Event().wait()\n"
        "        yield row\n"
        "d.discover_all = some"
    )
    program = start("gpu", "discover", "--backend", "emulator", before=before)
    program.read_until(" 3/")
    program.send(number)
    ended_well(program, number)
    assert "3 instructions asked" in program.plain
    assert "after 3 of" in program.plain


@SIGNALS
def test_a_call_that_does_not_come_back_and_one_that_swallows_the_signal(
    start: Callable[..., OnTerminal], tmp_path: Path, number: int
) -> None:
    """z3 in this process does neither, but its code is not ours."""
    swallows = "\n    ".join(
        ("print('deaf', flush=True)", "while True:", "    try: __import__('time').sleep(1000)",
         "    except BaseException: pass")
    )  # fmt: skip
    file = tmp_path / "slow.py"
    file.write_text(THEOREMS.format(waits=swallows))
    program = start("prove", str(file))
    program.read_until("deaf")
    program.send(number)
    ended_well(program, number)
    assert "after 2 of 3: 2 proved" in program.plain


def test_the_second_signal_ends_it_at_once(start: Callable[..., OnTerminal], tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    waits = "\n    ".join(
        ("import time", "try: print('deaf', flush=True); time.sleep(1000)",
         "finally: print('on', flush=True); time.sleep(1000)")
    )  # fmt: skip
    file.write_text(THEOREMS.format(waits=waits))
    before = "from symlayout.cli import interrupt; interrupt.PATIENCE = 1000"
    program = start("prove", str(file), before=before)
    program.read_until("deaf")
    program.send(signal.SIGINT)
    program.read_until("on\r\n")
    program.send(signal.SIGINT)
    ended_well(program, signal.SIGINT)


def test_while_the_program_is_loaded_it_ends_quietly(tmp_path: Path) -> None:
    """A package that is imported last waits for a pipe."""
    (tmp_path / "click.py").write_text(f"open({str(tmp_path / 'pipe')!r}).read()\n")
    os.mkfifo(tmp_path / "pipe")
    program = subprocess.Popen(
        [sys.executable, "-m", "symlayout", "eval", "4:1"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hearing,
    )
    writer = os.open(tmp_path / "pipe", os.O_WRONLY)
    program.send_signal(signal.SIGINT)
    out, complaint = program.communicate(timeout=LONGEST)
    os.close(writer)
    assert (program.returncode, out, complaint) == (130, "", "symlayout: interrupted\n")


def test_json_says_what_was_done(tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "slow.py"
    os.mkfifo(pipe)
    file.write_text(THEOREMS.format(waits=f"os.close(os.open({str(pipe)!r}, os.O_RDONLY)); os.read(0, 1)"))
    program = subprocess.Popen(
        [sys.executable, "-m", "symlayout", "prove", str(file), "--format", "json"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hearing,
    )
    os.close(os.open(pipe, os.O_WRONLY))  # returns once the third theorem has begun
    program.send_signal(signal.SIGINT)
    out, complaint = program.communicate(timeout=LONGEST)
    assert (program.returncode, complaint) == (130, "symlayout: interrupted\n")
    from .conftest import Outcome

    data = Outcome(130, out, complaint).data
    assert (data["verdict"], data["total"], len(data["theorems"])) == ("interrupted", 3, 2)


def test_a_job_that_is_deaf_to_ctrl_c_stays_deaf(run: Run) -> None:
    """A shell starts background jobs so; `main` must not change that."""
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from symlayout.cli import main, interrupt\n"
        "with interrupt.listening(): print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_a_host_program_keeps_its_handlers() -> None:
    from symlayout.cli import main

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    assert main(["eval", "4:1"]) == 0
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
    assert prove(bijective(make_tiled_mma(MMA).fragment_A((16, 16)))).name == "proved"
