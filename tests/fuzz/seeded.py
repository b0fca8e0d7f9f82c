"""Faults put into symlayout on purpose, one at a time: is the fuzzer able to see them?

A fault is a piece of a module's text and what stands there instead. It is tried in a process of its own, in
which the package is imported anew with that text exchanged. A piece that is not there any more, or not just
once, is an error: then somebody has to look for its new place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import count, islice
from multiprocessing import get_context
from types import CodeType, ModuleType
from typing import Any


@dataclass(frozen=True)
class Fault:
    """`old` in `symlayout.<module>` becomes `new`; `kind` is the kind of claims that sees it soonest, and
    `seen` the number of a claim that does."""

    name: str
    module: str
    old: str
    new: str
    kind: str = "layouts"
    seen: int = -1


FAULTS = (
    Fault(
        "strides that touch count as nested",
        "engines.nested",
        "if d <= reach:",
        "if d < reach:",
        "layouts",
        53,
    ),
    Fault(
        "a reach is one step short",
        "engines.nested",
        "reach += d * (layout.sizes[k] - 1)",
        "reach += d * (layout.sizes[k] - 2)",
        "layouts",
        21,
    ),
    Fault(
        "a digit's difference goes too far",
        "engines.nested",
        "boxes[top] = (1, size - 1)",
        "boxes[top] = (1, size)",
        "layouts",
        138,
    ),
    Fault(
        "two swizzles count as one",
        "engines.nested",
        "if a is None or b is None or a.swizzle != b.swizzle:",
        "if a is None or b is None:",
        "layouts",
        500,
    ),
    Fault(
        "offsets are forgotten where layouts meet",
        "engines.nested",
        "tuple(-d for d in b.strides), b.offset - a.offset)",
        "tuple(-d for d in b.strides), 0)",
        "layouts",
        9,
    ),
    Fault(
        "the offset of a swizzle is ignored",
        "engines.flat",
        "return Flat(sizes, strides, offset, swizzle)",
        "return Flat(sizes, strides, 0, swizzle)",
        "layouts",
        9,
    ),
    Fault(
        "equal up to an offset is equal",
        "engines.canonical",
        "x.offset - y.offset",
        "0",
        "layouts",
        56,
    ),
    Fault(
        "the first difference is too late",
        "engines.canonical",
        "weight * min(s, t)",
        "weight * max(s, t)",
        "layouts",
        137,
    ),
    Fault(
        "a least value is rounded down",
        "engines.box",
        "-(-missing // strides[k])",
        "missing // strides[k]",
        "layouts",
        45,
    ),
    Fault(
        "a range reaches one step too far",
        "engines.box",
        "max(0, d * (s - 1))",
        "max(0, d * s)",
        "layouts",
        7,
    ),
    Fault(
        "a divisor is not asked",
        "engines.equation",
        "if target % self._divisor[n]:",
        "if False:",
        "layouts",
        138,
    ),
    Fault(
        "the end of a reach is left out",
        "engines.equation",
        "if not 0 <= target <= self._reach[n]:",
        "if not 0 <= target < self._reach[n] + (n == 0):",
        "layouts",
        9,
    ),
    Fault(
        "equal strides forget each other",
        "engines.equation",
        "merged.get(abs(d), 0) + hi - lo",
        "hi - lo",
        "layouts",
        9,
    ),
    Fault(
        "carries are ignored over bits",
        "engines.f2",
        "if v & used:",
        "if False:",
        "layouts",
        688,
    ),
    Fault(
        "an offset that carries is ignored",
        "engines.f2",
        "if layout.offset < 0 or layout.offset & used:",
        "if layout.offset < 0:",
        "layouts",
        735,
    ),
    Fault(
        "a constant is dropped over bits",
        "engines.f2",
        "first = 0 if c else next(",
        "first = next(",
        "layouts",
        303,
    ),
    Fault(
        "a bound is met and not passed",
        "engines.f2",
        "greatest >= hi",
        "greatest > hi",
        "layouts",
        13,
    ),
    Fault(
        "a swizzle reads the bits that it changes",
        "swizzle",
        "return ((1 << self.b) - 1) << (self.m + max(0, self.s))",
        "return ((1 << self.b) - 1) << self.m",
        "layouts",
        303,
    ),
    Fault(
        "division goes down and not towards zero",
        "truncation",
        "    return q + 1 if q < 0 and q * b != a else q",
        "    return q",
        "algebra",
        459,
    ),
    Fault(
        "digits have no least value for the solver",
        "smtlib",
        "        if lo is not None:\n            self.facts.append(",
        "        if lo is not None and lo > 0:\n            self.facts.append(",
        "layouts",
        760,
    ),
    Fault(
        "digits are read in the wrong order",
        "map_claims",
        '        index += weight * model[Inner(f"{name}.{k}")]\n        weight *= s',
        '        weight *= s\n        index += weight * model[Inner(f"{name}.{k}")]',
        "layouts",
        949,
    ),
    Fault(
        "a bound is one too small",
        "fact_solver",
        "None if high is None else high + 1, f",
        "None if high is None else high, f",
        "facts",
        483,
    ),
    Fault(
        "facts are not asked of a witness",
        "parametric",
        "if self.domain.admits(values):",
        "if True:",
        "facts",
        4451,
    ),
    Fault(
        "left inverses are not checked",
        "algebra.laws",
        "        want = x(i)\n        got = x(r(want))\n",
        "        return\n        want = x(i)\n        got = x(r(want))\n",
        "algebra",
        1803,
    ),
    Fault(
        "all facts but the first are dropped",
        "domain",
        "solve([*statements, *_links(statements)], taken",
        "solve([*statements[:1], *_links(statements)], taken",
        "facts",
        3,
    ),
    Fault(
        "any outer map counts as injective",
        "engines.calculus",
        "    if isinstance(x.swizzle, Swizzle):\n        return True",
        "    if x.swizzle is not None:\n        return True",
        "facts",
        12899,
    ),
    Fault(
        "V is not taken off the threads",
        "retile",
        "upcast(num_thr * v, shaped",
        "upcast(num_thr, shaped",
        "retile",
        5,
    ),
    Fault(
        "source and destination change places",
        "copy_tiling",
        'self.atom.layout_src if side == "S" else',
        'self.atom.layout_src if side == "D" else',
        "retile",
        5,
    ),
    Fault(
        "right registers are counted as wrong",
        "delivery",
        "wrong = total - sum(",
        "wrong = sum(",
        "retile",
        3077,
    ),
    Fault(
        "the last thread counts as the first",
        "retile_claim",
        "in sorted((t, i) for i, t in enumerate(order)):",
        "in sorted(((t, i) for i, t in enumerate(order)), reverse=True):",
        "retile",
        5,
    ),
    Fault(
        "compositions are not checked",
        "algebra.laws",
        "    i = least_difference(a, b, r)\n    if i is None:\n        return\n    place",
        "    i = None\n    if i is None:\n        return\n    place",
        "algebra",
        203,
    ),
)
NAMES = tuple(f.name for f in FAULTS)
OURS = ("symlayout", "tests.fuzz", "tests.forge")


class Gone(Exception):
    """The text of a fault is not in its module just once."""


class _Loader(SourceFileLoader):
    fault: Fault

    def get_code(self, fullname: str) -> CodeType:
        """From the changed text, never from a cache."""
        text = self.get_data(self.path).decode()
        if text.count(self.fault.old) != 1:
            found = text.count(self.fault.old)
            raise Gone(f"{self.fault.name}: {self.fault.old!r} stands {found} times in {fullname}")
        changed = text.replace(self.fault.old, self.fault.new)
        return compile(changed, self.path, "exec")


class _Finder(MetaPathFinder):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.served = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != f"symlayout.{self.fault.module}":
            return None
        found = PathFinder.find_spec(fullname, path, target)
        if found is not None and found.origin is not None:
            self.served = True
            loader = _Loader(fullname, found.origin)
            loader.fault = self.fault
            found.loader = loader
        return found


def complaints_with(fault: Fault | None, seeds: Iterable[int]) -> Iterator[tuple[int, str]]:
    """(claims asked so far, complaint) with the package imported anew, and with that fault in it. What was
    imported before is of no use afterwards: call it in a process of its own."""
    for name in [m for m in sys.modules if m.startswith(OURS) and m != __name__]:
        del sys.modules[name]
    finder = None if fault is None else _Finder(fault)
    if finder is not None:
        sys.meta_path.insert(0, finder)
        import_module(f"symlayout.{finder.fault.module}")
        assert finder.served, "the module was imported before"
    trials = import_module("tests.fuzz.trial").trials
    for k, seed in enumerate(seeds, 1):
        for text in trials([seed])[1]:
            yield k, text


def _found(asked: tuple[Fault | None, list[int]]) -> tuple[int, str]:
    """After how many claims the fault shows, and how; (0, "") when it does not."""
    return next(complaints_with(*asked), (0, ""))


def numbers(kind: str, most: int) -> list[int]:
    """The first claims of one kind."""
    from .trial import kind_of

    return list(islice((n for n in count() if kind_of(n) == kind), most))


def found(asked: Iterable[tuple[Fault | None, list[int]]], jobs: int) -> Iterator[tuple[int, str]]:
    """`_found` of each, each in a process of its own that starts from this one."""
    with get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap(_found, asked, chunksize=1)


def table(jobs: int, within: int) -> int:
    """Every fault among all claims, as they come: after how many it is found, and by which kind."""
    from .trial import kind_of

    asked: list[tuple[Fault | None, list[int]]] = [(fault, list(range(within))) for fault in FAULTS]
    unseen = 0
    print(f"{'fault':<48}{'after':>8}  by")
    for fault, (after, text) in zip(FAULTS, found(asked, jobs), strict=True):
        unseen += not after
        kind: Any = kind_of(after - 1) if after else "nothing"
        print(
            f"{fault.name:<48}{after:>8,}  {kind}: {text.splitlines()[-1].strip()[:90] if text else ''}",
            flush=True,
        )
    print(f"{len(FAULTS) - unseen} of {len(FAULTS)} faults are found within {within:,} claims")
    return int(unseen > 0)
