#pragma once

#include <stddef.h>
#include <stdint.h>

// The functions of libvips that the worker uses. The library is loaded for the first image that needs it, since loading it
// and the hundred libraries it depends on takes 20 ms, and most photos are JPEGs, which don't need it.

typedef struct _VipsImage VipsImage;

/// A file, and the options with which it is read.
typedef struct VipsFile {
  /// The open file. Only one image of it may be read at a time, since all of them share the place in the file.
  int descriptor;
  /// The loader that reads the file, such as "tiffload". libvips itself does not recognize all files that its loaders can
  /// read, so it never chooses the loader.
  const char *loader;
  /// The number of an animation's frame, counted from 0.
  int page;
} VipsFile;

typedef struct VipsPlugin {
  /// Starts libvips without its modules (HEIF, JPEG XL, and others that are not used here), and blocks all loaders. Returns 0,
  /// or -1 for an error.
  int (*start)(void);

  /// Returns the version of libvips.
  const char *(*version)(void);

  /// Whether libvips has a loader of this name, such as "tiffload".
  int (*has_loader)(const char *name);

  /// Loads a module, such as "vips-heif", from the folder of libvips itself.
  void (*load_module)(const char *name);

  /// Sets the number of threads that work on an image. 0 means the number of cores.
  void (*set_concurrency)(int threads);

  /// Reads an image's header. Returns NULL for an error. The caller ends the image with `close`.
  VipsImage *(*open)(const VipsFile *file);
  void (*close)(VipsImage *image);

  int (*width)(VipsImage *image);
  int (*height)(VipsImage *image);
  /// Returns the orientation by Exif, from 1 to 8.
  int (*orientation)(VipsImage *image);
  int (*has_alpha)(VipsImage *image);
  /// Returns the number of frames.
  int (*frames)(VipsImage *image);
  /// Returns how long a frame is shown, in milliseconds, or 0 if the file does not say.
  int (*delay)(VipsImage *image, int frame);

  /// Returns the upright image of a file, scaled to width by height: RGBA in sRGB, on an opaque background (0xRRGGBB). The
  /// image is stretched, or cut if `is_cut`. Width and height are set to the size of the result, which rounding may make a
  /// pixel larger or smaller. The caller frees it with free. Returns NULL for an error.
  uint32_t *(*pixels)(const VipsFile *file, VipsImage *header, int *width, int *height, int is_cut,
                      uint32_t background);

  /// Returns a part of the upright image in the same way. If `is_coarse`, single pixels stay visible.
  uint32_t *(*part)(const VipsFile *file, VipsImage *header, int left, int top, int right, int bottom, int *width,
                    int *height, int is_coarse, uint32_t background);

  /// Returns the errors since the last call of `open`, `pixels`, or `part`, one a line. The text is valid up to the next call.
  const char *(*error)(void);
} VipsPlugin;

/// The name of the library's function that returns the table. It has no parameters.
#define VIPS_PLUGIN_ENTRY "tintype_vips_plugin"
