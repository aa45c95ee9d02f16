#define _GNU_SOURCE
#if !__has_include(<libraw/libraw.h>)
#error "libraw/libraw.h is missing; `make packages` installs what Tintype needs"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libraw/libraw.h>

#include "../CRawPlugin/raw_plugin.h"

struct RawFile {
  libraw_data_t *raw;
  void *bytes;
  size_t count;
  int width, height, orientation, is_damaged;
};

static char message[128];

static int fail(const char *reason) {
  snprintf(message, sizeof message, "%s", reason);
  return -1;
}

/// Returns -1 for a status that is an error, or else 0.
static int check(int status) {
  // A positive status is one of the system.
  return status == LIBRAW_SUCCESS ? 0 : fail(status > 0 ? "the file can't be read" : libraw_strerror(status));
}

#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 22)
typedef INT64 DamagePlace;
#else
typedef int DamagePlace;
#endif

static void note_damage(void *file, const char *name, const DamagePlace offset) {
  (void)name, (void)offset;
  ((RawFile *)file)->is_damaged = 1;
}

/// Reads the header. Returns 0, or -1 for an error.
static int open_raw(RawFile *file, int is_half) {
  if (file->raw) libraw_close(file->raw);
  file->raw = libraw_init(LIBRAW_OPTIONS_NONE);
  if (!file->raw) return fail("there is no memory");
  libraw_set_dataerror_handler(file->raw, note_damage, file);
  libraw_output_params_t *params = &file->raw->params;
  params->half_size = is_half;
  params->output_color = 1;
  params->output_bps = 16;
  params->use_camera_wb = 1;
  params->no_auto_bright = 1;
  // PPG, which takes half the time of the default.
  params->user_qual = 2;
  return check(libraw_open_buffer(file->raw, file->bytes, file->count));
}

/// Finds the size of the developed image, which is not that of the sensor if pixels are no squares or lie diagonally.
static int read_size(RawFile *file) {
  static const int orientations[] = {1, 2, 4, 3, 5, 8, 6, 7};
  int flip = file->raw->sizes.flip & 7;
  if (check(libraw_adjust_sizes_info_only(file->raw))) return -1;
  libraw_image_sizes_t sizes = file->raw->sizes;
  // Unlike the pixels, the sizes are rotated.
  file->width = flip & 4 ? sizes.iheight : sizes.iwidth;
  file->height = flip & 4 ? sizes.iwidth : sizes.iheight;
  file->orientation = orientations[flip];
  return file->width > 0 && file->height > 0 ? 0 : fail("its size is invalid");
}

static void close_raw(RawFile *file) {
  if (file->raw) libraw_close(file->raw);
  free(file->bytes);
  free(file);
}

/// Reads the whole file. It is not mapped, since one that becomes shorter meanwhile would end this process. Returns 0, or -1 for an
/// error.
static int read_bytes(RawFile *file, int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) || status.st_size < 1) return fail("the file can't be read");
  file->bytes = malloc((size_t)status.st_size);
  if (!file->bytes) return fail("there is no memory");
  while (file->count < (size_t)status.st_size) {
    ssize_t more = pread(descriptor, (char *)file->bytes + file->count, (size_t)status.st_size - file->count, (off_t)file->count);
    if (more <= 0) break;
    file->count += (size_t)more;
  }
  return file->count > 0 ? 0 : fail("the file can't be read");
}

static RawFile *open_file(int descriptor) {
  RawFile *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  if (!read_bytes(file, descriptor) && !open_raw(file, 0) && !read_size(file)) return file;
  close_raw(file);
  return NULL;
}

static int width(RawFile *file) { return file->width; }
static int height(RawFile *file) { return file->height; }
static int orientation(RawFile *file) { return file->orientation; }
static int is_damaged(RawFile *file) { return file->is_damaged; }

/// Copies the light of a sensor without colors, so that it is gray.
static void fill_colors(libraw_data_t *raw, size_t count) {
  if (raw->idata.colors > 1) return;
  for (size_t i = 0; i < count; i++) raw->image[i][1] = raw->image[i][2] = raw->image[i][0];
}

/// Whether there is any light. A file that ends before its data has none, which LibRaw doesn't report for all formats.
static int has_light(libraw_data_t *raw, size_t count) {
  const uint16_t *samples = raw->image[0];
  for (size_t i = 0; i < count; i++)
    if (samples[4 * i] | samples[4 * i + 1] | samples[4 * i + 2]) return 1;
  return 0;
}

static int develop(RawFile *file, int is_half, RawLight *light) {
  file->is_damaged = 0;
  if (open_raw(file, is_half) || check(libraw_unpack(file->raw)) || check(libraw_dcraw_process(file->raw))) return -1;
  libraw_image_sizes_t sizes = file->raw->sizes;
  if (!file->raw->image || sizes.width < 1 || sizes.height < 1) return fail("it has no image");
  if (!has_light(file->raw, (size_t)sizes.width * sizes.height)) return fail("its data are missing");
  fill_colors(file->raw, (size_t)sizes.width * sizes.height);
  *light = (RawLight){file->raw->image[0], sizes.width, sizes.height};
  return 0;
}

static const char *error(void) { return message; }

const RawPlugin *tintype_raw_plugin(void);

const RawPlugin *tintype_raw_plugin(void) {
  static const RawPlugin plugin = {
      .version = libraw_version,
      .open = open_file,
      .close = close_raw,
      .width = width,
      .height = height,
      .orientation = orientation,
      .develop = develop,
      .is_damaged = is_damaged,
      .error = error,
  };
  return &plugin;
}
