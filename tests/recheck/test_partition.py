"""An mma and a copy, stated anew: the same answers as the layout algebra, which is not used there."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from symlayout import atoms
from symlayout.claim_data import claim_data
from symlayout.errors import SymlayoutError
from symlayout.layout import Layout
from symlayout.memory_claim import memory_correct
from symlayout.recheck import partition
from symlayout.recheck.catalogue import differs
from symlayout.swizzle import ComposedLayout, Swizzle
from symlayout.tiled_copy import (
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_C_atom,
)
from symlayout.tiled_mma import make_tiled_mma

MMAS = (
    *("SM80_16x8x16_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN"),
    *("SM80_16x8x32_S32S8S8S32_TN", "SM80_8x8x4_F64F64F64F64_TN"),
)
COPIES = (
    *(
        "SM75_U32x1_LDSM_N",
        "SM75_U32x2_LDSM_N",
        "SM75_U32x4_LDSM_N",
        "SM90_U32x4_STSM_N",
        "SM75_U16x8_LDSM_T",
    ),
    *("UniversalCopy<uint32_t>", "UniversalCopy<uint64_t>", "UniversalCopy<uint128_t>"),
)
PERMUTATIONS: tuple[Any, ...] = (
    *(None, (32, 32, 16), (64, 32, 32), (16, 8, 32)),
    *((32, Layout((2, 2, 2, 2, 2), (1, 2, 8, 4, 16)), 32), (32, Layout((8, 2, 2), (1, 16, 8)), 16)),
)
ATOMS = ((1, 1, 1), (2, 1, 1), (2, 2, 1), (1, 4, 1), Layout((2, 2, 1), (2, 1, 0)), (1, 1, 2))
MAKE: dict[str, Any] = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}


def configurations(seed: int, count: int) -> Any:
    rng = random.Random(seed)
    while count:
        operand = rng.choice("ABC")
        try:
            mma = make_tiled_mma(rng.choice(MMAS), rng.choice(ATOMS), rng.choice(PERMUTATIONS))
            make = rng.choice([MAKE[operand]] * 3 + [make_tiled_copy_C_atom])
            copy = make(rng.choice(COPIES), mma)
            m, n = mma.tile_shape(operand)
            shape = (m * rng.choice([1, 2]) + rng.choice([0, 0, m // 2]), n * rng.choice([1, 2]))
            claim = copy.retile_correct(mma, operand, shape, side=rng.choice("DDS"))
        except SymlayoutError:
            continue
        count -= 1
        yield rng, copy, shape, claim


def first_failure(claim: Any) -> Any:
    return next((f.witness for p in claim.parts() if (f := p.failure()) is not None), None)


def test_retile_is_as_the_algebra_has_it() -> None:
    found: Counter[str] = Counter()
    for _, _, _, claim in configurations(0, 80):
        (item,) = claim_data(claim)
        assert not list(differs(item))
        want = first_failure(claim)
        try:
            got, visited = partition.at(item)
        except partition.Unknown:
            found["not stated anew"] += 1
            continue
        assert got == want, item
        assert visited > 0
        found["right" if got is None else "wrong"] += 1
    assert found["right"] > 20
    assert found["wrong"] > 10
    assert found["not stated anew"] < 40


def test_memory_is_as_the_algebra_has_it() -> None:
    found: Counter[str] = Counter()
    for rng, copy, shape, _ in configurations(1, 30):
        plain = Layout(shape, rng.choice([(1, shape[0]), (shape[1], 1), (shape[1] + 8, 1)]))
        tensor = rng.choice([plain, ComposedLayout(Swizzle(3, 3, 3), 0, plain)])
        try:
            parts = memory_correct(copy, tensor).parts()
        except SymlayoutError:
            continue
        for part in parts:
            (item,) = claim_data(part)
            if item["kind"] != "memory":
                continue
            failure = part.failure()
            try:
                got, _ = partition.at(item)
            except partition.Unknown:
                continue
            assert got == (None if failure is None else failure.witness), item
            found[f"{item['says']} {got is None}"] += 1
    assert {"inside True", "inside False", "aligned True", "contiguous True", "contiguous False"} <= set(
        found
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"permutation": [10**12, None, None]},
        {"permutation": [None, 12, None]},
        {"permutation": [None, 0, None]},
        {"permutation": [None, None, "none"]},
        {"threads": "(4,2):(1,3)"},
        {"atoms": "(2,1,1):(2,0,0)"},
        {"shape": [16, 8]},
        {"layout": "8:1@0"},
    ],
)
def test_what_is_not_stated_anew(changed: dict[str, Any]) -> None:
    mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
    (item,) = claim_data(make_tiled_copy_A("SM75_U32x4_LDSM_N", mma).retile_correct(mma, "A", (16, 16)))
    assert partition.at(item) == (None, 256)
    with pytest.raises((partition.Unknown, ValueError)):
        partition.at({**item, "mma": {**item["mma"], **changed}})
    with pytest.raises(partition.Unknown):
        partition.at({**item, "tensor": "(1000000000000,16)"})
