#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sanitized.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#if !defined(ARCHITECTURE) || defined(IS_SANITIZED)

int confine_calls(void) { return 0; }

#else

// The filter (Linux, "Seccomp BPF") lists the calls that are possible. Everything else fails with EPERM, also what later
// kernels add, so that a library can still do without it.

/// The calls that are possible with any arguments. They act on this process, or on files that are open.
static const uint32_t free_calls[] = {
    // Open files. What none of them is (another process's memory, a socket to a server) can't be opened.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_lseek, SYS_close, SYS_fstat,
    SYS_ftruncate, SYS_fadvise64, SYS_dup, SYS_pipe2, SYS_eventfd2, SYS_ppoll, SYS_recvmsg, SYS_recvfrom,
    SYS_getdents64, SYS_fstatfs, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
    // Names, which tell whether a file exists. Landlock does not refuse that.
    SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_statfs, SYS_getcwd,
    // Memory.
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_mincore, SYS_membarrier,
    // Threads and their signals.
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_gettid, SYS_exit, SYS_exit_group,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_sched_getattr, SYS_sched_getparam, SYS_sched_getscheduler, SYS_getcpu,
    // Time, and what this process is.
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getrusage,
    SYS_setitimer, SYS_timerfd_create, SYS_timerfd_settime, SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid,
    SYS_getgid, SYS_getegid, SYS_uname, SYS_sysinfo, SYS_getrandom,
#ifdef __x86_64__
    // Older forms of the same calls.
    SYS_poll, SYS_epoll_wait, SYS_pipe, SYS_dup2, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_alarm, SYS_time,
    SYS_arch_prctl,
#endif
};

/// The most instructions of the filter.
enum { longest_filter = 256 };

struct filter {
  struct sock_filter steps[longest_filter];
  unsigned short count;
};

static void add(struct filter *filter, struct sock_filter step) {
  // A filter that is too long is not installed.
  if (filter->count < longest_filter) filter->steps[filter->count] = step;
  filter->count++;
}

static void load(struct filter *filter, uint32_t offset) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void answer(struct filter *filter, uint32_t action) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/// Goes on with the next step if the loaded number is `value`, and otherwise skips `count` steps.
static void unless_equal(struct filter *filter, uint32_t value, uint8_t count) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
}

static void allow(struct filter *filter, uint32_t call) {
  unless_equal(filter, call, 1);
  answer(filter, SECCOMP_RET_ALLOW);
}

static void refuse(struct filter *filter, uint32_t call, uint32_t error) {
  unless_equal(filter, call, 1);
  answer(filter, SECCOMP_RET_ERRNO | error);
}

/// Allows a call if the bits `mask` of an argument, counted from 0, are `value`. Arguments that are numbers or flags have no
/// more than 32 bits, of which little-endian machines store the lower ones first.
static void allow_if(struct filter *filter, uint32_t call, int argument, uint32_t mask, uint32_t value) {
  unless_equal(filter, call, 5);
  load(filter, offsetof(struct seccomp_data, args) + 8 * argument);
  add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
  unless_equal(filter, value, 1);
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

/// Allows a call if an argument is one of the numbers up to `most`.
static void allow_up_to(struct filter *filter, uint32_t call, int argument, uint32_t most) {
  unless_equal(filter, call, 4);
  load(filter, offsetof(struct seccomp_data, args) + 8 * argument);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, most, 1, 0));
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

/// Allows a thread to set its own priority, as Dispatch does, but not that of other processes or of all of the user's.
static void allow_own_priority(struct filter *filter) {
  unless_equal(filter, SYS_setpriority, 6);
  load(filter, offsetof(struct seccomp_data, args));
  unless_equal(filter, PRIO_PROCESS, 3);
  load(filter, offsetof(struct seccomp_data, args) + 8);
  unless_equal(filter, 0, 1);
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

static void add_checked_calls(struct filter *filter) {
  uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  uint32_t namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
  uint32_t whole = UINT32_MAX, self = (uint32_t)getpid();
  allow_if(filter, SYS_openat, 2, writing, O_RDONLY);
  // Threads, but no processes and namespaces. The arguments of the newer call are in memory, which a filter can't read; the
  // C library does without it.
  allow_if(filter, SYS_clone, 0, CLONE_THREAD | namespaces, CLONE_THREAD);
  refuse(filter, SYS_clone3, ENOSYS);
  // A process that aborts sends itself a signal.
  allow_if(filter, SYS_tgkill, 0, whole, self);
  allow_if(filter, SYS_prlimit64, 0, whole, 0);
  allow_if(filter, SYS_sched_setattr, 0, whole, 0);
  allow_if(filter, SYS_prctl, 0, whole, PR_SET_NAME);
  // Duplicates and flags. Further commands name a process that is sent a signal when the file can be read.
  allow_up_to(filter, SYS_fcntl, 1, F_SETFL);
  // A call to a device could type into a terminal.
  refuse(filter, SYS_ioctl, ENOTTY);
  allow_own_priority(filter);
#ifdef __x86_64__
  allow_if(filter, SYS_open, 1, writing, O_RDONLY);
#endif
}

int confine_calls(void) {
  struct filter filter = {.count = 0};
  // A number means another call to code for another processor. Those of x32 are larger than all of the list.
  load(&filter, offsetof(struct seccomp_data, arch));
  add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  answer(&filter, SECCOMP_RET_KILL_PROCESS);
  load(&filter, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < sizeof free_calls / sizeof *free_calls; i++) allow(&filter, free_calls[i]);
  add_checked_calls(&filter);
  answer(&filter, SECCOMP_RET_ERRNO | EPERM);
  if (filter.count > longest_filter) return 0;
  struct sock_fprog program = {.len = filter.count, .filter = filter.steps};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#endif
