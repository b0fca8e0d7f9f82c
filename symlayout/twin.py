"""The twin of a body: the same Python code, with plain integers wherever it would find parameters.

A body takes its parameters from the closure, from globals and defaults, from tuples, dicts and layouts there,
from functions that it calls, and from `dims` while it runs. `Twin(values).of(body)` is the body with all of
these at the values; the code itself is shared, so what Python does with plain integers shows.

What cannot be rebuilt (extension types, functions of other packages) is left as it is. A parameter that gets
through that way stays a symbol in what the twin states, and is replaced there.
"""

from __future__ import annotations

import copy
import functools
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from types import CellType, CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

from . import polynomial as poly
from .basis import ArithTuple, ScaledBasis
from .dim import Dim
from .domain import Domain
from .layout import Layout
from .over_parameters import at, parameters
from .polynomial import Param
from .swizzle import ComposedLayout, Swizzle
from .symbolic import Expr

_AS_THEY_ARE = (int, str, bytes, float, complex, type(None), Swizzle, Expr, CodeType, Param)
_SLOTS = ("__dict__", "__weakref__")
_PACKAGE = __name__.partition(".")[0]


def names_of(code: CodeType) -> set[str]:
    """The globals and attributes that code names, in the functions inside it as well."""
    found = set(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found |= names_of(inner)
    return found


def is_own(module: str, file: str = "") -> bool:
    """Whether a module is the author's: not this package's (theorems are), not Python's, not an installed
    one."""
    root, _, rest = module.partition(".")
    if root == _PACKAGE:
        return rest.partition(".")[0] == "proofs"
    return root not in sys.stdlib_module_names - {"__main__"} and "site-packages" not in file


def own_function(x: Any) -> bool:
    return isinstance(x, FunctionType) and is_own(
        str(x.__globals__.get("__name__", "")), x.__code__.co_filename
    )


def within_reach(body: Any) -> Iterator[Any]:
    """Everything that a body can get at without a call: the contents of its closure, globals, defaults, and
    of what stands there; functions of other packages are not entered."""
    seen: set[int] = set()
    waiting = deque([body])
    while waiting:  # what is near comes first
        x = waiting.popleft()
        if id(x) in seen:
            continue
        seen.add(id(x))
        yield x
        waiting += _inside(x)


def _inside(x: Any) -> list[Any]:
    if own_function(x):
        return [y for _, y in _surroundings(x)]
    if isinstance(x, (tuple, list, set, frozenset)):
        return list(x)
    if isinstance(x, Mapping):
        return list(x.values())
    if isinstance(x, MethodType):
        return [x.__func__, x.__self__]
    if isinstance(x, functools.partial):
        return [x.func, *x.args, *x.keywords.values()]
    if _remembers(x):
        return [x.__wrapped__]
    if isinstance(x, Domain):
        return list(x.values.values())
    if isinstance(x, CodeType):
        return list(x.co_consts)
    if is_dataclass(x) and not isinstance(x, type):
        return [getattr(x, f.name) for f in fields(x)]
    if _is_class(x):
        return [*vars(x).values(), *x.__bases__]
    if isinstance(x, functools.cached_property):
        return [x.func]
    if isinstance(x, property):
        return [x.fget]
    if isinstance(x, (staticmethod, classmethod)):
        return [x.__func__]
    if _is_instance(x):
        return [*vars(x).values(), type(x)]
    return []


def _surroundings(f: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function finds around it, by name."""
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not filled yet: a name that is bound later
            continue
    names = names_of(f.__code__)
    for name in sorted(names):
        if name in f.__globals__:
            x = f.__globals__[name]
            yield name, x
            if isinstance(x, ModuleType) and is_own(x.__name__, str(getattr(x, "__file__", ""))):
                yield from ((n, vars(x)[n]) for n in sorted(names) if n in vars(x))
    yield "", f.__defaults__
    yield "", f.__kwdefaults__
    yield "", f.__code__


def _remembers(x: Any) -> bool:
    """Whether x is a function of the author's behind `functools.cache`: it would answer for integers what it
    answered for symbols."""
    return isinstance(x, _CACHED) and own_function(x.__wrapped__)


def _is_remembered(kind: type, name: str) -> bool:
    return any(isinstance(vars(k).get(name), functools.cached_property) for k in kind.__mro__)


_CACHED = type(functools.cache(lambda: None))


def _is_class(x: Any) -> bool:
    return isinstance(x, type) and is_own(x.__module__)


def _is_instance(x: Any) -> bool:
    """An object of a class that the author wrote."""
    return hasattr(x, "__dict__") and not isinstance(x, type) and is_own(type(x).__module__)


def _needs_a_twin(x: Any) -> bool:
    """Whether x is not the same for integers: it has parameters, or remembers answers."""
    if isinstance(x, (Layout, ComposedLayout)):
        return bool(parameters(x))
    return isinstance(x, (Dim, Domain, functools.cached_property)) or _remembers(x)


class Twin:
    """Twins at values of parameters, each made once. `symbolic` remembers which functions need one, for
    several twins."""

    def __init__(self, values: Mapping[str, int], symbolic: dict[int, bool]) -> None:
        self.values = values
        self.symbolic = symbolic
        self.made: dict[int, Any] = {}
        self.originals: list[Any] = []  # alive, so that no other object gets their ids
        self.globals: dict[int, dict[str, Any]] = {}

    def of(self, x: Any) -> Any:
        """The twin of anything; x itself where nothing in it is a parameter."""
        if isinstance(x, _AS_THEY_ARE) and not isinstance(x, (Dim, ArithTuple)):
            return x
        if id(x) not in self.made:
            self.originals.append(x)
            self.made[id(x)] = x  # what leads back to itself finds the original
            self.made[id(x)] = self._new(x)
        return self.made[id(x)]

    def _new(self, x: Any) -> Any:
        if isinstance(x, (Dim, Layout, ComposedLayout, ScaledBasis)):
            return self._at(x)
        if isinstance(x, (tuple, list, set, frozenset, dict)):
            return self._container(x)
        if isinstance(x, Domain):
            return self._domain(x)
        if own_function(x):
            return self._function(x)
        if isinstance(x, MethodType):
            return MethodType(self.of(x.__func__), self.of(x.__self__))
        if isinstance(x, functools.partial):
            return functools.partial(self.of(x.func), *self.of(x.args), **self.of(x.keywords))
        if _remembers(x):
            return self.of(x.__wrapped__)
        if is_dataclass(x) and not isinstance(x, type) and not _is_instance(x):
            old = {f.name: getattr(x, f.name) for f in fields(x) if f.init}
            new = {name: self.of(y) for name, y in old.items()}
            return replace(x, **new) if any(new[n] is not old[n] for n in old) else x
        if _is_class(x):
            return self._class(x)
        return self._instance(x) if _is_instance(x) else x

    def _at(self, x: Any) -> Any:
        try:
            return at(x, self.values)
        except KeyError:  # a parameter that has no value here stays one
            return x

    def _container(self, x: Any) -> Any:
        if isinstance(x, dict):
            entries = {key: self.of(y) for key, y in x.items()}
            return entries if any(entries[key] is not x[key] for key in x) else x
        found = [self.of(y) for y in x]
        if all(y is z for y, z in zip(found, x, strict=True)):
            return x
        return type(x)(*found) if hasattr(x, "_fields") else type(x)(found)

    def _domain(self, x: Domain) -> Domain:
        twin = copy.copy(x)
        twin._values = {
            v: poly.constant(poly.evaluate(p, self.values))
            if all(w in self.values for w in poly.params(p))
            else p
            for v, p in x._values.items()
        }
        return twin

    def _class(self, x: type) -> type:
        """A class below x, with other values and functions where those of x are the author's."""
        new = {name: self._member(y) for name, y in vars(x).items() if name not in _SLOTS}
        changed = {name: y for name, y in new.items() if y is not vars(x)[name]}
        try:
            return type(x)(x.__name__, (x,), changed) if changed else x
        except TypeError:  # an enumeration, say, which has none below it
            return x

    def _member(self, x: Any) -> Any:
        """What a class holds: values, functions, and functions behind the descriptors that Python has."""
        if isinstance(x, functools.cached_property):
            twin = functools.cached_property(self.of(x.func))
            twin.__set_name__(type(self), str(x.attrname))
            return twin
        if isinstance(x, property):
            return property(self.of(x.fget), self.of(x.fset), self.of(x.fdel), x.__doc__)
        if isinstance(x, (staticmethod, classmethod)):
            return type(x)(self.of(x.__func__))
        return self.of(x)

    def _instance(self, x: Any) -> Any:
        kind = self.of(type(x))
        kept = {n: y for n, y in vars(x).items() if not _is_remembered(type(x), n)}
        new = {name: self.of(y) for name, y in kept.items()}
        if kind is type(x) and len(kept) == len(vars(x)) and all(new[name] is y for name, y in kept.items()):
            return x
        twin = copy.copy(x)
        twin.__dict__.clear()
        twin.__dict__.update(new)  # past the guard of a frozen dataclass
        object.__setattr__(twin, "__class__", kind)
        return twin

    def _function(self, f: FunctionType) -> FunctionType:
        if id(f) not in self.symbolic:
            self.symbolic[id(f)] = any(map(_needs_a_twin, within_reach(f)))
        if not self.symbolic[id(f)]:
            return f
        cells = tuple([CellType() for _ in f.__closure__ or ()])
        twin = FunctionType(f.__code__, self._globals(f), f.__name__, None, cells)
        self.made[id(f)] = twin  # a function that calls itself calls its twin
        for cell, old in zip(cells, f.__closure__ or (), strict=True):
            try:
                cell.cell_contents = self.of(old.cell_contents)
            except ValueError:  # not filled yet
                continue
        twin.__defaults__ = self.of(f.__defaults__)
        twin.__kwdefaults__ = self.of(f.__kwdefaults__)
        twin.__dict__.update(f.__dict__)
        names = names_of(f.__code__)
        for name in names & f.__globals__.keys():
            x = f.__globals__[name]
            own = isinstance(x, ModuleType) and is_own(x.__name__, str(getattr(x, "__file__", "")))
            twin.__globals__[name] = self._module(x, names) if own else self.of(x)
        return twin

    def _globals(self, f: FunctionType) -> dict[str, Any]:
        """One table for all functions of a module."""
        if id(f.__globals__) not in self.globals:
            self.globals[id(f.__globals__)] = dict(f.__globals__)
        return self.globals[id(f.__globals__)]

    def _module(self, module: ModuleType, names: set[str]) -> Any:
        found = vars(module)
        changed = {n: y for n in names & found.keys() if (y := self.of(found[n])) is not found[n]}
        return SimpleNamespace(**{**found, **changed}) if changed else module
