"""Every pair of small layouts through `admissible` and `composition`, against plain enumeration.

    python -m tests.every_pair      more than a million pairs, with a progress bar; exits 1 on a wrong verdict

Sizes 1 to 12, negative and zero strides, up to three modes on the left. tests/oracle/pairs.py decides; the
suite runs a slice (tests/algebra/test_admissible.py).
"""

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from rich.console import Console
from rich.progress import track

from symlayout import Inadmissible, Layout, LayoutError, admissible, composition
from symlayout.inttuple import flatten_to_tuple
from tests.oracle import pairs
from tests.oracle.pairs import Modes

PART = 8  # layouts on the right that one process takes at a time
STRIDES = (-2, -1, 0, 1, 2, 3, 4)


def lefts() -> list[Modes]:
    return [
        *pairs.layouts(1, (1, 2, 3, 4), STRIDES),
        *pairs.layouts(2, (1, 2, 3, 4), STRIDES),
        *pairs.layouts(3, (2, 3), (0, 1, 2, 3)),
    ]


def rights() -> list[Modes]:
    return [*pairs.layouts(1, (1, 2, 3, 4, 6, 8, 12), STRIDES), *pairs.layouts(2, (1, 2, 3, 4), STRIDES)]


def layout(modes: Modes) -> Layout:
    sizes, strides = zip(*modes, strict=True)
    return Layout(sizes[0], strides[0]) if len(modes) == 1 else Layout(sizes, strides)


def table(x: Layout) -> list[int]:
    """All values in order, mode after mode."""
    result = [0]
    for s, d in zip(flatten_to_tuple(x.shape), flatten_to_tuple(x.stride), strict=True):
        result = [v + j * d for j in range(s) for v in result]
    return result


def refines(x: Layout, b: Layout) -> bool:
    if not isinstance(b.shape, tuple):
        return bool(x.size() == b.shape)
    return isinstance(x.shape, tuple) and [m.size() for m in x] == list(b.shape)


def judge(a: Layout, b: Layout, row: list[int], reach: int) -> tuple[str, str]:
    """The kind of pair, and what is wrong with our verdicts, '' if nothing is."""
    try:
        right = admissible(a, b)
    except Inadmissible as e:
        if reach == len(row):
            return "none", f"admissible refused, and there is a layout: {e}"
        if (e.index, e.want) != (reach, row[reach]):
            return "none", f"admissible refused at {e.index} with {e.want}, not at {reach} with {row[reach]}"
        right = None
    if right is not None:
        if reach < len(row):
            return "some", f"admissible gave {right}, and no layout reaches {reach}"
        if not refines(right, b) or table(right) != row:
            return "some", f"admissible gave {right}, which has other values or another shape"
    try:
        answer = composition(a, b)
    except Inadmissible as e:
        given = table(composition(a, b, unchecked=True))
        least = next((i for i, (x, y) in enumerate(zip(given, row, strict=False)) if x != y), None)
        sound = (e.index, e.want) == (least, None if least is None else row[least])
        kind = "none, CuTe errs" if right is None else "some, CuTe errs"
        return kind, "" if sound else f"composition refused at {e.index}, not at {least}"
    except LayoutError:
        return ("none, CuTe refuses" if right is None else "some, CuTe refuses"), ""
    if right != answer:
        return "some", f"composition gave {answer}, admissible {right}"
    return "some, CuTe answers", ""


def run(a: list[Modes], b: list[Modes]) -> tuple[Counter[str], list[str]]:
    """How many pairs there are of each kind, and the wrong verdicts."""
    kinds: Counter[str] = Counter()
    wrong: list[str] = []
    left = [layout(modes) for modes in a]
    for batch in pairs.batches(a, b):
        right = layout(batch.b)
        for x, row, reach in zip(left, batch.rows.tolist(), batch.reached.tolist(), strict=True):
            kind, fault = judge(x, right, row, reach)
            kinds[kind] += 1
            if fault:
                wrong.append(f"{x} o {right}: {fault}")
    return kinds, wrong


def run_with_all(b: list[Modes]) -> tuple[Counter[str], list[str]]:
    return run(lefts(), b)


def main() -> int:
    console = Console()
    start = time.perf_counter()
    every = rights()
    parts = [every[k : k + PART] for k in range(0, len(every), PART)]
    kinds: Counter[str] = Counter()
    wrong: list[str] = []
    with ProcessPoolExecutor() as pool:
        for counted, found in track(
            pool.map(run_with_all, parts), "pairs", total=len(parts), console=console
        ):
            kinds += counted
            wrong += found
    for line in wrong[:20]:
        console.print(line, highlight=False)
    for kind, n in sorted(kinds.items()):
        console.print(f"{n:9d}  {kind}", highlight=False)
    seconds = time.perf_counter() - start
    console.print(f"{kinds.total()} pairs, {len(wrong)} wrong verdicts, {seconds:.0f} s", highlight=False)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
