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

constexpr double kPowers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

//===--- numbers of 9 to 16 bytes -------------------------------------------------===//

/// At most 16 digits.
inline bool digits(const char *p, uint64_t n, uint64_t &value) {
  value = 0;
  for (const char *end = p + n; p < end; ++p) {
    auto digit = uint8_t(*p - '0');
    if (digit > 9)
      return false;
    value = value * 10 + digit;
  }
  return true;
}

/// Digits, and a sign where the type has one.
template <typename T> bool integer(const char *p, const char *end, void *to) {
  bool isNegative = T(-1) < T(0) && *p == '-';
  p += isNegative;
  auto n = uint64_t(end - p);
  uint64_t v;
  if (n < 9 || n > 16 || !digits(p, n, v) || v > uint64_t(std::numeric_limits<T>::max()))
    return false;
  store(to, T(isNegative ? 0 - v : v));
  return true;
}

/// Digits with at most one point, and a sign: so few that they and the power of ten are exact, and
/// one division rounds once.
template <typename T> bool decimal(const char *p, const char *end, void *to) {
  constexpr uint64_t kExact = std::numeric_limits<T>::digits10;
  bool isNegative = *p == '-';
  p += isNegative;
  auto n = uint64_t(end - p);
  if (n < 9 || n > 16)
    return false;
  auto *point = static_cast<const char *>(__builtin_memchr(p, '.', n));
  uint64_t whole = point ? uint64_t(point - p) : n, fraction = point ? n - whole - 1 : 0;
  uint64_t before, behind = 0;
  if (!digits(p, whole, before) || (point && !digits(point + 1, fraction, behind)) ||
      fraction > kExact)
    return false;
  uint64_t all = before * uint64_t(kPowers[fraction]) + behind;
  if (all >= uint64_t(kPowers[kExact]))
    return false;
  T value = T(all) / T(kPowers[fraction]);
  store(to, isNegative ? -value : value);
  return true;
}

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
