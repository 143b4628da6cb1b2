//===- PosixTranslation.h - POSIX patterns, for bytes and in Perl's syntax ===//
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace sluice::posix {

/// What a text, and what a pattern is of: bytes from 1 to 127, or valid UTF-8 without NUL.
enum class Alphabet { Ascii, Utf8 };

struct Translation {
  /// Matches the bytes of a text as the pattern matches its characters, in the locale C; its groups
  /// are other ones.
  std::string whole;
  /// Of Perl's syntax, for bytes, with the pattern's groups: matches what it matches if that is all
  /// of a text; or, if `endsAtEnd`, finds the same as the pattern.
  std::string perl;
  /// All matches end where the text does, so that the first one is the longest.
  bool endsAtEnd = false;
};

/// Nothing if the pattern is of another alphabet, or if its groups may differ from Perl's.
std::optional<Translation> translate(std::string_view pattern, Alphabet);

} // namespace sluice::posix
