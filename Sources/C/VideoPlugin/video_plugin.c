#if !__has_include(<libavformat/avformat.h>)
#error "libavformat/avformat.h is missing; `make packages` installs what Tintype needs"
#endif

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#include "../CVideoPlugin/video_plugin.h"
#include "frame_duration.h"
#include "jxl.h"

struct Video {
  int descriptor;
  /// The video's place in the file.
  int64_t start, size;
  /// The next byte of the video that is read.
  int64_t place;
  AVIOContext *input;
  AVFormatContext *format;
  AVStream *stream;
  AVCodecContext *decoder;
  AVPacket *packet;
  /// The decoded frame, and one that is being decoded.
  AVFrame *frame, *next;
  /// Whether `frame` has a frame, and whether the file has no more packets.
  int has_frame, is_at_end;
  /// The number of the decoded frame, counted from 0, while frames are decoded by their numbers.
  int number;
  /// The number of packets that were left out while a key frame is awaited; -1 if none is.
  int skipped;
  /// The time that is sought, in the units of the track.
  int64_t target;
  struct SwsContext *scaler;
  /// The frames of a JPEG XL animation. All that is FFmpeg's own is NULL then, except for the frames.
  JxlFrames *jxl;
};

static const int buffer_size = 1 << 16;
/// The most seconds in which frames are decoded one after the other in place of a search for a later key frame.
static const double longest_run = 2;
/// The most pixels of a frame, as many as 8K needs four times over, and the most that are decoded of any video.
static const int64_t most_pixels = 1 << 27, fewest_pixels = 1 << 22;
/// The largest block of memory in bytes.
static const size_t largest_block = 1 << 29;
/// The most frames that are decoded until the one of a time, in case times make no sense.
static const int most_frames = 2000;

static char message[AV_ERROR_MAX_STRING_SIZE + 64];

static int fail(const char *text, int code) {
  char reason[AV_ERROR_MAX_STRING_SIZE] = "";
  if (code < 0) av_strerror(code, reason, sizeof reason);
  snprintf(message, sizeof message, "%s%s%s", text, code < 0 ? ": " : "", reason);
  return -1;
}

// MARK: - The file

static int read_file(void *opaque, uint8_t *buffer, int count) {
  Video *video = opaque;
  int64_t rest = video->size - video->place;
  if (rest < count) count = (int)rest;
  if (count <= 0) return AVERROR_EOF;
  ssize_t done = pread(video->descriptor, buffer, count, video->start + video->place);
  if (done <= 0) return done < 0 ? AVERROR(EIO) : AVERROR_EOF;
  video->place += done;
  return (int)done;
}

static int64_t seek_file(void *opaque, int64_t offset, int whence) {
  Video *video = opaque;
  if (whence & AVSEEK_SIZE) return video->size;
  int64_t base = whence == SEEK_CUR ? video->place : whence == SEEK_END ? video->size : 0, place;
  if (__builtin_add_overflow(base, offset, &place) || place < 0) return AVERROR(EINVAL);
  return video->place = place;
}

/// Refuses the further files and addresses that a container may name.
static int refuse(AVFormatContext *format, AVIOContext **input, const char *url, int flags, AVDictionary **options) {
  (void)format, (void)input, (void)url, (void)flags, (void)options;
  return AVERROR(EPERM);
}

static void close_video(Video *video) {
  if (!video) return;
  sws_freeContext(video->scaler);
  jxl_close(video->jxl);
  av_frame_free(&video->frame);
  av_frame_free(&video->next);
  av_packet_free(&video->packet);
  avcodec_free_context(&video->decoder);
  avformat_close_input(&video->format);
  if (video->input) av_freep(&video->input->buffer);
  avio_context_free(&video->input);
  if (video->descriptor >= 0) close(video->descriptor);
  av_free(video);
}

/// Opens the container. Returns 0, or -1 for an error.
static int open_container(Video *video, const char *demuxer) {
  const AVInputFormat *format = av_find_input_format(demuxer);
  if (!format) return fail("FFmpeg has no reader for this format", 0);
  unsigned char *buffer = av_malloc(buffer_size);
  video->input = buffer ? avio_alloc_context(buffer, buffer_size, 0, video, read_file, NULL, seek_file) : NULL;
  video->format = avformat_alloc_context();
  if (!video->input || !video->format) return fail("there is no memory", 0);
  video->format->pb = video->input;
  video->format->io_open = refuse;
  video->format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_GENPTS;
  video->format->max_analyze_duration = 2 * AV_TIME_BASE;
  video->format->max_streams = 64;
  int code = avformat_open_input(&video->format, "", format, NULL);
  return code < 0 ? fail("the file can't be opened", code) : 0;
}

/// Whether a track is known well enough without a look at its first packets, which takes far longer.
static int is_known(const AVStream *stream) {
  const AVCodecParameters *codec = stream->codecpar;
  return codec->codec_id != AV_CODEC_ID_NONE && codec->width > 0 && codec->height > 0 && stream->time_base.den > 0;
}

/// Finds the track, and leaves out all others. Returns 0, or -1 for an error.
static int find_track(Video *video) {
  AVFormatContext *format = video->format;
  int track = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  if (track < 0 || !is_known(format->streams[track])) {
    int code = avformat_find_stream_info(format, NULL);
    if (code < 0) return fail("the file can't be read", code);
    track = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  }
  if (track < 0) return fail("the file has no video track", 0);
  video->stream = format->streams[track];
  for (unsigned i = 0; i < format->nb_streams; i++)
    if ((int)i != track) format->streams[i]->discard = AVDISCARD_ALL;
  return 0;
}

/// Opens the decoder of the track. Returns 0, or -1 for an error.
static int open_decoder(Video *video, int threads) {
  const AVCodec *codec = avcodec_find_decoder(video->stream->codecpar->codec_id);
  if (!codec) return fail("FFmpeg has no decoder for this video", 0);
  video->decoder = avcodec_alloc_context3(codec);
  video->packet = av_packet_alloc();
  if (!video->decoder || !video->packet) return fail("there is no memory", 0);
  int code = avcodec_parameters_to_context(video->decoder, video->stream->codecpar);
  video->decoder->pkt_timebase = video->stream->time_base;
  video->decoder->thread_count = threads;
  // With frames in parallel, a frame is there only when others have been begun.
  video->decoder->thread_type = threads > 1 ? FF_THREAD_FRAME | FF_THREAD_SLICE : FF_THREAD_SLICE;
  // Frames may be larger than the container says, but not by as much as a few bytes can claim.
  const AVCodecParameters *track = video->stream->codecpar;
  int64_t said = FFMIN((int64_t)FFMAX(track->width, 0) * FFMAX(track->height, 0), most_pixels);
  video->decoder->max_pixels = FFMIN(FFMAX(4 * said, fewest_pixels), most_pixels);
  if (code >= 0) code = avcodec_open2(video->decoder, codec, NULL);
  return code < 0 ? fail("the decoder can't be opened", code) : 0;
}

/// Opens a JPEG XL animation. Returns 0, or -1 for an error.
static int open_jxl(Video *video) {
  const char *reason = "the file is too large";
  video->jxl = video->size <= (int64_t)largest_block ? jxl_open(video->descriptor, video->size, &reason) : NULL;
  return video->jxl ? 0 : fail(reason, 0);
}

static int open_track(Video *video, const char *demuxer, int threads) {
  return open_container(video, demuxer) || find_track(video) || open_decoder(video, threads);
}

static Video *open_video(int descriptor, int64_t start, int64_t end, const char *demuxer, int threads) {
  av_log_set_level(AV_LOG_QUIET);
  // A file may claim that a packet is as large as it likes.
  av_max_alloc(largest_block);
  Video *video = av_mallocz(sizeof *video);
  if (!video) return NULL;
  video->descriptor = dup(descriptor);
  video->start = start;
  video->size = end - start;
  video->frame = av_frame_alloc();
  video->next = av_frame_alloc();
  if (!video->frame || !video->next) fail("there is no memory", 0);
  else if (video->descriptor < 0 || start < 0 || video->size < 0) fail("the file can't be read", 0);
  else if (!(strcmp(demuxer, "jxl") ? open_track(video, demuxer, threads) : open_jxl(video))) return video;
  close_video(video);
  return NULL;
}

// MARK: - What is known about the video

/// The width of a pixel divided by its height.
static double pixel_aspect(Video *video) {
  AVRational aspect = av_guess_sample_aspect_ratio(video->format, video->stream, NULL);
  double value = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
  return value > 0.05 && value < 20 ? value : 1;
}

static int width(Video *video) {
  if (video->jxl) return jxl_width(video->jxl);
  return (int)fmin(1 << 20, round(video->stream->codecpar->width * pixel_aspect(video)));
}

static int height(Video *video) { return video->jxl ? jxl_height(video->jxl) : video->stream->codecpar->height; }

static double duration(Video *video) {
  if (video->jxl) return 0;
  if (video->stream->duration > 0) return video->stream->duration * av_q2d(video->stream->time_base);
  return video->format->duration > 0 ? (double)video->format->duration / AV_TIME_BASE : 0;
}

static double frame_rate(Video *video) {
  if (video->jxl) return 0;
  AVRational rate = av_guess_frame_rate(video->format, video->stream, NULL);
  return rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
}

static int frames(Video *video) {
  return video->jxl ? jxl_count(video->jxl) : (int)FFMIN(FFMAX(video->stream->nb_frames, 0), INT32_MAX);
}

// MARK: - Frames

/// The time of the first frame in the units of the track.
static int64_t start(const Video *video) {
  return video->stream->start_time == AV_NOPTS_VALUE ? 0 : video->stream->start_time;
}

static double time_of(Video *video, const AVFrame *frame) {
  int64_t time = frame->best_effort_timestamp;
  return time == AV_NOPTS_VALUE ? 0 : (double)(time - start(video)) * av_q2d(video->stream->time_base);
}

static double shown_time(Video *video) { return video->has_frame ? time_of(video, video->frame) : 0; }

/// Whether the frame of the packet is known to end before the time that is sought.
static int ends_before_target(const Video *video) {
  const AVPacket *packet = video->packet;
  int64_t end;
  return packet->pts != AV_NOPTS_VALUE && packet->duration > 0 && !__builtin_add_overflow(packet->pts, packet->duration, &end) &&
         end <= video->target;
}

/// Gives the decoder the next packet of the track, or the end. Returns 0, or an error.
static int send_packet(Video *video) {
  for (;;) {
    int code = av_read_frame(video->format, video->packet);
    if (code < 0) {
      // What is missing from an incomplete file is its end.
      video->is_at_end = 1;
      return avcodec_send_packet(video->decoder, NULL);
    }
    if (video->packet->stream_index == video->stream->index) {
      // A stream has no index, so the search may have led to the middle of a group of frames.
      if (video->skipped >= 0 && !(video->packet->flags & AV_PKT_FLAG_KEY) && video->skipped++ < most_frames) {
        av_packet_unref(video->packet);
        continue;
      }
      video->skipped = -1;
      // Of the frames that are not shown, those that no other one needs are not decoded.
      video->decoder->skip_frame = ends_before_target(video) ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
      code = avcodec_send_packet(video->decoder, video->packet);
      av_packet_unref(video->packet);
      // Damaged packets cost their own frames.
      return code == AVERROR_INVALIDDATA ? 0 : code;
    }
    av_packet_unref(video->packet);
  }
}

/// Decodes the next frame into `next`. Returns 0, or an error, which is AVERROR_EOF at the end.
static int decode(Video *video) {
  if (video->jxl) return jxl_decode(video->jxl, video->next);
  for (int damaged = 0; damaged < most_frames;) {
    int code = avcodec_receive_frame(video->decoder, video->next);
    if (code >= 0) return 0;
    if (code == AVERROR_INVALIDDATA) damaged++;
    else if (code != AVERROR(EAGAIN)) return code;
    else if (video->is_at_end) return AVERROR_EOF;
    else if ((code = send_packet(video)) < 0 && code != AVERROR_EOF) damaged++;
  }
  return AVERROR_INVALIDDATA;
}

/// Makes the frame in `next` the decoded one.
static void take(Video *video) {
  av_frame_unref(video->frame);
  av_frame_move_ref(video->frame, video->next);
  video->has_frame = 1;
}

/// Goes to the last key frame before a time, or to the start of the file for time 0. Returns 0, or -1 for an error.
static int find_key_frame(Video *video, double time) {
  int64_t target = start(video) + (int64_t)(time / av_q2d(video->stream->time_base));
  int has_places = !(video->format->iformat->flags & AVFMT_NO_BYTE_SEEK);
  // A stream has no index, and a search by time may miss its first key frame.
  int code = time > 0 || !has_places ? av_seek_frame(video->format, video->stream->index, target, AVSEEK_FLAG_BACKWARD) : -1;
  if (code < 0 && has_places) code = av_seek_frame(video->format, -1, 0, AVSEEK_FLAG_BYTE);
  if (code < 0) return fail("it has no frames", 0);
  avcodec_flush_buffers(video->decoder);
  av_frame_unref(video->next);
  video->is_at_end = 0;
  video->has_frame = 0;
  video->skipped = time > 0 ? 0 : -1;
  return 0;
}

static int seek(Video *video, double time, int is_exact) {
  double now = shown_time(video), slack = 1e-4;
  video->target = start(video) + (int64_t)(fmax(0, time) / av_q2d(video->stream->time_base));
  int is_ahead = video->has_frame && time >= now - slack && time < now + longest_run, is_from_start = time <= 0;
  double distance = 2;
  if (!is_ahead && find_key_frame(video, fmax(0, time))) return -1;
  for (int count = 0; count < most_frames; count++) {
    // A frame is shown until the time of the next one, so that is decoded, too.
    if (video->has_frame && !is_exact) return 0;
    if (video->has_frame && video->next->buf[0] && time_of(video, video->next) > time + slack) return 0;
    if (video->next->buf[0]) {
      take(video);
      continue;
    }
    int code = decode(video);
    if (code < 0 && !video->has_frame && !is_from_start) {
      // There is no key frame behind that time.
      is_from_start = 1;
      if (find_key_frame(video, 0)) return -1;
      continue;
    }
    if (code < 0) return video->has_frame ? 0 : fail("no frame can be decoded", code);
    if (video->has_frame) continue;
    take(video);
    if (!is_from_start && !is_ahead && shown_time(video) > time + slack) {
      // The next key frame is too late, so one before is looked for, farther and farther back.
      is_from_start = time - distance <= 0;
      if (find_key_frame(video, fmax(0, time - distance))) return -1;
      distance *= 2;
    }
  }
  return video->has_frame ? 0 : fail("no frame can be decoded", 0);
}

/// Goes back before the first frame. Returns 0, or -1 for an error.
static int rewind_video(Video *video) {
  if (!video->jxl) return find_key_frame(video, 0);
  jxl_rewind(video->jxl);
  video->has_frame = 0;
  return 0;
}

static int seek_number(Video *video, int number) {
  if (video->has_frame && number < video->number && rewind_video(video)) return -1;
  if (!video->jxl) video->target = start(video);
  while (!video->has_frame || video->number < number) {
    int code = decode(video);
    if (code < 0) return video->has_frame ? 0 : fail("no frame can be decoded", code);
    video->number = video->has_frame ? video->number + 1 : 0;
    take(video);
  }
  return 0;
}

static double delay(Video *video) {
  double unit = video->jxl ? 0.001 : av_q2d(video->stream->time_base);
  return video->has_frame && video->frame->frame_duration > 0 ? (double)video->frame->frame_duration * unit : 0;
}

static int has_alpha(Video *video) {
  const AVPixFmtDescriptor *format = video->has_frame ? av_pix_fmt_desc_get(video->frame->format) : NULL;
  return format && format->flags & AV_PIX_FMT_FLAG_ALPHA;
}

static VideoColors colors(Video *video) {
  VideoColors colors = {2, 2};
  if (video->has_frame) {
    colors.primaries = video->frame->color_primaries;
    colors.transfer = video->frame->color_trc;
  }
  return colors;
}

/// Returns the coefficients of a frame's colors. If it has none, they follow from its size, as in players.
static const int *coefficients(const AVFrame *frame) {
  int space = frame->colorspace;
  if (space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RGB) space = frame->height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601;
  return sws_getCoefficients(space);
}

static int read_frame(Video *video, int columns, int rows, int row, int is_wide, void *pixels) {
  AVFrame *frame = video->frame;
  if (!video->has_frame) return fail("no frame is decoded", 0);
  enum AVPixelFormat target = is_wide ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA;
  int is_smaller = columns < frame->width || rows < frame->height;
  video->scaler = sws_getCachedContext(video->scaler, frame->width, frame->height, frame->format, columns, rows, target,
                                       is_smaller ? SWS_AREA : SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, NULL, NULL, NULL);
  if (!video->scaler) return fail("the frame's format is not supported", 0);
  int is_full = frame->color_range == AVCOL_RANGE_JPEG;
  sws_setColorspaceDetails(video->scaler, coefficients(frame), is_full, coefficients(frame), 1, 0, 1 << 16, 1 << 16);
  uint8_t *planes[4] = {pixels};
  int strides[4] = {row * (is_wide ? 8 : 4)};
  int code = sws_scale(video->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
  return code < 0 ? fail("the frame can't be scaled", code) : 0;
}

static const char *error(void) { return message; }

static const char *version(void) {
  static char text[32];
  unsigned version = avcodec_version();
  snprintf(text, sizeof text, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
  return text;
}

const VideoPlugin *tintype_video_plugin(void);

const VideoPlugin *tintype_video_plugin(void) {
  static const VideoPlugin plugin = {
      .version = version,
      .open = open_video,
      .close = close_video,
      .width = width,
      .height = height,
      .duration = duration,
      .frame_rate = frame_rate,
      .frames = frames,
      .seek = seek,
      .seek_number = seek_number,
      .delay = delay,
      .has_alpha = has_alpha,
      .time = shown_time,
      .colors = colors,
      .read = read_frame,
      .error = error,
  };
  return &plugin;
}
