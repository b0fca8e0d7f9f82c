"""View: what one thread sees of a tensor, a layout and the offset at which it starts.

Slicing a tensor fixes some coordinates; the fixed ones add up to an offset and the free ones make the layout.
CuTe keeps the offset in the pointer, here it stands beside the layout:

    thr = mma.get_slice(5).partition_A(Layout((16, 16), (16, 1)))
    thr.offset      18                             lane 5 starts at A(1,2)
    thr.layout      ((2,2,2),1,1):((1,128,8),0,0)
    thr((1,0,1),0,0) = thr(1 + 4) = 27             A(1,11)

Of an identity tensor the offset is a coordinate, and so is every value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .algebra import slice_
from .inttuple import product, show
from .layout import Layout
from .swizzle import ComposedLayout

Tensor = Layout | ComposedLayout


@dataclass(frozen=True)
class View:
    """`view(c) = offset + layout(c)`. Under a swizzle the offset lies inside it, in the layout's own offset,
    and `offset` is 0."""

    offset: Any
    layout: Any

    def __call__(self, *crd: Any) -> Any:
        value = self.layout(*crd)
        return value if isinstance(self.offset, int) and self.offset == 0 else self.offset + value

    def __str__(self) -> str:
        return view_text(show(self.offset), str(self.layout))

    @property
    def shape(self) -> Any:
        return self.layout.shape

    @property
    def stride(self) -> Any:
        return self.layout.stride

    def rank(self) -> int:
        """The number of top-level modes."""
        return int(self.layout.rank())

    def size(self) -> int:
        """The number of values."""
        return int(product(self.layout.shape))


def view_text(offset: str, layout: str) -> str:
    """`18 + (2,4):(1,8)`; a layout of one bare mode stands in brackets, for `18 + 4:1` would be 22:1."""
    return f"{offset} + {layout}" if layout.startswith(("(", "Sw")) else f"{offset} + ({layout})"


def slice_threads(tensor: Tensor, thread: Any, kept: Any) -> View:
    """The view of a tensor with modes (thread, rest...) at one thread; `kept` is the coordinate of `None`s
    for the rest."""
    if isinstance(tensor, ComposedLayout):
        inner = slice_threads(tensor.layout, thread, kept)
        return View(0, ComposedLayout(tensor.swizzle, tensor.offset + inner.offset, inner.layout))
    return View(tensor[0](thread), slice_((_zeros(thread), *kept), tensor))


def _zeros(crd: Any) -> Any:
    return tuple([_zeros(c) for c in crd]) if isinstance(crd, tuple) else 0
