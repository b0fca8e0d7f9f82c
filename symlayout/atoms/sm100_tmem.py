"""Blackwell: registers to tensor memory and back, and shared memory to tensor memory.

Tensor memory has 128 rows (datapaths, `dp`) of 32-bit columns; a warp reaches 32 of them. tcgen05.ld and .st
move `dp` rows of `bits` bits, `n` times side by side; the register side is a formula over n, the memory side
is the whole block, the same for all lanes. Bits count along a row first. tcgen05.cp moves a block of shared
memory; its layouts know no lanes.

Source: cute/atom/copy_traits_sm100.hpp.
"""

from __future__ import annotations

from ..layout import Layout
from .atom import CopyAtom, MmaAtom
from .sm75 import WARP

_HEADER = "copy_traits_sm100.hpp"


def _repeated(
    threads: tuple[int, ...],
    steps: tuple[int, ...],
    values: tuple[int, ...],
    by: tuple[int, ...],
    n: int,
    step: int,
) -> Layout:
    """The layout with one more mode of values, n at a distance of `step`, unless n is 1."""
    if n > 1:
        values, by = (*values, n), (*by, step)
    one = len(values) == 1
    return Layout((threads, values[0] if one else values), (steps, by[0] if one else by))


def _16dp256b(n: int) -> Layout:
    return _repeated((4, 8), (64, 256 * n), (64, 2), (1, 2048 * n), n, 256)


def _16dp128b(n: int) -> Layout:
    return _repeated((4, 8), (32, 128 * n), (32, 2), (1, 1024 * n), n, 128)


def _16dp64b(n: int) -> Layout:
    return _repeated((2, 2, 8), (512 * n, 32, 64 * n), (32,), (1,), n, 64)


def _16dp32b(n: int) -> Layout:
    return Layout(((16, 2), 32 * n), ((64 * n, 32 * n), 1))


def _32dp32b(n: int) -> Layout:
    return Layout((32, 32 * n), (32 * n, 1))


# name -> (register side over n, the largest n, PTX shape)
_BLOCKS = {
    "16dp256b": (_16dp256b, 32, "16x256b"),
    "16dp128b": (_16dp128b, 64, "16x128b"),
    "16dp64b": (_16dp64b, 128, "16x64b"),
    "16dp32b": (_16dp32b, 128, "16x32bx2"),
    "32dp32b": (_32dp32b, 128, "32x32b"),
}


def _loads_and_stores(store: bool) -> list[CopyAtom]:
    made = []
    for block, (register_side, most, shape) in _BLOCKS.items():
        for n in (1, 2, 4, 8, 16, 32, 64, 128):
            if n <= most:
                made += [_move(store, block, register_side(n), n, shape, pack) for pack in (False, True)]
    return made


def _move(store: bool, block: str, bits: Layout, n: int, shape: str, pack: bool) -> CopyAtom:
    """`pack`: two 16-bit halves of a register are two columns of tensor memory."""
    whole = Layout((32, bits.size()), (0, 1))
    address, registers = ("uint32_t", 1), ("uint32_t", bits.size() // 1024)
    name = f"SM100_TMEM_{'STORE' if store else 'LOAD'}_{block}{n}x{'_16b' if pack else ''}"
    how = f".{'unpack' if store else 'pack'}::16b" if pack else ""
    ptx = f"tcgen05.{'st' if store else 'ld'}.sync.aligned.{shape}.x{n}{how}.b32"
    if store:
        return CopyAtom(name, WARP, bits, whole, whole, registers, address, _HEADER, ptx=ptx)
    return CopyAtom(name, WARP, whole, bits, whole, address, registers, _HEADER, ptx=ptx)


def _shared_to_tensor(
    name: str, ctas: int, source: tuple[int, ...], by: tuple[int, ...], shape: str
) -> CopyAtom:
    """tcgen05.cp: where the source has a mode of stride 0, the block is written more than once."""
    src = Layout((ctas, source if len(source) > 1 else source[0]), (0, by if len(by) > 1 else by[0]))
    dst = src if 0 not in by else Layout((ctas, src[1].size()), (0, 1))
    return CopyAtom(
        f"SM100_UTCCP_{name}_{ctas}cta",
        *(Layout(ctas), src, dst, dst),
        *(("uint64_t", 1), ("uint32_t", 1)),
        _HEADER,
        ptx=f"tcgen05.cp.cta_group::{ctas}.{shape}",
    )


_COPIES: tuple[tuple[str, tuple[int, ...], tuple[int, ...], str], ...] = (
    ("128dp256bit", (32768,), (1,), "128x256b"),
    ("128dp128bit", (16384,), (1,), "128x128b"),
    ("4dp256bit", (4, 256), (32, 128), "4x256b"),
    ("4x32dp128bit", (32, 128, 4), (1, 32, 0), "32x128b.warpx4"),
    ("2x64dp128bitlw0213", (64, 128, 2), (1, 64, 0), "64x128b.warpx2::02_13"),
    ("2x64dp128bitlw0123", (32, 128, 2, 2), (1, 32, 4096, 0), "64x128b.warpx2::01_23"),
)

MMA: tuple[MmaAtom, ...] = ()
COPY: tuple[CopyAtom, ...] = (
    *_loads_and_stores(store=False),
    *_loads_and_stores(store=True),
    *(_shared_to_tensor(name, n, src, by, shape) for name, src, by, shape in _COPIES for n in (1, 2)),
)
