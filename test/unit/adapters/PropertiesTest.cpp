//===- PropertiesTest.cpp - files of Java properties ----------------------===//
#include "stdlib/native/jobs/AppConfig.h"
#include <gtest/gtest.h>

namespace sluice {
namespace {

using Pairs = std::map<std::string, std::string, std::less<>>;

Pairs parsed(std::string_view text) {
  uint32_t badLine = 1;
  auto result = parseProperties(text, badLine);
  EXPECT_EQ(badLine, 0u);
  return result.value_or(Pairs{{"is", "malformed"}});
}
/// The line of a malformed escape; 0: there is none.
uint32_t badLineOf(std::string_view text) {
  uint32_t badLine = 0;
  EXPECT_FALSE(parseProperties(text, badLine).has_value());
  return badLine;
}

TEST(Properties, keysAndValues) {
  EXPECT_EQ(parsed("a=1\nb = 2\n c : 3 \nd 4\n\te\t=\t5"),
            (Pairs{{"a", "1"}, {"b", "2"}, {"c", "3 "}, {"d", "4"}, {"e", "5"}}));
  EXPECT_EQ(parsed("url=http://host:80/?a=b\nalone\nempty=\n=none"),
            (Pairs{{"url", "http://host:80/?a=b"}, {"alone", ""}, {"empty", ""}, {"", "none"}}));
  EXPECT_EQ(parsed("a=1\na=2"), (Pairs{{"a", "2"}}));
}

TEST(Properties, linesAndComments) {
  EXPECT_EQ(parsed("# one\n  ! two = 2\n\n\r\na=1\r\nb=2\rc=3 # no comment\n#\\\nd=4"),
            (Pairs{{"a", "1"}, {"b", "2"}, {"c", "3 # no comment"}, {"d", "4"}}));
  EXPECT_EQ(parsed("a = x,\\\n    y,\\\r\n\tz\nb=\\\n#1\nc=1\\"),
            (Pairs{{"a", "x,y,z"}, {"b", "#1"}, {"c", "1"}}));
  EXPECT_EQ(parsed(""), Pairs());
  EXPECT_EQ(parsed("\n \n\\"), (Pairs{{"", ""}}));
}

TEST(Properties, escapes) {
  EXPECT_EQ(parsed("a\\ b\\=\\:c=\\ \\t\\n\\r\\f\\\\\\q\\\"end"),
            (Pairs{{"a b=:c", " \t\n\r\f\\q\"end"}}));
  EXPECT_EQ(parsed("k=\\uD83D\\uDE00\\uD83Dx"), (Pairs{{"k", "\xF0\x9F\x98\x80\xEF\xBF\xBDx"}}));
  EXPECT_EQ(parsed("k=\\u0041\\u00e9\\u20AC\\u0004"), (Pairs{{"k", "A\xC3\xA9\xE2\x82\xAC\x04"}}));
  EXPECT_EQ(parsed("p\xC3\xA4\xC3\x9F=\xE2\x82\xAC"),
            (Pairs{{"p\xC3\xA4\xC3\x9F", "\xE2\x82\xAC"}}));
}

TEST(Properties, malformedEscapes) {
  EXPECT_EQ(badLineOf("k=\\u00zz"), 1u);
  EXPECT_EQ(badLineOf("a=1\r\nb=x\\\n  y\nc=\\u004"), 4u);
  EXPECT_EQ(badLineOf("# \\u\n\\u=1"), 2u);
  EXPECT_EQ(badLineOf("a=\\uD83D\\u\nb=\\u1"), 1u);
}

} // namespace
} // namespace sluice
