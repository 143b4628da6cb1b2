#include "stdlib/native/xml/Token.h"
#include <gtest/gtest.h>

using namespace sluice::xml;

namespace {
/// Whether a token that begins with the first piece may end in the last one, and in none between.
bool endsInLast(std::initializer_list<std::string_view> pieces, bool isWide = false) {
  Token token;
  token.begin(*pieces.begin(), isWide);
  uint64_t size = token.size();
  EXPECT_EQ(size, pieces.begin()->size());
  for (auto piece = pieces.begin() + 1; piece != pieces.end() - 1; ++piece) {
    if (token.mayEndIn(*piece))
      return false;
    token.grow(size += piece->size());
  }
  return token.mayEndIn(pieces.end()[-1]);
}
} // namespace

TEST(XmlToken, Tags) {
  EXPECT_TRUE(endsInLast({"<e a='", "x > y", "\">", "' b=\"'>\" c='1'", ">"}));
  EXPECT_TRUE(endsInLast({"<", "e", " a", ">"}));
  EXPECT_FALSE(endsInLast({"<e a='", ">", "' >", ">"}));
  EXPECT_FALSE(endsInLast({"<e a='", ">"}));
}

TEST(XmlToken, CommentsAndInstructions) {
  EXPECT_TRUE(endsInLast({"<", "!", "-", "-", " > ", "-", "-", "a-", "-a-", "-", ">"}));
  EXPECT_TRUE(endsInLast({"<!--", "->", "x--", ">"}));
  EXPECT_TRUE(endsInLast({"<!-", "- '", "\" -->"}));
  EXPECT_TRUE(endsInLast({"<?do", " > ", "?", ">"}));
  EXPECT_TRUE(endsInLast({"<?", "'?>"}));
}

TEST(XmlToken, Others) {
  EXPECT_TRUE(endsInLast({"<!DOCTYPE", " x '", ">"}));
  EXPECT_TRUE(endsInLast({"<!-x", ">"}));
  EXPECT_TRUE(endsInLast({std::string_view("<\0e\0 \0", 6), "'", ">"}, true));
}

/// One that is not what it seems: the parser says that it goes on behind what looked like its end.
TEST(XmlToken, GoesOn) {
  Token token;
  token.begin("<e a='", false);
  EXPECT_TRUE(token.mayEndIn("'>"));
  token.grow(8);
  EXPECT_FALSE(token.mayEndIn("'"));
  EXPECT_TRUE(token.mayEndIn("' >"));
  token.clear();
  EXPECT_EQ(token.size(), 0u);
}
