#pragma once

#include <libavutil/frame.h>

/// The field of a frame that says how long it is shown; FFmpeg 5.1 has another one than later versions.
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
#define frame_duration duration
#else
#define frame_duration pkt_duration
#endif
