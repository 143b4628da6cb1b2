//===- PosixGroups.h - groups of POSIX matches, by Boost.Regex --*- C++ -*-===//
//
// The C library finds fast what a pattern matches, but takes many times as long to say what its
// groups match. Of the ways to match a text as a whole it takes the one that Perl would try first,
// so a search of Perl's kind, which has to end where the match does, gives the same groups. That
// holds for patterns without back references and without groups that are matched several times.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <memory>
#include <regex.h>
#include <string_view>
#include <vector>

namespace sluice::posix {

class Groups {
public:
  /// Null if the pattern may differ from Perl's.
  static std::unique_ptr<Groups> of(std::string_view pattern);
  virtual ~Groups() = default;
  /// Sets groups[1] and following, in offsets of `text`, where groups[0] was matched. All of the
  /// match is ASCII, without NUL. False if that takes too long.
  virtual bool find(const char *text, std::vector<regmatch_t> &groups) const = 0;
};

} // namespace sluice::posix
