#define _GNU_SOURCE
#include "CConfinement.h"
#include "CSystem.h"

#ifdef SYSTEM_IS_LINUX

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sanitized.h"

// Landlock (Linux, "Landlock: unprivileged access control") takes rights from a process for good. It has grown by ABI
// version; a kernel refuses rights that it does not know. The header of the system that builds may be older than the kernel.

/// The rights on files that a version of the ABI knows, from 1 on: those up to a bit.
static const int highest_file_right[] = {12, 13, 14, 14, 15};
/// The first version that knows rights on the network and scopes.
enum { network_abi = 4, scope_abi = 6 };

struct rights {
  uint64_t files;
  /// Binding (1) and connecting (2) TCP sockets.
  uint64_t network;
  /// Abstract sockets (1) and signals (2) of other processes.
  uint64_t scopes;
};

static int abi_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : (int)version;
}

static void allow_reading(int rules, const char *path) {
  struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
  struct stat status;
  rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return;
  if (!fstat(rule.parent_fd, &status)) {
    if (S_ISDIR(status.st_mode)) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(rule.parent_fd);
}

int confine_files(const char *const *readable) {
#ifdef IS_SANITIZED
  (void)readable;
  return 0;
#else
  int version = abi_version();
  if (version == 0) return 0;
  int known = sizeof highest_file_right / sizeof *highest_file_right;
  int highest = highest_file_right[(version < known ? version : known) - 1];
  struct rights handled = {
      .files = ((uint64_t)2 << highest) - 1,
      .network = version >= network_abi ? 3 : 0,
      .scopes = version >= scope_abi ? 3 : 0,
  };
  // Older kernels accept the longer structure as long as what they don't know is zero.
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
  if (rules < 0) return 0;
  for (; *readable; readable++) allow_reading(rules, *readable);
  long failed = syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
  return failed ? 0 : version;
#endif
}

#endif
