#include "jxl.h"

#if !__has_include(<jxl/decode.h>)
#error "jxl/decode.h is missing; `make packages` installs what Tintype needs"
#endif

#include <math.h>
#include <unistd.h>

#include <jxl/decode.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>

#include "frame_duration.h"

struct JxlFrames {
  JxlDecoder *decoder;
  uint8_t *bytes;
  size_t size;
  JxlBasicInfo info;
  /// The numbers of the primaries and the transfer by Rec. ITU-T H.273, which are also those of JPEG XL.
  int primaries, transfer;
  int count;
  /// The time for which the next frame is shown, in milliseconds.
  int64_t duration;
};

/// Rows in memory begin at multiples of this number of bytes.
enum { row_alignment = 64 };

static const int wanted_events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE;

/// The decoder reads from the start of the file, and stops at some events.
static int begin(JxlFrames *frames, int events) {
  JxlDecoderReset(frames->decoder);
  if (JxlDecoderSubscribeEvents(frames->decoder, events) != JXL_DEC_SUCCESS) return -1;
  if (JxlDecoderSetInput(frames->decoder, frames->bytes, frames->size) != JXL_DEC_SUCCESS) return -1;
  JxlDecoderCloseInput(frames->decoder);
  return 0;
}

/// Counts the frames, of which only the headers are read.
static int count_frames(JxlFrames *frames) {
  if (begin(frames, JXL_DEC_BASIC_INFO | JXL_DEC_FRAME)) return -1;
  for (;;) {
    switch (JxlDecoderProcessInput(frames->decoder)) {
      case JXL_DEC_BASIC_INFO:
        if (JxlDecoderGetBasicInfo(frames->decoder, &frames->info) != JXL_DEC_SUCCESS) return -1;
        break;
      case JXL_DEC_FRAME: frames->count++; break;
      // What is missing from an incomplete file is its end.
      default: return frames->count > 0 && frames->info.have_animation ? 0 : -1;
    }
  }
}

static int read_bytes(JxlFrames *frames, int descriptor) {
  for (size_t done = 0; done < frames->size;) {
    ssize_t count = pread(descriptor, frames->bytes + done, frames->size - done, (off_t)done);
    if (count <= 0) return -1;
    done += (size_t)count;
  }
  return 0;
}

JxlFrames *jxl_open(int descriptor, int64_t size, const char **reason) {
  *reason = "there is no memory";
  JxlFrames *frames = av_mallocz(sizeof *frames);
  if (!frames) return NULL;
  frames->size = (size_t)size;
  frames->bytes = av_malloc(frames->size);
  frames->decoder = JxlDecoderCreate(NULL);
  if (frames->bytes && frames->decoder) {
    *reason = "the file can't be read";
    if (!read_bytes(frames, descriptor) && !count_frames(frames)) {
      jxl_rewind(frames);
      return frames;
    }
  }
  jxl_close(frames);
  return NULL;
}

void jxl_close(JxlFrames *frames) {
  if (!frames) return;
  if (frames->decoder) JxlDecoderDestroy(frames->decoder);
  av_free(frames->bytes);
  av_free(frames);
}

/// Whether the image is shown with its sides exchanged.
static int is_transposed(const JxlFrames *frames) { return frames->info.orientation >= JXL_ORIENT_TRANSPOSE; }

int jxl_width(const JxlFrames *frames) { return (int)(is_transposed(frames) ? frames->info.ysize : frames->info.xsize); }
int jxl_height(const JxlFrames *frames) { return (int)(is_transposed(frames) ? frames->info.xsize : frames->info.ysize); }
int jxl_count(const JxlFrames *frames) { return frames->count; }

void jxl_rewind(JxlFrames *frames) { begin(frames, wanted_events); }

static void read_colors(JxlFrames *frames) {
  JxlColorEncoding colors;
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
  JxlDecoderStatus status = JxlDecoderGetColorAsEncodedProfile(frames->decoder, JXL_COLOR_PROFILE_TARGET_DATA, &colors);
#else
  static const JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  JxlDecoderStatus status =
      JxlDecoderGetColorAsEncodedProfile(frames->decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, &colors);
#endif
  frames->primaries = frames->transfer = 2;
  if (status != JXL_DEC_SUCCESS) return;
  frames->primaries = (int)colors.primaries;
  frames->transfer = (int)colors.transfer_function;
}

static void read_duration(JxlFrames *frames) {
  JxlFrameHeader header;
  const JxlAnimationHeader *animation = &frames->info.animation;
  if (JxlDecoderGetFrameHeader(frames->decoder, &header) != JXL_DEC_SUCCESS || !animation->tps_numerator) return;
  double time = 1000.0 * header.duration * animation->tps_denominator / animation->tps_numerator;
  frames->duration = (int64_t)fmin(round(time), INT32_MAX);
}

/// Gives the decoder the memory for a frame. Returns 0, or an error of FFmpeg.
static int set_output(JxlFrames *frames, AVFrame *frame) {
  int is_wide = frames->info.bits_per_sample > 8;
  av_frame_unref(frame);
  frame->width = jxl_width(frames);
  frame->height = jxl_height(frames);
  frame->format = is_wide ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA;
  int code = av_frame_get_buffer(frame, row_alignment);
  if (code < 0) return code;
  JxlPixelFormat format = {4, is_wide ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, row_alignment};
  size_t row = ((size_t)frame->width * (is_wide ? 8 : 4) + row_alignment - 1) / row_alignment * row_alignment;
  size_t size = row * (size_t)(frame->height - 1) + (size_t)frame->width * (is_wide ? 8 : 4), needed = 0;
  if (JxlDecoderImageOutBufferSize(frames->decoder, &format, &needed) != JXL_DEC_SUCCESS || (size_t)frame->linesize[0] != row)
    return AVERROR_EXTERNAL;
  size = needed > size && needed <= row * (size_t)frame->height ? needed : size;
  return JxlDecoderSetImageOutBuffer(frames->decoder, &format, frame->data[0], size) == JXL_DEC_SUCCESS ? 0 : AVERROR_EXTERNAL;
}

int jxl_decode(JxlFrames *frames, AVFrame *frame) {
  for (;;) {
    int code = 0;
    switch (JxlDecoderProcessInput(frames->decoder)) {
      case JXL_DEC_BASIC_INFO: break;
      case JXL_DEC_COLOR_ENCODING: read_colors(frames); break;
      case JXL_DEC_FRAME: read_duration(frames); break;
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        if ((code = set_output(frames, frame)) < 0) return code;
        break;
      case JXL_DEC_FULL_IMAGE:
        frame->frame_duration = frames->duration;
        frame->color_primaries = frames->primaries;
        frame->color_trc = frames->transfer;
        frame->color_range = AVCOL_RANGE_JPEG;
        return 0;
      case JXL_DEC_SUCCESS:
      case JXL_DEC_NEED_MORE_INPUT: return AVERROR_EOF;
      default: return AVERROR_INVALIDDATA;
    }
  }
}
