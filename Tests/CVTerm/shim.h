#ifndef CVTERM_SHIM_H
#define CVTERM_SHIM_H

#if !__has_include(<vterm.h>)
#error "vterm.h is missing; `make test-packages` installs what the tests need"
#endif

#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/types.h>
#include <unistd.h>
#include <vterm.h>

/* What glibc declares only with _GNU_SOURCE or _XOPEN_SOURCE, which Swift's Glibc module does not define. */
int posix_openpt(int flags);
int grantpt(int master);
int unlockpt(int master);
int ptsname_r(int master, char *name, size_t size);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif

/* Opens a descriptor that becomes readable when the process ends (Linux 5.3); -1 if there is no such process. */
static inline int cvterm_pidfd_open(pid_t process) { return (int)syscall(434, process, 0); }

/* What Swift cannot import from vterm.h: bit fields, unions and function-like macros. */

/* The kinds of a flattened color. */
enum { CVTERM_COLOR_DEFAULT = 0, CVTERM_COLOR_INDEXED = 1, CVTERM_COLOR_RGB = 2 };

/* A color without the union: `kind`, then the palette index in `red`, or the three parts. */
typedef struct {
  uint8_t kind, red, green, blue;
} CVTermColor;

/* One cell without bit fields. */
typedef struct {
  uint32_t chars[VTERM_MAX_CHARS_PER_CELL];
  int32_t char_count;      /* scalars in `chars`; 0 for an erased cell */
  uint8_t is_continuation; /* 1 for the second half of a wide character */
  uint8_t is_followed;     /* 1 if the next cell is marked as a second half */
  uint8_t bold, italic, blink, reverse, strike, underline, font;
  CVTermColor foreground, background;
} CVTermCell;

static inline CVTermColor cvterm_color(const VTermColor *color) {
  CVTermColor flat = {CVTERM_COLOR_DEFAULT, 0, 0, 0};
  if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color)) return flat;
  if (VTERM_COLOR_IS_INDEXED(color)) {
    flat.kind = CVTERM_COLOR_INDEXED;
    flat.red = color->indexed.idx;
  } else {
    flat.kind = CVTERM_COLOR_RGB;
    flat.red = color->rgb.red;
    flat.green = color->rgb.green;
    flat.blue = color->rgb.blue;
  }
  return flat;
}

/* Reads `columns` cells of a row into `cells`. */
static inline void cvterm_read_row(const VTermScreen *screen, int row, int columns, CVTermCell *cells) {
  for (int column = 0; column < columns; column++) {
    CVTermCell *flat = &cells[column];
    memset(flat, 0, sizeof *flat);
    VTermScreenCell cell;
    memset(&cell, 0, sizeof cell);
    VTermPos position = {row, column};
    if (!vterm_screen_get_cell(screen, position, &cell)) continue;
    if (cell.chars[0] == (uint32_t)-1) {
      flat->is_continuation = 1;
    } else {
      while (flat->char_count < VTERM_MAX_CHARS_PER_CELL && cell.chars[flat->char_count]) {
        flat->chars[flat->char_count] = cell.chars[flat->char_count];
        flat->char_count++;
      }
    }
    flat->is_followed = cell.width == 2;
    flat->bold = cell.attrs.bold;
    flat->italic = cell.attrs.italic;
    flat->blink = cell.attrs.blink;
    flat->reverse = cell.attrs.reverse;
    flat->strike = cell.attrs.strike;
    flat->underline = cell.attrs.underline;
    flat->font = cell.attrs.font;
    flat->foreground = cvterm_color(&cell.fg);
    flat->background = cvterm_color(&cell.bg);
  }
}

static inline int cvterm_value_boolean(const VTermValue *value) { return value->boolean; }
static inline int cvterm_value_number(const VTermValue *value) { return value->number; }
static inline const char *cvterm_value_string(const VTermValue *value) { return value->string; }

static inline VTermKey cvterm_function_key(int number) { return (VTermKey)VTERM_KEY_FUNCTION(number); }

#endif
