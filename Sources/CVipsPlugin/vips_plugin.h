#pragma once

#include <stddef.h>
#include <stdint.h>

// libvips is loaded when the first image wants it: to load it and the hundred libraries it needs takes 20 ms, and most
// photos are JPEGs, which do without. What is used of it is this table.

typedef struct _VipsImage VipsImage;

/// A file, and how it is read.
typedef struct VipsFile {
  const char *name;
  /// The loader that reads it, such as "tiffload". Files are never handed to a loader that libvips chooses: it does not
  /// recognize all files that the loaders can read.
  const char *loader;
  /// Which frame of an animation, counted from 0.
  int page;
} VipsFile;

typedef struct VipsPlugin {
  /// Starts libvips without its modules (HEIF, JPEG XL, and others that are not wanted here), with all loaders blocked.
  /// Returns 0, or -1.
  int (*start)(void);

  const char *(*version)(void);

  /// Whether it has a loader of this name, such as "tiffload".
  int (*has_loader)(const char *name);

  /// Loads a module, such as "vips-heif", from the folder that libvips itself lies in.
  void (*load_module)(const char *folder, const char *name);

  /// Over how many threads an image is spread; 0 is as many as there are cores.
  void (*set_concurrency)(int threads);

  /// Opens an image as far as its header. NULL where that fails; else the caller ends it with `close`.
  VipsImage *(*open)(const VipsFile *file);
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

  /// The image of a file upright and scaled to width by height, stretched or, where `is_cut`, cut: RGBA in sRGB, on an
  /// opaque background (0xRRGGBB). Rounding may make it a pixel larger or smaller: width and height are set to the size
  /// that it has. To be freed with free; NULL where it cannot be read.
  uint32_t *(*pixels)(const VipsFile *file, VipsImage *header, int *width, int *height, int is_cut,
                      uint32_t background);

  /// The same of a part of the upright image, where `is_coarse` so that its pixels can be told apart.
  uint32_t *(*part)(const VipsFile *file, VipsImage *header, int left, int top, int right, int bottom, int *width,
                    int *height, int is_coarse, uint32_t background);

  /// The errors since the last call of `open`, `pixels` or `part`, one a line, as long as the plugin is not called again.
  const char *(*error)(void);
} VipsPlugin;

/// The name by which the library gives its table: a function without parameters.
#define VIPS_PLUGIN_ENTRY "tintype_vips_plugin"
