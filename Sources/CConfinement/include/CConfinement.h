#pragma once

#include <stddef.h>

/// Bounds what this process may do from now on: `memory` bytes of address space, no core file, no new privileges,
/// and an end of its own when its parent ends.
void confine(size_t memory);
