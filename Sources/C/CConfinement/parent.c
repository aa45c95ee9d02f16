#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "CSystem.h"

/// The time in which a process ends by itself after the gallery has ended, in milliseconds.
enum { patience = 2000 };

struct parent {
  pid_t process;
  int socket;
};

void end_parent(pid_t parent, int socket) {
  struct pollfd end = {.fd = socket};
  while (poll(&end, 1, patience) < 0 && errno == EINTR) {}
  // A parent that has only closed its end goes on, and a signal to one that is ending has no effect.
  if (getppid() == parent) kill(parent, SIGKILL);
}

static void watch(struct parent parent) {
  struct pollfd ends[] = {{.fd = STDIN_FILENO}, {.fd = parent.socket}};
  while (poll(ends, 2, -1) < 0 && errno == EINTR) {}
  end_parent(parent.process, parent.socket);
}

static void *watch_in_thread(void *parent) {
  watch(*(struct parent *)parent);
  return NULL;
}

int watch_parent(pid_t process, int socket) {
  // Freeing memory in the thread would take the allocator an arena for it.
  static struct parent parent;
  parent = (struct parent){process, socket};
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch_in_thread, &parent)) return 0;
  pthread_detach(thread);
  return 1;
}

int start_guard(void) {
  int ends[2];
  pid_t process = getpid();
  if (create_pipe(ends, 1)) return 0;
  pid_t copy = fork();
  if (copy == 0) {
    close(ends[1]);
    watch((struct parent){process, ends[0]});
    _exit(EXIT_SUCCESS);
  }
  // The other end stays open until this process ends.
  close(ends[0]);
  return copy > 0;
}
