"""The bank model against what an H200 was measured to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symlayout import LayoutError, UnsupportedError
from symlayout.smem import Access

MEASURED = Path(__file__).parent / "golden" / "banks_h200.jsonl"


def test_every_measured_access_is_predicted() -> None:
    lines = MEASURED.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 429
    for line in lines:
        record = json.loads(line)
        access, offsets = Access(record["instruction"]), record["byte_offset_by_lane"]
        seen = record["wavefronts"], record["bank_conflicts"]
        assert (access.wavefronts(offsets), access.conflicts(offsets)) == seen, record["pattern"]


def test_phases() -> None:
    def lanes(instruction: str, width: int) -> list[int]:
        return [len(p) for p in Access(instruction).phases([k * width for k in range(32)])]

    assert lanes("ld.shared.u32", 4) == lanes("ld.shared.u8", 1) == [32]
    assert lanes("st.shared.v2.u32", 8) == [16, 16]
    assert lanes("ld.shared.v4.u32", 16) == [8, 8, 8, 8]
    assert lanes("ldmatrix.x1", 16) == [8]
    assert lanes("stmatrix.x4.trans", 16) == [8, 8, 8, 8]


def test_only_wide_loads_merge() -> None:
    pairs = [(k // 2) * 16 for k in range(32)]
    crossed = [((k & ~3) // 2 + (k & 1)) * 16 for k in range(32)]
    for addresses in (pairs, crossed):
        assert len(Access("ld.shared.v4.u32").phases(addresses)) == 2
        assert len(Access("st.shared.v4.u32").phases(addresses)) == 4
        assert len(Access("ldmatrix.x4").phases(addresses)) == 4
    assert len(Access("ld.shared.v4.u32").phases([k * 16 for k in range(32)])) == 4


def test_a_lane_that_stays_out_agrees_with_any() -> None:
    even = [k * 16 if k % 2 == 0 else None for k in range(32)]
    assert len(Access("ld.shared.v4.u32").phases(even)) == 2
    assert len(Access("st.shared.v4.u32").phases(even)) == 4
    assert len(Access("st.shared.v4.u32").phases([0] + [None] * 31)) == 1


def test_the_same_word_is_no_conflict_and_the_same_bank_is() -> None:
    load = Access("ld.shared.u32")
    assert (load.wavefronts([0] * 32), load.conflicts([0] * 32)) == (1, 0)
    assert (load.wavefronts([128 * k for k in range(32)]), load.conflicts([128 * k for k in range(32)])) == (
        32,
        31,
    )
    assert load.conflicts([132 * k for k in range(32)]) == 0


def test_what_cannot_be_asked() -> None:
    with pytest.raises(UnsupportedError, match=r"ld\.global\.u32 is no access to shared memory"):
        Access("ld.global.u32")
    with pytest.raises(LayoutError, match="lane 1 names byte 2"):
        Access("ld.shared.u32").wavefronts([0, 2] + [0] * 30)
    with pytest.raises(LayoutError, match="8 addresses for 16 lanes"):
        Access("ldmatrix.x2").wavefronts([0] * 8)
