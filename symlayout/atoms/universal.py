"""Atoms of one thread, and the names that take arguments: `UniversalCopy<uint32_t>`.

In Python the arguments go into parentheses, `atoms.UniversalCopy("uint32_t")`; `atoms.get` takes CUTLASS's
own spelling.

Source: cute/atom/mma_traits.hpp, copy_traits.hpp, copy_traits_sm80.hpp; cute/arch/copy.hpp, copy_sm80.hpp.
"""

from __future__ import annotations

from ..errors import LayoutError, UnsupportedError
from ..layout import Layout
from .atom import CopyAtom, MmaAtom
from .spelling import split
from .value_types import value_bits, value_type

_ONE = Layout(1)
_POINT = Layout((1, 1))


def _given(template: str, t: str) -> str:
    """The first type of a template, which has no default in CuTe either."""
    if not t:
        raise LayoutError(f"{template} is a template and needs a type: {template}('float')")
    return value_type(t)


def UniversalFMA(D: str = "", A: str = "", B: str = "", C: str = "") -> MmaAtom:
    """One thread, one multiply-add: `UniversalFMA("float")` is `UniversalFMA<float,float,float,float>`.

    As in CuTe, A defaults to D, B to A and C to D.
    """
    d = _given("UniversalFMA", D)
    a = value_type(A) if A else d
    b = value_type(B) if B else a
    c = value_type(C) if C else d
    name = f"UniversalFMA<{d},{a},{b},{c}>"
    regs = (d, 1), (a, 1), (b, 1), (c, 1)
    return MmaAtom(name, (1, 1, 1), _ONE, _POINT, _POINT, _POINT, d, a, b, c, *regs, "mma_traits.hpp")


def UniversalCopy(S: str = "", D: str = "") -> CopyAtom:
    """One thread, one assignment of an S to a D. Raises LayoutError for types under 8 bits, as CuTe does."""
    s = _given("UniversalCopy", S)
    d = value_type(D) if D else s
    name = f"UniversalCopy<{s}>" if s == d else f"UniversalCopy<{s},{d}>"
    for t in (s, d):
        if value_bits(t) < 8:
            raise LayoutError(f"{name}: {t} has {value_bits(t)} bits, and the copy needs whole bytes")
    src, dst = Layout((1, value_bits(s))), Layout((1, value_bits(d)))
    return CopyAtom(name, _ONE, src, dst, src, (s, 1), (d, 1), "copy_traits.hpp")


def AutoVectorizingCopyWithAssumedAlignment(bits: int | str = 128) -> CopyAtom:
    """Element by element as a layout; when executed, as wide as both sides and `bits` allow."""
    n = int(bits) if str(bits).isdigit() else 0
    if n not in (8, 16, 32, 64, 128):
        raise LayoutError(
            f"AutoVectorizingCopyWithAssumedAlignment<{bits}>: the alignment is 8, 16, 32, 64 or 128"
        )
    return _auto(f"AutoVectorizingCopyWithAssumedAlignment<{n}>", n)


def _auto(name: str, bits: int) -> CopyAtom:
    reg = (f"uint{bits}_t", 1)
    return CopyAtom(name, _ONE, _POINT, _POINT, _POINT, reg, reg, "copy_traits.hpp")


_CP_ASYNC = {  # operation -> sizes in bytes
    "SM80_CP_ASYNC_CACHEALWAYS": (4, 8, 16),
    "SM80_CP_ASYNC_CACHEGLOBAL": (16,),
    "SM80_CP_ASYNC_CACHEALWAYS_ZFILL": (4, 8, 16),
    "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL": (16,),
}


def _cp_async(operation: str, S: str, D: str = "") -> CopyAtom:
    s = _given(operation, S)
    d = value_type(D) if D else s
    name = f"{operation}<{s}>" if s == d else f"{operation}<{s},{d}>"
    if value_bits(s) != value_bits(d):
        raise LayoutError(
            f"{name}: {value_bits(s)} bits against {value_bits(d)}; source and destination are one size"
        )
    sizes = _CP_ASYNC[operation]
    if value_bits(s) // 8 not in sizes:
        raise LayoutError(
            f"{name}: cp.async copies {' or '.join(map(str, sizes))} bytes here, {s} has {value_bits(s) // 8}"
        )
    row = Layout((1, value_bits(s)))
    cached = "ca" if "ALWAYS" in operation else "cg"
    ptx = f"cp.async.{cached}.shared.global.L2::128B"
    return CopyAtom(name, _ONE, row, row, row, (s, 1), (d, 1), "copy_traits_sm80.hpp", ptx=ptx)


def SM80_CP_ASYNC_CACHEALWAYS(S: str = "", D: str = "") -> CopyAtom:
    """cp.async.ca of 4, 8 or 16 bytes."""
    return _cp_async("SM80_CP_ASYNC_CACHEALWAYS", S, D)


def SM80_CP_ASYNC_CACHEGLOBAL(S: str = "", D: str = "") -> CopyAtom:
    """cp.async.cg of 16 bytes."""
    return _cp_async("SM80_CP_ASYNC_CACHEGLOBAL", S, D)


def SM80_CP_ASYNC_CACHEALWAYS_ZFILL(S: str = "", D: str = "") -> CopyAtom:
    """cp.async.ca that writes zeros where its predicate is false."""
    return _cp_async("SM80_CP_ASYNC_CACHEALWAYS_ZFILL", S, D)


def SM80_CP_ASYNC_CACHEGLOBAL_ZFILL(S: str = "", D: str = "") -> CopyAtom:
    """cp.async.cg that writes zeros where its predicate is false."""
    return _cp_async("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL", S, D)


PARAMETRIC = {
    f.__name__: f
    for f in (
        UniversalFMA,
        UniversalCopy,
        AutoVectorizingCopyWithAssumedAlignment,
        SM80_CP_ASYNC_CACHEALWAYS,
        SM80_CP_ASYNC_CACHEGLOBAL,
        SM80_CP_ASYNC_CACHEALWAYS_ZFILL,
        SM80_CP_ASYNC_CACHEGLOBAL_ZFILL,
    )
}


def instantiate(name: str) -> MmaAtom | CopyAtom | None:
    """The atom that `Base<arguments>` names, or None when Base takes no arguments or is unknown.

    Raises UnsupportedError for an unknown value type or a wrong number of arguments, LayoutError for what
    CuTe refuses.
    """
    parts = split(name)
    make = None if parts is None else PARAMETRIC.get(parts[0])
    if parts is None or make is None or "<" not in name:
        return None
    base, arguments = parts
    most = {"UniversalFMA": 4, "AutoVectorizingCopyWithAssumedAlignment": 1}.get(base, 2)
    if not 1 <= len(arguments) <= most:
        raise UnsupportedError(f"{name}: {base} takes 1 to {most} arguments, here are {len(arguments)}")
    return make(*arguments)


MMA: tuple[MmaAtom, ...] = (UniversalFMA("float"), UniversalFMA("double"), UniversalFMA("half_t"))
COPY: tuple[CopyAtom, ...] = (
    *(
        UniversalCopy(t)
        for t in (
            "uint8_t uint16_t uint32_t uint64_t uint128_t half_t bfloat16_t tfloat32_t float double".split()
        )
    ),
    _auto("DefaultCopy", 8),
    _auto("AutoVectorizingCopy", 128),
    *(AutoVectorizingCopyWithAssumedAlignment(n) for n in (8, 128)),
    *(_cp_async(op, f"uint{8 * n}_t") for op, sizes in _CP_ASYNC.items() for n in sizes),
)
