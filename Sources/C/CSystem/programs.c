#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYSTEM_IS_LINUX
extern char **environ;
#endif

/// What a new process has besides its program.
struct circumstances {
  /// The descriptors that it gets as its standard ones; -1 for /dev/null.
  int standard[3];
  enum { SAME_GROUP, GROUP_OF_TERMINAL, NEW_SESSION } group;
};

static bool give(int descriptor, int standard) {
  if (descriptor < 0) {
    int null = open("/dev/null", standard == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    bool is_given = null >= 0 && dup2(null, standard) == standard;
    if (null > STDERR_FILENO) close(null);
    return is_given;
  }
  // The same number would keep the descriptor from being inherited.
  if (descriptor == standard) return fcntl(descriptor, F_SETFD, 0) == 0;
  return dup2(descriptor, standard) == standard;
}

static void close_from(int first) {
#ifdef SYSTEM_IS_LINUX
  closefrom(first);
#else
  for (int descriptor = first; descriptor < getdtablesize(); descriptor++) close(descriptor);
#endif
}

/// Becomes the program. Only returns with the number of an error. It runs in a copy of one thread of a process that has several, so
/// it may call nothing that waits for the others.
static int become(
    const char *program, char *const arguments[], char *const environment[], const struct circumstances *circumstances,
    int *report) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  if (circumstances->group == NEW_SESSION && setsid() < 0) return errno;
  if (circumstances->group == GROUP_OF_TERMINAL && setpgid(0, 0) != 0) return errno;
  for (int standard = 0; standard < 3; standard++) {
    if (!give(circumstances->standard[standard], standard)) return errno;
  }
  // Until the program begins, all signals are blocked, also the one that would stop this process here.
  if (circumstances->group == GROUP_OF_TERMINAL && tcsetpgrp(STDIN_FILENO, getpid()) != 0) return errno;
  if (*report != STDERR_FILENO + 1) {
    if (dup2(*report, STDERR_FILENO + 1) < 0) return errno;
    *report = STDERR_FILENO + 1;
    fcntl(*report, F_SETFD, FD_CLOEXEC);
  }
  close_from(*report + 1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef SYSTEM_IS_LINUX
  execvpe(program, arguments, environment);
#else
  environ = (char **)environment;
  execvp(program, arguments);
#endif
  return errno;
}

/// Not posix_spawn(): with it, the calling thread could not be stopped before the program begins. If Ctrl-Z stopped the new process
/// before that, the shell would wait for this thread, and this thread for the new process.
static int start(
    pid_t *process, const char *program, char *const arguments[], char *const environment[],
    struct circumstances circumstances) {
  int report[2];
  if (create_pipe(report, 1) != 0) return errno;
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &previous);
  pid_t child = fork();
  int error = errno;
  if (child == 0) {
    error = become(program, arguments, environment, &circumstances, &report[1]);
    ssize_t reported = write(report[1], &error, sizeof error);
    (void)reported;
    _exit(127);
  }
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  close(report[1]);
  if (child > 0) {
    ssize_t count;
    // The program has begun when its end of the pipe is closed.
    do count = read(report[0], &error, sizeof error); while (count < 0 && errno == EINTR);
    if (count == 0) {
      error = 0;
      *process = child;
    } else {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
  }
  close(report[0]);
  return error;
}

int start_program(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int input, int output,
    int errors) {
  return start(process, program, arguments, environment, (struct circumstances){{input, output, errors}, SAME_GROUP});
}

int start_in_session(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int input, int errors) {
  return start(process, program, arguments, environment, (struct circumstances){{input, -1, errors}, NEW_SESSION});
}

int start_in_terminal(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int terminal) {
  return start(
      process, program, arguments, environment,
      (struct circumstances){{terminal, terminal, terminal}, GROUP_OF_TERMINAL});
}
