#include "CSystem.h"

#include <errno.h>
#include <stdio.h>
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
