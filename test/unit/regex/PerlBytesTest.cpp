//===- PerlBytesTest.cpp - patterns of Perl, beside Boost's own -*- C++ -*-===//
//
// Our traits of bytes have to give what boost::regex gives in the locale C.
//
//===----------------------------------------------------------------------===//
#define BOOST_REGEX_STANDALONE
#include "../value/Types.h"
#include "stdlib/native/regex/Boost.h"
#include <boost/regex.hpp>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

extern "C" {
int32_t sl_regexMatchPerl_rr(Ctx *, Seq *, const Str *, const Str *);
int32_t sl_regexReplacePerl_rrrb(Ctx *, Str *, const Str *, const Str *, const Str *, uint8_t);
}

namespace {

std::string allBytes() {
  std::string text;
  for (int c = 1; c < 256; ++c)
    text += char(c);
  return text;
}

struct PerlBytes : testing::Test {
  World w;

  std::string ours(const std::string &text, const std::string &pattern, const std::string &by) {
    Str s = strView(text.data(), text.size()), p = strView(pattern.data(), pattern.size()),
        b = strView(by.data(), by.size()), r;
    return sl_regexReplacePerl_rrrb(w, &r, &s, &p, &b, 1) ? "fails" : std::string(viewOf(r));
  }
  static std::string boosts(const std::string &text, const std::string &pattern,
                            const std::string &by) {
    try {
      boost::regex regex(pattern, boost::regex::perl);
      return boost::regex_replace(text, regex, by, boost::format_all);
    } catch (const boost::regex_error &) {
      return "fails";
    }
  }
  void same(const std::string &text, const std::string &pattern, const std::string &by) {
    EXPECT_EQ(ours(text, pattern, by), boosts(text, pattern, by)) << pattern << " by " << by;
  }
  bool matches(const std::string &text, const std::string &pattern) {
    Str s = strView(text.data(), text.size()), p = strView(pattern.data(), pattern.size());
    Seq r;
    return !sl_regexMatchPerl_rr(w, &r, &s, &p);
  }
};

} // namespace

TEST_F(PerlBytes, Classes) {
  for (const char *name :
       {"alnum", "alpha", "blank", "cntrl",  "d",     "digit",   "graph", "h",
        "l",     "lower", "print", "punct",  "s",     "space",   "u",     "upper",
        "v",     "w",     "word",  "xdigit", "UPPER", "unicode", "none",  ""}) {
    same(allBytes(), "[[:" + std::string(name) + ":]]", "");
    same(allBytes(), "[^[:" + std::string(name) + ":]]", "");
    same(allBytes(), "\\p{" + std::string(name) + "}", "");
    same(allBytes(), "(?i)[[:" + std::string(name) + ":]]", "");
  }
}

TEST_F(PerlBytes, EachByteAlone) {
  for (int c = 1; c < 256; ++c) {
    std::string byte(1, char(c));
    same(allBytes(), byte, "");
    same(allBytes(), "\\" + byte, "");
    same(allBytes(), "(?i)" + byte, "");
    same(allBytes(), "[" + byte + "]", "");
    same(allBytes(), "[\\" + byte + "]", "");
    same(allBytes(), "[[=" + byte + "=]]", "");
    same(allBytes(), "[[." + byte + ".]-\\x7f]", "");
    same("abc", "(b)" + byte + "?", "");
    same("abcabc", "(b)(?<n>c)?", byte);
    same("abcabc", "(b)(?<n>c)?", "\\" + byte + "1");
    same("abcabc", "(b)(?<n>c)?", "$" + byte + "1}");
    same("abcabc", "(b)(?<n>c)?", "${" + byte + "1}");
    same("abcabc", "(b)(?<n>c)?", "\\x" + byte + "1");
  }
}

TEST_F(PerlBytes, NamesOfCharacters) {
  for (const char *name : {"comma", "hyphen", "newline", "tab", "NUL", "ae", "zero", "Z", "none"})
    same(allBytes(), "[[." + std::string(name) + ".]]", "");
}

TEST_F(PerlBytes, EndlessSearchesFail) {
  std::string text(20000, 'a');
  EXPECT_FALSE(matches(text + "c", "^(a|aa)+$"));
  EXPECT_FALSE(matches(text + "c", "(a+)+$"));
  EXPECT_FALSE(matches(text, "(.|..)+$c"));
  EXPECT_TRUE(matches(text, "b"));
  EXPECT_TRUE(matches(text, "a.*a$"));
  // A long text is no reason to fail, but what a search could go back to may not take more than 4
  // MB.
  std::string big(4 << 20, 'a');
  EXPECT_TRUE(matches(big, "^a*$"));
  EXPECT_FALSE(matches(big, "^(?:a|ab)*$"));
}

TEST_F(PerlBytes, StatesThatPassManyCharacters) {
  // Each of a million places passes all that follows, which no count of states shows.
  std::string text;
  for (int i = 0; i < 500000; ++i)
    text += "ab";
  EXPECT_FALSE(matches(text, "a(?>[ab]*)c"));
  // The searches of one replacement count together.
  EXPECT_EQ(ours(text, "a(?=[ab]*$)", "x"), "fails");
  EXPECT_EQ(ours(text.substr(0, 1000), "a(?=[ab]*$)", "x").substr(0, 4), "xbxb");
}
