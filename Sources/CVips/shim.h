#pragma once

#include <gmodule.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

// libvips takes its options as variable arguments, which Swift cannot pass.

/// Starts libvips without its modules (HEIF, JPEG XL, and others that are not wanted here), which take as long to load
/// as all the rest. Returns 0, or -1.
static inline int cvips_start(const char *program) {
  setenv("VIPSHOME", "/nowhere", 1);
  return VIPS_INIT(program);
}

/// Loads a module of libvips, such as "vips-heif", from the folder of the library itself. Returns whether it is there.
static inline int cvips_load_module(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/vips-modules-%d.%d/%s.so", folder, vips_version(0), vips_version(1), name);
  GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
  if (module) g_module_make_resident(module);
  return module != NULL;
}

/// Opens a picture as far as its header. The caller lets go of it with g_object_unref.
static inline VipsImage *cvips_open(const char *name) {
  return vips_image_new_from_file(name, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

static inline VipsImage *cvips_open_bytes(const void *bytes, size_t count, const char *options) {
  return vips_image_new_from_buffer(bytes, count, options, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

/// The profile to convert to: sRGB, or NULL where the picture has none or is sRGB by its own account. To find the way from
/// one profile to another costs more than a small picture's decoding.
static inline const char *cvips_export_profile(VipsImage *image) {
  const void *profile;
  size_t count;
  if (!vips_image_get_typeof(image, VIPS_META_ICC_NAME)) return NULL;
  if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &count)) return NULL;
  // As its description (ICC.1, "desc") has it, in ASCII or in UTF-16.
  static const char wide[] = "s\0R\0G\0B";
  for (size_t i = 0; i + sizeof wide < count && i < 8192; i++) {
    const char *at = (const char *)profile + i;
    if (!memcmp(at, "sRGB IEC61966", 13) || !memcmp(at, "sRGB built-in", 13) || !memcmp(at, wide, sizeof wide - 1))
      return NULL;
  }
  return "srgb";
}

/// The picture of a file upright and scaled to exactly width by height, stretched or, where `is_cut`, cut; NULL where it
/// cannot be read (vips_error_buffer says why). Of the picture's pixels no more are decoded than that takes. `header` is
/// the same file, opened.
static inline VipsImage *cvips_thumbnail(const char *name, VipsImage *header, int width, int height, int is_cut) {
  VipsImage *image = NULL;
  vips_thumbnail(name, &image, width, "height", height, "size", is_cut ? VIPS_SIZE_BOTH : VIPS_SIZE_FORCE, "crop",
                 is_cut ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, "export_profile",
                 cvips_export_profile(header), "fail_on", VIPS_FAIL_ON_NONE, NULL);
  return image;
}

/// As cvips_thumbnail, of a JPEG. Of the scalings that the decoder does for next to nothing (1/2, 1/4, 1/8) it takes
/// the smallest that has all the pixels wanted, where libvips would leave twice as many.
static inline VipsImage *cvips_thumbnail_jpeg(const char *name, int shrink, int width, int height, int is_cut) {
  VipsImage *image = vips_image_new_from_file(name, "access", VIPS_ACCESS_SEQUENTIAL, "shrink", shrink, "fail_on",
                                              VIPS_FAIL_ON_NONE, NULL);
  VipsImage *result = NULL;
  if (!image) return NULL;
  vips_thumbnail_image(image, &result, width, "height", height, "size", is_cut ? VIPS_SIZE_BOTH : VIPS_SIZE_FORCE,
                       "crop", is_cut ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, "export_profile",
                       cvips_export_profile(image), NULL);
  g_object_unref(image);
  return result;
}

/// As cvips_thumbnail, of an encoded picture in memory, turned as `orientation` (EXIF, 1 to 8) says instead of as itself.
/// Where `crop_width` is not 0, only what is in the middle of it, in that proportion of the picture before the turning.
static inline VipsImage *cvips_thumbnail_bytes(const void *bytes, size_t count, int width, int height, int is_cut,
                                               int orientation, int crop_width, int crop_height) {
  static const VipsAngle angles[] = {VIPS_ANGLE_D0,  VIPS_ANGLE_D0,  VIPS_ANGLE_D0, VIPS_ANGLE_D180, VIPS_ANGLE_D180,
                                     VIPS_ANGLE_D90, VIPS_ANGLE_D90, VIPS_ANGLE_D270, VIPS_ANGLE_D270};
  VipsImage *steps[6] = {NULL}, *result = NULL;
  int step = 0;
  if (orientation < 1 || orientation > 8) orientation = 1;
  int is_sideways = orientation >= 5, w = is_sideways ? height : width, h = is_sideways ? width : height;
  VipsSize size = is_cut ? VIPS_SIZE_BOTH : VIPS_SIZE_FORCE;
  VipsInteresting crop = is_cut ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE;
  if (crop_width) {
    VipsImage *image = vips_image_new_from_buffer(bytes, count, "", "fail_on", VIPS_FAIL_ON_NONE, NULL);
    if (!image) return NULL;
    steps[step++] = image;
    int x = VIPS_CLIP(1, image->Ysize * crop_width / crop_height, image->Xsize);
    int y = VIPS_CLIP(1, image->Xsize * crop_height / crop_width, image->Ysize);
    if (vips_extract_area(image, &steps[step], (image->Xsize - x) / 2, (image->Ysize - y) / 2, x, y, NULL)) goto out;
    image = steps[step++];
    if (vips_thumbnail_image(image, &steps[step], w, "height", h, "size", size, "crop", crop, "no_rotate", TRUE, NULL))
      goto out;
  } else if (vips_thumbnail_buffer((void *)bytes, count, &steps[step], w, "height", h, "size", size, "crop", crop,
                                   "no_rotate", TRUE, "fail_on", VIPS_FAIL_ON_NONE, NULL)) {
    goto out;
  }
  step++;
  // Turning goes against the order of the lines: all of them must be there.
  if (!(steps[step] = vips_image_copy_memory(steps[step - 1]))) goto out;
  step++;
  if (vips_rot(steps[step - 1], &steps[step], angles[orientation], NULL)) goto out;
  step++;
  if (orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7) {
    vips_flip(steps[step - 1], &result, VIPS_DIRECTION_HORIZONTAL, NULL);
  } else {
    result = steps[step - 1];
    g_object_ref(result);
  }
out:
  while (step > 0) g_object_unref(steps[--step]);
  return result;
}

/// The part of an upright picture around a point (from 0 to 1 of its width and height), `scale` pixels to one of it,
/// at most width by height pixels.
static inline VipsImage *cvips_part(const char *name, double scale, double x, double y, int width, int height) {
  VipsImage *steps[5] = {NULL}, *result = NULL;
  int step = 0;
  VipsImage *image = vips_image_new_from_file(name, "fail_on", VIPS_FAIL_ON_NONE, NULL);
  if (!image) return NULL;
  steps[step++] = image;
  if (vips_autorot(image, &steps[step], NULL)) goto out;
  image = steps[step++];
  double left = x * image->Xsize - width / scale / 2, top = y * image->Ysize - height / scale / 2;
  left = VIPS_MAX(0, VIPS_MIN(left, image->Xsize - width / scale));
  top = VIPS_MAX(0, VIPS_MIN(top, image->Ysize - height / scale));
  double right = left + width / scale, bottom = top + height / scale;
  int l = VIPS_CLIP(0, (int)left, image->Xsize - 1), t = VIPS_CLIP(0, (int)top, image->Ysize - 1);
  int r = VIPS_CLIP(l + 1, (int)(right + 0.999), image->Xsize), b = VIPS_CLIP(t + 1, (int)(bottom + 0.999), image->Ysize);
  if (vips_extract_area(image, &steps[step], l, t, r - l, b - t, NULL)) goto out;
  image = steps[step++];
  if (vips_image_get_typeof(image, VIPS_META_ICC_NAME)) {
    if (!vips_icc_transform(image, &steps[step], "srgb", "embedded", TRUE, NULL)) image = steps[step++];
    else vips_error_clear();
  }
  int w = VIPS_MAX(1, VIPS_MIN(width, (int)((r - l) * scale + 0.5)));
  int h = VIPS_MAX(1, VIPS_MIN(height, (int)((b - t) * scale + 0.5)));
  vips_resize(image, &result, (double)w / (r - l), "vscale", (double)h / (b - t), "kernel",
              scale > 1 ? VIPS_KERNEL_NEAREST : VIPS_KERNEL_LANCZOS3, NULL);
out:
  while (step > 0) g_object_unref(steps[--step]);
  return result;
}

/// The picture's pixels in sRGB on an opaque background, 3 bytes each, to be freed with g_free; NULL where they cannot
/// be had. Takes the image.
static inline unsigned char *cvips_pixels(VipsImage *image, const double *background) {
  VipsImage *steps[3] = {NULL};
  unsigned char *pixels = NULL;
  size_t size;
  VipsArrayDouble *color = vips_array_double_new(background, 3);
  int failed = vips_colourspace(image, &steps[0], VIPS_INTERPRETATION_sRGB, NULL);
  if (!failed) {
    failed = vips_image_hasalpha(steps[0]) ? vips_flatten(steps[0], &steps[1], "background", color, NULL)
                                           : vips_copy(steps[0], &steps[1], NULL);
  }
  failed = failed || vips_cast(steps[1], &steps[2], VIPS_FORMAT_UCHAR, NULL);
  if (!failed && steps[2]->Bands == 3) pixels = (unsigned char *)vips_image_write_to_memory(steps[2], &size);
  for (int i = 0; i < 3; i++)
    if (steps[i]) g_object_unref(steps[i]);
  vips_area_unref(VIPS_AREA(color));
  g_object_unref(image);
  return pixels;
}

/// Wraps pixels of 3 or 4 bytes, which must outlive the image.
static inline VipsImage *cvips_wrap(const void *pixels, int width, int height, int bands) {
  VipsImage *image = vips_image_new_from_memory(pixels, (size_t)width * height * bands, width, height, bands,
                                                VIPS_FORMAT_UCHAR);
  if (image) image->Type = VIPS_INTERPRETATION_sRGB;
  return image;
}

/// Scales to exactly width by height, stretched or cut. Takes the image.
static inline VipsImage *cvips_scaled(VipsImage *image, int width, int height, int is_cut) {
  VipsImage *result = NULL;
  vips_thumbnail_image(image, &result, width, "height", height, "size", is_cut ? VIPS_SIZE_BOTH : VIPS_SIZE_FORCE,
                       "crop", is_cut ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, NULL);
  g_object_unref(image);
  return result;
}

/// Encodes as PNG, quickly; `comments` are pairs of keyword and text, ended by NULL. To be freed with g_free.
static inline void *cvips_png(VipsImage *image, const char *const *comments, size_t *count) {
  void *bytes = NULL;
  VipsImage *copy = NULL;
  if (vips_copy(image, &copy, NULL)) return NULL;
  for (int i = 0; comments[2 * i]; i++) {
    char name[128];
    g_snprintf(name, sizeof name, "png-comment-%d-%s", i, comments[2 * i]);
    vips_image_set_string(copy, name, comments[2 * i + 1]);
  }
  vips_pngsave_buffer(copy, &bytes, count, "compression", 1, "filter", VIPS_FOREIGN_PNG_FILTER_UP, NULL);
  g_object_unref(copy);
  return bytes;
}

/// Encodes as JPEG of quality 90. To be freed with g_free.
static inline void *cvips_jpeg(VipsImage *image, size_t *count) {
  void *bytes = NULL;
  vips_jpegsave_buffer(image, &bytes, count, "Q", 90, NULL);
  return bytes;
}

/// A text that the file carries under a name, or NULL.
static inline const char *cvips_text(VipsImage *image, const char *name) {
  const char *text = NULL;
  return vips_image_get_typeof(image, name) && !vips_image_get_string(image, name, &text) ? text : NULL;
}

/// How many frames the picture has, 1 where it does not move.
static inline int cvips_frames(VipsImage *image) { return vips_image_get_n_pages(image); }

/// How long the frame is shown, in milliseconds; 0 where the file does not say.
static inline int cvips_delay(VipsImage *image, int frame) {
  int *delays = NULL, count = 0;
  if (!vips_image_get_typeof(image, "delay")) return 0;
  if (vips_image_get_array_int(image, "delay", &delays, &count) || frame >= count) return 0;
  return delays[frame];
}
