//===- Characters.h - what Boost.Regex asks about characters ----*- C++ -*-===//
//
// The traits of boost::u32regex, on ICU's C functions, which are found at run time (Icu.h). Names
// and properties are those of Boost's own icu_regex_traits, which links with one release of ICU.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/regex/Bytes.h"
#include "stdlib/native/unicode/Icu.h"

namespace sluice::perl {

/// Exists only where ICU does.
struct Characters : CommonTraits {
  using char_type = int32_t;                        // a code point
  using string_type = std::basic_string<char_type>; // no memory for a single one
  using char_class_type = uint64_t;

  static char_type translate(char_type c) { return c; }
  static char_type translate_nocase(char_type c) { return icu()->u_foldCase(c, 0); }
  static char_type translate(char_type c, bool noCase) { return noCase ? translate_nocase(c) : c; }
  static char_type tolower(char_type c) { return icu()->u_tolower(c); }
  static char_type toupper(char_type c) { return icu()->u_toupper(c); }
  /// Keys for the order of texts: with all differences, or with those of letters only.
  static string_type transform(const char_type *from, const char_type *to);
  static string_type transform_primary(const char_type *from, const char_type *to);
  /// The set of the characters of a class or property; 0 if there is none of that name.
  static char_class_type lookup_classname(const char_type *from, const char_type *to);
  static string_type lookup_collatename(const char_type *from, const char_type *to);
  static bool isctype(char_type, char_class_type);
  /// The number at `from`, which moves behind it; -1 if there is none or it is too large.
  static intmax_t toi(const char_type *&from, const char_type *to, int radix);
  static int value(char_type c, int radix) { return icu()->u_digit(c, int8_t(radix)); }
};

} // namespace sluice::perl
