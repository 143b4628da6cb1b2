//===- PosixGroupsTest.cpp - groups of POSIX matches, beside regexec ------===//
#include "stdlib/native/regex/PosixGroups.h"
#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace sluice;

namespace {

struct Random {
  std::mt19937 bits{53};
  size_t below(size_t n) { return bits() % n; }
  template <size_t N> const char *oneOf(const char *const (&some)[N]) { return some[below(N)]; }

  std::string pattern(int depth) {
    std::string made;
    for (size_t branch = 0, branches = below(4) ? 1 : 3; branch < branches; ++branch) {
      made += branch ? "|" : "";
      for (size_t piece = 0, pieces = 1 + below(4); piece < pieces; ++piece)
        if (depth && !below(3))
          made += "(" + pattern(depth - 1) + ")" + oneOf({"", "", "?"});
        else
          made += oneOf({"a", "b", "c", ".", "[ab]", "[^a]", "[[:alpha:]]", "[b-c]"}) +
                  std::string(oneOf({"", "", "", "*", "+", "?", "{1,2}", "{2}", "{0,}"}));
    }
    return made;
  }
  std::string text() {
    std::string made(below(10), 'a');
    for (char &c : made)
      c = "abc"[below(3)];
    return made;
  }
};

std::string shown(const std::vector<regmatch_t> &groups) {
  std::string text;
  for (const regmatch_t &g : groups)
    text += " " + std::to_string(g.rm_so) + "-" + std::to_string(g.rm_eo);
  return text;
}

void sameGroups(const std::string &pattern, const std::string &text, const posix::Groups &finder,
                const regex_t &compiled) {
  std::vector<regmatch_t> right(compiled.re_nsub + 1), found = right;
  if (regexec(&compiled, text.c_str(), right.size(), right.data(), 0))
    return;
  found[0] = right[0];
  ASSERT_TRUE(finder.find(text.c_str(), found)) << pattern << " in " << text;
  EXPECT_EQ(shown(found), shown(right)) << pattern << " in " << text;
}

} // namespace

TEST(PosixGroups, AreThoseOfTheCLibrary) {
  Random random;
  int tried = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string pattern = random.pattern(2);
    pattern = random.oneOf({"", "", "^"}) + pattern + random.oneOf({"", "", "$"});
    auto finder = posix::Groups::of(pattern);
    if (!finder)
      continue;
    regex_t compiled;
    ASSERT_EQ(regcomp(&compiled, pattern.c_str(), REG_EXTENDED), 0) << pattern;
    for (int k = 0; k < 8; ++k, ++tried)
      sameGroups(pattern, random.text(), *finder, compiled);
    regfree(&compiled);
  }
  EXPECT_GT(tried, 10000);
}

TEST(PosixGroups, OfPatternsThatPerlReadsOtherwise) {
  const char *other[] = {"(a)\\1",    "(a|b)*", "(a)+",   "(a){2}",     "(^a)b",
                         "(a$)|b",    "^(a)|b", "(a)\\w", "\\<(a)",     "(a)()",
                         "(a|)",      "(a)**",  "*(a)",   "(a){,2}",    "(a){2,}",
                         "([[=a=]])", "(a){x}", "(a",     "([a-[.b.]])"};
  for (const char *pattern : other)
    EXPECT_EQ(posix::Groups::of(pattern), nullptr) << pattern;
  const char *known[] = {"^([0-9.]+) ([^ ]+) \\[([^]]+)\\] \"([^\"]*)\"$", "([]a^-]+)([^]]*)",
                         "(\\.[a-z]+)?$", "([[:alpha:]_][[:alnum:]_]*) *= *(.*)",
                         "(\\$[0-9]{1,3})(,[0-9]{3})?"};
  std::string text = "10.0.0.1 x [now] \"q\" a_1 = $12,345.txt";
  for (const char *pattern : known) {
    auto finder = posix::Groups::of(pattern);
    ASSERT_NE(finder, nullptr) << pattern;
    regex_t compiled;
    ASSERT_EQ(regcomp(&compiled, pattern, REG_EXTENDED), 0);
    for (size_t from = 0; from < text.size(); ++from)
      sameGroups(pattern, text.substr(from), *finder, compiled);
    regfree(&compiled);
  }
}
