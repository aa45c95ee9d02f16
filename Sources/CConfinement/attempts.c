#define _GNU_SOURCE
#include "CConfinement.h"

#include <sched.h>
#include <sys/uio.h>

int copy_memory(pid_t process) { return (int)process_vm_readv(process, NULL, 0, NULL, 0, 0); }

int enter_namespace(void) { return unshare(CLONE_NEWUSER); }
