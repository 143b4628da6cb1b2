//===- Utf8.cpp - code points and their bytes -------------------*- C++ -*-===//
#include "value/Utf8.h"
#include "value/Text.h"

namespace sluice {

unsigned decodeUtf8(const char *p, const char *end, uint32_t &code) {
  auto byte = [&](unsigned i) { return uint32_t(uint8_t(p[i])); };
  uint32_t b = byte(0);
  unsigned n = b < 0x80                ? 1
               : b >= 0xc2 && b < 0xe0 ? 2
               : b >= 0xe0 && b < 0xf0 ? 3
               : b >= 0xf0 && b < 0xf5 ? 4
                                       : 0;
  if (!n || size_t(end - p) < n)
    return 0;
  static constexpr uint32_t masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07},
                            least[] = {0, 0, 0x80, 0x800, 0x10000};
  code = b & masks[n];
  for (unsigned i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : n;
}

char *putUtf8(char *to, uint32_t code) {
  if (code >= 0xd800 && code < 0xe000)
    code = 0xfffd;
  if (code < 0x80) {
    *to++ = char(code);
  } else if (code < 0x800) {
    *to++ = char(0xc0 | code >> 6);
    *to++ = char(0x80 | (code & 63));
  } else if (code < 0x10000) {
    *to++ = char(0xe0 | code >> 12);
    *to++ = char(0x80 | (code >> 6 & 63));
    *to++ = char(0x80 | (code & 63));
  } else {
    *to++ = char(0xf0 | code >> 18);
    *to++ = char(0x80 | (code >> 12 & 63));
    *to++ = char(0x80 | (code >> 6 & 63));
    *to++ = char(0x80 | (code & 63));
  }
  return to;
}

Str repairUtf8(Arena *arena, const Str &text) {
  std::string_view s = viewOf(text);
  const char *p = s.data(), *end = p + s.size();
  uint64_t bad = 0;
  uint32_t code;
  for (const char *at = p; at < end;) {
    unsigned n = decodeUtf8(at, end, code);
    bad += !n;
    at += n ? n : 1;
  }
  if (!bad)
    return text;
  uint64_t size = s.size() + 2 * bad; // three bytes for one
  char *start = static_cast<char *>(arenaAlloc(arena, size, 1)), *to = start;
  while (p < end) {
    unsigned n = decodeUtf8(p, end, code);
    to = putUtf8(to, n ? code : 0xfffd);
    p += n ? n : 1;
  }
  return strView(start, size);
}

} // namespace sluice
