"""Pascal: dot products of one thread. Source: cute/atom/mma_traits_sm61.hpp."""

from __future__ import annotations

from ..layout import Layout
from .atom import CopyAtom, MmaAtom

_ONE = Layout(1)
_C = Layout((1, 1))
_INT = ("int32_t", 1)
_WORD = ("uint32_t", 1)


def _dot(name: str, k: int, element: str) -> MmaAtom:
    row = Layout((1, k))
    types = ("int32_t", element, element, "int32_t")
    return MmaAtom(
        name,
        (1, 1, k),
        *(_ONE, row, row, _C),
        *types,
        *(_INT, _WORD, _WORD, _INT),
        "mma_traits_sm61.hpp",
        ptx=f"dp{k}a.s32.s32",
    )


MMA: tuple[MmaAtom, ...] = (_dot("SM61_DP4A", 4, "int8_t"), _dot("SM61_DP2A", 2, "int16_t"))
COPY: tuple[CopyAtom, ...] = ()
