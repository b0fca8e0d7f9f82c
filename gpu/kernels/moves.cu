// One matrix move, or one exchange between lanes, on data that names itself. Filled in: NAME, KIND (LOAD, STORE or MOVE), MOVE_TEXT
// (the instruction), and REGS, its registers. Rows of 16 bytes: row r of shared memory belongs to the lane r that names it. Many
// instructions make one module.
//
//   in   LOAD: the 512 bytes of shared memory as words; STORE, MOVE: [lane][REGS] registers
//   out  LOAD, MOVE: [lane][REGS] registers; STORE: the 512 bytes as words

#ifndef ONCE
#define ONCE
#define LOAD 0
#define STORE 1
#define MOVE 2
#endif

extern "C" __global__ void NAME(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned shared[128];
  const int lane = threadIdx.x;
  const unsigned row = (unsigned)__cvta_generic_to_shared(shared) + 16 * lane;
  unsigned r[REGS];
  for (int i = 0; i < 4; ++i) shared[lane * 4 + i] = KIND == LOAD ? in[lane * 4 + i] : 0xFFFFFFFFu;
  if (KIND != LOAD)
    for (int i = 0; i < REGS; ++i) r[i] = in[lane * REGS + i];
  __syncwarp();
  MOVE_TEXT
  __syncwarp();
  if (KIND == STORE)
    for (int i = 0; i < 4; ++i) out[lane * 4 + i] = shared[lane * 4 + i];
  else
    for (int i = 0; i < REGS; ++i) out[lane * REGS + i] = r[i];
}
