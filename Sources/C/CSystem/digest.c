#include "CSystem.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

static int has_sha(void) {
  static int known = -1;
  if (known < 0) {
    unsigned int a, b = 0, c = 0, d;
    int has_vectors = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_SSSE3);
    known = has_vectors && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);
  }
  return known;
}

/// The instructions do two rounds at once. They take the state as ABEF and CDGH (Intel SDM, SHA256RNDS2).
__attribute__((target("sha,sse4.1,ssse3")))
static void add_blocks(uint32_t *state, const uint32_t *constants, const uint8_t *bytes, size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0BLL, 0x0405060700010203LL);
  __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
  for (; count > 0; count--, bytes += 64) {
    __m128i words[4], former_abef = abef, former_cdgh = cdgh;
    for (int i = 0; i < 4; i++)
      words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), big_endian);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      __m128i *word = &words[i % 4], last = words[(i + 3) % 4];
      if (i >= 4) {
        __m128i sum = _mm_add_epi32(
            _mm_sha256msg1_epu32(*word, words[(i + 1) % 4]), _mm_alignr_epi8(last, words[(i + 2) % 4], 4));
        *word = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i sum = _mm_add_epi32(*word, _mm_loadu_si128((const __m128i *)(constants + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, former_abef);
    cdgh = _mm_add_epi32(cdgh, former_cdgh);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

int add_sha256_blocks(uint32_t *state, const uint32_t *constants, const void *blocks, size_t count) {
  if (!has_sha()) return 0;
  add_blocks(state, constants, blocks, count);
  return 1;
}

#else

int add_sha256_blocks(uint32_t *state, const uint32_t *constants, const void *blocks, size_t count) {
  (void)state, (void)constants, (void)blocks, (void)count;
  return 0;
}

#endif
