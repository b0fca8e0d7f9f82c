// Shared memory to registers for many pairs of a campaign at once, one block each. Everything comes from tables; compiled once for
// each form of the instruction. Filled in when compiled: MATRICES (0: value by value), LDMATRIX (the instruction).
//
// A unit is an element, or half of one of 32 bits, a quarter of one of 64: `width` bits, 1 to 16. Shared memory holds each unit's
// name; one that is wider than a unit is asked for piece by piece, from its low bits up, with the whole load done again.
//
//   head      [block][10] width, bits of a name, units, steps, values (in units), slots (in units), and where the block's
//             names, address, slot and registers start
//   names     [unit] the name of what lies there
//   address   [step][thread] unit at which the row starts that the thread names; [step][thread][value] when MATRICES is 0
//   slot      [step][value] register slot that takes the value
//   registers [thread][slots] the names that lie there at the end; -1 before, and still where nothing was written

extern "C" __global__ void campaign(const int* head, const int* names, const int* address, const int* slot, int* registers) {
  extern __shared__ __align__(1024) unsigned shared[];
  const int* h = head + 10 * blockIdx.x;
  const int width = h[0], bits = h[1], units = h[2], steps = h[3], values = h[4], slots = h[5];
  names += h[6];
  address += h[7];
  slot += h[8];
  int* mine = registers + h[9] + threadIdx.x * slots;
  const unsigned mask = (1u << width) - 1;
  const int per_word = 32 / width;
  const unsigned base = (unsigned)__cvta_generic_to_shared(shared);
  for (int shift = 0; shift < bits; shift += width) {
    __syncthreads();  // the piece before has been read
    for (int word = threadIdx.x; word * per_word < units; word += blockDim.x) {
      unsigned held = 0;
      for (int u = 0; u < per_word && word * per_word + u < units; ++u)
        held |= (((unsigned)names[word * per_word + u] >> shift) & mask) << (u * width);
      shared[word] = held;
    }
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
#if MATRICES
      unsigned r[MATRICES];
      const unsigned row = base + (unsigned)address[step * blockDim.x + threadIdx.x] * width / 8;
      // each lane names a row of 16 bytes; register m of a lane is its part of matrix m
#if MATRICES == 1
      asm volatile(LDMATRIX " {%0}, [%1];" : "=r"(r[0]) : "r"(row) : "memory");
#elif MATRICES == 2
      asm volatile(LDMATRIX " {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory");
#else
      asm volatile(LDMATRIX " {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
#endif
#endif
      for (int a = 0; a < values; ++a) {
#if MATRICES
        const unsigned piece = (r[a * width / 32] >> (a * width % 32)) & mask;  // from the low bits of a register up
#else
        const int from = address[(step * blockDim.x + threadIdx.x) * values + a];
        unsigned word;  // 32 bits with the unit in them
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(base + from / per_word * 4) : "memory");
        const unsigned piece = (word >> (from % per_word * width)) & mask;
#endif
        int* place = mine + slot[step * values + a];
        *place = shift ? (int)(((unsigned)*place & ((1u << shift) - 1)) | piece << shift) : (int)piece;
      }
    }
  }
}
