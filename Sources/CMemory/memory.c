#include "CMemory.h"

#include <malloc.h>

// glibc's functions are not available in Swift.

void return_large_blocks(void) {
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  // Setting one limit fixes the other one at 128 kB, which frames exceed again and again.
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}
