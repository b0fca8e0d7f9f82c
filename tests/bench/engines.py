"""Equality and injectivity at 2^7, 2^20 and 2^40 elements, beside what else could decide them; and retiles.

The layouts are two refinements of one function whose modes do not meet, `(3,5n,8)` and `(5,3n,8)`, and one
whose modes are in another order. z3 gets the values as CuTe computes them, with div and mod; isl gets
maps with floors, in a process of its own; numpy computes every value. Ours is judged by z3 as always.
"""

import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symlayout import Layout, atoms, parse, smt
from symlayout.claims import Claim, equal, injective
from symlayout.decide import prove
from symlayout.errors import SymlayoutError
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from symlayout.tiled_mma import make_tiled_mma

from .figure import Figure, duration

SIZES = (7, 20, 40)  # powers of two
ROUNDS = 21
GROWTH_MOST = 3.0
LIMIT = 5.0  # seconds for each of the others
RETILE_MOST = 0.050
GOLDEN = Path(__file__).parent.parent / "golden" / "tiled.jsonl"


def refinements(k: int) -> tuple[Layout, Layout]:
    """Two layouts of 15/16 * 2^k elements and one function, the transposition of a 15n x 8 matrix."""
    n = 1 << (k - 7)
    return Layout((3, 5 * n, 8), (8, 24, 1)), Layout((5, 3 * n, 8), (8, 40, 1))


def shuffled(k: int) -> Layout:
    """As many elements, each value once, the slowest mode first."""
    n = 1 << (k - 7)
    return Layout((3, 8 * n, 5), (40 * n, 5, 1))


def naive(layout: Layout, i: str) -> str:
    """The layout's value in SMT-LIB, with div and mod."""
    terms, weight = [], 1
    shape, stride = layout.shape, layout.stride
    for m, (s, d) in enumerate(zip(shape, stride, strict=True)):
        digit = f"(div {i} {weight})"
        terms.append(f"(* {d} {digit if m == len(shape) - 1 else f'(mod {digit} {s})'})")
        weight *= s
    return f"(+ {' '.join(terms)})"


def naive_equality(k: int) -> str:
    a, b = refinements(k)
    return (
        f"(declare-const i Int)(assert (and (<= 0 i) (< i {a.size()})))"
        f"(assert (not (= {naive(a, 'i')} {naive(b, 'i')})))(check-sat)"
    )


def naive_injectivity(k: int) -> str:
    a = shuffled(k)
    return (
        f"(declare-const i Int)(declare-const j Int)(assert (and (<= 0 i) (< i j) (< j {a.size()})))"
        f"(assert (= {naive(a, 'i')} {naive(a, 'j')}))(check-sat)"
    )


def floors(layout: Layout, i: str) -> str:
    """The layout's value in isl's notation."""
    terms, weight = [], 1
    for m, (s, d) in enumerate(zip(layout.shape, layout.stride, strict=True)):
        digit = f"floor({i}/{weight})"
        terms.append(f"{d}*({digit if m == len(layout.shape) - 1 else f'{digit} mod {s}'})")
        weight *= s
    return " + ".join(terms)


ISL = """
import sys, islpy
m = [islpy.Map(text) for text in sys.argv[2:]]
answer = m[0].is_equal(m[1]) if sys.argv[1] == "equal" else m[0].is_injective()
print(answer)
"""


def isl(word: str, layouts: list[Layout]) -> str:
    """How long isl takes, the start of its process left out."""
    if importlib.util.find_spec("islpy") is None:
        return "isl: not installed"
    maps = [f"{{ [i] -> [{floors(x, 'i')}] : 0 <= i < {x.size()} }}" for x in layouts]
    bare = timed(lambda: subprocess.run([sys.executable, "-c", "import islpy"], check=True))
    try:
        start = time.perf_counter()
        out = subprocess.run(
            [sys.executable, "-c", ISL, word, *maps],
            capture_output=True,
            text=True,
            timeout=LIMIT + bare,
            check=True,
        ).stdout
    except subprocess.TimeoutExpired:
        return f"isl > {duration(LIMIT)}"
    except subprocess.CalledProcessError:
        return "isl: an error"
    assert out.strip() == "True", out
    return f"isl {duration(max(time.perf_counter() - start - bare, 1e-3))}"


def by_z3(text: str) -> str:
    start = time.perf_counter()
    answer = smt.check(text, (), LIMIT)
    took = time.perf_counter() - start
    return (
        f"z3 naive {duration(took)}" if answer.status == "unsat" else f"z3 naive gave up ({duration(took)})"
    )


def by_numpy(word: str, layouts: list[Layout]) -> str:
    if layouts[0].size() > 1 << 24:
        return "numpy: does not fit"
    import numpy as np

    def table(layout: Layout) -> Any:
        i = np.arange(layout.size(), dtype=np.int64)
        return layout(i)

    def run() -> None:
        tables = [table(x) for x in layouts]
        if word == "equal":
            assert np.array_equal(*tables)
        else:
            assert np.unique(tables[0]).size == tables[0].size

    return f"numpy {duration(timed(run))}"


def timed(call: Callable[[], object], rounds: int = 3) -> float:
    samples = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        samples.append(time.perf_counter() - start)
    return statistics.median(samples)


def growing(word: str, make: Callable[[int], list[Layout]], script: Callable[[int], str]) -> list[Figure]:
    """One line for each size, and one for the growth, measured in turns."""
    state: Callable[..., Claim] = equal if word == "equal" else injective

    def ours(k: int) -> float:
        layouts = make(k)
        start = time.perf_counter()
        verdict = prove(state(*layouts))
        took = time.perf_counter() - start
        assert verdict, verdict
        return took

    for k in SIZES:
        ours(k)
    rounds = [[ours(k) for k in SIZES] for _ in range(ROUNDS)]
    found = []
    for k, times in zip(SIZES, zip(*rounds, strict=True), strict=True):
        layouts = make(k)
        others = [by_z3(script(k)), isl(word, layouts), by_numpy(word, layouts)]
        name = f"{word}, {layouts[0].size():,} elements (2^{k})"
        found.append(Figure(name, duration(statistics.median(times)), "; ".join(others)))
    growth = statistics.median(times[-1] / times[0] for times in rounds)
    text = f"{growth:.2f} times"
    target = f"<= {GROWTH_MOST:g} times"
    found.append(Figure(f"{word}, from 2^7 to 2^40", text, target=target, met=growth <= GROWTH_MOST))
    return found


def retiles() -> Figure:
    """Every recorded combination of one warp that CuTe makes: the whole claim, warm."""
    make = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}
    times: list[float] = []
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["rejects"]:
            continue
        mma = make_tiled_mma(record["mma"], parse(record["atom"]), parse(record["perm"]))
        if mma.thr_layout_vmnk.size() > 32:
            continue
        atom = atoms.copy(record["copy"])
        try:
            copy = make[record["op"]](atom.with_type(record["vt"]) if "vt" in record else atom, mma)
            claim = copy.retile_correct(mma, record["op"], parse(record["tensor"]))
        except SymlayoutError:
            continue  # it has its registers on the other side
        if not times:
            prove(claim)
        start = time.perf_counter()
        prove(claim)
        times.append(time.perf_counter() - start)
    slow = statistics.quantiles(times, n=20)[-1]
    name = f"retile claims of one warp, warm, 95th percentile of {len(times)}"
    return Figure(name, duration(slow), target=f"< {duration(RETILE_MOST)}", met=slow < RETILE_MOST)


def figures() -> list[Figure]:
    return [
        *growing("equal", lambda k: list(refinements(k)), naive_equality),
        *growing("injective", lambda k: [shuffled(k)], naive_injectivity),
        retiles(),
    ]
