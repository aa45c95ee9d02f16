#define _GNU_SOURCE
#include "CConfinement.h"
#include "CSystem.h"

#ifdef SYSTEM_IS_LINUX

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

/// The most instructions of the filter, between any two of which a jump is possible, and a number larger than those of all
/// calls in the lists.
enum { longest_filter = 256, call_limit = 512 };

/// A filter. It is written from its last step to its first, because jumps lead only forward. Steps are referred to by index.
struct filter {
  struct sock_filter steps[longest_filter];
  /// The first step so far.
  int first;
  int permission, refusal;
  /// The steps that decide about the calls, by their numbers.
  int decisions[call_limit];
};

/// Calls with successive numbers that the same step decides about.
struct range {
  uint32_t first_call;
  int decision;
};

/// Adds a step before the others, and returns its index. A filter that is too long is not installed.
static int add(struct filter *filter, struct sock_filter step) {
  filter->first--;
  if (filter->first >= 0) filter->steps[filter->first] = step;
  return filter->first;
}

static int answer(struct filter *filter, uint32_t action) {
  return add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static int load(struct filter *filter, uint32_t offset) {
  return add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

/// Loads an argument, counted from 0. Arguments that are numbers or flags have no more than 32 bits, of which little-endian
/// machines store the lower ones first.
static int load_argument(struct filter *filter, int argument) {
  return load(filter, offsetof(struct seccomp_data, args) + 8 * argument);
}

/// Goes on with one of two steps by a comparison of the loaded number with `value`.
static int compare(struct filter *filter, uint16_t comparison, uint32_t value, int if_true, int if_false) {
  int next = filter->first;
  return add(filter, (struct sock_filter)BPF_JUMP(
                         BPF_JMP | BPF_K | comparison, value, (uint8_t)(if_true - next), (uint8_t)(if_false - next)));
}

/// Allows a call if the bits `mask` of an argument are `value`.
static void allow_if(struct filter *filter, uint32_t call, int argument, uint32_t mask, uint32_t value) {
  compare(filter, BPF_JEQ, value, filter->permission, filter->refusal);
  add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
  filter->decisions[call] = load_argument(filter, argument);
}

/// Allows a call if an argument is one of the numbers up to `most`.
static void allow_up_to(struct filter *filter, uint32_t call, int argument, uint32_t most) {
  compare(filter, BPF_JGT, most, filter->refusal, filter->permission);
  filter->decisions[call] = load_argument(filter, argument);
}

/// Allows a thread to set its own priority, as Dispatch does, but not that of other processes or of all of the user's.
static void allow_own_priority(struct filter *filter) {
  compare(filter, BPF_JEQ, 0, filter->permission, filter->refusal);
  int process = load_argument(filter, 1);
  compare(filter, BPF_JEQ, PRIO_PROCESS, process, filter->refusal);
  filter->decisions[SYS_setpriority] = load_argument(filter, 0);
}

/// Allows a process to ask for its own limits, but not to set them, since one of root could raise them. The address of new limits,
/// which must be NULL, has two halves.
static void allow_own_limits(struct filter *filter) {
  compare(filter, BPF_JEQ, 0, filter->permission, filter->refusal);
  int upper_half = load(filter, offsetof(struct seccomp_data, args) + 8 * 2 + 4);
  compare(filter, BPF_JEQ, 0, upper_half, filter->refusal);
  int lower_half = load_argument(filter, 2);
  compare(filter, BPF_JEQ, 0, lower_half, filter->refusal);
  filter->decisions[SYS_prlimit64] = load_argument(filter, 0);
}

static void add_checked_calls(struct filter *filter) {
  uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  uint32_t namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
  uint32_t whole = UINT32_MAX, self = (uint32_t)getpid();
  allow_if(filter, SYS_openat, 2, writing, O_RDONLY);
  // Threads, but no processes and namespaces. The arguments of the newer call are in memory, which a filter can't read; the
  // C library does without it.
  allow_if(filter, SYS_clone, 0, CLONE_THREAD | namespaces, CLONE_THREAD);
  filter->decisions[SYS_clone3] = answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
  // A process that aborts sends itself a signal.
  allow_if(filter, SYS_tgkill, 0, whole, self);
  allow_own_limits(filter);
  allow_if(filter, SYS_sched_setattr, 0, whole, 0);
  allow_if(filter, SYS_prctl, 0, whole, PR_SET_NAME);
  // Duplicates and flags. Further commands name a process that is sent a signal when the file can be read.
  allow_up_to(filter, SYS_fcntl, 1, F_SETFL);
  // A call to a device could type into a terminal.
  filter->decisions[SYS_ioctl] = answer(filter, SECCOMP_RET_ERRNO | ENOTTY);
  allow_own_priority(filter);
#ifdef __x86_64__
  allow_if(filter, SYS_open, 1, writing, O_RDONLY);
#endif
}

/// Adds a search by halves for the step that decides about the loaded number of a call. The kernel runs the filter once for
/// every call when it is installed, so a list would take a multiple of the time.
static int search(struct filter *filter, const struct range *ranges, int count) {
  if (count == 1) return ranges->decision;
  int half = count / 2;
  int upper = search(filter, ranges + half, count - half);
  int lower = search(filter, ranges, half);
  return compare(filter, BPF_JGE, ranges[half].first_call, upper, lower);
}

static void search_decision(struct filter *filter) {
  struct range ranges[call_limit];
  int count = 0;
  for (uint32_t call = 0; call < call_limit; call++) {
    int decision = filter->decisions[call];
    if (count == 0 || ranges[count - 1].decision != decision) ranges[count++] = (struct range){call, decision};
  }
  // Calls with larger numbers are of the last range.
  search(filter, ranges, count);
}

int confine_calls(void) {
  struct filter filter = {.first = longest_filter};
  filter.refusal = answer(&filter, SECCOMP_RET_ERRNO | EPERM);
  filter.permission = answer(&filter, SECCOMP_RET_ALLOW);
  for (int call = 0; call < call_limit; call++) filter.decisions[call] = filter.refusal;
  for (size_t i = 0; i < sizeof free_calls / sizeof *free_calls; i++)
    filter.decisions[free_calls[i]] = filter.permission;
  add_checked_calls(&filter);
  search_decision(&filter);
  int call = load(&filter, offsetof(struct seccomp_data, nr));
  // A number means another call to code for another processor. Those of x32 are larger than all that are allowed.
  int kill = answer(&filter, SECCOMP_RET_KILL_PROCESS);
  compare(&filter, BPF_JEQ, ARCHITECTURE, call, kill);
  load(&filter, offsetof(struct seccomp_data, arch));
  if (filter.first < 0) return 0;
  struct sock_fprog program = {.len = longest_filter - filter.first, .filter = filter.steps + filter.first};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#endif

#endif
