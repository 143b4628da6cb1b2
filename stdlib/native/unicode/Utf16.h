//===- Utf16.h - UTF-16, which ICU takes and gives --------------*- C++ -*-===//
#pragma once
#include "value/Utf8.h"
#include <string>
#include <string_view>

namespace sluice {

/// The units of a valid UTF-8 text.
inline std::u16string unitsOf(std::string_view text) {
  const char *p = text.data(), *end = p + text.size();
  std::u16string units;
  units.reserve(text.size());
  for (uint32_t code; p < end;) {
    unsigned n = decodeUtf8(p, end, code);
    p += n ? n : 1;
    if (code >= 0x10000) {
      units += char16_t(0xd800 + ((code - 0x10000) >> 10));
      code = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    units += char16_t(code);
  }
  return units;
}

/// The most bytes of UTF-8 that a unit takes.
constexpr size_t kBytesOfUnit = 3;

/// Writes units as UTF-8; returns the end. There is room for kBytesOfUnit of each.
inline char *putUnits(char *to, std::u16string_view units) {
  for (size_t i = 0; i < units.size(); ++i) {
    uint32_t code = units[i];
    bool isPair = code >= 0xd800 && code < 0xdc00 && i + 1 < units.size();
    if (isPair)
      code = 0x10000 + ((code - 0xd800) << 10) + (units[++i] - 0xdc00);
    to = putUtf8(to, code);
  }
  return to;
}

} // namespace sluice
