//===- PosixSearch.h - POSIX matches by bytes, and their groups -*- C++ -*-===//
//
// The C library finds fast what a pattern matches in bytes, but takes several times as long in
// characters of UTF-8, and many times as long to say what its groups match. Of the ways to match a
// text as a whole it takes the one that Perl would try first, so a search of Perl's kind, which has
// to end where the match does, gives the same groups.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/regex/PosixTranslation.h"
#include <memory>
#include <regex.h>
#include <vector>

namespace sluice::posix {

class Search {
public:
  enum Result { None, Found, Unknown };

  /// Of texts of the alphabet; null if the pattern is not one that translate() knows.
  static std::unique_ptr<Search> of(std::string_view pattern, Alphabet);
  virtual ~Search() = default;
  /// As Pattern::match, in a text of the alphabet. Unknown if the groups take too long.
  virtual Result match(const char *text, size_t from, size_t to,
                       std::vector<regmatch_t> &found) const = 0;
};

} // namespace sluice::posix
