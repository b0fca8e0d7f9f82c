"""The bank model against what an H200 was measured to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symlayout import ComposedLayout, Layout, LayoutError, Swizzle, UnsupportedError, make_tiled_copy
from symlayout.atoms.universal import SM80_CP_ASYNC_CACHEALWAYS, SM80_CP_ASYNC_CACHEGLOBAL
from symlayout.smem import Access, access_of, accesses, worst_degree

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


@pytest.mark.parametrize(
    ("instruction", "width", "phase"),
    [
        ("ld.shared.s8", 1, 32),
        ("st.shared.v2.u8", 2, 32),
        ("ld.shared.v4.u8", 4, 32),
        ("ld.shared.v2.b16", 4, 32),
        ("st.shared.v4.b16", 8, 16),
        ("ld.shared.f64", 8, 16),
        ("st.shared.v2.f64", 16, 8),
        ("ld.shared.b128", 16, 8),
        ("cp.async.ca.shared.global.4", 4, 32),
        ("cp.async.ca.shared.global.8", 8, 16),
        ("cp.async.cg.shared.global.16", 16, 8),
        ("red.shared.add.u32 by 1", 4, 32),
        ("red.shared.add.u32", 4, 32),
        ("atom.shared.cas.b64", 8, 16),
        ("atom.shared.exch.b128", 16, 8),
    ],
)
def test_widths(instruction: str, width: int, phase: int) -> None:
    access = Access(instruction)
    assert (access.bytes, access.phase, access.lanes) == (width, phase, 32)
    assert access.merges == (instruction.startswith("ld") and width > 4)
    assert access.shares == (instruction.startswith(("ld", "st")) or instruction.endswith("by 1"))


def test_lanes_of_a_copy_or_an_atomic_do_not_share_a_word() -> None:
    for instruction in ("cp.async.ca.shared.global.4", "atom.shared.add.u32"):
        access = Access(instruction)
        assert access.wavefronts([4 * k for k in range(32)]) == 1
        assert access.wavefronts([0] * 32) == 32
        assert access.wavefronts([4 * (k // 2) for k in range(32)]) == 2
        assert (access.wavefronts([0] + [None] * 31), access.conflicts([0] + [None] * 31)) == (1, 0)
    by_one = Access("red.shared.add.u32 by 1")
    assert by_one.wavefronts([0] * 32) == 1


def test_a_compare_and_swap_takes_every_wavefront_twice() -> None:
    swap = Access("atom.shared.cas.b64")
    addresses = [8 * (k // 2) for k in range(32)]
    assert (swap.wavefronts(addresses), swap.conflicts(addresses)) == (8, 2)
    assert swap.degree(addresses) == 2


def test_a_copy_past_the_first_cache_is_not_counted() -> None:
    copy = Access("cp.async.cg.shared.global.16")
    addresses = [16 * k for k in range(32)]
    assert (copy.wavefronts(addresses), copy.conflicts(addresses)) == (0, 0)
    with pytest.raises(UnsupportedError, match="how it is served is not modelled"):
        copy.degree(addresses)


def test_a_copy_past_the_registers_writes() -> None:
    """A warp copies 16 bytes a lane to a tile of 64 halves a row: row by row, or column by column."""
    bypass = SM80_CP_ASYNC_CACHEGLOBAL("uint128_t").with_type("half_t")
    assert access_of(make_tiled_copy(bypass, Layout((4, 8), (8, 1)), Layout((1, 8)))).bypasses
    atom = SM80_CP_ASYNC_CACHEALWAYS("uint128_t").with_type("half_t")
    rows = make_tiled_copy(atom, Layout((4, 8), (8, 1)), Layout((1, 8)))
    assert access_of(rows).instruction == "cp.async.ca.shared.global.16"
    assert [a for _, _, a in accesses(rows, Layout((4, 64), (64, 1)))] == [[16 * k for k in range(32)]]
    columns = make_tiled_copy(atom, Layout((8, 4), (1, 8)), Layout((1, 8)))
    tile = Layout((8, 32), (64, 1))
    assert worst_degree(columns, tile) == 8
    assert worst_degree(columns, ComposedLayout(Swizzle(3, 3, 3), 0, tile)) == 1


@pytest.mark.parametrize(
    "instruction",
    [
        "ld.shared.v4.b64",
        "ld.shared.f16",
        "ld.shared.u128",
        "ldmatrix.x3",
        "ldmatrix.m16n16.x1.trans.b8",
        "cp.async.cg.shared.global.8",
        "cp.async.ca.shared.global.2",
        "red.shared.add.f32",
        "atom.shared.add.u64",
        "red.shared.cas.b32",
        "atom.global.add.u32",
    ],
)
def test_what_is_no_instruction_or_no_single_access(instruction: str) -> None:
    with pytest.raises(
        UnsupportedError, match=r"is not an access to shared memory that is modelled\n  known are"
    ):
        Access(instruction)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(UnsupportedError, match=r"ld\.global\.u32 is not an access to shared memory"):
        Access("ld.global.u32")
    with pytest.raises(LayoutError, match="lane 1 names byte 2"):
        Access("ld.shared.u32").wavefronts([0, 2] + [0] * 30)
    with pytest.raises(LayoutError, match="8 addresses for 16 lanes"):
        Access("ldmatrix.x2").wavefronts([0] * 8)
