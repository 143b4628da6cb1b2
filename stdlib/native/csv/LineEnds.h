//===- LineEnds.h - where lines end in a text -------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string_view>

namespace sluice {

/// Whether one of \n, \r\n and \r ends at `at`.
inline bool endsLine(std::string_view text, size_t at) {
  return text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'));
}

inline uint64_t countLineEnds(std::string_view text) {
  uint64_t count = 0;
  for (size_t i = 0; i < text.size(); ++i)
    count += endsLine(text, i);
  return count;
}

/// The position behind the last line end before `at`, or 0.
inline size_t lineBegin(std::string_view text, size_t at) {
  while (at && !endsLine(text, at - 1))
    --at;
  return at;
}

} // namespace sluice
