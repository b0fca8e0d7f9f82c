"""``python -m tests.fuzz [--claims N] [--seed FIRST]``: N claims, and every complaint with its lines.

`--kind` asks only claims of one kind; `--seeded-faults` puts faults into the prover instead, one at a time,
and shows after how many claims each is found.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from os import cpu_count

from .seeded import NAMES as FAULTS
from .seeded import table
from .trial import LAST, SHARES, kind_of, trials

CLAIMS = 1_000_000
BATCH = 2_000
WITHIN = 20_000  # claims in which a seeded fault has to be found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--claims", type=int, default=CLAIMS)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first claim")
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1)
    parser.add_argument("--kind", choices=[*SHARES, LAST], help="ask claims of this kind only")
    parser.add_argument("--seeded-faults", action="store_true", help=f"one of: {', '.join(FAULTS)}")
    given = parser.parse_args()
    if given.seeded_faults:
        return table(given.jobs, WITHIN)
    return fuzz(given.seed, given.claims, given.jobs, given.kind)


def batches(seed: int, claims: int, kind: str | None) -> Iterator[list[int]]:
    """The numbers of the claims, in lists."""
    numbers = (n for n in count(seed) if kind is None or kind_of(n) == kind)
    left = claims
    while left > 0:
        batch = list(islice(numbers, min(BATCH, left)))
        left -= len(batch)
        yield batch


def fuzz(seed: int, claims: int, jobs: int, kind: str | None) -> int:
    """A process that dies takes its batch with it, which is said; the others go on in new ones."""
    start = time.perf_counter()
    verdicts: Counter[str] = Counter()
    wrong = 0
    rest = list(batches(seed, claims, kind))
    total = len(rest)
    while rest:
        with ProcessPoolExecutor(min(jobs, len(rest))) as pool:
            answers = [pool.submit(trials, batch) for batch in rest]
            left = []
            for batch, answer in zip(rest, answers, strict=True):
                try:
                    counts, complaints = answer.result()
                except BrokenProcessPool:
                    left.append(batch)
                    continue
                verdicts += counts
                wrong += len(complaints)
                for text in complaints:
                    print(text, flush=True)
                seconds = time.perf_counter() - start
                print(
                    f"to {batch[-1]:,}: {verdicts.total():,} claims, {wrong} complaints, {seconds:.0f} s",
                    flush=True,
                )
        if left and len(left) == len(rest):
            print(f"a process died over claims {left[0][0]:,} to {left[0][-1]:,}", flush=True)
            wrong += 1
            left = left[1:]
        rest = left
    for name, number in sorted(verdicts.items()):
        print(f"{name:<36}{number:>10,}")
    seconds = time.perf_counter() - start
    print(f"{verdicts.total():,} claims in {total} batches, {wrong} complaints, {seconds:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
