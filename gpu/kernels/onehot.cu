// One MMA a block: A is zero but for one element, B is zero but for one, and D says whether they met and where. Filled in as in
// chain.cu, with A_VALUES, B_VALUES (elements a lane holds) and ONE (the bits of the number one).
//
//   met    [i][j] how many accumulators are not zero when A has its one at place i and B at place j; place = lane * values + value
//   where  [i][j] the greatest place of those, lane * C_REGS * PER_C + value

__device__ __forceinline__ void put(unsigned* x, int i) { x[i * BITS / 32] = (unsigned)ONE << (i * BITS % 32); }
__device__ __forceinline__ void put(double* x, int i) { x[i] = 1.0; }
__device__ __forceinline__ unsigned long long bits(float x) { return __float_as_uint(x); }
__device__ __forceinline__ unsigned long long bits(unsigned x) { return x; }
__device__ __forceinline__ unsigned long long bits(double x) { return (unsigned long long)__double_as_longlong(x); }

extern "C" __global__ void onehot(unsigned char* met, unsigned short* where, int first) {
  const int i = blockIdx.x + first, j = blockIdx.y, lane = threadIdx.x;
  REG x[A_REGS] = {}, y[B_REGS] = {};
  ACC c[C_REGS] = {};
  if (i / A_VALUES == lane) put(x, i % A_VALUES);
  if (j / B_VALUES == lane) put(y, j % B_VALUES);
  asm volatile(MMA " {" C_LIST "}, {" A_LIST "}, {" B_LIST "}, {" C_LIST "};" : C_OPERANDS : A_OPERANDS, B_OPERANDS);
  int count = 0, place = -1;
  for (int v = 0; v < C_REGS * PER_C; ++v) {
    const unsigned long long word = bits(c[v / PER_C]);
    const unsigned long long part = PER_C == 2 ? (word >> (16 * (v % 2))) & 0xFFFF : word;
    if (part) { ++count; place = lane * C_REGS * PER_C + v; }
  }
  for (int step = 16; step; step /= 2) {
    count += __shfl_xor_sync(0xFFFFFFFFu, count, step);
    place = max(place, __shfl_xor_sync(0xFFFFFFFFu, place, step));
  }
  if (lane == 0) {
    met[(size_t)i * gridDim.y + j] = (unsigned char)count;
    where[(size_t)i * gridDim.y + j] = (unsigned short)place;
  }
}
