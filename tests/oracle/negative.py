"""What CuTe's headers answer for negative strides and coordinates: makes golden/negative.jsonl anew.

    make oracle && .venv/bin/python -m tests.oracle.negative > tests/golden/negative.jsonl

Random inputs, most of them with negative strides, become C++ programs of a few hundred lines; g++ compiles
them with the headers, and the programs print. An operation that is not compiled is recorded with the
assertion that stopped it. Beside the answer stand values that C++ computed with run-time integers: `got` what
the answer maps to, `want` what the operation's law asks for at the same places. Layouts are static, as in
kernels; coordinates are run-time integers, some of them compile-time constants.

Nothing of symlayout is used.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.checks import cuda_headers, cute_headers

BATCHES = ((10, 100), (11, 14))  # seed, inputs of one operation; without a negative stride in the first only
LINES = 280  # inputs of one program
FEW = 260  # elements of one layout

HEAD = Path(__file__).with_name("negative.cpp").read_text(encoding="utf-8")

Nested = Any  # an int or a tuple of Nested


class Case(NamedTuple):
    op: str
    args: tuple[str, ...]
    code: str


class Layout(NamedTuple):
    shape: Nested
    stride: Nested

    def __str__(self) -> str:
        return f"{text(self.shape)}:{text(self.stride)}"

    @property
    def cpp(self) -> str:
        return f"Layout<{static(self.shape, 'Shape')},{static(self.stride, 'Stride')}>{{}}"

    @property
    def size(self) -> int:
        total = 1
        for s in leaves(self.shape):
            total *= s
        return total


def leaves(t: Nested) -> list[int]:
    return [x for child in t for x in leaves(child)] if isinstance(t, tuple) else [t]


def text(t: Nested) -> str:
    return "(" + ",".join(map(text, t)) + ")" if isinstance(t, tuple) else "_" if t is None else str(t)


def static(t: Nested, word: str = "Shape") -> str:
    return f"{word}<{','.join(static(x, word) for x in t)}>" if isinstance(t, tuple) else f"Int<{t}>"


def runtime(t: Nested) -> str:
    return f"make_coord({','.join(map(runtime, t))})" if isinstance(t, tuple) else f"int({t})"


# --- inputs ---

SIZES = (1, 2, 2, 2, 3, 4, 4, 5, 6, 8)
STEPS = (1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 9, 12, 16, 18, 24)


class Inputs:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def shape(self, most: int, rank: int = 3) -> Nested:
        c = self.chance
        while True:
            s: Nested = tuple(c.choice(SIZES) for _ in range(c.randint(1, rank)))
            if c.random() < 0.25:
                k = c.randrange(len(s))
                s = (*s[:k], tuple(c.choice(SIZES[:7]) for _ in range(c.randint(1, 2))), *s[k + 1 :])
            elif len(s) == 1:
                s = s[0]
            if Layout(s, s).size <= most:
                return s

    def stride(self, shape: Nested, backward: float) -> Nested:
        """Compact or wild strides; some are turned round or 0."""
        c = self.chance
        n = len(leaves(shape))
        if c.random() < 0.5:
            order, step, compact = c.sample(range(n), n) if c.random() < 0.5 else list(range(n)), 1, [0] * n
            for k in order:
                compact[k] = step
                step *= leaves(shape)[k]
        else:
            compact = [c.choice(STEPS) for _ in range(n)]
        signed = iter([0 if c.random() < 0.07 else -d if c.random() < backward else d for d in compact])

        def fold(s: Nested) -> Nested:
            return tuple(map(fold, s)) if isinstance(s, tuple) else next(signed)

        return fold(shape)

    def layout(self, most: int = FEW, backward: float = 0.5, rank: int = 3) -> Layout:
        shape = self.shape(most, rank)
        return Layout(shape, self.stride(shape, backward))

    def tiler(self, most: int = 24) -> Layout:
        return self.layout(most, 0.35, 2)

    def pair(self, most: int = 32) -> tuple[Layout, Layout]:
        """A and B, one of them with a negative stride more often than not."""
        a, b = self.layout(backward=0.4), self.layout(most, 0.5, 2)
        return a, b

    def coordinate(self, shape: Nested, deep: float) -> Nested:
        """Before the beginning, inside, or past the end; as nested as the shape or coarser."""
        c = self.chance
        if isinstance(shape, tuple) and c.random() < deep:
            return tuple(self.coordinate(s, deep) for s in shape)
        n = Layout(shape, shape).size
        return c.choice(
            (c.randint(-2 * n, -1), c.randint(-2 * n, -1), c.randint(0, n - 1), c.randint(n, 3 * n))
        )


# --- one line of C++ for each input ---


def line(op: str, args: tuple[Any, ...], result: str, *more: str) -> Case:
    shown = tuple(str(x) if isinstance(x, (Layout, str)) else text(x) for x in args)
    return Case(op, shown, " ".join((f"auto r = {result}; answer(ID, r);", *more)))


def listed(n: str, value: str) -> str:
    return f"list({n}, [&](int i) {{ return {value}; }});"


def guarded(want: str, got: str, n: str) -> str:
    """Both sides of a law, where the answer has no size below 1."""
    return f"if (positive(shape(r))) {{ {listed(n, want)} {listed(n, got)} }}"


def composition(i: Inputs) -> Case:
    a, b = i.pair()
    law = guarded("a(b(i))", "r(i)", "size(b)")
    return line(
        "composition", (a, b), f"composition({a.cpp},{b.cpp})", f"auto a = {a.cpp}; auto b = {b.cpp};", law
    )


def composition_int(i: Inputs) -> Case:
    a, n = i.layout(backward=0.7), i.chance.choice((1, 2, 3, 4, 6, 8, 12))
    law = guarded("a(i)", "r(i)", str(n))
    return line("composition_int", (a, n), f"composition({a.cpp},Int<{n}>{{}})", f"auto a = {a.cpp};", law)


def composition_tile(i: Inputs) -> Case:
    a = i.layout(backward=0.5)
    while not isinstance(a.shape, tuple):
        a = i.layout(backward=0.5)
    tiles = [i.layout(8, 0.4, 1) for _ in a.shape]
    cpp = f"composition({a.cpp},make_tile({','.join(t.cpp for t in tiles)}))"
    return line("composition_tile", (a, f"({','.join(map(str, tiles))})"), cpp)


def with_shape(i: Inputs) -> Case:
    a = i.layout(backward=0.7)
    shape = i.shape(a.size)
    law = guarded("a(i)", "r(i)", "size(r)")
    return line(
        "with_shape", (a, shape), f"({a.cpp}).with_shape({static(shape)}{{}})", f"auto a = {a.cpp};", law
    )


def divide(name: str) -> Callable[[Inputs], Case]:
    def case(i: Inputs) -> Case:
        a, t = i.layout(backward=0.6), i.tiler()
        if i.chance.random() < 0.6:
            t = i.layout(24, 0.0, 2)
        cpp = f"{name}({a.cpp},{t.cpp})"
        if name != "logical_divide":
            return line(name, (a, t), cpp)
        law = guarded("a(t(i))", "get<0>(r)(i)", "size(t)")
        return line(name, (a, t), cpp, f"auto a = {a.cpp}; auto t = {t.cpp};", law)

    return case


def divide_tile(i: Inputs) -> Case:
    a = i.layout(backward=0.6)
    while not isinstance(a.shape, tuple):
        a = i.layout(backward=0.6)
    tiles = [i.chance.choice((1, 2, 3, 4)) for _ in a.shape]
    cpp = f"zipped_divide({a.cpp},make_tile({','.join(f'Int<{n}>{{}}' for n in tiles)}))"
    return line("zipped_divide_tile", (a, tuple(tiles)), cpp)


def product(name: str) -> Callable[[Inputs], Case]:
    def case(i: Inputs) -> Case:
        a, t = i.layout(32, 0.3, 2), i.layout(12, 0.3, 2)
        copies = f"list(positive(shape(r)) ? {t.size} : 0, [&](int i) {{ return get<1>(r)(i); }});"
        cpp = f"{name}({a.cpp},{t.cpp})"
        return line(name, (a, t), cpp, *(('printf("|");', copies) if name == "logical_product" else ()))

    return case


def right_inverse(i: Inputs) -> Case:
    x = i.layout(backward=0.4)
    return line(
        "right_inverse",
        (x,),
        f"right_inverse({x.cpp})",
        f"auto x = {x.cpp};",
        guarded("i", "x(r(i))", "size(r)"),
    )


def left_inverse(i: Inputs) -> Case:
    x = i.layout(backward=0.4)
    law = guarded("x(i)", "x(r(x(i)))", "size(x)")
    return line("left_inverse", (x,), f"left_inverse({x.cpp})", f"auto x = {x.cpp};", law)


def coalesce(i: Inputs) -> Case:
    x = i.layout(backward=0.7)
    return line(
        "coalesce", (x,), f"coalesce({x.cpp})", f"auto x = {x.cpp};", guarded("x(i)", "r(i)", "size(x)")
    )


def of_values(op: str, arguments: tuple[Any, ...], cpp: str) -> Case:
    values = "list(positive(shape(r)) && size(r) <= 4096 ? int(size(r)) : 0, [&](int i) { return r(i); });"
    return line(op, arguments, cpp, 'printf("|");', values)


def complement(i: Inputs) -> Case:
    x, n = i.layout(backward=0.3), i.chance.choice((1, 8, 12, 16, 24, 48, 64, 96))
    return of_values("complement", (x, n), f"complement({x.cpp},Int<{n}>{{}})")


def complement_shape(i: Inputs) -> Case:
    x, n = i.layout(backward=0.3), i.shape(96)
    return of_values("complement_shape", (x, n), f"complement({x.cpp},{static(n)}{{}})")


def complement_default(i: Inputs) -> Case:
    x = i.layout(backward=0.2)
    return of_values("complement_default", (x,), f"complement({x.cpp})")


def tile_to_shape(i: Inputs) -> Case:
    x = i.layout(24, 0.3, 2)
    each = x.shape if isinstance(x.shape, tuple) else (x.shape,)
    shape = tuple(Layout(s, s).size * i.chance.choice((1, 1, 2, 3)) for s in each)
    order = i.chance.choice(("LayoutLeft", "LayoutRight"))
    cpp = f"tile_to_shape({x.cpp},{static(shape)}{{}},{order}{{}})"
    return of_values("tile_to_shape", (x, shape, order), cpp)


def layout_table(i: Inputs) -> Case:
    x = i.layout(64, 0.7)
    n = x.size + i.chance.randint(0, 2 * x.size)
    return Case(
        "layout_table",
        (str(x), str(n)),
        f'auto x = {x.cpp}; printf("%d|", ID); list({n}, [&](int i) {{ return x(i); }});',
    )


def at(
    op: str, deep: float, make: Callable[[Layout, Nested], tuple[tuple[Any, ...], str]]
) -> Callable[[Inputs], Case]:
    def case(i: Inputs) -> Case:
        x = i.layout(96, 0.6)
        crd = i.coordinate(x.shape, deep)
        arguments, cpp = make(x, crd)
        if i.chance.random() < 0.3 and not isinstance(crd, tuple):  # a constant of the compiler
            cpp = cpp.replace(f"int({crd})", f"Int<{crd}>{{}}")
        return line(op, arguments, cpp)

    return case


KINDS: tuple[Callable[[Inputs], Case], ...] = (
    *(composition, composition, composition, composition_int, composition_tile, with_shape),
    *(divide("logical_divide"), divide("logical_divide"), divide("zipped_divide"), divide("tiled_divide")),
    *(divide("flat_divide"), divide_tile, product("logical_product"), product("blocked_product")),
    *(product("raked_product"), right_inverse, left_inverse, left_inverse, coalesce, complement),
    *(complement_shape, complement_default, tile_to_shape, layout_table),
    at("crd2idx", 0.6, lambda x, c: ((c, x), f"crd2idx({runtime(c)},({x.cpp}).shape(),({x.cpp}).stride())")),
    at("crd2idx", 0.0, lambda x, c: ((c, x), f"({x.cpp})({runtime(c)})")),
    at("idx2crd", 0.0, lambda x, c: ((c, x.shape), f"idx2crd({runtime(c)},({x.cpp}).shape())")),
    at("get_hier_coord", 0.0, lambda x, c: ((c, x), f"({x.cpp}).get_hier_coord({runtime(c)})")),
)


def rejected(stderr: str, name: str) -> dict[int, str]:
    """The source lines that were not compiled, with the first error of each."""
    found: dict[int, str] = {}
    at = 0
    for row in stderr.splitlines():
        place = re.search(rf"{re.escape(name)}:(\d+):", row)
        if place:
            at = int(place[1])
        if ": error: " in row and at:
            found.setdefault(at, row.split(": error: ")[1].removeprefix("static assertion failed: "))
    return found


def run(cases: list[Case], folder: Path) -> Iterator[tuple[Case, list[str] | None, str]]:
    """Each case with what its line printed, None and an error where g++ refuses it."""
    first = HEAD.count("\n") + 1
    refused: dict[int, str] = {}
    cuda = cuda_headers()
    build = ["g++", "-std=c++17", "-O0", "-w", f"-I{cute_headers()}", f"-I{cuda}", f"-I{cuda}/cccl"]
    source = folder / "cases.cpp"
    while True:
        rows = [
            "" if k in refused else f"if (!fork()) {{ {c.code.replace('ID', str(k))} done(); }} else wait(0);"
            for k, c in enumerate(cases)
        ]
        source.write_text(HEAD + "\n".join(rows) + "\n}\n", encoding="utf-8")
        done = subprocess.run(
            [*build, str(source), "-o", str(folder / "cases")], capture_output=True, text=True
        )
        if done.returncode == 0:
            break
        more = {
            n - first: why
            for n, why in rejected(done.stderr, source.name).items()
            if 0 <= n - first < len(cases)
        }
        if not more.keys() - refused.keys():
            raise RuntimeError(done.stderr[-3000:])
        refused |= more
    printed = subprocess.run([str(folder / "cases")], capture_output=True, text=True, check=True).stdout
    answers = {int(row.split("|")[0]): row.split("|")[1:] for row in printed.splitlines()}
    for k, case in enumerate(cases):
        if (
            k in answers or k in refused
        ):  # else it divided by a stride of 0 and crashed, in a process of its own
            yield case, answers.get(k), refused.get(k, "")


def record(case: Case, parts: list[str] | None, error: str) -> dict[str, Any]:
    found: dict[str, Any] = {"op": case.op, "args": list(case.args)}
    if parts is None:
        return {**found, "error": error}
    found["result"] = re.sub(r"_(?=-?\d)", "", parts[0]).strip()
    if len(parts) > 2:
        for name, values in zip(("want", "got"), parts[1:], strict=False):
            if values.strip():
                found[name] = [int(v) for v in values.split()]
    return found


def batches() -> Iterator[list[Case]]:
    for seed, each in BATCHES:
        inputs = Inputs(seed)
        cases = list(dict.fromkeys(make(inputs) for make in KINDS for _ in range(each)))
        inputs.chance.shuffle(cases)
        yield [c for c in cases if seed == BATCHES[0][0] or any(re.search(r":\(?[^:]*-", a) for a in c.args)]


def main() -> None:
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        for cases in batches():
            for start in range(0, len(cases), LINES):
                for case in run(cases[start : start + LINES], Path(folder)):
                    print(json.dumps({"id": f"n{number}", **record(*case)}), flush=True)
                    number += 1
                print(f"{number} records", file=sys.stderr)


if __name__ == "__main__":
    main()
