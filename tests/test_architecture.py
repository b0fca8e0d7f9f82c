"""The house rules of the source tree. Each test names the offender."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent

# Lowest first. A module imports only from modules listed before it, and from the storeys named beside
# its own: hardware states, proof decides, and they meet in `claims`.
STOREYS: dict[str, tuple[list[str], list[str]]] = {
    "maps": (
        [
            *(
                "starting",
                "children",
                "errors",
                "polynomial",
                "names",
                "symbol",
                "dim",
                "sympy_edge",
                "ranges",
                "symbolic",
                "normal",
                "formula",
                "basis",
                "integers",
                "truncation",
                "inttuple",
                "layout",
                "swizzle",
                "arguments",
                "over_parameters",
                "fact",
                "fact_solver",
                "fact_text",
                "domain",
                "algebra",
            ),
            *(
                "view",
                "notation",
                "claim",
                "periods",
                "reach",
                "map_claims",
                "claims",
                "quantified",
                "spread_claim",
                "sentence",
                "statement",
            ),
        ],
        [],
    ),
    "hardware": (
        [
            *(
                "ptx",
                "atoms",
                "delivery",
                "tile_fit",
                "tiled_mma",
                "remedy",
                "retile",
                "retile_parameters",
                "retile_claim",
                "checklist",
            ),
            *(
                "copy_tiling",
                "tiled_copy",
                "access_width",
                "coverage_claim",
                "memory_parameters",
                "memory_claim",
                "load_claim",
                "ownership",
                "where",
                "smem",
                "phases",
                "bank_repair",
                "bank_claim",
            ),
        ],
        ["maps"],
    ),
    "proof": (
        [
            "verdict",
            "smtlib",
            "smt",
            "solver_process",
            "explain",
            "question",
            "assumed",
            "possible",
            "twin",
            "bodies",
            "engines",
            "parametric",
            "decide",
            "conditions",
            "shrink",
            "theory",
        ],
        ["maps"],
    ),
    # what was proved of hardware, as data, and who believes it
    "belief": (
        ["evaluator", "claim_data", "certificate", "recheck"],
        ["maps", "hardware", "proof"],
    ),
    "faces": (
        ["render", "conform", "trace", "cli"],
        ["maps", "hardware", "proof", "belief", "front door"],
    ),
    # symlayout/__init__.py, which only the faces may import from
    "front door": (["__init__"], ["maps", "hardware", "proof"]),
}
FORWARDS = {  # from the first to the second, and only inside a function: the import waits for the call
    ("layout", "algebra"): "methods of Layout are short names of the functions that state their law",
    ("swizzle", "algebra"): "and so are those of ComposedLayout",
    ("smt", "solver_process"): "the few questions that take long go to a process, which asks smt in turn",
}
PLACED = {name for own, _ in STOREYS.values() for name in own}
FRONT_DOOR = "__init__"  # where the names live that are not modules, as in `from symlayout import Layout`

HEAVY = ["z3", "sympy", "numpy", "lark", "rich", "cupy", "cvc5", "bitwuzla", "islpy"]
ONLY_IN = {  # module -> the files that may import it
    "z3": {"symlayout/smt.py"},
    "sympy": {"symlayout/dim.py", "symlayout/smt.py", "symlayout/render/latex.py"},
    "cvc5": {"symlayout/recheck/worker.py"},
    "bitwuzla": {"symlayout/recheck/worker.py"},
    "islpy": {"symlayout/recheck/worker.py"},
    "cupy": {"gpu/device.py"},
}
MOST_LINES = 400
ALONE = {  # files that check what the others say, so they share no code with them; and their own most lines
    "symlayout/evaluator.py": 300,
    "symlayout/sentence.py": 180,
    "symlayout/recheck/partition.py": 340,
    "symlayout/recheck/witness.py": 120,
    "symlayout/recheck/sums.py": 320,
    "symlayout/recheck/rules.py": 400,
    "symlayout/recheck/worker.py": 120,
}


def sources(*folders: str) -> list[Path]:
    """Return the Python files below *folders*, sorted."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def show(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


class Import(NamedTuple):
    """One name that a file imports."""

    name: str  # full and dotted
    relative: bool  # written with a leading dot
    deferred: bool  # inside a function

    def of(self, package: str) -> bool:
        return self.name == package or self.name.startswith(package + ".")


@cache
def imports(path: Path) -> list[Import]:
    """Return what *path* imports, also inside functions.

    ``from .a import b`` in symlayout/cli/x.py gives ``symlayout.cli.a.b``.
    """
    return list(walk(path))


def walk(path: Path) -> Iterator[Import]:
    package = path.relative_to(ROOT).parent.parts
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inner = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        deferred = id(node) in inner
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, False, deferred) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            stem = [*base, *((node.module or "").split(".") if node.module else [])]
            for alias in node.names:
                yield Import(".".join([*stem, alias.name]), node.level > 0, deferred)


def unit(path: Path) -> str:
    """Return the module or package right below symlayout/ that *path* belongs to."""
    return Path(path.relative_to(ROOT / "symlayout").parts[0]).stem


def allowed(name: str) -> set[str]:
    """Return the units that unit *name* may import."""
    for own, visible in STOREYS.values():
        if name in own:
            return {name, *own[: own.index(name)]}.union(*(STOREYS[storey][0] for storey in visible))
    raise AssertionError(f"symlayout/{name} has no place in STOREYS")


def test_every_module_has_a_place() -> None:
    found = {unit(path) for path in sources("symlayout")} - {"__main__"}
    assert not found - PLACED, f"no storey for {sorted(found - PLACED)}: put them into STOREYS"
    assert not PLACED - found, f"STOREYS names {sorted(PLACED - found)}, which do not exist"


def test_modules_import_downwards_only() -> None:
    offenders = []
    for path in sources("symlayout"):
        name = unit(path)
        if name == "__main__":
            continue
        below = allowed(name)
        for found in imports(path):
            if not found.of("symlayout"):
                continue
            target = found.name.split(".")[1]
            if target not in PLACED:
                target = FRONT_DOOR
            forwarded = found.deferred and (name, target) in FORWARDS
            if target not in below and not forwarded:
                offenders.append(f"{show(path)} imports {found.name}, which is not below {name}")
    assert not offenders, "\n".join(offenders)


def test_heavy_packages_stay_in_their_files() -> None:
    offenders = [
        f"{show(path)} imports {found.name}; only {sorted(files)} may import {package}"
        for path in sources("symlayout", "proofs")
        for found in imports(path)
        for package, files in ONLY_IN.items()
        if found.of(package) and show(path) not in files
    ]
    assert not offenders, "\n".join(offenders)


@pytest.mark.parametrize("leaf", ["proofs", "gpu"])
def test_leaves_are_leaves(leaf: str) -> None:
    offenders = []
    for path in sources("symlayout", "gpu", "proofs"):
        inside = path.is_relative_to(ROOT / leaf)
        for found in imports(path):
            # the folder goes by two names, `proofs` and `symlayout.proofs`: only a leading dot fits both
            if (found.of(leaf) or found.of(f"symlayout.{leaf}")) and not (inside and found.relative):
                remedy = "write a relative import" if inside else f"{leaf}/ is a leaf"
                offenders.append(f"{show(path)} imports {found.name}: {remedy}")
    assert not offenders, "\n".join(offenders)


def test_no_file_is_long() -> None:
    lengths = {
        show(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources("symlayout", "gpu", "proofs")
    }
    long = {name: lines for name, lines in lengths.items() if lines > MOST_LINES}
    assert not long, f"over {MOST_LINES} lines: {long}"


def test_checkers_share_no_code() -> None:
    each_other = tuple("symlayout." + Path(name).stem for name in ALONE)
    each_other += tuple("symlayout.recheck." + Path(name).stem for name in ALONE)
    offenders = [
        f"{name} imports {found.name}"
        for name in ALONE
        for found in imports(ROOT / name)
        if (found.relative or found.of("symlayout")) and not found.name.startswith(each_other)
    ]
    long = [name for name, most in ALONE.items() if len((ROOT / name).read_text().splitlines()) >= most]
    assert not offenders + long


def test_import_is_light() -> None:
    code = f"import sys, symlayout; print([m for m in {HEAVY} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]", f"`import symlayout` loads {loaded}"


def test_no_module_takes_the_place_of_a_public_function() -> None:
    """`from .x import y` anywhere sets `symlayout.x` to the module, whenever it is imported first."""
    modules = {path.stem for path in (ROOT / "symlayout").glob("*.py")}
    import symlayout

    assert [name for name in symlayout.__all__ if name in modules] == []


def test_every_package_is_shipped() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    inside = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in sources("symlayout", "gpu", "proofs")
        if path.name == "__init__.py"
    }
    found = {name if name.split(".")[0] == "symlayout" else f"symlayout.{name}" for name in inside}
    assert set(settings["packages"]) == found
