"""What a user gets from the wheel: one top-level name, with everything that the code reads at run time."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHIPPED = [
    "pyproject.toml",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "symlayout",
    "proofs",
    "gpu",
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy, so that neither build/ nor an egg-info is left in the checkout."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    # without isolation: the backend is among the dev packages, and the test needs no network
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.whl")
    return path


def files(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_only_top_level_name_is_symlayout(wheel: Path) -> None:
    top = {name.split("/")[0] for name in files(wheel)}
    assert {name for name in top if not name.endswith(".dist-info")} == {"symlayout"}


def test_every_source_file_is_inside(wheel: Path) -> None:
    inside = set(files(wheel))
    places = {"symlayout": "symlayout", "proofs": "symlayout/proofs", "gpu": "symlayout/gpu"}
    missing = [
        path.relative_to(ROOT).as_posix()
        for folder, place in places.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix in {".py", ".lark", ".cu", ".json", ".typed"}
        if f"{place}/{path.relative_to(ROOT / folder).as_posix()}" not in inside
    ]
    assert not missing, f"not in the wheel: {missing}"
    assert "symlayout/py.typed" in inside


def test_tests_stay_outside(wheel: Path) -> None:
    assert not [name for name in files(wheel) if "test" in name.lower()]


def test_unpacked_wheel_works(wheel: Path, tmp_path: Path) -> None:
    """The wheel alone, without the checkout beside it, parses a layout and finds its leaves."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import symlayout, symlayout.gpu, symlayout.proofs\n"
        "print(symlayout.__file__)\n"
        "print(symlayout.parse('((2,2),(4,1)):((1,4),(2,0))'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    where, printed = done.stdout.splitlines()
    assert Path(where).is_relative_to(tmp_path)
    assert printed == "((2,2),(4,1)):((1,4),(2,0))"
