"""Whether a swizzle passes through a layout, `A(S(x)) = S'(A(x))`, read off single bits.

If every size of A but the last is a power of two, x moves A bit by bit: `A(x) = sum(x_p * A(2^p))`. If the
images A(2^p) are 0 or distinct powers of two, nothing carries and A only sends bits to other places. Then it
is enough that it sends each bit that S reads, and each that S changes, to the bit of the same rank of S'.
"""

from __future__ import annotations

from typing import Any

from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .coalesce import coalesce_extended


def carries_bits(a: Layout, s: Swizzle, front: Any, n: int) -> bool:
    """Whether bits show that `A(S(x)) = S'(A(x))` for all 0 <= x < n, S' being the swizzle of `front`.

    Enough for the law, not needed: where it says no, agreement.py decides.
    """
    if s.b == 0:
        return bool(front == a)
    if not isinstance(front, ComposedLayout) or not isinstance(front.swizzle, Swizzle):
        return False
    image = front.swizzle
    if image.b != s.b or front.offset != 0:
        return False
    top = (max(n - 1, 0) | s.yyy_mask | s.zzz_mask).bit_length()
    sizes, strides = coalesce_extended(a)
    images: list[int] = []
    last = len(sizes) - 1
    for k, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        if type(stride) is not int or type(size) is not int:
            return False
        if k == last:
            bits = max(top - len(images), 0)
        elif size & (size - 1):
            return False
        else:
            bits = size.bit_length() - 1
        images += [stride << j for j in range(bits)]
    reached = 0
    for v in images[:top]:
        if v < 0 or v & (v - 1) or v & reached:
            return False
        reached |= v
    read, changed = s.m + max(0, s.s), s.m - min(0, s.s)
    to_read, to_changed = image.m + max(0, image.s), image.m - min(0, image.s)
    return all(
        images[read + j] == 1 << to_read + j and images[changed + j] == 1 << to_changed + j
        for j in range(s.b)
    )
