#include "CSystem.h"
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int locks;
static atomic_bool is_stopping;

// A handler of a signal may call poll(), and no function that waits for a condition.
static void wait_a_moment(void) { poll(NULL, 0, 1); }

void begin_lock(void) {
  while (true) {
    atomic_fetch_add(&locks, 1);
    if (!atomic_load(&is_stopping)) return;
    atomic_fetch_sub(&locks, 1);
    while (atomic_load(&is_stopping)) wait_a_moment();
  }
}

void end_lock(void) { atomic_fetch_sub(&locks, 1); }

void stop_locks(int milliseconds) {
  atomic_store(&is_stopping, true);
  for (int waited = 0; waited < milliseconds && atomic_load(&locks) > 0; waited++) wait_a_moment();
}

void continue_locks(void) { atomic_store(&is_stopping, false); }
