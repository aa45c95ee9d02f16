#define _GNU_SOURCE
#include "tiff.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tiffio.h>

/// A page of a file, and how its samples become those of an image.
typedef struct Page {
  TIFF *tiff;
  uint32_t width, height;
  /// The tags of the page (TIFF 6.0).
  uint16_t bits, samples, photometric, planes, format;
  /// The red, green and blue of the numbers of a palette.
  uint16_t *palette[3];
  /// The number of samples of a pixel that are shown.
  int bands;
  /// Whether the colors have been multiplied by the alpha.
  int is_premultiplied;
  /// Whether libtiff turns the pixels into colors by itself.
  int is_converted;
  /// The numbers in the image: 8 bits of colors that libtiff converts and of CMYK, of which libvips converts no others; floats
  /// of measured values, which have a range of their own; otherwise 16 bits.
  VipsBandFormat stored;
} Page;

/// Opens a page. Returns NULL for an error.
static TIFF *open_page(int descriptor, int page) {
  int own = dup(descriptor);
  if (own < 0) return NULL;
  lseek(own, 0, SEEK_SET);
  // Without "m", libtiff would map the file into memory, and die if the file became shorter meanwhile.
  TIFF *tiff = TIFFFdOpen(own, "tiff", "rm");
  if (!tiff) {
    close(own);
    return NULL;
  }
  if (page == 0 || TIFFSetDirectory(tiff, page)) return tiff;
  TIFFClose(tiff);
  return NULL;
}

int tiff_needs_own_reader(int descriptor, int page) {
  uint16_t compression = 0, planes = 0;
  TIFF *tiff = open_page(descriptor, page);
  if (!tiff) return 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
  int is_tiled = TIFFIsTiled(tiff);
  TIFFClose(tiff);
  return compression == COMPRESSION_OJPEG || (is_tiled && planes == PLANARCONFIG_SEPARATE);
}

/// Reads the tags of a page. Returns 0, or -1 if its pixels can't be read.
static int read_tags(Page *page) {
  TIFF *tiff = page->tiff;
  uint16_t compression = 0, extras = 0, *kinds = NULL;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page->bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page->samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &page->planes);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &page->format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extras, &kinds);
  if (page->width < 1 || page->height < 1 || page->width > VIPS_MAX_COORD || page->height > VIPS_MAX_COORD || page->samples < 1) {
    vips_error("tiff", "its size is invalid");
    return -1;
  }
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &page->photometric)) {
    // Programs that write faxes leave it out.
    int is_fax = compression == COMPRESSION_CCITTFAX3 || compression == COMPRESSION_CCITTFAX4 ||
                 compression == COMPRESSION_CCITTRLE || compression == COMPRESSION_CCITTRLEW;
    page->photometric = page->samples >= 3 ? PHOTOMETRIC_RGB : is_fax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
  }
  if (compression == COMPRESSION_JPEG && page->photometric == PHOTOMETRIC_YCBCR && page->planes == PLANARCONFIG_CONTIG) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    page->photometric = PHOTOMETRIC_RGB;
  }
  int colors = 0, is_float = page->format == SAMPLEFORMAT_IEEEFP;
  switch (page->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: colors = 1; break;
    case PHOTOMETRIC_PALETTE:
      if (page->bits <= 16 && TIFFGetField(tiff, TIFFTAG_COLORMAP, &page->palette[0], &page->palette[1], &page->palette[2]))
        colors = 1;
      break;
    case PHOTOMETRIC_RGB: colors = 3; break;
    case PHOTOMETRIC_SEPARATED: colors = !is_float && page->bits <= 16 ? 4 : 0; break;
  }
  int is_known = page->format == SAMPLEFORMAT_UINT || page->format == SAMPLEFORMAT_INT || page->format == SAMPLEFORMAT_VOID ||
                 (is_float && (page->bits == 16 || page->bits == 24 || page->bits == 32 || page->bits == 64));
  int is_measured = page->bits > 16 || is_float || page->format == SAMPLEFORMAT_INT;
  page->is_converted = compression == COMPRESSION_OJPEG || colors == 0;
  page->stored = page->is_converted || colors == 4 ? VIPS_FORMAT_UCHAR : is_measured ? VIPS_FORMAT_FLOAT : VIPS_FORMAT_USHORT;
  if (page->is_converted) {
    char reason[1024] = "";
    page->bands = 3;
    if (TIFFRGBAImageOK(tiff, reason)) return 0;
    vips_error("tiff", "its colors are not supported (photometric interpretation %d, %d bits)", page->photometric, page->bits);
    return -1;
  }
  if (!is_known || page->bits < 1 || page->bits > 64 || page->samples < colors) {
    vips_error("tiff", "its samples of %d bits are not supported", page->bits);
    return -1;
  }
  int has_alpha = (colors == 1 || colors == 3) && !page->palette[0] && page->samples > colors && extras > 0 &&
                  kinds[0] != EXTRASAMPLE_UNSPECIFIED;
  page->is_premultiplied = has_alpha && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
  page->bands = page->palette[0] ? 3 : colors + has_alpha;
  return 0;
}

/// Creates an image of the size and the colors of a page, without pixels.
static VipsImage *new_image(const Page *page) {
  VipsImage *image = vips_image_new_memory();
  int is_gray = page->bands < 3, is_wide = page->stored == VIPS_FORMAT_USHORT;
  VipsInterpretation type = is_gray ? (is_wide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W)
                                    : (is_wide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB);
  if (!page->is_converted && page->photometric == PHOTOMETRIC_SEPARATED) type = VIPS_INTERPRETATION_CMYK;
  vips_image_init_fields(
      image, (int)page->width, (int)page->height, page->bands, page->stored, VIPS_CODING_NONE, type, 1, 1);
  uint16_t orientation = 1;
  uint32_t size = 0;
  void *profile = NULL;
  TIFFGetFieldDefaulted(page->tiff, TIFFTAG_ORIENTATION, &orientation);
  if (orientation >= 1 && orientation <= 8) vips_image_set_int(image, VIPS_META_ORIENTATION, orientation);
  if (TIFFGetField(page->tiff, TIFFTAG_ICCPROFILE, &size, &profile) && profile)
    vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, size);
  return image;
}

/// Returns a sample of a row. libtiff has put whole bytes into the order of the machine. Others follow one another from the
/// highest bit on.
static uint64_t sample(const uint8_t *row, size_t index, int bits) {
  switch (bits) {
    case 8: return row[index];
    case 16: return ((const uint16_t *)row)[index];
    case 32: return ((const uint32_t *)row)[index];
    case 64: return ((const uint64_t *)row)[index];
    case 24: {
      uint32_t value = 0;
      memcpy((uint8_t *)&value + (G_BYTE_ORDER == G_BIG_ENDIAN), row + 3 * index, 3);
      return value;
    }
  }
  size_t place = index * bits;
  uint64_t value = 0;
  for (int left = bits; left > 0;) {
    int rest = 8 - (int)(place % 8), count = left < rest ? left : rest;
    value = value << count | (row[place / 8] >> (rest - count) & ((1u << count) - 1));
    left -= count;
    place += count;
  }
  return value;
}

/// Returns the floating-point number that some bits mean (IEEE 754; of 24 bits, 7 are those of the exponent).
static float real(uint64_t code, int bits) {
  if (bits == 32) {
    uint32_t half = (uint32_t)code;
    float value;
    memcpy(&value, &half, sizeof value);
    return value;
  }
  if (bits == 64) {
    double value;
    memcpy(&value, &code, sizeof value);
    return (float)value;
  }
  int fraction_bits = bits == 16 ? 10 : 16, most = bits == 16 ? 31 : 127;
  int exponent = (int)(code >> fraction_bits) & most;
  int64_t fraction = (int64_t)(code & ((1u << fraction_bits) - 1));
  double value = exponent == most ? (fraction ? NAN : INFINITY)
                                  : ldexp((double)(exponent ? fraction | 1 << fraction_bits : fraction),
                                          (exponent ? exponent : 1) - most / 2 - fraction_bits);
  return (float)(code >> (bits - 1) & 1 ? -value : value);
}

/// Returns a measured value.
static float measured(const Page *page, uint64_t code) {
  int is_reversed = page->photometric == PHOTOMETRIC_MINISWHITE;
  if (page->format == SAMPLEFORMAT_IEEEFP) return is_reversed ? 1 - real(code, page->bits) : real(code, page->bits);
  int unused = 64 - page->bits;
  if (page->format == SAMPLEFORMAT_INT) {
    float value = (float)((int64_t)(code << unused) >> unused);
    return is_reversed ? -value : value;
  }
  return (float)(is_reversed ? UINT64_MAX >> unused ^ code : code);
}

/// Stores samples of a row in a row of the image.
///
/// - `x`, `width`: the pixels in the row
/// - `band`: the first of the image's bands that the samples belong to
/// - `step`: the number of samples of a pixel that come one after another, of which `count` are shown
static void store(const Page *page, const uint8_t *from, VipsPel *row, size_t x, size_t width, int band, int step, int count) {
  uint64_t most = UINT64_MAX >> (64 - page->bits);
  int is_reversed = page->photometric == PHOTOMETRIC_MINISWHITE && band == 0;
  for (size_t i = 0; i < width; i++)
    for (int s = 0; s < count; s++) {
      uint64_t code = sample(from, i * step + s, page->bits);
      size_t place = (x + i) * page->bands + band + s;
      if (page->palette[0])
        for (int color = 0; color < 3; color++) ((uint16_t *)row)[place + color] = page->palette[color][code];
      else if (page->stored == VIPS_FORMAT_FLOAT)
        ((float *)row)[place] = measured(page, code);
      else if (page->stored == VIPS_FORMAT_UCHAR)
        row[place] = (VipsPel)(code * 255 / most);
      else
        ((uint16_t *)row)[place] = (uint16_t)((is_reversed && s == 0 ? most - code : code) * 65535 / most);
    }
}

/// Divides the colors of a page of 16 bits by its alpha.
static void unpremultiply(const Page *page, VipsImage *image) {
  if (!page->is_premultiplied || page->stored != VIPS_FORMAT_USHORT) return;
  int alpha = page->bands - 1;
  for (uint32_t y = 0; y < page->height; y++) {
    uint16_t *pixel = (uint16_t *)VIPS_IMAGE_ADDR(image, 0, y);
    for (uint32_t x = 0; x < page->width; x++, pixel += page->bands)
      for (int band = 0; band < alpha && pixel[alpha] > 0; band++)
        pixel[band] = VIPS_MIN(UINT16_MAX, (uint32_t)pixel[band] * UINT16_MAX / pixel[alpha]);
  }
}

/// Reads the strips or tiles of a page. Returns 0, or -1 for an error.
static int read_samples(const Page *page, VipsImage *image) {
  TIFF *tiff = page->tiff;
  int is_tiled = TIFFIsTiled(tiff), is_planar = page->planes == PLANARCONFIG_SEPARATE;
  uint32_t width = page->width, height = 0;
  if (is_tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &height);
  }
  // The rows of a strip are those that the image has.
  height = VIPS_MIN(height, is_tiled ? height : page->height);
  tmsize_t size = is_tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
  tmsize_t stride = is_tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff);
  int step = is_planar ? 1 : page->samples, shown = page->palette[0] ? 1 : page->bands;
  // libtiff computes the same sizes. If it did not, samples would be read beyond the memory.
  if (width < 1 || height < 1 || size < 1 || stride < (tmsize_t)(((uint64_t)width * step * page->bits + 7) / 8) ||
      size / stride < height) {
    vips_error("tiff", "its strips or tiles are invalid");
    return -1;
  }
  uint8_t *bytes = calloc(1, size);
  int failed = !bytes;
  for (uint32_t y = 0; !failed && y < page->height; y += height)
    for (uint32_t x = 0; !failed && x < page->width; x += width)
      for (int plane = 0; !failed && plane < (is_planar ? shown : 1); plane++) {
        failed = (is_tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), bytes, size)
                           : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), bytes, size)) < 0;
        uint32_t rows = VIPS_MIN(height, page->height - y), columns = VIPS_MIN(width, page->width - x);
        for (uint32_t row = 0; !failed && row < rows; row++)
          store(page, bytes + row * stride, VIPS_IMAGE_ADDR(image, 0, y + row), x, columns, plane, step, is_planar ? 1 : shown);
      }
  free(bytes);
  if (!failed) unpremultiply(page, image);
  return failed ? -1 : 0;
}

/// Reads a page whose colors libtiff converts. Returns 0, or -1 for an error.
static int read_colors(const Page *page, VipsImage *image) {
  uint16_t orientation = ORIENTATION_TOPLEFT;
  TIFFGetFieldDefaulted(page->tiff, TIFFTAG_ORIENTATION, &orientation);
  uint32_t *pixels = malloc((size_t)page->width * page->height * sizeof *pixels);
  // Rows in the order of the file, which the image's own orientation turns later.
  int failed = !pixels || !TIFFReadRGBAImageOriented(page->tiff, page->width, page->height, pixels, orientation, 1);
  for (uint32_t y = 0; !failed && y < page->height; y++) {
    VipsPel *row = VIPS_IMAGE_ADDR(image, 0, y);
    const uint32_t *from = pixels + (size_t)y * page->width;
    for (uint32_t x = 0; x < page->width; x++) {
      row[3 * x] = TIFFGetR(from[x]);
      row[3 * x + 1] = TIFFGetG(from[x]);
      row[3 * x + 2] = TIFFGetB(from[x]);
    }
  }
  free(pixels);
  return failed ? -1 : 0;
}

VipsImage *tiff_load(int descriptor, int page, int has_pixels) {
  Page opened = {.tiff = open_page(descriptor, page)};
  if (!opened.tiff) return NULL;
  VipsImage *image = read_tags(&opened) ? NULL : new_image(&opened);
  int failed = !image;
  if (image && has_pixels)
    failed = vips_image_write_prepare(image) ||
             (opened.is_converted ? read_colors(&opened, image) : read_samples(&opened, image));
  TIFFClose(opened.tiff);
  if (!failed) return image;
  if (!*vips_error_buffer()) vips_error("tiff", "there is not enough memory");
  if (image) g_object_unref(image);
  return NULL;
}
