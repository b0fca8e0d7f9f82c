// The MMAs of one tile, one after the other along K, on fragments that lie in registers as `load` left them. Filled in when
// compiled: MMA (the instruction), BITS (of an element of A and B), A_REGS, B_REGS, C_REGS, and the register types REG (of A and
// B: unsigned or double), ACC (of C: unsigned, float or double) with their constraint letters in the operand lists.
//
//   a, b      [thread][slots] elements, one a word
//   a_slot    [m][k][value] slot of A's fragment, and so for B: which slots make up the operands of one MMA
//   d         [thread][m][n][register] the accumulators, as bits: what they begin with, and what they end with

__device__ __forceinline__ unsigned pack(const unsigned long long* mine, const int* slot, unsigned*) {
  unsigned word = 0;  // 32/BITS elements, the first in the low bits
  for (int p = 0; p < 32 / BITS; ++p) word |= (unsigned)mine[slot[p]] << (p * BITS);
  return word;
}
__device__ __forceinline__ double pack(const unsigned long long* mine, const int* slot, double*) {
  return __longlong_as_double((long long)mine[slot[0]]);
}
__device__ __forceinline__ void begin(float& x, unsigned long long word) { x = __uint_as_float((unsigned)word); }
__device__ __forceinline__ void begin(unsigned& x, unsigned long long word) { x = (unsigned)word; }
__device__ __forceinline__ void begin(double& x, unsigned long long word) { x = __longlong_as_double((long long)word); }
__device__ __forceinline__ unsigned long long bits(float x) { return __float_as_uint(x); }
__device__ __forceinline__ unsigned long long bits(unsigned x) { return x; }
__device__ __forceinline__ unsigned long long bits(double x) { return (unsigned long long)__double_as_longlong(x); }

extern "C" __global__ void chain(const unsigned long long* a, const unsigned long long* b, const int* a_slot,
                                 const int* b_slot, int a_slots, int b_slots, int ms, int ns, int ks,
                                 unsigned long long* d) {
  const unsigned long long* my_a = a + (size_t)threadIdx.x * a_slots;
  const unsigned long long* my_b = b + (size_t)threadIdx.x * b_slots;
  const int per_reg = sizeof(REG) * 8 / BITS;
  for (int m = 0; m < ms; ++m)
    for (int n = 0; n < ns; ++n) {
      unsigned long long* mine = d + ((size_t)(threadIdx.x * ms + m) * ns + n) * C_REGS;
      ACC c[C_REGS];
      for (int i = 0; i < C_REGS; ++i) begin(c[i], mine[i]);
      for (int k = 0; k < ks; ++k) {
        REG x[A_REGS], y[B_REGS];
        for (int i = 0; i < A_REGS; ++i) x[i] = pack(my_a, a_slot + ((m * ks + k) * A_REGS + i) * per_reg, (REG*)0);
        for (int i = 0; i < B_REGS; ++i) y[i] = pack(my_b, b_slot + ((n * ks + k) * B_REGS + i) * per_reg, (REG*)0);
        asm volatile(MMA " {" C_LIST "}, {" A_LIST "}, {" B_LIST "}, {" C_LIST "};" : C_OPERANDS : A_OPERANDS, B_OPERANDS);
      }
      for (int i = 0; i < C_REGS; ++i) mine[i] = bits(c[i]);
    }
}
