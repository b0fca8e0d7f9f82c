"""Claims about bank conflicts, against the model of smem.py, which walks every access, and measurements."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from symlayout import (
    ComposedLayout,
    EngineDisagreement,
    Layout,
    Proved,
    Refuted,
    Swizzle,
    Unknown,
    UnsupportedError,
    Vacuous,
    Verdict,
    assume,
    at_most_wavefronts,
    atoms,
    conflict_free,
    dims,
    equal,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_mma,
    prove,
    wavefronts,
    worst_degree,
)
from symlayout.bank_claim import Banks
from symlayout.certificate import certify, load
from symlayout.copy_tiling import TiledCopy
from symlayout.errors import LayoutError
from symlayout.parametric import at, parameters
from symlayout.phases import NAMES, phases
from symlayout.recheck.computing import compute
from symlayout.smem import Access, access_of, accesses
from symlayout.spread_claim import Spread

MEASURED = Path(__file__).parent / "golden" / "banks_h200.jsonl"
MMA = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 1, 1), (32, 16, 16))


def universal(bits: int, element: str, threads: Layout, values: Any) -> TiledCopy:
    return make_tiled_copy(atoms.copy(f"UniversalCopy<uint{bits}_t>").with_type(element), threads, values)


COPIES = {
    "x4": make_tiled_copy_A("SM75_U32x4_LDSM_N", MMA),
    "x2": make_tiled_copy_B("SM75_U32x2_LDSM_N", MMA),
    "x1": make_tiled_copy_B("SM75_U32x1_LDSM_N", MMA),
    "trans": make_tiled_copy_B("SM75_U16x8_LDSM_T", MMA),
    "store": make_tiled_copy_C(atoms.copy("SM90_U32x4_STSM_N").with_type("half_t"), MMA),
    "u128": universal(128, "half_t", Layout((16, 4), (4, 1)), (1, 8)),
    "u64": universal(64, "half_t", Layout((8, 8), (8, 1)), (1, 4)),
    "u32": universal(32, "half_t", Layout((4, 16), (16, 1)), (1, 2)),
    "u16": universal(16, "half_t", Layout((8, 8), (1, 8)), (1, 1)),
    "column": universal(32, "half_t", Layout((32, 2)), (1, 2)),
    # neighbours read the same: the phases of wide loads merge
    "twice": universal(128, "half_t", Layout((8, 4, 2), (8, 2, 1)), (1, 8)),
    "async": make_tiled_copy(
        atoms.copy("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>").with_type("half_t"),
        Layout((8, 8), (8, 1)),
        (1, 8),
    ),
}
TENSORS = [
    *(Layout((32, 64), (64 + pad, 1)) for pad in (0, 2, 4, 8, 16, 24, 32)),
    *(Layout((32, 64), (1, 64 + pad)) for pad in (0, 8, 16)),
    *(ComposedLayout(Swizzle(b, 3, s), 0, Layout((32, 64), (64, 1))) for b in (1, 2, 3) for s in (3, 4)),
    ComposedLayout(Swizzle(3, 3, 3), 0, Layout((32, 64), (1, 64))),
    ComposedLayout(Swizzle(2, 3, 3), 8, Layout((32, 64), (32, 1))),
    ComposedLayout(Swizzle(3, 1, 5), 0, Layout((32, 64), (64, 1))),
    ComposedLayout(Swizzle(3, 3, 3), 0, Layout((32, 64), (72, 1))),
    Layout(((8, 4), (8, 8)), ((8, 512), (1, 64))),
    Layout((32, 64), (0, 1)),
]


def aligned(copy: TiledCopy, tensor: Any) -> bool:
    try:
        worst_degree(copy, tensor)
    except LayoutError:
        return False
    return True


def taken(copy: TiledCopy, tensor: Any) -> list[int]:
    """The wavefronts of every phase, by the model."""
    access = access_of(copy)
    found = [p for _, _, named in accesses(copy, tensor) for p in access.phases(named)]
    return [access.phase_wavefronts(p) for p in found]


def of(verdict: Verdict) -> bool:
    """Proved or refuted, and no other."""
    assert isinstance(verdict, (Proved, Refuted)), str(verdict)
    return isinstance(verdict, Proved)


# a few of each: the formulas alone (nothing computed), the fast engines, and all together
WAYS: tuple[dict[str, Any], ...] = ({"confirm_up_to": 0}, {"engine": "fast"}, {})
CASES = list(product(COPIES, TENSORS))
random.Random(0).shuffle(CASES)


@pytest.mark.parametrize("k", range(4))
def test_verdicts_are_those_of_the_model(k: int) -> None:
    seen = set()
    for name, tensor in CASES[k * 24 : k * 24 + 24]:
        copy = COPIES[name]
        if name == "twice":
            tensor = Layout((8, 4, 2), (64, 16, 0)) if isinstance(tensor, Layout) else tensor
            if not isinstance(tensor, Layout):
                continue
        if not aligned(copy, tensor):
            assert not of(prove(conflict_free(copy, tensor), engine="fast"))
            continue
        found = taken(copy, tensor)
        low, high = min(found), max(found)
        seen.add(high)
        for options in WAYS[:1] if k else WAYS:
            assert of(prove(conflict_free(copy, tensor), **options)) == (high == 1), (name, str(tensor))
            assert of(prove(at_most_wavefronts(copy, tensor, high), **options))
            if high > 1:
                assert not of(prove(at_most_wavefronts(copy, tensor, high - 1), **options))
        exact = prove(wavefronts(copy, tensor, high))
        assert not isinstance(exact, Refuted) if low == high else isinstance(exact, Refuted), str(exact)
        assert isinstance(prove(wavefronts(copy, tensor, high + 1)), Refuted)
    assert len(seen) > 1


@pytest.mark.parametrize("name", COPIES)
def test_the_layout_of_phases_is_the_model_s(name: str) -> None:
    copy = COPIES[name]
    tensor = Layout((64, 64), (1, 72) if name == "trans" else (72, 1))
    if name == "twice":
        tensor = Layout((8, 4, 2), (64, 16, 0))
    (_, banks) = conflict_free(copy, tensor).parts()
    assert isinstance(banks, Banks)
    access, bits = access_of(copy), 16
    cut = [p for _, _, named in accesses(copy, tensor) for p in access.phases(named)]
    for group, phase in enumerate(cut):
        units = [a * 8 // bits // banks.unit for a in phase]
        assert banks.units_of(group) == units
    assert banks.instances() == len(cut)
    assert banks.each_lane == (name == "async")


def test_every_measured_access_whose_lanes_are_bits() -> None:
    """The claim, for measured accesses whose address is a sum over the bits of the lane."""
    seen = 0
    for line in MEASURED.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        access, offsets = Access(record["instruction"]), record["byte_offset_by_lane"]
        bits = [offsets[1 << k] - offsets[0] if 1 << k < access.lanes else 0 for k in range(5)]
        sums = [offsets[0] + sum(d for k, d in enumerate(bits) if lane >> k & 1) for lane in range(32)]
        if sums[: access.lanes] != offsets[: access.lanes] or offsets[0]:
            continue
        named = Layout(((2,) * 5, 1), (tuple(bits), 0))
        layout, surely = phases(access, named)
        assert surely
        each = record["wavefronts"] // int(layout.size() // layout[0].size())
        wide = max(access.bytes, 4)
        for n in {1, each, each + 1}:
            claim = Spread(layout, NAMES, wide, 128 // wide, n, n)
            assert of(prove(claim)) == (n == each), record["pattern"]
            if n == each:
                assert of(prove(claim, confirm_up_to=0)), record["pattern"]
        seen += 1
    assert seen > 150


# --- parameters ---------------------------------------------------------------------------------------------

LD, M, K = dims("ld M K")
PITCHES = ["ld % 8 == 0", "ld % 16 == 8", "ld % 16 == 0", "ld % 64 == 0", "ld % 64 == 24", "ld % 128 == 64"]
SHAPES: list[Any] = [
    lambda d: d(Layout((32, 64), (LD, 1))),
    lambda d: d(Layout((32, 64), (1, 2 * LD))),
    lambda d: ComposedLayout(Swizzle(3, 3, 3), 0, d(Layout((32, 64), (LD, 1)))),
    lambda d: ComposedLayout(Swizzle(2, 3, 4), 0, d(Layout((32, 64), (LD, 1)))),
]


@pytest.mark.parametrize("name", ["x4", "trans", "store", "u64", "async"])
@pytest.mark.parametrize("facts", PITCHES)
def test_what_is_proved_holds_for_many_pitches(name: str, facts: str) -> None:
    copy = COPIES[name]
    for shape in SHAPES:
        tensor = shape(assume(facts))
        (q,) = parameters(tensor)
        small = [at(tensor, {q.name: value}) for value in range(q.least, q.least + 10)]
        phases_of = [taken(copy, x) if aligned(copy, x) else [] for x in small]
        n = max(phases_of[0], default=1)
        for claim, right in (
            (conflict_free(copy, tensor), [set(found) == {1} for found in phases_of]),
            (wavefronts(copy, tensor, n), [set(found) == {n} for found in phases_of]),
            (at_most_wavefronts(copy, tensor, n), [0 < max(found, default=0) <= n for found in phases_of]),
        ):
            verdict = prove(claim)
            if isinstance(verdict, Proved):
                assert all(right), (str(tensor), str(verdict))
            elif isinstance(verdict, Refuted):
                assert right.index(False) + q.least == verdict.witness[q.name], (str(tensor), str(verdict))
            else:  # behind a swizzle only one wavefront is decided
                assert isinstance(verdict, Unknown)
                assert isinstance(tensor, ComposedLayout), (str(tensor), str(verdict))


def test_all_pitches_that_are_free_are_proved() -> None:
    """Of the pitches modulo 64 exactly those that the model finds free at two values are proved free."""
    copy = COPIES["x4"]
    for r in range(0, 64, 8):
        verdict = prove(conflict_free(copy, assume(f"ld % 64 == {r}, ld >= 64")(Layout((32, 64), (LD, 1)))))
        free = {worst_degree(copy, Layout((32, 64), (64 * n + r, 1))) == 1 for n in (1, 2, 3)}
        assert of(verdict) in free
        assert len(free) == 1


def test_sizes_may_be_parameters_too() -> None:
    known = assume("ld % 16 == 8, M % 32 == 0, K % 16 == 0")
    tensor = known(Layout((M, K), (LD, 1)))
    verdict = prove(conflict_free(COPIES["x4"], tensor))
    assert isinstance(verdict, Proved)
    assert verdict.engine.startswith("calculus and residues")
    assert of(prove(wavefronts(COPIES["x4"], assume("M % 32 == 0")(Layout((M, 64), (64, 1))), 8)))


def test_refuted_where_it_is_not_aligned() -> None:
    verdict = prove(conflict_free(COPIES["x4"], assume("ld >= 72")(Layout((64, 64), (LD, 1)))))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"ld": 73, "thread": 1, "step": 0}
    assert verdict.part.startswith("every address")


def test_what_depends_on_a_parameter_is_said() -> None:
    verdict = prove(conflict_free(COPIES["x4"], assume("ld % 8 == 0")(Layout((64, 64), (LD, 1)))))
    assert isinstance(verdict, Refuted)
    assert "it holds where q % 2 is 1" in verdict.explanation


def test_merging_that_depends_on_a_parameter_is_no_guess() -> None:
    """Lanes 0 and 1 name one address iff d = 0: K - 1 may be."""
    tensor = Layout((8, 4, 2), (64, 16, 8 * (K - 1)))
    assert not isinstance(prove(conflict_free(COPIES["twice"], tensor)), Proved) or all(
        worst_degree(COPIES["twice"], Layout((8, 4, 2), (64, 16, 8 * k))) == 1 for k in range(8)
    )
    with pytest.raises(UnsupportedError, match="whether its phases merge depends"):
        wavefronts(COPIES["twice"], tensor, 2)


# --- words --------------------------------------------------------------------------------------------------


def test_the_refutation_in_words() -> None:
    verdict = prove(conflict_free(COPIES["x4"], Layout((64, 64), (64, 1))))
    assert isinstance(verdict, Refuted)
    assert verdict.witness == {"step": 0, "warp": 0, "phase": 0, "lane": 0, "other": 1}
    assert (verdict.failures, verdict.instances) == (64, 64)
    for words in (
        "phase 0 of ldmatrix.x4, lanes 0 to 7, takes 8 wavefronts instead of 1",
        "lane 1 names element (1,0), byte 128",
        "lanes 0, 1, 2, 3, 4, 5, 6, 7 want different words of banks 0 to 3",
        "16 of 16 accesses and 64 of 64 phases are like that: 512 wavefronts in all, 8 a phase",
        "Sw<3,3,3> o 0 o (64,64):(64,1) and (64,64):(72,1) take 1 wavefront a phase (proved)",
    ):
        assert words in verdict.explanation


def test_lanes_are_those_of_the_warp() -> None:
    """A swizzle after an offset that only later phases feel: the witness names lanes of the warp."""
    tensor = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 64), (72, 1)))
    for options in ({}, {"confirm_up_to": 0}):
        verdict = prove(conflict_free(COPIES["x4"], tensor), **options)  # type: ignore[arg-type]
        assert isinstance(verdict, Refuted)
        phase, lanes = verdict.witness["phase"], (verdict.witness["lane"], verdict.witness["other"])
        assert all(lane // 8 == phase for lane in lanes)
        named = next(iter(accesses(COPIES["x4"], tensor)))[2]
        a, b = (named[lane] // 16 for lane in lanes)
        assert verdict.witness["step"] == verdict.witness["warp"] == 0
        assert a != b
        assert (a - b) % 8 == 0


def test_too_few_wavefronts() -> None:
    verdict = prove(wavefronts(COPIES["x4"], Layout((64, 64), (72, 1)), 8))
    assert isinstance(verdict, Refuted)
    assert "takes 1 wavefront instead of 8" in verdict.explanation
    assert "no other lane wants a word of banks 0 to 3" in verdict.explanation


@pytest.mark.parametrize("tensor", [Layout((64, 64), (0, 1)), Layout(((8, 8), 64), ((64, 512), 1))])
def test_no_repair_is_guessed_for_other_tensors(tensor: Layout) -> None:
    verdict = prove(at_most_wavefronts(COPIES["column"], tensor, 1))
    assert "(proved)" not in str(verdict)


def test_repairs_that_are_none_need_no_repair() -> None:
    """Neither mode is contiguous: neither ldmatrix nor its .trans moves what the layout says, and each is
    the other's repair."""
    for options in WAYS:
        verdict = prove(conflict_free(COPIES["x4"], Layout((64, 32), (199, 16))), **options)
        assert isinstance(verdict, Refuted)
        assert "(proved)" not in verdict.explanation


def test_copies_that_are_not_modelled() -> None:
    with pytest.raises(LayoutError, match="wavefronts: 0 a phase"):
        wavefronts(COPIES["x4"], Layout((64, 64), (64, 1)), 0)
    small = universal(128, "half_t", Layout((2, 8), (8, 1)), (1, 8))
    with pytest.raises(UnsupportedError, match="16 threads are not whole warps"):
        conflict_free(small, Layout((64, 64), (64, 1)))
    cg = atoms.copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>").with_type("half_t")
    with pytest.raises(UnsupportedError, match=r"cp\.async\.cg"):
        conflict_free(make_tiled_copy(cg, Layout((8, 8), (8, 1)), (1, 8)), Layout((64, 64), (64, 1)))
    moves = make_tiled_copy_A("SM75_U32x1_MOVM_T", MMA)  # between registers
    with pytest.raises(UnsupportedError, match="SM75_U32x1_MOVM_T: no access to shared memory"):
        conflict_free(moves, Layout((64, 64), (64, 1)))
    bits = atoms.copy("SM100_SU4_DU8x16_x1_LDSM_N").with_type("uint4_t")
    unpacks = make_tiled_copy(bits, Layout((32, 1)), (1, 32))
    with pytest.raises(UnsupportedError, match="SM100_SU4_DU8x16_x1_LDSM_N: no access to shared memory"):
        conflict_free(unpacks, Layout((32, 32), (32, 1)))
    odd = universal(128, "half_t", Layout((12, 8), (1, 12)), (1, 8))
    with pytest.raises(UnsupportedError, match="not counted by the bits of a lane"):
        conflict_free(odd, Layout((96, 64), (64, 1)))


# --- evidence -----------------------------------------------------------------------------------------------


def test_contradictory_premises_are_vacuous() -> None:
    claim = conflict_free(COPIES["x4"], Layout((64, 64), (72, 1))).given(equal(1, 2))
    assert isinstance(prove(claim), Vacuous)


def test_a_model_that_disagrees_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Layout((64, 64), (64, 1))
    monkeypatch.setattr(Access, "phase_wavefronts", lambda *_: 1)
    with pytest.raises(EngineDisagreement):
        prove(conflict_free(COPIES["x4"], plain))
    monkeypatch.setattr(Access, "phase_wavefronts", lambda *_: 2)
    with pytest.raises(EngineDisagreement):
        prove(at_most_wavefronts(COPIES["x4"], Layout((64, 64), (72, 1)), 1))
    with pytest.raises(EngineDisagreement):
        prove(conflict_free(COPIES["x4"], assume("ld % 16 == 8")(Layout((64, 64), (LD, 1)))))


def test_a_certificate_is_computed_again_from_its_words() -> None:
    copy, plain = COPIES["x4"], Layout((64, 64), (64, 1))
    for claim in (wavefronts(copy, plain, 8), conflict_free(COPIES["async"], Layout((64, 64), (72, 1)))):
        found = load(certify(claim, prove(claim)).text().encode())
        part = found.parts[1]
        assert part["kind"] == "spread"
        computed = compute(part, found.domain)
        assert computed.failure is None
        assert computed.whole
        more = {**part, "low": str(int(part["low"]) + 1), "high": str(int(part["high"]) + 1)}
        assert compute(more, found.domain).failure == {"phase": 0, "warp": 0, "step": 0}
    claim = conflict_free(copy, ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 64), (72, 1))))
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    failure = compute(certify(claim, verdict).parts[1], []).failure
    assert failure == {name: verdict.witness[name] for name in NAMES}


def test_equal_words_of_two_lanes_count_where_lanes_do_not_share() -> None:
    """cp.async to rows that lie on each other writes each word twice; a load reads it once."""
    tensor = Layout((64, 64), (0, 1))
    load_of_it = universal(128, "half_t", Layout((8, 8), (1, 8)), (1, 8))
    written = make_tiled_copy(
        atoms.copy("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>").with_type("half_t"),
        Layout((8, 8), (1, 8)),
        (1, 8),
    )
    for options in WAYS:
        assert of(prove(wavefronts(written, tensor, 8), **options))
        assert not of(prove(conflict_free(written, tensor), **options))
    assert of(prove(conflict_free(load_of_it, tensor)))
