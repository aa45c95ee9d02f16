#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/// Gives the terminal back whichever way the program ends.
///
/// From `terminal_guard_enter` on, every signal that would end or stop the process first restores the terminal;
/// the process then dies, or stops, by that same signal. All of it is async-signal-safe.

/// What the guard tells the program through its pipe, one byte each.
enum {
  TERMINAL_GUARD_RESIZED = 'W',
  TERMINAL_GUARD_CONTINUED = 'C',
};

/// Takes charge of `terminal`, whose attributes are `original`, and remembers `raw` as the program's own.
/// Returns the descriptor on which the bytes above arrive, or -1 with errno set.
int terminal_guard_start(int terminal, const struct termios *original, const struct termios *raw);

/// Sets what undoes the program's modes on the terminal: at most 512 bytes.
void terminal_guard_set_farewell(const char *bytes, size_t count);

/// Applies the program's attributes, and makes reading and writing not wait. Returns 0, or -1 with errno set.
int terminal_guard_enter(void);

/// Writes the farewell and puts the original attributes back, once for every entering.
void terminal_guard_leave(void);

/// Takes note, after a stop, whether another has the terminal now: what stands there is not the program's to undo.
void terminal_guard_notice(void);

/// Writes to the terminal, as `write` does; returns 0 where it is not the program's.
ssize_t terminal_guard_write(const void *bytes, size_t count);

/// Whether the terminal is the program's: false from a stop (Ctrl-Z) until it is entered again.
bool terminal_guard_is_entered(void);

/// Sets the file that a fatal signal deletes; an empty path for none.
void terminal_guard_set_leftover(const char *path);

/// How long the terminal's answers are waited for, in milliseconds: longer than any usable line takes.
enum { TERMINAL_GUARD_ANSWER_MILLISECONDS = 5000 };

/// Tells whether the terminal has yet to answer with its device attributes, which it does last of all. Leaving then
/// waits for that answer, so that the shell does not get it as typed text, but no longer than
/// `TERMINAL_GUARD_ANSWER_MILLISECONDS` from this call.
void terminal_guard_await_answers(bool are_due);
