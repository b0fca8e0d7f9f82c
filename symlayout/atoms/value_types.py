"""Element types by CUTLASS's names, and how many bits one element takes.

Source: cutlass/numeric_types.h, cute/numeric/numeric_types.hpp.
"""

from __future__ import annotations

from ..errors import UnsupportedError

BITS: dict[str, int] = {
    "uint1_t": 1,
    "bin1_t": 1,
    "int2_t": 2,
    "uint2_t": 2,
    "int4_t": 4,
    "uint4_t": 4,
    "float_e2m1_t": 4,
    "int6_t": 6,
    "uint6_t": 6,
    "float_e2m3_t": 6,
    "float_e3m2_t": 6,
    "bool": 8,
    "int8_t": 8,
    "uint8_t": 8,
    "float_e4m3_t": 8,
    "float_e5m2_t": 8,
    "float_ue4m3_t": 8,
    "float_ue8m0_t": 8,
    "int16_t": 16,
    "uint16_t": 16,
    "half_t": 16,
    "bfloat16_t": 16,
    "int32_t": 32,
    "uint32_t": 32,
    "float": 32,
    "tfloat32_t": 32,
    "int64_t": 64,
    "uint64_t": 64,
    "double": 64,
    "complex<float>": 64,
    "uint128_t": 128,
    "complex<double>": 128,
    "GaussComplex": 192,  # three doubles: the accumulator of SM80_8x8x4_GC64C64C64GC64_TN
    "uint256_t": 256,
}

# Spellings that mean one of the above: C's own, and what compilers print for the fixed-width names.
ALIASES: dict[str, str] = {
    "char": "int8_t",
    "signed char": "int8_t",
    "unsigned char": "uint8_t",
    "short": "int16_t",
    "short int": "int16_t",
    "unsigned short": "uint16_t",
    "short unsigned int": "uint16_t",
    "int": "int32_t",
    "unsigned": "uint32_t",
    "unsigned int": "uint32_t",
    "long int": "int64_t",
    "long unsigned int": "uint64_t",
    "half": "half_t",
    "__half": "half_t",
    "bfloat16": "bfloat16_t",
    "__nv_bfloat16": "bfloat16_t",
    "integer_subbyte<4,true>": "int4_t",
    "integer_subbyte<4,false>": "uint4_t",
    "integer_subbyte<2,true>": "int2_t",
    "integer_subbyte<2,false>": "uint2_t",
    "integer_subbyte<1,false>": "uint1_t",
}


def sparse(name: str) -> tuple[int, str] | None:
    """S and T of `sparse_elem<S,T>`, the S elements of which one is stored; None for any other name."""
    base, bracket, rest = name.replace("cute::", "").strip().partition("<")
    count, comma, element = rest.strip().removesuffix(">").partition(",")
    if base.strip() != "sparse_elem" or not bracket or not comma or not count.strip().isdigit():
        return None
    return int(count), value_type(element)


def value_type(name: str) -> str:
    """The type's name as CUTLASS writes it: `value_type("cutlass::half_t")` is `half_t`.

    Raises UnsupportedError, with the nearest names, for a type that is not in the table.
    """
    if (parts := sparse(name)) is not None:
        return f"sparse_elem<{parts[0]},{parts[1]}>"
    plain = name.replace("cutlass::", "").replace("cute::", "").strip()
    if plain in BITS:
        return plain
    plain = ALIASES.get(plain) or plain.replace(" ", "")
    plain = ALIASES.get(plain, plain)
    if plain in BITS:
        return plain
    from difflib import get_close_matches  # only for the message

    near = get_close_matches(plain, [*BITS, *ALIASES], n=3, cutoff=0.5)
    hint = (
        f"did you mean {' or '.join(near)}?" if near else "half_t, bfloat16_t, float, int8_t, ... are known"
    )
    raise UnsupportedError(f"unknown value type {name!r}\n  {hint}")


def value_bits(name: str) -> int:
    """The bits of one element: `value_bits("half_t")` is 16.

    Of `sparse_elem<2,half_t>` it is 8, the storage of two elements shared out, as CuTe's sizeof_bits counts.
    """
    if (parts := sparse(name)) is not None:
        return max(1, BITS[parts[1]] // parts[0])
    return BITS[value_type(name)]
