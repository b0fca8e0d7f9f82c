// One access to shared memory a launch, for a profiler to count. ACCESS is filled in: the instruction on registers h, r, q and the
// address a. Only the lanes of `active` take part. cp.async reads STEP bytes a lane, side by side, so that what varies is the write.
//
//   offset  byte offset by lane

extern __shared__ __align__(1024) unsigned char shared[];

extern "C" __global__ void banks(const unsigned* offset, unsigned active, const unsigned char* global, unsigned* sink) {
  const unsigned lane = threadIdx.x;
  const unsigned a = (unsigned)__cvta_generic_to_shared(shared) + offset[lane];
  unsigned r[4] = {lane, lane + 1, lane + 2, lane + 3};
  unsigned long long q[2] = {lane, 3ull * lane + 1};
  unsigned short h[4] = {(unsigned short)lane, (unsigned short)(lane + 5), (unsigned short)(lane + 6), (unsigned short)(lane + 7)};
  const unsigned char* from = global + STEP * lane;
  if (active >> lane & 1) {
    ACCESS
  }
  // every bit is used: ptxas narrows a load of which half is thrown away
  const unsigned long long all = q[0] ^ q[1];
  const unsigned halves = h[0] ^ h[1] ^ h[2] ^ h[3];
  sink[lane] = r[0] ^ r[1] ^ r[2] ^ r[3] ^ (unsigned)all ^ (unsigned)(all >> 32) ^ halves ^ (unsigned)(size_t)from;
}
