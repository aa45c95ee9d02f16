#pragma once

#include <stdint.h>

#include <vips/vips.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Codes light, of which 1 is white, by the curve of Rec. ITU-R BT.2100-2 (PQ).
void light_encode(const float *light, uint16_t *codes, size_t count);

/// Opens an OpenEXR image by its descriptor, which libvips can't: it needs a path, and this process can open none. Light is coded
/// as by `light_encode`, with the primaries of sRGB. Without pixels unless `has_pixels`. Returns NULL for an error.
VipsImage *exr_load(int descriptor, int has_pixels);

#ifdef __cplusplus
}
#endif
