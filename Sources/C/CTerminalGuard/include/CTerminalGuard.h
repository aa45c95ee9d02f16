#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/// Gives the terminal back, however the program ends.
///
/// From `terminal_guard_enter` on, every signal that would end or stop the process first restores the terminal. The process
/// then ends or stops by that same signal. All functions are async-signal-safe.

/// The messages from the guard to the program, one byte each.
enum {
  TERMINAL_GUARD_RESIZED = 'W',
  TERMINAL_GUARD_CONTINUED = 'C',
  TERMINAL_GUARD_ENDING = 'E',
};

/// Begins to guard `terminal`, whose attributes are `original`. `raw` are the attributes that the program sets. If a terminal
/// is guarded already and has been given back, this one takes its place.
/// Returns the descriptor from which the messages are read, or -1 with errno set.
int terminal_guard_start(int terminal, const struct termios *original, const struct termios *raw);

/// Sets the bytes, at most 512, that reset the program's modes on the terminal.
void terminal_guard_set_farewell(const char *bytes, size_t count);

/// Sets the program's attributes, and makes reading and writing non-blocking. Returns 0, or -1 with errno set.
///
/// `was_entered` becomes whether the program's modes are still set, since the terminal has not been given back in the
/// meantime. A stop (Ctrl-Z) can come until this call returns, so asking before it would not be reliable.
int terminal_guard_enter(bool *was_entered);

/// Writes the farewell and restores the original attributes, once for each call of `terminal_guard_enter`.
void terminal_guard_leave(void);

/// Finds out, after a stop, whether another program has the terminal now. Its state is then not the program's to reset.
void terminal_guard_notice(void);

/// Writes to the terminal as `write` does; returns 0 if the program does not have the terminal.
ssize_t terminal_guard_write(const void *bytes, size_t count);

/// Reads from a terminal as `read` does, but never waits: without input, it returns -1 and sets errno to EAGAIN, even if the
/// terminal blocks, as it does from a stop (Ctrl-Z) until it is entered again.
ssize_t terminal_guard_read(int descriptor, void *bytes, size_t count);

/// Returns whether the program has the terminal: false from a stop (Ctrl-Z) until the terminal is entered again.
bool terminal_guard_is_entered(void);

/// Sets the file that a fatal signal deletes; an empty path for none.
void terminal_guard_set_leftover(const char *path);

/// The time for the terminal's answers, in milliseconds. It is longer than any usable line takes.
enum { TERMINAL_GUARD_ANSWER_MILLISECONDS = 5000 };

/// Sets whether the terminal still has to answer with its device attributes, the last of its answers. Leaving then waits
/// for that answer, so that the shell does not take it for typed text, but no longer than
/// `TERMINAL_GUARD_ANSWER_MILLISECONDS` from this call.
void terminal_guard_await_answers(bool are_due);

/// The time that the program has to end itself, in seconds.
enum { TERMINAL_GUARD_ENDING_SECONDS = 10 };

/// Lets the program end itself after SIGTERM, SIGHUP or SIGINT: the terminal is given back at once, and the program gets the
/// message `TERMINAL_GUARD_ENDING`. A second signal, or the end of the time, ends it anyway.
void terminal_guard_set_ends_itself(void);

/// Ends the program by the signal after which it is ending itself. Returns if there is none.
void terminal_guard_end(void);
