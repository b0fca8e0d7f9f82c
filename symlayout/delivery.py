"""Who gets which element: the two sides of a retile, as layouts, and whether they meet.

A tiled copy delivers, to hardware thread t as its a-th value of copy step g, the tile element D(t, (a,g)).
The MMA expects in register slot F(v) of logical thread l, which runs on hardware thread T(l), the tile
element P(l, v); F is the fragment. A view R(a,g) names the slot that each delivered value goes to. It is
right iff

    P(l, F^-1(R(a,g))) = D(T(l), (a,g))      for all l, a, g, and R hits every slot exactly once.

Tile elements are coordinates, so D and P are tuples of integer layouts, one a tensor mode: `delivered[k]` has
modes (hardware thread, (a, g...)), `expected[k]` has modes (logical thread, (v, rest...)), `threads` is T.
Those are what a prover needs; `fault` decides the same here without one. Both sides are sums, D(t,x) = D(t,0)
+ D(0,x) and likewise P, so the claim holds everywhere iff it holds along the two axes, and wrong registers
are counted without visiting them all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .algebra import layout_from_table
from .basis import ScaledBasis
from .errors import LayoutError
from .inttuple import flatten_to_tuple, idx2crd, product, rank, show
from .layout import Layout

Coordinate = tuple[int, ...]


def project(layout: Layout, k: int) -> Layout:
    """Coordinate k of a layout into coordinates, as an integer layout of the same shape.

    `project((4,8):(1@0,1@1), 1)` is `(4,8):(0,1)`. k counts top-level modes; raises LayoutError for a stride
    inside one (`1@0@1`), and for an integer stride other than 0.
    """

    def go(d: Any) -> Any:
        if isinstance(d, tuple):
            return tuple([go(x) for x in d])
        if isinstance(d, ScaledBasis):
            if len(d.modes) != 1:
                raise LayoutError(f"project: the stride {d} lies inside a nested coordinate")
            return d.value if d.modes[0] == k else 0
        if d != 0:
            raise LayoutError(f"project: the stride {d} of {layout} is not a step along a coordinate")
        return 0

    return Layout._make(layout.shape, go(layout.stride))


@dataclass(frozen=True)
class Fault:
    """Where a view goes wrong. `thread` is the hardware thread, `index` the least delivered value in
    column-major order; `want` is what the mma reads from `slot`, `got` what the copy writes there."""

    thread: int
    index: int
    coordinate: Any
    slot: int
    want: Coordinate | None
    got: Coordinate
    wrong: int
    total: int


@dataclass(frozen=True)
class Delivery:
    """Both sides of one retile over one tensor, and the view between them. See the module's text."""

    threads: Layout
    delivered: tuple[Layout, ...]
    expected: tuple[Layout, ...]
    fragment: Layout
    view: Layout

    @cached_property
    def mismatch(self) -> str:
        """Why the view cannot even be asked about: sizes that differ, a fragment that repeats a slot. Empty
        when it can."""
        lines = []
        copied, held = self.delivered[0][1].shape, self.expected[0][1].shape
        if _sizes(copied) != _sizes(self.view.shape):
            lines.append(f"partition has {_compared(copied, 'view', self.view.shape)}")
        if _sizes(held) != _sizes(self.fragment.shape):
            lines.append(f"the mma's partition has {_compared(held, 'fragment', self.fragment.shape)}")
        slots = _values(self.fragment)
        if len(set(slots)) != len(slots):
            lines.append(f"fragment {self.fragment} puts several values into one register")
        return "\n  ".join(lines)

    @cached_property
    def _slot_element(self) -> dict[int, Coordinate]:
        """slot -> P(0, F^-1(slot))."""
        return dict(zip(_values(self.fragment), _points([p[1] for p in self.expected]), strict=False))

    @cached_property
    def _thread_shift(self) -> list[tuple[int, Coordinate]]:
        """(hardware thread, D(T(l), 0) - P(l, 0)) for every logical thread l, ascending by hardware
        thread."""
        ids = _values(self.threads)
        expected = _points([p[0] for p in self.expected])
        delivered = [tuple([d[0](t) for d in self.delivered]) for t in ids]
        shifts = [
            (t, tuple([x - y for x, y in zip(d, p, strict=True)]))
            for t, d, p in zip(ids, delivered, expected, strict=True)
        ]
        return sorted(shifts)

    @cached_property
    def fault(self) -> Fault | None:
        """The first wrong register, by hardware thread and then by delivered value; None when the view is
        right.

        Raises LayoutError when `mismatch` is not empty.
        """
        if self.mismatch:
            raise LayoutError(self.mismatch)
        wants = self._slot_element
        slots = _values(self.view)
        gots = _points([d[1] for d in self.delivered])
        # the difference that a value needs between the two thread parts to be right; None where no slot is
        needs = [
            tuple([w - g for w, g in zip(wants[s], got, strict=True)]) if s in wants else None
            for s, got in zip(slots, gots, strict=True)
        ]
        count = Counter(needs)
        total = len(self._thread_shift) * len(slots)
        wrong = total - sum(count[shift] for _, shift in self._thread_shift)
        repeated = len(set(slots)) != len(slots)
        for t, shift in self._thread_shift:
            for i, need in enumerate(needs):
                if need != shift:
                    at = tuple([d[0](t) for d in self.delivered])
                    got = _plus(at, gots[i])
                    want = (
                        None
                        if need is None
                        else _plus(got, tuple(n - s for n, s in zip(need, shift, strict=True)))
                    )
                    return Fault(t, i, idx2crd(i, self.view.shape), slots[i], want, got, wrong, total)
        if repeated:  # every value is right where it goes, but some slot is never written
            i = next(i for i, s in enumerate(slots) if s in slots[:i])
            t = self._thread_shift[0][0]
            return Fault(t, i, idx2crd(i, self.view.shape), slots[i], None, gots[i], wrong, total)
        return None

    def fault_at(self, thread: int, index: int) -> Fault | None:
        """The fault of one delivered value of one hardware thread, None if it is right or the thread takes no
        part."""
        wants, slot = self._slot_element, self.view(index)
        got = tuple([d[0](thread) + d[1](index) for d in self.delivered])
        for t, shift in self._thread_shift:
            if t == thread:
                here = tuple([d[0](t) - s for d, s in zip(self.delivered, shift, strict=True)])
                want = _plus(here, wants[slot]) if slot in wants else None
                if want == got:
                    return None
                first = self.fault
                wrong, total = (first.wrong, first.total) if first is not None else (1, 1)
                return Fault(t, index, idx2crd(index, self.view.shape), slot, want, got, wrong, total)
        return None

    def register_value(self, slot: int) -> int | None:
        """The fragment's value, as an index, that lives in this register."""
        slots = _values(self.fragment)
        return slots.index(slot) if slot in slots else None

    @property
    def wrong_registers(self) -> int:
        """How many of all threads' registers would hold a wrong element."""
        return 0 if self.fault is None else self.fault.wrong

    def right_view(self) -> Layout:
        """R*(a,g) = F(P_t^-1(D(t,(a,g)))): the view that is right, with the view's own shape where a layout
        of that shape exists, and with its modes split further where not.

        Raises LayoutError when there is none, naming the thread or the value at which it fails: the element
        is not the thread's, the slot depends on the thread, or the slots follow no strides.
        """
        copied = self.delivered[0][1]
        for t, shift in self._thread_shift:
            if any(shift):
                t0 = self._thread_shift[0][0]
                raise LayoutError(
                    f"no right view: it would depend on the thread\n  thread {t} is delivered elements "
                    f"{show(shift)} away from those it holds, thread {t0} is not"
                )
        slot_of = {element: slot for slot, element in self._slot_element.items()}
        slots = []
        for i, element in enumerate(_points([d[1] for d in self.delivered])):
            if element not in slot_of:
                at = show(idx2crd(i, copied.shape))
                raise LayoutError(
                    f"no right view: thread 0 is delivered element {show(element)} as value {at}, "
                    "which it does not hold"
                )
            slots.append(slot_of[element])
        if len(set(slots)) != len(slots) or len(slots) != self.fragment.size():
            raise LayoutError(
                f"no right view: {len(slots)} values are delivered for {self.fragment.size()} registers"
            )
        shape = self.view.shape if _sizes(self.view.shape) == _sizes(copied.shape) else copied.shape
        view: Layout = layout_from_table(slots, shape)
        return view


def _values(layout: Layout) -> list[int]:
    """All values, column-major, without dividing: one mode after the other."""
    values = [0]
    for s, d in zip(flatten_to_tuple(layout.shape), flatten_to_tuple(layout.stride), strict=True):
        values = [v + j * d for j in range(s) for v in values]
    return values


def _points(layouts: list[Layout]) -> list[Coordinate]:
    return list(zip(*[_values(x) for x in layouts], strict=True))


def _plus(a: Coordinate, b: Coordinate) -> Coordinate:
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple([product(s) for s in shape]) if isinstance(shape, tuple) else (shape,)


def _compared(shape: Any, other: str, has: Any) -> str:
    """Two counts of values, as in `16 values, view has 4`, and how they are made up where there are modes."""
    modes = max(rank(shape), rank(has)) > 1
    by_mode = f"; by mode {show(_sizes(shape))} and {show(_sizes(has))}" if modes else ""
    return f"{product(shape)} values, {other} has {product(has)}{by_mode}"
