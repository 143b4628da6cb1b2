//===- StringFunctionsTest.cpp - spl.string ---------------------*- C++ -*-===//
#include "Functions.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

struct Strings : testing::Test {
  World w;
  TypeDesc strings = listOf(&rstring);

  std::string substring(const char *s, int from, int length) {
    Str v = str(s), r;
    return sl_substring_rii(w, &r, &v, from, length) ? "throws" : std::string(viewOf(r));
  }
  template <typename F> std::string two(F f, const char *a, const char *b) {
    Str x = str(a), y = str(b), r;
    f(w, &r, &x, &y);
    return std::string(viewOf(r));
  }
  template <typename F> int find(F f, const char *a, const char *b, int from) {
    Str x = str(a), y = str(b);
    int32_t r;
    f(w, &r, &x, &y, from);
    return r;
  }
  std::string tokens(const char *s, const char *delims, bool keep) {
    Str x = str(s), y = str(delims);
    Seq r;
    sl_tokenize_rrb(w, &r, &x, &y, keep);
    return text(&strings, &r);
  }
  std::string match(const char *s, const char *pattern) {
    Str x = str(s), y = str(pattern);
    Seq r;
    return sl_regexMatch_rr(w, &r, &x, &y) ? "throws" : text(&strings, &r);
  }
  std::string replace(const char *s, const char *pattern, const char *by, bool global = true) {
    Str x = str(s), y = str(pattern), z = str(by), r;
    return sl_regexReplace_rrrb(w, &r, &x, &y, &z, global) ? "throws" : std::string(viewOf(r));
  }
};

TEST_F(Strings, Substring) {
  EXPECT_EQ(substring("abcdef", 2, 3), "cde");
  EXPECT_EQ(substring("abcdef", 4, 100), "ef");
  EXPECT_EQ(substring("abcdef", 6, 1), "");
  EXPECT_EQ(substring("abcdef", 7, 1), "throws");
  EXPECT_EQ(substring("abcdef", -2, 4), "ab");
  EXPECT_EQ(substring("abcdef", -2, 1), "");
  EXPECT_EQ(substring("abcdef", 2, -1), "");
  EXPECT_EQ(substring("abcdef", INT32_MIN, INT32_MAX), "");
}

TEST_F(Strings, TokensAtEveryPosition) {
  // Sixteen bytes are searched at once: around that, with a blank at each place.
  for (size_t length = 1; length < 40; ++length)
    for (size_t at = 0; at < length; ++at) {
      std::string line(length, 'x');
      line[at] = ' ';
      std::string left(at, 'x'), right(length - at - 1, 'x');
      EXPECT_EQ(tokens(line.c_str(), " ", true), "[\"" + left + "\",\"" + right + "\"]");
    }
  EXPECT_EQ(tokens("                 ", " ", false), "[]");
}

TEST_F(Strings, CaseAndTrim) {
  Str s = str("h\u00c9llo, a text that is not inline"), r;
  sl_upper_r(w, &r, &s);
  EXPECT_EQ(viewOf(r), "H\u00c9LLO, A TEXT THAT IS NOT INLINE");
  sl_lower_r(w, &r, &r);
  EXPECT_EQ(viewOf(r), "h\u00c9llo, a text that is not inline");
  EXPECT_EQ(two(sl_trim_rr, "xyxaxyx", "xy"), "a");
  EXPECT_EQ(two(sl_trim_rr, "xxxx", "x"), "");
  EXPECT_EQ(two(sl_trim_rr, " a ", ""), " a ");
  EXPECT_EQ(two(sl_ltrim_rr, "  a  ", " "), "a  ");
  EXPECT_EQ(two(sl_rtrim_rr, "  a  ", " "), "  a");
}

TEST_F(Strings, Find) {
  EXPECT_EQ(find(sl_findFirst_rri, "hello", "l", 0), 2);
  EXPECT_EQ(find(sl_findFirst_rri, "hello", "l", 4), -1);
  EXPECT_EQ(find(sl_findFirst_rri, "hello", "llo", 0), 2);
  EXPECT_EQ(find(sl_findFirst_rri, "hello", "", 0), 0);
  EXPECT_EQ(find(sl_findFirst_rri, "", "", 0), 0);
  EXPECT_EQ(find(sl_findFirst_rri, "hello", "hello!", 0), -1);
  EXPECT_EQ(find(sl_findFirst_rri, "abcd", "d", 99), -1);
  EXPECT_EQ(find(sl_findFirst_rri, "abcd", "a", -1), 0);
  EXPECT_EQ(find(sl_findLast_rri, "hello", "l", 4), 3);
  EXPECT_EQ(find(sl_findLast_rri, "hello", "l", 2), 2);
  EXPECT_EQ(find(sl_findLast_rri, "abcd", "d", 99), 3);
  EXPECT_EQ(find(sl_findLast_rri, "abcd", "d", -1), -1);
  EXPECT_EQ(find(sl_findFirstOf_rri, "hello", "ol", 4), 4);
  EXPECT_EQ(find(sl_findFirstOf_rri, "hello", "", 0), -1);
  EXPECT_EQ(find(sl_findLastOf_rri, "hello", "el", 4), 3);
  EXPECT_EQ(find(sl_findFirstNotOf_rri, "hello", "he", 0), 2);
  EXPECT_EQ(find(sl_findFirstNotOf_rri, "abcd", "a", -1), 1);
  EXPECT_EQ(find(sl_findLastNotOf_rri, "hello", "lo", 4), 1);
  EXPECT_EQ(find(sl_findLastNotOf_rri, "abcd", "d", 99), 2);
}

TEST_F(Strings, Tokenize) {
  EXPECT_EQ(tokens(",a,,b,", ",", false), R"(["a","b"])");
  EXPECT_EQ(tokens(",a,,b,", ",", true), R"(["","a","","b",""])");
  EXPECT_EQ(tokens("a,b;c d", ", ;", false), R"(["a","b","c","d"])");
  EXPECT_EQ(tokens("", ",", false), "[]");
  EXPECT_EQ(tokens("", ",", true), R"([""])");
  EXPECT_EQ(tokens("abc", "", true), R"(["abc"])");
  EXPECT_EQ(tokens("1,2,3,4,5,6,7,8,9,10", ",", true),
            R"(["1","2","3","4","5","6","7","8","9","10"])");
}

TEST_F(Strings, TokenizeIntoAList) {
  Seq list = {};
  auto into = [&](const char *s, const char *delim, bool keep, bool multiple) {
    Str x = str(s), y = str(delim);
    sl_tokenize_rrbbLr(w, &x, &y, keep, multiple, &list);
    return text(&strings, &list);
  };
  EXPECT_EQ(into("a::b:c", "::", true, false), R"(["a","b:c"])");
  EXPECT_EQ(into("::a::::b", "::", false, false), R"(["a","b"])");
  EXPECT_EQ(into("a::b:c", "::", true, true), R"(["a","","b","c"])");
  EXPECT_EQ(into("a token that is not inline,b", ",", true, true),
            R"(["a token that is not inline","b"])");
  sl_destroy(w, &strings, &list);
}

TEST_F(Strings, Regex) {
  EXPECT_EQ(match("key=val", "([a-z]+)=([a-z]+)"), R"(["key=val","key","val"])");
  EXPECT_EQ(match("abc", "[0-9]"), "[]");
  EXPECT_EQ(match("abc", ""), R"([""])");
  EXPECT_EQ(match("ac", "(a)(b)?(c)"), R"(["ac","a","c"])");
  EXPECT_EQ(match("abcd", "a|ab|abc"), R"(["abc"])");
  EXPECT_EQ(match("xabab", "(ab)\\1"), R"(["abab","ab"])");
  EXPECT_EQ(match("a\nb", "a.b"), R"(["a\nb"])");
  EXPECT_EQ(match("abc", "("), "throws");
  EXPECT_EQ(replace("a1b2c3", "[0-9]", "#", false), "a#b2c3");
  EXPECT_EQ(replace("a1b2c3", "[0-9]", "#"), "a#b#c#");
  EXPECT_EQ(replace("a1b2", "([a-z])([0-9])", "\\2\\1"), "1a2b");
  EXPECT_EQ(replace("abc", "b", "<\\0&$1>"), "a<\\0&$1>c");
  EXPECT_EQ(replace("abc", "x*", "-"), "abc");
  EXPECT_EQ(replace("aaa", "^a", "b"), "bbb");
  EXPECT_EQ(replace("abc", "[", "x"), "throws");
}

TEST_F(Strings, Numbers) {
  Str r;
  sl_formatNumber_djjb(w, &r, 1234.5678, 12, 2, 0);
  EXPECT_EQ(viewOf(r), "     1234.57");
  sl_formatNumber_djjb(w, &r, 1234.5678, 12, 3, 1);
  EXPECT_EQ(viewOf(r), "   1.235e+03");
  int64_t number = -7;
  int32_t used;
  auto parse = [&](const char *s, int base) {
    Str v = str(s);
    sl_parseNumber_lri(w, &used, &number, &v, base);
    return used;
  };
  EXPECT_EQ(parse("42x", 10), 2);
  EXPECT_EQ(number, 42);
  EXPECT_EQ(parse("x", 10), -1);
  EXPECT_EQ(number, 42);
  EXPECT_EQ(parse("  -12", 10), 5);
  EXPECT_EQ(parse("ff", 16), 2);
  EXPECT_EQ(number, 255);
}

} // namespace
