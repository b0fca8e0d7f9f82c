"""admissible: whether any layout at all is A after B, and which.

CuTe's composition refuses some pairs that have an answer and answers some that have none. This decides: a
mode `s:d` of B needs the sequence `A(d*i)`, i < s, to be a layout, and the modes have to add up.

Why the search finds the layout if there is one: the value at 1 forces the first stride, the first deviation
from that line forces the size of the first mode (and must not come within a step of it), the value there
forces the next stride, and so on; canonical forms are unique.
"""

from __future__ import annotations

from typing import Any

from ..inttuple import flatten_to_tuple, unwrap
from ..layout import Layout
from .agreement import least_index


def admissible(a: Layout, b: Layout) -> Layout | None:
    """The layout with R(i) = A(B(i)) for all i below size(B), compatible with B, or None. Integer strides
    only.

    A goes on by its last mode where B leaves its domain; size-1 modes of R keep B's stride times A's first.
    """

    def walk(s: Any, d: Any) -> tuple[Any, Any] | None:
        if isinstance(s, tuple):
            parts = [walk(x, y) for x, y in zip(s, d, strict=True)]
            if any(p is None for p in parts):
                return None
            return tuple([p[0] for p in parts if p]), tuple([p[1] for p in parts if p])
        return _mode(a, s, d)

    found = walk(b.shape, b.stride)
    if found is None:
        return None
    result = Layout._make(*found)
    if least_index(flatten_to_tuple(result.shape), [(1, (result,)), (-1, (a, b))]) is not None:
        return None
    return result


def _mode(a: Layout, s: int, d: int) -> tuple[Any, Any] | None:
    """Shape and stride of A after `s:d`, or None."""
    line = Layout._make(s, d)
    if s == 1:
        return 1, a(d)
    sizes: list[int] = []
    strides: list[int] = []
    reach = 1
    while True:
        if s % reach:
            return None
        strides.append(a(d * reach))
        shape = (*sizes, s // reach)
        i = least_index(shape, [(1, (Layout._make(shape, tuple(strides)),)), (-1, (a, line))])
        if i is None:
            return unwrap(shape), unwrap(tuple(strides))
        if i % reach:
            return None
        sizes.append(i // reach)
        reach = i
