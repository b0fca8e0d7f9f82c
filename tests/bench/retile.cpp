// The check that symlayout does by proof, written with the CuTe headers and run on the host: for the
// gather of B (permutation 16,8,32 and ldmatrix.x4 on a (32,32) tile), does every element that a copy
// delivers land in the register where the MMA expects it?
#include <cstdio>
#include <vector>

#include <cute/tensor.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_atom.hpp>

using namespace cute;

int main() {
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_1, _1, _1>>{}, Tile<_16, _8, _32>{});
  auto copy_b = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);

  auto tile = make_layout(make_shape(_32{}, _32{}), make_stride(_32{}, _1{}));
  std::vector<half_t> nothing(size(tile));
  auto memory = make_tensor(make_smem_ptr(nothing.data()), tile);
  auto number = make_tensor(make_inttuple_iter(0), tile);  // each element is its own offset

  int registers = 0, wrong = 0;
  for (int thread = 0; thread < int(size(mma)); ++thread) {
    auto slice = mma.get_slice(thread);
    auto fragment = slice.partition_fragment_B(memory);
    auto wanted = slice.partition_B(number);
    std::vector<int> slot(cosize(fragment.layout()), -1);
    for (int i = 0; i < int(size(fragment)); ++i) slot[fragment.layout()(i)] = get<0>(wrap(wanted(i)));

    auto view = copy_b.get_slice(thread).retile_D(fragment);
    auto delivered = copy_b.get_slice(thread).partition_D(number);
    for (int i = 0; i < int(size(delivered)); ++i, ++registers)
      wrong += slot[view.layout()(i)] != get<0>(wrap(delivered(i)));
  }
  std::printf("%d registers, %d wrong\n", registers, wrong);
  return wrong != 0;
}
