#pragma once

#include <stddef.h>
#include <stdint.h>

// The state of ISA-L's compressor is too large a struct for Swift to import.

/// Returns the room that `cisal_deflate` needs for so many bytes.
size_t cisal_deflate_bound(size_t count);

/// Compresses bytes as blocks of deflate (RFC 1951). They end at a whole byte and refer to nothing before them, so that the
/// blocks of several calls can follow each other. Only `is_last` ends the stream.
/// Returns the number of compressed bytes, or 0 if memory is short.
size_t cisal_deflate(const uint8_t *bytes, size_t count, int is_last, uint8_t *compressed, size_t capacity);
