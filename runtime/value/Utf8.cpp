//===- Utf8.cpp - code points and their bytes -------------------*- C++ -*-===//
#include "value/Utf8.h"
#include "value/Text.h"

namespace sluice {

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
