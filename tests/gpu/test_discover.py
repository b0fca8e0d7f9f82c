"""Discovery on machines made from the manual's formulas, right ones and wrong ones: the path of a GPU."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from gpu.discovery.census import asked
from gpu.discovery.discover import KNOWN_TO_DIFFER, Row, differing, discover, discover_all, row_of
from gpu.discovery.fragments import Fragments, Pairs
from gpu.discovery.machines import Emulated, Refused
from gpu.discovery.mma_form import Form, read_form
from gpu.discovery.mma_probe import MANUAL, labels_of_ldmatrix
from gpu.discovery.moves import MOVES
from gpu.element import Array

ROOT = Path(__file__).parent.parent.parent
HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
VOLTA = "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"
WIDE = "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64"


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(discover_all(Emulated()))


# ── machines ────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_instruction_is_as_expected(rows: list[Row]) -> None:
    assert [row.instruction for row in rows] == list(asked())
    assert [row.name for row in rows if not row.as_expected] == []
    assert [row.name for row in rows if row.refused] == ["dp2a.s32.s32"]
    assert [row.name for row in rows if not row.manual and not row.refused] == []
    assert {atom for row in rows if not row.refused for atom in row.differing} == {*KNOWN_TO_DIFFER}
    assert all(0 < row.few <= row.asked for row in rows if row.labels)


def test_names_are_anchored_wherever_ldmatrix_can_load(rows: list[Row]) -> None:
    """By the manual are only f64, quad pairs, and instructions of one thread."""
    by_manual = [row.name for row in rows if row.labels == MANUAL]
    assert len(by_manual) == 4 + 12 + 4
    assert all("f64" in n or "m8n8k4" in n or n.startswith(("fma", "dp4a")) for n in by_manual)
    assert sum(row.labels.startswith("ldmatrix") for row in rows) == len(rows) - len(MOVES) - 1 - 20


class ShuffledLanes(Emulated):
    """The mma of this machine reads lanes 3 and 5 of A the other way round."""

    def fragments(self, form: Form) -> Fragments:
        says = super().fragments(form)
        lanes = np.arange(32)
        lanes[[3, 5]] = 5, 3
        a = says.A.reshape(32, -1, 2)[lanes].reshape(-1, 2)
        return Fragments(a, says.B, says.C)


class RowsOfCExchanged(Emulated):
    """Its mma puts the rows of C elsewhere than those of A."""

    def fragments(self, form: Form) -> Fragments:
        says = super().fragments(form)
        return Fragments(says.A, says.B, np.stack([says.C[:, 0] ^ 1, says.C[:, 1]], axis=1))


class KRenumbered(Emulated):
    """Its mma has other names for k, in A and in B: no other machine at all."""

    def fragments(self, form: Form) -> Fragments:
        says = super().fragments(form)
        a, b = (np.stack([x[:, 0], x[:, 1] ^ 3], axis=1) for x in (says.A, says.B))
        return Fragments(a, b, says.C)


class HalvesExchanged(Emulated):
    """Its ldmatrix exchanges the halves of each register; its mma is as it should be."""

    def moved(self, name: str) -> Array:
        seen = super().moved(name)
        turned = seen.reshape(32, -1, 2)[:, :, ::-1].reshape(32, -1)
        return turned if name.startswith("ldmatrix") else seen


class MatricesExchanged(Emulated):
    """Its ldmatrix.x4 exchanges matrices 0 and 1, and no other does."""

    def moved(self, name: str) -> Array:
        seen = super().moved(name)
        return seen[:, [2, 3, 0, 1, 4, 5, 6, 7]] if name == "ldmatrix.x4" else seen


def _says(row: Row, who: str) -> list[str]:
    return [line for line in row.unlike if line.startswith(f"{who}: ")]


def test_a_lane_that_reads_another_is_named() -> None:
    row = discover(HALF, ShuffledLanes())
    assert not row.as_expected
    assert (row.cute, row.manual, row.few) == (False, False, 0)  # few pairs do not show it
    (line,) = _says(row, "the manual")
    assert "16 of 256 places of A, first lane 3, value 0: (row, k) = (0, 6), seen (1, 2)" in line
    assert any("places have another name by ldmatrix.x4" in line for line in _says(row, "the silicon"))


def test_rows_of_c_that_are_not_those_of_a_are_seen() -> None:
    row = discover(HALF, RowsOfCExchanged())
    assert not row.as_expected
    (line,) = _says(row, "SM80_16x8x16_F32F16F16F32_TN")
    assert "128 of 128 places of C, first lane 0, value 0: (row, column) = (0, 0), seen (1, 0)" in line


def test_a_renumbered_k_is_the_same_machine() -> None:
    assert discover(HALF, KRenumbered()) == discover(HALF, Emulated())


@pytest.mark.parametrize("text", [HALF, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"])
def test_other_names_of_k_are_seen_through_ldmatrix_alone(text: str) -> None:
    """The mma of this machine meets as it should, so that an mma alone would show nothing."""
    right, wrong = discover(text, Emulated()), discover(text, HalvesExchanged())
    assert right.as_expected
    assert (wrong.seen, wrong.few) == (right.seen, right.few)
    assert not wrong.as_expected
    assert not wrong.manual
    assert not wrong.cute
    assert not _says(wrong, "the silicon")  # names and meetings fit together: only the names are others
    assert _says(wrong, "the manual")


def test_halves_of_wide_elements_have_to_stay_together() -> None:
    row = discover("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", HalvesExchanged())
    assert not row.as_expected
    assert row.unlike[0].endswith("ldmatrix does not keep the halves of 32-bit elements together")


def test_names_that_do_not_fit_the_meetings_are_seen() -> None:
    """By this ldmatrix half of each row of A is another row's, and the mma keeps a row together."""
    row = discover(HALF, MatricesExchanged())
    assert not row.as_expected
    assert row.unlike == (
        "the silicon: the names that ldmatrix brings do not fit: two rows of the mma would both be 0",
    )
    assert row.labels == MANUAL
    assert discover(WIDE, MatricesExchanged()).as_expected  # which no ldmatrix loads


class OnePairOtherwise(Emulated):
    """Its third quad pair reads A's values in reverse order."""

    def pairs(self, form: Form, a: Array, b: Array) -> Pairs:
        values = form.values("A")
        third = np.isin(a // values, form.group(2))
        return super().pairs(form, np.where(third, a // values * values + values - 1 - a % values, a), b)


class Leaking(Emulated):
    """Its first quad pair meets what the second holds."""

    def pairs(self, form: Form, a: Array, b: Array) -> Pairs:
        seen = super().pairs(form, a, b)
        met, where = seen.met.copy(), seen.where.copy()
        leak = np.ix_(a == 0, b == 4 * form.values("B"))
        met[leak], where[leak] = 1, 0
        return Pairs(met, where)


@pytest.mark.parametrize(
    ("machine", "complaint"),
    [
        (OnePairOtherwise, "product 2 of the warp does otherwise than product 0"),
        (Leaking, "1 pairs meet that belong to different products"),
    ],
)
def test_the_four_products_of_a_warp_are_asked(machine: type[Emulated], complaint: str) -> None:
    row = discover(VOLTA, machine())
    assert not row.as_expected
    assert f"the silicon: {complaint}" in row.unlike


class Deaf(Emulated):
    """Its mma does nothing."""

    def pairs(self, form: Form, a: Array, b: Array) -> Pairs:
        seen = super().pairs(form, a, b)
        return Pairs(np.zeros_like(seen.met), np.full_like(seen.where, 0xFFFF))


def test_a_machine_that_shows_no_fragments_is_a_disagreement() -> None:
    row = discover(HALF, Deaf())
    assert not row.as_expected
    assert row.found == ""
    assert row.unlike[0] == "the silicon: a one in A or in B that no one of the other meets"


class Old(Emulated):
    """A machine without this instruction."""

    def __init__(self, why: str) -> None:
        self.why = why

    def pairs(self, form: Form, a: Array, b: Array) -> Pairs:
        raise Refused(self.why)


def test_a_refusal_is_expected_only_of_another_target() -> None:
    assert discover(HALF, Old("ptxas: not supported on .target 'sm_70'")).as_expected
    assert not discover(HALF, Old("ptxas: syntax")).as_expected


def test_labels_are_the_memory_coordinates() -> None:
    form = read_form("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32")
    labels = labels_of_ldmatrix(form, "A", Emulated())
    assert labels is not None
    assert labels.reshape(32, 32, 2)[5, 9].tolist() == [9, 9]  # lane 5, the second register: row 1 + 8
    assert labels_of_ldmatrix(read_form(WIDE), "A", Emulated()) is None
    assert labels_of_ldmatrix(read_form(VOLTA), "A", Emulated()) is None


# ── records ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_record_is_replayed_and_a_change_in_it_is_found(rows: list[Row]) -> None:
    content = json.loads(json.dumps({"fragments": [asdict(row) for row in rows]}))
    assert [row_of(entry) for entry in content["fragments"]] == rows
    assert differing(content) == []
    named = {row.name: row for row in rows}
    changed = [
        replace(named[HALF], seen="0" * 64),
        replace(named["ldmatrix.x4"], found="(32,8):(8,1)"),
        replace(named["movmatrix"], unlike=()),
    ]
    lines = differing({"fragments": [asdict(row) for row in changed]})
    assert {line.split(": ")[0] for line in lines} == {HALF, "ldmatrix.x4", "movmatrix"}
    assert differing({"fragments": [{"name": HALF}]})[0].startswith("rows of an older kind")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpu", "discover", *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "fragments.json"
    done = command(HALF, "movmatrix", "--backend", "emulator", "--record", str(file))
    assert done.returncode == 0, done.stderr
    assert "names by ldmatrix.x4, ldmatrix.x2" in done.stdout
    again = command("--recorded", str(file), "--format", "json")
    assert again.returncode == 0, again.stderr
    assert [row["name"] for row in json.loads(again.stdout)["fragments"]] == [HALF, "movmatrix"]
    assert command("movmatrix", "--recorded", str(file)).stdout.count("not hardware") == 1
    bad = command("ldmatrix.x5", "--backend", "emulator")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "did you mean ldmatrix.x4" in bad.stderr
    assert command("ldmatrix.x1", "--recorded", str(file)).returncode == 2
    file.write_text("{}")
    assert command("--recorded", str(file)).returncode == 2


def test_without_z3_and_lark() -> None:
    code = (
        "import sys; from gpu.discovery.discover import discover;"
        "from gpu.discovery.machines import Emulated;"
        f"assert discover({HALF!r}, Emulated()).as_expected;"
        "print([m for m in ('z3', 'lark', 'cvc5', 'cupy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
