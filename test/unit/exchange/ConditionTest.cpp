//===- ConditionTest.cpp - subscriptions and filters ----------------------===//
#include "runtime/exchange/Condition.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace sluice::exchange {
namespace {

const std::vector<Value> kTopics = {Value::of("a"), Value::of("b")},
                         kLevels = {Value::of(Integer(1)), Value::of(Integer(2))};
const std::map<std::string, Value> kValues = {{"kind", Value::of("numbers")},
                                              {"level", Value::of(Integer(3))},
                                              {"ratio", Value::of(0.5)},
                                              {"topics", Value::of(std::span(kTopics))},
                                              {"yes", Value::of(true)},
                                              {"levels", Value::of(std::span(kLevels))},
                                              {"least", Value::of(Integer(INT64_MIN))}};

struct Known : Names {
  explicit Known(const Condition &condition) : condition(condition) {}
  Value valueOf(uint32_t slot) const override {
    auto found = kValues.find(condition.names()[slot]);
    return found == kValues.end() ? Value() : found->second;
  }
  const Condition &condition;
};

bool holds(std::string_view text) {
  Condition condition;
  EXPECT_EQ(condition.parse(text), "") << text;
  return condition.holds(Known(condition));
}

std::string problem(std::string_view text) { return Condition().parse(text); }

TEST(Condition, Compares) {
  for (const char *text :
       {"kind == \"numbers\"", "kind != \"x\"", "level < 4", "level <= 3", "level > 2",
        "level >= 3", "ratio == 0.5", "ratio < 1", "level > 2.5", "kind < \"o\"", "yes == true",
        "yes", "3 == level", "topics == [\"a\", \"b\"]", "topics != [\"a\"]"})
    EXPECT_TRUE(holds(text)) << text;
  for (const char *text : {"kind == \"x\"", "kind != \"numbers\"", "level < 3", "level <= 2",
                           "level > 3", "level >= 4", "ratio != 0.5", "kind > \"o\"",
                           "yes == false", "topics < [\"z\"]", "topics == [\"a\"]"})
    EXPECT_FALSE(holds(text)) << text;
}

TEST(Condition, IsFalseOfWhatIsNotThere) {
  for (const char *text : {"other == 1", "other != 1", "other", "other < 1", "other[0] == 1",
                           "1 in other", "other in [1]", "other + 1 == 1"})
    EXPECT_FALSE(holds(text)) << text;
  EXPECT_TRUE(holds("other == 1 || level == 3"));
  // Of different kinds.
  EXPECT_FALSE(holds("kind == 1"));
  EXPECT_FALSE(holds("kind != 1"));
  EXPECT_FALSE(holds("level in topics"));
  EXPECT_FALSE(holds("level && yes"));
}

TEST(Condition, JoinsAndComputes) {
  for (const char *text :
       {"level == 3 && kind == \"numbers\"", "level == 4 || kind == \"numbers\"",
        "level == 4 && level == 4 || yes", "yes || level == 4 && level == 4", "yes",
        "level % 2 == 1", "level + 1 * 2 == 5", "(level + 1) * 2 == 8", "level - 1 - 1 == 1",
        "level / 2 == 1", "-level == -3", "- -level == 3", "level/2.0==1.5", "\"a\" in topics",
        "level in [1, -2, 3]", "topics[0] == \"a\"", "levels[level - 2] == 2",
        "levels[0] + levels[1] == level", "inlevel == 1 || level in [3]"})
    EXPECT_TRUE(holds(text)) << text;
  for (const char *text :
       {"(yes || level == 4) && level == 4", "\"c\" in topics", "level in []", "topics[2] == \"a\"",
        "topics[-1] == \"b\"", "kind[0] == \"n\"", "level / 0 == 1", "level % 0 == 1",
        "ratio % 2 == 0", "kind + kind == kind"})
    EXPECT_FALSE(holds(text)) << text;
}

TEST(Condition, DoesNotOverflow) {
  EXPECT_TRUE(holds("least - 1 < least"));
  EXPECT_TRUE(holds("-least == 9223372036854775808"));
  EXPECT_TRUE(holds("least * least > 0"));
  EXPECT_TRUE(holds("18446744073709551615 > level"));
  holds("least * least * least * least == 0"); // beyond 128 bits: any answer, no crash
  holds("least * least * -2 / -1 == 0");
}

TEST(Condition, WithoutTextAlwaysHolds) {
  Condition condition;
  EXPECT_EQ(condition.parse(" \n"), "");
  EXPECT_TRUE(condition.isAlways());
  EXPECT_TRUE(condition.holds(Known(condition)));
}

TEST(Condition, NamesAreThereOnce) {
  Condition condition;
  EXPECT_EQ(condition.parse("a == 1 && b == a || a in b"), "");
  EXPECT_EQ(condition.names(), (std::vector<std::string>{"a", "b"}));
}

TEST(Condition, SaysWhatIsWrong) {
  EXPECT_EQ(problem("a =="), "an operand is missing (at byte 4)");
  EXPECT_EQ(problem("a == 1 b"), "something is behind its end (at byte 7)");
  EXPECT_EQ(problem("(a == 1"), "a `)` is missing (at byte 7)");
  EXPECT_EQ(problem("a[1 == 1"), "a `]` is missing (at byte 8)");
  EXPECT_EQ(problem("a in [1 2]"), "a `,` or `]` is missing (at byte 8)");
  EXPECT_EQ(problem("a in [b]"), "an element of a list is no literal (at byte 7)");
  EXPECT_EQ(problem("a in [[1]]"), "an element of a list is no literal (at byte 6)");
  EXPECT_EQ(problem("a == \"x"), "a text does not end (at byte 7)");
  EXPECT_EQ(problem("a == \"\\q\""), "this is no escape (at byte 7)");
  EXPECT_EQ(problem("a == 1.2.3"), "this is no number (at byte 5)");
  EXPECT_EQ(problem("a == 99999999999999999999"), "this is no number (at byte 5)");
  EXPECT_EQ(problem("!a"), "an operand is missing (at byte 0)");
  EXPECT_EQ(problem("f(a)"), "something is behind its end (at byte 1)");
  EXPECT_EQ(problem(std::string("a\0b", 3)), "something is behind its end (at byte 1)");
}

TEST(Condition, BoundsWhatItIsGiven) {
  EXPECT_NE(problem(std::string(100'000, '(')), "");
  EXPECT_NE(problem(std::string(60'000, '(')), "");
  EXPECT_NE(problem(std::string(60'000, '-') + "1"), "");
  EXPECT_NE(problem(std::string(60'000, '[')), "");
  EXPECT_NE(problem("a in " + std::string(60'000, '[')), "");
  std::string chain = "a", indexes = "a";
  for (int i = 0; i < 10'000; ++i)
    chain += "||a", indexes += "[1]";
  EXPECT_NE(problem(chain), "");
  EXPECT_NE(problem(indexes), "");
  auto times = [](int n, const std::string &what) {
    std::string text;
    while (n--)
      text += what;
    return text;
  };
  EXPECT_EQ(problem("a" + times(199, "||a")), "");
  EXPECT_NE(problem("a" + times(200, "||a")), "");
  EXPECT_EQ(problem(times(199, "-") + "1"), "");
  // Chains in chains: each is short.
  EXPECT_NE(problem(times(3, "(") + "a" + times(3, times(100, "||a") + ")")), "");
  EXPECT_NE(problem("a" + times(150, "*a") + times(150, "+a")), "");
  EXPECT_NE(problem("(a" + times(150, "[1]") + ")" + times(150, "[1]")), "");
  EXPECT_EQ(problem("a == 1" + std::string(1000, ' ')), "");
  std::string list = "a in [0";
  for (int i = 0; i < 5'000; ++i)
    list += ", " + std::to_string(i);
  EXPECT_EQ(problem(list + "]"), ""); // long, not deep
}

TEST(Condition, LiteralsAreReadAgain) {
  for (const Value &value :
       {Value::of("a \"b\" \\ \n\x01 \xc3\xa4"), Value::of(Integer(-7)), Value::of(0.1),
        Value::of(1e300), Value::of(-2.0), Value::of(true), Value::of(Integer(UINT64_MAX)),
        Value::of(std::span(kTopics)), Value::of(std::span(kLevels)), Value::of("")}) {
    std::string text = literalOf(value);
    EXPECT_TRUE(holds(text + " == " + text)) << text;
  }
  EXPECT_EQ(literalOf(Value::of("a\n\"")), "\"a\\x0a\\\"\"");
  EXPECT_EQ(literalOf(Value::of(2.0)), "2.0");
  EXPECT_EQ(literalOf(Value::of(std::span(kLevels))), "[1, 2]");
}

/// Any bytes: they are refused, or evaluated.
TEST(Condition, TakesAnything) {
  std::mt19937 random(7);
  const std::string_view tokens[] = {"a",   "level", "==", "!=",   "<",  "in",   "&&", "||",    "(",
                                     ")",   "[",     "]",  ",",    "\"", "1",    "-",  "%",     "/",
                                     "0.5", " ",     "\\", "true", "+",  "\xff", "*",  "topics"};
  int fine = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (unsigned n = random() % 12; n--;)
      text += tokens[random() % std::size(tokens)];
    Condition condition;
    if (!condition.parse(text).empty())
      continue;
    condition.holds(Known(condition));
    ++fine;
  }
  EXPECT_GT(fine, 100);
}

} // namespace
} // namespace sluice::exchange
