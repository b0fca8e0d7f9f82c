"""Theorems and refutations as plain Python functions, and the files that hold them.

    @theorem(a=2, b=4)
    def retile_groups_pairs(a, b):
        \"\"\"tXrA(a, b) = tCrA(a + 2b): retile_D renumbers registers, it moves nothing.\"\"\"
        return equal(tXrA((a, b), 0, 0), tCrA(a + 2 * b, 0, 0))

The keywords are the quantifiers (`0 <= a < 2`), the docstring is the statement, the body is one `return` of
a claim. `@refutation(a=8, witness={"a": 4})` pins where a false claim fails first: it is as stated when the
claim is refuted with exactly that witness.

A proofs file is an ordinary module. Layouts that it names carry their printed form in a comment at the end
of the line, `tCrA = mma.fragment_A((16, 16))  # ((2,2,2),1,1):((1,2,4),0,0)`, and `printed_forms` compares.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import io
import re
import sys
import time
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from .claim import Claim
from .decide import prove
from .errors import LayoutError, NotationError
from .verdict import Proved, Refuted, Verdict

Body = Callable[..., Claim]


@dataclass(frozen=True)
class Theorem:
    """A stated claim. `expected` is None for a theorem, the pinned witness for a refutation."""

    name: str
    statement: str
    quantifiers: Mapping[str, int]
    body: Body
    expected: Mapping[str, Any] | None = None

    @property
    def kind(self) -> str:
        return "theorem" if self.expected is None else "refutation"

    def prove(self, **options: Any) -> Verdict:
        """The verdict on the claim as it is written, so a refutation is expected to come out Refuted."""
        return prove(self.body, says=self.statement, **options, **dict[str, Any](self.quantifiers))

    def as_stated(self, verdict: Verdict) -> bool:
        """Whether the verdict is the one that the author stated."""
        if self.expected is None:
            return isinstance(verdict, Proved)
        return isinstance(verdict, Refuted) and dict(verdict.witness) == dict(self.expected)

    def __call__(self, *args: Any, **kwargs: Any) -> Claim:
        """The body, so that one theorem can be quoted in another or tried at a point."""
        return self.body(*args, **kwargs)


def theorem(**quantifiers: int) -> Callable[[Body], Theorem]:
    """The function states a claim that holds for all values of its parameters."""
    return lambda body: _stated(body, quantifiers, None)


def refutation(witness: Mapping[str, Any], **quantifiers: int) -> Callable[[Body], Theorem]:
    """The function states a claim that is false; `witness` is its least counterexample."""
    return lambda body: _stated(body, quantifiers, dict(witness))


def _stated(body: Body, quantifiers: Mapping[str, int], expected: Mapping[str, Any] | None) -> Theorem:
    statement = inspect.getdoc(body)
    if not statement:
        raise LayoutError(f"{body.__name__}: a theorem needs its statement as a docstring")
    return Theorem(body.__name__, " ".join(statement.split()), dict(quantifiers), body, expected)


@dataclass(frozen=True)
class Outcome:
    """A theorem, the verdict on it, whether that is as stated, and the seconds that it took."""

    module: str
    theorem: Theorem
    verdict: Verdict
    as_stated: bool
    seconds: float

    @property
    def exit_code(self) -> int:
        """0 as stated; else the verdict's own code, 1 where a claim held that should not."""
        return 0 if self.as_stated else self.verdict.exit_code or 1

    def to_json(self) -> dict[str, Any]:
        return {
            "module": self.module,
            "name": self.theorem.name,
            "kind": self.theorem.kind,
            "statement": self.theorem.statement,
            "as_stated": self.as_stated,
            "seconds": round(self.seconds, 4),
            **{k: v for k, v in self.verdict.to_json().items() if k != "certificate"},
        }


def check(modules: Iterable[ModuleType], **options: Any) -> Iterator[Outcome]:
    """Prove every theorem of the modules, in the order of their text."""
    for module in modules:
        for stated in theorems(module):
            start = time.perf_counter()
            verdict = stated.prove(**options)
            seconds = time.perf_counter() - start
            yield Outcome(_short(module), stated, verdict, stated.as_stated(verdict), seconds)


def theorems(module: ModuleType) -> list[Theorem]:
    """The theorems and refutations that a module states itself, in the order of its text."""
    found = {id(x): x for x in vars(module).values() if isinstance(x, Theorem)}
    own = [t for t in found.values() if t.body.__module__ == module.__name__]
    return sorted(own, key=lambda t: t.body.__code__.co_firstlineno)


def _short(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def load(where: str | Path) -> list[ModuleType]:
    """The modules at a file, below a folder, or of an importable name, sorted by name.

    Raises NotationError when there is no such thing. A folder with an `__init__.py` is imported as a
    package, so its files may import each other relatively; files that start with `_` are not proofs.
    """
    path = Path(where)
    if path.is_dir():
        files = sorted(p for p in path.glob("*.py") if not p.name.startswith("_"))
        if not files:
            raise NotationError(f"{where}: no proofs, no *.py in this folder")
        package = _module_name(path)
        if (path / "__init__.py").exists():
            _from_file(package, path / "__init__.py", [str(path)])
            return [importlib.import_module(f"{package}.{p.stem}") for p in files]
        return [_from_file(_module_name(p), p) for p in files]
    if path.is_file():
        if (path.parent / "__init__.py").exists():
            package = _module_name(path.parent)
            _from_file(package, path.parent / "__init__.py", [str(path.parent)])
            return [importlib.import_module(f"{package}.{path.stem}")]
        return [_from_file(_module_name(path), path)]
    return _by_name(str(where))


def _by_name(name: str) -> list[ModuleType]:
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        raise NotationError(f"{name}: no such file or folder")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise NotationError(f"{name}: no such file, folder or module") from error
    paths = getattr(module, "__path__", None)
    if paths is None:
        return [module]
    files = sorted(p for root in paths for p in Path(root).glob("*.py") if not p.name.startswith("_"))
    return [importlib.import_module(f"{name}.{p.stem}") for p in files]


def _module_name(path: Path) -> str:
    """A name that no installed module has, the same for the same place."""
    whole = path.resolve()
    return f"_stated_{abs(hash(str(whole.parent))):x}_{re.sub(r'[^0-9A-Za-z_]', '_', whole.stem)}"


def _from_file(name: str, path: Path, package: list[str] | None = None) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=package)
    if spec is None or spec.loader is None:
        raise NotationError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@dataclass(frozen=True)
class PrintedForm:
    """A layout's name, the line that defines it, the form its comment claims and the one it prints."""

    name: str
    line: int
    claimed: str
    printed: str


def printed_forms(module: ModuleType) -> list[PrintedForm]:
    """The named layouts of a module whose defining line ends in a comment with a printed form
    (`shape:stride`)."""
    found = []
    tokens = list(tokenize.generate_tokens(io.StringIO(inspect.getsource(module)).readline))
    for k, token in enumerate(tokens):
        if token.type != tokenize.COMMENT or ":" not in token.string:
            continue
        line = [t for t in tokens[:k] if t.start[0] == token.start[0]] or [token]
        start = re.match(r"(\w+)\s*=", line[0].line)
        form = token.string.lstrip("# ").strip()
        if start and re.match(r"[\d(]", form):
            found.append(PrintedForm(start[1], token.start[0], form, str(getattr(module, start[1]))))
    return found
