#pragma once

#include <exempi-2.0/exempi/xmp.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Prepares libexempi and silences it. Call it once, before any other function. Returns whether it succeeded.
///
/// libexempi writes its errors to std::cerr, which would appear on the gallery's screen. No other part of the program uses
/// that stream.
bool cexempi_initialize(void);

#ifdef __cplusplus
}
#endif
