//===- wordcount.cpp - W5b by hand, one thread ----------------------------===//
//
// wordcount FILE: maps the file, cuts words (of at most 15 bytes) at spaces and
// ends of lines, and keeps a running count of each; every update goes to the sink.
#include "mapped.h"
#include "words.h"
#ifdef __SSSE3__
#include <immintrin.h>
#endif

using namespace bench;

namespace {
/// Calls `take` for each word of [p, end).
template <class Take> void forEachWord(const char *p, const char *end, Take take) {
#ifdef __SSSE3__
  // Sixteen bytes at once: find the first blank, move the word one byte up to make
  // room for its length, and clear what comes after it.
  const __m128i shift = _mm_set_epi8(14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1);
  const __m128i places = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  while (end - p >= 16) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
    unsigned blanks = unsigned(_mm_movemask_epi8(_mm_cmpgt_epi8(_mm_set1_epi8('!'), bytes)));
    unsigned length = unsigned(__builtin_ctz(blanks | 0x8000));
    __m128i keep = _mm_cmpgt_epi8(_mm_set1_epi8(char(length + 1)), places);
    Word w;
    _mm_storeu_si128(reinterpret_cast<__m128i *>(&w),
                     _mm_and_si128(_mm_shuffle_epi8(bytes, shift), keep));
    w.length = static_cast<unsigned char>(length);
    p += length + 1;
    if (length)
      take(w);
  }
#endif
  while (p < end) {
    Word w = {};
    while (p < end && *p > ' ' && w.length < sizeof w.text)
      w.text[w.length++] = *p++;
    ++p;
    if (w.length)
      take(w);
  }
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: wordcount FILE\n");
    return 2;
  }
  Mapped text(argv[1]);
  Sink sink;
  Counts counts;
  forEachWord(text.begin(), text.end(), [&](const Word &w) {
    sink.sum += counts.add(w);
    ++sink.count;
  });
  sink.print();
  return 0;
}
