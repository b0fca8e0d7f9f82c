"""Bank conflicts of a tiled copy: how many wavefronts each phase of its accesses to shared memory takes.

    copy = make_tiled_copy_A(atoms.SM75_U32x4_LDSM_N, mma)
    prove(conflict_free(copy, Layout((64, 64), (72, 1))))        Proved
    prove(wavefronts(copy, Layout((64, 64), (64, 1)), 8))        Proved: 8 where 1 would do

Over the model of smem.py, for all steps of the copy, warps, and phases of an access: addresses are aligned,
and the words of a phase that lie in one bank are at most (or exactly) so many. The lanes of a phase name
16, 8 or 4 bytes each, aligned, so two of them meet in a bank iff their addresses agree modulo 128 bytes;
lanes that name fewer bytes meet iff their words do. That the copy moves what the layout says is another
claim, memory_claim's.

The tensor may have parameters in its strides and sizes; then the claim is for all their values. This file
states; `prove` decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from .access_width import Width, access_width
from .algebra import product_each
from .atoms.value_types import value_bits
from .bank_repair import padded, swizzled
from .claim import AllOf, Claim, Failure
from .copy_tiling import TiledCopy
from .errors import LayoutError, UnsupportedError
from .inttuple import idx2crd, show
from .memory_claim import addresses_aligned
from .periods import first_index
from .phases import NAMES, addresses, phases
from .smem import BANKS, WORD, Access, Accesses, access_of, memory_side
from .spread_claim import Spread, first_clash, fullest


def conflict_free(copy: TiledCopy, tensor: Any) -> Claim:
    """Every phase of every access of the copy to the tensor in shared memory takes one wavefront.

    The tensor begins at a multiple of 128 bytes. It is what the copy reads, or what it writes where its
    registers are the source (stmatrix) or it has none (cp.async.ca). Raises UnsupportedError for a copy whose
    accesses are not modelled.
    """
    return _claim(copy, tensor, 1, 1, f"{_called(copy, tensor)} has no bank conflicts in {tensor}")


def at_most_wavefronts(copy: TiledCopy, tensor: Any, n: int) -> Claim:
    """No phase of any access takes more than n wavefronts."""
    return _claim(
        copy, tensor, 1, n, f"{_called(copy, tensor)} takes at most {_times(n)} a phase in {tensor}"
    )


def wavefronts(copy: TiledCopy, tensor: Any, n: int) -> Claim:
    """Every phase of every access takes exactly n wavefronts: n words are wanted of one bank, and of no bank
    more."""
    return _claim(
        copy, tensor, n, n, f"{_called(copy, tensor)} takes exactly {_times(n)} a phase in {tensor}"
    )


def _times(n: int) -> str:
    return f"{n} wavefront{'s' * (n != 1)}"


def _called(copy: TiledCopy, tensor: Any) -> str:
    """The copy's atom, and how wide its accesses are where that depends on the tensor."""
    words = access_width(copy, tensor, memory_side(copy)).words(copy.atom.val_type)
    return f"{copy.atom.name} ({words})" if words else copy.atom.name


def _claim(copy: TiledCopy, tensor: Any, low: int, high: int, says: str) -> Claim:
    if type(high) is not int or high < 1:
        raise LayoutError(f"wavefronts: {high!r} a phase; a positive integer is needed")
    width = access_width(copy, tensor, memory_side(copy))
    access = access_of(copy, tensor, width)
    access.phase_wavefronts([0])  # refuses an instruction of whose phases there is no model
    bits = value_bits(copy.atom.val_type)
    wide = max(access.bytes, WORD)
    if 8 * wide % bits:
        raise UnsupportedError(f"{copy.atom.val_type}: {wide} bytes are not a whole number of values")
    side = memory_side(copy)
    named = addresses(copy, tensor, side)
    layout, surely = phases(access, named)
    if not surely and low > 1:
        raise UnsupportedError(f"{access.instruction}: whether its phases merge depends on the parameters")
    banks = Banks(
        layout=layout,
        names=NAMES,
        unit=8 * wide // bits,
        classes=BANKS * WORD // wide,
        low=low,
        high=high,
        each_lane=not access.shares,
        copy=copy,
        tensor=tensor,
        width=width,
    )
    return AllOf((addresses_aligned(copy, tensor, side=side), banks)).named(says)


@dataclass(frozen=True)
class Phase:
    """One phase of an access: the addresses of its lanes in bytes, and the wavefronts that it takes."""

    step: int
    warp: int
    number: int
    addresses: list[int]
    taken: int

    @property
    def first(self) -> int:
        """Its first lane."""
        return self.number * len(self.addresses)

    def place(self) -> tuple[int, int, int]:
        """In the order of witnesses."""
        return self.step, self.warp, self.number


@dataclass(frozen=True)
class Alike:
    """The phases of one access, and how many accesses put their words into banks as it does."""

    phases: list[Phase]
    count: int


@dataclass(frozen=True)
class Banks(Spread):
    """How many words of a phase lie in one bank. On integers it is the model of smem.py that answers.

    The witness is the least step, warp and phase; where one wavefront is claimed also the least two lanes of
    the warp that want different words of one bank.
    """

    copy: TiledCopy = field(kw_only=True)
    tensor: Any = field(kw_only=True)
    width: Width = field(kw_only=True)

    @property
    def _access(self) -> Access:
        return access_of(self.copy, self.tensor, self.width)

    def text(self) -> str:
        most = f"at most {_times(self.high)}" if self.low == 1 else f"exactly {_times(self.high)}"
        return f"every phase of {self.copy.atom.name} in {self.tensor} takes {most}"

    def read(self, model: Mapping[str, int]) -> dict[str, Any]:
        where = super().read(model)
        first = where["phase"] * self.lanes
        return {name: x + first if name in ("lane", "other") else x for name, x in where.items()}

    def failure(self) -> Failure | None:
        if not self._premises_hold():
            return None
        try:
            found = self._alike
        except LayoutError:  # an address that is not aligned, which is another part of the claim
            return super().failure()
        wrong = [a for a in found if any(map(self._is_wrong, a.phases))]
        if not wrong:
            return None
        total = sum(a.count * sum(p.taken for p in a.phases) for a in found)
        crowded, served = (sum(a.count for a in some if a.phases) for some in (wrong, found))
        phases = sum(a.count * len(a.phases) for a in found)
        bad = sum(a.count * sum(map(self._is_wrong, a.phases)) for a in wrong)
        says = (
            f"{crowded} of {served} accesses and {bad} of {phases} phases are like that: "
            f"{_times(total)} in all, {_decimal(Fraction(total, phases))} a phase"
        )
        least = min((p for a in wrong for p in a.phases if self._is_wrong(p)), key=Phase.place)
        first = self._say(least)
        return replace(first, says=f"{first.says}\n{says}", count=bad)

    def failure_at(self, witness: Mapping[str, Any]) -> Failure | None:
        step, warp, number = (witness[name] for name in ("step", "warp", "phase"))
        phase = self._phases(step, warp, Accesses(self.copy, self.tensor, self.width).at(step, warp))[number]
        return self._say(phase) if self._is_wrong(phase) else None

    def _is_wrong(self, phase: Phase) -> bool:
        return not self.low <= phase.taken <= self.high

    @cached_property
    def _alike(self) -> list[Alike]:
        """One access of every kind. Raises LayoutError for an address that is not aligned."""
        return [
            Alike(self._phases(step, warp, named), count)
            for step, warp, named, count in Accesses(self.copy, self.tensor, self.width).alike()
        ]

    def _phases(self, step: int, warp: int, named: list[int]) -> list[Phase]:
        access = self._access
        return [
            Phase(step, warp, k, phase, access.phase_wavefronts(phase))
            for k, phase in enumerate(access.phases(named))
        ]

    def _say(self, phase: Phase) -> Failure:
        access = self._access
        wide = max(access.bytes, WORD)
        units = [a // wide for a in phase.addresses]
        witness: dict[str, Any] = {"step": phase.step, "warp": phase.warp, "phase": phase.number}
        lanes = fullest(units, self.classes, self.each_lane)
        if self.high == 1:
            pair = first_clash(units, self.classes, self.each_lane)
            witness |= {name: phase.first + k for name, k in zip(("lane", "other"), pair, strict=True)}
            lanes = [*pair, *(k for k in lanes if k not in pair)] if set(pair) & set(lanes) else [*pair]
        right = self.high if phase.taken > self.high else self.low
        lines = [
            f"phase {phase.number} of {access.instruction}, lanes {phase.first} to "
            f"{phase.first + len(units) - 1}, takes {_times(phase.taken)} instead of {right}",
            *self._lanes(phase, lanes, wide),
        ]
        return Failure(witness, _times(phase.taken), _times(right), "\n".join(lines))

    def _lanes(self, phase: Phase, lanes: list[int], wide: int) -> list[str]:
        """What the first two of some lanes of one bank name, and who they all are."""
        at = phase.addresses[lanes[0]] // WORD % BANKS
        banks = f"bank {at}" if wide == WORD else f"banks {at} to {at + wide // WORD - 1}"
        named = [
            f"lane {phase.first + k} names {self._element(phase.addresses[k])}, byte {phase.addresses[k]}"
            for k in lanes[:2]
        ]
        who = ", ".join(str(phase.first + k) for k in lanes)
        if len(lanes) == 1:
            return [*named, f"no other lane wants a word of {banks}"]
        return [*named, f"lanes {who} want {'' if self.each_lane else 'different '}words of {banks}"]

    def _element(self, byte: int) -> str:
        """The element that begins at a byte."""
        at = first_index(self.tensor, byte * 8 // value_bits(self.copy.atom.val_type))
        if at is None:
            return "no element"
        return f"element {show(idx2crd(at, product_each(self.tensor.shape)))}"

    def repair(self) -> tuple[str, Claim] | None:
        """A swizzle, and longer rows, whichever there is."""
        if self.low > 1:
            return None
        bits = value_bits(self.copy.atom.val_type)
        unit = max(1, 8 * self._access.bytes // bits)
        ways: tuple[Iterator[Any], ...] = (swizzled(self.tensor, bits), padded(self.tensor, unit))
        found = [t for tensors in ways if (t := next(filter(self._good, tensors), None)) is not None]
        if not found:
            return None
        says = f"{' and '.join(map(str, found))} {'take' if len(found) > 1 else 'takes'}"
        right = AllOf(tuple([_claim(self.copy, t, 1, self.high, "") for t in found]))
        return f"{says} {'at most ' * (self.high > 1)}{_times(self.high)} a phase", right

    def _good(self, tensor: Any) -> bool:
        try:
            width = access_width(self.copy, tensor, memory_side(self.copy))
            found = replace(self, tensor=tensor, width=width)._alike
            return all(p.taken <= self.high for a in found for p in a.phases)
        except LayoutError:
            return False


def _decimal(x: Fraction) -> str:
    return str(x) if x.denominator == 1 else f"{float(x):.2f}"
