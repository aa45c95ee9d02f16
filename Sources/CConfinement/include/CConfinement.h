#pragma once

#include <stddef.h>

/// Bounds what this process may do from now on: `memory` bytes of address space, no core file, no new privileges,
/// and an end of its own when its parent ends.
void confine(size_t memory);

/// Ends this process by SIGPROF when it has used so much of the processors' time from now on, and by SIGALRM when so much
/// time has passed. 0 lifts a limit.
void limit_time(unsigned int processor_seconds, unsigned int seconds);
