#pragma once

// A sanitizer reserves terabytes of addresses, reads /proc, and starts a process that finds the names of functions.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED
#endif
#endif
