//===- FieldEnds.cpp - where fields end in a text -------------------------===//
//
// 64 bytes at a time become a mask with a bit for each end. On x86-64 that is done by vectors: of
// 16 bytes, which every processor has, or of 32. Elsewhere by words of 8 bytes.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/fields/FieldEnds.h"
#include "stdlib/native/fields/Vectors.h"
#include "value/Value.h"
#include <bit>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice {

namespace {
constexpr uint32_t kGroup = 64;     // bytes of a mask
constexpr uint32_t kBitsAtOnce = 4; // positions that are written without a question
static_assert(kGroup <= kReadable);

/// The ends among kGroup bytes.
struct Masks {
  uint64_t ends, lines;
};
/// The text, and where positions are put.
struct Search {
  const char *text;
  uint32_t size;
  char separator, newline, otherNewline; // what ends a field, and a line
  uint32_t *ends, *lines;
};
} // namespace

/// Without vectors for it.
struct Bits {
  /// Puts `base` + the position of each bit at `to`. Returns behind the last one. What is written
  /// behind that does not count.
  static SLUICE_INLINE uint32_t *put(uint64_t mask, uint32_t base, uint32_t *to) {
    uint32_t *end = to + std::popcount(mask);
    for (; mask; to += kBitsAtOnce)
      for (uint32_t i = 0; i < kBitsAtOnce; ++i, mask &= mask - 1)
        to[i] = base + uint32_t(std::countr_zero(mask));
    return end;
  }
  /// The same of the ends of lines, with their numbers among all ends.
  static SLUICE_INLINE uint32_t *putLines(Masks masks, uint32_t base, uint32_t *to) {
    for (uint64_t lines = masks.lines; lines; lines &= lines - 1)
      *to++ = base + uint32_t(std::popcount(masks.ends & (lines ^ (lines - 1)))) - 1;
    return to;
  }
};

/// `Way`: makes masks of kGroup bytes, and puts positions. Returns how many lines end.
template <typename Way> SLUICE_INLINE uint32_t findByGroups(const Search &in) {
  const Way way(in);
  uint32_t *to = in.ends + 1, *line = in.lines;
  in.ends[0] = ~0u;
  for (uint32_t at = 0; at < in.size; at += kGroup) {
    Masks masks = way.masksOf(in.text + at);
    if (uint32_t left = in.size - at; left < kGroup) {
      masks.ends &= (uint64_t(1) << left) - 1;
      masks.lines &= masks.ends;
    }
    line = way.putLines(masks, uint32_t(to - in.ends), line);
    to = way.put(masks.ends, at, to);
  }
  return uint32_t(line - in.lines);
}

#if defined(__x86_64__)

namespace {
struct By16 : Bits {
  __m128i s, n, r;
  explicit By16(const Search &in)
      : s(_mm_set1_epi8(in.separator)), n(_mm_set1_epi8(in.newline)),
        r(_mm_set1_epi8(in.otherNewline)) {}
  Masks masksOf(const char *p) const {
    Masks masks = {0, 0};
    for (uint32_t part = 0; part < kGroup; part += 16) {
      __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p + part));
      __m128i isLine = _mm_or_si128(_mm_cmpeq_epi8(x, n), _mm_cmpeq_epi8(x, r));
      __m128i isEnd = _mm_or_si128(_mm_cmpeq_epi8(x, s), isLine);
      masks.ends |= uint64_t(uint32_t(_mm_movemask_epi8(isEnd))) << part;
      masks.lines |= uint64_t(uint32_t(_mm_movemask_epi8(isLine))) << part;
    }
    return masks;
  }
};

struct By32 : Bits {
  __m256i s, n, r;
  SLUICE_BY_32 explicit By32(const Search &in)
      : s(_mm256_set1_epi8(in.separator)), n(_mm256_set1_epi8(in.newline)),
        r(_mm256_set1_epi8(in.otherNewline)) {}
  SLUICE_BY_32 Masks masksOf(const char *p) const {
    Masks masks = {0, 0};
    for (uint32_t part = 0; part < kGroup; part += 32) {
      __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p + part));
      __m256i isLine = _mm256_or_si256(_mm256_cmpeq_epi8(x, n), _mm256_cmpeq_epi8(x, r));
      __m256i isEnd = _mm256_or_si256(_mm256_cmpeq_epi8(x, s), isLine);
      masks.ends |= uint64_t(uint32_t(_mm256_movemask_epi8(isEnd))) << part;
      masks.lines |= uint64_t(uint32_t(_mm256_movemask_epi8(isLine))) << part;
    }
    return masks;
  }
};

struct By64 {
  __m512i s, n, r;
  SLUICE_BY_64 explicit By64(const Search &in)
      : s(_mm512_set1_epi8(in.separator)), n(_mm512_set1_epi8(in.newline)),
        r(_mm512_set1_epi8(in.otherNewline)) {}
  SLUICE_BY_64 Masks masksOf(const char *p) const {
    __m512i x = _mm512_loadu_si512(p);
    uint64_t lines = _mm512_cmpeq_epi8_mask(x, n) | _mm512_cmpeq_epi8_mask(x, r);
    return {_mm512_cmpeq_epi8_mask(x, s) | lines, lines};
  }
  SLUICE_BY_64 static uint32_t *put(uint64_t mask, uint32_t base, uint32_t *to) {
    __m512i at =
        _mm512_add_epi32(_mm512_set1_epi32(int(base)),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    for (; mask; mask >>= 16, at = _mm512_add_epi32(at, _mm512_set1_epi32(16))) {
      _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(__mmask16(mask), at));
      to += std::popcount(uint16_t(mask));
    }
    return to;
  }
  SLUICE_BY_64 static uint32_t *putLines(Masks masks, uint32_t base, uint32_t *to) {
    return put(_pext_u64(masks.lines, masks.ends), base, to);
  }
};
} // namespace

SLUICE_BY_32 static uint32_t findBy32(const Search &in) { return findByGroups<By32>(in); }
SLUICE_BY_64 static uint32_t findBy64(const Search &in) { return findByGroups<By64>(in); }

static uint32_t find(const Search &in) {
  return vectorBytes == 64   ? findBy64(in)
         : vectorBytes == 32 ? findBy32(in)
                             : findByGroups<By16>(in);
}

#else

namespace {
struct By8 : Bits {
  static constexpr uint64_t kOnes = 0x0101010101010101;
  uint64_t s, n, r;
  explicit By8(const Search &in)
      : s(kOnes * uint8_t(in.separator)), n(kOnes * uint8_t(in.newline)),
        r(kOnes * uint8_t(in.otherNewline)) {}
  Masks masksOf(const char *p) const {
    Masks masks = {0, 0};
    for (uint32_t part = 0; part < kGroup; part += 8) {
      auto x = load<uint64_t>(p + part);
      uint64_t isLine = bytesThatAre(x, n) | bytesThatAre(x, r);
      masks.ends |= gather(isLine | bytesThatAre(x, s)) << part;
      masks.lines |= gather(isLine) << part;
    }
    return masks;
  }

private:
  /// The lowest bit of each byte that is the one that `eightTimes` holds.
  static uint64_t bytesThatAre(uint64_t word, uint64_t eightTimes) {
    constexpr uint64_t kLow = 0x7f * kOnes;
    uint64_t differs = word ^ eightTimes;
    return ~(((differs & kLow) + kLow) | differs | kLow) >> 7;
  }
  /// Of lowest bits of bytes: a byte of them.
  static uint64_t gather(uint64_t bits) { return bits * 0x0102040810204080 >> 56; }
};
} // namespace

static uint32_t find(const Search &in) { return findByGroups<By8>(in); }

#endif

void FieldEnds::reserve(uint32_t size) {
  ends.resize(1 + size + kGroup);
  lines.resize(size + kGroup);
}

void FieldEnds::find(const char *text, uint32_t size, char separator) {
  lineCount = sluice::find({text, size, separator, '\n', '\r', ends.data(), lines.data()});
}

void FieldEnds::findLines(const char *text, uint32_t size, char end) {
  lineCount = sluice::find({text, size, end, end, end, ends.data(), lines.data()});
}

} // namespace sluice
