//===- TextTest.cpp - the text of values, both ways -------------*- C++ -*-===//
#include "Types.h"
#include "value/Numbers.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::test;
using namespace std::string_view_literals;

namespace {

std::string real(double v) { return text(&float64, &v); }
std::string real(float v) { return text(&float32, &v); }

TEST(Text, FloatsAsPrintfDoes) {
  EXPECT_EQ(real(0.1 + 0.2), "0.3");
  EXPECT_EQ(real(1e15), "1e+15");
  EXPECT_EQ(real(123456789012345.0), "123456789012345");
  EXPECT_EQ(real(4.9e-324), "4.94065645841247e-324");
  EXPECT_EQ(real(-0.0), "-0");
  EXPECT_EQ(real(double(NAN)), "-nan"); // as one that x86-64 computes
  EXPECT_EQ(real(-NAN), "-nan");
  EXPECT_EQ(real(givenNaN<double>(false)), "nan");
  EXPECT_EQ(real(givenNaN<double>(true)), "-nan");
  EXPECT_EQ(real(double(givenNaN<float>(false)) + 1), "nan");
  EXPECT_EQ(real(double(float(-givenNaN<double>(false)))), "-nan");
  EXPECT_EQ(real(-INFINITY), "-inf");
  EXPECT_EQ(real(1e6f), "1e+06");
  EXPECT_EQ(real(999999.0f), "999999");
  EXPECT_EQ(real(33.15f), "33.15");
}

TEST(Text, RandomFloatsAsPrintfDoes) {
  std::mt19937_64 random(7);
  char expected[64];
  for (int i = 0; i < 200000; ++i) {
    uint64_t bits = random();
    double v;
    memcpy(&v, &bits, 8);
    if (i % 4 == 0)
      v = double(int64_t(bits >> 34)) / 1000;
    if (i % 4 == 1)
      v = double(int64_t(bits >> 40)) / 64; // many ties
    if (i % 4 == 2)
      v = std::ldexp(double(bits), -int(bits % 80)) * 1e-3;
    if (i % 16 == 3)
      v = std::nextafter(std::pow(10.0, int(bits % 24) - 6), double(bits >> 63));
    if (std::isnan(v))
      continue;
    snprintf(expected, sizeof expected, "%.15g", v);
    ASSERT_EQ(real(v), expected);
    snprintf(expected, sizeof expected, "%.6g", double(float(v)));
    ASSERT_EQ(real(float(v)), expected);
  }
}

TEST(Text, IntegersOfAllLengths) {
  std::mt19937_64 random(4);
  World w;
  auto check = [&](auto value) {
    TextOut text;
    printInteger(text, value);
    const std::string wanted = std::to_string(value);
    ASSERT_EQ(text.view(), wanted);
    Str made, whole = strView(wanted.data(), wanted.size());
    sl_to_string(w, std::is_signed_v<decltype(value)> ? &int64 : &uint64, &made, &value);
    ASSERT_EQ(viewOf(made), wanted);
    if (made.len <= Str::kInline) // what is behind the end is zero
      ASSERT_EQ(memcmp(&made, &whole, sizeof made), 0) << wanted;
  };
  for (uint64_t power = 1, digits = 1; digits <= 20; ++digits, power *= 10)
    for (uint64_t value : {power - 1, power, power + 1, random() % power})
      check(value), check(int64_t(value)), check(-int64_t(value));
  for (int i = 0; i < 20'000; ++i)
    check(random() >> i % 64), check(int64_t(random()) >> i % 64);
  check(INT64_MIN);
}

/// What printf writes with that many digits.
template <typename T> static void checkRounded(T value, int digits) {
  TextOut text;
  printFloat(text, value);
  char expected[64];
  snprintf(expected, sizeof expected, "%.*g", digits, double(value));
  ASSERT_EQ(text.view(), expected);
}

/// Decimals of few digits, and the numbers beside them.
TEST(Text, FloatsOfFewDigits) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 50000; ++i) {
    double value = double(random() >> (12 + i % 52)) / std::pow(10.0, i % 7);
    for (double v : {value, -value, std::nextafter(value, 1e300), std::nextafter(value, -1e300)}) {
      checkRounded(v, 15);
      checkRounded(float(v), 6);
      checkRounded(std::nextafter(float(v), 1e30f), 6);
    }
  }
  for (double v : {0.0, -0.0, 1e-4, 9e-5, 0.00015, 99999999999.9999, 1e11, 1e15})
    checkRounded(v, 15), checkRounded(float(v), 6);
}

template <typename T> static void checkShortest(T value) {
  TextOut rounded, text;
  text.floats = FloatText::Shortest;
  printFloat(rounded, value);
  printFloat(text, value);
  auto read = [](std::string_view from) {
    T back = 0;
    std::from_chars(from.data(), from.data() + from.size(), back);
    return back;
  };
  ASSERT_EQ(read(text.view()), value) << text.view();
  if (std::isnormal(value) && read(rounded.view()) == value) {
    ASSERT_EQ(text.view(), rounded.view());
    return;
  }
  // One digit fewer does not tell it from its neighbours.
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  std::string_view number = text.view().substr(0, text.view().find('e'));
  number.remove_prefix(std::min(number.find_first_of("123456789"), number.size()));
  int digits = int(std::ranges::count_if(number, isDigit));
  char fewer[64];
  if (digits > 1) {
    snprintf(fewer, sizeof fewer, "%.*e", digits - 2, double(value));
    ASSERT_NE(read(fewer), value) << text.view();
  }
}

TEST(Text, ShortestFloats) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 50000; ++i) {
    uint64_t bits = random();
    double far, near = double(random() >> (i % 64)) * std::pow(10.0, -(i % 23));
    memcpy(&far, &bits, sizeof far);
    for (double value : {far, near, -near, 1 / near})
      if (std::isfinite(value)) {
        checkShortest(value);
        if (std::isfinite(float(value)))
          checkShortest(float(value));
      }
  }
  TextOut text;
  text.floats = FloatText::Shortest;
  for (double value : {0.1 + 0.2, 1e5, 1e15, -0.0, double(INFINITY), -double(INFINITY), 5e-324})
    printFloat(text, value), text.put(' ');
  EXPECT_EQ(text.view(), "0.30000000000000004 100000 1e+15 -0 inf -inf 5e-324 ");
  text.clear();
  for (float value : {0.1f, 16777216.0f, 1e6f, 1.0f / 3, NAN})
    printFloat(text, value), text.put(' ');
  EXPECT_EQ(text.view(), "0.1 16777216 1e+06 0.33333334 -nan ");
}

/// What a program says counts where a writer says nothing.
TEST(Text, FloatsAsTheProgramSays) {
  double value = 0.1 + 0.2;
  TextOut text, spl;
  spl.floats = FloatText::Spl;
  setFloatText(FloatText::Shortest);
  printFloat(text, value);
  printFloat(spl, value);
  setFloatText(FloatText::Spl);
  text.put(' ');
  printFloat(text, value);
  EXPECT_EQ(text.view(), "0.30000000000000004 0.3");
  EXPECT_EQ(spl.view(), "0.3");
}

TEST(Text, Strings) {
  auto quoted = [](std::string_view s) {
    Str v = str(s);
    return text(&rstring, &v);
  };
  EXPECT_EQ(quoted("a\"b'c\\d"), R"("a\"b'c\\d")");
  EXPECT_EQ(quoted("tab\tnl\ncr\rnul\0bell\abs\bff\fvt\v"sv),
            R"("tab\tnl\ncr\rnul\0bell\abs\bff\fvt\v")");
  EXPECT_EQ(quoted("\x01\x1f\x7f"), R"("\u0001\u001f\u007f")");
  EXPECT_EQ(quoted("h\u00e9\u20ac\U0001f600"), "\"h\u00e9\u20ac\U0001f600\"");
  EXPECT_EQ(quoted("A\xff"
                   "B"),
            "\"A\xff"
            "B\"");
  TextOut out;
  printQuoted(out, "h\u00e9\u20ac\U0001f600", true);
  EXPECT_EQ(out.view(), R"("h\u00e9\u20ac\ud83d\ude00")");
}

TEST(Text, CompositesThereAndBack) {
  World w;
  static const char *names[] = {"red", "green"};
  TypeDesc colour = enumOf(names, 2), list = listOf(&int32), strings = listOf(&rstring),
           set = setOf(&int64), map = mapOf(&rstring, &list);
  TupleType tuple({{"a", &int8},
                   {"b", &strings},
                   {"c", &map},
                   {"d", &set},
                   {"e", &colour},
                   {"f", &float64},
                   {"t", &timestamp},
                   {"g", &boolean},
                   {"s", &rstring}});
  const char *same =
      R"({a=-5,b=["x","a long string, y\"z\n"],c={"k:1":[1,2],"another long key":[]},)"
      R"(d={3,1},e=green,f=0.5,t=(5,6,7),g=true,s=""})";
  void *v = w.value(tuple, same);
  ASSERT_TRUE(v);
  EXPECT_EQ(text(tuple, v), same);
  v = w.value(tuple, "{ a = -5 , b=['x' ],c={ 'k' : [ 1 ,2] } ,d={} , e= red,f=.5,t=( 5 , 6 "
                     "),g=false,s='\\u00e9' }");
  ASSERT_TRUE(v);
  EXPECT_EQ(text(tuple, v),
            "{a=-5,b=[\"x\"],c={\"k\":[1,2]},d={},e=red,f=0.5,t=(5,6,0),g=false,s=\"\u00e9\"}");
}

TEST(Text, OfEqualKeysTheFirstStays) {
  World w;
  TypeDesc map = mapOf(&rstring, &int32), set = setOf(&int32);
  EXPECT_EQ(text(&map, w.value(&map, R"({"k":1,"k":2})")), R"({"k":1})");
  EXPECT_EQ(text(&set, w.value(&set, "{1,2,2}")), "{1,2}");
}

/// Damaged texts must be refused or give a value whose text is stable.
TEST(Text, DamagedTexts) {
  World w;
  static const char *names[] = {"red", "green"};
  TypeDesc colour = enumOf(names, 2), list = listOf(&rstring), map = mapOf(&rstring, &list),
           set = setOf(&float64);
  TupleType tuple({{"a", &int8}, {"m", &map}, {"s", &set}, {"e", &colour}, {"t", &timestamp}});
  const std::string good = R"({a=-5,m={"k\n\u00e9":["x",'long enough to stand elsewhere'],"":[]},)"
                           R"(s={1.5,-2e3},e=green,t=(5,6,7)})";
  ASSERT_TRUE(w.value(tuple, good));
  std::mt19937 random(11);
  int parsed = 0;
  for (int i = 0; i < 100000; ++i) {
    ArenaCheckpoint checkpoint = arenaCheckpoint(&w.arena);
    std::string bad = good;
    for (unsigned n = random() % 3 + 1; n; --n) {
      if (bad.empty())
        break;
      size_t at = random() % bad.size();
      switch (random() % 4) {
      case 0:
        bad.erase(at, random() % 4 + 1);
        break;
      case 1:
        bad[at] = good[random() % good.size()];
        break;
      case 2:
        bad.insert(at, 1, " \\\"{[,0\xff"[random() % 8]);
        break;
      default:
        bad.resize(at + 1);
        break;
      }
    }
    // a copy of exactly this size, so that reading beyond it is seen
    std::vector<char> exact(bad.begin(), bad.end());
    if (void *v = w.value(tuple, {exact.data(), exact.size()})) {
      ++parsed;
      std::string once = text(tuple, v);
      void *again = w.value(tuple, once);
      ASSERT_TRUE(again) << bad;
      ASSERT_EQ(text(tuple, again), once) << bad;
    }
    arenaRelease(&w.arena, checkpoint);
  }
  EXPECT_GT(parsed, 1000);
}

struct Parsing : testing::Test {
  World w;
  /// The text of the value that a cast makes, or "throws".
  std::string cast(const TypeDesc *type, std::string_view s) {
    alignas(16) char v[64] = {};
    if (parseAll(s.data(), s.data() + s.size(), type, v, w.arena))
      return "throws";
    return text(type, v);
  }
};

TEST_F(Parsing, Integers) {
  for (auto [in, out] :
       std::vector<std::pair<const char *, const char *>>{{"12", "12"},
                                                          {"-5", "-5"},
                                                          {"+5", "5"},
                                                          {" 12", "12"},
                                                          {"12\t", "12"},
                                                          {"12\n", "12"},
                                                          {"", "throws"},
                                                          {"  ", "throws"},
                                                          {"12x", "throws"},
                                                          {"1.5", "throws"},
                                                          {"1e3", "throws"},
                                                          {"0x10", "throws"},
                                                          {"007", "7"},
                                                          {"99999999999999999999999", "throws"},
                                                          {"12ub", "throws"},
                                                          {"+-5", "throws"},
                                                          {"-2147483648", "-2147483648"},
                                                          {"-2147483649", "throws"},
                                                          {"2147483648", "throws"}})
    EXPECT_EQ(cast(&int32, in), out) << in;
  EXPECT_EQ(cast(&int8, "-128"), "-128");
  EXPECT_EQ(cast(&int8, "128"), "throws");
  EXPECT_EQ(cast(&uint8, "255"), "255");
  EXPECT_EQ(cast(&uint8, "256"), "throws");
  EXPECT_EQ(cast(&uint8, "-5"), "throws");
  EXPECT_EQ(cast(&uint64, "-5"), "18446744073709551611");
  EXPECT_EQ(cast(&int64, "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(cast(&int64, "9223372036854775808"), "throws");
}

/// A cast of a program, which has a short way for some, against all that can be parsed.
TEST_F(Parsing, ShortNumbers) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 50'000; ++i) {
    std::string s;
    for (uint64_t n = random() % 11; n; --n)
      s += random() % 40 ? char('0' + random() % 10) : " -+.x:/\0"[random() % 8];
    for (const TypeDesc *type : {&int8, &int32, &int64, &uint64, &float64}) {
      alignas(16) char v[16] = {};
      Str given = strView(s.data(), s.size());
      bool fails = sl_parse(w, type, v, &given);
      ASSERT_EQ(fails ? "throws" : text(type, v), cast(type, s)) << s;
    }
  }
}

TEST_F(Parsing, Floats) {
  for (auto [in, out] : std::vector<std::pair<const char *, const char *>>{
           {"1.5", "1.5"},     {"14", "14"},       {"1e3", "1000"},     {" 1.5 ", "1.5"},
           {"", "throws"},     {"1.5x", "throws"}, {"nan", "throws"},   {"inf", "throws"},
           {"-inf", "throws"}, {"INF", "throws"},  {".", "throws"},     {".5", "0.5"},
           {"5.", "5"},        {"0x10", "throws"}, {"1e400", "throws"}, {"-1e400", "throws"},
           {"1e-400", "0"},    {"+1.5", "1.5"},    {"1.5w", "throws"},  {"+-1", "throws"}})
    EXPECT_EQ(cast(&float64, in), out) << in;
  EXPECT_EQ(cast(&float32, "1e39"), "throws");
  double v = 0;
  for (const char *s : {"nan", "NaN", "inf", "-inf"}) {
    const char *p = s;
    EXPECT_EQ(parseFloat(p, s + strlen(s), Kind::Float64, &v, true), 0) << s;
    EXPECT_FALSE(std::isfinite(v));
  }
  const char *p = "Infinity";
  EXPECT_EQ(parseFloat(p, p + 8, Kind::Float64, &v, true), 1);
}

TEST_F(Parsing, OtherScalars) {
  static const char *names[] = {"red", "green"};
  TypeDesc colour = enumOf(names, 2);
  EXPECT_EQ(cast(&boolean, "true "), "true");
  EXPECT_EQ(cast(&boolean, "True"), "throws");
  EXPECT_EQ(cast(&boolean, "truex"), "throws");
  EXPECT_EQ(cast(&boolean, "1"), "throws");
  EXPECT_EQ(cast(&colour, "green"), "green");
  for (const char *bad : {"violet", "1", "green ", " green", "Green", ""})
    EXPECT_EQ(cast(&colour, bad), "throws") << bad;
  EXPECT_EQ(cast(&timestamp, "(5,1000000000,0)"), "(5,1000000000,0)");
  EXPECT_EQ(cast(&timestamp, "(-5,6)"), "(-5,6,0)");
  EXPECT_EQ(cast(&timestamp, "(5)"), "throws");
  EXPECT_EQ(cast(&timestamp, "5.5"), "throws");
}

TEST_F(Parsing, BadComposites) {
  TypeDesc list = listOf(&int32), strings = listOf(&rstring), set = setOf(&int32),
           map = mapOf(&rstring, &int32);
  TupleType pair({{"a", &int32}, {"b", &rstring}});
  for (const char *bad : {"", "[1,]", "[1]x", "[1,x]", "[1,2", "[1.5]", "{1}"})
    EXPECT_EQ(cast(&list, bad), "throws") << bad;
  EXPECT_EQ(cast(&list, " [ 1 , 2 ] "), "[1,2]");
  for (const char *bad : {"[a,b]", "[\"a\"r]", "[\"a]", "[\"a\\\"]", "[\"\\u00g0\"]"})
    EXPECT_EQ(cast(&strings, bad), "throws") << bad;
  EXPECT_EQ(cast(&set, "[1]"), "throws");
  EXPECT_EQ(cast(&map, "{\"k\"}"), "throws");
  for (const char *bad :
       {"{b=\"x\",a=1}", "{a=1}", "{a=1,b=\"x\",c=2}", "{1,\"x\"}", "{a=1,b=x}", "{a=z,b=\"x\"}"})
    EXPECT_EQ(cast(pair, bad), "throws") << bad;
}

} // namespace
