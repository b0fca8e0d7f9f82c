"""The accesses that are counted, and the host side of counting them, with a profiler made of numpy."""

from __future__ import annotations

import json
import stat
import sys
from itertools import combinations
from pathlib import Path

import pytest

from gpu import profiler
from gpu.banks import banks
from gpu.banks.asm import ASM, ATOMICS, BYTES, COPIES, FURTHER, defines
from gpu.banks.models import Model, fitting, models
from gpu.banks.probes import ALL, MIXTURES, WINDOW, Probe, probes, sample
from gpu.cli import main
from gpu.device import KERNELS, NoDevice
from gpu.records import RESULTS, write
from symlayout import NotationError
from symlayout.smem import Access

RECORDED = next(RESULTS.glob("banks-*.json"))
ROOT = Path(__file__).parents[2]


# -- the list


def test_the_first_accesses_are_those_of_the_first_measurement() -> None:
    entries = json.loads(RECORDED.read_text())["accesses"][:500]
    assert [banks.probe_of(e) for e in entries] == list(probes()[:500])


def test_there_are_enough_further_ones_and_few_enough_for_one_run() -> None:
    assert 800 <= len(probes()) <= 1500
    assert len({(p.instruction, p.offsets, p.active) for p in probes()}) == len(probes())
    assert {p.instruction for p in probes()} == set(ASM)
    assert {p.instruction for p in probes()[500:]} >= {*FURTHER, *COPIES, *ATOMICS}
    assert set(sample()) < set(probes())


@pytest.mark.parametrize("name", ASM)
def test_accesses_of(name: str) -> None:
    """All 32 lanes name aligned places in the window; lanes stay out but of what is .aligned."""
    mine = [p for p in probes() if p.instruction == name]
    size = Access(name).bytes
    assert all(len(p.offsets) == 32 for p in mine)
    assert all(o % size == 0 and 0 <= o < WINDOW for p in mine for o in p.offsets)
    assert any(p.active != ALL for p in mine) == ("matrix" not in name)


def test_mixtures_agree_with_what_they_say() -> None:
    load = Access("ld.shared.v4.u32")

    def merged(pattern: str) -> bool:
        found = [p for p in probes() if p.instruction == load.instruction and p.pattern == pattern]
        assert len(found) == 1
        return len(load.phases(found[0].lanes)) == 2

    merging = {m for m in MIXTURES if merged(m)}
    assert merging == {
        "lane^1 or both",
        "lane^2 or both",
        "lane^1, by lanes that stay out",
        "lane^2, by lanes that stay out",
        "both, by lanes that stay out",
        "one lane in eight",
    }


def test_every_instruction_fills_in_the_kernel() -> None:
    text = (KERNELS / "banks.cu").read_text()
    for name in (*ASM, *BYTES):
        filled = defines(name)
        assert all(key in text for key in filled)
        assert '"r"(a)' in filled["ACCESS"]
        statement = filled["ACCESS"].removeprefix('asm volatile("').split('"')[0]
        assert statement.endswith(";}" if statement.startswith("{") else ";"), statement
    assert [defines(name)["STEP"] for name in COPIES] == ["4", "8", "16", "16"]


# -- other models


@pytest.mark.parametrize("name", [*COPIES, *ATOMICS])
def test_the_accesses_tell_any_two_models_apart(name: str) -> None:
    mine = [p for p in probes() if p.instruction == name]
    gives = {model: [model.wavefronts(p) for p in mine] for model in models(name)}
    assert len(gives) >= 40
    assert not [(str(a), str(b)) for a, b in combinations(gives, 2) if gives[a] == gives[b]]


def test_a_machine_is_recognised_by_what_it_counts() -> None:
    mine = [p for p in probes() if p.instruction == "atom.shared.add.u32"]
    machine = Model("turns", 16, 2, 0)
    assert fitting([(p, machine.wavefronts(p)) for p in mine]) == ["turns, 16 lanes a phase, times 2"]
    (none,) = fitting([(p, 100) for p in mine])
    assert none.startswith("none; ")


def test_models_on_places_worked_out_by_hand() -> None:
    """Lanes 0 to 2 on word 0, lanes 3 to 5 on three words of bank 4."""
    p = Probe("atom.shared.add.u32", "", (0, 0, 0, 16, 144, 272, *[0] * 26), 0b111111)
    costs = {cost: Model(cost, 32, 1, 0).wavefronts(p) for cost in ("word", "lane", "turns", "busiest")}
    assert costs == {"word": 3, "lane": 3, "turns": 5, "busiest": 3}
    assert Model("addresses", 32, 2, 1).wavefronts(p) == 9


# -- the profiler


LISTING = f"""Device NVIDIA H200 (GH100)
------------------------------------------- ---------- ------ ------------------
Metric Name                                 Metric Type Metric Unit Metric Description
------------------------------------------- ---------- ------ ------------------
{banks.CONFLICTS}            Counter    cycle  # of data bank conflicts
{banks.CONFLICTS}_op_ld      Counter    cycle  # of data bank conflicts
{banks.WAVEFRONTS}           Counter           # of wavefronts
{banks.WAVEFRONTS}_op_ld     Counter           # of wavefronts
  continued description with__underscores
"""


def test_counters_are_read_from_the_listing() -> None:
    assert profiler.named(LISTING) == sorted(
        [banks.CONFLICTS, f"{banks.CONFLICTS}_op_ld", banks.WAVEFRONTS, f"{banks.WAVEFRONTS}_op_ld"]
    )


def test_a_count_can_be_a_difference() -> None:
    assert banks.names_of([("a - b", "c"), ("a", "c")]) == ["a", "b", "c"]
    assert banks.value("a - b", {"a": 7, "b": 4}) == 3
    with pytest.raises(KeyError, match="b"):
        banks.value("a - b", {"a": 7})


def test_the_second_run_watches_what_goes_past_the_counted_pipe() -> None:
    assert banks.launched("all") == list(probes())
    assert {p.instruction for p in banks.launched("watched")} == {"cp.async.cg.shared.global.16"}


def test_sums_are_read_launch_by_launch() -> None:
    said = "\n".join(
        [
            "==PROF== Connected",
            '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"',
            '"10","banks","x.sum","","2"',
            '"2","banks","x.sum","","1,234"',
            '"2","banks","y.sum","","n/a"',
        ]
    )
    assert profiler.sums(said) == [{"x": 1234}, {"x": 2}]
    assert profiler.sums("no table") == []


MACHINE = """
import os, sys
import numpy as np
from gpu.banks.asm import ATOMICS, COPIES
from gpu.banks.banks import CONFLICTS, WATCHED, WAVEFRONTS, launched

def cut(offsets, active, n):
    return [offsets[k : k + n][active[k : k + n]] for k in range(0, len(offsets), n)]

def counted(p):
    "Wavefronts and conflicts, from the text of the model and not from its code."
    size = p.size
    n = 8 if "matrix" in p.p.instruction else min(32, 128 // size)
    lanes = 8 * int(p.p.instruction.split(".x")[1][0]) if "matrix" in p.p.instruction else 32
    offsets = np.array(p.p.offsets)[:lanes]
    active = (p.p.active >> np.arange(lanes) & 1).astype(bool)
    if p.p.instruction.startswith("ld.") and size > 4:
        for d in (1, 2):
            other = np.arange(32) ^ d
            if (~active | ~active[other] | (offsets == offsets[other])).all():
                n = min(2 * 128 // size, 32)
    total = phases = 0
    if ".cg." in p.p.instruction:
        return 0, 0
    for phase in cut(offsets, active, n):
        if not phase.size:
            continue
        words = (phase[:, None] + np.arange(0, max(size, 4), 4)).ravel() // 4
        alone = p.p.instruction in COPIES or p.p.instruction in ATOMICS
        if not alone or p.p.instruction.endswith("by 1"):
            words = np.unique(words)
        total += np.bincount(words % 32).max()
        phases += 1
    return total * (2 if ".cas." in p.p.instruction else 1), total - phases

class Sized:
    def __init__(self, p):
        from symlayout.smem import Access
        self.p, self.size = p, Access(p.instruction).bytes

if "--version" in sys.argv:
    print("NVIDIA (R) Nsight Compute Command Line Profiler\\nVersion 1.2.3.0 (build 4)")
elif "--query-metrics" in sys.argv:
    kinds = ("", "_op_ld", "_op_st", "_op_atom", "_op_misc", "_op_ldgsts")
    for name in [w + kind for kind in kinds for w in (WAVEFRONTS, CONFLICTS)] + [WATCHED]:
        print(f"{name}   Counter   # of things")
else:
    chosen = launched(sys.argv[-1])
    names = sys.argv[sys.argv.index("--metrics") + 1].split(",")
    print("==PROF== Connected to process 1")
    print('"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"')
    for k, p in enumerate(chosen[: int(os.environ.get("LAUNCHES", "9999"))]):
        w, c = counted(Sized(p))
        w += p.pattern == os.environ.get("WRONG")
        gives = {WAVEFRONTS: w + 4, WAVEFRONTS + "_op_misc": 4, CONFLICTS: c}
        gives |= {f"{WAVEFRONTS}_op_{p.kind}": w, f"{CONFLICTS}_op_{p.kind}": c}
        gives |= {WATCHED: len(set(p.offsets))}
        for name in names:
            print(f'"{k}","banks","{name}","","{gives.get(name.removesuffix(".sum"), 0)}"')
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A profiler on the path that counts what a machine of numpy does, and a device that refuses bytes."""
    path = tmp_path / "ncu"
    path.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n{MACHINE}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    about = {"device": "numpy", "compute_capability": "9.0", "driver": "1", "cuda": "13"}
    monkeypatch.setattr(banks, "about", lambda: about)
    monkeypatch.setattr(banks, "refusals", lambda names: {n: "Feature missing" for n in names if n in BYTES})
    return monkeypatch


def exit_code(*args: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["banks", *args])
    return int(stopped.value.code or 0)


def test_a_machine_that_does_as_predicted(
    machine: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "banks-numpy-9.0.json"
    assert exit_code("--record", str(path)) == 0
    said = capsys.readouterr().out
    assert f"{len(probes())} accesses on numpy, 15 forms refused, 0 not as predicted" in said
    assert "would fit" not in said
    content = json.loads(path.read_text())
    assert content["profiler"] == "ncu 1.2.3.0"
    assert {entry["instruction"] for entry in content["refused"]} == set(BYTES)
    assert content["counters"]["ldgsts"][0].endswith(f"- {banks.WAVEFRONTS}_op_misc")
    assert path.stat().st_size < 600_000
    assert exit_code("--recorded", str(path)) == 0
    assert capsys.readouterr().out == said


def test_a_machine_that_does_something_else(
    machine: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.setenv("WRONG", "same bank")
    assert exit_code() == 4
    said = capsys.readouterr().out
    assert "atom.shared.cas.b32, same bank: predicted (64, 31), measured (65, 31)" in said
    assert "cp.async.ca.shared.global.4 would fit: none; lane, 32 lanes a phase gives 28 of 29" in said
    (right,) = [line for line in said.splitlines() if line.startswith("stmatrix.x4.trans ")]
    assert right.split()[1] == right.split()[2]


def test_the_profiler_must_count_every_launch(
    machine: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.setenv("LAUNCHES", "7")
    assert exit_code() == 3
    assert f"ncu counted 7 launches of {len(probes())}" in capsys.readouterr().err
    machine.setenv("LAUNCHES", "0")
    with pytest.raises(NoDevice, match="ncu counted nothing"):
        banks.look(ROOT)


def test_counters_can_be_looked_at_first(
    machine: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code("--metrics") == 0
    said = capsys.readouterr().out
    assert "13 counters about shared memory" in said
    assert f"atom is counted by {banks.WAVEFRONTS}_op_atom and {banks.CONFLICTS}_op_atom" in said
    assert f"one address: predicted (32, 31)\n      31 {banks.CONFLICTS}\n" in said


# -- recorded


def test_an_access_that_is_not_as_recorded_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(RECORDED.read_text())
    content["accesses"][7]["measured"][0] += 1
    path = tmp_path / "banks.json"
    write(path, content)
    assert exit_code("--recorded", str(path)) == 4
    assert "ld.shared.u8, one address: predicted (1, 0), measured (2, 0)" in capsys.readouterr().out


def test_what_a_device_refuses_is_predicted_too() -> None:
    content = {"compute_capability": "9.0", "accesses": [], "refused": []}
    assert banks.differing(content) == [f"{name} was not refused" for name in BYTES]
    assert banks.differing({**content, "compute_capability": "10.0"}) == []
    refused = [{"instruction": name, "answer": "no"} for name in ("ld.shared.u8", *BYTES)]
    assert banks.differing({**content, "refused": refused}) == ["ld.shared.u8 was refused: no"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no json", "Expecting value"),
        ("[1]", "cannot convert|sequence"),
        ('{"device": "x"}', "'accesses' is missing"),
        ('{"device": "x", "accesses": []}', "names no access"),
        ('{"device": "x", "accesses": [{"instruction": "ld.shared.u8"}]}', "'pattern' is missing"),
    ],
)
def test_no_results_file(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(NotationError, match=f"no results file of `gpu banks`: .*({says})"):
        banks.recorded(path)
    assert exit_code("--recorded", str(path)) == 2


def test_one_file_at_a_time(tmp_path: Path) -> None:
    assert exit_code("--recorded", str(RECORDED), "--record", str(tmp_path / "x")) == 2


def test_the_table_has_the_greatest_degree() -> None:
    rows = {row.instruction: row for row in banks.table(json.loads(RECORDED.read_text()))}
    assert rows["ld.shared.u32"].degree == 32
    assert rows["ldmatrix.x4"].degree == 8
    assert all(row.accesses == row.as_predicted for row in rows.values())
