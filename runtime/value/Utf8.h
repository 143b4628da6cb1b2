//===- Utf8.h - code points and their bytes ---------------------*- C++ -*-===//
//
// A ustring is valid UTF-8: whatever becomes one goes through repairUtf8().
//
//===----------------------------------------------------------------------===//
#pragma once
#include "base/text/Utf8.h"
#include "memory/Arena.h"
#include "sluice/value.h"

namespace sluice {

/// Writes a code point, a surrogate as the replacement character; returns the end.
char *putUtf8(char *to, uint32_t code);

/// Of valid UTF-8: whether a sequence begins with the byte.
inline bool beginsCodePoint(char byte) { return (byte & 0xc0) != 0x80; }
/// Of valid UTF-8: how many code points it has.
inline uint64_t countCodePoints(const char *p, uint64_t len) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < len; ++i)
    count += beginsCodePoint(p[i]);
  return count;
}
/// Of valid UTF-8: where code point number `at` begins, in bytes; the end if there are not so many.
inline uint64_t offsetOfCodePoint(const char *p, uint64_t len, uint64_t at) {
  for (uint64_t i = 0; i < len; ++i)
    if (beginsCodePoint(p[i]) && at-- == 0)
      return i;
  return len;
}

/// The text with a replacement character for each byte that belongs to no valid sequence. What is
/// not the text itself lies in the arena.
Str repairUtf8(Arena *, const Str &text);

} // namespace sluice
