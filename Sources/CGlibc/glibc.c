#define _GNU_SOURCE
#include "CGlibc.h"

#include <malloc.h>

// glibc's functions are not available in Swift.

void return_large_blocks(void) {
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  // Setting one limit fixes the other one at 128 kB, which frames exceed again and again.
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

int close_descriptors(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
