"""Pairs of layouts for the enumeration on a GPU, most of them near its limit of 2^36 coordinates, and what is
known of each by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..reading import read_tensor


class Case(NamedTuple):
    """A pair with the number of coordinates at which it differs, worked out by hand; -1 where it is left to
    numpy, which enumerates these small ones."""

    title: str
    a: str
    b: str
    differing: int

    @property
    def size(self) -> int:
        return int(self.layouts()[0].size())

    def layouts(self) -> tuple[Any, Any]:
        return read_tensor(self.a), read_tensor(self.b)


N = 1 << 36
CASES = (
    Case(
        "one mode, and eight nested ones",
        f"{N}:1",
        "((8,8),(64,32),((16,4),(256,32))):((1,8),(64,4096),((131072,2097152),(8388608,2147483648)))",
        0,
    ),
    Case(
        "powers of two, modes of 64 cut in halves of 8",
        "(64,64,64,64,64,64):(1073741824,64,262144,1,16777216,4096)",
        "((8,8),(8,8),(8,8),(8,8),(8,8),(8,8)):((1073741824,8589934592),(64,512),(262144,2097152),(1,8),"
        "(16777216,134217728),(4096,32768))",
        0,
    ),
    Case(
        "factors 3, 5, 7, 11 to 19, row-major",
        "(3,5,7,9,11,(13,17,19,21,73)):"
        "(22304437165,4460887433,637269633,70807737,6437067,(495159,29127,1533,73,1))",
        "((3,5),7,(3,3),11,13,(17,19),(3,7),73):"
        "((22304437165,4460887433),637269633,(70807737,212423211),6437067,495159,(29127,1533),(73,219),1)",
        0,
    ),
    Case(
        "7 to the 6th beside 5 to the 8th: tiles end inside the modes of one map only",
        "(117649,390625):(1,117649)",
        "(390625,117649):(1,390625)",
        0,
    ),
    Case(
        "65537 beside 983085: tiles end inside the modes of neither",
        "(65537,983085):(1,65537)",
        "(983085,65537):(1,983085)",
        0,
    ),
    Case(
        "swizzled, written in two ways",
        "Sw<3,4,3> o 0 o (64,1024,(1024,1024)):(1,64,(65536,67108864))",
        "Sw<3,4,3> o 0 o ((4,16),(32,32),1048576):((1,4),(64,2048),65536)",
        0,
    ),
    Case(
        "two swizzles whose third bit is never set",
        "Sw<3,3,4> o 0 o (128,4,(2048,65536)):(1,128,(1024,2097152))",
        "Sw<2,3,4> o 0 o ((16,8),(2,2),134217728):((1,16),(128,256),1024)",
        0,
    ),
    Case(
        "a swizzle that reads a bit which only the last offset has",
        f"Sw<1,0,36> o 1 o {N}:1",
        f"Sw<0,0,0> o 1 o {N}:1",
        1,
    ),
    Case(
        "a swizzle with one bit more: half of all",
        "Sw<2,4,3> o 0 o (64,(1024,1048576)):(1,(64,65536))",
        "Sw<3,4,3> o 0 o (64,(1024,1048576)):(1,(64,65536))",
        N // 2,
    ),
    Case(
        "strides off by +1 and -1: all but where both digits are equal",
        "(64,16777216,64):(1,64,1073741824)",
        "(64,16777216,64):(2,64,1073741823)",
        N - N // 64,
    ),
    Case(
        "strides 0 and below, the slowest digit off by one",
        "((27,25,7),(1024,11),(13,17,3)):((-1,0,27),(-189,387072),(4257792,-55351296,0))",
        "((27,5,5,7),(128,8,11),(13,17,3)):((-1,0,0,27),(-189,-24192,387072),(4257792,-55351296,1))",
        2 * 27 * 25 * 7 * 1024 * 11 * 13 * 17,
    ),
    Case("small: one digit in another place", "(1000,999):(1,1000)", "(999,1000):(1,998)", -1),
    Case("small: nothing in common", "((48,7),(91,33)):((5,-3),(0,11))", "(77,(13,1008)):(-2,(9,4))", -1),
    Case(
        "small: swizzled, no power of two",
        "Sw<3,4,3> o 0 o ((8,9),(64,25)):((64,512),(1,4608))",
        "Sw<3,4,3> o 0 o (72,(64,25)):(64,(1,4608))",
        0,
    ),
    Case("small: five coordinates, equal but for the last", "5:1", "Sw<1,0,2> o 0 o 5:1", 1),
)
