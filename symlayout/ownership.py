"""Which rows, columns or K of a tile a thread of a TiledMMA holds, and the permutation that makes them
neighbours.

A permutation entry P scatters: where the atoms lay position x, the tensor has coordinate P(x). So to give
each thread a run of neighbours, P sends the positions of the first thread to 0, 1, 2, ..., those of the next
thread to the coordinates after these, and so on:

    mma = make_tiled_mma("SM70_8x8x4_F32F16F16F32_NT", Layout((2, 2), (2, 1)), (32, 32, 4))
    owned(mma, "A", 0, "M")                  (0, 1, 2, 3, 16, 17, 18, 19)
    contiguous_permutation(mma, "A", "M")    (4,4,2):(1,8,4)

Threads that hold the same coordinates of the mode (they differ in the other one) count as one.
"""

from __future__ import annotations

from .algebra import layout_from_table, make_identity_layout
from .errors import LayoutError
from .layout import Layout
from .tiled_mma import NAMES, TiledMMA, axes


def owned(mma: TiledMMA, operand: str, thread: int, mode: str) -> tuple[int, ...]:
    """The coordinates in `mode` (M, N or K) of the tile's elements that a hardware thread holds, in the order
    in which its values first have them."""
    position = _position(operand, mode)
    view = mma.get_slice(thread).partition(operand, make_identity_layout(mma.tile_shape(operand)))
    return tuple(dict.fromkeys(int(_entry(view(i), position)) for i in range(view.size())))


def contiguous_permutation(mma: TiledMMA, operand: str, mode: str) -> Layout:
    """The permutation of M, N or K with which every thread holds a run of neighbours, in its values' order.

    The mma is asked without a permutation of that mode, over a tile of the extent that it has.

    Raises LayoutError when threads share some coordinates and not others, or no layout is the answer.
    """
    if mode not in NAMES:
        raise LayoutError(f"contiguous_permutation: mode {mode!r}: it is {', '.join(NAMES)}")
    k = NAMES.index(mode)
    plain = TiledMMA(mma.atom, mma.atom_layout, _with(mma.permutation, k, mma.tile_size(k)), mma.unchecked)
    owners = list(dict.fromkeys(owned(plain, operand, t, mode) for t in plain.thread_ids()))
    table = [-1] * mma.tile_size(k)
    coordinate = 0
    for positions in sorted(owners, key=min):
        for x in positions:
            if table[x] >= 0:
                raise LayoutError(
                    f"contiguous_permutation: {mode} = {x} is of threads that do not hold the same {mode}"
                )
            table[x] = coordinate
            coordinate += 1
    found: Layout = layout_from_table(table, len(table))
    return found


def _with(permutation: tuple[object, object, object], k: int, entry: int) -> tuple[object, object, object]:
    m, n, kk = (entry if i == k else p for i, p in enumerate(permutation))
    return (m, n, kk)


def _position(operand: str, mode: str) -> int:
    held = [NAMES[i] for i in axes(operand)]
    if mode not in held:
        raise LayoutError(f"owned: {operand} has the modes {' and '.join(held)}, not {mode!r}")
    return held.index(mode)


def _entry(coordinate: object, position: int) -> int:
    """One entry of a coordinate sum, in which missing ones are 0."""
    entries = tuple(coordinate) if hasattr(coordinate, "__iter__") else (coordinate,)
    return entries[position] if position < len(entries) else 0
