// How many integer instructions a second the device issues: registers only, no memory, four independent chains a thread, so that at
// full occupancy nothing waits. STEP is filled in: four instructions on the two registers x and y of a chain. A round is 16 steps of
// each chain, 256 instructions; the loop adds three to them.
//
//   a, b  odd numbers, unknown to the compiler
//   sink  is written only if all chains cancel, which keeps them alive

#define MAD_X(x, y, by) asm volatile("mad.lo.u32 %0, %0, %2, %1;" : "+r"(x) : "r"(y), "r"(by))     // x = x * by + y
#define HIGH_X(x, y) asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(y))                     // x = x * y >> 32
#define WIDE_XY(x, y) asm volatile("{ .reg .b64 t; mul.wide.u32 t, %0, %1; mov.b64 {%0, %1}, t; }" : "+r"(x), "+r"(y))  // y:x = x * y
#define LOGIC_Y(y, x, by) asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(y) : "r"(x), "r"(by))  // y = y & x ^ by
#define SHIFT_Y(y, x) asm volatile("shf.l.wrap.b32 %0, %0, %1, 7;" : "+r"(y) : "r"(x))             // y = (x:y) << 7, high word
#define ADD_Y(y, x) asm volatile("add.u32 %0, %0, %1;" : "+r"(y) : "r"(x))                         // y = y + x

#define CHAINS 4
#define STEPS 16

extern "C" __global__ void __launch_bounds__(256) issue(int rounds, unsigned a, unsigned b, unsigned* sink) {
  unsigned x[CHAINS], y[CHAINS];
  for (int c = 0; c < CHAINS; ++c) {
    x[c] = (threadIdx.x + 1) * a + c;
    y[c] = (threadIdx.x + 1) * b + c;
  }
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
      for (int c = 0; c < CHAINS; ++c) { STEP(x[c], y[c], a, b) }
    }
  }
  unsigned all = 0;
  for (int c = 0; c < CHAINS; ++c) all |= x[c] ^ y[c];
  if (all == 0) *sink = 1;
}
