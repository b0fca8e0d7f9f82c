// Appended to a unit of gpu/kernels/cute_retile.cu and compiled by g++ with the CUTLASS headers: what CuTe itself says of one
// case, without a GPU. For each way a line "name fragment view", then a line for each thread with the offsets in shared memory
// that its copies start at. With RUN, where the copy needs no GPU, also a line for each thread with what cute::copy wrote.

#include <cstdio>

alignas(1024) static Element shared[1 << 16];

template <class FragmentOf, class View>
void tell(char const* name, int threads) {
  for (int t = 0; t < threads; ++t) {
    auto held = fragment<FragmentOf>(shared, t);
    auto view = seen_by_copy<View>(held, t);
    if (t == 0) {
      char layouts[2][2048] = {};
      spelled(layouts[0], held.layout());
      spelled(layouts[1], view.layout());
      std::printf("%s %s %s\n", name, layouts[0], layouts[1]);
    }
    auto source = Copy{}.get_slice(t).partition_S(make_tensor(make_smem_ptr(shared), TENSOR{}));
    int const row = size<0, 0>(source);
    for (int i = 0; i < size(source); i += row) std::printf("%d ", int(&source(i) - shared));
    std::printf("\n");
#ifdef RUN
    copy(Copy{}, source, view);
    for (int s = 0; s < size(held); ++s) std::printf("%d ", int(held.data()[s].storage));
    std::printf("\n");
#endif
  }
}

int main() {
  for (int i = 0; i < (1 << 16); ++i) reinterpret_cast<uint_bit_t<sizeof_bits_v<Element>>*>(shared)[i] = i;
  int const threads = size(Mma{});
  tell<PLAIN, CuteRetile>("retile", threads);
#ifdef SWIZZLED
  tell<TENSOR, CuteRetile>("swizzled", threads);
#endif
#ifdef RIGHT_VIEW
  tell<PLAIN, RIGHT_VIEW>("right_view", threads);
#endif
}
