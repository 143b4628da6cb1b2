//===- Posix.h - POSIX extended expressions of the C library ----*- C++ -*-===//
//
// What a character is says the locale that the environment names. Ranges are of code points; only
// those that are not of ASCII go by the order of that locale. Text and patterns of ASCII mean the
// same in each locale, and are matched as bytes, which is several times as fast.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/Library.h"
#include <locale.h>
#include <memory>
#include <regex.h>
#include <string>
#include <vector>

namespace sluice::posix {

/// No byte is NUL, or beyond ASCII.
bool isAscii(std::string_view text);
/// Valid UTF-8 without NUL, and characters are those of UTF-8 in the locale.
bool isUtf8(std::string_view text);
/// How many bytes the character at `at` has, in the locale.
size_t characterAt(const char *text, size_t at, size_t end);

class Pattern {
public:
  explicit Pattern(const std::string &text);

  /// Says what is wrong with the pattern; 0 if nothing is.
  int32_t fails(Ctx *, const std::string &text) const;
  size_t groups() const { return inLocale->regex.re_nsub; }
  /// Finds the first match in [from, to) of `text`, and as many of its groups as `found` has room
  /// for, in offsets of `text`. The part stands alone: ^ matches at its beginning. `ascii`: all of
  /// the text is.
  bool match(const char *text, bool ascii, size_t from, size_t to,
             std::vector<regmatch_t> &found) const;

private:
  /// Compiled for one locale.
  struct Compiled {
    regex_t regex;
    int error;
    explicit Compiled(const std::string &text);
    ~Compiled();
    bool match(const char *text, size_t from, size_t to, std::vector<regmatch_t> &found) const;
  };

  std::unique_ptr<Compiled> inLocale, asBytes;
  locale_t locale = nullptr; // of inLocale
};

} // namespace sluice::posix
