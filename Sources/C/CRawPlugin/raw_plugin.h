#pragma once

#include <stddef.h>
#include <stdint.h>

// The functions of LibRaw that the worker uses. The library is loaded for the first raw file whose preview is not enough, since most
// raw files have a preview of the camera's, which is shown far faster.

/// An open raw file.
typedef struct RawFile RawFile;

/// The light of a developed image: red, green, blue and an unused sample for each pixel, with the primaries of sRGB. White, 65535, is
/// what the sensor can just tell from more.
typedef struct RawLight {
  const uint16_t *samples;
  int width;
  int height;
} RawLight;

typedef struct RawPlugin {
  /// Returns the version of LibRaw, such as "0.20.2-Release".
  const char *(*version)(void);

  /// Reads a file and its header. Returns NULL for an error. The caller ends the file with `close`.
  RawFile *(*open)(int descriptor);
  void (*close)(RawFile *file);

  /// The width of the developed image as the file stores it, before a rotation.
  int (*width)(RawFile *file);
  /// The height of the developed image.
  int (*height)(RawFile *file);
  /// Returns the orientation by Exif, from 1 to 8.
  int (*orientation)(RawFile *file);

  /// Decodes the sensor's values and develops them with the white balance of the camera. If `is_half`, an image of half the sides is
  /// made of them, which takes a third of the time. The light is valid until the next call. Returns 0, or -1 for an error.
  int (*develop)(RawFile *file, int is_half, RawLight *light);
  /// Whether some of the developed values were damaged or missing.
  int (*is_damaged)(RawFile *file);

  /// Returns the reason of the last error.
  const char *(*error)(void);
} RawPlugin;

/// The name of the library's function that returns the table. It has no parameters.
#define RAW_PLUGIN_ENTRY "tintype_raw_plugin"
