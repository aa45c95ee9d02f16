#define _GNU_SOURCE
#include "CConfinement.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "CSystem.h"
#include "sanitized.h"

#ifdef SYSTEM_IS_LINUX
#include <sys/prctl.h>
#endif

void confine(size_t memory) {
  struct rlimit none = {0, 0};
#ifdef IS_SANITIZED
  (void)memory;
#else
  // By default, a few threads of a decoder would reach the limit with little memory in use.
  share_memory_among_threads();
  struct rlimit space = {memory, memory};
  setrlimit(RLIMIT_AS, &space);
  setrlimit(RLIMIT_FSIZE, &space);
#endif
  setrlimit(RLIMIT_CORE, &none);
#ifdef SYSTEM_IS_LINUX
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
  // These signals end a decoding that takes too long. The process may have inherited them as ignored or blocked.
  sigset_t limits;
  sigemptyset(&limits);
  sigaddset(&limits, SIGALRM);
  sigaddset(&limits, SIGPROF);
  sigprocmask(SIG_UNBLOCK, &limits, NULL);
  signal(SIGALRM, SIG_DFL);
  signal(SIGPROF, SIG_DFL);
}

void leave_gallery(void) {
  // Reading and writing fail when the gallery has gone, which leaves time to clean up. The gallery alone reacts to the
  // signals that the terminal sends to all of its processes.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
}

void limit_time(unsigned int processor_seconds, unsigned int seconds) {
  struct itimerval limit = {.it_value = {processor_seconds, 0}};
  setitimer(ITIMER_PROF, &limit, NULL);
  alarm(seconds);
}
