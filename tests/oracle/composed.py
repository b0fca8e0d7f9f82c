"""Records of CuTe's own answers for composed layouts: random cases, compiled with the headers and run.

    python -m tests.oracle.composed 400 7                 how many, and the seed
    python -m tests.oracle.composed 120 11 slices ...     of these operations only

Each case is one line of a C++ file, all of it static. g++ first says which lines do not compile, and why: a
static assertion makes an `error` record, and what has no overload (CuTe lacks it) makes none. The rest is run
and printed. Needs g++ and what `make oracle` installs.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product as box
from pathlib import Path
from typing import Any

from symlayout import ComposedLayout, Layout, Swizzle, parse
from symlayout.inttuple import flatten_to_tuple, show, unflatten
from symlayout.inttuple import product as product_of
from tests.bench.checks import cuda_headers, cute_headers

Case = tuple[str, list[str], str]  # operation, arguments in the notation of records, C++ statement

HEAD = """#include <cstdio>
#include <cute/layout.hpp>
#include <cute/swizzle_layout.hpp>
#include <cute/tensor.hpp>
using namespace cute;
template <class T> void told(int n, T const& x) { std::printf("%d ", n); print(x); std::printf("\\n"); }
template <class T> void table(int n, T const& x, int size, int base) {
  std::printf("%d", n);
  for (int i = 0; i < size; ++i) std::printf(" %d", int(x(i)) + base);
  std::printf("\\n");
}
template <class T, class C> void sliced(int n, T const& x, C const& c) {
  auto [rest, base] = slice_and_offset(c, x);
  table(n, rest, int(size(rest)), int(base));
}
int main() {
"""


def cpp(x: Any, tuple_of: str = "make_shape") -> str:
    """A value as a static C++ expression."""
    if x is None:
        return "_"
    if isinstance(x, tuple):
        return f"{tuple_of}({', '.join(cpp(y, tuple_of) for y in x)})"
    if isinstance(x, Layout):
        return f"make_layout({cpp(x.shape)}, {cpp(x.stride, 'make_stride')})"
    if isinstance(x, Swizzle):
        return f"Swizzle<{x.b},{x.m},{x.s}>{{}}"
    if isinstance(x, ComposedLayout):
        return f"make_composed_layout({cpp(x.swizzle)}, {cpp(x.offset)}, {cpp(x.layout)})"
    return f"Int<{x}>{{}}"


class Maker:
    """Random layouts of powers of two, mostly, which is where swizzles are at home."""

    def __init__(self, seed: int, operations: Sequence[str] = ()) -> None:
        self.random = random.Random(seed)
        self.operations = operations or OPERATIONS

    def one_of(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def swizzle(self) -> Swizzle:
        b = self.one_of(1, 1, 2, 2, 3)
        shift = b + self.one_of(0, 0, 1)
        return Swizzle(b, self.one_of(0, 0, 1, 2), self.one_of(shift, shift, -shift))

    def layout(self) -> Layout:
        shape = self.one_of(
            8, 16, 64, (4, 4), (8, 8), (8, 8), (2, 4, 8), ((2, 4), 8), (4, (2, 4)), (3, 4), (6, 8)
        )
        sizes = list(flatten_to_tuple(shape))
        order = self.random.sample(range(len(sizes)), len(sizes))
        strides, step = [0] * len(sizes), self.one_of(1, 1, 1, 1, 2)
        for k in order:
            strides[k] = step
            step *= sizes[k]
        if self.random.random() < 0.1:
            strides[order[0]] = self.one_of(0, -1, 3)
        return Layout(shape, unflatten(tuple(strides), shape) if isinstance(shape, tuple) else strides[0])

    def composed(self) -> ComposedLayout:
        offset = self.one_of(0, 0, 0, 4, 8, 16, 5, -8)
        kind = self.random.random()
        if kind < 0.55:
            return ComposedLayout(self.swizzle(), offset, self.layout())
        if kind < 0.75:
            inner = ComposedLayout(self.swizzle(), self.one_of(0, 0, 8), self.layout())
            return ComposedLayout(self.swizzle(), offset, inner)
        if kind < 0.85:
            return ComposedLayout(Layout(self.one_of(16, 64), 1), offset, self.swizzle())
        inner = self.one_of(self.layout(), ComposedLayout(self.swizzle(), 0, self.layout()))
        return ComposedLayout(self.layout(), offset, inner)

    def tiler(self, x: ComposedLayout) -> Any:
        modes = x.domain.rank() if not isinstance(x.layout, Swizzle) else 1
        if modes > 1 and self.random.random() < 0.6:
            return tuple([self.one_of(2, 4, None, Layout(2, 2)) for _ in range(self.one_of(1, modes))])
        return self.one_of(4, 8, Layout(4, 2), Layout((2, 2), (1, 4)))

    def case(self, n: int) -> Case:
        x = self.composed()
        operation = self.one_of(*self.operations)
        arguments, statement = getattr(self, "_" + operation, self._of_one)(operation, n, x)
        texts = [
            str(a) if isinstance(a, (int, Layout, Swizzle, ComposedLayout)) else show(a) for a in arguments
        ]
        return NAMES.get(operation, operation), texts, statement

    def _of_one(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        return [x], f"told({n}, {name}({cpp(x)}));"

    def _composition(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        other = self.one_of(self.layout(), self.layout(), self.swizzle(), self.composed(), self.composed())
        a, b = (x, other) if self.random.random() < 0.7 else (other, x)
        return [a, b], f"told({n}, composition({cpp(a)}, {cpp(b)}));"

    def _tiled(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        tiler = self.tiler(x)
        return [x, tiler], f"told({n}, {name}({cpp(x)}, {cpp(tiler, 'make_tile')}));"

    _logical_divide = _zipped_divide = _tiled_divide = _flat_divide = _tiled

    def _product(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        tiler = self.one_of(Layout(4, 1), Layout((2, 2), (1, 2)), Layout((2, 2), (2, 1)))
        return [x, tiler], f"told({n}, {name}({cpp(x)}, {cpp(tiler)}));"

    _logical_product = _blocked_product = _raked_product = _product

    def _cast(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        times = self.one_of(2, 2, 4)
        x = self.one_of(x, x, x, self.swizzle())
        if isinstance(x, Swizzle):
            return [times, ComposedLayout(x, 0, Layout(64, 1))], (
                f"told({n}, {name}<{times}>({cpp(ComposedLayout(x, 0, Layout(64, 1)))}));"
            )
        return [times, x], f"told({n}, {name}<{times}>({cpp(x)}));"

    _upcast = _downcast = _cast

    def _tile_to_shape(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        shape = self.one_of((16, 16), (32, 64), (8, 64), 64, (16, 16, 2))
        return [x, shape], f"told({n}, tile_to_shape({cpp(x)}, {cpp(shape)}));"

    def _values(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        return [x, 24], f"table({n}, {cpp(x)}, 24, 0);"

    def _slices(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        if isinstance(x.layout, Swizzle):
            x = ComposedLayout(self.swizzle(), 0, Layout((8, 8), (8, 1)))
        modes = x.domain.rank()
        crd = (None, *[self.one_of(1, 2, None) for _ in range(modes - 1)]) if modes > 1 else None
        return [x, crd], f"sliced({n}, {cpp(x)}, {cpp(crd, 'make_coord')});"

    def _common(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        other = self.one_of(self.layout(), Layout(64, 1), self.composed())
        return [x, other], f"told({n}, {name}({cpp(x)}, {cpp(other)}));"

    _max_common_layout = _max_common_vector = _common

    def _get_mode(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        return [x, 0], f"told({n}, get<0>({cpp(x)}));"

    def _group(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        return [x, 0, 2], f"told({n}, group<0,2>({cpp(x)}));"

    def _take(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        return [x, 0, 1], f"told({n}, take<0,1>({cpp(x)}));"

    def _append_N(self, name: str, n: int, x: Any) -> tuple[list[Any], str]:
        return [x, 4], f"told({n}, append<4>({cpp(x)}, Layout<_1,_0>{{}}));"


OPERATIONS = [
    *["composition"] * 10, *["right_inverse"] * 6, *["left_inverse"] * 6, *["upcast", "downcast"] * 3,
    *["slices"] * 4, *["values"] * 3, *["max_common_layout", "max_common_vector"] * 2, *["tile_to_shape"] * 3,
    "logical_divide", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product",
    "blocked_product", "raked_product", "coalesce", "flatten", "size", "cosize", "depth", "rank", "get_mode",
    "group", "take", "append_N", "max_alignment", "complement", "nullspace",
]  # fmt: skip
NAMES = {"values": "layout_table", "slices": "slice_table"}


def _compiler(*more: str) -> list[str]:
    cuda = cuda_headers()
    return ["g++", "-std=c++17", "-O0", "-w", f"-I{cute_headers()}", f"-I{cuda}", f"-I{cuda}/cccl", *more]


def _complaints(source: Path, told: str, first: int) -> dict[int, str]:
    """The case of every line that does not compile, with the first complaint about it."""
    found: dict[int, str] = {}
    line = 0
    for text in told.splitlines():
        if match := re.match(rf"{re.escape(str(source))}:(\d+):", text):
            line = int(match[1])
        if match := re.search(r"\berror: (.*)", text):
            found.setdefault(line - first, match[1])
    return found


def _compiled(source: Path, program: Path, lines: list[str]) -> dict[int, str]:
    """Compile as many of the lines as CuTe takes, and say why it does not take the others."""
    first = HEAD.count("\n") + 1
    refused: dict[int, str] = {}
    command = _compiler("-fmax-errors=0", "-ftemplate-backtrace-limit=0", str(source), "-o", str(program))
    while True:
        kept = ["" if k in refused else line for k, line in enumerate(lines)]
        source.write_text(HEAD + "\n".join(kept) + "\n}\n")
        build = subprocess.run(command, capture_output=True, text=True, check=False)
        if build.returncode == 0:
            return refused
        complaints = _complaints(source, build.stderr, first)
        if not complaints.keys() - refused.keys():
            raise RuntimeError(build.stderr[-2000:])
        refused = complaints | refused


def answers(cases: list[Case]) -> Iterator[tuple[Case, str | None, str | None]]:
    """Each case with what CuTe prints, or with why it does not compile. The cases are numbered from 0."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "cases.cpp", Path(folder) / "cases"
        refused = _compiled(source, program, [statement for _, _, statement in cases])
        told = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    printed = dict(line.split(" ", 1) for line in told.splitlines())
    for k, case in enumerate(cases):
        yield case, printed.get(str(k)), refused.get(k)


BATCH = 100
#: what g++ says of text that is not C++, a defect of this file
MISSPELLED = ("expected ", "stray ", "unterminated")


def _slice_by_counting(layout: str, crd: str) -> str:
    """The values of the layout where the open modes of the coordinate run and the others stand."""
    x, where = parse(layout), parse(crd)
    if where is None:
        return " ".join(str(x(i)) for i in range(x.size()))
    runs = [range(product_of(n)) if c is None else (c,) for n, c in zip(x.shape, where, strict=True)]
    return " ".join(str(x(*reversed(point))) for point in box(*reversed(runs)))


def records(count: int, seed: int, operations: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """That many random cases of which CuTe has an answer or a static assertion."""
    maker, made = Maker(seed, operations), 0
    while made < count:
        for (operation, arguments, _), result, error in answers([maker.case(n) for n in range(BATCH)]):
            record: dict[str, Any] = {"id": f"c{seed}.{made}", "op": operation, "args": arguments}
            if result is not None:
                record["result"] = result
            elif error is not None and error.startswith("static assertion failed: "):
                record["error"] = error.removeprefix("static assertion failed: ")
            elif error is None or error.startswith(MISSPELLED):
                raise RuntimeError(f"{operation} of {arguments}: {error}")
            else:  # CuTe has no such function for these arguments
                print(f"{operation} of {arguments}: {error}", file=sys.stderr)
                continue
            if operation == "slice_table" and result != _slice_by_counting(*arguments):
                record["callable"] = False  # text: CuTe slices wrongly where an offset carries, or not at all
            yield record
            made += 1
            if made == count:
                return


if __name__ == "__main__":
    for found in records(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]):
        print(json.dumps(found, separators=(",", ":")))
