//===- FieldEnds.h - where fields end in a text -----------------*- C++ -*-===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// So many bytes behind a text can be read, whatever they are, where its fields are looked for or
/// are read by words.
constexpr size_t kReadable = 64;

/// Where fields and lines end in a text.
struct FieldEnds {
  /// For texts of up to `size` bytes.
  void reserve(uint32_t size);
  /// A line ends at \n and at \r, also where both follow one another.
  void find(const char *text, uint32_t size, char separator);
  /// Each line is one field, and ends at that byte.
  void findLines(const char *text, uint32_t size, char end);

  /// Positions of separators and of the ends of lines. Behind the first, which is -1: what begins
  /// at the text's beginning begins behind it.
  std::vector<uint32_t> ends;
  /// Which of them end lines.
  std::vector<uint32_t> lines;
  uint32_t lineCount = 0;
};

} // namespace sluice
