#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// libjpeg reports errors by jumping over its caller, which Swift does not allow. These functions return instead.

typedef struct CJPEGDecoder CJPEGDecoder;

/// Reads the header of the JPEG that starts at `offset` of a file. Returns NULL if there is none, or if its colors are other
/// than gray, YCbCr, and RGB. The caller keeps the file open, and ends the decoder with cjpeg_close.
CJPEGDecoder *cjpeg_open(int descriptor, off_t offset);

void cjpeg_close(CJPEGDecoder *decoder);

/// Returns the width that the header gives, in pixels.
int cjpeg_width(const CJPEGDecoder *decoder);
/// Returns the height that the header gives, in pixels.
int cjpeg_height(const CJPEGDecoder *decoder);

int cjpeg_is_gray(const CJPEGDecoder *decoder);

/// Returns the ICC profile, which the caller frees with free, or NULL if there is none.
void *cjpeg_copy_profile(CJPEGDecoder *decoder, size_t *count);

/// Starts to decode the image at `eighths` / 8 of its size (1, 2, 4 or 8). Returns 0, or -1 for an error.
int cjpeg_start(CJPEGDecoder *decoder, int eighths, int *width, int *height);

/// Limits decoding to the `width` columns from `column` on. libjpeg may start farther left, so both values are set to those of
/// the decoded rows. Call it after cjpeg_start, before any row is read or skipped. Returns 0, or -1 for an error.
int cjpeg_crop(CJPEGDecoder *decoder, int *column, int *width);

/// Skips the next `count` rows, which takes less time than decoding them. Returns 0, or -1 for an error.
int cjpeg_skip_rows(CJPEGDecoder *decoder, int count);

/// Decodes the next row of opaque pixels: RGBA, 4 bytes each. Returns 0, or -1 for an error.
int cjpeg_read_row(CJPEGDecoder *decoder, uint32_t *row);

/// Returns the number of errors that libjpeg tolerated before the end of the file.
long cjpeg_warnings(const CJPEGDecoder *decoder);

/// Whether the file ended before the rows that have been decoded.
int cjpeg_is_incomplete(const CJPEGDecoder *decoder);
/// Whether the file ended before the first rows of the first scan.
int cjpeg_is_blank(const CJPEGDecoder *decoder);

/// Returns the message of the last error, which lives as long as the decoder.
const char *cjpeg_error(const CJPEGDecoder *decoder);

/// Encodes pixels in the layout of cjpeg_read_row, at a quality from 0 to 100. Returns the file, which the caller frees with
/// free, or NULL if memory is short.
void *cjpeg_encode(const uint32_t *pixels, int width, int height, int quality, size_t *count);

/// Does the same for a file that is kept: from a quality of 90 on with all samples of the colors, and with Huffman tables made
/// for the image, which takes longer and saves some percent of the bytes.
void *cjpeg_encode_file(const uint32_t *pixels, int width, int height, int quality, size_t *count);

/// Does the same as cjpeg_encode_file in progressive scans, which show all of the image before all of the file is there.
void *cjpeg_encode_scans(const uint32_t *pixels, int width, int height, int quality, size_t *count);
