"""``python -m tests.mutation [MODULE...]``: every mutant of every theorem in proofs/, and how many die."""

import sys
from pathlib import Path

from symlayout.theory import load, theorems

from .kill import SAY_LESS, Killed, kill

PROOFS = Path(__file__).parent.parent.parent / "proofs"


def main() -> int:
    total = Killed()
    missed = 0
    for module in load(PROOFS):
        short = module.__name__.rpartition(".")[2]
        if sys.argv[1:] and short not in sys.argv[1:]:
            continue
        for stated in theorems(module):
            if stated.kind != "theorem":
                continue
            name = f"{short}.{stated.name}"
            found = kill(stated)
            total += found
            for text in found.survivors:
                print(f"{name} survives {text}", flush=True)
            if name in SAY_LESS:
                print(f"  {SAY_LESS[name]}")
            elif found.survivors or not found.tried:
                missed += 1
                print(f"{name}: {found.refuted} of {found.tried} refuted", flush=True)
    print(f"{total.refuted} of {total.tried} mutants refuted: {total.refuted / max(total.tried, 1):.1%}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
