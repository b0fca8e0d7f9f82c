"""The catalogue against what is asked, and the names that people type."""

from __future__ import annotations

from collections import Counter

import pytest

from gpu.discovery.census import asked, not_asked, resolve
from gpu.discovery.discover import cute_fragments
from gpu.discovery.mma_form import read_form
from symlayout import UnsupportedError, atoms
from symlayout.atoms import sm80

HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
WIDE = "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64"


def test_no_atom_of_the_catalogue_is_left_out() -> None:
    with_row = [atom for names in asked().values() for atom in names]
    with_reason = [atom for names in not_asked().values() for atom in names]
    variants = [atom.name for atom in sm80.VARIANTS]
    assert Counter(with_row + with_reason) == Counter([*atoms.names(), *variants])
    old = ("SM50", "SM61", "SM70", "SM75", "SM80", "SM89", "Universal", "Default", "AutoVec")
    assert [atom for atom in with_reason if atom.startswith(old)] == []
    assert {atom.split("_")[0] for atom in with_reason if "SM90" in atom[:4] and "64x" not in atom} == set()


def test_the_atoms_of_an_instruction_share_its_fragments() -> None:
    """Complex atoms issue several of the real one."""
    real = asked()["mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64"]
    assert real == ("SM90_16x8x8_F64F64F64F64_TN", "SM90_16x8x8_C64C64C64C64_TN")
    form = read_form(WIDE)
    a, b = (cute_fragments(atom, form) for atom in real)
    assert a is not None
    assert b is not None
    assert (a.A == b.A).all()
    assert cute_fragments(real[0], read_form(HALF)) is None  # other numbers of values


@pytest.mark.parametrize(
    ("name", "instruction"),
    [
        ("ldmatrix.x4.trans", "ldmatrix.x4.trans"),
        ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "ldmatrix.x4.trans"),
        ("stmatrix.sync.aligned.x2.m8n8.shared::cta.b16", "stmatrix.x2"),
        ("movmatrix.sync.aligned.m8n8.trans.b16", "movmatrix"),
        ("SM75_U16x8_LDSM_T", "ldmatrix.x4.trans"),
        (HALF, HALF),
        ("m16n8k16.row.col.f32.f16.f16.f32", HALF),
        ("SM80_16x8x16_F32F16F16F32_TN", HALF),
        ("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", "cp.async.cg.16.zfill"),
        ("UniversalCopy<int8_t>", "ld.shared.b8"),
        ("SM61_DP4A", "dp4a.s32.s32"),
    ],
)
def test_names(name: str, instruction: str) -> None:
    assert resolve(name)[0] == instruction


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ldmatrix.x5.trans", "did you mean ldmatrix.x4.trans"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f23", f"did you mean {HALF}"),
        ("SM80_16x8x16_F32F16F16F23_TN", "did you mean SM80_16x8x16_F32F16F16F32_TN"),
        ("qqqq", "known are ldmatrix.x1"),
        ("", "known are ldmatrix.x1"),
        ("SM100_U8x8_LDSM_T", "needs another device than sm_90"),
        ("UniversalCopy<float,half_t>", "converts or combines"),
        ("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "is not an instruction"),
    ],
)
def test_bad_names_have_one_message(name: str, hint: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        resolve(name)
    assert hint in str(caught.value)
