"""Answers on standard output: words, or JSON for scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def format_option(command: Command) -> Command:
    """The option `--format text|json`, as argument `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Words, or JSON as `symlayout schema` describes it.",
    )(command)


def answer(form: str, text: str, data: dict[str, Any]) -> int:
    """Print one of both; return `data["exit_code"]`."""
    if form == "json":
        print(json.dumps(plain(data), indent=2))
    else:
        print(text)
    code: int = data["exit_code"]
    return code


def plain(value: Any) -> Any:
    """The value in JSON's own types: tuples as lists, layouts and everything else as the text that CuTe
    would print."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)


def colourful() -> bool:
    """Whether standard output is a terminal that may be painted."""
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
