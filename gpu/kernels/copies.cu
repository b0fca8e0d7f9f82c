// One copy a lane, of bytes that name themselves. Filled in: NAME, BYTES (of a copy), COPY_TEXT (the instruction: BYTES bytes from
// `near` or from `far` to `to`; `size` is how many of them a cp.async that fills with zeros reads). Many make one module.
//
//   in    [lane][BYTES] the source, in global memory (`far`), and copied into shared memory (`near`)
//   out   [lane][BYTES] the destination in shared memory afterwards; before, each of its bytes was `fill`

extern "C" __global__ void NAME(const unsigned char* in, unsigned char* out, unsigned fill, unsigned size) {
  __shared__ __align__(16) unsigned char source[32 * BYTES];
  __shared__ __align__(16) unsigned char target[32 * BYTES];
  const int lane = threadIdx.x;
  for (int i = lane * BYTES; i < (lane + 1) * BYTES; ++i) {
    source[i] = in[i];
    target[i] = (unsigned char)fill;
  }
  __syncwarp();
  const unsigned near = (unsigned)__cvta_generic_to_shared(source) + lane * BYTES;
  const unsigned to = (unsigned)__cvta_generic_to_shared(target) + lane * BYTES;
  const unsigned char* far = in + lane * BYTES;
  (void)near, (void)far, (void)size;  // each instruction takes some of them
  COPY_TEXT
  asm volatile("cp.async.wait_all;" ::: "memory");  // no wait where there was no cp.async
  __syncwarp();
  for (int i = lane * BYTES; i < (lane + 1) * BYTES; ++i) out[i] = target[i];
}
