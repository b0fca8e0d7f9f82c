"""Integer C of a layout, straight from its modes: nothing is coalesced, so that the engine that runs it
shares nothing with the algebra.

The coordinates of a domain are cut into tiles, `i = tile * size + x`. Two kinds of map, chosen by where the
tile ends among the modes:

- **whole.** The tile ends inside one mode at a divisor of its size, so no digit carries over the end: the
  digits below are those of x, the ones above are those of the tile's number. What the upper ones and the
  offset add up to is computed once for each tile, the lower ones at every coordinate, in 32 bits.
- **carry.** It ends anywhere. The digits of the tile's first coordinate are computed once for each tile, and
  x is added to them at every coordinate as in a mixed radix: digit by digit, each with the carry of the one
  below.

Values are formed in 32 bits where both maps stay in a window of 2^32, and else in 64, modulo that power of
two. Sizes are constants, and a division by one is a product and a shift (`reciprocal`) where the product
fits into 32 bits. Strides are not: a compiler that knows them sees that `x % 3 + x / 3 * 3` is x, which is
coalescing, and then evaluates nothing. They come from an array whose contents it cannot know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symlayout import UnsupportedError
from symlayout.engines.flat import Flat, flat

THREADS = 256  # of a block; they take the coordinates of a tile in turn
GREATEST_TILE, LEAST_TILE = 1 << 15, 1 << 11  # coordinates of a tile; up to 2^15 every division is a product
CARRY_TILE = 1 << 14
ROWS_LOST = 2  # what the start of a tile costs, in coordinates of a thread
WIDEST_VALUE = 1 << 62


@dataclass(frozen=True)
class Tiling:
    """How a domain is cut: coordinates of a tile, and for each map whether the tile ends inside one mode."""

    size: int
    whole: tuple[bool, ...]


@dataclass(frozen=True)
class Code:
    """Two maps as C: what stands in front of `equality.cu`, and what its array `stride` holds, modulo
    2^64."""

    text: str
    strides: tuple[int, ...]
    tiling: Tiling
    value_bits: int


def modes_of(layout: Any) -> Flat:
    """The flat modes of a layout. Raises UnsupportedError for one that is not made of plain integers, and for
    values beyond 62 bits."""
    modes = flat(layout)
    if modes is None:
        raise UnsupportedError(f"{layout}: only layouts of plain integers become integer code")
    if max(abs(x) for x in window(modes)) >= WIDEST_VALUE:
        raise UnsupportedError(f"{layout}: values beyond 62 bits")
    return modes


def window(m: Flat) -> tuple[int, int]:
    """Bounds of the values, and of the sums that a swizzle takes."""
    if m.plain:
        return m.low, m.high
    reach = 1 << max(m.swizzle.yyy_mask.bit_length(), m.swizzle.zzz_mask.bit_length())
    return min(0, m.low) - reach, max(0, m.high) + reach


def generate(a: Flat, b: Flat) -> Code:
    """C of two maps on one domain: `struct A` and `struct B`, and the sizes of the domain and its tiles."""
    tiling = tiles(a, b)
    ends = [*window(a), *window(b)]
    bits = 32 if -(1 << 31) <= min(ends) and max(ends) < 1 << 31 else 64
    strides: list[int] = []
    bodies = [
        (_whole if whole else _carry)(name, m, tiling.size, bits, strides)
        for name, m, whole in zip("AB", (a, b), tiling.whole, strict=True)
    ]
    head = [
        f"#define SIZE {a.size}ull",
        f"#define TILE {tiling.size}u",
        f"#define THREADS {THREADS}",
        f"typedef {'unsigned' if bits == 32 else 'unsigned long long'} Value;",
        f'extern "C" {{ __constant__ unsigned long long stride[{max(1, len(strides))}]; }}',
    ]
    return Code("\n".join([*head, *bodies, ""]), tuple(d % (1 << 64) for d in strides), tiling, bits)


# ── tiles ──────────────────────────────────────────────────────────────────────────────────────────────────


def tiles(a: Flat, b: Flat) -> Tiling:
    """The tile at which most maps are whole, and the least is lost at its start and in its last row of
    threads."""
    n = a.size
    if n <= GREATEST_TILE:
        return Tiling(n, (True, True))
    sizes = [w for w in range(LEAST_TILE, GREATEST_TILE + 1) if is_whole(a, w) or is_whole(b, w)]
    return max(
        (Tiling(w, (is_whole(a, w), is_whole(b, w))) for w in [*sizes, CARRY_TILE]),
        key=lambda t: (sum(t.whole), t.size / (-(-t.size // THREADS) + ROWS_LOST)),
    )


def is_whole(m: Flat, tile: int) -> bool:
    """Whether a tile ends inside one mode, at a divisor of its size; then tiles fill the domain."""
    below = 1
    for s in m.sizes:
        if tile <= below * s:
            return tile % below == 0 and s % (tile // below) == 0
        below *= s
    return False


def split(m: Flat, tile: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The modes (size, stride) of the coordinates inside a tile, and those of the tile's number. A mode of
    size 1 is in neither: its digit is 0."""
    lower, upper, below = [], [], 1
    for s, d in zip(m.sizes, m.strides, strict=True):
        inside = min(s, max(1, tile // below))
        if inside > 1:
            lower.append((inside, d))
        if inside < s:
            upper.append((s // inside, d * inside))
        below *= s
    return lower, upper


# ── a map ──────────────────────────────────────────────────────────────────────────────────────────────────


def _whole(name: str, m: Flat, tile: int, bits: int, strides: list[int]) -> str:
    """A map whose digits do not carry over the end of a tile."""
    lower, upper = split(m, tile)
    least = sum(min(0, d * (s - 1)) for s, d in lower)
    greatest = sum(max(0, d * (s - 1)) for s, d in lower)
    signed = -(1 << 31) <= least and greatest < 1 << 31
    narrow = bits == 32 or signed or (least >= 0 and greatest < 1 << 32)
    widened = "(Value)(long long)(int)sum" if bits == 64 and signed and least < 0 else "sum"
    return "\n".join(
        [
            f"struct {name} {{  // {_named(m)}",
            "  Value high;  // the offset and the digits above the tile",
            f"  __device__ explicit {name}(unsigned x) {{",
            f"    Value sum = {_literal(m.offset, bits)};",
            *_digits(upper, m.size // tile, "Value", strides),
            "    high = sum;",
            "  }",
            "  __device__ Value at(unsigned x) const {",
            f"    {'unsigned' if narrow else 'Value'} sum = 0;",
            *_digits(lower, tile, "unsigned" if narrow else "Value", strides),
            *_result(m, f"high + {widened}", bits),
            "  }",
            "};",
        ]
    )


def _digits(modes: list[tuple[int, int]], count: int, kind: str, strides: list[int]) -> list[str]:
    """The digits of x, 0 <= x < count, one mode after the other, each times its stride added to the sum."""
    lines = []
    for k, (s, d) in enumerate(modes):
        if k == len(modes) - 1:
            lines.append(f"    sum += {_term('x', d, kind, strides)};")
            break
        term = _term(_remainder("x", s), d, kind, strides)
        lines.append(f"    {{ const unsigned q = {_quotient('x', s, count)}; sum += {term}; x = q; }}")
        count = -(-count // s)
    return lines


def _carry(name: str, m: Flat, tile: int, bits: int, strides: list[int]) -> str:
    """A map to whose digits the coordinates of a tile are added with carries."""
    modes = [(s, d) for s, d in zip(m.sizes, m.strides, strict=True) if s > 1]
    members, start, at = [], [], []
    carry = tile - 1  # the greatest that comes in from below
    for k, (s, d) in enumerate(modes):
        kind = "unsigned" if s + carry < 1 << 32 else "unsigned long long"
        members.append(f"  {kind} d{k};")
        if k == len(modes) - 1:
            start.append(f"    d{k} = ({kind})i;")
            at.append(f"    sum += {_term(f'(d{k} + x)', d, 'Value', strides)};")
            break
        start.append(f"    d{k} = ({kind})(i % {_literal(s, 64)}); i /= {_literal(s, 64)};")
        if carry <= s:  # the digit and the carry make less than twice the size
            size = _literal(s, 64)
            quotient, digit = f"y >= {size}", f"(q ? y - {size} : y)"
        else:
            quotient, digit = _quotient("y", s, s + carry), _remainder("y", s)
        term = _term(digit, d, "Value", strides)
        at.append(
            f"    {{ const {kind} y = d{k} + x; const unsigned q = {quotient}; sum += {term}; x = q; }}"
        )
        carry = (s - 1 + carry) // s
    return "\n".join(
        [
            f"struct {name} {{  // {_named(m)}",
            *members,
            f"  __device__ explicit {name}(unsigned tile) {{",
            f"    unsigned long long i = (unsigned long long)tile * {tile};",
            *start,
            "  }",
            "  __device__ Value at(unsigned x) const {",
            f"    Value sum = {_literal(m.offset, bits)};",
            *at,
            *_result(m, "sum", bits),
            "  }",
            "};",
        ]
    )


def _term(digit: str, d: int, kind: str, strides: list[int]) -> str:
    """A digit times its stride: where the stride has 32 bits, of which one may be its sign, one product of 32
    by 32 bits."""
    place = f"stride[{len(strides)}]"
    strides.append(d)
    if kind == "unsigned" or 0 <= d < 1 << 32:
        return f"({kind}){digit} * (unsigned){place}"
    if -(1 << 31) <= d < 0:
        return f"({kind})((long long){digit} * (int){place})"
    return f"({kind}){digit} * {place}"


def _result(m: Flat, value: str, bits: int) -> list[str]:
    if m.plain:
        return [f"    return {value};"]
    s = m.swizzle
    shifted = f">> {s.s}" if s.s >= 0 else f"<< {-s.s}"
    return [
        f"    const Value offset = {value};",
        f"    return offset ^ ((offset & {_literal(s.yyy_mask, bits)}) {shifted});",
    ]


def _named(m: Flat) -> str:
    shape, stride = (",".join(map(str, x)) for x in (m.sizes, m.strides))
    return f"{m.swizzle} o {m.offset} o ({shape}):({stride})"


# ── arithmetic ─────────────────────────────────────────────────────────────────────────────────────────────


def reciprocal(s: int, count: int) -> tuple[int, int] | None:
    """M and p with `x // s == x * M >> p` for all 0 <= x < count and every product below 2^32, or None.

    With `M = ceil(2^p / s)` and `e = M*s - 2^p`, x * M / 2^p exceeds x / s by x*e / (s * 2^p). Less than
    1 / s does not reach the next whole number, so `x * e < 2^p` is enough (Granlund and Montgomery, Division
    by Invariant Integers using Multiplication, 1994).
    """
    for p in range(32):
        m = -(-(1 << p) // s)
        if (count - 1) * m >= 1 << 32:
            return None
        if (count - 1) * (m * s - (1 << p)) < 1 << p:
            return m, p
    return None


def _quotient(x: str, s: int, count: int) -> str:
    """x // s for 0 <= x < count."""
    if s & (s - 1) == 0:
        return f"{x} >> {s.bit_length() - 1}"
    found = reciprocal(s, count)
    return f"{x} * {found[0]}u >> {found[1]}" if found else f"{x} / {_literal(s, 64)}"


def _remainder(x: str, s: int) -> str:
    return f"({x} & {_literal(s - 1, 64)})" if s & (s - 1) == 0 else f"({x} - q * {_literal(s, 64)})"


def _literal(value: int, bits: int) -> str:
    """A constant modulo 2^bits, as narrow as it can be written."""
    value %= 1 << bits
    return f"{value}u" if value < 1 << 32 else f"{value}ull"


def operations(m: Flat) -> int:
    """Integer operations that a map as written needs at a coordinate: a division, a remainder and a
    multiply-add for every mode, for the last one the multiply-add alone; an addition for an offset; `and`,
    shift and `xor` for a swizzle."""
    modes = sum(s > 1 for s in m.sizes)
    return max(3 * modes - 2, 0) + (m.offset != 0) + (0 if m.plain else 3)
