//===- Words.cpp - text that comes from outside, in messages ---------------===//
#include "runtime/base/text/Words.h"
#include <cstdio>

namespace sluice {

/// How many bytes the character of UTF-8 has that `text` begins with; 0 if there is none, or if it
/// is a control character.
static size_t characterOf(std::string_view text) {
  auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80)
    return first >= ' ' && first != 0x7f;
  size_t size = first >= 0xf0 && first <= 0xf4   ? 4
                : first >= 0xe0 && first < 0xf0  ? 3
                : first >= 0xc2 && first <= 0xdf ? 2
                                                 : 0;
  if (size > text.size())
    return 0;
  for (size_t i = 1; i < size; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
      return 0;
  bool isControl = first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
  return isControl ? 0 : size;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (size_t size = characterOf(text)) {
      result += text.substr(0, size);
      text.remove_prefix(size);
      continue;
    }
    char hex[8];
    snprintf(hex, sizeof hex, "\\x%02x", unsigned(static_cast<unsigned char>(text[0])));
    result += hex;
    text.remove_prefix(1);
  }
  return result;
}

} // namespace sluice
