"""Who holds, moves and expects which element, stated anew from an mma and a copy: tables of plain integers.

Nothing is divided, composed or inverted as a layout here: layouts are read as tables (`evaluator.table`), and
what CuTe says with its algebra is said with the coordinate of one element at a time. Sources: the
thread-value layouts of the PTX ISA in the form of the catalogue, and the definitions of TiledMMA and
TiledCopy (cute/atom/mma_atom.hpp, copy_atom.hpp), by mode:

    element of the mma        perm(i % S) + rest(i / S),  i = a + A*(w + W*f)
        a in the atom's A elements, w in W atoms side by side, f the thread's own repetition, S the tile
    element of the copy       tv(ref's thread + ..., ref's value + ...) in the tile, + tile * rest
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from .. import evaluator

Element = tuple[int, ...]
AXES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}  # which of M, N, K an operand has
MOST = 1 << 21  # elements that are visited
MOST_ELEMENTS = 1 << 22  # of a layout or a tensor
NOTHING: evaluator.Env = {}


class Unknown(Exception):
    """A configuration that is not stated anew here, in words."""


def ints(layout: Any, env: evaluator.Env = NOTHING) -> list[int]:
    """The values of a layout into integers, column-major."""
    found = evaluator.table(layout, env)
    if set(found) != {()}:
        raise Unknown(f"{layout} is not a layout into integers")
    return found[()]


def tiled(image: Sequence[int], upto: int) -> list[int]:
    """`repeated`, where the copies reach the numbers below `upto` and no others."""
    starts = repeated(image, upto)
    if len(starts) * len(image) != upto:
        raise Unknown(f"{len(image)} numbers up to {max(image)} do not tile the numbers below {upto}")
    return starts


def mode_sizes(text: str, env: evaluator.Env = NOTHING) -> list[int]:
    """The sizes of the top modes of a layout, or of a shape."""
    shape = evaluator.syntax(text.partition(":")[0])
    modes = getattr(shape, "elts", [shape])
    sizes = [prod(evaluator.number(s, env) for _, s in evaluator.entries_of(mode)) for mode in modes]
    if min(sizes, default=0) < 1 or prod(sizes) > MOST_ELEMENTS:
        raise Unknown(f"{text} has {prod(sizes)} elements")
    return sizes


def numbers(tile: Any) -> list[int]:
    """The places of one mode of a tile: 0 .. n-1, or the values of a layout."""
    if type(tile) is int and not 0 < tile <= MOST:
        raise Unknown(f"a tile of {tile}")
    return list(range(tile)) if type(tile) is int else ints(tile)


def repeated(image: Sequence[int], upto: int) -> list[int]:
    """Where copies of a set of numbers have to begin so that none meets another, the least first, and all
    numbers below `upto` are reached: what the complement of a layout is for."""
    taken: set[int] = set()
    starts = []
    if min(image) != 0 or upto > MOST:
        raise Unknown(f"{len(image)} numbers from {min(image)} are not repeated up to {upto}")
    for start in range(upto):
        if start not in taken and not taken.intersection(moved := {start + x for x in image}):
            taken |= moved
            starts.append(start)
    if not set(range(upto)) <= taken or len(set(image)) != len(image):
        raise Unknown(f"{len(image)} numbers up to {max(image)} do not tile the numbers below {upto}")
    return starts


class Mode:
    """One mode of an mma's operand: the element of place i."""

    def __init__(self, atom: int, atoms: int, given: Any, extent: int) -> None:
        image = numbers(atom * atoms if given is None else given)
        self.atom, self.atoms, self.image = atom, atoms, image
        if len(image) % (atom * atoms):
            raise Unknown(f"a tile of {len(image)} is not a whole number of {atoms} atoms of {atom}")
        extent = -(-extent // len(image)) * len(image)  # a last tile may go beyond the tensor
        self.elements = [x + start for start in tiled(image, extent) for x in image]  # of place i
        self.own = extent // (atom * atoms)  # how many the thread has

    def element(self, a: int, w: int, f: int) -> int:
        return self.elements[a + self.atom * (w + self.atoms * f)]


class Mma:
    """The operand's elements: `threads[l]` is the hardware thread of logical thread l, `element(l, v)` what
    it has as its v-th value; values run over (value of the atom, own repetitions by mode)."""

    def __init__(self, data: Any, operand: str, shape: Sequence[int]) -> None:
        axes, mnk = AXES[operand], data["shape"]
        atom = ints(data["threads"])
        counts = mode_sizes(data["atoms"])
        counts += [1] * (3 - len(counts))
        order = ints(data["atoms"])
        held = ints(data["layout"])
        if len(held) % len(atom) or len(shape) != 2 or len(counts) != 3 or len(order) != prod(counts):
            raise Unknown("an atom, or a tensor, of another form")
        if sorted(order) != list(range(len(order))):
            raise Unknown(f"the atoms {data['atoms']} are not numbered through")
        firsts = repeated(atom, len(atom) * len(order))
        for x in {0, 1, *axes}:  # M and N of an operand that has not both, too
            given = data["permutation"][x]
            tile = numbers(mnk[x] * counts[x] if given is None else given)
            if len(tile) % (mnk[x] * counts[x]):
                raise Unknown(f"a tile of {len(tile)} is no whole number of {counts[x]} atoms of {mnk[x]}")
        if data["permutation"][2] is not None:
            numbers(data["permutation"][2])
        self.modes = [
            Mode(mnk[x], counts[x], data["permutation"][x], extent)
            for x, extent in zip(axes, shape, strict=True)
        ]
        self.places = [
            (
                v,
                (w[axes[0]], w[axes[1]]),
                atom[v] + firsts[order[w[0] + counts[0] * (w[1] + counts[1] * w[2])]],
            )
            for w in product(*map(range, counts))
            for v in range(len(atom))
        ]
        self.held = [divmod(index, mnk[axes[0]])[::-1] for index in held]  # coordinates in the atom's tile
        self.lanes = len(atom)
        self.sizes = [len(held) // len(atom), *(mode.own for mode in self.modes)]

    def element(self, place: tuple[int, tuple[int, int], int], value: int) -> Element:
        lane, (w, z), _ = place
        rest, x = divmod(value, self.sizes[0])
        g, f = divmod(rest, self.sizes[1])
        a, b = self.held[lane + self.lanes * x]
        return self.modes[0].element(a, w, f), self.modes[1].element(b, z, g)

    def tv(self) -> tuple[list[int], int, int]:
        """(hardware thread, value) -> column-major place in the tensor's shape; threads and values."""
        rows, values = self.modes[0].own * self.modes[0].atom * self.modes[0].atoms, prod(self.sizes)
        threads = 1 + max(t for *_, t in self.places)
        found = [-1] * (threads * values)
        for place in self.places:
            for v in range(values):
                m, k = self.element(place, v)
                found[place[2] + threads * v] = m + rows * k
        return found, threads, values


class Copy:
    """The elements that a tiled copy moves: `element(t, x)` is that of hardware thread t's x-th value, which
    run over (value of one instruction, instructions of the tile, tiles by mode)."""

    def __init__(self, data: Any, side: str, shape: Sequence[int], mma: Mma | None) -> None:
        ref, lanes, values = _atom(data["reference"])
        own, side_lanes, self.each = _atom(data["source" if side == "S" else "destination"])
        if sorted(ref) != list(range(len(ref))) or side_lanes != lanes:
            raise Unknown(f"the reference {data['reference']} has not each element once")
        if data["tv"] is None:
            if mma is None:
                raise Unknown("a copy of no mma needs a thread-value layout")
            (self.tv, self.threads, vals), tile = mma.tv(), [len(mode.image) for mode in mma.modes]
            self.images: list[list[int]] = [list(range(n)) for n in tile]
        else:
            self.tv, self.threads, vals = _atom(data["tv"])
            self.images = [numbers(t) for t in data["tiler"]]
        if self.threads % lanes or vals % values or len(self.images) != len(shape):
            raise Unknown("a tile that no whole instructions fill")
        tiles = zip(self.images, shape, strict=True)
        self.starts = [tiled(image, -(-n // len(image)) * len(image)) for image, n in tiles]
        self.lanes, self.values = lanes, values
        place = {
            e: divmod(k, lanes) for k, e in enumerate(ref)
        }  # element -> (value, thread) of the reference
        if not set(own) <= set(place):
            raise Unknown("a side whose elements are not those of the reference")
        self.own = [place[e] for e in own]
        self.steps = vals // values
        self.sizes = [self.each * self.steps, *map(len, self.starts)]
        self.elements = [self._in_tile(place) for place in self.tv]
        shifts = list(product(*reversed(self.starts)))  # of the tiles, the first mode fastest
        self.shifts = [tile[::-1] for tile in shifts]

    def _in_tile(self, place: int) -> Element | None:
        """The element at a place of the tile; None where there is none."""
        found = []
        for image in self.images:
            place, i = divmod(place, len(image))
            found.append(image[i])
        return None if place else tuple(found)

    def element(self, thread: int, x: int) -> Element:
        block, lane = divmod(thread, self.lanes)
        rest, a = divmod(x, self.each)
        tile, step = divmod(rest, self.steps)
        value, by = self.own[lane + self.lanes * a]
        found = self.elements[by + self.lanes * block + self.threads * (value + self.values * step)]
        if found is None:
            raise Unknown(f"value {x} of thread {thread} is not an element of the tile")
        return tuple([e + shift for e, shift in zip(found, self.shifts[tile], strict=True)])


def _atom(text: str) -> tuple[list[int], int, int]:
    """A (thread, value) layout as a table, and how many there are of each."""
    sizes = mode_sizes(text)
    if len(sizes) != 2:
        raise Unknown(f"{text} is not a layout of threads and values")
    return ints(text), sizes[0], sizes[1]


def retile(item: Any, env: evaluator.Env) -> tuple[dict[str, int] | None, int]:
    """The first (thread, value) that goes to a wrong register, {} where sizes differ, i (and j) where a
    register is not used once, None if all is right; and how many were visited."""
    shape = mode_sizes(item["tensor"], env)
    evaluator.syntax(item["tensor"])  # it is a shape and nothing else
    mma = Mma(item["mma"], item["operand"], shape)
    tile = Mma(item["mma"], item["operand"], [len(mode.image) for mode in mma.modes])
    copy = Copy(item["copy"], item["side"], shape, tile)
    if mode_sizes(item["fragment"], env) != mma.sizes or mode_sizes(item["view"], env) != copy.sizes:
        return {}, 1
    fragment, view = ints(item["fragment"], env), ints(item["view"], env)
    if len(mma.places) * len(view) > MOST:
        raise Unknown(f"more than {MOST} registers of all threads")
    if len(view) != len(fragment):
        return {}, 1
    for registers in (fragment, view):
        if twice := _not_each_once(registers):
            return twice, len(registers)
    held = {slot: v for v, slot in enumerate(fragment)}
    visited = 0
    for place in sorted(mma.places, key=lambda p: p[2]):
        for x, slot in enumerate(view):
            visited += 1
            if place[2] >= copy.threads or mma.element(place, held[slot]) != copy.element(place[2], x):
                return {"thread": place[2], "value": x, "slot": slot}, visited
    return None, visited


def _not_each_once(registers: Sequence[int]) -> dict[str, int]:
    """The first value outside 0 .. n-1, or the least two in one register; empty if each is used once."""
    outside = [i for i, slot in enumerate(registers) if not 0 <= slot < len(registers)]
    if outside:
        return {"i": outside[0]}
    first: dict[int, int] = {}
    pairs = [(i, j) for j, slot in enumerate(registers) if (i := first.setdefault(slot, j)) != j]
    return dict(zip("ij", min(pairs), strict=True)) if pairs else {}


def memory(item: Any, env: evaluator.Env) -> tuple[dict[str, int] | None, int]:
    """The first thread, step and value whose address is wrong, None if none is; and how many were visited."""
    inner = item["tensor"].rpartition(" o ")[2]
    shape = mode_sizes(inner, env)
    copy = Copy(item["copy"], item["side"], shape, None)
    if item["says"] == "inside":
        evaluator.syntax(item["tensor"])
    offsets = [] if item["says"] == "inside" else ints(item["tensor"], env)
    steps = prod(copy.sizes) // copy.each
    visited = 0
    for thread, step in product(range(copy.threads), range(steps)):
        elements = [copy.element(thread, x) for x in _values(copy, step)]
        outside = [v for v, e in enumerate(elements) if any(c >= n for c, n in zip(e, shape, strict=True))]
        visited += len(elements)
        if item["says"] == "inside":
            if outside:
                return {"thread": thread, "step": step, "value": outside[0]}, visited
            continue
        if outside:
            raise Unknown("a tensor that no whole tiles fill")
        row = [offsets[_index(e, shape)] for e in elements]
        if visited > MOST:
            raise Unknown(f"more than {MOST} values")
        if item["says"] == "aligned":
            if row[0] % copy.each:
                return {"thread": thread, "step": step}, visited
        elif wrong := [v for v, x in enumerate(row) if x != row[0] + v]:
            return {"thread": thread, "step": step, "value": wrong[0]}, visited
    return None, visited


def _values(copy: Copy, step: int) -> Iterator[int]:
    yield from range(copy.each * step, copy.each * (step + 1))


def _index(element: Element, shape: Sequence[int]) -> int:
    index, weight = 0, 1
    for x, n in zip(element, shape, strict=True):
        index, weight = index + weight * x, weight * n
    return index


KINDS = {"retile": retile, "memory": memory}


def at(item: Any, env: evaluator.Env = NOTHING) -> tuple[dict[str, int] | None, int]:
    """The first failure of an item at one point of its domain. Raises Unknown, evaluator.Malformed, and
    OverflowError for maps too large."""
    try:
        return KINDS[item["kind"]](item, env)
    except (LookupError, TypeError, ValueError, NameError, AttributeError, ZeroDivisionError) as error:
        if isinstance(error, evaluator.Malformed):
            raise
        raise evaluator.Malformed(f"{str(item)[:80]}: {error!r}") from None
