#pragma once

#include <stddef.h>
#include <stdint.h>

// The functions of FFmpeg's libraries that the worker uses. They are loaded for the first video, since loading them takes
// longer than decoding a photo.

/// An open video.
typedef struct Video Video;

/// The colors of frames by the numbers of Rec. ITU-T H.273, with 2 for unknown ones.
typedef struct VideoColors {
  int primaries;
  int transfer;
} VideoColors;

typedef struct VideoPlugin {
  /// Returns the version of libavcodec, such as "59.37.100".
  const char *(*version)(void);

  /// Opens the first video track of a file with the demuxer of this name, such as "mov", and no other; libjxl reads "jxl", an
  /// animation, whose frames are decoded by their numbers alone. The video has a duplicate of the descriptor. Returns NULL for an error. The caller ends the video with `close`.
  ///
  /// `start` and `end` are the place of the video in the file, in bytes. `threads` is the number of threads that decode.
  Video *(*open)(int descriptor, int64_t start, int64_t end, const char *demuxer, int threads);
  void (*close)(Video *video);

  /// The width of a frame in square pixels, as it is stored, before a rotation.
  int (*width)(Video *video);
  /// The height of a frame in square pixels.
  int (*height)(Video *video);
  /// The duration in seconds, or 0 if it is unknown.
  double (*duration)(Video *video);
  /// The number of frames in a second, or 0 if it is unknown.
  double (*frame_rate)(Video *video);
  /// The number of frames, or 0 if it is unknown.
  int (*frames)(Video *video);

  /// Decodes the frame that is shown at a time in seconds. Unless `is_exact`, a frame shortly before is enough if others would have
  /// to be decoded first. Behind the end, the frame is the last one. Returns 0, or -1 if there is none.
  int (*seek)(Video *video, double time, int is_exact);
  /// Decodes the frame of a number, counted from 0; those before it are decoded first. Behind the end, the frame is the last one. A
  /// video is sought by times or by numbers, but not by both. Returns 0, or -1 if there is none.
  int (*seek_number)(Video *video, int number);
  /// Returns the time for which the decoded frame is shown, in seconds, or 0 if the file does not say.
  double (*delay)(Video *video);
  /// Whether the decoded frame has alpha.
  int (*has_alpha)(Video *video);
  /// The time of the decoded frame in seconds.
  double (*time)(Video *video);
  /// The colors of the decoded frame.
  VideoColors (*colors)(Video *video);
  /// Scales the decoded frame to a size and writes it as RGBA, with 2 bytes a sample if `is_wide`, and else 1. Returns 0, or -1
  /// for an error.
  ///
  /// `row` is the number of pixels from a row to the next one. It must be a multiple of 64, since libswscale writes beyond `width`.
  int (*read)(Video *video, int width, int height, int row, int is_wide, void *pixels);

  /// Returns the error of the last call that failed. The text is valid up to the next call.
  const char *(*error)(void);
} VideoPlugin;

/// The name of the library's function that returns the table. It has no parameters.
#define VIDEO_PLUGIN_ENTRY "tintype_video_plugin"
