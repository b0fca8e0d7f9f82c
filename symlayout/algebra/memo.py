"""Remembered answers of the algebra.

Kernels ask the same few questions of the same layouts again and again. An answer is kept with the layout that
was asked, as an entry (other argument, operation, answer, entry before, how many), and found by identity:
hashing two nested layouts would take as long as most answers. An operation looks through the entries itself,
for a call would take as long as the look:

    entry = x._answers
    while entry is not None:
        if entry[0] is other and entry[1] is OPERATION:
            return entry[2]
        entry = entry[3]

Answers that took a decision of their law, by enumeration perhaps, are kept by value as well, in a `table()`
that starts anew once it has grown to `LIMIT` entries. `clear()` forgets these, which benchmarks need.
"""

from __future__ import annotations

from typing import Any

from ..layout import Layout, slot

DEPTH = 8  # entries of one layout
LIMIT = 1 << 16

set_answers = slot("_answers")
_TABLES: list[dict[Any, Any]] = []


def keep_answer(x: Layout, operation: str, other: Any, answer: Any) -> Any:
    """Keep the answer of `operation(x, other)` with x, and return it."""
    before = x._answers
    if before is None or before[4] == DEPTH:
        set_answers(x, (other, operation, answer, None, 1))
    else:
        set_answers(x, (other, operation, answer, before, before[4] + 1))
    return answer


def table() -> dict[Any, Any]:
    """A new table of answers, known to `clear`."""
    result: dict[Any, Any] = {}
    _TABLES.append(result)
    return result


def remember(answers: dict[Any, Any], key: Any, answer: Any) -> Any:
    """Keep `answer` under `key` and return it."""
    if len(answers) >= LIMIT:
        answers.clear()
    answers[key] = answer
    return answer


def clear() -> None:
    """Forget all answers that are kept by value."""
    for answers in _TABLES:
        answers.clear()
