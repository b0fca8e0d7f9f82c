// Shared memory to registers, as one configuration does it. Every address and every slot comes from a table, so that it is the
// instruction that is asked and nothing else. Filled in when compiled: BITS (of an element), MATRICES, LDMATRIX (the instruction).
//
//   image     what shared memory holds, `bytes` bytes
//   address   [step][thread] byte address of the row that the thread names; [step][thread][value] when MATRICES is 0
//   slot      [step][value] register slot that takes the value
//   registers [thread][slots] what lies there at the end, one element a word

extern "C" __global__ void load(const unsigned char* image, int bytes, const unsigned* address, const int* slot,
                                int steps, int values, int slots, unsigned long long* registers) {
  extern __shared__ __align__(1024) unsigned char shared[];
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) shared[i] = image[i];
  __syncthreads();
  const unsigned base = (unsigned)__cvta_generic_to_shared(shared);
  unsigned long long* mine = registers + (size_t)threadIdx.x * slots;
  for (int step = 0; step < steps; ++step) {
#if MATRICES
    unsigned r[MATRICES];
    const unsigned row = base + address[step * blockDim.x + threadIdx.x];
#if MATRICES == 1
    asm volatile(LDMATRIX " {%0}, [%1];" : "=r"(r[0]) : "r"(row) : "memory");
#elif MATRICES == 2
    asm volatile(LDMATRIX " {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory");
#else
    asm volatile(LDMATRIX " {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
#endif
    for (int a = 0; a < values; ++a) {  // value a lies in register a*BITS/32, from its low bits up
      const unsigned word = r[a * BITS / 32];
#if BITS == 32
      mine[slot[step * values + a]] = word;
#else
      mine[slot[step * values + a]] = (word >> (a * BITS % 32)) & ((1u << BITS) - 1);
#endif
    }
#else
    for (int a = 0; a < values; ++a) {
      const unsigned char* from = shared + address[(step * blockDim.x + threadIdx.x) * values + a];
      unsigned long long x = 0;
      for (int byte = 0; byte < BITS / 8; ++byte) x |= (unsigned long long)from[byte] << (8 * byte);
      mine[slot[step * values + a]] = x;
    }
#endif
  }
}
