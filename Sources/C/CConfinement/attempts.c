#define _GNU_SOURCE
#include "CConfinement.h"
#include "CSystem.h"

#ifdef SYSTEM_IS_LINUX

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

int copy_memory(pid_t process) {
  char byte;
  struct iovec own = {&byte, 1}, nothing = {NULL, 1};
  // The right to read is checked first, and then the address, at which no process has memory.
  return process_vm_readv(process, &own, 1, &nothing, 1, 0) < 0 && errno == EFAULT ? 0 : -1;
}

// Many of these calls get arguments with which they fail without an effect. The filter of the calls does not see most arguments, so a
// call that reaches the kernel's own checks would be possible with others.

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

static int reaches_kernel(long result) {
  return result >= 0 || (errno != EPERM && errno != EACCES && errno != ENOSYS) ? 0 : -1;
}

static int set_memory_limit(void) {
  // The same limit again: root could raise it.
  struct rlimit space;
  return getrlimit(RLIMIT_AS, &space) ? -1 : setrlimit(RLIMIT_AS, &space);
}

static int share_memory(void) {
  int memory = shmget(IPC_PRIVATE, 4096, 0600);
  return memory < 0 ? -1 : shmctl(memory, IPC_RMID, NULL);
}

static int measure(pid_t process) {
  struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .exclude_kernel = 1};
  return (int)syscall(SYS_perf_event_open, &event, process, -1, -1, 0);
}

static int make_sockets(void) {
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static int make_in(const char *folder, int (*make)(const char *)) {
  char path[4096];
  snprintf(path, sizeof path, "%s/further", folder);
  int result = make(path), error = errno;
  if (result == 0) unlink(path);
  errno = error;
  return result;
}

static int make_named_pipe(const char *path) { return mkfifo(path, 0600); }

const char *try_further(int number, int photo, pid_t parent, const char *folder, int *result) {
  char ring[128] = {0};
  char secret[4096];
  struct msghdr message = {0};
  snprintf(secret, sizeof secret, "%s/secret", folder);
#define TRY(name, call)                                     \
  if (number-- == 0) return *result = (int)(call), name
  errno = 0;
  // Other ways to the kernel.
  TRY("use a ring of requests", syscall(SYS_io_uring_setup, 1, ring));
  TRY("handle page faults", syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
  TRY("load a program into the kernel", reaches_kernel(syscall(SYS_bpf, 9999, NULL, 0)));
  TRY("keep a key in the kernel", reaches_kernel(syscall(SYS_keyctl, 0, -2, 0)));
  TRY("change the filter of calls", reaches_kernel(syscall(SYS_seccomp, 9999, 0, NULL)));
  TRY("move pages between files", reaches_kernel(syscall(SYS_splice, -1, NULL, -1, NULL, 1, 0)));
  // Other processes.
  TRY("refer to a process", syscall(SYS_pidfd_open, parent, 0));
  TRY("copy a process's descriptor", reaches_kernel(syscall(SYS_pidfd_getfd, -1, 0, 0)));
  TRY("signal through a descriptor", reaches_kernel(syscall(SYS_pidfd_send_signal, -1, 0, NULL, 0)));
  TRY("trace a process", reaches_kernel(ptrace(PTRACE_SEIZE, parent, (void *)1, NULL)));
  TRY("measure a process", measure(parent));
  TRY("slow down a process", reaches_kernel(setpriority(PRIO_PROCESS, 999999999, 19)));
  TRY("let others trace it", prctl(PR_SET_DUMPABLE, 1));
  TRY("share memory", share_memory());
  // Rights and limits.
  TRY("set the limit of memory", set_memory_limit());
  TRY("become another user", setuid(getuid()));
  TRY("enter another namespace", reaches_kernel(setns(-1, 0)));
  TRY("change its root", reaches_kernel(chroot("")));
  TRY("mount a disk", reaches_kernel(mount(NULL, "", NULL, 0, NULL)));
  // Files.
  TRY("make a file in memory", memfd_create("attempt", MFD_CLOEXEC));
  TRY("write its own memory", open("/proc/self/mem", O_RDWR | O_CLOEXEC));
  TRY("make a pipe with a name", make_in(folder, make_named_pipe));
  TRY("make a second name of a file", reaches_kernel(link(secret, secret)));
  TRY("set the times of a file", utimensat(AT_FDCWD, secret, NULL, 0));
  TRY("set an attribute of a file", reaches_kernel(setxattr(secret, "user.attempt", "", 0, 0)));
  TRY("set the times of the photo", futimens(photo, NULL));
  TRY("set an attribute of the photo", reaches_kernel(fsetxattr(photo, "user.attempt", "", 0, 0)));
  TRY("give the photo away", fchown(photo, getuid(), getgid()));
  TRY("lock the photo", flock(photo, LOCK_EX | LOCK_NB));
  TRY("take a lease of the photo", reaches_kernel(fcntl(photo, F_SETLEASE, F_RDLCK)));
  TRY("reserve room on the disk", reaches_kernel(fallocate(-1, 0, 0, 1)));
  TRY("watch a folder", inotify_init1(IN_CLOEXEC));
  // Sockets.
  TRY("make a pair of sockets", make_sockets());
  TRY("make a socket of the kernel", socket(AF_NETLINK, SOCK_RAW, 0));
  TRY("make a socket of packets", reaches_kernel(socket(AF_PACKET, SOCK_RAW, -1)));
  TRY("connect a socket", reaches_kernel(connect(-1, NULL, 0)));
  TRY("wait for a connection", reaches_kernel(listen(-1, 1)));
  TRY("pass a descriptor on", reaches_kernel(sendmsg(-1, &message, 0)));
  return NULL;
#undef TRY
}

#endif
