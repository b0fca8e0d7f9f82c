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

import ast
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
from inspect import unwrap
from pathlib import Path
from types import ModuleType
from typing import Any

from .arguments import checked
from .claim import Claim
from .decide import prove
from .errors import LayoutError, NotationError
from .verdict import Proved, Refuted, Verdict

Body = Callable[..., Claim]
_MADE = "__theorems__"  # of a module: all that were stated in it, bound to a name or not


@dataclass(frozen=True)
class Theorem:
    """A stated claim. `expected` is None for a theorem, the pinned witness for a refutation."""

    name: str
    statement: str
    quantifiers: Mapping[str, Any]
    body: Body
    expected: Mapping[str, Any] | None = None

    @property
    def kind(self) -> str:
        return "theorem" if self.expected is None else "refutation"

    def prove(self, **options: Any) -> Verdict:
        """The verdict on the claim as it is written, so a refutation is expected to come out Refuted. Raises
        LayoutError where the witness that is stated names other digits than the claim has."""
        verdict = prove(self.body, says=self.statement, **options, **self.quantifiers)
        if self.expected is not None and isinstance(verdict, Refuted):
            stated, found = (
                ", ".join(map(str, names)) or "nothing" for names in (self.expected, verdict.witness)
            )
            if set(self.expected) != set(verdict.witness):
                raise LayoutError(
                    f"{self.name}: the stated witness names {stated}; a counterexample to this claim names "
                    f"{found}"
                )
        return verdict

    def as_stated(self, verdict: Verdict) -> bool:
        """Whether the verdict is the one that the author stated."""
        if self.expected is None:
            return isinstance(verdict, Proved)
        return isinstance(verdict, Refuted) and dict(verdict.witness) == dict(self.expected)

    def __call__(self, *args: Any, **kwargs: Any) -> Claim:
        """The body, so that one theorem can be quoted in another or tried at a point."""
        return self.body(*args, **kwargs)


def theorem(**quantifiers: Any) -> Callable[[Body], Theorem]:
    """The function states a claim that holds for all values of its parameters."""
    home = _home()
    return lambda body: _stated(body, quantifiers, None, home)


def refutation(witness: Mapping[str, Any], **quantifiers: Any) -> Callable[[Body], Theorem]:
    """The function states a claim that is false; `witness` is its least counterexample."""
    if not isinstance(witness, Mapping):
        raise LayoutError(f"@refutation(witness={witness!r}): a witness says what each digit is: {{'a': 4}}")
    home = _home()
    return lambda body: _stated(body, quantifiers, dict(witness), home)


def _home() -> dict[str, Any]:
    """The names of the module in which a decorator is written."""
    frame = sys._getframe(2)
    while frame.f_globals.get("__name__") == checked.__module__ and frame.f_back is not None:
        frame = frame.f_back  # the front door
    return frame.f_globals


def _stated(
    body: Body, quantifiers: Mapping[str, Any], expected: Mapping[str, Any] | None, home: dict[str, Any]
) -> Theorem:
    name = getattr(body, "__name__", "")
    if not name or not hasattr(body, "__code__"):
        raise LayoutError(f"a theorem is a function under @theorem(...) or @refutation(...), not {body!r}")
    statement = inspect.getdoc(body)
    if not statement:
        raise LayoutError(f"{name}: a theorem needs its statement as a docstring")
    if expected is not None:
        _check_witness(name, expected, quantifiers)
    stated = Theorem(name, " ".join(statement.split()), dict(quantifiers), body, expected)
    home.setdefault(_MADE, []).append(stated)
    return stated


def _check_witness(name: str, witness: Mapping[str, Any], quantifiers: Mapping[str, Any]) -> None:
    """Raises LayoutError for a witness that is not a point of the quantifiers. It may name more: the claim's
    own digits, and parameters."""
    for quantifier, bound in quantifiers.items():
        if quantifier not in witness:
            raise LayoutError(f"{name}: the witness {dict(witness)} does not say what {quantifier} is")
        x = witness[quantifier]
        if type(x) is int and (x < 0 or (type(bound) is int and x >= bound)):
            raise LayoutError(f"{name}: the witness {quantifier} = {x} is not in 0 <= {quantifier} < {bound}")
    for key, x in witness.items():
        if not _is_whole(x):
            raise LayoutError(f"{name}: the witness {key} = {x!r} is not an integer")


def _is_whole(x: Any) -> bool:
    """An integer or a coordinate of integers; True and 1.0 are equal to 1 and are not integers."""
    return all(map(_is_whole, x)) if isinstance(x, tuple) else type(x) is int


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
    """The theorems and refutations that a module states itself, in the order of its text.

    Raises LayoutError for one that would not be run: it stands in a class, a function or a branch that is not
    taken, or its name was given to something else.
    """
    bound = {id(x): x for x in vars(module).values() if isinstance(x, Theorem)}
    lost = {
        t.body.__code__.co_firstlineno: t.name
        for t in vars(module).get(_MADE, ())
        if id(t) not in bound and not any(_binds(m, t) for m in list(sys.modules.values()))
    }
    run = {t.body.__code__.co_firstlineno for t in bound.values()}
    lost |= {line: name for line, name in _written(module).items() if line not in run}
    if lost:
        line, name = min(lost.items())
        raise LayoutError(
            f"{module.__file__}:{line}: the theorem {name} is not run\n"
            "  no name of the module leads to it: something else has its name, or it stands in a class, a\n"
            "  function or a branch that is not taken: state it at the file's top level, by its own name"
        )
    own = [t for t in bound.values() if t.body.__module__ == module.__name__ or _made_for(module, t)]
    return sorted(own, key=lambda t: t.body.__code__.co_firstlineno)


def _binds(module: Any, t: Theorem) -> bool:
    return isinstance(module, ModuleType) and any(x is t for x in list(vars(module).values()))


def _made_for(module: ModuleType, t: Theorem) -> bool:
    """Whether a theorem with a body from elsewhere is this module's: stated here, or made for it by a
    function of a module that does not keep it."""
    if any(x is t for x in vars(module).get(_MADE, ())):
        return True
    home = sys.modules.get(t.body.__module__)
    return home is None or not _binds(home, t)


def _written(module: ModuleType) -> dict[int, str]:
    """The functions under @theorem(...) or @refutation(...) in a module's text, by the line of their first
    decorator."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):  # typed in, or without its source
        return {}
    names = {n for n, x in vars(module).items() if callable(x) and _is_decorator(unwrap(x))}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {a.asname or a.name for a in node.names if a.name in _DECORATORS}
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            calls = [d.func for d in node.decorator_list if isinstance(d, ast.Call)]
            if any(
                (isinstance(f, ast.Name) and f.id in names)
                or (isinstance(f, ast.Attribute) and f.attr in _DECORATORS)
                for f in calls
            ):
                found[node.decorator_list[0].lineno] = node.name
    return found


def _is_decorator(x: Any) -> bool:
    return x is theorem or x is refutation


_DECORATORS = ("theorem", "refutation")


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
