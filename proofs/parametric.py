"""What holds for all sizes: each theorem is over parameters, every one of them 1 or more.

A name that is a size or a stride is a `Dim`, a polynomial over parameters; what has to be known about one is
assumed, and then worked into it (`ld >= K` is `ld = K + p`). The calculus reduces a claim to identities of
polynomials and to ranges, and z3 judges each.
"""

from symlayout import (
    Layout,
    assume,
    atoms,
    coalesce,
    complement,
    composition,
    dims,
    logical_divide,
    make_layout,
    zipped_divide,
)
from symlayout.claims import Claim, aligned, all_of, bijective, covers, equal, injective, within
from symlayout.symbolic import Int
from symlayout.theory import refutation, theorem
from symlayout.tiled_copy import make_tiled_copy_A, make_tiled_copy_B
from symlayout.tiled_mma import make_tiled_mma

M, N, K = dims("M N K")
V, G = dims("V G")  # values of one mma, and how many of them one load gathers along K
s, t, u, d, e = dims("s t u d e")  # sizes and strides

# --- retile -------------------------------------------------------------------------------------------------

mma = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN)
wide = make_tiled_mma(atoms.SM80_16x8x16_F32F16F16F32_TN, (1, 1, 1), (16, 8, 32))
gather = make_tiled_copy_B(atoms.SM75_U32x4_LDSM_N, wide)
x4 = make_tiled_copy_A(atoms.SM75_U32x4_LDSM_N, mma)

tCrB = wide.fragment_B((8 * N, 32 * K))  # ((2,2),N,2*K):((1,2),8*K,4)
tXrB = gather.retile_D(tCrB)  # ((8,1),N,K):((1,0),8*K,8)
fragment = Layout((V, N, G * K), (1, V * G * K, V))  # (V,N,G*K):(1,G*K*V,V)
view = Layout(((V, G), N, K), ((1, V), V * G * K, V * G))  # ((V,G),N,K):((1,V),G*K*V,G*V)


@theorem(a=8, n=N, k=K)
def gather_takes_two_steps_of_k(a: Int, n: Int, k: Int) -> Claim:
    """tXrB((a, 0), n, k) = tCrB(a%4, n, a/4 + 2k), for all N and K."""
    return equal(tXrB((a, 0), n, k), tCrB(a % 4, n, a // 4 + 2 * k))


@theorem(a=V * G, n=N, k=K)
def gather_takes_g_steps_of_k(a: Int, n: Int, k: Int) -> Claim:
    """A load of G times V values takes G steps of K: view(a, n, k) = fragment(a%V, n, a/V + G*k)."""
    return equal(view(a, n, k), fragment(a % V, n, a // V + G * k))


@theorem(i=8 * N * K)
def gather_by_flat_index(i: Int) -> Claim:
    """The same for the flat index: i = a + 8(n + N*k), with quotients by N."""
    return equal(tXrB(i), tCrB(i % 8 % 4, i // 8 % N, i % 8 // 4 + 2 * (i // 8 // N)))


@theorem()
def gather_is_a_correct_retile() -> Claim:
    """retile_D of B puts every element of an 8N x 32K tensor where an mma reads it, in every lane."""
    return gather.retile_correct(wide, "B", (8 * N, 32 * K))


@theorem()
def retile_of_a_is_correct() -> Claim:
    """retile_D of A, ldmatrix.x4, is correct for every 16M x 16K tensor."""
    return x4.retile_correct(mma, "A", (16 * M, 16 * K))


# --- partitions ---------------------------------------------------------------------------------------------

A = Layout((16 * M, 16 * K))  # (16*M,16*K):(1,16*M)
B = Layout((8 * N, 16 * K))  # (8*N,16*K):(1,8*N)
C = Layout((16 * M, 8 * N))  # (16*M,8*N):(1,16*M)
part_A = mma.thrfrg_A(A)  # (((4,8),(1,1)),((2,2,2),(M,K))):(((32*M,1),(0,0)),((16*M,8,128*M),(16,256*M)))
part_B = mma.thrfrg_B(B)  # (((4,8),(1,1)),((2,2),(N,K))):(((16*N,1),(0,0)),((8*N,64*N),(8,128*N)))
part_C = mma.thrfrg_C(C)  # (((4,8),(1,1)),((2,2),(M,N))):(((32*M,1),(0,0)),((16*M,8),(16,128*M)))


@theorem()
def a_is_partitioned() -> Claim:
    """(lane, value) reaches each element of a 16M x 16K tensor exactly once, for all repeat counts."""
    return bijective(part_A)


@theorem()
def b_is_partitioned() -> Claim:
    """(lane, value) reaches each element of an 8N x 16K tensor exactly once."""
    return bijective(part_B)


@theorem()
def c_is_partitioned() -> Claim:
    """(lane, value) reaches each element of a 16M x 8N tensor exactly once."""
    return bijective(part_C)


# --- shared memory ------------------------------------------------------------------------------------------

padded = assume("ld >= K")(Layout((M, K), (dims("ld"), 1)))  # (M,K):(K+p,1)
# (row, block of 8 halves) -> byte address, 8 | ld
rows = assume("ld % 8 == 0")(Layout((M, K), (2 * dims("ld"), 16)))  # (M,K):(16*q,16)
rows_by_4 = assume("ld % 4 == 0")(Layout((M, K), (2 * dims("ld"), 16)))  # (M,K):(8*q,16)


@theorem()
def row_addresses_are_aligned() -> Claim:
    """ldmatrix row addresses are multiples of 16 bytes for all ld with 8 | ld."""
    return aligned(rows, 16)


@refutation(witness={"M": 2, "K": 1, "q": 1, "i": 1})
def row_addresses_with_4_dividing_ld() -> Claim:
    """4 | ld is enough for ldmatrix (false: with ld = 4 row 1 is at byte 8)."""
    return aligned(rows_by_4, 16)


@theorem()
def padding_keeps_elements_apart() -> Claim:
    """(M,K):(ld,1) is injective for all ld >= K."""
    return injective(padded)


@refutation(witness={"M": 2, "K": 2, "ld": 1, "i": 1, "j": 2})
def any_leading_dimension() -> Claim:
    """(M,K):(ld,1) is injective for all ld (false for ld = 1, K = 2)."""
    return injective(Layout((M, K), (dims("ld"), 1)))


# --- the algebra --------------------------------------------------------------------------------------------

ends_inside = composition(Layout((t * s * u, N), (d, e)), Layout(s, t))  # s:d*t
goes_over = composition(Layout((s * t, N), (d, e)), Layout(t * u, s))  # (t,u):(d*s,e)
steps_over = composition(Layout((t, N), (d, e)), Layout(s, t * u))  # s:e*u
two = Layout((s, t), (d, s * d))  # (s,t):(d,d*s)
three = Layout((s, t, u), (d, s * d, e))  # (s,t,u):(d,d*s,e)
block = Layout(s, d)  # s:d
others = complement(block, s * d * u)  # (d,u):(1,d*s)
strided = Layout((s, t), (d, s * d * u))  # (s,t):(d,d*s*u)
between = complement(strided, s * d * u * t * N)  # (d,u,N):(1,d*s,d*s*t*u)
divided = logical_divide(Layout(s * d * u), block)  # (s,(d,u)):(d,(1,d*s))


@theorem(i=s)
def composition_inside_a_mode(i: Int) -> Claim:
    """B's steps end in A's first mode: (A o B)(i) = A(B(i))."""
    return equal(ends_inside(i), Layout((t * s * u, N), (d, e))(t * i))


@theorem(i=t * u)
def composition_over_a_mode(i: Int) -> Claim:
    """B's steps divide A's first mode and go on in the next: (A o B)(i) = A(B(i))."""
    return equal(goes_over(i), Layout((s * t, N), (d, e))(s * i))


@theorem(i=s)
def composition_past_a_mode(i: Int) -> Claim:
    """B's stride is a multiple of A's first mode: (A o B)(i) = A(B(i))."""
    return equal(steps_over(i), Layout((t, N), (d, e))(t * u * i))


@theorem()
def coalesce_of_two() -> Claim:
    """(s,t):(d,s*d) and its coalesced form are the same function."""
    return equal(coalesce(two), two)


@theorem()
def coalesce_of_three() -> Claim:
    """Two modes that go on in each other, and one that does not."""
    return equal(coalesce(three), three)


@theorem()
def complement_completes() -> Claim:
    """s:d and its complement reach each of s*d*u elements exactly once, so they share none but 0."""
    return bijective(make_layout(block, others))


@theorem()
def complement_of_two_completes() -> Claim:
    """The same for two modes with a gap between them."""
    return bijective(make_layout(strided, between))


@theorem()
def complement_is_ordered() -> Claim:
    """What the lesser modes of a complement reach is less than the next stride: its values ascend."""
    return all_of(
        within(others((d - 1, 0)), 0, others((0, 1))),
        within(between((d - 1, 0, 0)), 0, between((0, 1, 0))),
        within(between((d - 1, u - 1, 0)), 0, between((0, 0, 1))),
    )


@theorem()
def logical_divide_permutes() -> Claim:
    """logical_divide reaches every element of what it divides exactly once."""
    return bijective(divided)


@theorem(x=s * t * u)
def quotients_nest(x: Int) -> Claim:
    """(x/s)/t = x/(s*t)."""
    return equal((x // s) // t, x // (s * t))


# --- a kernel -----------------------------------------------------------------------------------------------

operand = assume("K % 16 == 0")(Layout((32 * M, K)))  # (32*M,16*k):(1,32*M)
gemm = zipped_divide(operand, (32, 16))  # ((32,16),(M,k)):((1,32*M),(32,512*M))


@theorem()
def tile_loop_covers() -> Claim:
    """A loop over 32x16 tiles visits each element of a 32M x K operand once, for all K = 16k."""
    return covers(gemm, gemm.size(), times=1)


# --- direct divide ------------------------------------------------------------------------------------------


@theorem(a=V, n=N, k=K)
def divide_agrees_without_gathering(a: Int, n: Int, k: Int) -> Claim:
    """If G = 1, dividing by V is the retile."""
    return equal(zipped_divide(Layout((V, N, K), (1, V * K, V)), V)(a, n + N * k), a + V * K * n + V * k)


@theorem(a=V * G, k=K)
def divide_agrees_for_one_step_of_n(a: Int, k: Int) -> Claim:
    """If N = 1, dividing by V*G is the retile."""
    return equal(zipped_divide(Layout((V, 1, G * K), (1, V * G * K, V)), V * G)(a, k), a + V * G * k)


some_n = assume("N % G == 0, G >= 2")  # N = G*n
some_g = assume("G % N == 0, N >= 2")  # G = N*g
by_n = zipped_divide(some_n(fragment), some_n(V * G))  # ((V,G),(n,G*K)):((1,G*K*V),(G*G*K*V,V))
by_g = zipped_divide(some_g(fragment), some_g(V * G))  # ((V,N,g),K*N):((1,K*N*V*g,V),V*g)


@theorem()
def divide_differs_otherwise() -> Claim:
    """If G and N are 2 or more, the divide has a greater register at index V than the retile: agreement iff
    N = 1 or G = 1."""
    return all_of(
        within(some_n(view)(V), 0, by_n(V)),
        within(some_g(view)(V), 0, by_g(V)),
    )
