#pragma once

#include <stdint.h>

#include <libavutil/frame.h>

/// The frames of a JPEG XL animation (ISO/IEC 18181-1), which FFmpeg reads only since version 6.1.
typedef struct JxlFrames JxlFrames;

/// Reads a file. Returns NULL for an error, whose reason is in `reason` then. The caller ends the frames with `jxl_close`.
JxlFrames *jxl_open(int descriptor, int64_t size, const char **reason);
void jxl_close(JxlFrames *frames);

/// The upright size in pixels.
int jxl_width(const JxlFrames *frames);
int jxl_height(const JxlFrames *frames);
/// The number of frames.
int jxl_count(const JxlFrames *frames);

/// Goes back before the first frame.
void jxl_rewind(JxlFrames *frames);
/// Decodes the next frame as RGBA of 8 or 16 bits, with its time in milliseconds. Returns 0, or an error of FFmpeg, which is
/// AVERROR_EOF at the end.
int jxl_decode(JxlFrames *frames, AVFrame *frame);
