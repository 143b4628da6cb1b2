//===- Digits.cpp - digits of many fields to numbers ----------------------===//
//
// Loops without jumps over words of 64 bits, of which the compiler makes vectors.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/fields/Digits.h"
#include "stdlib/native/fields/Vectors.h"
#include "value/Value.h"
#include <bit>

namespace sluice {

static constexpr uint64_t kOnes = 0x0101010101010101;

/// Two neighbours become one number, three times: of two digits, of four, of eight. The first byte
/// is the highest digit. Multiplication by 10 and 100 is by shifts, as not all processors have one
/// for vectors of such numbers.
SLUICE_INLINE uint64_t eightDigits(uint64_t word) {
  constexpr uint64_t kBytes = 0x00ff00ff00ff00ff, kHalves = 0x0000ffff0000ffff;
  uint64_t high = word & kBytes, low = word >> 8 & kBytes;
  uint64_t twos = (high << 3) + (high << 1) + low;
  high = twos & kHalves, low = twos >> 16 & kHalves;
  uint64_t fours = (high << 6) + (high << 5) + (high << 2) + low;
  return uint64_t(uint32_t(fours)) * 10000 + (fours >> 32);
}

/// Not 0: a byte is above 9.
SLUICE_INLINE uint64_t aboveNine(uint64_t word) {
  return (word | (word + 6 * kOnes)) & 0xf0 * kOnes;
}

SLUICE_INLINE uint64_t digitsOf(Words &w, uint32_t count) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t word = w.word[i];
    any |= w.bad[i] = aboveNine(word);
    w.word[i] = eightDigits(word);
  }
  return any;
}

SLUICE_INLINE uint64_t decimalsOf(Words &w, uint32_t count) {
  constexpr uint64_t kPoint = '.' ^ '0';
  uint64_t any = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t word = w.word[i], differs = word ^ kPoint * kOnes;
    uint64_t ends = ((differs - kOnes) & ~differs & 0x80 * kOnes) | w.behind[i];
    uint64_t end = (ends & (0 - ends)) >> 7, before = end - 1; // the first, and the bytes before it
    uint64_t moved = (word & before) | (word >> 8 & ~before);
    w.behind[i] = end;
    // A point alone is bad, and with it zeros behind a point, which are rare.
    any |= w.bad[i] = aboveNine(moved) | (word == kPoint);
    w.word[i] = eightDigits(moved);
  }
  // What was read has eight digits, as if zeros followed, so many of them before the point. The
  // number and the power are exact, and the division rounds once.
  static constexpr double powers[] = {1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1};
  for (uint32_t i = 0; i < count; ++i)
    w.value[i] = powers[std::countr_zero(w.behind[i]) / 8];
  for (uint32_t i = 0; i < count; ++i)
    w.value[i] = double(int32_t(w.word[i])) / w.value[i];
  return any;
}

/// To a multiple of what any vector holds.
static uint32_t rounded(uint32_t count) { return (count + 7) / 8 * 8; }

SLUICE_BY_32 static uint64_t digitsBy32(Words &w, uint32_t count) { return digitsOf(w, count); }
SLUICE_BY_32 static uint64_t decimalsBy32(Words &w, uint32_t count) { return decimalsOf(w, count); }
SLUICE_BY_64 static uint64_t digitsBy64(Words &w, uint32_t count) { return digitsOf(w, count); }
SLUICE_BY_64 static uint64_t decimalsBy64(Words &w, uint32_t count) { return decimalsOf(w, count); }

uint64_t readDigits(Words &w, uint32_t count) {
  count = rounded(count);
  return vectorBytes == 64   ? digitsBy64(w, count)
         : vectorBytes == 32 ? digitsBy32(w, count)
                             : digitsOf(w, count);
}

uint64_t readDecimals(Words &w, uint32_t count) {
  count = rounded(count);
  return vectorBytes == 64   ? decimalsBy64(w, count)
         : vectorBytes == 32 ? decimalsBy32(w, count)
                             : decimalsOf(w, count);
}

} // namespace sluice
