"""What one pays before the first answer: the import, and the command line."""

import sys
from pathlib import Path

from .figure import Figure, duration, paired

ROUNDS = 25
IMPORT_MOST = 0.060  # seconds beyond the bare interpreter
HELP_MOST = 0.200  # seconds more than `python -c pass`


def figures() -> list[Figure]:
    bare = [sys.executable, "-c", "pass"]
    program = Path(sys.executable).parent / "symlayout"
    cases = [
        (
            "import symlayout, beyond the bare interpreter",
            [sys.executable, "-c", "import symlayout"],
            IMPORT_MOST,
        ),
        ("symlayout --help, beyond python -c pass", [str(program), "--help"], HELP_MOST),
    ]
    result = []
    for name, command, most in cases:
        interpreter, _, extra = paired(bare, command, ROUNDS)
        target = f"< {duration(most)}"
        result.append(Figure(name, duration(extra), duration(interpreter), target=target, met=extra < most))
    return result
