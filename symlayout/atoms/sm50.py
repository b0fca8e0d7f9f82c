"""Two registers transposed between neighbouring lanes by shuffles. Source: cute/atom/copy_traits_sm50.hpp."""

from __future__ import annotations

from ..layout import Layout
from .atom import CopyAtom, MmaAtom

_WARP = Layout(32)
_TWO_WORDS = Layout((32, 64), (64, 1))


def _shuffle(name: str, dst: Layout) -> CopyAtom:
    regs = ("uint32_t", 2)
    return CopyAtom(
        name, _WARP, _TWO_WORDS, dst, _TWO_WORDS, regs, regs, "copy_traits_sm50.hpp", ptx="shfl.sync.bfly.b32"
    )


MMA: tuple[MmaAtom, ...] = ()
COPY: tuple[CopyAtom, ...] = (
    _shuffle("SM50_Shuffle_U32_2x2Trans_XOR1", Layout(((2, 16), (32, 2)), ((32, 128), (1, 64)))),
    _shuffle("SM50_Shuffle_U32_2x2Trans_XOR4", Layout(((4, 2, 4), (32, 2)), ((64, 32, 512), (1, 256)))),
)
