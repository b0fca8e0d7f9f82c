"""Remembered answers of the algebra.

Kernels ask the same few questions again and again, and a Layout is a value, so an answer is kept under the
arguments' shapes and strides. A table that has grown to `LIMIT` entries starts anew. `clear()` forgets
everything, which benchmarks need.
"""

from __future__ import annotations

from typing import Any

LIMIT = 1 << 16

_TABLES: list[dict[Any, Any]] = []


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
    """Forget all answers."""
    for answers in _TABLES:
        answers.clear()
