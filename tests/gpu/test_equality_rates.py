"""What `gpu equal --bench` records, and its replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gpu.cli.equal import ask_equal
from gpu.equality import rates as equality_rates
from gpu.equality.cases import CASES
from gpu.equality.equality import Emulator, Seen, by_symlayout
from gpu.replay import replay

by_symlayout = cache(by_symlayout)  # the same pairs are asked again and again
SMALL_PAIRS = [case for case in CASES if case.differing < 0 or case.size <= 1 << 20]


class Knowing(Emulator):
    """A machine that answers at once for domains too large for numpy: what symlayout and paper say."""

    def enumerate(self, a: Any, b: Any, runs: int = 1) -> Seen:
        case = next(c for c in CASES if c.layouts() == (a, b))
        seconds = (case.size * 32 / 2e13,) * runs  # at 32 instructions a coordinate
        if case in SMALL_PAIRS:
            return replace(super().enumerate(a, b), seconds=seconds)
        return Seen(by_symlayout(a, b).first, case.differing, seconds)


@pytest.fixture(scope="module", autouse=True)
def _asked_once_and_waited_for() -> Iterator[None]:
    """On a busy machine an engine may take longer than the patience that a user has."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equality_rates, "by_symlayout", by_symlayout)
        patch.setattr("gpu.equality.equality.PATIENCE", 1000.0)
        yield


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `--bench --record` writes of a made-up machine that issues 3e13 instructions a second."""
    path = tmp_path_factory.mktemp("results") / "equalities.json"
    counts = [{equality_rates.COUNTER: 10**12} for _ in equality_rates.MIXES]
    counts += [{equality_rates.COUNTER: case.size * 32} for case in CASES]
    about = {"device": "made up", "compute_capability": "9.0", "driver": "1", "cuda": "13.0"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equality_rates, "Silicon", Knowing)
        patch.setattr(equality_rates, "about", lambda: about)
        patch.setattr(equality_rates, "counted", lambda *_: counts)
        patch.setattr(equality_rates, "ON_NUMPY", 1 << 12)
        patch.setattr(equality_rates, "_issued", lambda _: {"instructions": 10**12, "seconds": [1 / 30] * 3})
        result = CliRunner().invoke(ask_equal, ["--bench", "--record", str(path)], standalone_mode=False)
    assert result.exception is None, result.output
    assert result.return_value == 0, result.output
    assert f"{len(CASES)} pairs on made up, 0 not as predicted, 0 too slow" in result.output
    return path


def test_what_was_recorded_is_predicted_today(recorded: Path) -> None:
    assert replay(recorded).differing == ()
    assert recorded.stat().st_size < 50_000
    content = json.loads(recorded.read_text())
    rates = equality_rates.rates(content["equalities"][0], content)
    assert rates.instructions == 32
    assert rates.used == pytest.approx(2 / 3)
    assert rates.limit == pytest.approx(3e13 / 32)


@pytest.mark.parametrize("ticks", [(0, 0), (5, 6)], ids=["a clock that stands still", "one nanosecond"])
def test_a_rate_is_told_however_quick_the_machine_is(ticks: tuple[int, int], recorded: Path) -> None:
    clock = iter(ticks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equality_rates, "ON_NUMPY", 1 << 12)
        patch.setattr("time.perf_counter_ns", lambda: next(clock))
        found = equality_rates._on_numpy(CASES[2])
    content = {**json.loads(recorded.read_text()), "numpy": found}
    assert any(line.startswith("numpy, one core: 4.096e+12") for line in equality_rates.table(content))
    content["issue"][0]["seconds"] = [0.0] * 3
    content["equalities"][0]["seconds"] = [0.0] * 3
    assert equality_rates.rates(content["equalities"][0], content).coordinates > 0


def changed(entry: str, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        next(e for e in content["equalities"] if e["title"] == entry)[key] = value

    return change


LAST_ONLY, HALF, SMALL = CASES[7].title, CASES[8].title, "small: one digit in another place"


@pytest.mark.parametrize(
    "change, says",
    [
        (changed(CASES[0].title, "first", 5), "first difference at 5 on the machine, equal by canonical"),
        (changed(LAST_ONLY, "values", [1, 2]), "the values are"),
        (changed(LAST_ONLY, "differing", 2), "2 differ, and 1 by hand"),
        (changed(HALF, "differing", 1 << 34), "differ on the machine, and"),
        (changed(SMALL, "differing", 7), "numpy: (999, 998001)"),
        (changed(SMALL, "code", "0"), "the generated code has changed since"),
        (changed(CASES[2].title, "seconds", [0.3, 0.3, 0.3]), "of the integer-issue limit"),
        (lambda content: content["issue"][0].update(instructions=10**13), "by construction"),
        (lambda content: content["kernels"].update(equality="0"), "the kernel equality has changed since"),
    ],
    ids=["verdict", "values", "count by hand", "count", "numpy", "code", "slow", "issue", "kernel"],
)
def test_a_changed_record_is_found(
    change: Callable[[dict[str, Any]], None], says: str, recorded: Path, tmp_path: Path
) -> None:
    content = json.loads(recorded.read_text())
    change(content)
    (tmp_path / "changed.json").write_text(json.dumps(content))
    lines = replay(tmp_path / "changed.json").differing
    assert any(says in line for line in lines), lines


def test_a_slow_device_is_no_success(recorded: Path) -> None:
    content = json.loads(recorded.read_text())
    assert equality_rates.slow(content) == []
    content["issue"][0]["seconds"] = [1 / 90] * 3
    assert len(equality_rates.slow(content)) == sum(c.size >= 1 << 32 for c in CASES)


def test_a_difference_that_a_sample_shows_is_found(recorded: Path) -> None:
    """Where no engine of symlayout's knew the count, numpy's sample would."""
    a, b = CASES[8].layouts()
    assert equality_rates._probed(a, b, Seen(512, CASES[8].differing), CASES[8].size) == []
    assert equality_rates._probed(a, b, Seen(512, 1000), CASES[8].size)
    assert equality_rates._probed(a, b, Seen(None, 0), CASES[8].size)
