#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
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

ssize_t copy_by_reading(int from, int to, size_t most) {
  const size_t size = most < 1 << 20 ? most : 1 << 20;
  char *block = malloc(size);
  if (!block) return -1;
  ssize_t count;
  while ((count = read(from, block, size)) < 0 && errno == EINTR) continue;
  for (ssize_t done = 0; done < count;) {
    ssize_t written = write(to, block + done, (size_t)(count - done));
    if (written > 0) done += written;
    if (written < 0 && errno != EINTR) {
      count = -1;
      break;
    }
  }
  free(block);
  return count;
}

static int set_lock(int descriptor, struct flock *lock) {
#ifdef F_OFD_SETLK
  return fcntl(descriptor, F_OFD_SETLK, lock);
#else
  return fcntl(descriptor, F_SETLK, lock);
#endif
}

int lock_byte(int descriptor, off_t place) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
  return set_lock(descriptor, &lock);
}

void wait_for_byte(int descriptor, off_t place) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
#ifdef F_OFD_SETLKW
  while (fcntl(descriptor, F_OFD_SETLKW, &lock) != 0 && errno == EINTR) {
  }
#else
  while (fcntl(descriptor, F_SETLKW, &lock) != 0 && errno == EINTR) {
  }
#endif
  unlock_bytes(descriptor);
}

void unlock_byte(int descriptor, off_t place) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
  set_lock(descriptor, &lock);
}

void unlock_bytes(int descriptor) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  set_lock(descriptor, &lock);
}
