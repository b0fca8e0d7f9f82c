"""Every thread-value layout of the catalogue hits its tile exactly once, or k times: decided by Z3."""

import pytest

from symlayout import Proved, Refuted, atoms, prove
from symlayout.atoms.atom import MmaAtom
from symlayout.atoms.coverage import Coverage, coverage, distinct_claims
from symlayout.layout import Layout


def test_every_layout_of_the_catalogue_covers_its_tile() -> None:
    claims = distinct_claims(atoms.get(name) for name in atoms.names())
    operands = sum(len(who) for who in claims.values())
    assert operands == sum(3 if isinstance(atoms.get(name), MmaAtom) else 2 for name in atoms.names())
    for claim, who in claims.items():
        verdict = prove(claim, confirm_up_to=1 << 10)
        assert isinstance(verdict, Proved), f"{who[0]}: {verdict}"
        assert "z3" in verdict.engine


@pytest.mark.parametrize(
    "layout, count",
    [
        (atoms.SM80_16x8x16_F32F16F16F32_TN.layout_A, (256, 1, 1)),
        (atoms.SM75_U32x1_LDSM_N.bits_src, (1024, 4, 1)),
        (atoms.SM75_U32x2_LDSM_N.bits_src, (2048, 2, 1)),
        (atoms.SM90_64x256x16_F32F16F16_SS.layout_B, (4096, 128, 1)),
        (atoms.SM100_TMEM_LOAD_32dp32b1x.bits_src, (1024, 32, 1)),
        (atoms.SM100_UTCCP_4x32dp128bit_1cta.bits_src, (4096, 4, 1)),
        (atoms.SM100_UTCCP_4dp256bit_2cta.bits_dst, (1024, 2, 32)),
        (Layout((1, 1)), (1, 1, 1)),
    ],
)
def test_how_often(layout: Layout, count: tuple[int, int, int]) -> None:
    assert coverage(layout) == Coverage(*count)
    values = [layout(i) for i in range(layout.size())]
    elements, times, every = count
    assert sorted(values) == sorted(list(range(0, elements * every, every)) * times)


@pytest.mark.parametrize("name", [n + "_CUTE_4_2" for n in atoms.names() if "16x8x32_S32S4S4" in n])
def test_cutlass_own_int4_does_not(name: str) -> None:
    a, b, c = atoms.mma(name).claims()
    assert isinstance(prove(a), Proved)
    assert isinstance(prove(c), Proved)
    verdict = prove(b)
    assert isinstance(verdict, Refuted)
    assert "share the value" in verdict.explanation
