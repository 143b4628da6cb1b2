//===- Checks.h - whether all of a text is JSON -----------------*- C++ -*-===//
//
// What reads a text passes over what nobody takes; simdjson looks at it only where it has to. This
// looks at all of it, as a text is to be taken as a whole or not at all.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "simdjson/singleheader/simdjson.h"
#include "toolkits/json/native/Reader.h"
#include "toolkits/json/native/Syntax.h"
#include <cstring>

namespace sluice::json {

namespace sj = simdjson::ondemand;

/// Something is in an object or array.
struct Nested {
  explicit Nested(unsigned &depth) : depth(depth) { ++depth; }
  ~Nested() { --depth; }
  unsigned &depth;
};

/// One text, of which a copy with room behind it is parsed. What returns a boolean says by false
/// that the text is bad; then `problem` says why.
class Checks {
protected:
  Checks(std::string_view text, Arena &arena, Problem &problem)
      : text(text), arena(arena), problem(problem) {}

  /// Passes over a value.
  bool check(sj::value);
  /// Passes over a string, and gives its text: a part of `text` if it has no escapes, else in the
  /// arena.
  bool unescaped(sj::value value, std::string_view &result) {
    return unescaped(value, token(value), result);
  }
  bool unescaped(sj::value, std::string_view token, std::string_view &);
  /// The same of a key, which is not passed.
  bool unescapedKey(sj::field &, std::string_view &);

  static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static std::string_view trimmed(std::string_view part) {
    while (!part.empty() && isBlank(part.back()))
      part.remove_suffix(1);
    return part;
  }
  /// The text of a scalar, or the first bracket.
  static std::string_view token(sj::value &value) { return trimmed(value.raw_json_token()); }
  /// A part of the copy as one of the text.
  std::string_view origin(std::string_view part) const {
    return {text.data() + (part.data() - begin), part.size()};
  }

  /// The text is no JSON, or `part` of it is what simdjson says. False.
  bool syntax(simdjson::error_code, std::string_view part = {});
  /// `part` begins in the text or in its copy. False.
  bool bad(std::string_view part, std::string what);

  std::string_view text;
  Arena &arena;
  Problem &problem;
  const char *begin = nullptr; // of the copy
  unsigned depth = 0;          // objects and arrays around what is read

private:
  bool isTooDeep(std::string_view here);
  bool checkMembers(sj::object, std::string_view here);
  bool checkElements(sj::array, std::string_view here);
  bool unescapedSlow(sj::value, std::string_view here, std::string_view &);
  std::string_view kept(std::string_view);
};

inline bool Checks::unescaped(sj::value value, std::string_view here, std::string_view &result) {
  if (here.size() < 2 || here.back() != '"')
    return syntax(simdjson::STRING_ERROR);
  here = here.substr(1, here.size() - 2);
  if (!here.empty() && memchr(here.data(), '\\', here.size()))
    return unescapedSlow(value, here, result);
  sj::raw_json_string passed; // what stays where it is may be taken for a key
  if (auto error = value.get_raw_json_string().get(passed))
    return syntax(error, here);
  result = origin(here);
  return true;
}

} // namespace sluice::json
