"""How wide the accesses of a copy are: what CuTe's headers compute for sixty copies, and what is said."""

import pytest

from symlayout import (
    Layout,
    Proved,
    Refuted,
    assume,
    atoms,
    conflict_free,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_mma,
    memory_correct,
    parse,
    prove,
)
from symlayout.access_width import access_width, by_access
from symlayout.claim import values
from symlayout.inttuple import product
from symlayout.smem import access_of

# threads; values; type; tensor in shared memory; B; elements that copy() of
# AutoVectorizingCopyWithAssumedAlignment<B> moves at once, by max_common_vector
# and max_alignment of partition_S and make_fragment_like of it,
# compiled from the headers of CUTLASS 4.2 with g++
CUTE = """
(32,4):(4,1); (1,1):(1,1); half_t; (32,4):(1,32); 32; 1
(4,32):(32,1); (1,16):(16,1); half_t; (4,1024):(1032,1); 128; 8
(16,8):(8,1); (8,1):(1,8); half_t; (128,8):(8,1); 32; 1
(16,8):(1,16); (4,1):(1,1); int8_t; (64,8):(9,1); 128; 1
(32,4):(1,32); (1,8):(1,1); half_t; (32,64):(1,32); 128; 1
(8,16):(16,1); (1,1):(1,1); float; (16,32):(1,17); 128; 1
(16,8):(1,16); (1,8):(8,1); int8_t; (32,128):(1,32); 128; 1
(8,16):(16,1); (2,4):(4,1); int8_t; (16,64):(1,16); 64; 1
(32,4):(4,1); (2,4):(1,2); float; (64,32):(32,1); 128; 1
(32,4):(1,32); (1,4):(1,1); int8_t; (32,32):(1,33); 8; 1
(16,8):(1,16); (4,1):(1,1); int8_t; (64,8):(1,66); 128; 4
(32,4):(1,32); (4,1):(1,4); half_t; (128,4):(1,132); 32; 2
(16,8):(8,1); (1,2):(2,1); float; Sw<2,4,3> o 0 o (32,16):(1,32); 128; 1
(16,8):(1,16); (1,16):(1,1); int8_t; (32,256):(1,40); 32; 1
(8,16):(16,1); (1,2):(1,1); float; (8,32):(1,12); 128; 1
(32,4):(1,32); (8,1):(1,1); float; (512,8):(1,516); 128; 4
(32,4):(4,1); (1,1):(1,1); float; (64,8):(1,65); 128; 1
(32,4):(1,32); (1,1):(1,1); int8_t; (64,8):(1,64); 64; 1
(16,8):(8,1); (1,16):(16,1); float; (32,256):(257,1); 128; 4
(4,32):(1,4); (1,4):(1,1); int8_t; (8,128):(128,1); 128; 4
(16,8):(8,1); (2,2):(2,1); float; Sw<2,2,3> o 0 o (32,16):(16,1); 128; 2
(16,8):(8,1); (1,16):(1,1); float; (32,256):(257,1); 32; 1
(32,4):(1,32); (1,8):(1,1); float; (64,32):(1,65); 128; 1
(32,4):(1,32); (8,1):(1,8); int8_t; (512,8):(1,512); 128; 8
(32,4):(4,1); (2,4):(4,1); int8_t; (128,32):(32,1); 64; 4
(8,16):(16,1); (1,2):(1,1); int8_t; (8,64):(1,9); 32; 1
(4,32):(1,4); (4,1):(1,4); float; (16,64):(1,17); 128; 4
(8,16):(1,8); (1,1):(1,1); float; (8,32):(32,1); 128; 1
(16,8):(8,1); (4,1):(1,1); float; (64,16):(1,66); 128; 4
(8,16):(1,8); (2,2):(1,2); half_t; (32,64):(1,36); 128; 2
(8,16):(16,1); (1,8):(1,1); float; (16,256):(257,1); 64; 2
(16,8):(8,1); (1,8):(1,1); int8_t; (32,64):(65,1); 128; 8
(4,32):(1,4); (1,2):(1,1); int8_t; (4,128):(132,1); 8; 1
(4,32):(1,4); (4,1):(1,4); half_t; (16,64):(1,17); 128; 4
(16,8):(8,1); (1,2):(2,1); int8_t; (16,32):(32,1); 8; 1
(32,4):(4,1); (1,2):(1,1); int8_t; Sw<2,1,3> o 0 o (64,8):(8,1); 128; 2
(16,8):(1,16); (4,1):(1,1); half_t; (64,16):(16,1); 8; 1
(8,16):(16,1); (1,2):(1,1); half_t; (8,64):(66,1); 8; 1
(32,4):(1,32); (2,4):(1,2); int8_t; Sw<2,3,3> o 0 o (128,16):(1,128); 128; 2
(16,8):(8,1); (4,1):(1,1); float; (128,8):(1,128); 128; 4
(16,8):(8,1); (1,4):(1,1); half_t; Sw<2,4,3> o 0 o (16,32):(1,16); 128; 1
(32,4):(4,1); (8,1):(1,8); half_t; (256,8):(9,1); 8; 1
(4,32):(32,1); (2,2):(1,2); float; (8,128):(1,16); 128; 2
(16,8):(1,16); (1,1):(1,1); float; (16,8):(9,1); 8; 1
(8,16):(16,1); (1,8):(8,1); half_t; (8,256):(1,12); 128; 1
(32,4):(1,32); (1,2):(1,1); float; Sw<2,4,3> o 0 o (32,8):(8,1); 128; 2
(16,8):(1,16); (1,16):(16,1); float; (16,256):(257,1); 8; 1
(32,4):(1,32); (1,1):(1,1); int8_t; (32,8):(12,1); 128; 1
(32,4):(1,32); (4,1):(1,1); int8_t; (128,4):(4,1); 128; 1
(8,16):(1,8); (1,2):(1,1); half_t; (16,64):(72,1); 128; 2
(4,32):(32,1); (1,4):(4,1); int8_t; (4,128):(1,5); 64; 1
(8,16):(16,1); (2,4):(1,2); int8_t; (32,64):(64,1); 128; 1
(32,4):(4,1); (8,1):(1,1); float; (256,8):(8,1); 128; 1
(4,32):(32,1); (1,8):(1,1); float; (8,512):(513,1); 32; 1
(16,8):(1,16); (1,16):(16,1); int8_t; (16,128):(136,1); 32; 4
(8,16):(16,1); (2,2):(1,2); int8_t; (32,64):(1,36); 32; 2
(8,16):(1,8); (4,1):(1,1); int8_t; (32,16):(1,40); 64; 4
(4,32):(32,1); (1,1):(1,1); int8_t; (4,64):(64,1); 128; 1
(16,8):(8,1); (4,1):(1,4); int8_t; (64,8):(9,1); 64; 1
(8,16):(1,8); (8,1):(1,8); float; (64,32):(33,1); 128; 1
"""


@pytest.mark.parametrize("row", CUTE.strip().splitlines())
def test_the_width_is_that_of_the_headers(row: str) -> None:
    threads, vals, element, text, bits, width = row.split("; ")
    atom = atoms.AutoVectorizingCopyWithAssumedAlignment(bits).with_type(element)
    copy, tensor = make_tiled_copy(atom, parse(threads), parse(vals)), parse(text)
    found = access_width(copy, tensor, "S")
    assert found.values == int(width)
    # every element that the copy names, counted in vectors, is still named as often
    elements = by_access(copy, tensor, "S")
    plain = copy.tidfrg_S(tensor)
    assert [product(mode) for mode in elements.shape][1] == found.values
    assert sorted(values(elements)) == sorted(values(plain))


COPY = make_tiled_copy(
    atoms.AutoVectorizingCopy.with_type("half_t"), Layout((8, 16), (16, 1)), Layout((1, 8))
)
WIDE = make_tiled_copy(
    atoms.UniversalCopy("uint128_t").with_type("half_t"), Layout((8, 16), (16, 1)), Layout((1, 8))
)
SWIZZLED = parse("Sw<3,3,4> o 0 o ((8,16),(128,1)):((128,1024),(1,0))")


def test_a_copy_that_vectorizes_has_the_banks_of_its_width() -> None:
    for copy in (COPY, WIDE):
        verdict = prove(conflict_free(copy, SWIZZLED))
        assert isinstance(verdict, Proved)
        assert access_of(copy, SWIZZLED).instruction == "ld.shared.v4.u32"
        assert by_access(copy, SWIZZLED, "S").size() // 8 == 128 * 16
        assert prove(memory_correct(copy, SWIZZLED))
    says = str(prove(conflict_free(COPY, SWIZZLED)))
    assert "16 bytes an access, limited by the 128 bits that AutoVectorizingCopy assumes" in says
    assert "an access" not in str(prove(conflict_free(WIDE, SWIZZLED)))


@pytest.mark.parametrize(
    "atom, tensor, says",
    [
        (
            "DefaultCopy",
            "(64,128):(128,1)",
            "2 bytes an access, limited by the 8 bits that DefaultCopy assumes",
        ),
        ("AutoVectorizingCopy", "(64,128):(1,64)", "no two neighbours in common"),
        (
            "AutoVectorizingCopy",
            "Sw<3,2,3> o 0 o (64,128):(128,1)",
            "the swizzle, which keeps 4 values together",
        ),
    ],
)
def test_what_limits_it_is_said(atom: str, tensor: str, says: str) -> None:
    copy = make_tiled_copy(atoms.copy(atom).with_type("half_t"), Layout((8, 16), (16, 1)), Layout((1, 8)))
    assert says in access_width(copy, parse(tensor), "S").words("half_t")


def test_rows_that_are_not_aligned_are_refuted() -> None:
    """CuTe vectorizes by the thread's own strides, and the thread's row begins where it begins."""
    verdict = prove(memory_correct(COPY, Layout((64, 128), (130, 1))))
    assert isinstance(verdict, Refuted)
    assert verdict.part.startswith("every address")
    assert prove(memory_correct(COPY, Layout((64, 128), (136, 1))))


def test_a_pitch_at_run_time_is_trusted_to_be_aligned() -> None:
    for facts, kind in (("ld >= 1", Refuted), ("ld % 8 == 0", Proved)):
        tensor = assume(facts)(parse("(64,128):(ld,1)"))
        assert access_width(COPY, tensor, "S").values == 8
        assert isinstance(prove(memory_correct(COPY, tensor)), kind)


def test_a_copy_of_an_mma_fills_its_fragment() -> None:
    mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN")
    copy = make_tiled_copy_A("AutoVectorizingCopy", mma)
    assert access_width(copy, Layout((32, 32), (32, 1)), "S").values == 2
    assert access_width(copy, Layout((32, 32), (1, 32)), "S").values == 1
    assert prove(memory_correct(copy, Layout((32, 32), (32, 1))))
