// One wgmma a block, D = A * B + D, with B in shared memory, and A there too or in registers. Filled in when compiled: the two
// instructions FROM_MEMORY and FROM_REGISTERS (predicate `add`), B_WORDS (of 32 bits, of a tile of B), LEADING and STRIDE (bytes from
// one core matrix to the next along K, and along M or N), and the accumulators: C_REGS, their type ACC and operand list C_OPERANDS.
//
//   a  from_memory: [block][A_WORDS] the tile as shared memory holds it; from_registers: [block][thread][4] registers
//   b  [block][B_WORDS] the tile as shared memory holds it
//   d  [block][thread][C_REGS] accumulators before and after, as bits

#define THREADS 128
#define A_WORDS 512  // 64 rows of 32 bytes

__device__ __forceinline__ void fill(float& c, unsigned word) { c = __uint_as_float(word); }
__device__ __forceinline__ void fill(unsigned& c, unsigned word) { c = word; }
__device__ __forceinline__ unsigned bits(float c) { return __float_as_uint(c); }
__device__ __forceinline__ unsigned bits(unsigned c) { return c; }

// The matrix descriptor without swizzle: address, leading and stride byte offset in units of 16 bytes, from bits 0, 16 and 32 up.
__device__ __forceinline__ unsigned long long descriptor(const unsigned* tile) {
  const unsigned long long address = __cvta_generic_to_shared(tile);
  return (address & 0x3FFFF) >> 4 | (unsigned long long)(LEADING >> 4) << 16 | (unsigned long long)(STRIDE >> 4) << 32;
}

__device__ __forceinline__ void bring(unsigned* tile, const unsigned* from, int words) {
#pragma unroll 1
  for (int i = threadIdx.x; i < words; i += THREADS) tile[i] = from[i];
}

__device__ __forceinline__ void arrive() {
  // fence.proxy.async: what this thread wrote to shared memory is there for the asynchronous proxy, through which wgmma reads
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

#define BEFORE                                                                                                                    \
  "{ .reg .pred add; setp.ne.b32 add, 1, 0;\n" /* setp: the predicate is true, so that wgmma adds to what D holds */              \
  "wgmma.fence.sync.aligned;\n"                /* wgmma.fence: registers written so far are there for the wgmma that follows */
#define AFTER                                                                                                                     \
  "wgmma.commit_group.sync.aligned;\n"         /* wgmma.commit_group: closes the group of those issued so far */                  \
  "wgmma.wait_group.sync.aligned 0; }"         /* wgmma.wait_group 0: until no group is pending; then D may be read */

extern "C" __global__ void __launch_bounds__(THREADS) from_memory(const unsigned* a, const unsigned* b, unsigned* d) {
  __shared__ __align__(128) unsigned tile_a[A_WORDS], tile_b[B_WORDS];
  bring(tile_a, a + blockIdx.x * A_WORDS, A_WORDS);
  bring(tile_b, b + blockIdx.x * B_WORDS, B_WORDS);
  unsigned* mine = d + (blockIdx.x * THREADS + threadIdx.x) * C_REGS;
  ACC c[C_REGS];
#pragma unroll
  for (int i = 0; i < C_REGS; ++i) fill(c[i], mine[i]);
  arrive();
  // wgmma.mma_async: D = A * B + D, both tiles through descriptors
  asm volatile(BEFORE FROM_MEMORY AFTER : C_OPERANDS : "l"(descriptor(tile_a)), "l"(descriptor(tile_b)) : "memory");
#pragma unroll
  for (int i = 0; i < C_REGS; ++i) mine[i] = bits(c[i]);
}

extern "C" __global__ void __launch_bounds__(THREADS) from_registers(const unsigned* a, const unsigned* b, unsigned* d) {
  __shared__ __align__(128) unsigned tile_b[B_WORDS];
  bring(tile_b, b + blockIdx.x * B_WORDS, B_WORDS);
  const unsigned* x = a + (blockIdx.x * THREADS + threadIdx.x) * 4;
  unsigned* mine = d + (blockIdx.x * THREADS + threadIdx.x) * C_REGS;
  ACC c[C_REGS];
#pragma unroll
  for (int i = 0; i < C_REGS; ++i) fill(c[i], mine[i]);
  arrive();
  // wgmma.mma_async: the same with A in four registers of each thread
  asm volatile(BEFORE FROM_REGISTERS AFTER
               : C_OPERANDS : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(descriptor(tile_b)) : "memory");
#pragma unroll
  for (int i = 0; i < C_REGS; ++i) mine[i] = bits(c[i]);
}
