#define _GNU_SOURCE
#include "CSystem.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static void give(posix_spawn_file_actions_t *files, int descriptor, int standard, int flags) {
  if (descriptor < 0) posix_spawn_file_actions_addopen(files, standard, "/dev/null", flags, 0);
  else posix_spawn_file_actions_adddup2(files, descriptor, standard);
}

static int start(
    pid_t *process, const char *program, char *const arguments[], char *const environment[],
    posix_spawn_file_actions_t *files, short flags) {
#ifdef SYSTEM_IS_LINUX
  posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
#elif defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags);
  int error = posix_spawnp(process, program, files, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(files);
  return error;
}

int start_program(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int input, int output,
    int errors) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  give(&files, input, STDIN_FILENO, O_RDONLY);
  give(&files, output, STDOUT_FILENO, O_WRONLY);
  give(&files, errors, STDERR_FILENO, O_WRONLY);
  return start(process, program, arguments, environment, &files, 0);
}

int start_in_terminal(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int terminal) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; standard++) give(&files, terminal, standard, 0);
#ifdef SYSTEM_IS_LINUX
  // Until the program begins, all signals are blocked in the new process, also the one that would stop it here.
  posix_spawn_file_actions_addtcsetpgrp_np(&files, STDIN_FILENO);
  return start(process, program, arguments, environment, &files, POSIX_SPAWN_SETPGROUP);
#else
  // A program that reads a key before it has the terminal is stopped, and the caller continues it.
  int error = start(process, program, arguments, environment, &files, POSIX_SPAWN_SETPGROUP);
  if (error == 0) tcsetpgrp(terminal, *process);
  return error;
#endif
}
