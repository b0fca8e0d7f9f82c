"""``python -m tests.fuzz [--claims N] [--seed FIRST]``: N claims, and every complaint with its line."""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from .trial import trials

CLAIMS = 1_000_000
BATCH = 5_000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--claims", type=int, default=CLAIMS)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first claim")
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1)
    given = parser.parse_args()
    end = given.seed + given.claims
    batches = [range(k, min(k + BATCH, end)) for k in range(given.seed, end, BATCH)]
    start = time.perf_counter()
    verdicts: Counter[str] = Counter()
    wrong = 0
    with ProcessPoolExecutor(min(given.jobs, len(batches))) as pool:
        for k, (counts, complaints) in enumerate(pool.map(trials, batches), 1):
            verdicts += counts
            wrong += len(complaints)
            for text in complaints:
                print(text, flush=True)
            if k % 20 == 0:
                print(f"{verdicts.total():,} claims in {time.perf_counter() - start:.0f} s", flush=True)
    for name, count in sorted(verdicts.items()):
        print(f"{name:<36}{count:>10,}")
    seconds = time.perf_counter() - start
    print(f"{verdicts.total():,} claims, {wrong} complaints, {seconds:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
