//===- Bytes.h - what Boost.Regex asks about bytes --------------*- C++ -*-===//
//
// The traits of boost::regex in the locale C: letters, digits, blanks and line ends are those of
// ASCII, and no byte above 127 is in any class. They do not look at the locale of the process, and
// read numbers without a stream.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/regex/Boost.h"
#include <array>

namespace sluice::perl {

/// What does not depend on whether characters are bytes or code points.
struct CommonTraits {
  using size_type = size_t;
  using locale_type = int; // there is only one
  struct boost_extensions_tag {};

  static locale_type imbue(locale_type locale) { return locale; }
  static locale_type getloc() { return 0; }
  static std::string error_string(boost::regex_constants::error_type error) {
    return boost::BOOST_REGEX_DETAIL_NS::get_default_error_string(error);
  }
  template <typename Char> static size_t length(const Char *text) {
    size_t n = 0;
    while (text[n])
      ++n;
    return n;
  }
  static boost::regex_constants::syntax_type syntax_type(int32_t c) {
    return boost::BOOST_REGEX_DETAIL_NS::get_default_syntax_type(c > 0 && c < 0x7f ? char(c) : 0);
  }
  static boost::regex_constants::escape_syntax_type escape_syntax_type(int32_t c) {
    return c > 0 && c < 0x7f ? boost::BOOST_REGEX_DETAIL_NS::get_default_escape_syntax_type(char(c))
                             : boost::regex_constants::escape_type_identity;
  }
  /// POSIX's name of a character, such as "comma"; empty if there is none.
  static std::string named(const std::string &name) {
    return boost::BOOST_REGEX_DETAIL_NS::lookup_default_collate_name(name);
  }
};

struct Bytes : CommonTraits {
  using char_type = char;
  using string_type = std::string;
  using char_class_type = uint32_t;

  static char translate(char c) { return c; }
  static char translate_nocase(char c) { return tolower(c); }
  static char translate(char c, bool noCase) { return noCase ? tolower(c) : c; }
  static char tolower(char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; }
  static char toupper(char c) { return c >= 'a' && c <= 'z' ? char(c & ~0x20) : c; }
  /// Keys for the order of texts: with all differences, or without that of case.
  static std::string transform(const char *from, const char *to) { return {from, to}; }
  static std::string transform_primary(const char *from, const char *to);
  /// The set of the bytes of a class; 0 if there is none of that name.
  static uint32_t lookup_classname(const char *from, const char *to);
  static std::string lookup_collatename(const char *from, const char *to);
  static bool isctype(char c, uint32_t set) { return setsOf[uint8_t(c)] & set; }
  /// The number at `from`, which moves behind it; -1 if there is none or it is too large.
  static intmax_t toi(const char *&from, const char *to, int radix);
  static int value(char c, int radix);

private:
  static const std::array<uint32_t, 256> setsOf; // the sets that each byte is in
};

} // namespace sluice::perl
