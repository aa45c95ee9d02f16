#pragma once

#include <spawn.h>

/// Has blocks of memory from 256 kB on return to the system when they are released (mallopt(3)).
///
/// By default the allocator raises that limit to the size of each block that is released, up to 32 MB. Images would then lie
/// among small blocks, and leave gaps.
void return_large_blocks(void);

/// Has a process that is spawned close all descriptors from `first` on (posix_spawn_file_actions_addclosefrom_np).
int close_descriptors(posix_spawn_file_actions_t *actions, int first);
