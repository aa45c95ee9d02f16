#define _GNU_SOURCE
#include "exr.h"
#include "sheet.h"
#include "tiff.h"

#if !__has_include(<vips/vips.h>)
#error "vips/vips.h is missing; `make packages` installs what Tintype needs"
#endif

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gmodule.h>
#include <vips/vips.h>

static int start(void) {
  // Loading all modules takes as long as loading the rest.
  setenv("VIPSHOME", "/nowhere", 1);
  // Large images stay in memory, within the worker's limit. A worker that is killed would leave its temporary files behind.
  setenv("VIPS_DISC_THRESHOLD", "4g", 1);
  if (VIPS_INIT("tintype-pictures")) return -1;
  vips_cache_set_max(0);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  return 0;
}

/// Returns the type of the loader that reads a format from an open file, or 0 if there is none.
static GType loader_type(const char *name) {
  char source[64];
  g_snprintf(source, sizeof source, "%s_source", name);
  return vips_type_find("VipsOperation", source);
}

/// Whether a file is read by our own loader.
static int is_exr(const char *loader) { return !strcmp(loader, "openexrload"); }

/// Whether a file is read by our own loader if libvips refuses it.
static int is_tiff(const char *loader) { return !strcmp(loader, "tiffload"); }

static int has_loader(const char *name) { return is_exr(name) || loader_type(name) != 0; }

static void load_module(const char *name) {
  Dl_info library;
  if (!dladdr((void *)vips_version_string, &library)) return;
  char *folder = g_path_get_dirname(library.dli_fname), path[4096];
  g_snprintf(path, sizeof path, "%s/vips-modules-%d.%d/%s.so", folder, vips_version(0), vips_version(1), name);
  g_free(folder);
  GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
  if (module) g_module_make_resident(module);
}

/// Unblocks or blocks the file's loader.
static void allow(const VipsFile *file, int is_allowed) {
  GType type = loader_type(file->loader);
  if (type) vips_operation_block_set(g_type_name(type), !is_allowed);
}

/// A file that is read with patches.
typedef struct PatchedFile {
  int descriptor;
  int64_t place;
  size_t count;
  VipsPatch patches[];
} PatchedFile;

static void close_patched(gpointer data) {
  close(((PatchedFile *)data)->descriptor);
  g_free(data);
}

static gint64 read_patched(VipsSourceCustom *source, void *buffer, gint64 length, PatchedFile *file) {
  (void)source;
  ssize_t count = pread(file->descriptor, buffer, length, file->place);
  for (size_t i = 0; i < file->count; i++) {
    int64_t index = file->patches[i].offset - file->place;
    if (index >= 0 && index < count) ((uint8_t *)buffer)[index] = file->patches[i].byte;
  }
  if (count > 0) file->place += count;
  return count;
}

static gint64 seek_patched(VipsSourceCustom *source, gint64 offset, int whence, PatchedFile *file) {
  (void)source;
  int64_t place = whence == SEEK_CUR ? file->place + offset : whence == SEEK_SET ? offset : lseek(file->descriptor, offset, whence);
  if (place < 0) return -1;
  return file->place = place;
}

/// Returns a source that reads a file with patches from its start, or NULL for an error.
static VipsSource *open_patched(const VipsFile *file) {
  int descriptor = dup(file->descriptor);
  if (descriptor < 0) return NULL;
  PatchedFile *patched = g_malloc0(sizeof *patched + file->patch_count * sizeof *file->patches);
  patched->descriptor = descriptor;
  patched->count = file->patch_count;
  memcpy(patched->patches, file->patches, file->patch_count * sizeof *file->patches);
  VipsSourceCustom *source = vips_source_custom_new();
  g_object_set_data_full(G_OBJECT(source), "tintype-file", patched, close_patched);
  g_signal_connect(source, "read", G_CALLBACK(read_patched), patched);
  g_signal_connect(source, "seek", G_CALLBACK(seek_patched), patched);
  return VIPS_SOURCE(source);
}

/// Returns a source that reads a file from its start, or NULL for an error. It has a duplicate of the descriptor.
static VipsSource *open_source(const VipsFile *file) {
  if (file->patch_count > 0) return open_patched(file);
  lseek(file->descriptor, 0, SEEK_SET);
  return vips_source_new_from_descriptor(file->descriptor);
}

/// The pixels an inch of a page in its own size, as many as printers and scanners have.
static const double page_resolution = 300;

/// Opens a file with its loader of libvips. Returns NULL for an error.
static VipsImage *load_by_vips(const VipsFile *file, VipsAccess access, const char *options) {
  VipsImage *image = NULL;
  GType type = loader_type(file->loader);
  VipsSource *source = type ? open_source(file) : NULL;
  allow(file, TRUE);
  VipsOperation *operation = source ? vips_operation_new(vips_nickname_find(type)) : NULL;
  if (operation) {
    g_object_set(operation, "source", source, "access", access, "fail_on", VIPS_FAIL_ON_NONE, NULL);
    if (!strcmp(file->loader, "pdfload")) g_object_set(operation, "dpi", page_resolution, NULL);
    if (file->page > 0) g_object_set(operation, "page", file->page, NULL);
    int failed = *options && vips_object_set_from_string(VIPS_OBJECT(operation), options);
    if (!failed && !vips_cache_operation_buildp(&operation)) g_object_get(operation, "out", &image, NULL);
    vips_object_unref_outputs(VIPS_OBJECT(operation));
    g_object_unref(operation);
  }
  allow(file, FALSE);
  if (source) g_object_unref(source);
  return image;
}

/// Opens a file like `load`. Our own loaders decode no pixels unless `has_pixels`.
static VipsImage *load_any(const VipsFile *file, VipsAccess access, const char *options, int has_pixels) {
  if (is_exr(file->loader)) return exr_load(file->descriptor, has_pixels);
  int is_refused = is_tiff(file->loader) && tiff_needs_own_reader(file->descriptor, file->page);
  VipsImage *image = is_refused ? NULL : load_by_vips(file, access, options);
  if (image || !is_tiff(file->loader) || *options) return image;
  // What libvips does not support says nothing about what our own loader does not.
  vips_error_clear();
  return tiff_load(file->descriptor, file->page, has_pixels);
}

/// Opens a file with its loader and further options of that loader ("name=value,…"). Pixels are decoded when they are read, if
/// libvips has the loader. Returns NULL for an error.
static VipsImage *load(const VipsFile *file, VipsAccess access, const char *options) {
  return load_any(file, access, options, 1);
}

static VipsImage *open_image(const VipsFile *file) {
  vips_error_clear();
  return load_any(file, VIPS_ACCESS_SEQUENTIAL, "", 0);
}

static void close_image(VipsImage *image) { g_object_unref(image); }

static int width(VipsImage *image) { return image->Xsize; }
static int height(VipsImage *image) { return image->Ysize; }

static int delay(VipsImage *image, int frame) {
  int *delays = NULL, count = 0;
  if (!vips_image_get_typeof(image, "delay")) return 0;
  if (vips_image_get_array_int(image, "delay", &delays, &count) || frame >= count) return 0;
  return delays[frame];
}

/// Releases an image and returns the result of an operation on it, which is NULL for an error.
static VipsImage *replace(VipsImage *image, VipsImage *result) {
  g_object_unref(image);
  return result;
}

// Measured values. Besides colors from 0 to the greatest value of their type, TIFF and PFM can hold any numbers, such as
// heights in meters. Their values decide what is black and what is white.

/// Returns the greatest sample that a portable map declares, or 0 if that is the greatest value of the samples' type or the
/// image is no map.
static int map_maximum(VipsImage *image) {
  int most = 0;
  if (!vips_image_get_typeof(image, "ppm-max-value") || vips_image_get_int(image, "ppm-max-value", &most)) return 0;
  return most == 255 || most == 65535 ? 0 : most;
}

/// Whether the numbers in an image have another range than their type.
static int is_measured(const VipsFile *file, VipsImage *image) {
  if (strcmp(file->loader, "tiffload") && strcmp(file->loader, "ppmload")) return 0;
  switch (image->Type) {
    case VIPS_INTERPRETATION_MULTIBAND:
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_scRGB:
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_GREY16: break;
    default: return 0;
  }
  if (map_maximum(image) > 0) return 1;
  return image->BandFmt != VIPS_FORMAT_UCHAR && image->BandFmt != VIPS_FORMAT_USHORT &&
         !vips_band_format_iscomplex(image->BandFmt);
}

/// Returns the number of bands that are shown: one or three.
static int shown_bands(VipsImage *image) { return image->Bands < 3 ? 1 : 3; }

/// Finds the values that are shown as black and as white. Returns 0, or -1 for an error.
static int find_range(const VipsFile *file, double *black, double *white) {
  // The range is from 0 to one of these numbers if the greatest value comes near it, so that a dark photo stays dark.
  // Otherwise it is from the least value to the greatest.
  static const double tops[] = {1, 255, 65535, 16777215, 4294967295.0, 18446744073709551615.0};
  enum { rows = 64 };
  VipsImage *image = load(file, VIPS_ACCESS_SEQUENTIAL, ""), *numbers = NULL;
  if (!image) return -1;
  int failed = vips_cast(image, &numbers, VIPS_FORMAT_DOUBLE, NULL);
  g_object_unref(image);
  if (failed) return -1;
  VipsRegion *region = vips_region_new(numbers);
  int bands = numbers->Bands, shown = shown_bands(numbers);
  double least = INFINITY, most = -INFINITY;
  for (int y = 0; !failed && y < numbers->Ysize; y += rows) {
    VipsRect lines = {0, y, numbers->Xsize, VIPS_MIN(rows, numbers->Ysize - y)};
    failed = vips_region_prepare(region, &lines);
    for (int line = 0; !failed && line < lines.height; line++) {
      const double *values = (double *)VIPS_REGION_ADDR(region, 0, y + line);
      for (int x = 0; x < lines.width; x++)
        for (int band = 0; band < shown; band++) {
          double value = values[(size_t)x * bands + band];
          if (!isfinite(value)) continue;
          if (value < least) least = value;
          if (value > most) most = value;
        }
    }
  }
  g_object_unref(region);
  g_object_unref(numbers);
  if (failed) return -1;
  *black = least <= most ? least : 0;
  *white = most > least ? most : *black + 1;
  for (size_t i = 0; i < G_N_ELEMENTS(tops); i++)
    if (least >= 0 && most > tops[i] / 2 && most <= tops[i]) {
      *black = 0;
      *white = tops[i];
    }
  return 0;
}

/// Turns measured values into colors. Releases the image.
static VipsImage *colored(VipsImage *image, double black, double white) {
  VipsImage *steps[5] = {NULL};
  int bands = shown_bands(image);
  double scale = 255 / (white - black);
  // NaN, which does not equal itself, becomes black.
  if (!vips_extract_band(image, &steps[0], 0, "n", bands, NULL) &&
      !vips_linear1(steps[0], &steps[1], scale, -black * scale, "uchar", TRUE, NULL) &&
      !vips_equal(steps[0], steps[0], &steps[2], NULL) && !vips_andimage(steps[1], steps[2], &steps[3], NULL))
    vips_copy(steps[3], &steps[4], "interpretation",
              bands == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL);
  for (int i = 0; i < 4; i++)
    if (steps[i]) g_object_unref(steps[i]);
  return replace(image, steps[4]);
}

/// Opens a file like `load`, and turns measured values into colors.
static VipsImage *load_colors(const VipsFile *file, VipsImage *header, VipsAccess access, const char *options) {
  double black = 0, white = map_maximum(header);
  if (!is_measured(file, header)) return load(file, access, options);
  if (white == 0 && find_range(file, &black, &white)) return NULL;
  int is_float_map = vips_image_get_typeof(header, "pfm-scale") != 0;
  VipsImage *image = load(file, is_float_map ? VIPS_ACCESS_RANDOM : access, options);
  if (image && is_float_map) {
    // In PFM the last row comes first. libvips keeps that order.
    VipsImage *flipped = NULL;
    vips_flip(image, &flipped, VIPS_DIRECTION_VERTICAL, NULL);
    image = replace(image, flipped);
  }
  return image ? colored(image, black, white) : NULL;
}

static int is_gray(VipsImage *image) {
  return image->Bands < 3 || image->Type == VIPS_INTERPRETATION_B_W || image->Type == VIPS_INTERPRETATION_GREY16;
}

/// Returns an image with colors as gray or RGB of 8 or 16 bits. Releases the image.
static VipsImage *plain(VipsImage *image) {
  VipsImage *result = NULL;
  int is_plain = image->Bands > 0 && image->Coding == VIPS_CODING_NONE;
  int is_rgb = image->Type == VIPS_INTERPRETATION_sRGB || image->Type == VIPS_INTERPRETATION_RGB16;
  int is_shade = image->Type == VIPS_INTERPRETATION_B_W || image->Type == VIPS_INTERPRETATION_GREY16;
  if (is_plain && (is_shade || (is_rgb && image->Bands >= 3))) {
    if (image->BandFmt == VIPS_FORMAT_UCHAR || image->BandFmt == VIPS_FORMAT_USHORT) return image;
    // The floats of JPEG XL are codes from 0 to 1.
    if (vips_band_format_isfloat(image->BandFmt)) {
      VipsImage *scaled = NULL;
      if (!vips_linear1(image, &scaled, 65535, 0, NULL)) vips_cast(scaled, &result, VIPS_FORMAT_USHORT, NULL);
      if (scaled) g_object_unref(scaled);
      return replace(image, result);
    }
  }
  VipsImage *colors = NULL;
  if (image->Coding == VIPS_CODING_RAD) {
    // Light, which `read_rows` codes. Some files have XYZ.
    VipsImage *light = NULL;
    if (!vips_rad2float(image, &light, NULL)) vips_colourspace(light, &colors, VIPS_INTERPRETATION_scRGB, NULL);
    if (light) g_object_unref(light);
    return replace(image, colors);
  }
  if (!vips_colourspace(image, &colors, VIPS_INTERPRETATION_sRGB, NULL))
    vips_cast(colors, &result, VIPS_FORMAT_UCHAR, NULL);
  if (colors) g_object_unref(colors);
  return replace(image, result);
}

static const void *profile(VipsImage *image, size_t *count) {
  const void *bytes = NULL;
  VipsInterpretation type = image->Type;
  int is_lab = type == VIPS_INTERPRETATION_LAB || type == VIPS_INTERPRETATION_LABQ || type == VIPS_INTERPRETATION_LABS;
  // The profile of an image in CIELAB does not apply to it.
  if (is_lab || !vips_image_get_typeof(image, VIPS_META_ICC_NAME)) return NULL;
  return vips_image_get_blob(image, VIPS_META_ICC_NAME, &bytes, count) ? NULL : bytes;
}

/// Whether an ICC profile has a tag, such as "A2B1" (ICC.1:2022, 7.3).
static int has_tag(const uint8_t *profile, size_t size, const char *tag) {
  if (size < 132) return 0;
  size_t count = (size_t)profile[130] << 8 | profile[131];
  for (size_t i = 0; i < count && 144 + 12 * i <= size; i++)
    if (!memcmp(profile + 132 + 12 * i, tag, 4)) return 1;
  return 0;
}

/// Returns an image converted from its profile to sRGB. Releases the image. A profile that is damaged, or made for another
/// kind of image, is ignored.
static VipsImage *converted(VipsImage *image) {
  VipsImage *result = NULL;
  size_t size = 0;
  const uint8_t *bytes = profile(image, &size);
  // Some profiles have only one table, such as those of XYB JPEGs. libvips ignores a profile without the intent's own.
  int is_relative = !bytes || has_tag(bytes, size, "A2B1") || !has_tag(bytes, size, "A2B0");
  if (vips_icc_transform(image, &result, "srgb", "embedded", TRUE, "intent",
                         is_relative ? VIPS_INTENT_RELATIVE : VIPS_INTENT_PERCEPTUAL, "depth",
                         image->BandFmt == VIPS_FORMAT_UCHAR ? 8 : 16, NULL)) {
    vips_error_clear();
    return image;
  }
  return replace(image, result);
}

/// Opens the smallest image of a TIFF that is at least `1 / shrink` as wide and as high as the first one, or returns NULL if
/// that is the first one. Large TIFFs hold the image in several sizes, each of which has half the sides of the one before.
static VipsImage *load_level(const VipsFile *file, VipsImage *header, double shrink) {
  int subifds = vips_image_get_n_subifds(header), pages = vips_image_get_n_pages(header);
  for (int level = subifds > 0 ? subifds : pages - 1; level > 0; level--) {
    char options[32];
    if (level > 20 || 1 << level > shrink) continue;
    g_snprintf(options, sizeof options, subifds > 0 ? "subifd=%d" : "page=%d", subifds > 0 ? level - 1 : level);
    VipsImage *image = load(file, VIPS_ACCESS_SEQUENTIAL, options);
    if (image && abs(image->Xsize - (header->Xsize >> level)) <= 5 && abs(image->Ysize - (header->Ysize >> level)) <= 5)
      return image;
    if (image) g_object_unref(image);
  }
  return NULL;
}

/// The most pixels of a WebP that is decoded in its own size, which takes 8 bytes of memory a pixel and more than twice the
/// time. libwebp scales larger ones, in codes and not in light.
static const double most_webp_pixels = 8e6;

/// Whether the pixels of an image can be decoded, of which the first row is tried. Some cameras write previews whose size is not
/// the one that the file gives.
static int is_decodable(VipsImage *image) {
  VipsRegion *region = vips_region_new(image);
  VipsRect row = {0, 0, image->Xsize, 1};
  int failed = vips_region_prepare(region, &row);
  g_object_unref(region);
  if (failed) vips_error_clear();
  return !failed;
}

/// Opens a file in the smallest size that its loader offers and that has at least `1 / shrink` of the sides.
static VipsImage *load_small(const VipsFile *file, VipsImage *header, double shrink) {
  char options[64] = "", number[G_ASCII_DTOSTR_BUF_SIZE];
  VipsImage *image = NULL;
  if (!strcmp(file->loader, "jpegload")) {
    g_snprintf(options, sizeof options, "shrink=%d", shrink >= 8 ? 8 : shrink >= 4 ? 4 : shrink >= 2 ? 2 : 1);
  } else if (!strcmp(file->loader, "svgload") || !strcmp(file->loader, "pdfload") ||
             (!strcmp(file->loader, "webpload") && shrink > 1 && (double)header->Xsize * header->Ysize > most_webp_pixels)) {
    g_snprintf(options, sizeof options, "scale=%s", g_ascii_dtostr(number, sizeof number, 1 / shrink));
  } else if (!strcmp(file->loader, "heifload") && shrink > 1) {
    // The preview in the file is used if it is large enough.
    image = load(file, VIPS_ACCESS_SEQUENTIAL, "thumbnail=true");
    if (image && image->Xsize < header->Xsize && image->Xsize * shrink > header->Xsize && is_decodable(image)) return image;
    if (image) g_object_unref(image);
  } else if (!strcmp(file->loader, "tiffload") && !is_measured(file, header) && shrink > 1) {
    image = load_level(file, header, shrink);
    if (image) return image;
  }
  return load_colors(file, header, VIPS_ACCESS_SEQUENTIAL, options);
}

static VipsRegion *open_rows(const VipsFile *file, VipsImage *header, double shrink, int is_converted) {
  vips_error_clear();
  VipsImage *image = load_small(file, header, shrink);
  if (image && is_converted) image = converted(image);
  if (image) image = plain(image);
  if (!image) return NULL;
  VipsRegion *rows = vips_region_new(image);
  g_object_unref(image);
  return rows;
}

static void close_rows(VipsRegion *rows) { g_object_unref(rows); }

static VipsImage *rows_image(VipsRegion *rows) { return rows->im; }

static int is_light(VipsRegion *rows) { return rows->im->BandFmt == VIPS_FORMAT_FLOAT; }

static int is_wide(VipsRegion *rows) { return rows->im->BandFmt == VIPS_FORMAT_USHORT || is_light(rows); }

static int read_rows(VipsRegion *rows, int left, int top, int width, int count, void *pixels) {
  VipsRect area = {left, top, width, count};
  if (vips_region_prepare(rows, &area)) return -1;
  int bands = rows->im->Bands, gray = is_gray(rows->im);
  int green = gray ? 0 : 1, blue = gray ? 0 : 2, alpha = gray ? 1 : 3, has_alpha = bands > alpha;
  uint16_t *codes = is_light(rows) ? g_malloc((size_t)width * bands * sizeof *codes) : NULL;
  for (int y = 0; y < count; y++) {
    const void *line = VIPS_REGION_ADDR(rows, left, top + y);
    if (is_light(rows)) {
      light_encode(line, codes, (size_t)width * bands);
      line = codes;
    }
    if (is_wide(rows)) {
      const uint16_t *from = line;
      uint16_t *to = (uint16_t *)pixels + (size_t)y * width * 4;
      for (int x = 0; x < width; x++, from += bands, to += 4) {
        to[0] = from[0];
        to[1] = from[green];
        to[2] = from[blue];
        to[3] = has_alpha ? from[alpha] : 65535;
      }
    } else {
      const uint8_t *from = line;
      uint32_t *to = (uint32_t *)pixels + (size_t)y * width;
      for (int x = 0; x < width; x++, from += bands)
        to[x] = from[0] | from[green] << 8 | from[blue] << 16 | (has_alpha ? (uint32_t)from[alpha] : 255u) << 24;
    }
  }
  g_free(codes);
  return 0;
}

/// Returns the type of the saver that writes a format to memory, or 0 if there is none.
static GType saver_type(const char *name) {
  char saver[64];
  g_snprintf(saver, sizeof saver, "%s_buffer", name);
  return vips_type_find("VipsOperation", saver);
}

static int has_saver(const char *name) { return saver_type(name) != 0; }

/// Returns an image with the colors of a picture, or NULL for an error.
static VipsImage *open_picture(const VipsPicture *picture) {
  VipsImage *pixels, *colors = NULL, *result = NULL;
  size_t size = (size_t)picture->width * picture->height * 4 * (picture->is_wide ? 2 : 1);
  pixels = vips_image_new_from_memory(
      picture->pixels, size, picture->width, picture->height, 4, picture->is_wide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR);
  if (pixels && !vips_extract_band(pixels, &colors, 0, "n", 3, NULL))
    vips_copy(colors, &result, "interpretation", picture->is_wide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB, NULL);
  if (pixels) g_object_unref(pixels);
  if (colors) g_object_unref(colors);
  if (result && picture->profile)
    vips_image_set_blob_copy(result, VIPS_META_ICC_NAME, picture->profile, picture->profile_size);
  return result;
}

static void *save(const VipsPicture *picture, const char *saver, const char *options, size_t *count) {
  vips_error_clear();
  GType type = saver_type(saver);
  VipsImage *image = type ? open_picture(picture) : NULL;
  VipsOperation *operation = image ? vips_operation_new(vips_nickname_find(type)) : NULL;
  void *bytes = NULL;
  if (operation) {
    VipsArea *area = NULL;
    g_object_set(operation, "in", image, NULL);
    int failed = vips_object_set_from_string(VIPS_OBJECT(operation), options);
    if (!failed && !vips_cache_operation_buildp(&operation)) g_object_get(operation, "buffer", &area, NULL);
    if (area) {
      bytes = area->data;
      *count = area->length;
      // The bytes outlive the area.
      area->free_fn = NULL;
      vips_area_unref(area);
    }
    vips_object_unref_outputs(VIPS_OBJECT(operation));
    g_object_unref(operation);
  }
  if (image) g_object_unref(image);
  return bytes;
}

static void *draw_text(const char *markup, int dpi, int *width, int *height) {
  VipsImage *text = NULL;
  size_t size = 0;
  vips_error_clear();
  if (vips_text(&text, markup, "font", "sans bold 12", "dpi", dpi, NULL)) return NULL;
  *width = text->Xsize;
  *height = text->Ysize;
  void *pixels = vips_image_write_to_memory(text, &size);
  g_object_unref(text);
  return pixels;
}

static void release(void *memory) { g_free(memory); }

const VipsPlugin *tintype_vips_plugin(void) {
  static const VipsPlugin plugin = {
      .start = start,
      .version = vips_version_string,
      .has_loader = has_loader,
      .load_module = load_module,
      .set_concurrency = vips_concurrency_set,
      .open = open_image,
      .close = close_image,
      .width = width,
      .height = height,
      .orientation = vips_image_get_orientation,
      .has_alpha = vips_image_hasalpha,
      .frames = vips_image_get_n_pages,
      .delay = delay,
      .is_gray = is_gray,
      .profile = profile,
      .open_rows = open_rows,
      .close_rows = close_rows,
      .rows_image = rows_image,
      .is_wide = is_wide,
      .read_rows = read_rows,
      .has_saver = has_saver,
      .save = save,
      .draw_text = draw_text,
      .release = release,
      .open_pdf = sheet_open_pdf,
      .open_pixels = sheet_open_pixels,
      .draw_jpeg = sheet_draw_jpeg,
      .draw_line = sheet_draw_line,
      .end_page = sheet_end_page,
      .close_sheet = sheet_close,
      .error = vips_error_buffer,
  };
  return &plugin;
}
