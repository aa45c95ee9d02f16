#pragma once

#include "../CVipsPlugin/vips_plugin.h"

// The functions of the plug-in's table that draw pages of contact sheets by Cairo and Pango, which libvips loads anyway.

VipsSheet *sheet_open_pdf(int descriptor, double width, double height, const char *title);
VipsSheet *sheet_open_pixels(void *pixels, int width, int height, double scale);
void sheet_draw_jpeg(VipsSheet *sheet, const VipsSheetPicture *picture);
int sheet_draw_line(VipsSheet *sheet, const VipsSheetLine *line);
void sheet_end_page(VipsSheet *sheet);
int sheet_close(VipsSheet *sheet);
