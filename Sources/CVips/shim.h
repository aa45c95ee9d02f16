#pragma once

#include <vips/vips.h>

// libvips takes its options as variable arguments, which Swift cannot pass.

/// Opens a picture as far as its header. The caller lets go of it with g_object_unref.
static inline VipsImage *cvips_open(const char *path) {
  return vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

/// The picture upright, in sRGB, scaled to exactly width by height (stretched, or cut where `is_cut`), on an opaque
/// background:
/// 3 bytes a pixel, to be freed with g_free; NULL where it cannot be read (vips_error_buffer says why).
static inline unsigned char *cvips_render(const char *path, int width, int height, int is_cut,
                                          const double *background) {
  VipsImage *steps[5] = {NULL};
  unsigned char *pixels = NULL;
  size_t size;
  VipsArrayDouble *color = vips_array_double_new(background, 3);
  int failed = vips_thumbnail(path, &steps[0], width, "height", height, "size",
                              is_cut ? VIPS_SIZE_BOTH : VIPS_SIZE_FORCE, "crop",
                              is_cut ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, "export_profile", "srgb",
                              "fail_on", VIPS_FAIL_ON_NONE, NULL) ||
               vips_colourspace(steps[0], &steps[1], VIPS_INTERPRETATION_sRGB, NULL);
  if (!failed) {
    if (vips_image_hasalpha(steps[1]))
      failed = vips_flatten(steps[1], &steps[2], "background", color, NULL);
    else
      failed = vips_copy(steps[1], &steps[2], NULL);
  }
  failed = failed || vips_cast(steps[2], &steps[3], VIPS_FORMAT_UCHAR, NULL);
  if (!failed && vips_image_get_bands(steps[3]) == 3) {
    pixels = (unsigned char *)vips_image_write_to_memory(steps[3], &size);
    if (pixels && size != (size_t)width * height * 3) {
      g_free(pixels);
      pixels = NULL;
    }
  }
  for (int i = 0; i < 5; i++)
    if (steps[i]) g_object_unref(steps[i]);
  vips_area_unref(VIPS_AREA(color));
  return pixels;
}
