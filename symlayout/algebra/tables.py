"""layout_from_table and layout_of: the layout of a table of integers, or the entry at which there is none.

Column-major order, entry i being the value at index i, as a layout unrolls. Tables of 4096 entries and more,
and all searches for a swizzle, go through numpy, which is loaded only then.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from inspect import signature
from operator import index
from typing import TYPE_CHECKING, Any

from ..errors import Inadmissible, LayoutError
from ..inttuple import flatten_to_tuple, idx2crd, product, show
from ..layout import Layout
from ..swizzle import ComposedLayout, Swizzle
from .fit import Deviation, Misfit, fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONG = 4096  # entries from which on numpy is faster than a loop
WIDEST = 62  # bits of the largest product of an entry and an index that numpy's integers hold
MOST_VALUES = 1 << 24  # of a function that is asked for a layout
CHUNK = 1024  # entries of the first look at a run; each next look takes twice as many


def layout_from_table(values: Sequence[int] | Any, shape: Any = None, *, swizzled: bool = False) -> Any:
    """The layout L with `L(i) = values[i]` for all i: `layout_from_table([0, 1, 8, 9]) = (2,2):(1,8)`.

    `shape` asks for a layout of that shape, its modes split where one stride is not enough. `swizzled=True`
    looks for `swizzle o offset o layout` where there is no plain layout: of the swizzles on the bits that the
    values have, the one with the fewest bits, then the least M, then the least shift. Values may be a
    sequence of ints or a one-dimensional numpy array.

    Raises Inadmissible where there is none: no layout has the entries 0..`.index`, the least such; `.want` is
    the entry and `.got` what those before it force there. LayoutError for a table that fits the shape not, or
    that holds no integers.
    """
    table = _read(values)
    n = len(table)
    shape = n if shape is None else shape
    if any(type(s) is not int or s < 1 for s in flatten_to_tuple(shape)) or product(shape) != n:
        raise LayoutError(
            f"layout_from_table: {n} values for the shape {show(shape)}\n  give one for each coordinate"
        )
    try:
        return _plain(table, shape, 0)
    except Misfit as e:
        tried = 0
        if swizzled:
            found, tried = _swizzled(table, shape)
            if found is not None:
                return found
        want = int(table[e.index])
        at = "" if isinstance(shape, int) else f", coordinate {show(idx2crd(e.index, shape))},"
        lines = [
            f"layout_from_table: no layout has these values: entry {e.index}{at} is {want}, "
            f"and those before it force {e.got}",
            e.why,
        ]
        if swizzled:
            lines.append(f"nor does one under any of the {tried} swizzles on the bits that the values have")
        raise Inadmissible("\n  ".join(lines), e.index, want, e.got) from None


def layout_of(
    f: Callable[..., Any], shape: Any, *, swizzled: bool = False, vectorized: bool = False
) -> Layout | Any:
    """The layout of that shape with the values of f: `layout_of(lambda m, k: 64*m + k, (8, 4))` is
    `(8,4):(64,1)`.

    f is called once for each coordinate, with an int a mode (a tuple for a nested mode); `vectorized=True`
    calls it once with int64 arrays of all coordinates instead, which a million of them want. Raises as
    layout_from_table; `.index` is the coordinate's position in column-major order.
    """
    if any(type(s) is not int or s < 1 for s in flatten_to_tuple(shape)):
        raise LayoutError(f"layout_of: the shape {show(shape)}: sizes are integers, 1 or more")
    n = product(shape)
    _check_takes(f, len(shape) if isinstance(shape, tuple) else 1)
    if n > MOST_VALUES:
        raise LayoutError(
            f"layout_of: the shape {show(shape)} has {n} coordinates; f is asked for at most {MOST_VALUES}"
        )
    if vectorized:
        import numpy as np

        crd = _coordinates(np.arange(n), shape)
        values = f(*crd) if isinstance(crd, tuple) else f(crd)
        return layout_from_table(np.broadcast_to(values, n), shape, swizzled=swizzled)
    if isinstance(shape, tuple):
        return layout_from_table([f(*idx2crd(i, shape)) for i in range(n)], shape, swizzled=swizzled)
    return layout_from_table([f(i) for i in range(n)], shape, swizzled=swizzled)


def _check_takes(f: Callable[..., Any], count: int) -> None:
    """Raises LayoutError for a function that does not take so many coordinates."""
    try:
        signature(f).bind(*(0,) * count)
    except TypeError as error:
        raise LayoutError(f"layout_of: f is called with {count} coordinates: {error}") from None
    except ValueError:  # it does not say what it takes
        return


def _coordinates(i: Any, shape: Any) -> Any:
    """All indices as coordinates of the shape, an array a leaf."""
    if not isinstance(shape, tuple):
        return i % shape
    parts = []
    for s in shape:
        parts.append(_coordinates(i, s))
        i = i // product(s)
    return tuple(parts)


def _read(values: Any) -> Any:
    """The table as int64 numbers of numpy where that serves and fits, else as a list of ints."""
    if not hasattr(values, "__len__"):
        raise LayoutError(f"layout_from_table: {values!r} is not a table of integers")
    if len(values) >= LONG or hasattr(values, "dtype"):
        table = _array(values)
        if table is not None:
            return table
    try:
        return [_whole(v) for v in values]
    except TypeError:
        wrong = next(i for i, v in enumerate(values) if not hasattr(v, "__index__") or isinstance(v, bool))
        raise LayoutError(
            f"layout_from_table: entry {wrong} is {values[wrong]!r}, which is not an integer"
        ) from None


def _whole(v: Any) -> int:
    if isinstance(v, bool):
        raise TypeError
    return index(v)


def _array(values: Any) -> NDArray[Any] | None:
    """The values as int64, None where these could overflow or are of another kind."""
    import numpy as np

    if hasattr(values, "dtype"):
        table = np.asarray(values)
    else:
        try:
            table = np.frombuffer(array("q", values), dtype=np.int64)  # refuses what is not an integer
        except (TypeError, OverflowError):
            return None
    if table.ndim != 1:
        raise LayoutError(
            f"layout_from_table: a table of {table.ndim} dimensions\n"
            "  a layout unrolls column-major: give values.ravel(order='F') and the shape"
        )
    if table.dtype.kind not in "iu" or not len(table):
        return None
    largest = max(abs(int(table.min())), abs(int(table.max())))
    if largest.bit_length() + len(table).bit_length() > WIDEST:
        return None
    return table.astype(np.int64, copy=False)


# --- plain layouts ------------------------------------------------------------------------------------------


def _plain(table: Any, shape: Any, offset: int) -> Layout:
    """The layout of `table - offset`. Raises Misfit."""
    if table[0] != offset:
        raise Misfit(0, 0, "a layout starts at 0")
    if isinstance(table, list):
        return fit(shape, table.__getitem__, lambda s, d: _first_listed(table, s, d))
    return fit(shape, lambda i: int(table[i]) - offset, lambda s, d: _first_in(table.__getitem__, s, d))


def _first_listed(table: list[int], sizes: list[int], strides: list[int]) -> int | None:
    """The least i at which the last mode, `sizes[-1]:strides[-1]`, does not go on; those before are right."""
    n = product(tuple(sizes))
    reach = n // sizes[-1]
    d, step = strides[-1], 0
    for begin in range(reach, n, reach):
        step += d
        for i in range(reach):
            if table[begin + i] != table[i] + step:
                return begin + i
    return None


def _first_in(part: Callable[[slice], Any], sizes: list[int], strides: list[int]) -> int | None:
    """The same over arrays, in looks that double, so that the cost follows where the mode ends."""
    import numpy as np

    reach: int = product(tuple(sizes)) // sizes[-1]
    head = part(slice(0, reach))
    j, look = 1, max(1, CHUNK // reach)
    while j < sizes[-1]:
        end = min(j + look, sizes[-1])
        steps = np.arange(j, end, dtype=np.int64) * strides[-1]
        rows = part(slice(j * reach, end * reach)).reshape(end - j, reach)
        wrong = rows != head + steps[:, None]
        if wrong.any():
            return j * reach + int(wrong.argmax())
        j, look = end, look * 2
    return None


# --- swizzled layouts ---------------------------------------------------------------------------------------


def _swizzled(table: Any, shape: Any) -> tuple[ComposedLayout | None, int]:
    """The first `swizzle o offset o layout` with these values, if any, and how many swizzles there were."""
    if isinstance(table, list):
        table = _array(table)
        if table is None:
            raise LayoutError(f"layout_from_table: values beyond {WIDEST} bits are not searched for swizzles")
    start = int(table[0])
    if start:
        try:
            return ComposedLayout(Swizzle(0, 0, 0), start, _plain(table, shape, start)), 0
        except Misfit:
            pass
    candidates = _candidates(table)
    for s in _linear(table, candidates):
        offset = s(start)

        try:
            inner = fit(shape, *_behind(s, table))
        except Misfit:
            continue
        return ComposedLayout(s, offset, inner), len(candidates)
    return None, len(candidates)


def _behind(s: Swizzle, table: NDArray[Any]) -> tuple[Callable[[int], int], Deviation]:
    """What `fit` asks for, of the table before the swizzle, which takes itself back, and the offset."""
    offset = s(int(table[0]))

    def deviation(sizes: list[int], strides: list[int]) -> int | None:
        return _first_in(lambda k: s(table[k]), sizes, strides)

    return lambda i: int(s(int(table[i])) - offset), deviation


def _candidates(table: NDArray[Any]) -> list[Swizzle]:
    """All swizzles on the bits of the values whose lowest and highest bit to read occur in them."""
    import numpy as np

    used = int(np.bitwise_or.reduce(table))
    top = max(abs(int(table.min())), abs(int(table.max()))).bit_length()
    found = []
    for b in range(1, top // 2 + 1):
        for m in range(top - 2 * b + 1):
            for distance in range(b, top - m - b + 1):
                for s, read in ((distance, m + distance), (-distance, m)):
                    if used >> read & 1 and used >> read + b - 1 & 1:
                        found.append(Swizzle(b, m, s))
    return found


def _linear(table: NDArray[Any], candidates: list[Swizzle]) -> list[Swizzle]:
    """The candidates that a look at some hundred entries does not rule out.

    A layout of 2^q elements has modes of powers of two only, so it may be written (2,2,...,2), and its value
    at x is the sum of those at the bits of x. Other sizes are not looked at here.
    """
    import numpy as np

    n = len(table)
    if n & (n - 1) or not candidates:
        return candidates
    bits = 1 << np.arange(n.bit_length() - 1)
    chance = np.random.default_rng(0)
    pairs = chance.permutation((bits[:, None] | bits).ravel())
    some = chance.integers(0, n, 128)
    keep = np.arange(len(candidates))
    read = np.array([s.yyy_mask for s in candidates])[:, None]
    shift = np.array([s.s for s in candidates])[:, None]
    for points in (pairs[:64], np.concatenate([pairs, some, np.arange(min(n, 128))])):
        looked = np.concatenate([[0], bits, points])
        seen = table[looked][None, :]
        y, by = seen & read[keep], shift[keep]
        plain = seen ^ np.where(by > 0, y >> np.maximum(by, 0), y << np.maximum(-by, 0))
        plain = plain - plain[:, :1]
        steps, found = plain[:, 1 : 1 + len(bits)], plain[:, 1 + len(bits) :]
        digits = (points[None, :] & bits[:, None]) != 0
        keep = keep[((steps @ digits.astype(np.int64)) == found).all(axis=1)]
    return [candidates[k] for k in keep]
