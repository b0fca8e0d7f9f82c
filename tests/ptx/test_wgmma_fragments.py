"""The register fragments of wgmma against the manual's figures, and that each covers its tile."""

import pytest

from symlayout.errors import UnsupportedError
from symlayout.ptx import Fragment, wgmma_a, wgmma_d
from symlayout.ptx.wgmma_fragments import THREADS, sparse_a_of_warps

FRAGMENTS = {
    **{f"A, K = {k}": wgmma_a(k) for k in (8, 16, 32, 256)},
    **{f"D, N = {n}": wgmma_d(n) for n in (8, 24, 64, 256)},
}


@pytest.mark.parametrize("fragment", FRAGMENTS.values(), ids=list(FRAGMENTS))
def test_every_element_of_the_tile_is_held_once(fragment: Fragment) -> None:
    held = [fragment(thread, i) for thread in range(THREADS) for i in range(fragment.values)]
    tile = {(r, c) for r in range(fragment.rows) for c in range(fragment.cols)}
    assert len(held) == len(tile)
    assert set(held) == tile


def test_figures() -> None:
    assert wgmma_d(64)(32, 0) == (16, 0)  # figure 149: warp 1 begins at row 16
    assert wgmma_d(64)(127, 3) == (63, 7)
    assert wgmma_d(64)(1, 4) == (0, 10)
    assert wgmma_a(16)(33, 2) == (24, 2)  # figure 148
    assert wgmma_a(16)(33, 4) == (16, 10)
    assert wgmma_a(8)(2, 1) == (8, 2)  # figure 150
    assert wgmma_a(8)(2, 2) == (0, 6)
    assert wgmma_a(32)(96, 8) == (48, 16)  # figure 152
    assert wgmma_a(256)(64, 127) == (40, 159)  # figure 154
    assert sparse_a_of_warps(64, 33, 8) == (16, (40, 48))


def test_sizes_that_do_not_exist() -> None:
    with pytest.raises(UnsupportedError, match="no wgmma of N = 12"):
        wgmma_d(12)
    with pytest.raises(UnsupportedError, match="no wgmma of K = 64\n  the manual has m64nNk16"):
        wgmma_a(64)
