"""Claims as data: what they are about, or their parts where they are about nothing that has data."""

from typing import Any

import pytest

from symlayout import Layout, aligned, all_of, atoms, equal, injective
from symlayout.claim_data import claim_data
from symlayout.dim import dims
from symlayout.memory_claim import memory_correct
from symlayout.sentence import phrase
from symlayout.symbolic import Var
from symlayout.tiled_copy import make_tiled_copy, make_tiled_copy_A, make_tiled_copy_B
from symlayout.tiled_mma import make_tiled_mma

MMA = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (2, 1, 1), (32, None, 16))
COPY = make_tiled_copy_A(atoms.SM75_U32x4_LDSM_N, MMA)


def kinds(claim: Any, refuted: bool = False) -> list[str]:
    return [item["kind"] for item in claim_data(claim, refuted)]


def test_a_retile_says_its_mma_and_its_copy() -> None:
    (item,) = claim_data(COPY.retile_correct(MMA, "A", (32, 16)))
    assert (item["kind"], item["operand"], item["side"], item["tensor"]) == ("retile", "A", "D", "(32,16)")
    assert item["mma"]["name"] == "SM80_16x8x16_F32F16F16F32_TN"
    assert item["mma"]["permutation"] == [32, None, 16]
    assert (item["copy"]["name"], item["copy"]["tv"]) == ("SM75_U32x4_LDSM_N", None)
    assert item["view"] in phrase(item)
    assert item["fragment"] in phrase(item)


def test_a_copy_for_another_operand_says_how_it_is_tiled() -> None:
    other = make_tiled_copy_B(atoms.SM75_U32x2_LDSM_N, MMA)
    (item,) = claim_data(other.retile_correct(MMA, "A", (32, 16)))
    assert item["copy"]["tv"] == str(other.layout_tv)
    assert item["copy"]["tv"] in phrase(item)


def test_parts_of_a_conjunction_keep_their_order() -> None:
    right = COPY.retile_correct(MMA, "A", (32, 16))
    assert kinds(all_of(injective(Layout(4)), right, injective(Layout(8)))) == [
        "injective",
        "retile",
        "injective",
    ]


def test_premises_are_those_of_every_part() -> None:
    a = Var("a", 8)
    both = all_of(equal(a, a), injective(Layout(8))).given(aligned(a, 2))
    assert [item["given"] for item in claim_data(both)] == [["a%2 = 0"], ["a%2 = 0"]]


@pytest.mark.parametrize("refuted", [False, True])
def test_over_parameters(refuted: bool) -> None:
    m, k = dims("M K")
    found = kinds(COPY.retile_correct(MMA, "A", (32 * m, 16 * k)), refuted)
    assert found == ["retile"] if refuted else "retile" not in found


def test_the_memory_side() -> None:
    claim = memory_correct(COPY, Layout((32, 16), (16, 1)))
    memory = [item for item in claim_data(claim) if item["kind"] == "memory"]
    assert [item["says"] for item in memory] == ["inside", "contiguous", "aligned"]
    wide = make_tiled_copy(
        atoms.AutoVectorizingCopy.with_type("half_t"), Layout((8, 16), (16, 1)), Layout((1, 8))
    )
    found = claim_data(memory_correct(wide, Layout((8, 128), (128, 1))))
    assert {item["says"] for item in found if item["kind"] == "memory"} == {"inside"}, "it has its own width"
