#define _GNU_SOURCE
#include "CWorkerPool.h"

#include <pthread.h>

extern void *swift_task_enqueueGlobal_hook;

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

void cworkerpool_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
