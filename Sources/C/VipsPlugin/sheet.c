#include "sheet.h"

#if !__has_include(<pango/pangocairo.h>)
#error "pango/pangocairo.h is missing; `make packages` installs what Tintype needs"
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cairo-pdf.h>
#include <pango/pangocairo.h>

struct _VipsSheet {
  cairo_surface_t *surface;
  cairo_t *context;
  PangoLayout *layout;
};

/// Returns a sheet on a surface, with units of a point and texts that are the same at all resolutions, or NULL for an error.
static VipsSheet *open_sheet(cairo_surface_t *surface, double scale) {
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(surface);
    return NULL;
  }
  VipsSheet *sheet = calloc(1, sizeof *sheet);
  if (!sheet) abort();
  sheet->surface = surface;
  sheet->context = cairo_create(surface);
  cairo_scale(sheet->context, scale, scale);
  sheet->layout = pango_cairo_create_layout(sheet->context);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  PangoContext *context = pango_layout_get_context(sheet->layout);
  pango_cairo_context_set_font_options(context, options);
  pango_cairo_context_set_resolution(context, 72);
  cairo_font_options_destroy(options);
  pango_layout_set_single_paragraph_mode(sheet->layout, TRUE);
  pango_layout_set_ellipsize(sheet->layout, PANGO_ELLIPSIZE_MIDDLE);
  return sheet;
}

static cairo_status_t write_all(void *closure, const unsigned char *bytes, unsigned int count) {
  int descriptor = (int)(intptr_t)closure;
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return CAIRO_STATUS_WRITE_ERROR;
    bytes += written;
    count -= written;
  }
  return CAIRO_STATUS_SUCCESS;
}

VipsSheet *sheet_open_pdf(int descriptor, double width, double height, const char *title) {
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream(write_all, (void *)(intptr_t)descriptor, width, height);
  if (*title) cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Tintype");
  return open_sheet(surface, 1);
}

VipsSheet *sheet_open_pixels(void *pixels, int width, int height, double scale) {
  cairo_surface_t *surface =
      cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_RGB24, width, height, width * 4);
  return open_sheet(surface, scale);
}

void sheet_draw_jpeg(VipsSheet *sheet, const VipsSheetPicture *picture) {
  // The pixels are never read, since the PDF has the JPEG in their place. The system gives no memory to zeros.
  cairo_surface_t *image =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture->pixel_width, picture->pixel_height);
  void *bytes = malloc(picture->count);
  if (!bytes) abort();
  memcpy(bytes, picture->jpeg, picture->count);
  cairo_surface_set_mime_data(image, CAIRO_MIME_TYPE_JPEG, bytes, picture->count, free, bytes);
  cairo_save(sheet->context);
  cairo_translate(sheet->context, picture->x, picture->y);
  cairo_scale(sheet->context, picture->width / picture->pixel_width, picture->height / picture->pixel_height);
  cairo_set_source_surface(sheet->context, image, 0, 0);
  cairo_paint(sheet->context);
  cairo_restore(sheet->context);
  cairo_surface_destroy(image);
}

int sheet_draw_line(VipsSheet *sheet, const VipsSheetLine *line) {
  static const PangoAlignment alignments[] = {PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT};
  if (!pango_parse_markup(line->markup, -1, 0, NULL, NULL, NULL, NULL)) return -1;
  PangoFontDescription *font = pango_font_description_from_string("Sans");
  pango_font_description_set_absolute_size(font, line->size * PANGO_SCALE);
  pango_layout_set_font_description(sheet->layout, font);
  pango_font_description_free(font);
  pango_layout_set_width(sheet->layout, line->width * PANGO_SCALE);
  pango_layout_set_alignment(sheet->layout, alignments[line->alignment]);
  pango_layout_set_markup(sheet->layout, line->markup, -1);
  cairo_set_source_rgb(sheet->context, 0, 0, 0);
  pango_cairo_update_layout(sheet->context, sheet->layout);
  // Fonts of other scripts make lines higher, and the baselines of names side by side are to be equal.
  double baseline = (double)pango_layout_get_baseline(sheet->layout) / PANGO_SCALE;
  cairo_move_to(sheet->context, line->x, line->y + line->size - baseline);
  pango_cairo_show_layout(sheet->context, sheet->layout);
  return 0;
}

void sheet_end_page(VipsSheet *sheet) { cairo_show_page(sheet->context); }

int sheet_close(VipsSheet *sheet) {
  g_object_unref(sheet->layout);
  cairo_status_t status = cairo_status(sheet->context);
  cairo_destroy(sheet->context);
  cairo_surface_finish(sheet->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(sheet->surface);
  cairo_surface_destroy(sheet->surface);
  free(sheet);
  return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}
