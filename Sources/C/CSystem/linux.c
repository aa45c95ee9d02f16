#define _GNU_SOURCE
#include "CSystem.h"

#ifdef SYSTEM_IS_LINUX

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <wchar.h>

// Many of these functions and flags are not available in Swift.

void return_large_blocks(void) {
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  // Setting one limit fixes the other one at 128 kB, which frames exceed again and again.
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

void share_memory_among_threads(void) { mallopt(M_ARENA_MAX, 1); }

void return_free_memory(void) { malloc_trim(0); }

int library_width(wchar_t character) {
  static int (*_Atomic width)(wchar_t);
  int (*found)(wchar_t) = width;
  if (!found) width = found = (int (*)(wchar_t))dlsym(RTLD_NEXT, "wcwidth");
  return found ? found(character) : -1;
}

// The dynamic linker takes the program's function for that of the C library, also for ncurses.
int wcwidth(wchar_t character) {
  // The characters of "Symbols for Legacy Computing Supplement" (Unicode 16) are as wide as those of the older block, which an
  // encoding without Unicode does not have either.
  return library_width(character >= 0x1CC00 && character <= 0x1CEBF ? 0x1FB00 : character);
}

char *executable_path(void) { return realpath("/proc/self/exe", NULL); }

int describe_process(pid_t process, char *name, size_t size, pid_t *parent) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return 0;
  text[count] = 0;
  // The name is in parentheses, and it may contain parentheses itself (proc(5)).
  char *start = strchr(text, '('), *end = strrchr(text, ')');
  int number;
  if (!start || !end || end < start || sscanf(end + 1, " %*c %d", &number) != 1) return 0;
  *end = 0;
  snprintf(name, size, "%s", start + 1);
  *parent = number;
  return 1;
}

void name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int create_memory_file(void) { return memfd_create("frame", MFD_CLOEXEC); }

int create_shared_file(char *path, size_t size) {
  int descriptor = create_memory_file();
  snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), descriptor);
  return descriptor;
}

int create_nameless_file(const char *folder, mode_t permissions) {
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, permissions);
}

int name_file(int descriptor, const char *path) {
  char file[32];
  snprintf(file, sizeof file, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, file, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int move_without_replacing(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  // Some file systems, such as those on other machines, can't tell.
  return errno == EINVAL || errno == ENOSYS ? move_by_linking(from, to) : -1;
}

int exchange_files(const char *one, const char *other) {
  if (renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0) return 0;
  if (errno == EINVAL || errno == ENOSYS) errno = ENOTSUP;
  return -1;
}

/// Returns whether a file is on a server, which grants a lease only at times, whether anybody writes the file or not.
static int is_on_server(int descriptor) {
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return 1;
  switch ((unsigned long)system.f_type) {
  case 0x6969:      // NFS
  case 0xFF534D42:  // CIFS
  case 0xFE534D42:  // SMB 2 and 3
    return 1;
  default: return 0;
  }
}

int is_being_written(int descriptor) {
  // The system grants a lease for reading (fcntl(2)) unless the file is open for writing. If a process opens it in the instant of the
  // lease, this one gets a signal that is ignored by default, in place of SIGIO, which would end it.
  fcntl(descriptor, F_SETSIG, SIGURG);
  if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN && !is_on_server(descriptor);
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  return 0;
}

int has_windows_names(const char *folder) {
  struct statfs system;
  if (statfs(folder, &system) != 0) return 0;
  switch ((unsigned long)system.f_type) {
  case 0x4D44:      // FAT
  case 0x2011BAB0:  // exFAT
  case 0x5346544E:  // NTFS, the old driver
  case 0x7366746E:  // NTFS
    return 1;
  default: return 0;
  }
}

int share_contents(int from, int to) { return ioctl(to, FICLONE, from); }

ssize_t copy_some(int from, int to, size_t most) {
  ssize_t count = copy_file_range(from, NULL, to, NULL, most, 0);
  // Older kernels copy only within a file system.
  return count >= 0 || errno == ENOSPC ? count : copy_by_reading(from, to, most);
}

void copy_attributes(int from, int to) {
  char names[4096], value[65536];
  // A new file may have got a list from its folder.
  fremovexattr(to, "system.posix_acl_access");
  ssize_t size = flistxattr(from, names, sizeof names);
  for (ssize_t start = 0; start < size; start += (ssize_t)strlen(names + start) + 1) {
    const char *name = names + start;
    // The kernel computes these from each file itself.
    if (strcmp(name, "security.ima") == 0 || strcmp(name, "security.evm") == 0) continue;
    ssize_t count = fgetxattr(from, name, value, sizeof value);
    if (count >= 0) fsetxattr(to, name, value, (size_t)count, 0);
  }
}

void forget_contents(int descriptor) { posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED); }

int open_without_use(const char *path) {
  return open(path, O_RDONLY | O_NOATIME | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

unsigned int terminal_number(int descriptor) {
  unsigned int device = 0;
  return ioctl(descriptor, TIOCGDEV, &device) == 0 ? (device & 0xFF) | (device >> 12 & 0xFFF00) : 0;
}

int connect_sockets(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

int create_socket(int family, int type, int protocol) { return socket(family, type | SOCK_CLOEXEC, protocol); }

ssize_t send_without_signal(int socket, const void *bytes, size_t count) {
  return send(socket, bytes, count, MSG_NOSIGNAL);
}

int create_pipe(int ends[2], int blocks) { return pipe2(ends, blocks ? O_CLOEXEC : O_CLOEXEC | O_NONBLOCK); }

int create_watcher(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int watch_path(int watcher, const char *path, uint32_t events) { return inotify_add_watch(watcher, path, events); }

#define SAME(own, of_inotify) _Static_assert((own) == (of_inotify), #own)
SAME(sizeof(struct watch_event), sizeof(struct inotify_event));
SAME(offsetof(struct watch_event, path), offsetof(struct inotify_event, wd));
SAME(offsetof(struct watch_event, events), offsetof(struct inotify_event, mask));
SAME(offsetof(struct watch_event, cookie), offsetof(struct inotify_event, cookie));
SAME(offsetof(struct watch_event, length), offsetof(struct inotify_event, len));
SAME(WATCH_ATTRIBUTES, IN_ATTRIB);
SAME(WATCH_WRITTEN, IN_CLOSE_WRITE);
SAME(WATCH_MOVED_FROM, IN_MOVED_FROM);
SAME(WATCH_MOVED_TO, IN_MOVED_TO);
SAME(WATCH_CREATED, IN_CREATE);
SAME(WATCH_DELETED, IN_DELETE);
SAME(WATCH_SELF_DELETED, IN_DELETE_SELF);
SAME(WATCH_SELF_MOVED, IN_MOVE_SELF);
SAME(WATCH_UNMOUNTED, IN_UNMOUNT);
SAME(WATCH_LOST, IN_Q_OVERFLOW);
SAME(WATCH_ENDED, IN_IGNORED);
SAME(WATCH_IS_FOLDER, IN_ISDIR);
SAME(WATCH_ONLY_FOLDERS, IN_ONLYDIR);
SAME(WATCH_ONLY_NAMED, IN_EXCL_UNLINK);
SAME(WATCH_MORE, IN_MASK_ADD);

#endif
