"""`symlayout explain EXPR`: the value of an expression, with the law and the arithmetic of every operation
on the way."""

from __future__ import annotations

from typing import Any

import click

from .answer import answer, format_option
from .derivation import derivation, law
from .evaluate import show_value, value_data
from .recorder import Call, check_width, record


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("expression")
@click.option("--assume", metavar="FACTS", default="", help='What is known of names: "16 | M, ld >= K".')
@format_option
def command(expression: str, form: str, assume: str) -> int:
    """Evaluate an expression, with the law, its notes and the arithmetic.

    Of every operation in the expression, innermost first: its value, the law that the value obeys, how it
    comes about from simpler operations or from values, and notes on what may surprise. Exit codes are those
    of eval.

    \b
    symlayout explain "logical_divide((4,4,2):(1,8,4), 8:1)"
    """
    value, calls, units = found = record(expression, assume)
    check_width(expression, found)
    texts = [_text(call) for call in calls]
    if not calls:
        texts = [show_value(value)]
    texts += [f"note: {unit}" for unit in units]
    data = {
        "command": "explain",
        "exit_code": 0,
        "expression": expression,
        **value_data(value),
        "notes": [*units, *(note for call in calls for note in call.notes())],
        "steps": [_data(call) for call in calls],
    }
    return answer(form, "\n\n".join(texts), data)


def _text(call: Call) -> str:
    lines = [call.text(), f"  = {show_value(call.value)}"]
    if law(call):
        lines.append(f"  law{' (broken here)' if call.broken_law() else ''}: {law(call)}")
    lines += [f"  {line}" for line in derivation(call)]
    lines += [f"  note: {note}" for note in call.notes()]
    return "\n".join(lines)


def _data(call: Call) -> dict[str, Any]:
    return {
        "call": call.text(),
        "value": show_value(call.value),
        "law": law(call) or None,
        "arithmetic": derivation(call),
        "notes": call.notes(),
    }
