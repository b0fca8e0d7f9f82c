"""One line of the benchmark's table, and how its numbers are taken."""

import math
import os
import statistics
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measured figure beside its target.

    `ratio` is how many times faster symlayout is than what it is compared with; None where the figure
    stands alone. `met` is None where there is no target, or where nothing could be measured.
    """

    name: str
    ours: str
    theirs: str = ""
    ratio: float | None = None
    target: str = ""
    met: bool | None = None


def duration(seconds: float) -> str:
    """Write *seconds* with three significant digits in the unit that fits."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if abs(seconds) >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def geometric_mean(ratios: Iterable[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def wall(command: Sequence[str]) -> float:
    """Run *command* and return its wall time in seconds; raises CalledProcessError if it fails."""
    # as on a user's machine: from the second run on, the byte code is there
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=env)
    return time.perf_counter() - start


def paired(first: Sequence[str], second: Sequence[str], rounds: int) -> tuple[float, float, float]:
    """Run two commands in turn, so that both see the same machine.

    Returns the median wall time of each and the median of `second - first` over the pairs, in seconds.
    """
    wall(first), wall(second)  # fills the file cache and writes the byte code
    pairs = [(wall(first), wall(second)) for _ in range(rounds)]
    a, b = zip(*pairs, strict=True)
    return statistics.median(a), statistics.median(b), statistics.median(y - x for x, y in pairs)
