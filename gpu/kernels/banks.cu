// One access to shared memory a launch, for a profiler to count. ACCESS is filled in: the instruction on registers r, q and the
// address a. Only the lanes of `active` take part.
//
//   offset  byte offset by lane

extern __shared__ __align__(1024) unsigned char shared[];

extern "C" __global__ void banks(const unsigned* offset, unsigned active, const unsigned char* global, unsigned* sink) {
  const unsigned lane = threadIdx.x;
  const unsigned a = (unsigned)__cvta_generic_to_shared(shared) + offset[lane];
  unsigned r[4] = {lane, lane + 1, lane + 2, lane + 3};
  unsigned long long q[2] = {lane, 3ull * lane + 1};
  unsigned short h = (unsigned short)lane;
  const unsigned char* from = global + 16 * lane;
  if (active >> lane & 1) {
    ACCESS
  }
  // every bit is used: ptxas narrows a load of which half is thrown away
  const unsigned long long all = q[0] ^ q[1];
  sink[lane] = r[0] ^ r[1] ^ r[2] ^ r[3] ^ (unsigned)all ^ (unsigned)(all >> 32) ^ h ^ (unsigned)(size_t)from;
}
