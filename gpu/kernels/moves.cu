// One matrix move a launch, on data that names itself. Filled in: LOAD, STORE or MOVE, the instruction MOVE_TEXT, and REGS, its
// registers. Rows of 16 bytes: row r of shared memory belongs to the lane r that names it.
//
//   in   LOAD: the 512 bytes of shared memory as words; STORE, MOVE: [lane][REGS] registers
//   out  LOAD, MOVE: [lane][REGS] registers; STORE: the 512 bytes as words

extern "C" __global__ void moves(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned shared[128];
  const int lane = threadIdx.x;
  const unsigned row = (unsigned)__cvta_generic_to_shared(shared) + 16 * lane;
  unsigned r[REGS];
#ifdef LOAD
  for (int i = 0; i < 4; ++i) shared[lane * 4 + i] = in[lane * 4 + i];
  __syncwarp();
#else
  for (int i = 0; i < 4; ++i) shared[lane * 4 + i] = 0xFFFFFFFFu;
  for (int i = 0; i < REGS; ++i) r[i] = in[lane * REGS + i];
  __syncwarp();
#endif
  MOVE_TEXT
  __syncwarp();
#ifdef STORE
  for (int i = 0; i < 4; ++i) out[lane * 4 + i] = shared[lane * 4 + i];
#else
  for (int i = 0; i < REGS; ++i) out[lane * REGS + i] = r[i];
#endif
}
