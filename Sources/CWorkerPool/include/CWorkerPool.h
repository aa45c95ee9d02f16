#pragma once

/// Sends every job of the concurrency runtime that is bound to no actor with threads of its own to `handler`,
/// through the runtime's `swift_task_enqueueGlobal_hook` (swiftlang/swift, include/swift/Runtime/Concurrency.h).
/// Call it before any task is made.
void cworkerpool_install(void (*_Nonnull handler)(void *_Nonnull job));

/// Runs a job that the handler was given, on the calling thread.
///
/// As the runtime's own pool does it, on the generic executor. On an executor of another name a task would go back
/// into the queue wherever it calls an asynchronous function, and swift-async-algorithms holds a lock where the
/// runtime's own pool never does that.
void cworkerpool_run(void *_Nonnull job);

/// Names the calling thread, as debuggers and `ps` show it.
void cworkerpool_name_thread(const char *_Nonnull name);
