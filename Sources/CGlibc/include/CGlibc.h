#pragma once

#include <sys/types.h>

/// Has blocks of memory from 256 kB on return to the system when they are released (mallopt(3)).
///
/// By default the allocator raises that limit to the size of each block that is released, up to 32 MB. Images would then lie
/// among small blocks, and leave gaps.
void return_large_blocks(void);

/// Starts a program, found by PATH, and returns when the kernel has loaded it: 0, or the number of the error (errno).
///
/// The program has the standard descriptors alone: what it gets for -1 is /dev/null, and its errors go there. Pipes of programs
/// that other threads are starting would stay open otherwise. No signal is blocked or ignored, as it may be here.
///
/// @param arguments The program's name and its arguments, ended by NULL.
/// @param environment Its variables, as NAME=value, ended by NULL.
int start_program(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int input, int output);

/// Starts a program, as `start_program` does, which has a terminal for its input, output and errors. Its process group is a new
/// one, which gets the terminal's keys and signals.
int start_in_terminal(
    pid_t *process, const char *program, char *const arguments[], char *const environment[], int terminal);
