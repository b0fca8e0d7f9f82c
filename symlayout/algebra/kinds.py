"""What an argument is: a plain layout, a composed one, a shape; and how an operation reaches the plain layout
inside.

CuTe answers for `A o offset o B` by answering for B and putting A and the offset back in front, so nearly
every operation of the algebra is written for plain layouts and passes through `inside`.
"""

from __future__ import annotations

from typing import Any

from ..dim import Dim
from ..errors import LayoutError, UnsupportedError
from ..integers import is_integer
from ..inttuple import show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle, no_shape


def as_layout(x: Any) -> Any:
    """A layout, swizzled or not, as it is; a shape as its compact layout. Raises LayoutError for others."""
    if isinstance(x, (Layout, ComposedLayout)):
        return x
    if isinstance(x, (tuple, list)) and x and all(isinstance(m, Layout) for m in x):
        return Layout._make(tuple([m.shape for m in x]), tuple([m.stride for m in x]))
    if isinstance(x, (int, tuple, list, Dim)) or is_integer(x):
        return Layout(x)
    if isinstance(x, Swizzle):
        raise no_shape(x)
    raise LayoutError(f"{show(x)} is not a layout: give a Layout, or a shape for the compact one")


def of_tensor(x: Any) -> Any:
    """The layout of what one thread sees of a tensor (a `View`), anything else as it is. CuTe keeps a
    tensor's offset in its pointer, and what asks about layouts alone does not see it."""
    if isinstance(x, (Layout, ComposedLayout, Swizzle)):
        return x
    return x.layout if hasattr(x, "layout") and hasattr(x, "offset") else x


def inner(x: Any) -> Layout:
    """The plain layout: of a composed layout the innermost, whose domain is that of the whole."""
    if isinstance(x, ComposedLayout):
        return x.domain
    layout: Layout = as_layout(x)
    return layout


def inside(x: Any, f: Any) -> Any:
    """Apply `f` to a plain layout, or to the innermost layout of a composed one."""
    if isinstance(x, ComposedLayout):
        return x.with_domain(f(x.domain))
    return f(as_layout(x))


def plain(name: str, x: Any) -> Layout:
    """A layout that has strides. Raises UnsupportedError for swizzles and composed layouts."""
    if isinstance(x, (ComposedLayout, Swizzle)):
        raise no_strides(name, x)
    layout: Layout = as_layout(x)
    return layout


def no_strides(name: str, x: Any) -> UnsupportedError:
    return UnsupportedError(
        f"{name}: {x} is composed and has no strides: CuTe has {name} for plain layouts only\n"
        "  ask it of a layout inside, or evaluate the composed layout at coordinates, X(5)"
    )


def one_outer_map(name: str, x: Any) -> UnsupportedError:
    """The error for a composed layout or a swizzle as one mode among others."""
    return UnsupportedError(
        f"{name}: {show(x)} cannot be a mode: a layout has one outer map for all its modes\n"
        "  make the plain layout first, and compose it with the swizzle then"
    )
