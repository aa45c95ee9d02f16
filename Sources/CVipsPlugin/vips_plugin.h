#pragma once

#include <stddef.h>
#include <stdint.h>

// libvips is loaded when the first picture wants it: to load it and the hundred libraries it needs takes 20 ms, and most
// photos are JPEGs, which do without. What is used of it is this table.

typedef struct _VipsImage VipsImage;

typedef struct VipsPlugin {
  /// Starts libvips without its modules (HEIF, JPEG XL, and others that are not wanted here), with all loaders blocked.
  /// Returns 0, or -1.
  int (*start)(void);

  const char *(*version)(void);

  /// Whether it has a loader of this name, such as "VipsForeignLoadTiff".
  int (*has_loader)(const char *name);

  /// Loads a module, such as "vips-heif", from the folder that libvips itself lies in.
  void (*load_module)(const char *folder, const char *name);

  /// Lets a loader be used, or no longer.
  void (*block)(const char *loader, int is_blocked);

  /// Over how many threads a picture is spread; 0 is as many as there are cores.
  void (*set_concurrency)(int threads);

  /// Opens a picture as far as its header. NULL where that fails; else the caller ends it with `close`.
  VipsImage *(*open)(const char *name);
  void (*close)(VipsImage *image);

  int (*width)(VipsImage *image);
  int (*height)(VipsImage *image);
  /// As Exif has it, 1 to 8.
  int (*orientation)(VipsImage *image);
  int (*has_alpha)(VipsImage *image);
  /// How many frames it has, 1 where it does not move; and how long one is shown, in milliseconds, 0 where the file does
  /// not say.
  int (*frames)(VipsImage *image);
  int (*delay)(VipsImage *image, int frame);

  /// The picture of a file upright and scaled to exactly width by height, stretched or, where `is_cut`, cut: RGBA in
  /// sRGB, on an opaque background (0xRRGGBB). To be freed with free; NULL where it cannot be read.
  uint32_t *(*pixels)(const char *name, VipsImage *header, int width, int height, int is_cut, uint32_t background);

  /// The same of a part of the upright picture, where `is_coarse` so that its pixels can be told apart.
  uint32_t *(*part)(const char *name, int left, int top, int right, int bottom, int width, int height, int is_coarse,
                    uint32_t background);

  /// What was last complained of, as long as the plugin is not called again.
  const char *(*error)(void);
  void (*clear_error)(void);
} VipsPlugin;

/// The name by which the library gives its table: a function without parameters.
#define VIPS_PLUGIN_ENTRY "tintype_vips_plugin"
