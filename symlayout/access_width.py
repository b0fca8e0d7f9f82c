"""How wide a copy's accesses to memory are, and what each thread moves with them.

An instruction moves what its atom says. AutoVectorizingCopyWithAssumedAlignment<B> (AutoVectorizingCopy is
B = 128, DefaultCopy B = 8) says one element, and moves as much as the two sides have in common:

    gcd(common run in bits, alignment of both sides in bits, B)

or one element where that gives no more. The common run is `max_common_vector` of the part in memory and
of its registers: those of `make_fragment_like(part)`, or, for a copy made from an MMA, its retiled fragment.
Alignment is that of the layouts; a swizzle keeps 2**M elements together. As in CuTe, strides that are known
at run time only are trusted to be aligned: that they are is what `addresses_aligned` asks.

Source: cute/algorithm/copy.hpp and cute/arch/copy.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import gcd
from typing import Any

from .algebra import make_fragment_like, max_alignment, max_common_vector
from .atoms.value_types import value_bits
from .copy_tiling import TiledCopy
from .errors import LayoutError
from .inttuple import flatten_to_tuple
from .layout import Layout
from .swizzle import ComposedLayout, Swizzle

_AUTO = re.compile(r"AutoVectorizingCopyWithAssumedAlignment<(\d+)>")
_ALIASES = {"AutoVectorizingCopy": 128, "DefaultCopy": 8}


@dataclass(frozen=True)
class Width:
    """`values` elements an access; `limit` says what keeps a copy that vectorizes by itself from more, and is
    empty for an instruction, which has its width."""

    values: int
    limit: str = ""

    def words(self, value_type: str) -> str:
        """`16 bytes an access, limited by ...`; empty for an instruction."""
        if not self.limit:
            return ""
        bits = self.values * value_bits(value_type)
        size = f"{bits // 8} byte{'s' * (bits != 8)}" if bits % 8 == 0 else f"{bits} bits"
        return f"{size} an access, limited by {self.limit}"


def assumed_alignment(name: str) -> int | None:
    """The B of an atom that vectorizes by itself, in bits; None for an instruction."""
    found = _AUTO.fullmatch(name)
    return int(found[1]) if found else _ALIASES.get(name)


def access_width(copy: TiledCopy, tensor: Any, side: str) -> Width:
    """The width of one access of the copy to the tensor, its source ("S") or destination ("D")."""
    most = assumed_alignment(copy.atom.name)
    if most is None:
        return Width(int((copy.atom.layout_src if side == "S" else copy.atom.layout_dst)[1].size()))
    return _vectorized(copy, tensor, side, most)


def by_access(copy: TiledCopy, tensor: Any, side: str, width: Width | None = None) -> Any:
    """(thread, value of one access, access) -> offset in memory, in elements; swizzled as the tensor is.

    `width` is that of the accesses where it is known: of a tensor with strides that are known at run time,
    say, at some of their values.
    """
    whole = copy.tidfrg_S(tensor) if side == "S" else copy.tidfrg_D(tensor)
    layout = _inside(whole)
    (thr, (frg_v, frg_x), rest), (d_thr, (d_v, d_x), d_rest) = layout.shape, layout.stride
    width = width or access_width(copy, tensor, side)
    if width.values == 1 or not width.limit:
        found = Layout._make((thr, frg_v, (frg_x, rest)), (d_thr, d_v, (d_x, d_rest)))
    else:
        steps = _steps(_modes((frg_v, frg_x, rest), (d_v, d_x, d_rest)), width.values)
        found = Layout._make((thr, width.values, steps.shape), (d_thr, 1, steps.stride))
    if isinstance(whole, ComposedLayout):
        return ComposedLayout(whole.swizzle, whole.offset, found)
    return found


def lanes_an_address(copy: TiledCopy, side: str) -> int:
    """How many lanes of one instruction name the same place: 4 of ldmatrix.x1, whose lanes beyond 8 give no
    address, and CuTe repeats the others for them. 1 for everything else."""
    lanes = (copy.atom.layout_src if side == "S" else copy.atom.layout_dst)[0]
    return int(lanes.size()) // len({lanes(k) for k in range(lanes.size())})


def _vectorized(copy: TiledCopy, tensor: Any, side: str, most: int) -> Width:
    bits = value_bits(copy.atom.val_type)
    whole = copy.tidfrg_S(tensor) if side == "S" else copy.tidfrg_D(tensor)
    layout = _inside(whole)
    shape, stride = (layout.shape[1], *_each(layout.shape[2])), (layout.stride[1], *_each(layout.stride[2]))
    part = _static(Layout._make(shape, stride))
    registers = _static(_registers(copy, tensor, part))
    run = int(max_common_vector(part, registers, unchecked=True))
    together = _kept_together(whole)
    aligned = gcd(max_alignment(part), max_alignment(registers), together)
    vector = gcd(run * bits, aligned * bits, most)
    if run < 2:
        return Width(1, "memory and registers, which have no two neighbours in common")
    if vector == most:
        limit = f"the {most} bits that {copy.atom.name} assumes"
    elif vector == together * bits:
        limit = f"the swizzle, which keeps {together} value{'s' * (together != 1)} together"
    elif vector == run * bits:
        limit = f"the run of {run} values that memory and registers have in common"
    else:
        limit = f"the layouts, which are aligned to {aligned} value{'s' * (aligned != 1)}"
    return Width(vector // bits if vector % 8 == 0 and vector > bits else 1, limit)


def _registers(copy: TiledCopy, tensor: Any, part: Layout) -> Layout:
    """The registers on the other side, with the modes of the part."""
    if copy.mma is not None:
        try:
            found: Layout = copy.retile(copy.mma.fragment(copy.operand, _inside(tensor)))
            if _static(found).size() == part.size():
                return found
        except LayoutError:
            pass  # no whole fragment: the copy then fills registers of its own
    like: Layout = make_fragment_like(part)
    return like


def _kept_together(whole: Any) -> int:
    """The elements that a swizzle leaves side by side; 0 where there is none, as gcd has it."""
    if not isinstance(whole, ComposedLayout):
        return 0
    if not isinstance(whole.swizzle, Swizzle):
        return 1
    together = 1 << whole.swizzle.m if whole.swizzle.b else 0
    return gcd(together, whole.offset if isinstance(whole.offset, int) else 0)


def _static(layout: Layout) -> Layout:
    """What CuTe knows at compile time: a size known at run time counts as 1, a stride as 0."""

    def known(x: Any, other: int) -> Any:
        if isinstance(x, tuple):
            return tuple([known(y, other) for y in x])
        return x if isinstance(x, int) else other

    return Layout._make(known(layout.shape, 1), known(layout.stride, 0))


def _steps(modes: list[tuple[Any, Any]], width: int) -> Layout:
    """The modes counted in vectors, as `upcast` counts them, with strides in elements."""
    found = []
    for s, d in modes:
        if isinstance(d, int) and isinstance(s, int) and 0 < d < width:
            each = min(s, -(-width // d))
            s, d = -(-s // each), max(d, width)
        found.append((s, d))
    return Layout._make(tuple([s for s, _ in found]), tuple([d for _, d in found]))


def _modes(shape: Any, stride: Any) -> list[tuple[Any, Any]]:
    return list(zip(flatten_to_tuple(shape), flatten_to_tuple(stride), strict=True))


def _each(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


def _inside(x: Any) -> Any:
    return x.layout if isinstance(x, ComposedLayout) else x
