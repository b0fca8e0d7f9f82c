"""`gpu replay`: recorded results against today's predictions."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ..records import RESULTS
from ..replay import replay
from ..report import AGREE, DISAGREE
from .options import format_option, say


@click.command("replay")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option
def replay_files(files: tuple[Path, ...], style: str) -> int:
    """Hold recorded results against today's predictions (default: all of results/)."""
    replays = [replay(path) for path in files or sorted(RESULTS.glob("*.json"))]
    code = DISAGREE if any(r.differing for r in replays) else AGREE
    answer = {"command": "gpu replay", "files": [asdict(r) for r in replays], "exit_code": code}
    say(style, answer, [str(r) for r in replays])
    return code
