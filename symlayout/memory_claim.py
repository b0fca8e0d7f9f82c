"""The memory side of a copy: an access takes one address a thread and moves what lies there.

CuTe gives an instruction the address of the thread's first value and trusts the layout for the rest. So, for
all threads t, steps s and values v of one access, with L(t, s, v) the offset in memory that the partition
names:

    contiguous         L(t, s, v) = L(t, s, 0) + v
    addresses_aligned  V divides L(t, s, 0), V the values of one access (the tensor begins aligned)

    copy = make_tiled_copy_B(atoms.SM75_U32x4_LDSM_N, mma)
    prove(memory_correct(copy, V_transposed))      Refuted: thread 0, value 1 ...

`memory_correct` claims both, and that the copy moves the whole tensor and nothing else (coverage_claim.py).
How wide an access is says access_width.py. Sizes and strides may have parameters; then it is claimed for all
their values. `whole_instructions` is the same question about one atom and the registers or memory of one
thread.

This file states; `prove` decides. Source: cute/atom/copy_traits.hpp, copy_unpack (CUTLASS 4.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import Any

from . import atoms
from .access_width import access_width, by_access, lanes_an_address
from .algebra import product_each
from .atoms.atom import CopyAtom
from .atoms.value_types import value_bits
from .claim import AllOf, Claim, Failure, Pointwise, values
from .copy_tiling import TiledCopy, as_layout
from .coverage_claim import covers_tensor
from .errors import LayoutError, SymlayoutError, UnsupportedError
from .formula import Obligation, Relation
from .inttuple import flatten_to_tuple, idx2crd, show
from .layout import Layout
from .map_claims import at_digits, digits, index_of, mode_sizes
from .memory_parameters import aligned_for_all, contiguous_for_all, number
from .periods import first_index, innermost, kinds, period_of
from .swizzle import ComposedLayout
from .symbolic import Int, Var
from .tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C

MOST_POINTS = 1 << 20  # values of threads and steps that are not alike


def memory_correct(copy: TiledCopy, tensor: Any, *, side: str = "") -> Claim:
    """The copy moves the tensor in memory: all of it, nothing else, and each value as the layout says.

    The conjunction of

    - the thread and value layouts that `make_tiled_copy` was given do not overlap;
    - no thread names an element outside the tensor (the witness is one that does);
    - the values of one access lie next to each other (`contiguous`);
    - every address is a multiple of what an access moves (`addresses_aligned`), if the tensor's is;
    - every element of the tensor is moved;
    - no thread names an element twice, and, where the copy writes the tensor, no two threads write one
      element and no two elements lie in one place. Threads may read the same element, as the warps that share
      an operand do, and a tensor with stride 0.

    A tensor that is not made of whole tiles is refuted at the first element outside: what a kernel predicates
    is not in the copy.

    `tensor` is the layout in memory, swizzled or not, with parameters or without. `side` is "S" or "D";
    without it, the side that the instruction has no registers on: S of ldmatrix, D of stmatrix, S of anything
    else.

    Raises UnsupportedError for an operand that the mma reads from shared or tensor memory, and for a copy
    without a side in memory that is modelled; NeedFact where it depends on a fact how the tensor is tiled.
    """
    return AllOf(memory_parts(copy, tensor, side)).named(
        f"{_called(copy, tensor, side)} moves in {tensor} what the layout says"
    )


def memory_parts(copy: TiledCopy, tensor: Any, side: str = "") -> tuple[Claim, ...]:
    """The parts of `memory_correct`, in the order in which they are tried."""
    tensor, chosen = as_layout(tensor), memory_side_of(copy, side)
    before, after = covers_tensor(copy, tensor, chosen)
    moves = (contiguous(copy, tensor, side=chosen), addresses_aligned(copy, tensor, side=chosen))
    return (*before, *moves, *after)


def contiguous(copy: TiledCopy, tensor: Any, *, side: str = "") -> Claim:
    """The values of one access lie next to each other in memory."""
    exact = Contiguous(*_partition(copy, tensor, side))
    says = f"each access of {_called(copy, tensor, side)} moves elements that are neighbours in {tensor}"
    return contiguous_for_all(exact, exact.offsets).named(says)


def addresses_aligned(copy: TiledCopy, tensor: Any, *, side: str = "") -> Claim:
    """The address of each access is a multiple of what it moves, if the tensor's is."""
    exact = Aligned(*_partition(copy, tensor, side))
    says = f"every address that {_called(copy, tensor, side)} is given in {tensor} is aligned"
    return aligned_for_all(exact, exact.offsets).named(says)


def whole_instructions(atom: CopyAtom, tensor: Any, *, side: str = "D") -> Claim:
    """Mode 0 of one thread's tensor holds whole instructions of the atom.

    CuTe rounds up: with fewer elements the instruction still writes all of its own.
    """
    moved = (atom.layout_dst if side == "D" else atom.layout_src)[1].size()
    layout = tensor if isinstance(tensor, Layout) else Layout(tensor)
    held, bits = layout[0].size(), value_bits(atom.val_type)
    goals = (Relation("=", held % moved, 0),)
    return Whole(goals, (held % moved, 0), layout=layout, moved=moved, bits=bits).named(
        f"mode 0 of {layout} holds whole instructions of {moved} values"
    )


def memory_side_of(copy: TiledCopy, side: str = "") -> str:
    """The side that is asked about: as given, or the one without registers. Raises LayoutError for another
    letter, UnsupportedError for an operand or an instruction that has no such side."""
    if side not in ("", "S", "D"):
        raise LayoutError(f"memory_correct: side {side!r}: it is S (source) or D (destination)")
    copy.check_registers()
    if reason := copy.atom.no_memory():
        raise UnsupportedError(f"{copy.atom.name}: {reason}")
    return side or ("D" if copy.register_side == "S" else "S")


def _called(copy: TiledCopy, tensor: Any, side: str) -> str:
    """The copy's atom, and how wide its accesses are where that depends on the tensor."""
    width = access_width(copy, as_layout(tensor), memory_side_of(copy, side))
    words = width.words(copy.atom.val_type)
    return f"{copy.atom.name} ({words})" if words else copy.atom.name


def _partition(copy: TiledCopy, tensor: Any, side: str) -> tuple[Any, Any, TiledCopy, str]:
    """The offsets over (thread, value of one access, access), and what they are of."""
    tensor, chosen = as_layout(tensor), memory_side_of(copy, side)
    return by_access(copy, tensor, chosen), tensor, copy, chosen


@dataclass(frozen=True)
class _Memory(Claim):
    """What both claims share: offsets over (thread, value, step), and the texts of a failure."""

    offsets: Any
    tensor: Any
    copy: TiledCopy
    side: str

    @property
    def atom(self) -> CopyAtom:
        return self.copy.atom

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Threads, values of one instruction, steps."""
        threads, vals, steps = product_each(self.offsets.shape)
        return threads, vals, steps

    @property
    def _repeated(self) -> int:
        """How often each value is counted: lanes that give no address repeat what others move."""
        return lanes_an_address(self.copy, self.side)

    @cached_property
    def _digits(self) -> tuple[tuple[Var, ...], ...]:
        layout = self.offsets.layout if isinstance(self.offsets, ComposedLayout) else self.offsets
        return tuple(digits(mode_sizes(layout[k]), name) for k, name in enumerate(("t", "v", "s")))

    def _at(self, value: tuple[Int, ...]) -> Any:
        thread, _, step = self._digits
        return at_digits(self.offsets, (*thread, *value, *step))

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        layout = self.offsets.layout if isinstance(self.offsets, ComposedLayout) else self.offsets
        t, v, s = (index_of(mode_sizes(layout[k]), n, model) if n else 0 for k, n in enumerate(self._names()))
        return self._witness(t, s, v)

    def _names(self) -> tuple[str, str, str]:
        raise NotImplementedError

    def _witness(self, thread: int, step: int, value: int) -> dict[str, Any]:
        return {"thread": thread, "step": step, "value": value}

    def failure(self) -> Failure | None:
        """Walks an offset of every kind; the least by thread, then step, then value."""
        if not self._premises_hold():
            return None
        wrong: list[tuple[int, int, int]] = []
        count = 0
        for t, s, times in self._alike():
            first = self.offsets(t, 0, s)
            here = [(t, s, v) for v in self._values() if self._fails(first, self.offsets(t, v, s), v)]
            count += times * len(here)
            wrong += here[:1]
        return self._say(self._witness(*min(wrong)), count // self._repeated) if wrong else None

    def walked(self) -> int:
        return min(self.instances(), MOST_POINTS)

    def _alike(self) -> Iterator[tuple[int, int, int]]:
        """The least thread and step of every kind, and how many are of it: what a thread and a step add to
        the offset matters modulo a swizzle's period and the values of an instruction alone. Raises
        UnsupportedError where too many differ."""
        inside = innermost(self.offsets)
        (thr, _, rest), (d_thr, _, d_rest) = inside.shape, inside.stride
        modes = flatten_to_tuple((rest, thr)), flatten_to_tuple((d_rest, d_thr))
        _, vals, steps = self.sizes
        for kind in kinds(*modes, lcm(period_of(self.offsets), vals), MOST_POINTS // vals).values():
            yield (*divmod(kind.least, steps), kind.times)

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        t, s, v = witness["thread"], witness["step"], witness.get("value", 0)
        if not self._fails(self.offsets(t, 0, s), self.offsets(t, v, s), v):
            return None
        return self._say(dict(witness), None)

    def _values(self) -> range:
        return range(self.sizes[1])

    def _fails(self, first: int, here: int, value: int) -> bool:
        raise NotImplementedError

    def _say(self, witness: dict[str, Any], count: int | None) -> Failure:
        raise NotImplementedError

    def _element(self, offset: int) -> str:
        """The coordinate of the element at an offset."""
        at = first_index(self.tensor, offset)
        return "no element" if at is None else show(idx2crd(at, product_each(self.tensor.shape)))


@dataclass(frozen=True)
class Contiguous(_Memory):
    """L(t, s, v) = L(t, s, 0) + v. The witness is the least (thread, step, value)."""

    def text(self) -> str:
        return f"each access of {self.atom.name} moves elements that are neighbours in {self.tensor}"

    def instances(self) -> int:
        return int(self.offsets.size()) // self._repeated

    def _names(self) -> tuple[str, str, str]:
        return ("t", "v", "s")

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        thread, value, step = self._digits
        goal = Relation("=", self._at(value), self._at((0,) * len(value)) + number(value))
        order = free + thread[::-1] + step[::-1] + value[::-1]
        return (Obligation(str(self), order, self.premises, (goal,)),)

    def _fails(self, first: int, here: int, value: int) -> bool:
        return here != first + value

    def _say(self, witness: dict[str, Any], count: int | None) -> Failure:
        t, s, v = witness["thread"], witness["step"], witness["value"]
        first, want = self.offsets(t, 0, s), self.offsets(t, v, s)
        got = first + v
        who = f"thread {t} gives the address of element {self._element(first)}"
        if self.side == "S":
            moved = f"value {v} wants {self._element(want)} and gets {self._element(got)}"
        else:
            moved = f"value {v} of element {self._element(want)} goes to {self._element(got)}"
        says = f"{who}, offset {first}\n{moved}: offset {want} is not {first} + {v}{self._receiver(t, v)}"
        if count is not None:
            says += f"\n{count} of {self.instances()} values are moved wrongly"
        return Failure(witness, want, got, says, count=count)

    def repair(self) -> tuple[str, Claim] | None:
        """The instruction that transposes, or does not, in place of the one that should not, or should."""
        if self.copy.mma is None or (name := _sister(self.atom.name)) is None:
            return None
        make = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}[self.copy.operand]
        try:
            other = make(atoms.copy(name).with_type(self.atom.val_type), self.copy.mma)
            right = memory_correct(other, self.tensor, side=self.side)
        except SymlayoutError:  # no such instruction, or none for this mma
            return None
        return f"{name} is the instruction for it", right

    def _receiver(self, thread: int, value: int) -> str:
        """Who has the value in registers, where it is another lane than the one that gives the address."""
        mine, other = self.atom.layout_src, self.atom.layout_dst
        if self.side == "D":
            mine, other = other, mine
        if mine == other:
            return ""
        lane = thread % mine[0].size()
        at = values(other).index(mine((lane, value)))
        lanes = other[0].size()
        return f"\nlane {at % lanes} has it as value {at // lanes} of the instruction"


@dataclass(frozen=True)
class Aligned(_Memory):
    """V divides L(t, s, 0). The witness is the least (thread, step)."""

    def text(self) -> str:
        return f"every address that {self.atom.name} is given in {self.tensor} is aligned"

    def instances(self) -> int:
        threads, _, steps = self.sizes
        return threads * steps // self._repeated

    def _names(self) -> tuple[str, str, str]:
        return ("t", "", "s")

    def _witness(self, thread: int, step: int, value: int) -> dict[str, Any]:
        return {"thread": thread, "step": step}

    def _values(self) -> range:
        return range(1)

    def obligations(self, free: tuple[Var, ...] = ()) -> tuple[Obligation, ...]:
        thread, value, step = self._digits
        goal = Relation("=", self._at((0,) * len(value)) % self.sizes[1], 0)
        return (Obligation(str(self), free + thread[::-1] + step[::-1], self.premises, (goal,)),)

    def _fails(self, first: int, here: int, value: int) -> bool:
        return first % self.sizes[1] != 0

    def _say(self, witness: dict[str, Any], count: int | None) -> Failure:
        first = self.offsets(witness["thread"], 0, witness["step"])
        bits = value_bits(self.atom.val_type)
        unit, at = self.sizes[1] * bits // 8, first * bits // 8
        says = (
            f"thread {witness['thread']} gives the address of element {self._element(first)}, byte {at}: "
            f"{at} % {unit} = {at % unit}"
        )
        if count is not None:
            says += f"\n{count} of {self.instances()} addresses are not aligned to {unit} bytes"
        return Failure(witness, at % unit, 0, says, count=count)

    def repair(self) -> tuple[str, Claim] | None:
        """Strides padded up to what one instruction moves."""
        if not isinstance(self.tensor, Layout):
            return None
        padded = Layout._make(self.tensor.shape, _padded(self.tensor.stride, self.sizes[1]))
        if padded == self.tensor:
            return None
        return f"padded to {padded} it is right", memory_correct(self.copy, padded, side=self.side)


def _sister(name: str) -> str | None:
    """The same matrices with .trans, or without."""
    found = re.fullmatch(r"(SM\d+)_U(32|16)x(\d)_(LDSM|STSM)_([NT])", name)
    if found is None:
        return None
    family, _, count, verb, kind = found.groups()
    n = int(count)
    return f"{family}_U16x{2 * n}_{verb}_T" if kind == "N" else f"{family}_U32x{n // 2}_{verb}_N"


def _padded(stride: Any, unit: int) -> Any:
    if isinstance(stride, tuple):
        return tuple(_padded(d, unit) for d in stride)
    return stride if stride < unit else -(-stride // unit) * unit


@dataclass(frozen=True)
class Whole(Pointwise):
    """Mode 0 of a layout is a multiple of an instruction's values; a failure says what is overwritten."""

    layout: Layout = field(kw_only=True)
    moved: int = field(kw_only=True)
    bits: int = field(kw_only=True)

    def failure(self) -> Failure | None:
        if super().failure() is None:
            return None
        held = self.layout[0].size()
        own, here = held * self.bits // 8, self.moved * self.bits // 8
        says = f"mode 0 has {held} values, {own} bytes, the instruction moves {here}"
        mode = self.layout[0]
        first = mode(0) + mode(held - 1) + 1  # what follows the last value that the mode holds
        if held % self.moved and first_index(mode, first) is None:
            at = first_index(self.layout, first)
            beyond = f"offset {first}" if at is None else show(idx2crd(at, self.layout.shape))
            says += f"\nthe first element that it overwrites is {beyond}"
        return Failure({}, own, here, says)
