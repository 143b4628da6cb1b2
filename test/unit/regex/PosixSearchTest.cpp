//===- PosixSearchTest.cpp - POSIX matches, beside those of regexec -------===//
#include "stdlib/native/regex/PosixSearch.h"
#include <gtest/gtest.h>
#include <locale.h>
#include <random>
#include <string>

using namespace sluice;
using posix::Alphabet;

namespace {

struct Random {
  std::mt19937 bits{53};
  size_t below(size_t n) { return bits() % n; }
  template <size_t N> std::string oneOf(const char *const (&some)[N]) { return some[below(N)]; }

  std::string piece(Alphabet alphabet) {
    if (alphabet == Alphabet::Ascii)
      return oneOf({"a", "b", "c", ".", "[ab]", "[^a]", "[[:alpha:]]", "[b-c]"});
    return oneOf(
        {"a", "é", "日", ".", "[aé]", "[^a]", "[^é]", "[aêé日]", "[b-z]", "[^a-z😀]", "b"});
  }
  std::string pattern(Alphabet alphabet, int depth) {
    std::string made;
    for (size_t branch = 0, branches = below(4) ? 1 : 3; branch < branches; ++branch) {
      made += branch ? "|" : "";
      for (size_t pieces = 1 + below(4); pieces; --pieces)
        if (depth && !below(3))
          made += "(" + pattern(alphabet, depth - 1) + ")" + oneOf({"", "", "?"});
        else
          made += piece(alphabet) + oneOf({"", "", "", "*", "+", "?", "{1,2}", "{2}", "{0,}"});
    }
    return made;
  }
  std::string text(Alphabet alphabet) {
    std::string made;
    for (size_t length = below(9); length; --length)
      made += alphabet == Alphabet::Ascii ? oneOf({"a", "b", "c"})
                                          : oneOf({"a", "b", "é", "ê", "日", "😀", "😁"});
    return made;
  }
};

/// What the C library finds in the locale.
struct Library {
  locale_t locale, before;
  regex_t compiled;
  Library(const std::string &pattern, Alphabet alphabet)
      : locale(newlocale(LC_CTYPE_MASK, alphabet == Alphabet::Ascii ? "C" : "C.UTF-8", nullptr)),
        before(uselocale(locale)) {
    EXPECT_EQ(regcomp(&compiled, pattern.c_str(), REG_EXTENDED), 0) << pattern;
    uselocale(before);
  }
  ~Library() {
    regfree(&compiled);
    freelocale(locale);
  }
  /// The offsets of the match and its groups.
  std::string found(const std::string &text) {
    uselocale(locale);
    std::vector<regmatch_t> groups(compiled.re_nsub + 1);
    int failed = regexec(&compiled, text.c_str(), groups.size(), groups.data(), 0);
    uselocale(before);
    return failed ? "none" : shown(groups);
  }
  static std::string shown(const std::vector<regmatch_t> &groups) {
    std::string text;
    for (const regmatch_t &g : groups)
      text += " " + std::to_string(g.rm_so) + "-" + std::to_string(g.rm_eo);
    return text;
  }
};

std::string foundBy(const posix::Search &search, const std::string &text, size_t groups) {
  std::vector<regmatch_t> found(groups + 1);
  switch (search.match(text.data(), 0, text.size(), found)) {
  case posix::Search::None:
    return "none";
  case posix::Search::Found:
    return Library::shown(found);
  case posix::Search::Unknown:
    return "unknown";
  }
  return "";
}

/// Compares random patterns in random texts. Few of them take so long that no answer is given.
void compare(Alphabet alphabet, int patterns) {
  Random random;
  int tried = 0, unknown = 0;
  for (int i = 0; i < patterns; ++i) {
    std::string pattern = random.pattern(alphabet, 2);
    pattern = random.oneOf({"", "", "^"}) + pattern + random.oneOf({"", "", "$"});
    auto search = posix::Search::of(pattern, alphabet);
    if (!search)
      continue;
    Library library(pattern, alphabet);
    for (int k = 0; k < 8; ++k, ++tried) {
      std::string text = random.text(alphabet);
      std::string found = foundBy(*search, text, library.compiled.re_nsub);
      if (found == "unknown")
        ++unknown;
      else
        EXPECT_EQ(found, library.found(text)) << pattern << " in " << text;
    }
  }
  EXPECT_GT(tried, 10000);
  EXPECT_LT(unknown, tried / 100);
}

void compareParts(const char *pattern, const std::string &text, Alphabet alphabet) {
  auto search = posix::Search::of(pattern, alphabet);
  ASSERT_NE(search, nullptr) << pattern;
  Library library(pattern, alphabet);
  for (size_t from = 0; from < text.size(); ++from) {
    if ((text[from] & 0xc0) == 0x80)
      continue;
    std::string part = text.substr(from);
    EXPECT_EQ(foundBy(*search, part, library.compiled.re_nsub), library.found(part))
        << pattern << " in " << part;
  }
}

} // namespace

TEST(PosixSearch, OfAscii) { compare(Alphabet::Ascii, 3000); }
TEST(PosixSearch, OfUtf8) { compare(Alphabet::Utf8, 3000); }

TEST(PosixSearch, OfPatternsThatPerlReadsOtherwise) {
  for (const char *pattern :
       {"(a)\\1",      "(a|b)*",          "(a)+",    "(a){2}",    "(^a)b",  "(a$)|b",
        "^(a)|b",      "(a)\\w",          "\\<(a)",  "(a)()",     "(a|)",   "(a)**",
        "*(a)",        "(a){,2}",         "(a){2,}", "([[=a=]])", "(a){x}", "(a",
        "([a-[.b.]])", "[[:nosuch:]](a)", "(a)\\",   "[b-a](a)"})
    for (Alphabet alphabet : {Alphabet::Ascii, Alphabet::Utf8})
      EXPECT_EQ(posix::Search::of(pattern, alphabet), nullptr) << pattern;
  EXPECT_EQ(posix::Search::of("(é)", Alphabet::Ascii), nullptr);
  EXPECT_EQ(posix::Search::of("([[:alpha:]])", Alphabet::Utf8), nullptr);
  EXPECT_EQ(posix::Search::of("([a-é])", Alphabet::Utf8), nullptr);
}

TEST(PosixSearch, OfPatternsOfLogs) {
  for (const char *pattern :
       {"^([0-9.]+) ([^ ]+) \\[([^]]+)\\] \"([^\"]*)\"$", "([]a^-]+)([^]]*)", "(\\.[a-z]+)?$",
        "(\\$[0-9]{1,3})(,[0-9]{3})?", "([[^-]+)(.)", "(.*)=(.*)"})
    for (Alphabet alphabet : {Alphabet::Ascii, Alphabet::Utf8})
      compareParts(pattern, "10.0.0.1 x [no-w] \"q^\" a_1 = $12,345.txt", alphabet);
  compareParts("([[:alpha:]_][[:alnum:]_]*) *= *(.*)", "x [1] _a1 = $12,3", Alphabet::Ascii);
  for (const char *pattern :
       {"([^=]*)=(.*)$", "^(.)(.)", "([éÿ]+)(.?)", "([^ é])(é)", "(日|😀){0,1}.$"})
    if (posix::Search::of(pattern, Alphabet::Utf8))
      compareParts(pattern, "clé=été 日本 ÿ😀é=", Alphabet::Utf8);
}
