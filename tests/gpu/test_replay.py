"""What a GPU was seen to do, against today's predictions. CI has no GPU; this is what stands for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpu.banks.banks import probe_of
from gpu.banks.probes import probes
from gpu.cases import askable, everything
from gpu.cases_of_c import everything_of_c, quad_pairs
from gpu.configuration import Configuration
from gpu.cute.cases import CASES as CUTE_CASES
from gpu.discovery import discover
from gpu.discovery.census import asked
from gpu.emulator import Emulator
from gpu.equality.cases import CASES as EQUALITY_CASES
from gpu.observations import observe
from gpu.records import RESULTS as FOLDER
from gpu.records import packed, unpacked, write
from gpu.replay import KINDS, replay
from gpu.wgmma.operands import names
from symlayout import NotationError

RESULTS = sorted(FOLDER.glob("*.json"))
CROSSCHECKS = [path for path in RESULTS if path.name.startswith("nvidia-")]


def test_there_is_something_of_every_kind_to_replay() -> None:
    held = {
        kind: len(json.loads(p.read_text())[kind])
        for p in RESULTS
        for kind in KINDS
        if f'"{kind}"' in p.read_text()
    }
    assert held["observations"] > 150
    assert held["accesses"] >= 300
    assert held["fragments"] > 40


@pytest.mark.parametrize("path", RESULTS, ids=lambda p: p.stem)
def test_every_result_is_predicted_and_no_kernel_has_changed_since(path: Path) -> None:
    assert replay(path).differing == ()


@pytest.mark.parametrize("path", RESULTS, ids=lambda p: p.stem)
def test_results_say_what_they_rest_on(path: Path) -> None:
    content = json.loads(path.read_text())
    assert all(content[key] for key in ("device", "compute_capability", "driver", "cuda", "date", "kernels"))


def test_cute_the_manual_and_the_silicon_agree_but_for_what_is_known() -> None:
    """Every instruction and every atom that the device can run has its row; three things differ: the trait of
    movmatrix, CUTLASS 4.2's own B of int4, and an instruction that CuTe issues and PTX does not have."""
    path = next(p for p in RESULTS if p.name.startswith("fragments-"))
    rows = [discover.row_of(entry) for entry in json.loads(path.read_text())["fragments"]]
    assert {row.name: row.atoms for row in rows} == asked()
    assert [row.name for row in rows if not row.as_expected] == []
    assert [row.name for row in rows if row.refused] == [discover.NO_INSTRUCTION]
    seen = [row for row in rows if not row.refused]
    assert [row.name for row in seen if not row.manual] == []
    assert {atom for row in seen for atom in row.differing} == {*discover.KNOWN_TO_DIFFER}


def test_a_changed_register_is_found(tmp_path: Path) -> None:
    content = json.loads(CROSSCHECKS[0].read_text())
    entry = content["observations"][0]
    arrays = content["arrays"]
    names = unpacked(arrays[entry["views"][0]["registers"]]).copy()
    names[5] ^= 1
    entry["views"][0]["registers"] = len(arrays)
    arrays.append(packed(names))
    write(tmp_path / "changed.json", {**content, "observations": [entry]})
    where = Configuration(**entry["configuration"])
    assert replay(tmp_path / "changed.json").differing == (
        f"{where}, retile_D: other registers than predicted",
    )


def test_a_changed_kernel_is_found(tmp_path: Path) -> None:
    content = json.loads(CROSSCHECKS[0].read_text())
    observations = content["observations"][:1]
    for kernels in ({**content["kernels"], "load": "0" * 16}, {"store": "", "chain": ""}, {}):
        write(tmp_path / "stale.json", {**content, "observations": observations, "kernels": kernels})
        first = replay(tmp_path / "stale.json").differing[0]
        assert first.startswith("stale.json: the kernel load has changed since")


DAMAGE = [(path, key) for path in RESULTS for key in ("device", "date", "kernels", "arrays")]


@pytest.mark.parametrize(("path", "key"), DAMAGE, ids=lambda x: getattr(x, "stem", x))
def test_a_damaged_file_is_refused(path: Path, key: str, tmp_path: Path) -> None:
    content = json.loads(path.read_text())
    kind = next(k for k in KINDS if k in content)
    content[kind] = content[kind] if kind in ("campaign", "equalities") else content[kind][:1]
    if key not in content:
        key = kind
        content[kind] = []
    else:
        del content[key]
    write(tmp_path / "damaged.json", content)
    with pytest.raises(NotationError, match=r"damaged\.json: (no|a damaged) results file"):
        replay(tmp_path / "damaged.json")


@pytest.mark.parametrize("kind", ["fragments", "wgmma"])
@pytest.mark.parametrize("flag", ["cute", "manual"])
def test_a_flag_that_does_not_say_what_was_seen_is_found(kind: str, flag: str, tmp_path: Path) -> None:
    content = json.loads(next(p for p in RESULTS if p.name.startswith(kind)).read_text())
    content[kind] = content[kind][:1]
    content[kind][0][flag] = not content[kind][0][flag]
    write(tmp_path / "flipped.json", content)
    assert replay(tmp_path / "flipped.json").differing


def test_what_is_no_results_file_is_refused(tmp_path: Path) -> None:
    for content in (b"{}", b"[1]", b"no json", b"\xff\xfe"):
        (tmp_path / "other.json").write_bytes(content)
        with pytest.raises(NotationError, match=r"other\.json: no results file"):
            replay(tmp_path / "other.json")


def _few(name: str, count: int = 1) -> dict[str, Any]:
    """A recorded file with its first results only."""
    path = next(p for p in RESULTS if p.name.startswith(name))
    content: dict[str, Any] = json.loads(path.read_text())
    kind = next(k for k in KINDS if k in content)
    return {**content, kind: content[kind][:count]}


@pytest.mark.parametrize("name", ["nvidia", "banks", "fragments", "wgmma", "cute"])
@pytest.mark.parametrize(("key", "value"), [("date", "2026-13-99"), ("date", None), ("device", "")])
def test_a_head_that_says_nothing_is_damage(name: str, key: str, value: object, tmp_path: Path) -> None:
    write(tmp_path / "x.json", {**_few(name), key: value})
    with pytest.raises(NotationError, match=r"x\.json: a damaged results file"):
        replay(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("nvidia", "passed", False),
        ("banks", "pattern", "another"),
        ("banks", "active", -1),
        ("banks", "predicted", [9, 9]),
        ("fragments", "instruction", "ldmatrix.x9"),
        ("fragments", "atom", "SM75_U32x2_LDSM_N"),
        ("fragments", "atoms", []),
        ("fragments", "asked", 0),
        ("fragments", "few", 7),
        ("fragments", "labels", "ldmatrix"),
        ("fragments", "refused", "it was too hard"),
        ("wgmma", "instruction", "wgmma"),
        ("wgmma", "atom", "x"),
        ("wgmma", "asked", 0),
        ("wgmma", "found", "C 1:0, A 1:0"),
        ("wgmma", "products", 1),
        ("wgmma", "control", -1),
        ("wgmma", "first", "A of thread 0"),
        ("cute", "name", "a kernel nobody wrote"),
        ("cute", "source", ""),
    ],
)
def test_what_a_result_says_of_itself_is_predicted_too(
    name: str, key: str, value: object, tmp_path: Path
) -> None:
    content = _few(name)
    kind = next(k for k in KINDS if k in content)
    write(tmp_path / "x.json", content)
    assert replay(tmp_path / "x.json").differing == ()
    assert content[kind][0][key] != value
    content[kind][0][key] = value
    write(tmp_path / "x.json", content)
    assert replay(tmp_path / "x.json").differing != ()


@pytest.mark.parametrize("name", ["nvidia", "banks", "fragments", "wgmma", "cute"])
def test_a_result_that_stands_there_twice_is_found(name: str, tmp_path: Path) -> None:
    content = _few(name)
    kind = next(k for k in KINDS if k in content)
    write(tmp_path / "x.json", {**content, kind: content[kind] * 2})
    (line,) = [x for x in replay(tmp_path / "x.json").differing if "the same result" in x]
    assert line.startswith("2 times the same result")


def test_no_result_is_missing_from_the_recorded_files() -> None:
    """`replay` takes a file of a few results, so that it cannot see one that was lost; here each has to be
    there."""
    held = {k: json.loads(p.read_text())[k] for p in RESULTS for k in KINDS if k in json.loads(p.read_text())}
    assert [entry["name"] for entry in held["wgmma"]] == names()
    assert [probe_of(entry) for entry in held["accesses"]] == list(probes())
    assert [entry["name"] for entry in held["cute_registers"]] == [case.name for case in CUTE_CASES]
    assert [entry["title"] for entry in held["equalities"]] == [case.title for case in EQUALITY_CASES]
    known = {Configuration(**entry["configuration"]) for entry in held["observations"]}
    others = [c for c in [*everything(), *everything_of_c(askable()), *quad_pairs()] if c not in known]
    lost = [c for c, check in observe(others, Emulator()) if not isinstance(check, str)]
    assert lost == []


def test_an_array_that_many_configurations_read_back_is_kept_once() -> None:
    for path in CROSSCHECKS:
        content = json.loads(path.read_text())
        assert len(set(content["arrays"])) == len(content["arrays"])
        views = [view for entry in content["observations"] for view in entry["views"]]
        used = {place for view in views for place in (view["registers"], *view["accumulators"].values())}
        assert used == set(range(len(content["arrays"])))


@pytest.mark.parametrize("values", [[0, 1, -1], [70000, 3], [1 << 40, -5], []])
def test_packing_returns_what_was_packed(values: list[int]) -> None:
    assert unpacked(packed(np.array(values, dtype=np.int64))).tolist() == values


def test_the_moves_are_layouts() -> None:
    assert discover.predictions("ldmatrix.x4")["found"] == "(32,(2,4)):(2,(1,64))"
    assert discover.predictions("movmatrix")["found"] == "((4,8),2):((16,1),8)"
