"""A bar for work of many steps: on a terminal, and only once it has taken a while."""

from __future__ import annotations

import sys
import time
from typing import Any

PATIENCE = 2.0  # seconds


_open: list[Bar] = []


class Bar:
    """`with Bar("rechecking", 164) as bar: ... bar.tick()`, on standard error; it is wiped at the end."""

    def __init__(self, says: str, total: int) -> None:
        self.says = says
        self.total = total
        self.done = 0
        self.start = time.perf_counter()
        self.shown: Any = None
        self.task: Any = None

    def __enter__(self) -> Bar:
        _open.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self in _open:
            _open.remove(self)
        if self.shown is not None:
            self.shown.stop()

    @staticmethod
    def wipe_all() -> None:
        """Take every bar off the terminal, whoever still holds it."""
        while _open:
            _open.pop().__exit__()

    def tick(self, says: str | None = None) -> None:
        """One more step is done; `says` names it."""
        self.done += 1
        self.says = says or self.says
        if self.shown is None and sys.stderr.isatty() and time.perf_counter() - self.start > PATIENCE:
            self._show()
        if self.shown is not None:
            self.shown.update(self.task, completed=self.done, description=self.says)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.shown.add_task(self.says, total=self.total)
        self.shown.start()
