"""A skip without an excuse fails the run, on one core and on several (tests/conftest.py)."""

import subprocess
import sys
from pathlib import Path

import pytest

SKIPS = """
import pytest

def test_passes():
    assert True

@pytest.mark.skip(reason="{reason}")
def test_is_left_out():
    assert True
"""


@pytest.mark.parametrize("cores", [(), ("-n", "2")], ids=["one process", "two workers"])
@pytest.mark.parametrize("where", ["a test", "a module"])
def test_a_skip_without_an_excuse_fails_the_run(tmp_path: Path, cores: tuple[str, ...], where: str) -> None:
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    (tmp_path / "test_some.py").write_text(SKIPS.format(reason="no time today"))
    if where == "a module":
        (tmp_path / "test_some.py").write_text("def test_passes():\n    assert True\n")
        (tmp_path / "test_none.py").write_text("import pytest\npytest.importorskip('nobody_has_this')\n")
    command = [sys.executable, "-m", "pytest", "-q", *cores, "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout
    assert "skipped without an excuse: the run fails" in done.stdout
    assert "no time today" in done.stdout or "nobody_has_this" in done.stdout


def test_what_the_machine_lacks_is_an_excuse(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        (Path(__file__).parent / "conftest.py").read_text().replace('shutil.which("g++")', "None")
    )
    (tmp_path / "test_some.py").write_text(SKIPS.format(reason="needs g++"))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", str(tmp_path)]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 0
