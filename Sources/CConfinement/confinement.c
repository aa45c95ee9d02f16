#include "CConfinement.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

void confine(size_t memory) {
  struct rlimit space = {memory, memory}, none = {0, 0};
  setrlimit(RLIMIT_AS, &space);
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // The alarm that ends a picture taking too long must not have been inherited as ignored.
  signal(SIGALRM, SIG_DFL);
}
