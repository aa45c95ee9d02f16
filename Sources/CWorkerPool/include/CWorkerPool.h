#pragma once

/// Sends every job of the concurrency runtime that is bound to no actor with threads of its own to `handler`,
/// through the runtime's `swift_task_enqueueGlobal_hook` (swiftlang/swift, include/swift/Runtime/Concurrency.h).
/// Call it before any task is made.
void cworkerpool_install(void (*_Nonnull handler)(void *_Nonnull job));

/// Names the calling thread, as debuggers and `ps` show it.
void cworkerpool_name_thread(const char *_Nonnull name);
