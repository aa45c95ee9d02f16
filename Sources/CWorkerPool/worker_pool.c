#define _GNU_SOURCE
#include "CWorkerPool.h"

#include <pthread.h>
#include <stdint.h>

extern void *swift_task_enqueueGlobal_hook;
// The executor is two words, both 0 for the generic one (swiftlang/swift, include/swift/ABI/Executor.h).
extern __attribute__((swiftcall)) void swift_job_run(void *job, void *identity, uintptr_t implementation);

static void (*job_handler)(void *job);

// The hook has Swift's calling convention; its second argument is the runtime's own way to enqueue.
static __attribute__((swiftcall)) void enqueue(void *job, void *original) {
  (void)original;
  job_handler(job);
}

void cworkerpool_install(void (*handler)(void *job)) {
  job_handler = handler;
  swift_task_enqueueGlobal_hook = (void *)enqueue;
}

void cworkerpool_run(void *job) { swift_job_run(job, NULL, 0); }

void cworkerpool_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
