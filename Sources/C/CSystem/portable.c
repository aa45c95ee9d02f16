#include "CSystem.h"

#ifndef SYSTEM_IS_LINUX

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

// These are made of POSIX alone, except where a line for macOS is shorter than an explanation of why it is missing.

static int close_on_exec(int descriptor) {
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

static int is_unsupported(void) {
  errno = ENOTSUP;
  return -1;
}

void return_large_blocks(void) {}

void share_memory_among_threads(void) {}

void return_free_memory(void) {}

int library_width(wchar_t character) { return wcwidth(character); }

char *executable_path(void) {
#ifdef __APPLE__
  char path[4096];
  uint32_t size = sizeof path;
  return _NSGetExecutablePath(path, &size) ? NULL : realpath(path, NULL);
#else
  // Other systems have a call of their own for this. The link serves to try this file on Linux.
  return realpath("/proc/self/exe", NULL);
#endif
}

int describe_process(pid_t process, char *name, size_t size, pid_t *parent) {
  (void)process, (void)name, (void)size, (void)parent;
  return 0;
}

void name_thread(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  (void)name;
#endif
}

/// Creates a temporary file. `path` has room for `size` bytes.
static int create_temporary_file(char *path, size_t size) {
  const char *folder = getenv("TMPDIR");
  int length = snprintf(path, size, "%s/tintype-XXXXXX", folder && *folder ? folder : "/tmp");
  if (length < 0 || (size_t)length >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  return close_on_exec(mkstemp(path));
}

int create_memory_file(void) {
  char path[1024];
  int descriptor = create_temporary_file(path, sizeof path);
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

static char *shared_file;

static void remove_shared_file(void) { unlink(shared_file); }

int create_shared_file(char *path, size_t size) {
  // The first file alone is removed at exit.
  if (shared_file) return is_unsupported();
  int descriptor = create_temporary_file(path, size);
  if (descriptor < 0) return -1;
  shared_file = strdup(path);
  if (shared_file) atexit(remove_shared_file);
  return descriptor;
}

int create_nameless_file(const char *folder, mode_t permissions) {
  (void)folder, (void)permissions;
  return is_unsupported();
}

int name_file(int descriptor, const char *path) {
  (void)descriptor, (void)path;
  return is_unsupported();
}

int move_without_replacing(const char *from, const char *to) { return move_by_linking(from, to); }

int exchange_files(const char *one, const char *other) {
  (void)one, (void)other;
  return is_unsupported();
}

int is_being_written(int descriptor) {
  (void)descriptor;
  return 0;
}

int has_windows_names(const char *folder) {
  (void)folder;
  return 0;
}

int share_contents(int from, int to) {
  (void)from, (void)to;
  errno = ENOTSUP;
  return -1;
}

ssize_t copy_some(int from, int to, size_t most) { return copy_by_reading(from, to, most); }

void copy_attributes(int from, int to) { (void)from, (void)to; }

void forget_contents(int descriptor) { (void)descriptor; }

int open_without_use(const char *path) { return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); }

unsigned int terminal_number(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? (unsigned int)status.st_rdev : 0;
}

/// Has a closed socket report an error to its writer, which Linux and others take as a flag of each call.
static int without_signal(int socket) {
#ifdef SO_NOSIGPIPE
  int yes = 1;
  if (socket >= 0) setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return close_on_exec(socket);
}

int connect_sockets(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return -1;
  without_signal(ends[0]);
  without_signal(ends[1]);
  return 0;
}

int create_socket(int family, int type, int protocol) { return without_signal(socket(family, type, protocol)); }

ssize_t send_without_signal(int socket, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
  return send(socket, bytes, count, MSG_NOSIGNAL);
#else
  return send(socket, bytes, count, 0);
#endif
}

int create_pipe(int ends[2], int blocks) {
  if (pipe(ends)) return -1;
  for (int end = 0; end < 2; end++) {
    close_on_exec(ends[end]);
    if (!blocks) fcntl(ends[end], F_SETFL, O_NONBLOCK);
  }
  return 0;
}

int create_watcher(void) { return is_unsupported(); }

int watch_path(int watcher, const char *path, uint32_t events) {
  (void)watcher, (void)path, (void)events;
  return is_unsupported();
}

#endif
