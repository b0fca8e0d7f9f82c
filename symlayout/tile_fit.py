"""Which mode of a tensor does not divide into tiles, and which pieces would fit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import gcd
from operator import mul
from typing import Any

from .algebra import zipped_divide
from .errors import LayoutError, NeedFact
from .inttuple import flatten_to_tuple
from .layout import Layout
from .swizzle import ComposedLayout

_SWIZZLES = {128: "SW128", 64: "SW64", 32: "SW32", 16: "INTER"}  # bytes of a row -> CuTe's atom


def tile_fit(tensor: Any, tiler: Any, whose: str, names: str, bits: int) -> str:
    """The mode of the tensor that does not divide into the tiler's tiles, and what would fit; empty where
    each divides. `whose` is the operand, or "the tensor"; `names` are those of the modes, if they have any;
    `bits` is the size of an element.
    """
    inside = tensor.layout if isinstance(tensor, ComposedLayout) else tensor
    entries = tiler if isinstance(tiler, tuple) else (tiler,)
    for k, entry in enumerate(entries):
        tile = entry.size() if isinstance(entry, Layout) else entry
        if not isinstance(inside, Layout) or not isinstance(tile, int) or k >= inside.rank():
            continue
        try:
            zipped_divide(inside[k], entry, unchecked=True)
        except NeedFact:
            continue
        except LayoutError:
            name = f"mode {k} ({names[k]})" if k < len(names) else f"mode {k}"
            return _misfit(inside[k], f"{name} of {whose}", tile, bits)
    return ""


def _misfit(mode: Layout, name: str, tile: int, bits: int) -> str:
    sizes: Sequence[Any] = flatten_to_tuple(mode.shape)
    piece = next((c for c in accumulate(sizes, mul) if isinstance(c, int) and tile % c and c % tile), 0)
    says = f"{name} does not divide into tiles of {tile}: it is {mode}"
    if not piece:
        return says
    fits = gcd(tile, piece)
    width = fits * bits // 8
    atom = f" ({_SWIZZLES[width]})" if width in _SWIZZLES else ""
    return (
        f"{says}\n  it is made of pieces of {piece}, and {tile} % {piece} = {tile % piece}\n"
        f"  pieces of {fits} fit: a shared memory atom of {fits} elements{atom} in this mode"
    )
