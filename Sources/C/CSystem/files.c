#include "CSystem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int move_by_linking(const char *from, const char *to) {
  if (link(from, to) == 0) {
    if (unlink(from) == 0) return 0;
    int error = errno;
    unlink(to);
    errno = error;
    return -1;
  }
  // File systems of memory cards have no hard links.
  if (errno != EPERM && errno != ENOTSUP && errno != EMLINK && errno != ENOSYS) return -1;
  struct stat status;
  if (lstat(to, &status) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(from, to);
}

int copy_by_reading(int from, int to) {
  static const size_t size = 1 << 20;
  char *block = malloc(size);
  if (!block) return -1;
  ssize_t count = 0;
  int result = 0;
  while (result == 0 && (count = read(from, block, size)) != 0) {
    if (count < 0) {
      if (errno == EINTR) continue;
      result = -1;
    }
    for (ssize_t done = 0; result == 0 && done < count;) {
      ssize_t written = write(to, block + done, (size_t)(count - done));
      if (written < 0 && errno != EINTR) result = -1;
      if (written > 0) done += written;
    }
  }
  free(block);
  return result;
}
