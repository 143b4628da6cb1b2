//===- PlainFields.h - fields of common forms to values ---------*- C++ -*-===//
//
// A field is [p, end), and kReadable bytes behind it can be read. Each function takes the forms
// that are common, with the value that CsvReader gives, and returns false for all others.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/Value.h"
#include <bit>
#include <limits>

namespace sluice::plain {

static_assert(std::endian::native == std::endian::little, "the first byte of a word is its lowest");

/// The lowest n bytes of a word.
constexpr uint64_t kLowBytes[] = {0,           0xff,         0xffff,         0xffffff,
                                  0xffffffff,  0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
                                  ~uint64_t(0)};
/// The highest bit of byte n.
constexpr uint64_t kByteEnds[] = {0x80,          0x80ULL << 8,  0x80ULL << 16,
                                  0x80ULL << 24, 0x80ULL << 32, 0x80ULL << 40,
                                  0x80ULL << 48, 0x80ULL << 56, 0};
constexpr uint64_t kZeros = '0' * 0x0101010101010101ULL;

//===--- strings ------------------------------------------------------------------===//

/// What is of a string of n bytes in each half of 16 bytes.
struct ShortText {
  uint64_t low[Str::kInline + 1] = {}, high[Str::kInline + 1] = {};
  constexpr ShortText() {
    for (uint32_t n = 0; n <= Str::kInline; ++n) {
      low[n] = kLowBytes[n < 8 ? n : 8];
      high[n] = kLowBytes[n < 8 ? 0 : n - 8];
    }
  }
};
constexpr ShortText kShortText;

/// The bytes as they are.
SLUICE_INLINE void putText(const char *p, uint32_t n, char *to) {
  if (n > Str::kInline)
    return store(to, strView(p, n));
  uint64_t low = load<uint64_t>(p) & kShortText.low[n];
  uint64_t high = load<uint64_t>(p + 8) & kShortText.high[n];
  store<uint64_t>(to, n | low << 32);
  store<uint64_t>(to + 8, low >> 32 | high << 32);
}

/// Whether a string with that first byte is more than its bytes; or what ends an empty one.
constexpr bool isSpecial(uint8_t byte, bool rfc4180) {
  return byte == '"' || (!rfc4180 && (byte == '\'' || byte <= ' '));
}

/// An empty string, or one in quotes with nothing to replace inside.
inline bool specialText(const char *p, uint32_t n, bool rfc4180, char *to) {
  if (!n || !isSpecial(uint8_t(*p), rfc4180)) {
    putText(p, n, to);
    return true;
  }
  bool isQuoted = uint8_t(*p) > ' ' && n > 1 && p[n - 1] == *p;
  if (!isQuoted || __builtin_memchr(p + 1, *p, n - 2) ||
      (!rfc4180 && __builtin_memchr(p + 1, '\\', n - 2)))
    return false;
  putText(p + 1, n - 2, to);
  return true;
}

} // namespace sluice::plain
