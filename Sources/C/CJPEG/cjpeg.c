#include "CJPEG.h"

#if !__has_include(<jpeglib.h>)
#error "jpeglib.h is missing; `make packages` installs what Tintype needs"
#endif

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jerror.h>
#include <jpeglib.h>

struct Failure {
  struct jpeg_error_mgr manager;
  jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

struct CJPEGDecoder {
  struct jpeg_decompress_struct jpeg;
  struct Failure failure;
  struct jpeg_source_mgr source;
  int descriptor;
  off_t offset;
  int is_incomplete;
  int is_blank;
  long warnings_before_end;
  JOCTET buffer[1 << 16];
};

static void fail(j_common_ptr jpeg) {
  struct Failure *failure = (struct Failure *)jpeg->err;
  jpeg->err->format_message(jpeg, failure->message);
  longjmp(failure->jump, 1);
}

static void stay_silent(j_common_ptr jpeg) { (void)jpeg; }

static struct jpeg_error_mgr *prepare(struct Failure *failure) {
  jpeg_std_error(&failure->manager);
  failure->manager.error_exit = fail;
  failure->manager.output_message = stay_silent;
  failure->message[0] = 0;
  return &failure->manager;
}

static void do_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean fill(j_decompress_ptr jpeg) {
  CJPEGDecoder *decoder = jpeg->client_data;
  ssize_t count = pread(decoder->descriptor, decoder->buffer, sizeof decoder->buffer, decoder->offset);
  if (count <= 0) {
    // The file is incomplete. An inserted end-of-image marker makes libjpeg return the rows that it has decoded so far. It
    // also makes libjpeg warn about each missing restart interval, so the number of earlier warnings is kept.
    if (!decoder->is_incomplete) {
      decoder->is_incomplete = 1;
      decoder->is_blank = jpeg->input_scan_number <= 1 && jpeg->input_iMCU_row == 0;
      decoder->warnings_before_end = jpeg->err->num_warnings;
    }
    WARNMS(jpeg, JWRN_JPEG_EOF);
    decoder->buffer[0] = 0xFF;
    decoder->buffer[1] = JPEG_EOI;
    count = 2;
  } else {
    decoder->offset += count;
  }
  decoder->source.next_input_byte = decoder->buffer;
  decoder->source.bytes_in_buffer = count;
  return TRUE;
}

static void skip(j_decompress_ptr jpeg, long count) {
  CJPEGDecoder *decoder = jpeg->client_data;
  if (count <= 0) return;
  if ((size_t)count <= decoder->source.bytes_in_buffer) {
    decoder->source.next_input_byte += count;
    decoder->source.bytes_in_buffer -= count;
  } else {
    decoder->offset += count - (long)decoder->source.bytes_in_buffer;
    decoder->source.bytes_in_buffer = 0;
  }
}

CJPEGDecoder *cjpeg_open(int descriptor, off_t offset) {
  CJPEGDecoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->descriptor = descriptor;
  decoder->offset = offset;
  decoder->jpeg.err = prepare(&decoder->failure);
  if (setjmp(decoder->failure.jump)) {
    cjpeg_close(decoder);
    return NULL;
  }
  jpeg_create_decompress(&decoder->jpeg);
  decoder->jpeg.client_data = decoder;
  decoder->jpeg.src = &decoder->source;
  decoder->source.init_source = do_nothing;
  decoder->source.fill_input_buffer = fill;
  decoder->source.skip_input_data = skip;
  decoder->source.resync_to_restart = jpeg_resync_to_restart;
  decoder->source.term_source = do_nothing;
  jpeg_save_markers(&decoder->jpeg, JPEG_APP0 + 2, 0xFFFF);
  jpeg_read_header(&decoder->jpeg, TRUE);
  J_COLOR_SPACE colors = decoder->jpeg.jpeg_color_space;
  if (colors == JCS_GRAYSCALE || colors == JCS_YCbCr || colors == JCS_RGB) return decoder;
  cjpeg_close(decoder);
  return NULL;
}

void cjpeg_close(CJPEGDecoder *decoder) {
  jpeg_destroy_decompress(&decoder->jpeg);
  free(decoder);
}

int cjpeg_width(const CJPEGDecoder *decoder) { return decoder->jpeg.image_width; }
int cjpeg_height(const CJPEGDecoder *decoder) { return decoder->jpeg.image_height; }
int cjpeg_is_gray(const CJPEGDecoder *decoder) { return decoder->jpeg.jpeg_color_space == JCS_GRAYSCALE; }
long cjpeg_warnings(const CJPEGDecoder *decoder) {
  return decoder->is_incomplete ? decoder->warnings_before_end : decoder->jpeg.err->num_warnings;
}
int cjpeg_is_incomplete(const CJPEGDecoder *decoder) { return decoder->is_incomplete; }
int cjpeg_is_blank(const CJPEGDecoder *decoder) { return decoder->is_blank; }
const char *cjpeg_error(const CJPEGDecoder *decoder) { return decoder->failure.message; }

void *cjpeg_copy_profile(CJPEGDecoder *decoder, size_t *count) {
  JOCTET *profile = NULL;
  unsigned int size = 0;
  if (setjmp(decoder->failure.jump)) return NULL;
  if (!jpeg_read_icc_profile(&decoder->jpeg, &profile, &size)) return NULL;
  *count = size;
  return profile;
}

int cjpeg_start(CJPEGDecoder *decoder, int eighths, int *width, int *height) {
  if (setjmp(decoder->failure.jump)) return -1;
  decoder->jpeg.out_color_space = JCS_EXT_RGBA;
  decoder->jpeg.scale_num = eighths;
  decoder->jpeg.scale_denom = 8;
  // Smooth upsampling of the colors takes time, and makes a difference only if the image is not scaled.
  decoder->jpeg.do_fancy_upsampling = eighths == 8;
  jpeg_start_decompress(&decoder->jpeg);
  *width = decoder->jpeg.output_width;
  *height = decoder->jpeg.output_height;
  return 0;
}

int cjpeg_crop(CJPEGDecoder *decoder, int *column, int *width) {
  if (setjmp(decoder->failure.jump)) return -1;
  JDIMENSION x = *column, columns = *width;
  jpeg_crop_scanline(&decoder->jpeg, &x, &columns);
  *column = x;
  *width = columns;
  return 0;
}

int cjpeg_skip_rows(CJPEGDecoder *decoder, int count) {
  if (setjmp(decoder->failure.jump)) return -1;
  return jpeg_skip_scanlines(&decoder->jpeg, count) == (JDIMENSION)count ? 0 : -1;
}

int cjpeg_read_row(CJPEGDecoder *decoder, uint32_t *row) {
  if (setjmp(decoder->failure.jump)) return -1;
  JSAMPROW rows[1] = {(JSAMPROW)row};
  return jpeg_read_scanlines(&decoder->jpeg, rows, 1) == 1 ? 0 : -1;
}

/// The least quality at which colors have as many samples as brightness. Below, the loss is greater than what is gained.
enum { least_quality_of_all_colors = 90 };

/// The effort that a file is worth.
enum Effort { is_quick, is_small, is_progressive };

/// The scans of a progressive JPEG (ITU-T T.81, annex G) that is shown while it comes: all of the brightness in coarse steps first,
/// by which an image is judged, then the colors, and then finer steps. libjpeg's own begin with some frequencies alone.
static const jpeg_scan_info scans[] = {
    {3, {0, 1, 2}, 0, 0, 0, 1}, {1, {0}, 1, 8, 0, 2},  {1, {0}, 9, 63, 0, 2},  {1, {1}, 1, 63, 0, 1}, {1, {2}, 1, 63, 0, 1},
    {1, {0}, 1, 63, 2, 1},      {3, {0, 1, 2}, 0, 0, 1, 0}, {1, {0}, 1, 63, 1, 0}, {1, {1}, 1, 63, 1, 0}, {1, {2}, 1, 63, 1, 0},
};

static void *encode(const uint32_t *pixels, int width, int height, int quality, enum Effort effort, size_t *count) {
  struct jpeg_compress_struct jpeg;
  struct Failure failure;
  unsigned char *bytes = NULL;
  unsigned long size = 0;
  jpeg.err = prepare(&failure);
  // Memory is short. The memory of the result is lost, since libjpeg may have moved it.
  if (setjmp(failure.jump)) {
    jpeg_destroy_compress(&jpeg);
    return NULL;
  }
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &bytes, &size);
  jpeg.image_width = width;
  jpeg.image_height = height;
  jpeg.input_components = 4;
  jpeg.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  if (effort != is_quick) {
    jpeg.optimize_coding = TRUE;
    if (quality >= least_quality_of_all_colors) jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
  }
  if (effort == is_progressive) {
    jpeg.scan_info = scans;
    jpeg.num_scans = sizeof scans / sizeof *scans;
  }
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    JSAMPROW rows[1] = {(JSAMPROW)(pixels + (size_t)jpeg.next_scanline * width)};
    jpeg_write_scanlines(&jpeg, rows, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  *count = size;
  return bytes;
}

void *cjpeg_encode(const uint32_t *pixels, int width, int height, int quality, size_t *count) {
  return encode(pixels, width, height, quality, is_quick, count);
}

void *cjpeg_encode_file(const uint32_t *pixels, int width, int height, int quality, size_t *count) {
  return encode(pixels, width, height, quality, is_small, count);
}

void *cjpeg_encode_scans(const uint32_t *pixels, int width, int height, int quality, size_t *count) {
  return encode(pixels, width, height, quality, is_progressive, count);
}
