"""Fragments read off pairs that meet: few, all, and what names have to do with it."""

from __future__ import annotations

import numpy as np
import pytest

from gpu.discovery.fragments import (
    Fragments,
    Pairs,
    Unclear,
    anchor,
    differing_pairs,
    from_all,
    from_few,
    probed,
)
from gpu.discovery.machines import manual_fragments
from gpu.discovery.mma_form import Form, read_form
from gpu.element import Array

HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
VOLTA = "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"
WIDE = "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64"
SHOWN = [  # one of each shape and width
    *(HALF, VOLTA, WIDE, "fma.rn.f64", "dp4a.s32.s32"),
    "mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32",
    "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32.satfinite",
    "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
]


def few_of(form: Form, every: Pairs) -> Pairs:
    places = np.ix_(probed(form.places("A")), probed(form.places("B")))
    return Pairs(every.met[places], every.where[places])


@pytest.mark.parametrize("text", SHOWN)
def test_few_pairs_and_all_pairs_show_the_same_fragments(text: str) -> None:
    form = read_form(text)
    manual = manual_fragments(form)
    every = manual.pairs()
    few = few_of(form, every)
    assert few.met.size <= every.met.size
    for found in (from_few(few, form.places("C")), from_all(every, form.places("C"))):
        assert differing_pairs(found, every) == 0
        named = anchor(found, manual.A, manual.B)
        assert not named.misfits
        assert all((named.fragments.of(x) == manual.of(x)).all() for x in "ABC")


def test_few_is_few() -> None:
    form = read_form("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc")
    assert len(probed(form.places("A"))) * len(probed(form.places("B"))) == 156
    assert form.places("A") * form.places("B") == 8_388_608


def test_a_guess_that_is_wrong_is_refuted_by_all_pairs() -> None:
    """Two places far from the probed ones, exchanged: few pairs look linear, all pairs do not."""
    form = read_form(HALF)
    manual = manual_fragments(form)
    a = manual.A.copy()
    a[[11, 13]] = a[[13, 11]]
    every = Fragments(a, manual.B, manual.C).pairs()
    guess = from_few(few_of(form, every), form.places("C"))
    assert differing_pairs(guess, every) > 0
    assert differing_pairs(from_all(every, form.places("C")), every) == 0


def test_names_of_k_in_both_operands_are_no_matter_of_the_mma() -> None:
    """k renumbered in A and B: the same pairs meet. Renumbered in one only: others do."""
    form = read_form(HALF)
    manual = manual_fragments(form)
    other = np.arange(16)[::-1]

    def renumbered(places: Array) -> Array:
        return np.stack([places[:, 0], other[places[:, 1]]], axis=1)

    both = Fragments(renumbered(manual.A), renumbered(manual.B), manual.C)
    one = Fragments(renumbered(manual.A), manual.B, manual.C)
    assert differing_pairs(both, manual.pairs()) == 0
    assert differing_pairs(one, manual.pairs()) > 0


def test_two_numbers_of_one_name_are_no_anchor() -> None:
    manual = manual_fragments(read_form(HALF))
    with pytest.raises(Unclear, match="two rows of the mma would both be"):
        anchor(manual, np.stack([manual.A[:, 0] // 2, manual.A[:, 1]], axis=1), manual.B)
