#pragma once

#include <stddef.h>
#include <stdint.h>

// The functions of libvips that the worker uses. The library is loaded for the first image that needs it, since loading it
// and the hundred libraries it depends on takes 20 ms, and most photos are JPEGs, which don't need it.

typedef struct _VipsImage VipsImage;
typedef struct _VipsRegion VipsRegion;

/// A byte that is read in place of one in a file.
typedef struct VipsPatch {
  /// The place of the byte in the file.
  int64_t offset;
  uint8_t byte;
} VipsPatch;

/// A file, and the options with which it is read.
typedef struct VipsFile {
  /// The open file. Only one image of it may be read at a time, since all of them share the place in the file.
  int descriptor;
  /// The loader that reads the file, such as "tiffload". libvips itself does not recognize all files that its loaders can
  /// read, so it never chooses the loader.
  const char *loader;
  /// The number of an animation's frame, counted from 0.
  int page;
  /// Replacements of some of the file's bytes, which libvips reads instead. An image keeps a copy of them.
  const VipsPatch *patches;
  size_t patch_count;
} VipsFile;

/// An image in memory, which is encoded.
typedef struct VipsPicture {
  /// The pixels as RGBA, row by row. Alpha is ignored.
  const void *pixels;
  int width;
  int height;
  /// Whether a sample has 16 bits, and not 8.
  int is_wide;
  /// The ICC profile, or NULL for sRGB.
  const void *profile;
  size_t profile_size;
} VipsPicture;

/// Pages of a contact sheet that are being drawn. All places and sizes are in points from the upper left corner.
typedef struct _VipsSheet VipsSheet;

/// A picture on a page of a PDF.
typedef struct VipsSheetPicture {
  const void *jpeg;
  size_t count;
  int pixel_width;
  int pixel_height;
  double x;
  double y;
  double width;
  double height;
} VipsSheetPicture;

/// A line of text on a page. If it is wider than its box, its middle is left out.
typedef struct VipsSheetLine {
  /// The text in Pango's markup and UTF-8.
  const char *markup;
  /// The size of the font, by which the baseline is below `y`.
  double size;
  double x;
  double y;
  double width;
  /// 0 for the left side of the box, 1 for the center, 2 for the right side.
  int alignment;
} VipsSheetLine;

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

  int (*is_gray)(VipsImage *image);
  /// Returns the ICC profile, which belongs to the image, or NULL if there is none.
  const void *(*profile)(VipsImage *image, size_t *count);

  /// Opens the pixels of a file, as the file stores them. If the loader can decode a smaller image, it does, but one that has
  /// at least `1 / shrink` of the sides. Colors are converted from the profile to sRGB if `is_converted`. Returns NULL for an
  /// error. The caller ends the rows with `close_rows`.
  VipsRegion *(*open_rows)(const VipsFile *file, VipsImage *header, double shrink, int is_converted);
  void (*close_rows)(VipsRegion *rows);

  /// Returns the image that the rows belong to.
  VipsImage *(*rows_image)(VipsRegion *rows);
  /// Whether a sample has 16 bits, and not 8.
  int (*is_wide)(VipsRegion *rows);

  /// Decodes a part of some rows as RGBA, 1 or 2 bytes a sample. Rows are read from the top; some may be skipped. Returns 0, or
  /// -1 for an error.
  int (*read_rows)(VipsRegion *rows, int left, int top, int width, int count, void *pixels);

  /// Whether libvips has a saver of this name, such as "webpsave".
  int (*has_saver)(const char *name);
  /// Encodes an image with a saver and its options ("name=value,…"). Returns the file, which the caller releases with `release`,
  /// or NULL for an error.
  void *(*save)(const VipsPicture *picture, const char *saver, const char *options, size_t *count);
  /// Draws a line of text as coverage, a byte a pixel. `markup` is Pango's, in UTF-8, and `dpi` gives the size: a point is a
  /// pixel at 72. Returns the pixels, which the caller releases with `release`, or NULL for an error.
  void *(*draw_text)(const char *markup, int dpi, int *width, int *height);
  void (*release)(void *memory);

  /// Begins a PDF, which is written to a descriptor. Returns NULL for an error. The caller ends it with `close_sheet`.
  VipsSheet *(*open_pdf)(int descriptor, double width, double height, const char *title);
  /// Begins a page on pixels in memory, each of which is a number of the bits 0xRRGGBB, with some pixels for a point. Returns NULL
  /// for an error. The caller ends it with `close_sheet`.
  VipsSheet *(*open_pixels)(void *pixels, int width, int height, double scale);
  /// Draws a JPEG on a page of a PDF, which has its bytes as they are.
  void (*draw_jpeg)(VipsSheet *sheet, const VipsSheetPicture *picture);
  /// Draws a line of text. Returns 0, or -1 if the markup is invalid.
  int (*draw_line)(VipsSheet *sheet, const VipsSheetLine *line);
  void (*end_page)(VipsSheet *sheet);
  /// Ends a sheet. Returns 0, or -1 if it could not be drawn or written.
  int (*close_sheet)(VipsSheet *sheet);

  /// Returns the errors since the last call that could fail, one a line. The text is valid up to the next call.
  const char *(*error)(void);
} VipsPlugin;

/// The name of the library's function that returns the table. It has no parameters.
#define VIPS_PLUGIN_ENTRY "tintype_vips_plugin"
