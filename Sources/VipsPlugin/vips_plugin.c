#include "../CVipsPlugin/vips_plugin.h"

#if !__has_include(<vips/vips.h>)
#error "vips/vips.h is missing; `make packages` installs what Tintype needs"
#endif

#include <stdlib.h>
#include <string.h>

#include <gmodule.h>
#include <vips/vips.h>

static int start(void) {
  // Modules take as long to load as all the rest.
  setenv("VIPSHOME", "/nowhere", 1);
  // Large pictures stay in memory, under the worker's limit: a file would be left behind by a worker that is killed.
  setenv("VIPS_DISC_THRESHOLD", "4g", 1);
  if (VIPS_INIT("tintype-pictures")) return -1;
  vips_cache_set_max(0);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  return 0;
}

static int has_loader(const char *name) {
  char file[128];
  g_snprintf(file, sizeof file, "%sFile", name);
  return vips_type_find("VipsForeignLoad", file) != 0 || vips_type_find("VipsOperation", name) != 0;
}

static void load_module(const char *folder, const char *name) {
  char path[4096];
  g_snprintf(path, sizeof path, "%s/vips-modules-%d.%d/%s.so", folder, vips_version(0), vips_version(1), name);
  GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
  if (module) g_module_make_resident(module);
}

static void block(const char *loader, int is_blocked) { vips_operation_block_set(loader, is_blocked); }

static VipsImage *open_image(const char *name) {
  return vips_image_new_from_file(name, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
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

/// The image, which must be of this size, in sRGB on an opaque background. Takes the image.
static uint32_t *rgba(VipsImage *image, int width, int height, uint32_t background) {
  VipsImage *steps[4] = {NULL};
  void *words = NULL;
  double color[3] = {background >> 16 & 0xFF, background >> 8 & 0xFF, background & 0xFF};
  VipsArrayDouble *colors = vips_array_double_new(color, 3);
  int failed = vips_colourspace(image, &steps[0], VIPS_INTERPRETATION_sRGB, NULL);
  if (!failed) {
    failed = vips_image_hasalpha(steps[0]) ? vips_flatten(steps[0], &steps[1], "background", colors, NULL)
                                           : vips_copy(steps[0], &steps[1], NULL);
  }
  failed = failed || vips_cast(steps[1], &steps[2], VIPS_FORMAT_UCHAR, NULL) ||
           vips_bandjoin_const1(steps[2], &steps[3], 255, NULL);
  if (!failed && steps[3]->Bands == 4 && steps[3]->Xsize == width && steps[3]->Ysize == height) {
    size_t size;
    void *pixels = vips_image_write_to_memory(steps[3], &size);
    words = pixels ? malloc(size) : NULL;
    if (words) memcpy(words, pixels, size);
    g_free(pixels);
  }
  for (int i = 0; i < 4; i++)
    if (steps[i]) g_object_unref(steps[i]);
  vips_area_unref(VIPS_AREA(colors));
  g_object_unref(image);
  return words;
}

static uint32_t *pixels(const char *name, VipsImage *header, int width, int height, int is_cut, uint32_t background) {
  VipsImage *image = NULL;
  // Without a profile of its own there is nothing to convert from.
  const char *profile = vips_image_get_typeof(header, VIPS_META_ICC_NAME) ? "srgb" : NULL;
  vips_thumbnail(name, &image, width, "height", height, "size", is_cut ? VIPS_SIZE_BOTH : VIPS_SIZE_FORCE, "crop",
                 is_cut ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE, "export_profile", profile, "fail_on",
                 VIPS_FAIL_ON_NONE, NULL);
  return image ? rgba(image, width, height, background) : NULL;
}

static uint32_t *part(const char *name, int left, int top, int right, int bottom, int width, int height, int is_coarse,
                      uint32_t background) {
  VipsImage *steps[4] = {NULL}, *result = NULL;
  int step = 0;
  VipsImage *image = vips_image_new_from_file(name, "fail_on", VIPS_FAIL_ON_NONE, NULL);
  if (!image) return NULL;
  steps[step++] = image;
  if (vips_autorot(image, &steps[step], NULL)) goto out;
  image = steps[step++];
  if (vips_extract_area(image, &steps[step], left, top, right - left, bottom - top, NULL)) goto out;
  image = steps[step++];
  if (vips_image_get_typeof(image, VIPS_META_ICC_NAME)) {
    if (!vips_icc_transform(image, &steps[step], "srgb", "embedded", TRUE, NULL)) image = steps[step++];
    else vips_error_clear();
  }
  vips_resize(image, &result, (double)width / (right - left), "vscale", (double)height / (bottom - top), "kernel",
              is_coarse ? VIPS_KERNEL_NEAREST : VIPS_KERNEL_LANCZOS3, NULL);
out:
  while (step > 0) g_object_unref(steps[--step]);
  return result ? rgba(result, width, height, background) : NULL;
}

const VipsPlugin *tintype_vips_plugin(void) {
  static const VipsPlugin plugin = {
      .start = start,
      .version = vips_version_string,
      .has_loader = has_loader,
      .load_module = load_module,
      .block = block,
      .set_concurrency = vips_concurrency_set,
      .open = open_image,
      .close = close_image,
      .width = width,
      .height = height,
      .orientation = vips_image_get_orientation,
      .has_alpha = vips_image_hasalpha,
      .frames = vips_image_get_n_pages,
      .delay = delay,
      .pixels = pixels,
      .part = part,
      .error = vips_error_buffer,
      .clear_error = vips_error_clear,
  };
  return &plugin;
}
