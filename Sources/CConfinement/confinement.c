#include "CConfinement.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// A sanitizer keeps its books in terabytes of addresses.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif

void confine(size_t memory) {
  struct rlimit none = {0, 0};
#ifdef IS_SANITIZED
  (void)memory;
#else
  struct rlimit space = {memory, memory};
  setrlimit(RLIMIT_AS, &space);
#endif
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // The alarm that ends a picture taking too long must not have been inherited as ignored or blocked.
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarm, NULL);
  signal(SIGALRM, SIG_DFL);
  // That the browser has gone is seen by reading and writing, which leaves time to tidy up. What the terminal sends to
  // all of its processes is the browser's to act on.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
}
