"""Public reports about bank conflicts, each asked as its reporter would ask it."""

from __future__ import annotations

from symlayout import ComposedLayout, Layout, Swizzle, make_tiled_copy_A, make_tiled_mma, tile_to_shape
from symlayout.smem import Access, accesses, worst_degree

HALF = "SM80_16x8x16_F32F16F16F32_TN"


def test_ldsm_x4_criteria() -> None:
    """NVIDIA/cutlass 1705: ldmatrix.x4 on a 128x64 row-major A without a swizzle."""
    copy = make_tiled_copy_A("SM75_U32x4_LDSM_N", make_tiled_mma(HALF, (8, 1, 1), (128, 16, 16)))
    tensor = Layout((128, 64), (64, 1))
    assert worst_degree(copy, tensor) == 8
    assert worst_degree(copy, ComposedLayout(Swizzle(3, 3, 3), 0, tensor)) == 1


def test_ldsm_t_s334() -> None:
    """NVIDIA/cutlass 3172: the swizzle does remove the conflicts of ldmatrix.trans; look elsewhere."""
    mma = make_tiled_mma(HALF, (2, 2, 1), (32, 32, 16))
    copy = make_tiled_copy_A("SM75_U16x8_LDSM_T", mma)
    plain = tile_to_shape(Layout((128, 8), (1, 128)), (128, 32))
    degrees = [
        worst_degree(copy, plain if s is None else ComposedLayout(Swizzle(3, 3, s), 0, plain))
        for s in (4, 3, None)
    ]
    assert degrees == [1, 2, 8]


def test_sgemm1_tn() -> None:
    """NVIDIA/cutlass 1443: 16x16 threads, lane t reads row t % 16 of a float tile, or writes it K-major."""
    load, store = Access("ld.shared.u32"), Access("st.shared.u32")

    def read(stride: tuple[int, int]) -> list[int]:
        tile = Layout((128, 8), stride)
        return [4 * tile(t % 16, 0) for t in range(32)]

    reads = {s: load.degree(read(s)) for s in ((1, 128), (8, 1), (9, 1), (1, 129))}
    assert reads == {(1, 128): 1, (8, 1): 4, (9, 1): 1, (1, 129): 1}

    def write(stride: tuple[int, int]) -> list[int]:
        tile = Layout((128, 8), stride)
        return [4 * tile(t // 8, t % 8) for t in range(32)]  # the loader walks along K

    writes = {s: store.degree(write(s)) for s in ((8, 1), (9, 1), (1, 129))}
    assert writes == {(8, 1): 1, (9, 1): 2, (1, 129): 4}


def test_fa2_atom_width() -> None:
    """flash-attention's comment on a 128-wide atom: the delivery is right, and every row pair conflicts."""
    mma = make_tiled_mma(HALF, (4, 1, 1), (64, 16, 16))
    copy = make_tiled_copy_A("SM75_U32x4_LDSM_N", mma)
    wide = tile_to_shape(Layout((8, 128), (128, 1)), (128, 128))
    assert worst_degree(copy, ComposedLayout(Swizzle(3, 3, 3), 0, wide)) == 2
    assert worst_degree(copy, ComposedLayout(Swizzle(3, 3, 4), 0, wide)) == 1


def test_amd_16lane() -> None:
    """8-byte units, 16 lanes a phase: an xor of period 8 leaves pairs, one of period 16 nothing."""
    load = Access("ld.shared.b64")
    assert load.phase == 16

    def phase(period: int) -> list[int]:
        return [8 * (32 * i + i % period) for i in range(16)]

    assert load.phase_wavefronts(phase(8)) == 2
    assert phase(8)[0] % 128 == phase(8)[8] % 128, "lanes 0 and 8"
    assert load.phase_wavefronts(phase(16)) == 1


def test_marlin_xor_precedence() -> None:
    """The parse that C++ gives, i ^ (i / d), is free of conflicts; 16-byte units, 8 lanes a phase."""
    load = Access("ld.shared.v4.u32")
    for d in (8, 16):
        for rows in (16, 32, 64):
            for first in range(0, d * rows - 32, 32):
                assert load.degree([16 * (i ^ (i // d)) for i in range(first, first + 32)]) == 1


def test_accesses_are_those_of_every_warp() -> None:
    mma = make_tiled_mma(HALF, (2, 2, 1))
    copy = make_tiled_copy_A("SM75_U32x4_LDSM_N", mma)
    found = list(accesses(copy, Layout((32, 32), (32, 1))))
    assert [(step, warp) for step, warp, _ in found] == [(s, w) for s in range(2) for w in range(4)]
    assert all(len(addresses) == 32 for _, _, addresses in found)
