"""How many bits an element of a type takes, by the names that `recast_layout` is written with.

Short names are those of printed records (`half`, `6bit`), the others are CUTLASS's and C's.
"""

from __future__ import annotations

from difflib import get_close_matches

from ..errors import NotationError

_NAMES = {
    1: "bit uint1_t bin1_t",
    2: "int2 uint2 int2_t uint2_t",
    4: "int4 uint4 int4_t uint4_t int4b_t uint4b_t float_e2m1_t",
    6: "6bit float_e2m3_t float_e3m2_t",
    8: "int8 uint8 int8_t uint8_t char bool float_e4m3_t float_e5m2_t float_ue8m0_t float_ue4m3_t",
    16: "half half_t bfloat16 bfloat16_t bf16 fp16 int16 uint16 int16_t uint16_t short",
    32: "float tf32 tfloat32_t int int32 uint32 int32_t uint32_t",
    64: "double int64 uint64 int64_t uint64_t",
    128: "uint128 uint128_t int128 complex128",
    256: "uint256_t",
}
BITS = {name: bits for bits, names in _NAMES.items() for name in names.split()}


def type_bits(name: str) -> int:
    """The bits of one element: 16 for `half`, 6 for `cutlass::float_e3m2_t`; a plain number is bits already.

    Raises NotationError, with the nearest names, for a type that is not known.
    """
    plain = name.strip().rpartition("::")[2]
    if plain in BITS:
        return BITS[plain]
    if plain.isdigit() and 0 < len(plain) <= 6 and int(plain) > 0:
        return int(plain)
    near = get_close_matches(plain, BITS, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; give its bits instead"
    raise NotationError(f"unknown element type {name.strip()!r}{hint}", name, 0)
