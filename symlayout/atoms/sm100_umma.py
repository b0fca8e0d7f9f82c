"""Blackwell: tcgen05.mma, by one CTA or by a pair.

    atoms.get("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>")
    atoms.SM100_MMA_F16BF16_SS("half_t", "half_t", "float", 128, 128)

The layouts know no lanes: a thread of these atoms is a CTA, and it holds all it has column by column. A lies
in shared memory (`_SS`) or tensor memory (`_TS`), B in shared memory, C in tensor memory. Two CTAs (`_2x1SM`)
hold half of the rows of A, C and B each.

| | (CTA, value) -> tile of R x K |
|---|---|
| one CTA | `(1,(R,K)):(0,(1,R))` |
| two | `(2,(R/2,K)):(R/2,(1,R))`, C: `(2,(M/2,N)):(M/2,(1,M))` |

Source: cute/atom/mma_traits_sm100.hpp, cute/arch/mma_sm100_umma.hpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..errors import UnsupportedError
from ..layout import Layout
from .atom import MmaAtom
from .spelling import join, split
from .value_types import value_bits, value_type

_HEADER = "mma_traits_sm100.hpp"


class Template(NamedTuple):
    """One class template of CUTLASS: what its arguments may be."""

    kind: str  # PTX's .kind
    ctas: int
    a_in_tensor_memory: bool
    bits: tuple[int, ...]  # of an element of A or B
    k: int
    m: tuple[int, ...]
    n: str  # which N it takes: a key of _N
    scaled: int = 0  # arguments for scale factors: 1 is sf_type, 2 is sf_type and the vector's size
    signs: bool = True  # whether A and B can be negated
    sparse: bool = False  # A stores one of two elements; k counts both


# N that CUTLASS's static_assert lets through
_N: dict[str, Callable[[int, int], bool]] = {
    "a multiple of 8": lambda m, n: n % 8 == 0,
    "a multiple of 16": lambda m, n: n % 16 == 0,
    "a multiple of 32": lambda m, n: n % 32 == 0,
    "8 or a multiple of 16": lambda m, n: n == 8 or n % 16 == 0,
    "a multiple of 8, for M = 128 of 16": lambda m, n: n % (8 if m == 64 else 16) == 0,
}
_BY_M = "a multiple of 8, for M = 128 of 16"
_ONE, _TWO = (64, 128), (128, 256)
_NARROW = (4, 6, 8)

TEMPLATES = {
    "SM100_MMA_TF32_SS": Template("tf32", 1, False, (32,), 8, _ONE, "a multiple of 8"),
    "SM100_MMA_TF32_TS": Template("tf32", 1, True, (32,), 8, _ONE, _BY_M),
    "SM100_MMA_TF32_2x1SM_SS": Template("tf32", 2, False, (32,), 8, _TWO, "a multiple of 16"),
    "SM100_MMA_TF32_2x1SM_TS": Template("tf32", 2, True, (32,), 8, _TWO, "a multiple of 32"),
    "SM100_MMA_F16BF16_SS": Template("f16", 1, False, (16,), 16, _ONE, "a multiple of 8"),
    "SM100_MMA_F16BF16_TS": Template("f16", 1, True, (16,), 16, _ONE, _BY_M),
    "SM100_MMA_F16BF16_2x1SM_SS": Template("f16", 2, False, (16,), 16, _TWO, "a multiple of 16"),
    "SM100_MMA_F16BF16_2x1SM_TS": Template("f16", 2, True, (16,), 16, _TWO, "a multiple of 32"),
    "SM100_MMA_S8_SS": Template("i8", 1, False, (8,), 32, _ONE, "8 or a multiple of 16", signs=False),
    "SM100_MMA_S8_TS": Template("i8", 1, True, (8,), 32, _ONE, "8 or a multiple of 16"),
    "SM100_MMA_S8_2x1SM_SS": Template("i8", 2, False, (8,), 32, _TWO, "a multiple of 32", signs=False),
    "SM100_MMA_S8_2x1SM_TS": Template("i8", 2, True, (8,), 32, _TWO, "a multiple of 32"),
    "SM100_MMA_F8F6F4_TS": Template("f8f6f4", 1, True, _NARROW, 32, _ONE, _BY_M),
    "SM100_MMA_F8F6F4_2x1SM_TS": Template("f8f6f4", 2, True, _NARROW, 32, _TWO, "a multiple of 32"),
    "SM100_MMA_MXF8F6F4_SS": Template("mxf8f6f4", 1, False, _NARROW, 32, (128,), "a multiple of 8", 1),
    "SM100_MMA_MXF8F6F4_2x1SM_SS": Template("mxf8f6f4", 2, False, _NARROW, 32, (256,), "a multiple of 16", 1),
    "SM100_MMA_MXF4_SS": Template("mxf4", 1, False, (4,), 64, (128,), "a multiple of 8", 2),
    "SM100_MMA_MXF4_2x1SM_SS": Template("mxf4", 2, False, (4,), 64, _TWO, "a multiple of 16", 2),
}

TEMPLATES |= {  # sparse: twice the K, A in shared memory
    f"{base}_SPARSE": template._replace(k=2 * template.k, sparse=True)
    for base, template in list(TEMPLATES.items())
    if base.endswith("_SS") and not template.scaled
}
TEMPLATES |= {
    "SM100_MMA_F8F6F4_SS_SPARSE": Template("f8f6f4", 1, False, _NARROW, 64, _ONE, _BY_M, sparse=True),
    "SM100_MMA_F8F6F4_2x1SM_SS_SPARSE": Template(
        "f8f6f4", 2, False, _NARROW, 64, _TWO, "a multiple of 32", sparse=True
    ),
}

_MAJORS = ("UMMA::Major::K", "UMMA::Major::MN")
_SIGNS = ("UMMA::ScaleIn::One", "UMMA::ScaleIn::Neg")
_SATURATE = ("UMMA::Saturate::False", "UMMA::Saturate::True")

# what `instances` lists of each kind: types, and sizes that CUTLASS's own kernels use
_USUAL = {
    "tf32": ("tfloat32_t", "tfloat32_t", "float"),
    "f16": ("half_t", "half_t", "float"),
    "i8": ("int8_t", "int8_t", "int32_t"),
    "f8f6f4": ("float_e4m3_t", "float_e4m3_t", "float"),
    "mxf8f6f4": ("float_e4m3_t", "float_e4m3_t", "float", "float_ue8m0_t"),
    "mxf4": ("float_e2m1_t", "float_e2m1_t", "float", "float_ue8m0_t"),
}
_USUAL_N = (8, 16, 32, 64, 128, 256)


def instances() -> Iterator[str]:
    """The usual instances, K-major."""
    for base, template in TEMPLATES.items():
        for m in template.m:
            for n in _USUAL_N:
                if _N[template.n](m, n):
                    vector = ("32",) if template.scaled == 2 else ()
                    yield join(base, (*_USUAL[template.kind], str(m), str(n), *vector, *_MAJORS[:1] * 2))


def instantiate(name: str) -> MmaAtom | None:
    """The atom of that name, None when it is not a tcgen05.mma's.

    Raises UnsupportedError for arguments that CUTLASS does not take.
    """
    parts = split(name)
    if parts is None or parts[0] not in TEMPLATES:
        return None
    return make(*parts)


def make(base: str, args: tuple[str, ...]) -> MmaAtom:
    """The instance of a template; a missing Major is K. Raises UnsupportedError as above."""
    template = TEMPLATES[base]
    name = join(base, args)
    types = 4 if template.scaled else 3
    sizes = 3 if template.scaled == 2 else 2
    if len(args) < types + sizes:
        wanted = "a_type, b_type, c_type" + (", sf_type" if types == 4 else "")
        raise UnsupportedError(
            f"{name}: {base} takes {wanted}, M, N{', VS' if sizes == 3 else ''} and the Majors of A and B"
        )
    a, b, c, *scale = (value_type(t) for t in args[:types])
    m, n, *vector = (_integer(name, x) for x in args[types : types + sizes])
    major_a, major_b, *flags = _flags(name, template, args[types + sizes :])
    for t in (a, b):
        if value_bits(t) not in template.bits:
            raise UnsupportedError(
                f"{name}: {t} has {value_bits(t)} bits, wanted {' or '.join(map(str, template.bits))}"
            )
    if m not in template.m:
        raise UnsupportedError(f"{name}: M = {m}, wanted {' or '.join(map(str, template.m))}")
    if not 8 <= n <= 256 or not _N[template.n](m, n):
        raise UnsupportedError(f"{name}: N = {n}\n  N is {template.n}, up to 256")
    if template.a_in_tensor_memory and major_a != _MAJORS[0]:
        raise UnsupportedError(f"{name}: A in tensor memory is K-major")
    full = join(base, (a, b, c, *scale, *map(str, (m, n, *vector)), major_a, major_b, *flags))
    return _atom(full, template, (a, b, c), (m, n), (major_a, major_b), vector)


def _atom(
    name: str,
    t: Template,
    types: tuple[str, str, str],
    mn: tuple[int, int],
    majors: tuple[str, str],
    vector: list[int],
) -> MmaAtom:
    (a, b, c), (m, n) = types, mn
    storage = "int32_t" if t.a_in_tensor_memory and t.ctas == 1 else "uint32_t"
    mode = "NonInterleaved" if t.a_in_tensor_memory and t.ctas == 1 else "Interleaved"
    a_mode = "NonInterleaved" if t.ctas == 1 else "Duplicated"
    in_tensor = f"UMMA::tmem_frg<{a},{a},{t.ctas},UMMA::TmemAllocMode::{a_mode}>"
    descriptor = ("uint64_t", 1)
    return MmaAtom(
        name,
        (m, n, t.k),
        Layout(t.ctas),
        *(_rows(m, t.k, t.ctas), _rows(n, t.k, t.ctas), _rows(m, n, t.ctas)),
        *(c, f"sparse_elem<2,{a}>" if t.sparse else a, b, c),
        *(("void", 0), ("uint32_t", 1) if t.a_in_tensor_memory else descriptor, descriptor, ("uint32_t", 1)),
        _HEADER,
        ptx=_mnemonic(t, vector),
        fragments=(
            in_tensor if t.a_in_tensor_memory else f"UMMA::{'sparse_' * t.sparse}smem_desc<{majors[0]}>",
            f"UMMA::smem_desc<{majors[1]}>",
            f"UMMA::tmem_frg<{c},{storage},{t.ctas},UMMA::TmemAllocMode::{mode}>",
        ),
    )


def _rows(rows: int, columns: int, ctas: int) -> Layout:
    """All rows for one CTA; the first and the second half for two."""
    if ctas == 1:
        return Layout((1, (rows, columns)), (0, (1, rows)))
    return Layout((2, (rows // 2, columns)), (rows // 2, (1, rows)))


def _mnemonic(t: Template, vector: list[int]) -> str:
    kind, end = t.kind, ""
    if t.scaled:
        end = ".block_scale"
    if vector:
        kind, end = ("mxf4", end + ".block32") if vector[0] == 32 else ("mxf4nvf4", end + ".block16")
    return f"tcgen05.mma{'.sp' * t.sparse}.cta_group::{t.ctas}.kind::{kind}{end}"


def _flags(name: str, t: Template, given: tuple[str, ...]) -> list[str]:
    """The Majors, and what follows them as far as it is not a default."""
    wanted = [_MAJORS, _MAJORS]
    if t.signs:
        wanted += [_SIGNS, _SIGNS]
    if not t.scaled and (t.a_in_tensor_memory or t.kind == "i8"):
        wanted.append(_SATURATE)
    if len(given) > len(wanted):
        raise UnsupportedError(f"{name}: {len(given) - len(wanted)} arguments too many")
    found = [g.replace(" ", "") for g in given]
    for value, values in zip(found, wanted, strict=False):
        if value not in values:
            raise UnsupportedError(f"{name}: {value} is not one of {', '.join(values)}")
    found += [values[0] for values in wanted[len(found) :]]
    while len(found) > 2 and found[-1] == wanted[len(found) - 1][0]:
        found.pop()
    return found


def _integer(name: str, text: str) -> int:
    if not text.isdigit():
        raise UnsupportedError(f"{name}: {text} is not an integer")
    return int(text)


def _callable(base: str) -> Callable[..., MmaAtom]:
    def instance(*args: Any) -> MmaAtom:
        return make(base, tuple(str(a) for a in args))

    instance.__name__ = base
    instance.__doc__ = f"`{base}<...>`: the arguments are CUTLASS's, in its order; a missing Major is K."
    return instance


PARAMETRIC = {base: _callable(base) for base in TEMPLATES}

MMA: tuple[MmaAtom, ...] = ()  # made when asked for: see instances
COPY: tuple[()] = ()
