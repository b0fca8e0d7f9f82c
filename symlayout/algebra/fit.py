"""The layout that has given values, found mode by mode, or the least index at which no layout has them.

The values decide. The value at 1 forces the first stride. The first index that leaves this line ends the
first mode: it has to divide what is left of the size, and the value there forces the next stride, and so on.
Where a mode of the wanted shape begins, a new stride may begin too. What is found is the only candidate, but
for modes that could be split without a change; so if an index leaves the line where no mode can end, no
layout of that shape has the values from 0 up to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..basis import ArithTuple, ScaledBasis, as_arith, basis_get
from ..inttuple import flatten_to_tuple, unwrap
from ..layout import Layout
from .agreement import Chain, in_digits, least_index

Path = tuple[int, ...]
Deviation = Callable[[list[Any], list[Any]], "int | None"]


class Misfit(Exception):
    """No layout of the shape has the values at 0..index; `got` is what the values before force there."""

    def __init__(self, index: int, got: Any, why: str) -> None:
        super().__init__(why)
        self.index = index
        self.got = got
        self.why = why


def fit(shape: Any, at: Callable[[int], Any], deviation: Deviation) -> Layout:
    """The layout R that refines `shape` with `R(i) = at(i)`, at(0) being 0; size-1 modes get stride 0.

    `deviation(sizes, strides)` gives the least i below the product of these flat modes at which their layout
    differs from `at`, or None. Raises Misfit with the least index that no layout reaches.
    """
    sizes: list[int] = []  # the modes so far, flat
    strides: list[Any] = []
    begin = 1  # where the next leaf of the shape begins

    def leaf(s: int) -> tuple[Any, Any]:
        nonlocal begin
        first, rest, reach = len(sizes), s, begin
        begin *= s
        while rest > 1:
            stride = at(reach)
            if isinstance(stride, tuple):
                stride = _basis(stride, reach)
            sizes.append(rest)
            strides.append(stride)
            i = deviation(sizes, strides)
            if i is None:
                break
            n = i // reach
            if i % reach or rest % n:
                _misfit(i, reach, rest, sizes, strides)
            sizes[-1] = n
            rest //= n
            reach = i
        if s == 1:
            return 1, 0
        return unwrap(tuple(sizes[first:])), unwrap(tuple(strides[first:]))

    def walk(s: Any) -> tuple[Any, Any]:
        if not isinstance(s, tuple):
            return leaf(s)
        pairs = [walk(x) for x in s]
        return tuple([p[0] for p in pairs]), tuple([p[1] for p in pairs])

    return Layout._make(*walk(shape))


def _misfit(i: int, reach: int, rest: int, sizes: list[int], strides: list[Any]) -> NoReturn:
    so_far = Layout._make(unwrap(tuple(sizes)), unwrap(tuple(strides)))
    if i % reach:
        why = f"the values below {i} force the modes {so_far}, and no mode of them can end at {i}"
    else:
        why = f"the stride {strides[-1]} ends after {i // reach} steps, which do not divide the {rest} left"
    raise Misfit(i, as_arith(so_far(i)), why)


def _basis(value: tuple[Any, ...], i: int) -> Any:
    """A coordinate as a stride: it has to move along one mode only."""

    def moves(t: tuple[Any, ...], path: Path) -> list[tuple[Path, int]]:
        found: list[tuple[Path, int]] = []
        for k, x in enumerate(t):
            if isinstance(x, tuple):
                found += moves(x, (*path, k))
            elif x != 0:
                found.append(((*path, k), x))
        return found

    along = moves(value, ())
    if len(along) > 1:
        raise Misfit(
            i, None, f"a step to {ArithTuple(value)} moves along {len(along)} modes, a stride along one"
        )
    return ScaledBasis(along[0][1], along[0][0]) if along else 0


# --- A after B ----------------------------------------------------------------------------------------------


def paths(x: Layout) -> set[Path]:
    """The modes that the strides of x name; () for integers."""
    return {d.modes if isinstance(d, ScaledBasis) else () for d in flatten_to_tuple(x.stride)}


def project(x: Layout, path: Path) -> Layout:
    """The integer layout of one component of x's values."""
    if all(not isinstance(d, ScaledBasis) for d in flatten_to_tuple(x.stride)):
        return x if path == () else Layout._make(1, 0)

    def component(d: Any) -> Any:
        if isinstance(d, tuple):
            return tuple([component(e) for e in d])
        if isinstance(d, ScaledBasis):
            return d.value if d.modes == path else 0
        return d if path == () else 0

    return Layout._make(x.shape, component(x.stride))


def mode_at(a: Layout, path: Path) -> Layout:
    """The mode of A that a path leads to."""
    return Layout._make(basis_get(path, a.shape), basis_get(path, a.stride))


def value_after(a: Layout, b: Layout, i: int) -> Any:
    """A(B(i)); where B's strides name modes of A, the sum over those modes."""
    total: Any = 0
    for mode in sorted(paths(b)):
        total = total + mode_at(a, mode)(project(b, mode)(i))
    return total


def in_integers(*layouts: Layout) -> bool:
    """Whether no stride names a mode."""
    return all(ScaledBasis not in map(type, flatten_to_tuple(x.stride)) for x in layouts)


def least_difference(a: Layout, b: Layout, r: Layout) -> int | None:
    """The least i below size(R) with `R(i) != A(B(i))`, component by component, or None."""
    sizes = flatten_to_tuple(r.shape)
    if in_integers(a, b, r):
        return least_index(sizes, [(1, (r,)), (-1, (a, b))])
    found: int | None = None
    for path in paths(a) | paths(r):
        inner: list[tuple[int, Chain]] = [
            (-1, (project(mode_at(a, mode), path), project(b, mode))) for mode in paths(b)
        ]
        i = least_index(sizes, [(1, (project(r, path),)), *inner])
        if i is not None and (found is None or i < found):
            found = i
    return found


def after(a: Layout, b: Layout) -> Layout:
    """The layout that is A after B, of B's shape with its modes split where they have to be. Raises Misfit.

    Exact: A goes on by its last mode where B leaves its domain, as in CuTe, and no domain is enumerated.
    """

    if not in_integers(a, b):

        def moved(sizes: list[Any], strides: list[Any]) -> int | None:
            return least_difference(a, b, Layout._make(tuple(sizes), tuple(strides)))

        return fit(b.shape, lambda i: value_after(a, b, i), moved)
    outer, inner = in_digits(a), in_digits(b)

    def deviation(sizes: list[Any], strides: list[Any]) -> int | None:
        r = Layout._make(tuple(sizes), tuple(strides))
        return least_index(sizes, [(1, (r,)), (-1, (outer, inner))])

    return fit(b.shape, lambda i: outer(inner(i)), deviation)
