"""What repeats in a layout, against plain walks."""

from __future__ import annotations

import random
from typing import Any

import pytest

from symlayout import (
    ComposedLayout,
    Layout,
    LayoutError,
    Swizzle,
    UnsupportedError,
    atoms,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_mma,
)
from symlayout.bank_claim import conflict_free, wavefronts
from symlayout.claim import values
from symlayout.memory_claim import Aligned, Contiguous, addresses_aligned, contiguous
from symlayout.periods import first_index, kinds, period_of
from symlayout.smem import access_of, accesses

MMA = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 1, 1), (32, 16, 16))
COPIES = [
    make_tiled_copy_A("SM75_U32x4_LDSM_N", MMA),
    *(
        make_tiled_copy(
            atoms.copy(f"UniversalCopy<uint{bits}_t>").with_type(element),
            Layout((8, 8), (8, 1)),
            (1, values_of_a_thread),
        )
        for bits, element, values_of_a_thread in ((128, "half_t", 8), (16, "half_t", 1), (8, "int8_t", 1))
    ),
]


def made_up(draw: random.Random) -> Any:
    """A layout of one to four modes, swizzled or not."""
    sizes = tuple(draw.randint(1, 6) for _ in range(draw.randint(1, 4)))
    strides = tuple(draw.choice([0, 1, 2, 3, 8, -1, -4, 16, draw.randint(-40, 40)]) for _ in sizes)
    layout = Layout(sizes, strides)
    if draw.random() < 0.5:
        return layout
    return ComposedLayout(Swizzle(2, 1, draw.choice([2, 3, -2])), draw.randint(0, 9), layout)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_index_of_a_value_is_that_of_a_table(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(150):
        layout = made_up(draw)
        table = values(layout)
        for x in {*table, 5, 1000, -3}:
            assert first_index(layout, x) == (table.index(x) if x in table else None), (layout, x)


def test_a_value_of_a_large_layout_is_found_without_a_table() -> None:
    big = Layout((1 << 40, 1 << 40), (1 << 40, 1))
    assert first_index(big, (5 << 40) + 7) == 5 + (7 << 40)
    assert first_index(ComposedLayout(Swizzle(3, 3, 3), 0, big), (5 << 40) + 7 * 64 ^ 7 * 8) is not None


@pytest.mark.parametrize("seed", range(4))
def test_kinds_count_every_sum_once(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(150):
        layout = made_up(draw)
        layout = layout.layout if isinstance(layout, ComposedLayout) else layout
        for period in (0, 1, 6, 8, 64):
            want: dict[int, list[int]] = {}
            for i, x in enumerate(values(layout)):
                want.setdefault(x % period if period else x, [i, 0])[1] += 1
            found = kinds(layout.shape, layout.stride, period)
            assert {r: [*kind] for r, kind in found.items()} == want, (layout, period)


@pytest.mark.parametrize("b, m, s", [(3, 3, 3), (2, 0, -2), (1, 4, 5), (0, 3, 3)])
def test_a_swizzle_repeats_with_its_period(b: int, m: int, s: int) -> None:
    swizzle = Swizzle(b, m, s)
    period = period_of(ComposedLayout(swizzle, 0, Layout(8)))
    for x in range(-period, 2 * period):
        assert swizzle(x + 3 * period) == swizzle(x) + 3 * period


def test_a_tensor_that_hardly_repeats_is_refused_and_says_what_to_do() -> None:
    with pytest.raises(UnsupportedError, match="give a smaller tensor"):
        kinds((1 << 20, 1 << 20), (1, 3 << 20), 1 << 50)


def tensors(draw: random.Random) -> Any:
    """A tensor that COPIES can be given; rows may be padded, reversed, repeated, cut in two."""
    row = draw.choice([16, 24, 32, 64, 72, 136])
    plain = draw.choice(
        [
            Layout((32, 64), (row, 1)),
            Layout((64, 32), (1, row)),
            Layout(((8, 8), (16, 2)), ((row, 8 * row + 8), (1, 16))),
            Layout((32, 64), (-row, 1)),
            Layout((32, 64), (0, 1)),
        ]
    )
    if draw.random() < 0.4:
        return plain
    swizzle = Swizzle(draw.randint(1, 3), draw.choice([2, 3, 4]), draw.choice([3, 4, -3]))
    return ComposedLayout(swizzle, draw.choice([0, 8, 64]), plain)


@pytest.mark.parametrize("seed", range(4))
def test_banks_are_counted_as_by_walking_every_access(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(12):
        copy, tensor = draw.choice(COPIES), tensors(draw)
        access = access_of(copy)
        try:
            walked = [
                ((step, warp, k), access.phase_wavefronts(phase))
                for step, warp, named in accesses(copy, tensor)
                for k, phase in enumerate(access.phases(named))
            ]
        except LayoutError:
            continue
        for high, claim in ((1, conflict_free(copy, tensor)), (8, wavefronts(copy, tensor, 8))):
            wrong = [at for at, taken in walked if taken > high or (high == 8 and taken < high)]
            found = claim.parts()[1].failure()
            assert (found is None) == (not wrong), (copy, tensor)
            if found is None:
                continue
            assert [found.witness[name] for name in ("step", "warp", "phase")] == [*wrong[0]]
            assert found.count == len(wrong)
            crowded = len({at[:2] for at in wrong})
            served = len({at[:2] for at, _ in walked})
            assert f"{crowded} of {served} accesses and {len(wrong)} of {len(walked)} phases" in found.says
            assert f"{sum(taken for _, taken in walked)} wavefront" in found.says


@pytest.mark.parametrize("seed", range(4))
def test_memory_is_counted_as_by_walking_every_value(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(12):
        copy, tensor = draw.choice(COPIES), tensors(draw)
        for claim in (addresses_aligned(copy, tensor), contiguous(copy, tensor)):
            assert isinstance(claim, (Aligned, Contiguous))
            threads, vals, steps = claim.sizes
            table = values(claim.offsets)
            wrong = [
                (t, s, v)
                for t in range(threads)
                for s in range(steps)
                for v in (range(1) if isinstance(claim, Aligned) else range(vals))
                if claim._fails(table[t + threads * vals * s], table[t + threads * (v + vals * s)], v)
            ]
            found = claim.failure()
            assert (found is None) == (not wrong)
            if found is not None:
                assert found.count == len(wrong)
                assert (*found.witness.values(),) == wrong[0][: len(found.witness)]
