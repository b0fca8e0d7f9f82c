// Two maps at every coordinate of their domain: how many values differ, and the least coordinate at which they do. In front of this
// stand SIZE, TILE, THREADS, Value, the array `stride` and the structs A and B, generated from the modes: A(tile).at(x) is the value
// at tile * TILE + x. No PTX: it is integer arithmetic of the compiler's.
//
//   zero   is 0, which no compiler can know: B's coordinates are not provably A's, so that nothing is shared between the maps
//   found  [0] differing coordinates, [1] the least of them; the caller has put 0 and all ones there

#define NONE 0xFFFFFFFFu

extern "C" __global__ void __launch_bounds__(THREADS) equality(unsigned zero, unsigned long long* found) {
  const unsigned tiles = (unsigned)((SIZE + TILE - 1) / TILE);
  const unsigned thread = threadIdx.x, step = blockDim.x;
  unsigned differing = 0;
  unsigned long long first = ~0ull;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const unsigned long long start = (unsigned long long)tile * TILE;
    const unsigned here = SIZE - start < TILE ? (unsigned)(SIZE - start) : TILE;
    const A a(tile);
    const B b(tile + zero);
    const unsigned rows = here / step;
    unsigned x = rows * step + thread, least = NONE;
    // from the last coordinate down, so that the one noted last is the least
    const bool last = x < here && a.at(x) != b.at(x + zero);
    differing += last;
    least = last ? x : least;
#pragma unroll 4
    for (unsigned row = rows; row > 0; --row) {
      x -= step;
      const bool apart = a.at(x) != b.at(x + zero);
      differing += apart;
      least = apart ? x : least;
    }
    if (first == ~0ull && least != NONE) first = start + least;
  }
  if (differing) {
    atomicAdd(found, (unsigned long long)differing);
    atomicMin(found + 1, first);
  }
}

// Both values at single coordinates, for a replay on other integers: value[2k] is A's at coordinate[k], value[2k + 1] B's.
extern "C" __global__ void values(const unsigned long long* coordinate, int count, Value* value) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const unsigned tile = (unsigned)(coordinate[k] / TILE), x = (unsigned)(coordinate[k] % TILE);
  value[2 * k] = A(tile).at(x);
  value[2 * k + 1] = B(tile).at(x);
}
