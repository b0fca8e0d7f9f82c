// Real CuTe, asked what it does with one configuration: a tiled copy from shared memory into the fragment of an MMA, as kernels
// write it, then CuTe's own gemm on that fragment. The one kernel here that includes CUTLASS, because it is CuTe that is asked.
// Filled in when compiled, each as CuTe spells it: MMA_ATOM, ATOM_LAYOUT, PERMUTATION, COPY_ATOM, TENSOR (shared memory, swizzle
// included), PLAIN (the same without its swizzle), OTHER_TENSOR (the operand that is not asked about, K contiguous), C_TENSOR (the
// product, row by row), RIGHT_VIEW (of the registers; only where CuTe's own is wrong), and for the operand that is asked about the
// names of CuTe's functions: TILED_COPY, FRAGMENT, and OTHER_PARTITION, OTHER_FRAGMENT of the other. IS_A: it is A, and not B.
//
//   image     what shared memory holds, `bytes` bytes
//   other     the other operand in global memory
//   registers [thread][slots] what lies in the fragment at the end, one element a word; all ones where nothing was written
//   d         [m][n] the product A*B of what was loaded
//   text      the layout of the fragment and of the view of it, as CuTe prints them but without its underscores, a line each

#include <cute/tensor.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_atom.hpp>

using namespace cute;

using Mma = decltype(make_tiled_mma(MMA_ATOM{}, ATOM_LAYOUT{}, PERMUTATION{}));
using A = typename MMA_Traits<MMA_ATOM>::ValTypeA;
using B = typename MMA_Traits<MMA_ATOM>::ValTypeB;
using Element = conditional_t<IS_A, A, B>;
using Other = conditional_t<IS_A, B, A>;
using Copy = decltype(TILED_COPY(Copy_Atom<COPY_ATOM, Element>{}, Mma{}));

struct CuteRetile {};  // stands for a view that is CuTe's own

// The registers for what a thread holds of a tensor.
template <class Layout>
CUTE_HOST_DEVICE auto fragment(Element* shared, int thread) {
  return Mma{}.get_slice(thread).FRAGMENT(make_tensor(make_smem_ptr(shared), Layout{}));
}

// The same registers as the copy sees them.
template <class View, class Fragment>
CUTE_HOST_DEVICE auto seen_by_copy(Fragment& held, int thread) {
  if constexpr (is_same_v<View, CuteRetile>) return Copy{}.get_slice(thread).retile_D(held);
  else return make_tensor(held.data(), View{});
}

// A layout as text; returns the end.
template <class T>
CUTE_HOST_DEVICE char* spelled(char* at, T const& x) {
  if constexpr (is_layout<T>::value) {
    at = spelled(at, x.shape());
    *at++ = ':';
    return spelled(at, x.stride());
  } else if constexpr (is_tuple<T>::value) {
    char separator = '(';
    for_each(x, [&](auto const& entry) {
      *at++ = separator;
      at = spelled(at, entry);
      separator = ',';
    });
    *at++ = ')';
    return at;
  } else {
    int const number = int(x);
    int power = 1;
    while (number / power > 9) power *= 10;
    for (; power > 0; power /= 10) *at++ = char('0' + number / power % 10);
    return at;
  }
}

#ifdef __CUDACC__

// FragmentOf: the layout whose partition shapes the registers. View: of those registers, or CuteRetile.
template <class FragmentOf, class View>
__device__ void load(unsigned char const* image, int bytes, Other const* other, int slots, unsigned long long* registers, float* d,
                     char* text) {
  extern __shared__ __align__(1024) unsigned char memory[];
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) memory[i] = image[i];
  __syncthreads();

  Element* shared = reinterpret_cast<Element*>(memory);
  auto sX = make_tensor(make_smem_ptr(shared), TENSOR{});
  auto tXsX = Copy{}.get_slice(threadIdx.x).partition_S(sX);
  auto tCrX = fragment<FragmentOf>(shared, threadIdx.x);
  auto tXrX = seen_by_copy<View>(tCrX, threadIdx.x);

  // The copy runs twice, over registers of zeros and of ones: what differs afterwards was not written.
  using Bits = uint_bit_t<sizeof_bits_v<Element>>;
  auto bits = recast<Bits>(make_tensor(tCrX.data(), make_layout(Int<cosize_v<decltype(tCrX.layout())>>{})));
  fill(bits, Bits(0));
  copy(Copy{}, tXsX, tXrX);
  CUTE_UNROLL
  for (int s = 0; s < size(bits); ++s) if (s < slots) registers[threadIdx.x * slots + s] = bits(s);
  fill(bits, Bits(~Bits(0)));
  copy(Copy{}, tXsX, tXrX);
  CUTE_UNROLL
  for (int s = 0; s < size(bits); ++s)
    if (s < slots && registers[threadIdx.x * slots + s] != bits(s)) registers[threadIdx.x * slots + s] = ~0ull;

  auto thread = Mma{}.get_slice(threadIdx.x);
  auto gO = make_tensor(make_gmem_ptr(other), OTHER_TENSOR{});
  auto gC = make_tensor(make_gmem_ptr(d), C_TENSOR{});
  auto tCrO = thread.OTHER_FRAGMENT(gO);
  auto tCrC = thread.partition_fragment_C(gC);
  copy(thread.OTHER_PARTITION(gO), tCrO);
  clear(tCrC);
  if constexpr (IS_A) gemm(Mma{}, tCrX, tCrO, tCrC);
  else gemm(Mma{}, tCrO, tCrX, tCrC);
  copy(tCrC, thread.partition_C(gC));

  if (threadIdx.x == 0) {
    text = spelled(text, tCrX.layout());
    *text++ = '\n';
    *spelled(text, tXrX.layout()) = '\0';
  }
}

#define KERNEL(NAME, FRAGMENT_OF, VIEW)                                                                                         \
  extern "C" __global__ void NAME(unsigned char const* image, int bytes, Other const* other, int slots,                         \
                                  unsigned long long* registers, float* d, char* text) {                                        \
    load<FRAGMENT_OF, VIEW>(image, bytes, other, slots, registers, d, text);                                                    \
  }

KERNEL(retile, PLAIN, CuteRetile)
#ifdef SWIZZLED  // the registers of the swizzled tensor itself, as most kernels make them: in another order
KERNEL(swizzled, TENSOR, CuteRetile)
#endif
#ifdef RIGHT_VIEW
KERNEL(right_view, PLAIN, RIGHT_VIEW)
#endif

#endif
