#pragma once

#include <stddef.h>

/// Limits this process to `memory` bytes of address space, without core files and new privileges, and ignores the signals
/// that the terminal sends.
void confine(size_t memory);

/// Ends this process by SIGPROF when it has used `processor_seconds` of processor time from now on, and by SIGALRM when
/// `seconds` have passed. 0 lifts a limit.
void limit_time(unsigned int processor_seconds, unsigned int seconds);
