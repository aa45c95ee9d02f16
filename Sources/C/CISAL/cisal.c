#include "CISAL.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

// ISA-L's levels 2 and 3 save 1 to 2 % more of a photo.
static const int level = 1;
static const size_t buffer_size = ISAL_DEF_LVL1_DEFAULT;

size_t cisal_deflate_bound(size_t count) { return count + count / 32 + 4096; }

size_t cisal_deflate(const uint8_t *bytes, size_t count, int is_last, uint8_t *compressed, size_t capacity) {
  struct isal_zstream *stream = malloc(sizeof *stream);
  uint8_t *buffer = malloc(buffer_size);
  size_t result = 0;
  if (stream && buffer) {
    isal_deflate_init(stream);
    stream->level = level;
    stream->level_buf = buffer;
    stream->level_buf_size = buffer_size;
    stream->flush = FULL_FLUSH;
    stream->end_of_stream = is_last;
    stream->next_in = (uint8_t *)bytes;
    stream->avail_in = count;
    stream->next_out = compressed;
    stream->avail_out = capacity;
    // With room left, the compressor has ended the last block.
    if (isal_deflate(stream) == COMP_OK && stream->avail_in == 0 && stream->avail_out > 0) result = stream->total_out;
  }
  free(buffer);
  free(stream);
  return result;
}
