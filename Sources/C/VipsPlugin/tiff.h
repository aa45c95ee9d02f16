#pragma once

#include <vips/vips.h>

// TIFFs that libvips refuses: samples of other sizes than 1, 2, 4, 8, 16 and 32 bits, floating-point numbers of 16, 24 and 64
// bits, planes in tiles, subsampled colors, and the JPEGs of TIFF 6.0. libtiff, by which libvips reads the others, unpacks them.

/// Whether libvips opens a page, but can't read its pixels: a JPEG as in TIFF 6.0, or planes in tiles.
int tiff_needs_own_reader(int descriptor, int page);

/// Opens a page of a TIFF: gray, RGB or CMYK of 8 or 16 bits, or measured values as floating-point numbers. Without pixels
/// unless `has_pixels`. Returns NULL for an error.
VipsImage *tiff_load(int descriptor, int page, int has_pixels);
