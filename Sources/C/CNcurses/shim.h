#pragma once

#if !__has_include(<curses.h>)
#error "curses.h is missing; `make packages` installs what Tintype needs"
#endif

#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <term.h>
#include <wchar.h>

// Swift imports neither function-like macros nor macros with casts, and strict concurrency rejects ncurses' global
// variables. These functions replace the ones that Tintype needs.

int wcwidth(wchar_t);
static inline int cncurses_width(unsigned scalar) { return wcwidth((wchar_t)scalar); }

/// Creates a screen of the given size in cells, for output alone, as newterm does. Call it before any
/// thread reads the environment.
///
/// ncurses sets the scrolling margins to the size with which it starts, and takes that only from the environment.
static inline SCREEN *cncurses_new_screen(const char *type, FILE *output, int height, int width) {
  char number[16];
  use_env(TRUE);
  use_tioctl(FALSE);
  snprintf(number, sizeof number, "%d", height);
  setenv("LINES", number, 1);
  snprintf(number, sizeof number, "%d", width);
  setenv("COLUMNS", number, 1);
  SCREEN *screen = newterm(type, output, stdin);
  unsetenv("LINES");
  unsetenv("COLUMNS");
  return screen;
}

static inline WINDOW *cncurses_stdscr(void) { return stdscr; }
static inline WINDOW *cncurses_curscr(void) { return curscr; }

static inline attr_t cncurses_bold(void) { return WA_BOLD; }
static inline attr_t cncurses_dim(void) { return WA_DIM; }
static inline attr_t cncurses_reverse(void) { return WA_REVERSE; }
static inline attr_t cncurses_underline(void) { return WA_UNDERLINE; }

/// Puts one character, with the marks that combine with it (ended by 0), in one cell, or in two if it is wide.
/// `pair` is a color pair of any number up to COLOR_PAIRS, beyond the short that the X/Open interface takes.
static inline int cncurses_put(int row, int column, const wchar_t *text, attr_t attributes, int pair) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, 0, &pair) == ERR) return ERR;
  return mvwadd_wchnstr(stdscr, row, column, &cell, 1);
}

/// Sets the color pair of the blanks with which the screen is erased.
static inline void cncurses_set_ground(int pair) {
  cchar_t blank;
  if (setcchar(&blank, L" ", WA_NORMAL, 0, &pair) != ERR) wbkgrndset(stdscr, &blank);
}

/// Returns whether the next update will change a cell, and what the terminal shows there.
static inline int cncurses_changes(int row, int column, cchar_t *old) {
  cchar_t new;
  int old_pair = 0, new_pair = 0;
  attr_t old_attributes, new_attributes;
  short ignored;
  wchar_t old_text[CCHARW_MAX + 1] = {0}, new_text[CCHARW_MAX + 1] = {0};
  if (mvwin_wch(curscr, row, column, old) == ERR || mvwin_wch(stdscr, row, column, &new) == ERR) return 0;
  getcchar(old, old_text, &old_attributes, &ignored, &old_pair);
  getcchar(&new, new_text, &new_attributes, &ignored, &new_pair);
  return old_pair != new_pair || old_attributes != new_attributes || wmemcmp(old_text, new_text, CCHARW_MAX);
}

/// Finds the first and the last column that the next update will change in a row. Returns 0 if there is none.
static inline int cncurses_changed_columns(int row, int width, int *first, int *last) {
  cchar_t old;
  *first = *last = -1;
  for (int column = 0; column < width; column++) {
    if (!cncurses_changes(row, column, &old)) continue;
    if (*first < 0) *first = column;
    *last = column;
  }
  return *first >= 0;
}

/// Leaves a cell as the terminal shows it. Returns whether the next update would have changed it.
static inline int cncurses_keep(int row, int column) {
  cchar_t old;
  wchar_t text[CCHARW_MAX + 1] = {0};
  attr_t attributes;
  short pair;
  if (!cncurses_changes(row, column, &old)) return 0;
  getcchar(&old, text, &attributes, &pair, NULL);
  // Half of a wide character can't be left.
  return wcwidth(text[0]) == 1 && mvwadd_wchnstr(stdscr, row, column, &old, 1) != ERR;
}

/// Makes the next update write a cell, even if the terminal shows the same character there.
static inline void cncurses_forget(int row, int column) {
  cchar_t other;
  // No cell of a frame looks like this.
  if (setcchar(&other, L"?", WA_BLINK | WA_UNDERLINE, 0, NULL) != ERR) mvwadd_wchnstr(curscr, row, column, &other, 1);
}

/// Draws with another terminfo entry from now on. The next update writes every cell, and clears nothing before. What the start
/// of the new screen writes is with the output after the next curs_set. Returns 0 if there is no such entry.
///
/// The earlier screen stays in memory. ncurses 6.4 would take the windows of the new one away with it.
static inline int cncurses_change_type(const char *type, FILE *output, int height, int width) {
  if (!newterm(type, output, stdin)) return 0;
  // The environment, which gives the first screen its size, is read by other threads now.
  resizeterm(height, width);
  clearok(curscr, FALSE);
  clearok(newscr, FALSE);
  clearok(stdscr, FALSE);
  for (int row = 0; row < height; row++) {
    for (int column = 0; column < width; column++) cncurses_forget(row, column);
  }
  return 1;
}

/// Returns a string capability of the current terminal, or NULL if it has none.
static inline const char *cncurses_string_capability(const char *name) {
  const char *value = tigetstr(name);
  return value == (char *)-1 ? NULL : value;
}
