#define _GNU_SOURCE
#include "CConfinement.h"
#include "CSystem.h"

#ifdef SYSTEM_IS_LINUX

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// A process can't read the memory of a process outside its user namespace (user_namespaces(7)), not even of the same user or
// as root. The new namespace knows no user, so no further one can be made in it, which would give privileges back.

/// The privileges of a process (capabilities(7)).
struct privileges {
  struct __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3];
};

static long call_on_privileges(long call, struct privileges *privileges) {
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
  return syscall(call, &head, privileges->words);
}

static int is_readable(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  close(file);
  return 1;
}

int enter_namespace(const char *needed) {
  struct privileges own, suspended, none = {0};
  if (call_on_privileges(SYS_capget, &own)) return 0;
  suspended = own;
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) suspended.words[i].effective = 0;
  call_on_privileges(SYS_capset, &suspended);
  if ((needed && !is_readable(needed)) || unshare(CLONE_NEWUSER)) {
    call_on_privileges(SYS_capset, &own);
    return 0;
  }
  // The first process of a namespace has all privileges in it.
  call_on_privileges(SYS_capset, &none);
  return 1;
}

#endif
