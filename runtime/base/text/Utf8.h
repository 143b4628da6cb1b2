//===- Utf8.h - code points and their bytes ---------------------*- C++ -*-===//
#pragma once
#include <cstddef>
#include <cstdint>

namespace sluice {

/// The length of the UTF-8 sequence at p (1 to 4) and its code point; 0 if it is not valid.
inline unsigned decodeUtf8(const char *p, const char *end, uint32_t &code) {
  auto byte = [&](unsigned i) { return uint32_t(uint8_t(p[i])); };
  uint32_t b = byte(0);
  unsigned n = b < 0x80                ? 1
               : b >= 0xc2 && b < 0xe0 ? 2
               : b >= 0xe0 && b < 0xf0 ? 3
               : b >= 0xf0 && b < 0xf5 ? 4
                                       : 0;
  if (!n || size_t(end - p) < n)
    return 0;
  constexpr uint32_t masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07}, least[] = {0, 0, 0x80, 0x800, 0x10000};
  code = b & masks[n];
  for (unsigned i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : n;
}

} // namespace sluice
