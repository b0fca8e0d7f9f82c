"""``python -m tests.forge [--count N] [--seed FIRST]``: N forged certificates, and every complaint."""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from .judge import forge, untouched
from .pool import claims_made_up, of_theorems

COUNT = 10_000
BATCH = 250


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.forge", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first forgery")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    start = time.perf_counter()
    pool = [*of_theorems(), *claims_made_up(100)]
    print(f"{len(pool)} certificates in {time.perf_counter() - start:.0f} s", flush=True)
    complaints = [f"{name} is not confirmed as it is" for name in untouched(pool)]
    for text in complaints:
        print(text)
    print(f"{len(pool) - len(complaints)} confirmed as they are", flush=True)
    end = given.seed + given.count
    batches = [range(k, min(k + BATCH, end)) for k in range(given.seed, end, BATCH)]
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(given.jobs) as workers:
        for found, wrong in workers.map(partial(forge, pool=pool), batches):
            counts += found
            complaints += wrong
            for text in wrong:
                print(text, flush=True)
            print(f"{counts.total():,} in {time.perf_counter() - start:.0f} s", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{name:<16}{count:>8,}")
    print(
        f"{counts.total():,} forged certificates: {counts['confirmed']:,} are confirmed, true all the same; "
        f"{len(complaints)} complaints, {time.perf_counter() - start:.0f} s"
    )
    return int(bool(complaints))


if __name__ == "__main__":
    sys.exit(main())
