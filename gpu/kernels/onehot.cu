// One MMA a block: A is zero but for one element, B is zero but for one, and D says whether they met and where. Filled in:
// NAME, ISSUE(d, x, y, z) (the instruction d = x * y + z), the register types A_TYPE, B_TYPE, C_TYPE (of d) and Z_TYPE with their
// counts A_REGS, B_REGS, C_REGS, Z_REGS, the elements that a lane holds A_VALUES, B_VALUES, their BITS, the number one as bits
// ONE_A, ONE_B, PER_C (elements of a register of d), and XOR for the forms that count the bits which differ. Many instructions
// make one module.
//
//   as     [i] place of the one in A, lane * values + value; and bs so for B
//   met    [i][j] how many accumulators are not zero when A has its one at as[i] and B at bs[j]
//   where  [i][j] the greatest place of those, lane * values + value

#ifndef ONCE
#define ONCE
typedef unsigned long long Word;
__device__ __forceinline__ void put(unsigned* x, int i, Word one, int width) { x[i * width / 32] = (unsigned)one << (i * width % 32); }
__device__ __forceinline__ void put(unsigned short* x, int i, Word one, int) { x[i] = (unsigned short)one; }
__device__ __forceinline__ void put(float* x, int i, Word one, int) { x[i] = __uint_as_float((unsigned)one); }
__device__ __forceinline__ void put(double* x, int i, Word one, int) { x[i] = __longlong_as_double((long long)one); }
__device__ __forceinline__ Word bits(float x) { return __float_as_uint(x); }
__device__ __forceinline__ Word bits(unsigned x) { return x; }
__device__ __forceinline__ Word bits(unsigned short x) { return x; }
__device__ __forceinline__ Word bits(double x) { return (Word)__double_as_longlong(x); }
#endif

extern "C" __global__ void NAME(const int* as, const int* bs, unsigned char* met, unsigned short* where) {
  const int i = as[blockIdx.x], j = bs[blockIdx.y], lane = threadIdx.x;
  A_TYPE x[A_REGS] = {};
  B_TYPE y[B_REGS] = {};
  Z_TYPE zero[Z_REGS] = {};
  C_TYPE d[C_REGS];
  if (i / A_VALUES == lane) put(x, i % A_VALUES, ONE_A, BITS);
  if (j / B_VALUES == lane) put(y, j % B_VALUES, ONE_B, BITS);
  ISSUE(d, x, y, zero);
#if XOR  // twice what stands in both: what differs between A and nothing, B and nothing, less what differs between A and B
  A_TYPE no_x[A_REGS] = {};
  B_TYPE no_y[B_REGS] = {};
  C_TYPE of_a[C_REGS], of_b[C_REGS];
  ISSUE(of_a, x, no_y, zero);
  ISSUE(of_b, no_x, y, zero);
  for (int v = 0; v < C_REGS; ++v) d[v] = (of_a[v] + of_b[v] - d[v]) / 2;
#endif
  int count = 0, place = -1;
  for (int v = 0; v < C_REGS * PER_C; ++v) {
    const Word word = bits(d[v / PER_C]);
    const Word part = PER_C == 2 ? (word >> (16 * (v % 2))) & 0xFFFF : word;
    if (part) { ++count; place = lane * C_REGS * PER_C + v; }
  }
  for (int step = 16; step; step /= 2) {
    count += __shfl_xor_sync(0xFFFFFFFFu, count, step);
    place = max(place, __shfl_xor_sync(0xFFFFFFFFu, place, step));
  }
  if (lane == 0) {
    met[(size_t)blockIdx.x * gridDim.y + blockIdx.y] = (unsigned char)min(count, 255);
    where[(size_t)blockIdx.x * gridDim.y + blockIdx.y] = (unsigned short)place;
  }
}
