#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// libjpeg reports errors by a jump over its caller, which Swift cannot take: this is it without the jumps.

typedef struct CJPEGDecoder CJPEGDecoder;

/// Opens the JPEG that starts at `offset` of a file and reads its header. NULL where it is none, or one of other colors
/// than grey, YCbCr and RGB. The file stays the caller's, and open. To be ended with cjpeg_close.
CJPEGDecoder *cjpeg_open(int descriptor, off_t offset);

void cjpeg_close(CJPEGDecoder *decoder);

/// As the header has it, in pixels.
int cjpeg_width(const CJPEGDecoder *decoder);
int cjpeg_height(const CJPEGDecoder *decoder);

/// Whether it is coded in several scans, all of whose coefficients are kept in memory until the last.
int cjpeg_is_progressive(const CJPEGDecoder *decoder);

/// The ICC profile, or NULL where there is none. To be freed with free.
void *cjpeg_copy_profile(CJPEGDecoder *decoder, size_t *count);

/// Begins to decode at `eighths` / 8 of its size (1, 2, 4 or 8). Returns 0, or -1.
int cjpeg_start(CJPEGDecoder *decoder, int eighths, int *width, int *height);

/// Decodes the next row: RGBA, 4 bytes each, opaque. Returns 0, or -1.
int cjpeg_read_row(CJPEGDecoder *decoder, uint32_t *row);

/// How many faults were passed over, up to where the file ends.
long cjpeg_warnings(const CJPEGDecoder *decoder);

/// Whether the file ended before the image did, as far as it has been decoded; and whether it did so before the first
/// rows of the first scan were there.
int cjpeg_is_incomplete(const CJPEGDecoder *decoder);
int cjpeg_is_blank(const CJPEGDecoder *decoder);

/// What was wrong, when something returned -1; valid as long as the decoder.
const char *cjpeg_error(const CJPEGDecoder *decoder);

/// Encodes pixels as cjpeg_read_row gives them, at a quality from 0 to 100. To be freed with free; NULL where memory is
/// short.
void *cjpeg_encode(const uint32_t *pixels, int width, int height, int quality, size_t *count);
