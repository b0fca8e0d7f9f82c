"""Polynomial arithmetic: ours against sympy.polys.rings, the two in turn on the same polynomials.

What algebra and calculus do is add, multiply, scale and compare small polynomials whose parameters differ
from one layout to the next; sympy's rings are given their parameters beforehand, which is to their advantage.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

from symlayout import dims

from .figure import Figure, duration

ROUNDS = 9
CALLS = 4000

Call = Callable[[], Any]


def cases() -> dict[str, tuple[Call, Call]]:
    """Operation -> (ours, sympy's), on `16*M*K + 3*N + 1` and `N*K - 2`."""
    from sympy import ZZ
    from sympy.polys.rings import ring

    m, n, k = dims("M N K")
    a, b = 16 * m * k + 3 * n + 1, n * k - 2
    _, r, s, t = ring("M,N,K", ZZ)
    x, y = 16 * r * t + 3 * s + 1, s * t - 2
    a_m, x_m = a * m, x * r
    return {
        "a + b": (lambda: a + b, lambda: x + y),
        "a * b": (lambda: a * b, lambda: x * y),
        "8 * a": (lambda: 8 * a, lambda: 8 * x),
        "a == b": (lambda: a == b, lambda: x == y),
        "a*M // M": (lambda: a_m // m, lambda: x_m // r),
    }


def seconds(call: Call) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS


def figures() -> list[Figure]:
    result = []
    for name, (ours, theirs) in cases().items():
        pairs = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
        a, b = (statistics.median(side) for side in zip(*pairs, strict=True))
        result.append(Figure(f"polynomials, {name}: sympy.polys.rings", duration(a), duration(b), b / a))
    return result
