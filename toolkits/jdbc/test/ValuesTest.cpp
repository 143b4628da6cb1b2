//===- ValuesTest.cpp - columns as values ---------------------------------===//
#include "toolkits/jdbc/native/Values.h"
#include "value/Value.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::jdbc;

namespace {
struct ValuesTest : testing::Test {
  ~ValuesTest() override { arenaFree(&arena); }
  template <typename T> TypeDesc type(Kind kind) {
    TypeDesc result = {};
    result.kind = kind;
    result.size = sizeof(T);
    return result;
  }
  std::string shown(const TypeDesc &type, const void *value) {
    TextOut out;
    EXPECT_TRUE(putText(out, type, value));
    return std::string(out.view());
  }
  Arena arena = {};
};
} // namespace

TEST_F(ValuesTest, TimesGoThereAndBack) {
  TypeDesc time = type<Timestamp>(Kind::Timestamp);
  for (auto [seconds, nanos, text] :
       {std::tuple{int64_t(1234567890), 123456789u, "2009-02-13 23:31:30.123456789+00"},
        {int64_t(-1), 0u, "1969-12-31 23:59:59.000000000+00"},
        {int64_t(253402300800), 5u, "10000-01-01 00:00:00.000000005+00"},
        {int64_t(-62135596801), 0u, "0001-12-31 23:59:59.000000000+00 BC"},
        {int64_t(-62198755200), 0u, "0002-01-01 00:00:00.000000000+00 BC"}}) {
    Timestamp value{seconds, nanos, 0}, back = {};
    EXPECT_EQ(shown(time, &value), text);
    ASSERT_TRUE(setText(time, text, reinterpret_cast<char *>(&back), arena)) << text;
    EXPECT_EQ(back.seconds, seconds) << text;
    EXPECT_EQ(back.nanos, nanos) << text;
  }
  Timestamp back = {};
  auto *to = reinterpret_cast<char *>(&back);
  EXPECT_TRUE(setText(time, "2009-02-13 23:31:30.5+05:30", to, arena));
  EXPECT_EQ(back.seconds, 1234567890 - 19800);
  EXPECT_TRUE(setText(time, "2009-02-13", to, arena));
  EXPECT_EQ(back.seconds, 1234483200);
  EXPECT_FALSE(setText(time, "infinity", to, arena));
  EXPECT_FALSE(setText(time, "", to, arena));
}

TEST_F(ValuesTest, NumbersAreWholeTexts) {
  int8_t small = 0;
  uint64_t large = 0;
  float real = 0;
  bool truth = false;
  EXPECT_TRUE(setText(type<int8_t>(Kind::Int8), "-128", reinterpret_cast<char *>(&small), arena));
  EXPECT_EQ(small, -128);
  EXPECT_FALSE(setText(type<int8_t>(Kind::Int8), "128", reinterpret_cast<char *>(&small), arena));
  EXPECT_FALSE(setText(type<int8_t>(Kind::Int8), "1.5", reinterpret_cast<char *>(&small), arena));
  TypeDesc uint64 = type<uint64_t>(Kind::UInt64);
  EXPECT_FALSE(setText(uint64, "-1", reinterpret_cast<char *>(&large), arena));
  EXPECT_TRUE(setText(uint64, "18446744073709551615", reinterpret_cast<char *>(&large), arena));
  EXPECT_EQ(large, ~uint64_t(0));
  TypeDesc float32 = type<float>(Kind::Float32);
  EXPECT_TRUE(setText(float32, "-Infinity", reinterpret_cast<char *>(&real), arena));
  EXPECT_LT(real, -3e38f);
  EXPECT_TRUE(setText(float32, "NaN", reinterpret_cast<char *>(&real), arena));
  EXPECT_NE(real, real);
  EXPECT_TRUE(setText(type<bool>(Kind::Boolean), "t", reinterpret_cast<char *>(&truth), arena));
  EXPECT_TRUE(truth);
  EXPECT_FALSE(setText(type<bool>(Kind::Boolean), "x", reinterpret_cast<char *>(&truth), arena));
}

TEST_F(ValuesTest, BytesAreHexadecimal) {
  TypeDesc blob = type<Str>(Kind::Blob);
  Str bytes = strView("\0\xff"
                      "a",
                      3),
      back = {};
  EXPECT_EQ(shown(blob, &bytes), "\\x00ff61");
  ASSERT_TRUE(setText(blob, "\\x00ff61", reinterpret_cast<char *>(&back), arena));
  EXPECT_EQ(viewOf(back), std::string_view("\0\xff"
                                           "a",
                                           3));
  EXPECT_FALSE(setText(blob, "\\x0g", reinterpret_cast<char *>(&back), arena));
  EXPECT_FALSE(setText(blob, "\\x0", reinterpret_cast<char *>(&back), arena));
}

TEST_F(ValuesTest, TextsHaveNoZeroByte) {
  Str text = strView("a\0b", 3);
  EXPECT_TRUE(hasZero(type<Str>(Kind::RString), &text));
  EXPECT_FALSE(hasZero(type<Str>(Kind::Blob), &text));
}

TEST_F(ValuesTest, LinesOfCopy) {
  TextOut out;
  putEscaped(out, "a\tb\\n\nc\r.");
  EXPECT_EQ(out.view(), "a\\tb\\\\n\\nc\\r.");
}
