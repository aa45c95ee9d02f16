#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "CSystem.h"

enum { FAREWELL_MAXIMUM = 512, LONGEST_LOCK_MILLISECONDS = 1000 };

struct farewell {
  size_t count;
  char bytes[FAREWELL_MAXIMUM];
};

static int terminal = -1, original_flags;
static int notify_pipe[2] = {-1, -1};
static struct termios original_attributes, raw_attributes;
static struct sigaction previous_actions[NSIG];
// There are two, so that a signal while one is being set finds the other complete.
static struct farewell farewells[2];
static _Atomic(struct farewell *) farewell = &farewells[0];
static atomic_bool entered, is_writing;
// Whether this process group had the terminal when it was entered. It may not have if SIGTTOU is ignored.
static atomic_bool was_foreground;
/// The time until which answers are due, in milliseconds of the monotonic clock; 0 if none are.
static atomic_long answers_deadline;
/// Whether the program ends itself after a signal that asks it to.
static atomic_bool ends_itself;
/// The signal after which the program is ending itself; 0 for none.
static atomic_int ending_signal;
static char leftover[128];
static atomic_bool has_leftover;

static long milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Writes to a terminal that may not be reading, and gives up after 200 ms.
static void write_within_time(const char *bytes, size_t count) {
  long deadline = milliseconds_now() + 200;
  while (count > 0) {
    ssize_t written = write(terminal, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno != EINTR && errno != EAGAIN) {
      return;
    } else {
      long left = deadline - milliseconds_now();
      struct pollfd ready = {.fd = terminal, .events = POLLOUT};
      if (left <= 0 || poll(&ready, 1, (int)left) == 0) {
        // The unread bytes are an old frame. Dropping them makes room for the farewell.
        tcflush(terminal, TCOFLUSH);
        ssize_t last = write(terminal, bytes, count);
        (void)last;
        return;
      }
      if (ready.revents & (POLLERR | POLLHUP | POLLNVAL)) return;
    }
  }
}

/// Reads the terminal's remaining answers up to its device attributes (ESC [ ? … c), which come last.
static void discard_answers(long deadline) {
  enum { GROUND, ESCAPE, BRACKET, ATTRIBUTES } state = GROUND;
  for (;;) {
    struct pollfd ready = {.fd = terminal, .events = POLLIN};
    long left = deadline - milliseconds_now();
    if (left <= 0 || poll(&ready, 1, (int)left) <= 0 || !(ready.revents & POLLIN)) return;
    char bytes[256];
    ssize_t count = read(terminal, bytes, sizeof bytes);
    if (count <= 0) return;
    for (ssize_t i = 0; i < count; i++) {
      char byte = bytes[i];
      if (byte == '\033') state = ESCAPE;
      else if (state == ESCAPE) state = byte == '[' ? BRACKET : GROUND;
      else if (state == BRACKET) state = byte == '?' ? ATTRIBUTES : GROUND;
      else if (state == ATTRIBUTES && byte >= '@') {
        if (byte == 'c') return;
        state = GROUND;
      }
    }
  }
}

static bool is_foreground(void) { return tcgetpgrp(terminal) == getpgrp(); }

/// Returns whether the shell has taken the terminal after SIGSTOP, which no process can handle. It has set the terminal as
/// it needs it.
static bool is_taken_away(void) { return atomic_load(&was_foreground) && tcgetpgrp(terminal) > 0 && !is_foreground(); }

void terminal_guard_leave(void) {
  // A signal in the middle would find the terminal marked as left, and end or stop the program before it really is.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &previous);
  if (atomic_exchange(&entered, 0) && !is_taken_away()) {
    // After a fault in another thread, this waits for that thread's write, which must not come after the farewell and never
    // blocks.
    while (atomic_load(&is_writing)) {}
    int saved_errno = errno;
    struct farewell *bytes = atomic_load(&farewell);
    write_within_time(bytes->bytes, bytes->count);
    // The shell would take a late answer for typed text.
    long deadline = atomic_exchange(&answers_deadline, 0);
    if (deadline > 0) discard_answers(deadline);
    tcflush(terminal, TCIFLUSH);
    tcsetattr(terminal, TCSANOW, &original_attributes);
    fcntl(terminal, F_SETFL, original_flags);
    errno = saved_errno;
  }
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
}

int terminal_guard_enter(bool *was_entered) {
  // A stop (Ctrl-Z) in the middle would let the program set the terminal in the background, after the shell's `bg`.
  sigset_t all_but_one, previous;
  sigfillset(&all_but_one);
  // In the background this one stops the program before it changes another program's terminal.
  sigdelset(&all_but_one, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &all_but_one, &previous);
  int result = tcsetattr(terminal, TCSADRAIN, &raw_attributes);
  if (result == 0) {
    // If the descriptor is shared with the shell, so is this flag. Leaving resets it.
    fcntl(terminal, F_SETFL, original_flags | O_NONBLOCK);
    atomic_store(&was_foreground, is_foreground());
    *was_entered = atomic_exchange(&entered, 1);
  }
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  return result;
}

void terminal_guard_notice(void) {
  if (is_taken_away()) atomic_store(&entered, 0);
}

ssize_t terminal_guard_write(const void *bytes, size_t count) {
  // A stop (Ctrl-Z) between the check and the write would put the frame on the shell's screen.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &previous);
  atomic_store(&is_writing, 1);
  ssize_t written = atomic_load(&entered) ? write(terminal, bytes, count) : 0;
  atomic_store(&is_writing, 0);
  int saved_errno = errno;
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  errno = saved_errno;
  return written;
}

ssize_t terminal_guard_read(int descriptor, void *bytes, size_t count) {
  // A stop (Ctrl-Z) makes the terminal block again. If it came between the check and the read, the program would wait for a
  // line after `fg`, instead of taking the terminal.
  sigset_t all_but_one, previous;
  sigfillset(&all_but_one);
  // In the background this one stops the program, which would read the shell's keys. Blocked, it would be an error.
  sigdelset(&all_but_one, SIGTTIN);
  pthread_sigmask(SIG_BLOCK, &all_but_one, &previous);
  struct pollfd ready = {.fd = descriptor, .events = POLLIN};
  int is_ready = poll(&ready, 1, 0);
  ssize_t result = is_ready > 0 ? read(descriptor, bytes, count) : -1;
  int saved_errno = is_ready == 0 ? EAGAIN : errno;
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  errno = saved_errno;
  return result;
}

bool terminal_guard_is_entered(void) { return atomic_load(&entered); }

void terminal_guard_set_leftover(const char *path) {
  // A signal handler must never see half a path.
  atomic_store(&has_leftover, false);
  size_t count = strlen(path);
  if (count == 0 || count >= sizeof leftover) return;
  memcpy(leftover, path, count + 1);
  atomic_store(&has_leftover, true);
}

void terminal_guard_await_answers(bool are_due) {
  atomic_store(&answers_deadline, are_due ? milliseconds_now() + TERMINAL_GUARD_ANSWER_MILLISECONDS : 0);
}

void terminal_guard_set_farewell(const char *bytes, size_t count) {
  struct farewell *spare = atomic_load(&farewell) == &farewells[0] ? &farewells[1] : &farewells[0];
  spare->count = count < FAREWELL_MAXIMUM ? count : FAREWELL_MAXIMUM;
  memcpy(spare->bytes, bytes, spare->count);
  atomic_store(&farewell, spare);
}

static void notify(char what) {
  int saved_errno = errno;
  // A full pipe already holds the same message.
  if (write(notify_pipe[1], &what, 1) < 0) errno = saved_errno;
}

static void end_by(int number) {
  if (atomic_load(&has_leftover)) unlink(leftover);
  sigaction(number, &previous_actions[number], NULL);
}

/// Leaves the end to the program, unless it is taking too long or another signal comes.
static bool leaves_end_to_program(int number) {
  if (number != SIGTERM && number != SIGHUP && number != SIGINT) return false;
  int none = 0;
  if (!atomic_load(&ends_itself) || !atomic_compare_exchange_strong(&ending_signal, &none, number)) return false;
  // Reading a terminal that has been given back must not block the program.
  fcntl(terminal, F_SETFL, original_flags | O_NONBLOCK);
  struct itimerval limit = {.it_value.tv_sec = TERMINAL_GUARD_ENDING_SECONDS};
  setitimer(ITIMER_REAL, &limit, NULL);
  notify(TERMINAL_GUARD_ENDING);
  return true;
}

static void die(int number, siginfo_t *info, void *context) {
  (void)context;
  terminal_guard_leave();
  if (leaves_end_to_program(number)) return;
  // The time is over.
  int first = atomic_load(&ending_signal);
  if (number == SIGALRM && first != 0) number = first;
  end_by(number);
  // A fault is raised again when the handler returns, with its own place in the program.
  int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
  if (!is_fault || info->si_code <= 0) raise(number);
}

void terminal_guard_set_ends_itself(void) { atomic_store(&ends_itself, true); }

void terminal_guard_end(void) {
  int number = atomic_load(&ending_signal);
  if (number == 0) return;
  fcntl(terminal, F_SETFL, original_flags);
  end_by(number);
  raise(number);
}

static void stop(int number) {
  sigset_t stopping, previous;
  struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
  terminal_guard_leave();
  // Otherwise, other copies of the program would wait for a database until this one is continued.
  stop_locks(LONGEST_LOCK_MILLISECONDS);
  sigaction(number, &standard, &ours);
  sigemptyset(&stopping);
  sigaddset(&stopping, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &stopping, &previous);  // Stops here, until SIGCONT.
  sigprocmask(SIG_SETMASK, &previous, NULL);
  continue_locks();
  sigaction(number, &ours, NULL);
  notify(TERMINAL_GUARD_CONTINUED);
}

static void tell(int number) { notify(number == SIGWINCH ? TERMINAL_GUARD_RESIZED : TERMINAL_GUARD_CONTINUED); }

/// Returns whether this signal ends a process that does not handle it.
static int is_fatal(int number) {
  switch (number) {
    case SIGKILL: case SIGSTOP:                             // No process can handle them.
    case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH: // Ignored by default.
    case SIGTSTP: case SIGTTIN: case SIGTTOU:               // They stop the process.
    case SIGPIPE:                                           // write() reports it, too.
      return 0;
    default: return 1;
  }
}

static void handle(int number, struct sigaction *action, struct sigaction *previous) {
  sigfillset(&action->sa_mask);
  sigaction(number, NULL, previous);
  // A signal that was ignored at the start (nohup) stays ignored.
  if (previous->sa_handler == SIG_IGN && !(previous->sa_flags & SA_SIGINFO)) return;
  sigaction(number, action, NULL);
}

int terminal_guard_start(int fd, const struct termios *original, const struct termios *raw) {
  bool is_started = terminal >= 0;
  if (!is_started && create_pipe(notify_pipe, 0) != 0) return -1;
  terminal = fd;
  original_flags = fcntl(fd, F_GETFL);
  original_attributes = *original;
  raw_attributes = *raw;
  // The signals are handled already, and a handler must not take itself for the one that was there before.
  if (is_started) return notify_pipe[0];

  static char stack[64 * 1024];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);

  struct sigaction ignored_previous;
  for (int number = 1; number < NSIG; number++) {
    if (!is_fatal(number)) continue;
    struct sigaction action = {.sa_sigaction = die, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    handle(number, &action, &previous_actions[number]);
    // Swift's backtracer would ask questions on the terminal after a crash, so it runs only on request.
    if (getenv("SWIFT_BACKTRACE") == NULL) previous_actions[number] = (struct sigaction){.sa_handler = SIG_DFL};
  }
  struct sigaction stopping = {.sa_handler = stop, .sa_flags = SA_RESTART};
  handle(SIGTSTP, &stopping, &ignored_previous);
  struct sigaction telling = {.sa_handler = tell, .sa_flags = SA_RESTART};
  sigfillset(&telling.sa_mask);
  sigaction(SIGWINCH, &telling, NULL);
  sigaction(SIGCONT, &telling, NULL);
  signal(SIGPIPE, SIG_IGN);
  return notify_pipe[0];
}
