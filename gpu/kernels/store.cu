// Registers to shared memory, as one configuration does it: `load` the other way round. Every address and every slot comes from a
// table. Filled in when compiled: BITS (of an element), MATRICES, STMATRIX (the instruction).
//
//   registers [thread][slots] what lies there, one element a word
//   address   [step][thread] byte address of the row that the thread names; [step][thread][value] when MATRICES is 0
//   slot      [step][value] register slot that gives the value
//   image     `bytes` bytes: what shared memory holds before, and afterwards

extern "C" __global__ void store(const unsigned long long* registers, const unsigned* address, const int* slot, int steps,
                                 int values, int slots, unsigned char* image, int bytes) {
  extern __shared__ __align__(1024) unsigned char shared[];
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) shared[i] = image[i];
  __syncthreads();
  const unsigned base = (unsigned)__cvta_generic_to_shared(shared);
  const unsigned long long* mine = registers + (size_t)threadIdx.x * slots;
  for (int step = 0; step < steps; ++step) {
#if MATRICES
    unsigned r[MATRICES] = {};
    for (int a = 0; a < values; ++a)  // value a lies in register a*BITS/32, from its low bits up
      r[a * BITS / 32] |= (unsigned)mine[slot[step * values + a]] << (a * BITS % 32);
    const unsigned row = base + address[step * blockDim.x + threadIdx.x];
#if MATRICES == 1
    asm volatile(STMATRIX " [%0], {%1};" ::"r"(row), "r"(r[0]) : "memory");
#elif MATRICES == 2
    asm volatile(STMATRIX " [%0], {%1, %2};" ::"r"(row), "r"(r[0]), "r"(r[1]) : "memory");
#else
    asm volatile(STMATRIX " [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
#endif
#else
    for (int a = 0; a < values; ++a) {
      unsigned char* to = shared + address[(step * blockDim.x + threadIdx.x) * values + a];
      const unsigned long long x = mine[slot[step * values + a]];
      for (int byte = 0; byte < BITS / 8; ++byte) to[byte] = (unsigned char)(x >> (8 * byte));
    }
#endif
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) image[i] = shared[i];
}
