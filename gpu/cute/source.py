"""A configuration as C++: what `kernels/cute_retile.cu` wants filled in, in CuTe's own words.

Everything is static, as kernels have it: `Layout<Shape<_32,_64>,Stride<_64,_1>>` for `(32,64):(64,1)`, and
`ComposedLayout<Swizzle<3,3,3>,Int<0>,...>` for `Sw<3,3,3> o 0 o ...`.
"""

from __future__ import annotations

from typing import Any

from symlayout import ComposedLayout, Layout, UnsupportedError

from ..device import source
from ..maps import extent
from ..plan import LoadPlan, plain

KERNEL = "cute_retile"
OTHER = {"A": "B", "B": "A"}


def cpp(value: Any) -> str:
    """The C++ type whose only value is that int, tuple, layout, or `_` (None)."""
    if value is None:
        return "Underscore"
    if isinstance(value, int):
        return f"Int<{value}>"
    if isinstance(value, tuple):
        return f"Shape<{','.join(cpp(x) for x in value)}>"
    if isinstance(value, Layout):
        return f"Layout<{cpp(value.shape)},{cpp(value.stride).replace('Shape<', 'Stride<')}>"
    if isinstance(value, ComposedLayout):
        s = value.swizzle
        return f"ComposedLayout<Swizzle<{s.b},{s.m},{s.s}>,{cpp(value.offset)},{cpp(value.layout)}>"
    raise UnsupportedError(f"{value} has no C++ type that this package writes")


def product_layouts(plan: LoadPlan) -> tuple[Layout, Layout]:
    """The tensor of the operand that is not loaded, one tile with K contiguous, and that of the product."""
    rows, k = extent(plain(plan.tensor))
    other = int(plan.mma.tile_size(1 if plan.operand == "A" else 0))
    m, n = (rows, other) if plan.operand == "A" else (other, rows)
    return Layout((other, k), (k, 1)), Layout((m, n), (n, 1))


def defines(plan: LoadPlan, right_view: Layout | None) -> dict[str, str]:
    """What the kernel wants filled in. Raises UnsupportedError for elements of less than a byte."""
    if plan.element.bits < 8:
        raise UnsupportedError(
            f"{plan.element.bits}-bit elements: CuTe packs them, and its registers cannot be read one by one"
        )
    mma, which = plan.mma, plan.operand
    other, product = product_layouts(plan)
    found = {
        "MMA_ATOM": mma.atom.name,
        "ATOM_LAYOUT": cpp(mma.atom_layout),
        "PERMUTATION": f"Tile<{','.join(cpp(p) for p in mma.permutation)}>",
        "COPY_ATOM": plan.copy.atom.name,
        "TENSOR": cpp(plan.tensor),
        "PLAIN": cpp(plain(plan.tensor)),
        "OTHER_TENSOR": cpp(other),
        "C_TENSOR": cpp(product),
        "IS_A": str(int(which == "A")),
        "TILED_COPY": f"make_tiled_copy_{which}",
        "FRAGMENT": f"partition_fragment_{which}",
        "OTHER_PARTITION": f"partition_{OTHER[which]}",
        "OTHER_FRAGMENT": f"partition_fragment_{OTHER[which]}",
    }
    if isinstance(plan.tensor, ComposedLayout):
        found["SWIZZLED"] = "1"
    if right_view is not None:
        found["RIGHT_VIEW"] = cpp(right_view)
    return found


def unit(plan: LoadPlan, right_view: Layout | None) -> str:
    """The CUDA translation unit of a configuration."""
    return source(KERNEL, defines(plan, right_view))
