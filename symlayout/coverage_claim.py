"""Does a tiled copy move the whole tensor, and nothing else?

With E(t, s, v) the element of the tensor, a coordinate, that the copy names for thread t, step s and value v:

    as given    make_tiled_copy's thread and value layouts put each place of the tile on one (thread, value)
    inside      E(t, s, v) lies in the tensor, for all t, s, v
    as it lies  the copy's partition of the tensor has the offset of E(t, s, v) there, and no more values
    every       each element of the tensor is E(t, s, v) for some t, s, v
    once        no thread names an element twice; where the copy writes memory, no two threads do

Reading may overlap between threads: warps side by side along N each read the same A. Writing may not: which
of two values stays is then a matter of chance. Lanes that one instruction has at one place (of stmatrix.x1
all but eight) give no address and count as one. All of this is about elements, not about places in memory: a
tensor with stride 0 may be read; to be written, its elements have to lie in different places, which is a part
of the claim as well.

CuTe cuts a mode that is made of pieces, (24,2), piece by piece: tiles of 16 are then four, the half of them
across the end of a piece, and not the three that 48 elements have. What is read there is nobody's element.

A copy made from an mma runs on the mma's threads: 0-3 and 16-19 for one quad pair of Volta.

This file states; `prove` decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any

from .access_width import lanes_an_address
from .algebra import composition, make_identity_layout, product_each
from .claim import Claim, Failure, Pointwise, values
from .claims import injective, within
from .copy_tiling import TiledCopy
from .delivery import project
from .errors import LayoutError
from .formula import Relation
from .inttuple import flatten_to_tuple, idx2crd, product, show
from .layout import Layout
from .map_claims import Covers, EqualMaps, Injective, at_digits, common_radix, digits, index_of, mode_sizes
from .quantified import ForAll
from .swizzle import ComposedLayout

_NAMES = ("thread", "value", "step")
MOST_COUNTED = 1 << 16  # values of which those outside are counted


def covers_tensor(copy: TiledCopy, tensor: Any, side: str) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """The claims of the module's text about side "S" or "D": those that come before what is moved (as given,
    inside, as it lies), and those that come after (every, once)."""
    sizes = product_each(tensor.shape if isinstance(tensor.shape, tuple) else (tensor.shape,))
    places = _places(copy, sizes, side)
    index = _by_thread(copy, Layout(sizes), side)
    before = (*_as_given(copy), _inside(copy, places, sizes, side), *_as_it_lies(copy, tensor, index, side))
    after: tuple[Claim, ...] = (
        Moved(_once(index), product(sizes), None, sizes).named("every element of the tensor is moved"),
        _apart(copy, index, side, sizes),
    )
    if side == "D":
        after += (injective(tensor).named("no two elements of the tensor lie in one place"),)
    return before, after


def _by_thread(copy: TiledCopy, tensor: Layout, side: str) -> Layout:
    """(thread, value, step) -> what the tensor has there."""
    whole = copy.tidfrg_S(tensor) if side == "S" else copy.tidfrg_D(tensor)
    (thr, (frg_v, frg_x), rest), (d_thr, (d_v, d_x), d_rest) = whole.shape, whole.stride
    return Layout._make((thr, frg_v, (frg_x, rest)), (d_thr, d_v, (d_x, d_rest)))


def _places(copy: TiledCopy, sizes: tuple[Any, ...], side: str) -> tuple[Layout, ...]:
    """E, one layout a mode of the tensor."""
    whole = _by_thread(copy, make_identity_layout(sizes), side)
    return tuple([project(whole, k) for k in range(len(sizes))])


# --- as given ---


@dataclass(frozen=True)
class AsGiven(Injective):
    """No two places of the tile are one thread's one value. The witness is the least pair of places."""

    threads: int = field(kw_only=True)

    def text(self) -> str:
        return "the thread and value layouts put no two places of the tile on one value of one thread"

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        i, j = witness["i"], witness["j"]
        x, y = self.layout(i), self.layout(j)
        if i == j or x != y:
            return None
        tile = product_each(self.layout.shape)
        a, b = (show(idx2crd(k, tile)) for k in (i, j))
        says = (
            f"the layouts put the places {a} and {b} of the tile {show(tile)} on thread {x % self.threads}, "
            f"value {x // self.threads}\n"
            "CuTe makes another copy of them: each place needs a thread and a value of its own"
        )
        return Failure({"i": i, "j": j}, i, j, says)


def _as_given(copy: TiledCopy) -> tuple[Claim, ...]:
    given = copy.given
    if given is None:
        return ()
    all_of_them = within(given, 0, given.size()).named(
        f"the thread and value layouts number {copy.num_thr} threads of {copy.num_val} values"
    )
    apart = AsGiven(given, threads=copy.num_thr)
    return (apart.named(apart.text()), all_of_them)


# --- inside ---


@dataclass(frozen=True)
class Inside(ForAll):
    """Every element that the copy names lies in the tensor.

    The witness is the least (thread, step, value).
    """

    places: tuple[Layout, ...] = field(kw_only=True)
    sizes: tuple[Any, ...] = field(kw_only=True)
    repeated: int = field(kw_only=True)  # how many lanes name one place: see lanes_an_address
    copy: TiledCopy = field(kw_only=True)
    side: str = field(kw_only=True)

    def text(self) -> str:
        return f"the copy names no element outside the tensor {show(self.sizes)}"

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        modes = zip(_NAMES, self.places[0], strict=True)
        found = {name: index_of(mode_sizes(mode), name, model) for name, mode in modes}
        return {name: found[name] for name in ("thread", "step", "value")}

    def instances(self) -> int:
        return int(self.places[0].size()) // self.repeated

    def walked(self) -> int:
        return min(self.instances(), MOST_COUNTED)

    def failure(self) -> Failure | None:
        """The least in closed form: what the faster digits can still add bounds each digit."""
        ends = zip(self.places, self.sizes, strict=True)
        beyond = [x for p, n in ends for x in (_least_from(p, n), _least_from(p, 1, -1)) if x is not None]
        if not beyond:
            return None
        sizes = [int(product(self.places[0].shape[k])) for k in (1, 2)]
        rest, value = divmod(min(beyond), sizes[0])
        thread, step = divmod(rest, sizes[1])
        return self._say({"thread": thread, "step": step, "value": value}, self._count())

    def _count(self) -> int | None:
        """How many lie outside, where that is not too long to count."""
        if self.instances() > MOST_COUNTED:
            return None
        columns = zip(*(values(p) for p in self.places), strict=True)
        inside = (all(0 <= c < n for c, n in zip(at, self.sizes, strict=True)) for at in columns)
        return sum(not x for x in inside) // self.repeated

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        at = self._element(witness)
        if all(0 <= c < n for c, n in zip(at, self.sizes, strict=True)):
            return None
        return self._say(dict(witness), None)

    def _element(self, witness: Mapping[str, Any]) -> tuple[int, ...]:
        return tuple([p(witness["thread"], witness["value"], witness["step"]) for p in self.places])

    def _say(self, witness: dict[str, Any], count: int | None) -> Failure:
        at = self._element(witness)
        says = (
            f"thread {witness['thread']} names element {show(at)} as value {witness['value']} of step "
            f"{witness['step']}, which lies outside the tensor {show(self.sizes)}"
        )
        if count is not None:
            says += f"\n{count} of {self.instances()} values lie outside: a kernel has to predicate them"
        return Failure(witness, at, self.sizes, says, count=count)


def _least_from(place: Layout, bound: int, sign: int = 1) -> int | None:
    """The least index, counted by value, then step, then thread, at which `sign * place` is `bound` or
    more."""
    modes = [
        (s, sign * d)
        for k in (1, 2, 0)
        for s, d in zip(mode_sizes(place[k]), flatten_to_tuple(place[k].stride), strict=True)
    ]
    reach = list(accumulate((max(0, (s - 1) * d) for s, d in modes), initial=0))
    weights = list(accumulate((s for s, _ in modes), mul, initial=1))
    index = 0
    for k in range(len(modes) - 1, -1, -1):
        s, d = modes[k]
        digit = 0 if reach[k] >= bound else -(-(bound - reach[k]) // d) if d > 0 else s
        if digit >= s:
            return None
        index, bound = index + digit * weights[k], bound - digit * d
    return index if bound <= 0 else None


def _inside(copy: TiledCopy, places: tuple[Layout, ...], sizes: tuple[Any, ...], side: str) -> Claim:
    # one set of digits for all modes: the places are of one shape
    found = [digits(mode_sizes(places[0][k]), name) for k, name in enumerate(_NAMES)]
    at = [at_digits(p, tuple(v for mode in found for v in mode)) for p in places]
    goals = tuple(
        r for x, n in zip(at, sizes, strict=True) for r in (Relation("<=", 0, x), Relation("<", x, n))
    )
    order = found[0][::-1] + found[2][::-1] + found[1][::-1]
    both = Pointwise(goals, (places, sizes))
    claim = Inside(
        order, both, places=places, sizes=sizes, repeated=lanes_an_address(copy, side), copy=copy, side=side
    )
    return claim.named(claim.text())


# --- as it lies ---


@dataclass(frozen=True)
class AsItLies(EqualMaps):
    """The partition of the tensor is the tensor at the elements that the partition of its shape names.

    The witness is the least value (of the partition, thread first) where they differ.
    """

    tensor: Any = field(kw_only=True)

    def text(self) -> str:
        return f"the copy's partition of {self.tensor} is that of its elements"

    def _at(self, i: int, x: Any, y: Any) -> Failure:
        threads, count, _ = product_each(self.a.shape)
        step, value = divmod(i // threads, count)
        who = f"thread {i % threads} has offset {x} as value {value} of step {step}"
        return Failure({"i": i}, x, y, f"{who}: the element that it stands for lies at {y}")


@dataclass(frozen=True)
class AsMany(Pointwise):
    """The partition of the tensor has as many values as that of its shape."""

    remark: str = ""

    def failure(self) -> Failure | None:
        found = super().failure()
        return None if found is None else replace(found, says=self.remark)


def _as_it_lies(copy: TiledCopy, tensor: Any, index: Layout, side: str) -> tuple[Claim, ...]:
    """Nothing to claim where the pieces of each mode make whole tiles, and one tile lies as it should: with
    all of its pieces apart from each other, so that it does for any strides."""
    inside = tensor.layout if isinstance(tensor, ComposedLayout) else tensor
    if not isinstance(inside, Layout):
        return ()
    pieces = [_pieces_of_tile(mode_sizes(inside[k]), t) for k, t in enumerate(_tile(copy, inside.rank()))]
    if all(p is not None for p in pieces):
        sizes = tuple([p or (1,) for p in pieces])
        if all(len(p) == 1 for p in sizes) or _lies(copy, sizes, side):
            return ()
    cut = _by_thread(copy, inside, side)
    claim: Claim = AsItLies(cut, ComposedLayout(inside, 0, index), tensor=tensor)
    counts = cut.size(), index.size()
    if counts[0] != counts[1]:
        says = f"CuTe cuts {tensor} piece by piece, into {counts[0]} values: its tiles have {counts[1]}"
        many = AsMany((Relation("=", *counts),), counts, remark=says)
        return (many.named(claim.text()),)
    return (claim.named(claim.text()),)


def _tile(copy: TiledCopy, rank: int) -> list[Any]:
    """The tile's extent along each mode of the tensor; None for one that is not counted in a row."""
    tiler = copy.tiler_mn if isinstance(copy.tiler_mn, tuple) else (copy.tiler_mn,)
    found = [t if isinstance(t, int) else None for t in tiler]
    return [*found, *[1] * (rank - len(found))]


def _pieces_of_tile(sizes: tuple[Any, ...], tile: int | None) -> tuple[int, ...] | None:
    """The part of each piece that the first tile takes; None where tiles do not end where pieces do. A mode
    of one piece is cut as its elements are, whatever the tile."""
    if len(sizes) == 1:
        return (1,) if tile is None else (tile,)
    if tile is None:
        return None
    found = []
    for s in sizes:
        if isinstance(s, int) and tile % s == 0:
            part = s
        elif isinstance(left := s % tile, int) and left == 0:
            part = tile
        else:
            return None
        found.append(part)
        tile //= part
    return tuple(found) if tile == 1 else None


def _lies(copy: TiledCopy, sizes: tuple[tuple[int, ...], ...], side: str) -> bool:
    """Whether one tile of these pieces is partitioned as its elements are."""
    try:
        apart = iter([(prod(map(prod, sizes)) + 1) ** (k + 1) for k in range(sum(map(len, sizes)))])
        strides = tuple([tuple([next(apart) for _ in mode]) for mode in sizes])
        named = _by_thread(copy, Layout(tuple([prod(mode) for mode in sizes])), side)
        tile = Layout(sizes, strides)
        return EqualMaps(_by_thread(copy, tile, side), ComposedLayout(tile, 0, named)).failure() is None
    except LayoutError:
        return False


# --- every, and once ---


@dataclass(frozen=True)
class Moved(Covers):
    """Each element of the tensor, counted column-major, is a value of the layout."""

    sizes: tuple[Any, ...] = ()

    def _at(self, x: int, count: int) -> Failure:
        says = f"no thread moves element {show(idx2crd(x, self.sizes))}"
        return Failure({"value": x}, count, 1, says)


@dataclass(frozen=True)
class Apart(Injective):
    """No element is named twice: by one thread, or by any two where the copy writes. `threads` are those that
    mode 0 counts, empty for one thread."""

    sizes: tuple[Any, ...] = field(kw_only=True)
    threads: tuple[int, ...] = field(kw_only=True)
    values: int = field(kw_only=True)

    def text(self) -> str:
        if self.threads:
            return "no element is written by two threads, or twice"
        return "no thread reads an element twice"

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        i, j = witness["i"], witness["j"]
        x, y = self.layout(i), self.layout(j)
        if i == j or x != y:
            return None
        element = show(idx2crd(x, self.sizes))
        says = f"element {element} is {self._who(i)}, and {self._who(j)}"
        return Failure({"i": i, "j": j}, i, j, says)

    def _who(self, i: int) -> str:
        count = len(self.threads) or 1
        of, rest = i % count, i // count
        who = f"thread {self.threads[of]}'s " if self.threads else ""
        return f"{who}value {rest % self.values} of step {rest // self.values}"


def _apart(copy: TiledCopy, index: Layout, side: str, sizes: tuple[Any, ...]) -> Claim:
    own = Layout._make(index.shape[1:], index.stride[1:])
    count = int(index[1].size())
    if side == "S":
        claim = Apart(own, sizes=sizes, threads=(), values=count)
    else:
        writers, numbers = _writers(copy, index[0])
        every = Layout._make((writers.shape, *own.shape), (writers.stride, *own.stride))
        claim = Apart(every, sizes=sizes, threads=numbers, values=count)
    return claim.named(claim.text())


def _writers(copy: TiledCopy, threads: Layout) -> tuple[Layout, tuple[int, ...]]:
    """The threads whose addresses count, thread -> element, and their numbers."""
    numbers = Layout(threads.size())
    if copy.mma is not None:
        on = copy.mma.thr_layout_vmnk
        threads, numbers = (composition(x, on, unchecked=True) for x in (threads, numbers))
    shape = flatten_to_tuple(threads.shape)
    lanes = copy.atom.layout_dst[0]
    of_lanes = flatten_to_tuple(lanes.shape)
    each = prod(of_lanes)
    radix = common_radix(shape, (*of_lanes, prod(shape) // each)) if prod(shape) % each == 0 else None
    if radix is None:
        return threads, tuple(values(numbers))
    kept = []
    weight = 1
    for r in radix:
        idle = weight < each and r > 1 and lanes(weight) == lanes(0)
        kept.append(Layout(1 if idle else r, weight))
        weight *= r
    chosen = Layout._make(tuple([k.shape for k in kept]), tuple([k.stride for k in kept]))
    found: Layout = composition(threads, chosen, unchecked=True)
    return found, tuple([numbers(chosen(i)) for i in range(chosen.size())])


def _once(index: Layout) -> Layout:
    """Without the modes of stride 0, which only repeat what there is."""
    modes = zip(flatten_to_tuple(index.shape), flatten_to_tuple(index.stride), strict=True)
    kept = [(s, d) for s, d in modes if not (isinstance(d, int) and d == 0)] or [(1, 0)]
    return Layout._make(tuple([s for s, _ in kept]), tuple([d for _, d in kept]))
