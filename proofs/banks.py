"""Bank conflicts: each theorem is for all warps, all steps of a copy and all phases of its accesses.

32 banks of 4 bytes; the 8 rows of one matrix of ldmatrix or stmatrix, or 8 lanes of a 16-byte load, are a
phase, and a phase takes as many wavefronts as one bank is asked for different words. Tiles are half_t unless
said otherwise, and begin at a multiple of 128 bytes. Source: symlayout/smem.py, measured on an H200.
"""

from symlayout import (
    ComposedLayout,
    Layout,
    Swizzle,
    assume,
    at_most_wavefronts,
    atoms,
    conflict_free,
    dims,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_mma,
    wavefronts,
)
from symlayout.claims import Claim, all_of
from symlayout.theory import refutation, theorem

mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (2, 1, 1), (32, 16, 16))
load = make_tiled_copy_A(atoms.SM75_U32x4_LDSM_N, mma)
load_trans = make_tiled_copy_B(atoms.SM75_U16x8_LDSM_T, mma)
store = make_tiled_copy_C(atoms.SM90_U32x4_STSM_N.with_type("half_t"), mma)
# 128 threads, 16 bytes each: 8 threads a row of 128 bytes, or 4 a row of 64
wide = make_tiled_copy(
    atoms.copy("UniversalCopy<uint128_t>").with_type("half_t"), Layout((16, 8), (8, 1)), (1, 8)
)
narrow = make_tiled_copy(
    atoms.copy("UniversalCopy<uint128_t>").with_type("half_t"), Layout((32, 4), (4, 1)), (1, 8)
)
# 128 threads, 4 bytes each, 32 of them down a column
column = make_tiled_copy(atoms.copy("UniversalCopy<uint32_t>").with_type("float"), Layout((32, 4)), (1, 1))

rows_64 = Layout((64, 64), (64, 1))  # (64,64):(64,1)
rows_72 = Layout((64, 64), (72, 1))  # (64,64):(72,1)
rows_32 = Layout((64, 32), (32, 1))  # (64,32):(32,1)
rows_128 = Layout((64, 128), (128, 1))  # (64,128):(128,1)
columns_64 = Layout((64, 64), (1, 64))  # (64,64):(1,64)
floats_32 = Layout((32, 32), (32, 1))  # (32,32):(32,1)
floats_33 = Layout((32, 32), (33, 1))  # (32,32):(33,1)

# --- ldmatrix -----------------------------------------------------------------------------------------------


@refutation(witness={"step": 0, "warp": 0, "phase": 0, "lane": 0, "other": 1})
def rows_of_128_bytes() -> Claim:
    """ldmatrix.x4 reads rows of 128 bytes without conflicts (false: all 8 rows begin in bank 0)."""
    return conflict_free(load, rows_64)


@theorem()
def rows_of_128_bytes_take_8() -> Claim:
    """Every matrix of such rows takes 8 wavefronts, where 1 would do."""
    return wavefronts(load, rows_64, 8)


@theorem()
def rows_of_144_bytes() -> Claim:
    """Rows padded by 16 bytes, to 72 elements, are read without conflicts."""
    return conflict_free(load, Layout((64, 64), (72, 1)))


@theorem()
def swizzle_of_128_bytes() -> Claim:
    """Sw<3,3,3> on rows of 128 bytes is free of conflicts."""
    return conflict_free(load, ComposedLayout(Swizzle(3, 3, 3), 0, rows_64))


@theorem()
def half_a_swizzle() -> Claim:
    """Sw<2,3,3> on rows of 128 bytes is not enough: every matrix takes 2 wavefronts."""
    return wavefronts(load, ComposedLayout(Swizzle(2, 3, 3), 0, rows_64), 2)


@theorem()
def rows_of_64_bytes_take_4() -> Claim:
    """Rows of 64 bytes take 4 wavefronts a matrix: every other row begins in the same bank."""
    return wavefronts(load, rows_32, 4)


@theorem()
def swizzle_of_64_bytes() -> Claim:
    """Sw<2,3,3> on rows of 64 bytes is free of conflicts."""
    return conflict_free(load, ComposedLayout(Swizzle(2, 3, 3), 0, rows_32))


@theorem()
def swizzle_of_256_bytes() -> Claim:
    """Rows of 256 bytes need the row number one bit further up: Sw<3,3,4> is free of conflicts."""
    return conflict_free(load, ComposedLayout(Swizzle(3, 3, 4), 0, rows_128))


@refutation(witness={"step": 0, "warp": 0, "phase": 0, "lane": 0, "other": 4})
def wrong_swizzle_of_256_bytes() -> Claim:
    """Sw<3,3,3> is free of conflicts on rows of 256 bytes too (false: rows 0 and 4 begin in bank 0)."""
    return conflict_free(load, ComposedLayout(Swizzle(3, 3, 3), 0, rows_128))


@theorem()
def transposing_loads() -> Claim:
    """ldmatrix.trans of a column-major tile of B: free behind Sw<3,3,3>, 8 wavefronts without it."""
    return all_of(
        conflict_free(load_trans, ComposedLayout(Swizzle(3, 3, 3), 0, columns_64)),
        wavefronts(load_trans, columns_64, 8),
    )


# --- stores and plain loads ---------------------------------------------------------------------------------


@theorem()
def stmatrix_of_c() -> Claim:
    """stmatrix.x4 writes C without conflicts behind Sw<3,3,3>, and in rows of 72; in plain rows of 128 bytes
    a matrix takes 8 wavefronts."""
    return all_of(
        wavefronts(store, rows_64, 8),
        conflict_free(store, ComposedLayout(Swizzle(3, 3, 3), 0, rows_64)),
        conflict_free(store, rows_72),
    )


@theorem()
def whole_rows() -> Claim:
    """A phase of 16-byte loads that is one row of 128 bytes is free of conflicts, swizzled or not."""
    return all_of(
        conflict_free(wide, rows_64), conflict_free(wide, ComposedLayout(Swizzle(3, 3, 3), 0, rows_64))
    )


@theorem()
def half_rows() -> Claim:
    """A phase of two half rows takes 2 wavefronts: both halves lie in the same 16 banks."""
    return wavefronts(narrow, rows_64, 2)


@refutation(witness={"step": 0, "warp": 0, "phase": 0, "lane": 0, "other": 1})
def down_a_column() -> Claim:
    """A warp reads a column of 32 x 32 floats without conflicts (false: every row begins in bank 0)."""
    return conflict_free(column, floats_32)


@theorem()
def down_a_padded_column() -> Claim:
    """With rows of 33 floats it does; without the padding it takes 32 wavefronts."""
    return all_of(conflict_free(column, floats_33), wavefronts(column, floats_32, 32))


# --- any row pitch ------------------------------------------------------------------------------------------

M, K, ld = dims("M K ld")
odd_pieces = assume("ld % 16 == 8, M % 32 == 0, K % 16 == 0")  # ld = 16*q-8
by_64 = assume("ld % 64 == 0")  # ld = 64*q
by_8 = assume("ld % 8 == 0")  # ld = 8*q

rows_odd = odd_pieces(Layout((M, K), (ld, 1)))  # (32*m,16*k):(16*q-8,1)
rows_by_64 = by_64(Layout((64, 64), (ld, 1)))  # (64,64):(64*q,1)
rows_by_8 = by_8(Layout((64, 64), (ld, 1)))  # (64,64):(8*q,1)
rows_by_128 = assume("ld % 128 == 64")(Layout((64, 64), (ld, 1)))  # (64,64):(128*q-64,1)


@theorem()
def odd_pitch() -> Claim:
    """Rows of any odd number of 16-byte pieces, ld % 16 = 8, are read without conflicts, whatever M and K."""
    return conflict_free(load, rows_odd)


@theorem()
def pitch_of_whole_lines() -> Claim:
    """For every ld with ld % 64 = 0 each matrix takes exactly 8 wavefronts."""
    return wavefronts(load, rows_by_64, 8)


@theorem()
def swizzle_and_any_pitch() -> Claim:
    """Sw<3,3,3> is free of conflicts for every pitch of an odd number of 128-byte lines."""
    return conflict_free(load, ComposedLayout(Swizzle(3, 3, 3), 0, rows_by_128))


@refutation(witness={"q": 2, "step": 0, "warp": 0, "phase": 0, "lane": 0, "other": 4})
def even_pitch() -> Claim:
    """8 | ld is enough (false: with ld = 16 rows 0 and 4 begin in bank 0)."""
    return conflict_free(load, rows_by_8)


@theorem()
def wide_loads_and_any_pitch() -> Claim:
    """16-byte loads of whole rows do not depend on the pitch; ldmatrix never takes more than 8."""
    return all_of(conflict_free(wide, rows_by_8), at_most_wavefronts(load, rows_by_8, 8))
