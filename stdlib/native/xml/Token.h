//===- Token.h - a token that the parser has got a part of ------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::xml {

/// Expat reads a token that has not ended from its beginning each time that it gets more of it. So
/// a long one is given to it when its end may have come, or when it would at least double: the time
/// is in proportion to its length.
class Token {
public:
  /// Bytes that the parser has got of it; 0: there is no such token.
  uint64_t size() const { return bytes; }
  void clear() { bytes = 0; }
  /// A token begins with these bytes, and does not end in them. `isWide`: it is in UTF-16.
  void begin(std::string_view, bool isWide);
  /// The parser has got more, and the token has still not ended.
  void grow(uint64_t size);
  /// Whether the token may end in these bytes, which follow.
  bool mayEndIn(std::string_view);

private:
  enum class Kind { Unknown, Tag, Comment, Instruction, Other };
  void look(std::string_view start);
  bool scan(std::string_view);
  bool endsTag(std::string_view);
  bool endsWith(std::string_view end, std::string_view bytes);

  uint64_t bytes = 0;
  Kind kind = Kind::Unknown;
  std::string head; // its bytes, while they do not say what it is
  bool isWide = false;
  char quote = 0;        // of a tag: that of the attribute which is open; 0: none is
  char last[2] = {0, 0}; // bytes of it
  bool hasEnded = false; // mayEndIn() said so
};

} // namespace sluice::xml
